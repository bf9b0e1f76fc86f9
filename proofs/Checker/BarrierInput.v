(** The input as the user gave it, with barriers: as Checker/Input.v, but each kernel is a list of segments, and warps are in
    blocks that share their barriers. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Barriers Require Import BlockRuns BlockFacts OneBlock.
From Warpspan.Checker Require Import Instance Input BarrierInstance BarrierUpper BarrierReplay BarrierExact.
Local Open Scope N_scope.

(** [warps_per_block] is the number of warps in a block, of which the last of a group may have fewer; with 0 each group is
    one block. *)
Record barrier_input : Set := BarrierInput
  { sigmas_L : sigma; sigmas_C : sigma; warps_per_block : N; given_segments : list barrier_group }.

Definition barrier_sigma (i : barrier_input) (U : letter) : sigma := match U with L => sigmas_L i | C => sigmas_C i end.

Definition barrier_stretch (i : barrier_input) (s : string) : string :=
  flat_map (fun U => repeat U (N.to_nat (letters_an_instruction (barrier_sigma i U)))) s.

Definition barrier_groups (i : barrier_input) : list barrier_group :=
  map (fun g => (map (barrier_stretch i) (fst g), snd g)) (given_segments i).

Definition barrier_start (i : barrier_input) : list block := blocks_of (warps_per_block i) (barrier_groups i).

Definition barrier_takes (i : barrier_input) (U : letter) : nat := N.to_nat (letters_a_cycle (barrier_sigma i U)).

(** * What a certificate says *)

(** No schedule takes more than T cycles. *)
Definition barrier_at_most (i : barrier_input) (T : N) : Prop :=
  forall mss bs', brun (barrier_takes i) (barrier_start i) mss bs' -> N.of_nat (blocks_makespan mss) <= T.

(** A complete schedule takes exactly T cycles. *)
Definition barrier_at_least (i : barrier_input) (T : N) : Prop :=
  exists mss bs', brun (barrier_takes i) (barrier_start i) mss bs' /\ ended bs' /\ N.of_nat (blocks_makespan mss) = T.

Definition barrier_worst (i : barrier_input) (T : N) : Prop := barrier_at_most i T /\ barrier_at_least i T.

(** * Units that take more letters than there are warps *)

Lemma brun_cap (f g : letter -> nat) W bs mss bs' : (forall U, min (f U) W = min (g U) W) -> length (flat bs) = W ->
  Forall wf bs -> brun f bs mss bs' -> brun g bs mss bs'.
Proof.
  intros Hs HW Hw H. induction H as [bs|bs ms mss bs' Hf [Ha Hc] Hr IH]; [constructor|].
  destruct (bafter_wf _ _ Hf Hw) as [Hw' Hn']. constructor; [assumption| |apply IH; [lia|assumption]].
  split; [assumption|]. intros U. destruct (Hc U) as [H1 H2]. specialize (Hs U).
  pose proof (Input.issued_waiting U (flat bs) (concat ms)). split; [lia|]. intros H3. specialize (H2 H3). lia.
Qed.

Definition barrier_capped (i : barrier_input) (U : letter) : nat :=
  N.to_nat (N.min (letters_a_cycle (barrier_sigma i U)) (Z.to_N (warps_of (barrier_groups i)))).

(** What the checks ask of every input; at least one warp and one letter in each segment. *)
Definition sound_input (i : barrier_input) : bool :=
  well_formed_barriers (barrier_capped i L) (barrier_capped i C) (barrier_groups i).

Lemma brun_capped i mss bs' : sound_input i = true ->
  brun (barrier_takes i) (barrier_start i) mss bs' <->
  brun (units (barrier_capped i L) (barrier_capped i C)) (barrier_start i) mss bs'.
Proof.
  intros H. pose proof (blocks_sound _ _ (warps_per_block i) _ H) as (Hl & Hw & _ & _).
  fold (barrier_start i) in Hl, Hw.
  assert (forall U, min (barrier_takes i U) (length (flat (barrier_start i))) =
    min (units (barrier_capped i L) (barrier_capped i C) U) (length (flat (barrier_start i)))) as Hs.
  { intros U. unfold barrier_takes, barrier_capped, units. rewrite <- Hl, <- nat_N_Z, N2Z.id.
    destruct U; rewrite N2Nat.inj_min, Nat2N.id; lia. }
  split; apply brun_cap with (length (flat (barrier_start i))); auto.
Qed.

Lemma barrier_at_most_capped i T : sound_input i = true ->
  barrier_bounded (barrier_capped i L) (barrier_capped i C) (warps_per_block i) (barrier_groups i) (Z.of_N T) ->
  barrier_at_most i T.
Proof. intros Hi H mss bs' Hr. apply brun_capped in Hr; [|assumption]. specialize (H mss bs' Hr). lia. Qed.

Lemma barrier_at_least_capped i T : sound_input i = true ->
  barrier_reaches (barrier_capped i L) (barrier_capped i C) (warps_per_block i) (barrier_groups i) (Z.of_N T) ->
  barrier_at_least i T.
Proof.
  intros Hi (mss & bs' & Hr & He & Hm). exists mss, bs'. rewrite brun_capped by assumption. repeat split; auto. lia.
Qed.

(** * What proves it, by computation *)

(** The critical path and the phase bound with barriers. *)
Definition barriers_by_phases (i : barrier_input) (thetas : list (Z * Z)) (T : N) : bool :=
  sound_input i &&
  barrier_upper_check (barrier_capped i L) (barrier_capped i C) (warps_per_block i) (barrier_groups i) thetas (Z.of_N T).

Theorem barrier_phases_sound i thetas T : barriers_by_phases i thetas T = true -> barrier_at_most i T.
Proof.
  unfold barriers_by_phases. rewrite andb_true_iff. intros [Hi H].
  apply barrier_at_most_capped; [assumption|]. exact (barrier_upper_sound _ _ _ _ _ _ H).
Qed.

(** A schedule; warps are numbered from 0, group by group. *)
Definition barriers_by_schedule (i : barrier_input) (schedule : list (list N)) (T : N) : bool :=
  sound_input i &&
  barrier_lower_check (barrier_capped i L) (barrier_capped i C) (warps_per_block i) (barrier_groups i) schedule (Z.of_N T).

Theorem barrier_schedule_sound i schedule T : barriers_by_schedule i schedule T = true -> barrier_at_least i T.
Proof.
  unfold barriers_by_schedule. rewrite andb_true_iff. intros [Hi H].
  apply barrier_at_least_capped; [assumption|]. exact (barrier_lower_sound _ _ _ _ _ _ H).
Qed.

(** The sum over the segments of one block of one kernel, at sigma 1. *)
Definition barriers_by_theorem (i : barrier_input) (T : N) : bool :=
  (barrier_capped i L =? 1)%nat && (barrier_capped i C =? 1)%nat && sound_input i &&
  barrier_exact_check (warps_per_block i) (barrier_groups i) (Z.of_N T).

Theorem barrier_theorem_sound i T : barriers_by_theorem i T = true -> barrier_worst i T.
Proof.
  unfold barriers_by_theorem. rewrite !andb_true_iff, !Nat.eqb_eq. intros [[[HL HC] Hi] H].
  apply barrier_exact_sound in H. destruct H as [Hu Hl].
  split; [apply barrier_at_most_capped|apply barrier_at_least_capped]; rewrite ?HL, ?HC; assumption.
Qed.
