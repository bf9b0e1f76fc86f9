(** One block alone: its worst case is the sum of the worst cases of its segments (docs/programs.md, Theorem 3). *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front Progress.
From Warpspan.Exact Require Import Blocks Schedule.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.

Lemma first_issues_none st m : able st m -> existsb (fun b => b) m = false -> after st m = st.
Proof.
  induction 1 as [|s st b m Hb H IH]; [reflexivity|]. cbn. destruct b; [discriminate|]. intros E. now rewrite IH.
Qed.

Lemma all_done_iff st : all_done st = true <-> done st.
Proof.
  unfold all_done, done. rewrite forallb_forall, Forall_forall. split; intros H s Hs; specialize (H s Hs);
    destruct s; congruence.
Qed.

Section OneBlock.
Variable sigma : letter -> nat.
Hypothesis sigma_pos : forall U, 0 < sigma U.

(** Something issues in every cycle before the end. *)
Lemma some_issue st m : legal sigma st m -> all_done st = false -> existsb (fun b => b) m = true.
Proof.
  intros [Ha Hc] Hd. destruct (existsb (fun b => b) m) eqn:E; [reflexivity|]. exfalso.
  destruct (done_or_wanting st) as [H|[U Hw]]; [apply all_done_iff in H; congruence|].
  assert (issued U st m = 0 /\ waiting U st m = wanting U st) as [E1 E2].
  { clear - Ha E. revert E. induction Ha as [|s st b m Hb H IH]; [auto|]. cbn. destruct b; [discriminate|].
    intros E. destruct (IH E) as [-> ->]. destruct (wants U s); auto. }
  destruct (Hc U) as [_ H]. specialize (sigma_pos U). rewrite E2, E1 in H. specialize (H Hw). lia.
Qed.

Lemma makespan_cons m ms : makespan (m :: ms) =
  if 0 <? makespan ms then S (makespan ms) else if existsb (fun b => b) m then 1 else 0.
Proof. reflexivity. Qed.

(** After a cycle with an issue at least one cycle less is left. *)
Lemma safe_after st m T : safe sigma st T -> legal sigma st m -> existsb (fun b => b) m = true ->
  1 <= T /\ safe sigma (after st m) (T - 1).
Proof.
  intros Hs Hm Hi. assert (1 <= T) as H1.
  { specialize (Hs [m] (after st m) ltac:(constructor; [assumption|constructor])).
    rewrite makespan_cons, Hi in Hs. exact Hs. }
  split; [assumption|]. intros ms st' Hr. specialize (Hs (m :: ms) st' ltac:(constructor; assumption)).
  rewrite makespan_cons in Hs. destruct (Nat.ltb_spec 0 (makespan ms)); lia.
Qed.

(** * Upper half *)

Lemma release_safe later Ts : Forall2 (safe sigma) later Ts -> forall cur T, safe sigma cur T ->
  exists T' Ts', safe sigma (fst (release cur later)) T' /\ Forall2 (safe sigma) (snd (release cur later)) Ts' /\
    T' + sum Ts' <= T + sum Ts.
Proof.
  induction 1 as [|row T0 later Ts H0 H IH]; intros cur T HT; cbn [release].
  - exists T, []. cbn [fst snd]. split; [assumption|]. split; [constructor|]. lia.
  - destruct (all_done cur).
    + destruct (IH row T0 H0) as (T' & Ts' & A1 & A2 & A3). exists T', Ts'. split; [assumption|]. split; [assumption|]. cbn [sum]. lia.
    + exists T, (T0 :: Ts). cbn [fst snd]. split; [assumption|]. split; [constructor; assumption|]. lia.
Qed.

Lemma one_block_run mss : forall cur later bs' T Ts, brun sigma [(cur, later)] mss bs' ->
  settled (cur, later) -> Forall (fun row => length row = length cur) later ->
  safe sigma cur T -> Forall2 (safe sigma) later Ts -> first_finish mss <= T + sum Ts.
Proof.
  induction mss as [|ms mss IH]; intros cur later bs' T Ts Hr Hset Hwf HT HTs; [cbn; lia|].
  inversion Hr as [|? ? ? ? Hfits Hlegal Hrun]; subst.
  inversion Hfits as [|? m ? ms' Hl Hf]; subst. inversion Hf; subst. cbn [fst] in Hl.
  assert (legal sigma cur m) as Hm.
  { cbn [flat flat_map concat fst] in Hlegal. now rewrite !app_nil_r in Hlegal. }
  cbn [bafter fst snd] in Hrun.
  assert (Forall (fun row => length row = length (after cur m)) later) as Hwf1
    by (rewrite after_length by assumption; exact Hwf).
  destruct (release_wf _ _ Hwf1) as (Hwf2 & Hl2 & Hset2). unfold wf in Hwf2.
  cbn [first_finish]. destruct (all_done cur) eqn:Hd.
  - (* it has finished *)
    specialize (Hset Hd). cbn in Hset. subst later. destruct (idle cur m (proj1 Hm) Hd) as [E1 E2].
    rewrite E1. rewrite E2 in *. cbn [release] in Hrun. inversion HTs; subst.
    specialize (IH cur [] bs' 0 [] Hrun (fun _ => eq_refl) ltac:(constructor)).
    assert (safe sigma cur 0) as H0.
    { clear - Hd. intros ms st' H. induction H as [st|st m ms st' Hm H IH]; [auto|].
      destruct (idle st m (proj1 Hm) Hd) as [E1 E2]. rewrite E2 in *. specialize (IH Hd).
      rewrite makespan_cons, E1. destruct (Nat.ltb_spec 0 (makespan ms)); lia. }
    specialize (IH H0 ltac:(constructor)). cbn [sum] in IH. destruct (Nat.ltb_spec 0 (first_finish mss)); lia.
  - pose proof (some_issue cur m Hm Hd) as Hi. destruct (safe_after cur m T HT Hm Hi) as [H1 HT'].
    destruct (release_safe later Ts HTs (after cur m) (T - 1) HT') as (T2 & Ts2 & A1 & A2 & A3).
    destruct (release (after cur m) later) as [cur2 later2] eqn:Er. cbn [fst snd] in *.
    specialize (IH cur2 later2 bs' T2 Ts2 Hrun Hset2 Hwf2 A1 A2).
    destruct (Nat.ltb_spec 0 (first_finish mss)); [lia|]. rewrite Hi. lia.
Qed.

(** * Lower half *)

(** A complete schedule without cycles after its end. *)
Lemma trim st ms st' : run sigma st ms st' -> done st' ->
  exists ms2, run sigma st ms2 st' /\ length ms2 = makespan ms /\ makespan ms2 = makespan ms.
Proof.
  induction 1 as [st|st m ms st' Hm H IH]; intros Hd; [exists []; repeat split; constructor|].
  destruct (IH Hd) as (ms2 & Hr & Hl & Hk). rewrite makespan_cons.
  destruct (Nat.ltb_spec 0 (makespan ms)) as [Hp|Hp].
  - exists (m :: ms2). split; [constructor; assumption|]. rewrite makespan_cons, Hk. cbn [length].
    destruct (Nat.ltb_spec 0 (makespan ms)); lia.
  - destruct ms2; [|cbn in Hl; lia]. inversion Hr; subst.
    destruct (existsb (fun b => b) m) eqn:E.
    + exists [m]. split; [constructor; [assumption|constructor]|]. rewrite makespan_cons, E. split; reflexivity.
    + rewrite (first_issues_none st m (proj1 Hm) E) in *. exists []. repeat split; constructor.
Qed.

(** The cycles of a segment, as cycles of the block. *)
Lemma segment_run ms : forall cur later st' mss bs', run sigma cur ms st' -> done st' ->
  length ms = makespan ms -> (cur = st' -> later = []) ->
  brun sigma [release st' later] mss bs' ->
  ms <> [] ->
  brun sigma [(cur, later)] (map (fun m => [m]) ms ++ mss) bs' /\
  first_finish (map (fun m => [m]) ms ++ mss) = length ms + first_finish mss.
Proof.
  induction ms as [|m ms IH]; intros cur later st' mss bs' Hr Hd Hl Hc Hb Hne; [congruence|].
  inversion Hr as [|? ? ? ? Hm Hr']; subst. cbn [map app].
  assert (fits [(cur, later)] [m]) as Hf
    by (constructor; [cbn; now apply able_length, Hm|constructor]).
  assert (legal sigma (flat [(cur, later)]) (concat [m])) as Hleg
    by (cbn [flat flat_map concat fst]; now rewrite !app_nil_r).
  destruct ms as [|m2 ms].
  - inversion Hr'; subst. cbn [map app]. split.
    + constructor; [assumption|assumption|]. cbn [bafter fst snd]. exact Hb.
    + cbn [first_finish length]. rewrite makespan_cons in Hl. cbn in Hl.
      destruct (existsb (fun b => b) m); [|discriminate]. destruct (Nat.ltb_spec 0 (first_finish mss)); lia.
  - assert (length (m2 :: ms) = makespan (m2 :: ms)) as Hl2.
    { rewrite (makespan_cons m) in Hl. cbn [length] in Hl |- *.
      destruct (Nat.ltb_spec 0 (makespan (m2 :: ms))); [lia|]. destruct (existsb (fun b => b) m); lia. }
    assert (all_done (after cur m) = false) as Hnd.
    { destruct (all_done (after cur m)) eqn:E; [|reflexivity]. exfalso.
      assert (forall st ms st', run sigma st ms st' -> all_done st = true -> makespan ms = 0) as H0.
      { clear. induction 1 as [st|st m ms st' Hm H IH]; intros Hd; [reflexivity|].
        destruct (idle st m (proj1 Hm) Hd) as [E1 E2]. rewrite E2 in *. rewrite makespan_cons, E1, IH; auto. }
      rewrite (H0 _ _ _ Hr' E) in Hl2. cbn in Hl2. lia. }
    assert (release (after cur m) later = (after cur m, later)) as Er
      by (destruct later; cbn [release]; [reflexivity|now rewrite Hnd]).
    destruct (IH (after cur m) later st' mss bs' Hr' Hd Hl2) as [B1 B2]; auto; [|discriminate|].
    { intros E. rewrite E in Hnd. apply all_done_iff in Hd. congruence. }
    split.
    + constructor; [assumption|assumption|]. cbn [bafter fst snd]. rewrite Er. exact B1.
    + cbn [first_finish]. rewrite B2. cbn [length].
      destruct (Nat.ltb_spec 0 (S (length ms) + first_finish mss)); lia.
Qed.

Lemma block_reached later Ts : Forall2 (reached sigma) later Ts -> forall cur T, reached sigma cur T ->
  exists mss cur', brun sigma [release cur later] mss [(cur', [])] /\ done cur' /\ first_finish mss = T + sum Ts.
Proof.
  induction 1 as [|row T0 later Ts H0 H IH]; intros cur T (ms & st' & Hr & Hd & Hm);
    destruct (trim _ _ _ Hr Hd) as (ms2 & Hr2 & Hl2 & Hk2).
  - cbn [release sum]. destruct ms2 as [|m ms2].
    + inversion Hr2; subst. exists [], st'. split; [constructor|]. split; [assumption|]. cbn in Hl2. cbn. lia.
    + destruct (segment_run (m :: ms2) cur [] st' [] [(st', [])] Hr2 Hd ltac:(lia) ltac:(auto) ltac:(constructor) ltac:(discriminate))
        as [B1 B2]. eexists _, st'. split; [exact B1|]. split; [assumption|]. rewrite B2. cbn [first_finish]. lia.
  - destruct (IH row T0 H0) as (mss & cur' & B & D & F). destruct ms2 as [|m ms2].
    + inversion Hr2; subst. apply all_done_iff in Hd. cbn [release sum]. rewrite Hd. cbn in Hl2.
      exists mss, cur'. split; [assumption|]. split; [assumption|]. lia.
    + assert (all_done cur = false) as Hn.
      { destruct (all_done cur) eqn:E; [|reflexivity]. exfalso.
        assert (forall st ms st', run sigma st ms st' -> all_done st = true -> makespan ms = 0) as Hz.
        { clear. induction 1 as [st|st m ms st' Hm H IH]; intros Hd; [reflexivity|].
          destruct (idle st m (proj1 Hm) Hd) as [E1 E2]. rewrite E2 in *. rewrite makespan_cons, E1, IH; auto. }
        rewrite (Hz _ _ _ Hr2 E) in Hk2. cbn in Hl2. lia. }
      assert (release cur (row :: later) = (cur, row :: later)) as Er by (cbn [release]; now rewrite Hn).
      assert (release st' (row :: later) = release row later) as Es
        by (cbn [release]; apply all_done_iff in Hd; now rewrite Hd).
      destruct (segment_run (m :: ms2) cur (row :: later) st' mss [(cur', [])] Hr2 Hd ltac:(lia)) as [B1 B2].
      * intros E. subst st'. apply all_done_iff in Hd. congruence.
      * rewrite Es. exact B.
      * discriminate.
      * rewrite Er. eexists _, cur'. split; [exact B1|]. split; [assumption|]. rewrite B2. cbn [sum]. lia.
Qed.

(** T is the worst case of the block: no schedule takes longer, and a complete one takes T. *)
Definition block_worst_case (b : block) (T : nat) : Prop :=
  (forall mss bs', brun sigma [b] mss bs' -> first_finish mss <= T) /\
  (exists mss cur', brun sigma [b] mss [(cur', [])] /\ done cur' /\ first_finish mss = T).

(** Theorem 3: the worst case of a block alone is the sum of the worst cases of its segments, at any sigma. *)
Theorem one_block cur later T Ts : Forall (fun row => length row = length cur) later ->
  worst_case sigma cur T -> Forall2 (worst_case sigma) later Ts ->
  block_worst_case (release cur later) (T + sum Ts).
Proof.
  intros Hwf [HT HT2] HTs.
  assert (Forall2 (safe sigma) later Ts /\ Forall2 (reached sigma) later Ts) as [HS HR].
  { clear - HTs. induction HTs as [|row t later Ts [H1 H2] H [I1 I2]]; split; constructor; auto. }
  split.
  - intros mss bs' Hr. destruct (release_safe later Ts HS cur T HT) as (T' & Ts' & A1 & A2 & A3).
    destruct (release_wf _ _ Hwf) as (W1 & W2 & W3). destruct (release cur later) as [cur2 later2].
    cbn [fst snd] in *. unfold wf in W1. cbn [fst snd] in W1.
    pose proof (one_block_run mss cur2 later2 bs' T' Ts' Hr W3 W1 A1 A2). lia.
  - now apply block_reached.
Qed.
End OneBlock.

(** At sigma 1, a block of W >= 3 warps that run one string, cut into segments: the worst case is the sum over the segments
    of |s| + (W-1) a(s). *)
Theorem one_block_sigma_one s segments W : 3 <= W ->
  block_worst_case one (release (repeat s W) (map (fun t => repeat t W) segments))
    (sum (map (fun t => length t + (W - 1) * a t) (s :: segments))).
Proof.
  intros HW. cbn [map sum]. apply one_block.
  - intros U. unfold one. lia.
  - apply Forall_forall. intros row Hr. apply in_map_iff in Hr. destruct Hr as (t & <- & _). now rewrite !repeat_length.
  - now apply exact.
  - induction segments as [|t segments IH]; cbn [map]; constructor; [now apply exact|assumption].
Qed.
