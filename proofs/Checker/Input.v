(** The input as the user gave it: sigmas of any size, or fractions. A certificate is about this input; the theorems here
    reduce it to the instances that the checkers take. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Bounds Require Import Bottleneck.
From Warpspan.Checker Require Import Instance Upper Replay ExactCheck.
From Warpspan.Search Require Import Search.
Local Open Scope N_scope.

(** A sigma p/q: each instruction is expanded to q letters, of which the unit takes p in a cycle (Be12, section 3). *)
Record sigma : Set := Sigma { letters_a_cycle : N; letters_an_instruction : N }.

(** The kernels are as the user wrote them, before the expansion. *)
Record input : Set := Input { sigma_L : sigma; sigma_C : sigma; given : list group }.

Definition sigma_of (i : input) (U : letter) : sigma := match U with L => sigma_L i | C => sigma_C i end.

(** The kernels after the expansion. *)
Definition stretch (i : input) (s : string) : string :=
  flat_map (fun U => repeat U (N.to_nat (letters_an_instruction (sigma_of i U)))) s.

Definition groups (i : input) : list group := map (fun g => (stretch i (fst g), snd g)) (given i).

Definition start (i : input) : state := expand (groups i).

Definition takes (i : input) (U : letter) : nat := N.to_nat (letters_a_cycle (sigma_of i U)).

(** * What a certificate says *)

(** No schedule takes more than T cycles. *)
Definition at_most (i : input) (T : N) : Prop :=
  forall ms st', run (takes i) (start i) ms st' -> N.of_nat (makespan ms) <= T.

(** A complete schedule takes exactly T cycles. *)
Definition at_least (i : input) (T : N) : Prop :=
  exists ms st', run (takes i) (start i) ms st' /\ done st' /\ N.of_nat (makespan ms) = T.

(** The worst case is T cycles. *)
Definition worst (i : input) (T : N) : Prop := at_most i T /\ at_least i T.

(** Every complete schedule takes at least T cycles, so the best case does, too. *)
Definition no_less (i : input) (T : N) : Prop :=
  forall ms st', run (takes i) (start i) ms st' -> done st' -> T <= N.of_nat (makespan ms).

(** * A unit that takes more letters than there are warps allows the same schedules as one that takes as many *)

Lemma issued_waiting U st m : (issued U st m + waiting U st m <= length st)%nat.
Proof.
  revert m; induction st as [|s st IH]; intros [|b m]; cbn; try lia. specialize (IH m).
  destruct b, (wants U s); cbn; lia.
Qed.

Lemma run_cap (f g : letter -> nat) W st ms st' : (forall U, min (f U) W = min (g U) W) -> length st = W ->
  run f st ms st' -> run g st ms st'.
Proof.
  intros Hs Hl Hr. induction Hr as [st|st m ms st' [Ha Hc] Hr IH]; [constructor|]. constructor.
  - split; [assumption|]. intros U. destruct (Hc U) as [H1 H2]. specialize (Hs U).
    pose proof (issued_waiting U st m). split; [lia|]. intros Hw. specialize (H2 Hw). lia.
  - apply IH. rewrite after_length; [assumption|]. now apply able_length.
Qed.

(** What a unit takes in a cycle, but no more than there are warps. *)
Definition capped (i : input) (U : letter) : nat :=
  N.to_nat (N.min (letters_a_cycle (sigma_of i U)) (Z.to_N (warps (groups i)))).

Lemma capped_same i U :
  min (takes i U) (length (start i)) = min (units (capped i L) (capped i C) U) (length (start i)).
Proof.
  unfold units, capped, takes, start. rewrite warps_expand, <- nat_N_Z, N2Z.id.
  destruct U; rewrite N2Nat.inj_min, Nat2N.id; lia.
Qed.

Lemma run_capped i ms st' :
  run (takes i) (start i) ms st' <-> run (units (capped i L) (capped i C)) (start i) ms st'.
Proof.
  split; apply run_cap with (length (start i)); try reflexivity; intros U; [|symmetry]; apply capped_same.
Qed.

Lemma at_most_capped i T : bounded (capped i L) (capped i C) (groups i) (Z.of_N T) -> at_most i T.
Proof. intros H ms st' Hr. apply run_capped in Hr. specialize (H ms st' Hr). lia. Qed.

Lemma at_least_capped i T : reaches (capped i L) (capped i C) (groups i) (Z.of_N T) -> at_least i T.
Proof.
  intros (ms & st' & Hr & Hd & Hm). exists ms, st'. rewrite run_capped. repeat split; try assumption. lia.
Qed.

(** * What proves it, by computation *)

(** The critical path, and the phase bound at prices theta = n/d, of which those in range are used. *)
Definition by_phases (i : input) (thetas : list (Z * Z)) (T : N) : bool :=
  upper_check (capped i L) (capped i C) (groups i) thetas (Z.of_N T).

Theorem phases_sound i thetas T : by_phases i thetas T = true -> at_most i T.
Proof. intros H. apply at_most_capped. exact (upper_sound _ _ _ _ _ H). Qed.

(** A search through all states that the phase bound at these prices does not rule out: from none of them a schedule takes
    more than T cycles in all. *)
Definition by_search (i : input) (thetas : list (Z * Z)) (T : N) : bool :=
  search_check (capped i L) (capped i C) (groups i) thetas (Z.of_N T).

Theorem searched_sound i thetas T : by_search i thetas T = true -> at_most i T.
Proof. intros H. apply at_most_capped. exact (search_sound _ _ _ _ _ H). Qed.

(** A schedule: for each cycle the warps that issue, in increasing order, numbered from 0 group by group. *)
Definition by_schedule (i : input) (schedule : list (list N)) (T : N) : bool :=
  lower_check (capped i L) (capped i C) (groups i) schedule (Z.of_N T).

Theorem schedule_sound i schedule T : by_schedule i schedule T = true -> at_least i T.
Proof. intros H. apply at_least_capped. exact (lower_sound _ _ _ _ _ H). Qed.

(** The closed form of one kernel at sigma 1, and the longest path of two warps at sigma 1. *)
Definition by_theorem (i : input) (T : N) : bool :=
  (capped i L =? 1)%nat && (capped i C =? 1)%nat && exact_check (groups i) (Z.of_N T).

Theorem theorem_sound i T : by_theorem i T = true -> worst i T.
Proof.
  unfold by_theorem. rewrite !andb_true_iff, !Nat.eqb_eq. intros [[HL HC] H].
  apply exact_sound in H. destruct H as [Hu Hl].
  split; [apply at_most_capped|apply at_least_capped]; rewrite HL, HC; assumption.
Qed.

(** The fullest unit: it cannot issue all letters for it in T - 1 cycles. *)
Definition by_bottleneck (i : input) (T : N) : bool :=
  existsb (fun U => letters_a_cycle (sigma_of i U) * (T - 1) <? Z.to_N (ztotal U (groups i))) [L; C].

Theorem bottleneck_sound i T : by_bottleneck i T = true -> no_less i T.
Proof.
  unfold by_bottleneck. rewrite existsb_exists. intros (U & _ & H) ms st' Hr Hd. apply N.ltb_lt in H.
  pose proof (bottleneck _ U _ _ _ Hr Hd) as Hb. unfold start, takes in Hb.
  rewrite (ztotal_spec U (groups i)) in H. nia.
Qed.
