(** The search for blocks with barriers. It goes through every state that a schedule can reach, without a bound. *)
From Coq Require Import List Arith ZArith NArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Progress.
From Warpspan.Checker Require Import Instance.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Search Require Import Tree Sweep Cycles BlockCycles BlockCounts.
Local Open Scope nat_scope.

(** What follows from one state: nothing, if all warps have finished by T. The counts in the tree are those before barriers
    open. *)
Definition expand_blocks (sL sC : nat) (bs : list (list (list group))) (ps : list string) (T : Z)
    (v : N) (rev_cs : list nat) (_ : unit) (ms : list tree) : list tree :=
  let cs := settle_all bs (rev_append rev_cs []) in
  let rL := bready L cs ps in let rC := bready C cs ps in
  let iL := min rL sL in let iC := min rC sC in
  if ((rL + rC =? 0) && (Z.of_N v <=? T + 1)%Z)%nat then ms
  else change (pred (iL + iC)) (bwalk cs ps O iL (rL - iL) iC (rC - iC) (N.succ v)) ms.

Definition block_search (sL sC : nat) (blocks : list (list segments)) (T : Z) : bool :=
  let bs := map rows_of blocks in
  let ps := flat_map block_places bs in
  let cs := flat_map (fun rows => settle rows true (zeros (block_places rows))) bs in
  let letters := fold_right (fun b n => fold_right (fun g n => length (concat (fst g)) * N.to_nat (snd g) + n) n b) 0 blocks in
  forallb (existsb (fun g : segments => negb (N.eqb (snd g) 0) && negb (length (fst g) =? 0))) blocks &&
  levels (fun _ _ => tt) (expand_blocks sL sC bs ps T) ps tt (2 + letters) [single 1 cs].

(** * The search *)
Section Sound.
Variables (sL sC : nat).
Let sigma := units sL sC.
Variable bss : list (list (list group)).
Let ps := flat_map block_places bss.
Variable T : Z.

Definition released : list block -> list block := map (fun b => release (fst b) (snd b)).

(** If cycle v is the next one, every schedule ends by T. The counts are those before barriers open. *)
Definition in_time (cs : list nat) (v : N) : Prop := forall bs mss bs', counted bss bs cs -> Forall wf bs ->
  brun sigma (released bs) mss bs' -> (Z.of_nat (makespan (map (@concat bool) mss)) + Z.of_N v <= T + 1)%Z.

Lemma in_time_earlier cs v v' : (v <= v')%N -> in_time cs v' -> in_time cs v.
Proof. intros H Hs bs mss bs' H1 H2 H3. specialize (Hs bs mss bs' H1 H2 H3). lia. Qed.

Lemma released_facts bs cs : counted bss bs cs -> Forall wf bs ->
  Forall wf (released bs) /\ Forall settled (released bs) /\ counted bss (released bs) (settle_all bss cs).
Proof.
  intros Hc Hw.
  assert (Forall (fun b => fst b <> []) bs) as Hne by (clear -Hc; induction Hc; constructor; auto).
  assert (forall b, wf b -> wf (release (fst b) (snd b)) /\ settled (release (fst b) (snd b)) /\
            length (fst (release (fst b) (snd b))) = length (fst b)) as Hr.
  { intros [cur later] H. destruct (release_wf cur later H) as (H1 & H2 & H3). auto. }
  destruct (settle_all_spec _ _ _ Hc) as (bs' & -> & Hs). unfold released.
  split; [|split].
  - clear -Hw Hr. induction Hw; cbn [map]; constructor; auto. now apply Hr.
  - clear -Hw Hr. induction Hw; cbn [map]; constructor; auto. now apply Hr.
  - apply Hs. clear -Hw Hr Hne. induction Hw as [|b bs Hb Hw IH]; constructor; inversion Hne; subst; auto.
    destruct (Hr b Hb) as (_ & _ & Hl). destruct (fst b); [congruence|].
    destruct (fst (release _ _)); [discriminate|congruence].
Qed.

Lemma shut_wf bs ms : fits bs ms -> Forall wf bs -> Forall wf (shut bs ms).
Proof.
  induction 1 as [|[cur later] m bs ms H Hf IH]; intros Hw; [constructor|]. inversion Hw; subst.
  cbn [shut combine map fst snd]. constructor; [|now apply IH]. unfold wf in *. cbn [fst snd] in *.
  now rewrite after_length.
Qed.

Lemma expand_good v rev_cs ms :
  let cs := rev_append rev_cs [] in
  length cs = length ps ->
  good ps in_time (expand_blocks sL sC bss ps T v rev_cs (gather (fun _ _ => tt) (warps_at cs ps) tt) ms) ->
  good ps in_time ms /\ in_time cs v.
Proof.
  intros cs Hlen. unfold expand_blocks. fold cs. cbv zeta. set (c := settle_all bss cs).
  assert (forall bs, counted bss bs cs -> Forall wf bs -> forall U, bready U c ps = wanting U (flat (released bs))) as Hready.
  { intros bs Hc Hw U. destruct (released_facts bs cs Hc Hw) as (_ & _ & Hc').
    destruct (counted_warps _ _ _ Hc') as (_ & Hp). rewrite (wanting_perm U _ _ Hp). symmetry. apply bready_wanting. }
  destruct (_ && _) eqn:Hb.
  - intros Hg. split; [assumption|]. intros bs mss bs' Hc Hw Hr. apply andb_true_iff in Hb. destruct Hb as [Hb1 Hb2].
    apply Nat.eqb_eq in Hb1. apply Z.leb_le in Hb2. rewrite !(Hready bs Hc Hw) in Hb1.
    destruct (released_facts bs cs Hc Hw) as (_ & Hs & _).
    rewrite (all_idle sigma _ _ _ Hr Hs (all_done_flat _ (nothing_wanted _ Hb1))). lia.
  - match goal with |- good _ _ (change ?i ?f ms) -> _ => set (n := i); set (g := f) end.
    intros Hg.
    assert (forall m, within m (g m)) as Hin by (intros m; apply bwalk_within).
    split; [revert Hg; apply (good_within ps in_time in_time_earlier); now apply change_within|].
    assert (forall bs, counted bss bs cs -> Forall wf bs -> forall m, fits (released bs) m ->
      legal sigma (flat (released bs)) (concat m) -> forall mss bs', brun sigma (bafter (released bs) m) mss bs' ->
      (Z.of_nat (makespan (map (@concat bool) mss)) + Z.of_N (N.succ v) <= T + 1)%Z) as Hnext.
    { intros bs Hc Hw m Hf [_ Hm] mss bs' Hr. destruct (released_facts bs cs Hc Hw) as (Hw' & _ & Hc').
      assert (forall U, issued U (flat (released bs)) (concat m) + waiting U (flat (released bs)) (concat m) = bready U c ps) as HU.
      { intros U. rewrite (Hready bs Hc Hw). apply issued_waiting. now apply fits_length. }
      pose proof (Hm L) as ML. pose proof (Hm C) as MC. pose proof (HU L) as UL. pose proof (HU C) as UC.
      change (sigma L) with sL in ML. change (sigma C) with sC in MC. fold c in Hc'.
      destruct (all_cycle bss _ _ Hc' m (min (bready L c ps) sL) (bready L c ps - min (bready L c ps) sL)
        (min (bready C c ps) sC) (bready C c ps - min (bready C c ps) sC) Hf
        ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as (cs' & Hc2 & Hs).
      pose proof (change_find g (N.succ v) cs' ltac:(intros; now apply bwalk_find) n ms) as Hfind.
      specialize (Hg n cs' (proj1 (counted_warps _ _ _ Hc2)) ltac:(lia)).
      apply (in_time_earlier _ _ _ Hfind Hg (shut (released bs) m) mss bs'); auto.
      - now apply shut_wf.
      - unfold released at 1. rewrite <- bafter_shut. exact Hr. }
    intros bs mss bs' Hc Hw Hr. specialize (Hnext bs Hc Hw). remember (released bs) as rbs eqn:E.
    destruct Hr as [rbs|rbs m mss bs' Hf Hm Hr].
    + destruct (split_cycle rbs (greedy (sigma L) (sigma C) (flat rbs))) as (m & Hf & Hm).
      { apply able_length, greedy_able. }
      pose proof (Hnext m Hf ltac:(rewrite Hm; apply greedy_legal) [] _ (brun_nil _ _)) as H.
      change (makespan (map (@concat bool) [])) with 0 in *. lia.
    + specialize (Hnext m Hf Hm mss bs' Hr). unfold makespan in *. cbn [map last_cycle].
      destruct (Nat.ltb_spec 0 (last_cycle (existsb (fun b => b)) (map (@concat bool) mss))); [lia|].
      destruct (existsb _ (concat m)); lia.
Qed.
End Sound.

(** * The start *)

(** No schedule of the blocks takes more than T cycles. *)
Definition blocks_bounded (sL sC : nat) (blocks : list (list segments)) (T : Z) : Prop :=
  forall mss bs', brun (units sL sC) (map (fun b => block_start (rows_of b)) blocks) mss bs' ->
    (Z.of_nat (makespan (map (@concat bool) mss)) <= T)%Z.

Definition warps_of (b : list segments) : nat := fold_right (fun g n => N.to_nat (snd g) + n) 0 b.

Lemma rows_length b r : In r (rows_of b) -> length (expand r) = warps_of b.
Proof.
  unfold rows_of. intros H. apply in_map_iff in H. destruct H as (k & <- & _).
  induction b as [|g b IH]; [reflexivity|]. cbn [map expand flat_map fst snd warps_of fold_right].
  fold (expand (map (fun g => (nth k (fst g) [], snd g)) b)). fold (warps_of b).
  rewrite app_length, repeat_length, IH. reflexivity.
Qed.

Lemma start_counted b : existsb (fun g : segments => negb (N.eqb (snd g) 0) && negb (length (fst g) =? 0)) b = true ->
  let rows := rows_of b in
  at_row rows (block_start rows) (settle rows true (zeros (block_places rows))) /\
  fst (block_start rows) <> [] /\ wf (block_start rows) /\ settled (block_start rows).
Proof.
  intros H rows. apply existsb_exists in H. destruct H as (g & Hin & Hg). apply andb_true_iff in Hg.
  rewrite !negb_true_iff, N.eqb_neq, Nat.eqb_neq in Hg. destruct Hg as [Hn Hl].
  assert (0 < warps_of b) as Hpos.
  { clear Hl rows. induction b as [|h b IH]; [easy|]. cbn [warps_of fold_right]. destruct Hin as [->|Hin]; [lia|].
    specialize (IH Hin). unfold warps_of in IH. lia. }
  assert (rows <> []) as Hrows.
  { subst rows. unfold rows_of. intros E. apply map_eq_nil in E.
    assert (forall l : list segments, In g l -> length (fst g) <= fold_right (fun g n => max (length (fst g)) n) 0 l) as Hm.
    { induction l as [|h l IH]; [easy|]. cbn [fold_right]. intros [->|Hi]; [lia|]. specialize (IH Hi). lia. }
    specialize (Hm b Hin). destruct (fold_right _ 0 b); [lia|discriminate]. }
  assert (forall r, In r rows -> length (expand r) = warps_of b) as Hlen by (apply rows_length).
  clearbody rows. destruct rows as [|r rows]; [congruence|]. cbn [block_start].
  pose proof (Hlen r (or_introl eq_refl)) as Hr.
  destruct (release_wf (expand r) (map expand rows)) as (W1 & W2 & W3).
  { apply Forall_forall. intros row Hrow. apply in_map_iff in Hrow. destruct Hrow as (q & <- & Hq).
    rewrite Hr. apply Hlen. now right. }
  split; [apply settle_enter|]. split; [|auto]. intros E. rewrite E in W2. cbn [length] in W2. lia.
Qed.

(** If the search ends with no state left, no schedule of the blocks takes more than T cycles. *)
Theorem block_search_sound sL sC blocks T : block_search sL sC blocks T = true -> blocks_bounded sL sC blocks T.
Proof.
  unfold block_search. cbv zeta. rewrite andb_true_iff. intros [Hne H] mss bs' Hr.
  apply (levels_good _ _ _ _ _ (expand_good sL sC (map rows_of blocks) T)) in H.
  set (cs := flat_map (fun rows => settle rows true (zeros (block_places rows))) (map rows_of blocks)) in H.
  set (starts := map (fun b => block_start (rows_of b)) blocks) in Hr.
  assert (counted (map rows_of blocks) starts cs /\ Forall wf starts /\ Forall settled starts) as (Hc & Hw & Hs).
  { subst cs starts. clear -Hne. induction blocks as [|b blocks IH]; [repeat constructor|].
    cbn [forallb] in Hne. apply andb_true_iff in Hne. destruct Hne as [Hb Hne]. destruct (IH Hne) as (I1 & I2 & I3).
    destruct (start_counted b Hb) as (S1 & S2 & S3 & S4). cbn [map flat_map]. repeat split; constructor; auto. }
  assert (released starts = starts) as E.
  { unfold released. clear -Hs. induction Hs; cbn [map]; [reflexivity|]. rewrite release_settled by assumption. congruence. }
  pose proof (single_find 1 cs) as Hf.
  specialize (H 0 cs (proj1 (counted_warps _ _ _ Hc))). cbn [nth] in H. specialize (H ltac:(lia) starts mss bs' Hc Hw).
  rewrite E in H. specialize (H Hr). lia.
Qed.
