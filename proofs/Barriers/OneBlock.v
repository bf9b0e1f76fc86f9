(** A block alone on the multiprocessor (docs/programs.md, section 2): its worst case is the sum of the worst cases of its
    segments, and its best case the sum of their best cases. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Exact Require Import Blocks Schedule TwoWarps.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.

(** The last cycle in which a warp of any block issues. *)
Definition blocks_makespan (mss : list (list cycle)) : nat := makespan (map (@concat bool) mss).

(** No warp has anything left, and no barrier is to come. *)
Definition ended (bs : list block) : Prop := Forall (fun b => done (fst b) /\ snd b = []) bs.

(** The worst case and the best case of blocks, as in Semantics.v for warps. *)
Definition blocks_worst (sigma : letter -> nat) (bs : list block) (T : nat) : Prop :=
  (forall mss bs', brun sigma bs mss bs' -> blocks_makespan mss <= T) /\
  (exists mss bs', brun sigma bs mss bs' /\ ended bs' /\ blocks_makespan mss = T).

Definition blocks_best (sigma : letter -> nat) (bs : list block) (T : nat) : Prop :=
  (exists mss bs', brun sigma bs mss bs' /\ ended bs' /\ blocks_makespan mss = T) /\
  (forall mss bs', brun sigma bs mss bs' -> ended bs' -> T <= blocks_makespan mss).

Lemma all_done_spec st : all_done st = true <-> done st.
Proof.
  unfold all_done, done. rewrite forallb_forall, Forall_forall.
  split; intros H s Hs; specialize (H s Hs); destruct s; congruence.
Qed.

Lemma done_repeat st : done st -> st = repeat [] (length st).
Proof. induction 1 as [|s st -> H IH]; [reflexivity|]. cbn [length repeat]. now rewrite <- IH. Qed.

Lemma all_done_repeat n : all_done (repeat [] n) = true.
Proof. induction n; [reflexivity|assumption]. Qed.

Lemma makespan_cons m ms : existsb (fun b => b) m = true -> makespan (m :: ms) = S (makespan ms).
Proof.
  intros H. unfold makespan. cbn [last_cycle]. rewrite H.
  destruct (last_cycle _ ms); reflexivity.
Qed.

Lemma makespan_idle m ms : existsb (fun b => b) m = false -> makespan ms = 0 -> makespan (m :: ms) = 0.
Proof. unfold makespan. cbn [last_cycle]. now intros -> ->. Qed.

Section Alone.
Variable sigma : letter -> nat.
Hypothesis sigma_pos : forall U, 0 < sigma U.

(** As long as a warp has letters left, something issues in every cycle. *)
Lemma some_issue st m : legal sigma st m -> all_done st = false -> existsb (fun b => b) m = true.
Proof.
  intros [Ha Hc] Hd. destruct (existsb (fun b => b) m) eqn:E; [reflexivity|exfalso].
  destruct (not_done_nth st Hd) as (i & Hi & Hx).
  destruct (nth i st []) as [|X x] eqn:En; [congruence|].
  specialize (Hc X). specialize (sigma_pos X).
  assert (issued X st m = 0 /\ 0 < waiting X st m); [|lia].
  clear Hd Hc. revert i Hi En; induction Ha as [|s st b m Hb Ha IH]; intros i Hi En; [cbn in Hi; lia|].
  cbn [existsb] in E. apply orb_false_iff in E. destruct E as [-> E]. cbn [issued waiting andb negb].
  destruct i as [|i]; cbn [nth length] in *.
  - subst s. cbn [wants]. rewrite eqb_refl. split; [|lia]. clear - E Ha.
    induction Ha as [|s st b m Hb Ha IH]; [reflexivity|]. cbn [existsb] in E.
    apply orb_false_iff in E. destruct E as [-> E]. cbn [issued andb]. now rewrite IH.
  - destruct (IH E i ltac:(lia) En). lia.
Qed.

Lemma run_done st ms st' : run sigma st ms st' -> all_done st = true -> makespan ms = 0.
Proof.
  induction 1 as [st|st m ms st' [Ha _] H IH]; [reflexivity|]. intros Hd.
  destruct (idle st m Ha Hd) as [Hm Hs]. rewrite Hs in *. now apply makespan_idle, IH.
Qed.

Lemma settled_release cur later : all_done (fst (release cur later)) = true -> snd (release cur later) = [].
Proof.
  revert cur; induction later as [|row later IH]; intros cur; cbn [release]; [reflexivity|].
  destruct (all_done cur) eqn:E; [apply IH|]. cbn [fst]. congruence.
Qed.

(** A cycle of a block alone. *)
Lemma alone_cycle cur later ms : fits [(cur, later)] ms -> legal sigma (flat [(cur, later)]) (concat ms) ->
  exists m, ms = [m] /\ legal sigma cur m /\ concat ms = m.
Proof.
  intros Hf Hl. inversion Hf as [|? m ? ms' Hm Hf']; subst. inversion Hf'; subst. exists m.
  cbn [flat flat_map fst concat] in *. rewrite !app_nil_r in *. auto.
Qed.

(** * At most the sum *)
Lemma safe_release : forall later cur T Ts, safe sigma cur T -> Forall2 (safe sigma) later Ts ->
  exists T' Ts', safe sigma (fst (release cur later)) T' /\ Forall2 (safe sigma) (snd (release cur later)) Ts' /\
                 T' + sum Ts' <= T + sum Ts.
Proof.
  induction later as [|row later IH]; intros cur T Ts Hc Hl; inversion Hl as [|? T2 ? Ts2 H2 Hl2]; subst;
    cbn [release].
  - exists T, []. auto.
  - destruct (all_done cur).
    + destruct (IH row T2 Ts2 H2 Hl2) as (T' & Ts' & A & B & D). exists T', Ts'. cbn [sum]. repeat split; auto. lia.
    + exists T, (T2 :: Ts2). auto.
Qed.

Lemma alone_upper bs mss bs' : brun sigma bs mss bs' -> forall cur later T Ts, bs = [(cur, later)] ->
  settled (cur, later) -> safe sigma cur T -> Forall2 (safe sigma) later Ts -> blocks_makespan mss <= T + sum Ts.
Proof.
  induction 1 as [bs|bs ms mss bs' Hf Hl Hr IH]; intros cur later T Ts -> Hs Hc Hb; [apply Nat.le_0_l|].
  destruct (alone_cycle cur later ms Hf Hl) as (m & -> & Hm & E). unfold blocks_makespan. cbn [map].
  rewrite E. fold (blocks_makespan mss). cbn [bafter fst snd] in *.
  destruct (all_done cur) eqn:D.
  - specialize (Hs D). cbn in Hs. subst later. destruct Hm as [Ha _]. destruct (idle cur m Ha D) as [Hm Hs].
    rewrite Hs in *. cbn [release] in *.
    assert (safe sigma cur 0) as H0 by (intros ? ? R; now rewrite (run_done _ _ _ R D)).
    specialize (IH cur [] 0 [] eq_refl ltac:(easy) H0 ltac:(constructor)). cbn in IH.
    rewrite makespan_idle; [lia|assumption|unfold blocks_makespan in IH; lia].
  - pose proof (some_issue _ _ Hm D) as Hi. rewrite makespan_cons by assumption.
    change (makespan (map (@concat bool) mss)) with (blocks_makespan mss).
    assert (safe sigma (after cur m) (pred T)) as Hc'.
    { intros ms' st' R. specialize (Hc (m :: ms') st' ltac:(now constructor)).
      rewrite makespan_cons in Hc by assumption. lia. }
    assert (1 <= T) as HT.
    { specialize (Hc [m] (after cur m) ltac:(constructor; [assumption|constructor])).
      rewrite makespan_cons in Hc by assumption. lia. }
    destruct (safe_release later _ _ Ts Hc' Hb) as (T' & Ts' & A & B & F).
    pose proof (settled_release (after cur m) later) as S1.
    destruct (release (after cur m) later) as [cur' later'].
    specialize (IH cur' later' T' Ts' eq_refl S1 A B). lia.
Qed.

(** * At least the sum, for complete schedules *)
Definition least (st : state) (T : nat) : Prop :=
  forall ms st', run sigma st ms st' -> done st' -> T <= makespan ms.

Lemma least_release : forall later cur T Ts, least cur T -> Forall2 least later Ts ->
  exists T' Ts', least (fst (release cur later)) T' /\ Forall2 least (snd (release cur later)) Ts' /\
                 T + sum Ts <= T' + sum Ts'.
Proof.
  induction later as [|row later IH]; intros cur T Ts Hc Hl; inversion Hl as [|? T2 ? Ts2 H2 Hl2]; subst;
    cbn [release].
  - exists T, []. auto.
  - destruct (all_done cur) eqn:D; [|exists T, (T2 :: Ts2); auto].
    destruct (IH row T2 Ts2 H2 Hl2) as (T' & Ts' & A & B & F). exists T', Ts'. repeat split; auto.
    assert (T <= makespan []) as H0 by (eapply Hc; [constructor|now apply all_done_spec]).
    cbn in H0. cbn [sum] in *. lia.
Qed.

Lemma alone_least bs mss bs' : brun sigma bs mss bs' -> ended bs' -> forall cur later T Ts,
  bs = [(cur, later)] -> settled (cur, later) -> least cur T -> Forall2 least later Ts ->
  T + sum Ts <= blocks_makespan mss.
Proof.
  induction 1 as [bs|bs ms mss bs' Hf Hl Hr IH]; intros He cur later T Ts -> Hs Hc Hb.
  - inversion He as [|? ? [Hd Hn] _]; subst. cbn in Hd, Hn. subst later. inversion Hb; subst.
    specialize (Hc [] cur ltac:(constructor) Hd). cbn in *. lia.
  - destruct (alone_cycle cur later ms Hf Hl) as (m & -> & Hm & E). unfold blocks_makespan. cbn [map].
    rewrite E. fold (blocks_makespan mss). cbn [bafter fst snd] in *. destruct (all_done cur) eqn:D.
    + specialize (Hs D). cbn in Hs. subst later. inversion Hb; subst.
      specialize (Hc [] cur ltac:(constructor) ltac:(now apply all_done_spec)). cbn in *. lia.
    + pose proof (some_issue _ _ Hm D) as Hi. rewrite makespan_cons by assumption.
      change (makespan (map (@concat bool) mss)) with (blocks_makespan mss).
      assert (least (after cur m) (pred T)) as Hc'.
      { intros ms' st' R Hd. specialize (Hc (m :: ms') st' ltac:(now constructor) Hd).
        rewrite makespan_cons in Hc by assumption. lia. }
      destruct (least_release later _ _ Ts Hc' Hb) as (T' & Ts' & A & B & F).
      pose proof (settled_release (after cur m) later) as S1.
      destruct (release (after cur m) later) as [cur' later'].
      specialize (IH He cur' later' T' Ts' eq_refl S1 A B). lia.
Qed.

(** * Schedules of the segments, one after the other *)
Lemma alone_segment cur ms cur' : run sigma cur ms cur' -> done cur' -> forall later mss2 bs2,
  brun sigma [release (repeat [] (length cur)) later] mss2 bs2 ->
  exists mss, brun sigma [release cur later] mss bs2 /\
              blocks_makespan mss = makespan ms + blocks_makespan mss2.
Proof.
  induction 1 as [cur|cur m ms cur' Hm Hr IH]; intros Hd later mss2 bs2 H2.
  - rewrite <- done_repeat in H2 by assumption. exists mss2. auto.
  - destruct (all_done cur) eqn:D.
    + rewrite (run_done cur (m :: ms) cur') by (auto; now constructor).
      apply all_done_spec in D. rewrite <- done_repeat in H2 by assumption. exists mss2. auto.
    + destruct Hm as [Ha Hc]. pose proof (able_length _ _ Ha) as Hl.
      destruct (IH Hd later mss2 bs2) as (mss & Hb & Hk); [now rewrite after_length|].
      exists ([m] :: mss).
      assert (release cur later = (cur, later)) as ->
        by (destruct later; cbn [release]; [|rewrite D]; reflexivity).
      split.
      * constructor.
        -- repeat constructor. assumption.
        -- cbn [flat flat_map fst concat]. rewrite !app_nil_r. now split.
        -- exact Hb.
      * assert (existsb (fun b => b) m = true) as Hi by (eapply some_issue; [split; eassumption|assumption]).
        unfold blocks_makespan in *. cbn [map concat]. rewrite app_nil_r, !makespan_cons, Hk by assumption.
        reflexivity.
Qed.

Lemma alone_reached n : forall later cur T Ts, length cur = n -> Forall (fun row => length row = n) later ->
  reached sigma cur T -> Forall2 (reached sigma) later Ts ->
  exists mss bs', brun sigma [release cur later] mss bs' /\ ended bs' /\ blocks_makespan mss = T + sum Ts.
Proof.
  induction later as [|row later IH]; intros cur T Ts Hn Hf (ms & st' & Hr & Hd & <-) Ht;
    inversion Ht as [|? T2 ? Ts2 H2 Ht2]; subst.
  - destruct (alone_segment cur ms st' Hr Hd [] [] [(repeat [] (length cur), [])]) as (mss & Hb & Hk);
      [constructor|]. exists mss, [(repeat [] (length cur), [])]. split; [assumption|]. split.
    + repeat constructor. cbn [fst]. apply all_done_spec, all_done_repeat.
    + rewrite Hk. reflexivity.
  - inversion Hf as [|? ? Hrow Hf']; subst.
    destruct (IH row T2 Ts2 Hrow Hf' H2 Ht2) as (mss2 & bs2 & Hb2 & He2 & Hk2).
    destruct (alone_segment cur ms st' Hr Hd (row :: later) mss2 bs2) as (mss & Hb & Hk).
    { cbn [release]. rewrite all_done_repeat. exact Hb2. }
    exists mss, bs2. split; [assumption|]. split; [assumption|]. cbn [sum]. lia.
Qed.

(** The segments add up, in the worst case and in the best. *)
Theorem one_block cur later T Ts : Forall (fun row => length row = length cur) later ->
  worst_case sigma cur T -> Forall2 (worst_case sigma) later Ts ->
  blocks_worst sigma [open (cur, later)] (T + sum Ts).
Proof.
  intros Hn [Hu Ht] Hw.
  assert (Forall2 (safe sigma) later Ts /\ Forall2 (reached sigma) later Ts) as [HU HT]
    by (clear Hn; split; induction Hw as [|row T' rows Ts' [H1 H2] Hw IH]; constructor; auto).
  split.
  - intros mss bs' Hb. destruct (safe_release later cur T Ts Hu HU) as (T' & Ts' & A & B & F).
    unfold open in Hb. cbn [fst snd] in Hb. pose proof (settled_release cur later) as S1.
    destruct (release cur later) as [c l].
    pose proof (alone_upper _ _ _ Hb c l T' Ts' eq_refl S1 A B). lia.
  - exact (alone_reached (length cur) later cur T Ts eq_refl Hn Ht HT).
Qed.

Theorem one_block_best cur later T Ts : Forall (fun row => length row = length cur) later ->
  best_case sigma cur T -> Forall2 (best_case sigma) later Ts ->
  blocks_best sigma [open (cur, later)] (T + sum Ts).
Proof.
  intros Hn [Ht Hu] Hw.
  assert (Forall2 least later Ts /\ Forall2 (reached sigma) later Ts) as [HU HT]
    by (clear Hn; split; induction Hw as [|row T' rows Ts' [H2 H1] Hw IH]; constructor; auto).
  split.
  - exact (alone_reached (length cur) later cur T Ts eq_refl Hn Ht HT).
  - intros mss bs' Hb He. destruct (least_release later cur T Ts Hu HU) as (T' & Ts' & A & B & F).
    unfold open in Hb. cbn [fst snd] in Hb. pose proof (settled_release cur later) as S1.
    destruct (release cur later) as [c l].
    pose proof (alone_least _ _ _ Hb He c l T' Ts' eq_refl S1 A B). lia.
Qed.

(** Bounds of the segments add up, too. *)
Theorem one_block_safe cur later T Ts mss bs' : safe sigma cur T -> Forall2 (safe sigma) later Ts ->
  brun sigma [open (cur, later)] mss bs' -> blocks_makespan mss <= T + sum Ts.
Proof.
  intros Hu HU Hb. destruct (safe_release later cur T Ts Hu HU) as (T' & Ts' & A & B & F).
  unfold open in Hb. cbn [fst snd] in Hb. pose proof (settled_release cur later) as S1.
  destruct (release cur later) as [c l].
  pose proof (alone_upper _ _ _ Hb c l T' Ts' eq_refl S1 A B). lia.
Qed.
End Alone.

(** One kernel with barriers on W >= 3 warps, sigma_L = sigma_C = 1: T = I + (W-1) a, with a the sum over the
    segments. *)
Theorem one_block_sigma_one s later W : 3 <= W ->
  blocks_worst one [open (repeat s W, map (fun t => repeat t W) later)]
    (length (s ++ concat later) + (W - 1) * (a s + sum (map a later))).
Proof.
  intros HW.
  replace (length (s ++ concat later) + (W - 1) * (a s + sum (map a later)))
    with (length s + (W - 1) * a s + sum (map (fun t => length t + (W - 1) * a t) later)).
  - apply one_block.
    + unfold one. auto.
    + apply Forall_forall. intros row H. apply in_map_iff in H. destruct H as (t & <- & _).
      now rewrite !repeat_length.
    + now apply exact.
    + induction later as [|t later IH]; constructor; [now apply exact|exact IH].
  - rewrite app_length. enough (sum (map (fun t => length t + (W - 1) * a t) later) =
      length (concat later) + (W - 1) * sum (map a later)) as -> by lia.
    induction later as [|t later IH]; [cbn; lia|]. cbn [map sum concat]. rewrite IH, app_length. lia.
Qed.

(** One warp: the number of its letters; two warps: the sum of the longest paths over pairs of positions. *)
Theorem one_block_two_warps s later :
  blocks_worst one [open (repeat s 2, map (fun t => repeat t 2) later)]
    (path s s + sum (map (fun t => path t t) later)).
Proof.
  apply one_block.
  - unfold one. auto.
  - apply Forall_forall. intros row H. apply in_map_iff in H. destruct H as (t & <- & _). reflexivity.
  - apply exact_two.
  - induction later as [|t later IH]; constructor; [apply exact_two|exact IH].
Qed.

Theorem one_block_one_warp s later :
  blocks_worst one [open ([s], map (fun t => [t]) later)] (length (s ++ concat later)).
Proof.
  replace (length (s ++ concat later)) with (length s + sum (map (@length letter) later)).
  - apply one_block.
    + unfold one. auto.
    + apply Forall_forall. intros row H. apply in_map_iff in H. destruct H as (t & <- & _). reflexivity.
    + apply exact_one.
    + induction later as [|t later IH]; constructor; [apply exact_one|exact IH].
  - rewrite app_length. f_equal. induction later as [|t later IH]; [reflexivity|].
    cbn [map sum concat]. now rewrite app_length, IH.
Qed.
