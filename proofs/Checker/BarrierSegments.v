(** One block, segment by segment (docs/programs.md, section 2): what is proved of each segment by itself, by whatever means,
    adds up to what holds of the block. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Barriers Require Import BlockRuns BlockFacts OneBlock.
From Warpspan.Checker Require Import Instance BarrierInstance.
Local Open Scope Z_scope.

(** The instance is one group in one block. *)
Definition one_block_check (sL sC : nat) (per : N) (segs : list string) (n : N) : bool :=
  well_formed_barriers sL sC [(segs, n)] && match sizes per n with [_] => true | _ => false end.

Lemma one_block_facts sL sC per segs n : one_block_check sL sC per segs n = true ->
  (forall U, 0 < units sL sC U)%nat /\ exists s later, segs = s :: later /\
  Forall (fun row => length row = length (repeat s (N.to_nat n))) (map (fun t => repeat t (N.to_nat n)) later) /\
  blocks_of per [(segs, n)] = [open (repeat s (N.to_nat n), map (fun t => repeat t (N.to_nat n)) later)].
Proof.
  unfold one_block_check. rewrite andb_true_iff. intros [Hwf Hs].
  destruct (sizes per n) as [|m [|? ?]] eqn:E; try discriminate.
  pose proof (sizes_sum per n) as Hm. rewrite E in Hm. cbn in Hm. assert (m = n) as -> by lia.
  destruct (well_formed_facts _ _ _ Hwf) as (HL & HC & _ & Hg).
  destruct (Hg _ (or_introl eq_refl)) as (G1 & G2 & G3). cbn [fst snd] in *.
  split; [intros []; assumption|]. destruct segs as [|s later]; [congruence|]. exists s, later.
  destruct (block_sound (s :: later) n G1 G2 G3) as (W & S & _). split; [reflexivity|]. split; [exact W|].
  unfold blocks_of. cbn [flat_map fst snd]. rewrite E. cbn [map app block_of]. f_equal.
  unfold open, settled in *. cbn [block_of fst snd] in *.
  destruct (all_done (repeat s (N.to_nat n))) eqn:D.
  - rewrite (S eq_refl). reflexivity.
  - destruct (map _ later); cbn [release]; [|rewrite D]; reflexivity.
Qed.

Lemma bounded_safe sL sC s n B : bounded sL sC [(s, n)] B ->
  safe (units sL sC) (repeat s (N.to_nat n)) (Z.to_nat B) /\ 0 <= B.
Proof.
  unfold bounded, expand. cbn [flat_map fst snd]. rewrite app_nil_r. intros H. split.
  - intros ms st' Hr. specialize (H ms st' Hr). lia.
  - exact (H [] _ (run_nil _ _)).
Qed.

(** The segments' bounds add up to a bound of the block. *)
Theorem barrier_segments_bounded sL sC per segs n Bs : one_block_check sL sC per segs n = true ->
  Forall2 (fun s B => bounded sL sC [(s, n)] B) segs Bs -> barrier_bounded sL sC per [(segs, n)] (sumZ Bs).
Proof.
  intros H1 HB mss bs' Hr. destruct (one_block_facts _ _ _ _ _ H1) as (Hp & s & later & -> & Hl & E).
  rewrite E in Hr. inversion HB as [|? B ? Bs' HB1 HB2]; subst. destruct (bounded_safe _ _ _ _ _ HB1) as [S1 P1].
  assert (Forall2 (safe (units sL sC)) (map (fun t => repeat t (N.to_nat n)) later) (map Z.to_nat Bs') /\
          Z.of_nat (sum (map Z.to_nat Bs')) = sumZ Bs') as [S2 P2].
  { clear - HB2. induction HB2 as [|t B later Bs H HB [IH1 IH2]]; [split; [constructor|reflexivity]|].
    destruct (bounded_safe _ _ _ _ _ H) as [S P]. cbn [map sum sumZ]. split; [now constructor|]. lia. }
  pose proof (one_block_safe _ Hp _ _ _ _ _ _ S1 S2 Hr) as H. cbn [sumZ]. lia.
Qed.

(** Schedules of the segments make one of the block. *)
Theorem barrier_segments_reached sL sC per segs n Ts : one_block_check sL sC per segs n = true ->
  Forall2 (fun s T => reaches sL sC [(s, n)] T) segs Ts -> barrier_reaches sL sC per [(segs, n)] (sumZ Ts).
Proof.
  intros H1 HT. destruct (one_block_facts _ _ _ _ _ H1) as (Hp & s & later & -> & Hl & E).
  unfold barrier_reaches. rewrite E.
  assert (forall t T, reaches sL sC [(t, n)] T ->
    exists k, reached (units sL sC) (repeat t (N.to_nat n)) k /\ Z.of_nat k = T) as HR.
  { intros t T (ms & st' & Hr & Hd & Hm). unfold expand in Hr. cbn [flat_map fst snd] in Hr. rewrite app_nil_r in Hr.
    exists (makespan ms). split; [exists ms, st'; auto|assumption]. }
  inversion HT as [|? T ? Ts' HT1 HT2]; subst. destruct (HR _ _ HT1) as (k & R1 & <-).
  assert (exists ks, Forall2 (reached (units sL sC)) (map (fun t => repeat t (N.to_nat n)) later) ks /\
                     Z.of_nat (sum ks) = sumZ Ts') as (ks & R2 & P2).
  { clear - HT2 HR. induction HT2 as [|t T later Ts H HT (ks & IH1 & IH2)]; [exists []; split; [constructor|reflexivity]|].
    destruct (HR _ _ H) as (k & R & <-). exists (k :: ks). cbn [map sum sumZ]. split; [now constructor|]. lia. }
  destruct (alone_reached _ Hp _ _ _ _ _ eq_refl Hl R1 R2) as (mss & bs' & Hr & He & Hk).
  exists mss, bs'. unfold open. cbn [fst snd sumZ]. split; [exact Hr|]. split; [assumption|]. lia.
Qed.
