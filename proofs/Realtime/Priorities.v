(** Streams with priorities (docs/response-times.md): what the rules say of them, and what a bound says of runs that keep them. *)
From Coq Require Import List ZArith Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches.
Local Open Scope Z_scope.

Section Runs.
Variables (s : system) (n : nat) (launches : nat -> launch) (until : Z).
(** How urgent each kernel is: more is more urgent. *)
Variable priority : nat -> Z.
Notation urgency i := (priority (of (launches i))).

(** A launch enters its queue when it has been copied in, and leaves it when its last block starts. What happens at one time happens
    in an order that a run does not tell: a launch is in the queue for certain only after it entered and before its last block starts. *)
Record by_priority : Prop := {
  (** A2: while a more urgent launch is in its queue, no block starts. *)
  urgent_first : forall i j b b', (i < n)%nat -> (j < n)%nat -> urgency j < urgency i ->
    In b (grid (launches i)) -> In b' (grid (launches j)) -> start b' < until ->
    in_end (launches i) < start b' -> start b <= start b';
  (** A queue is first come, first served. *)
  in_turn : forall i j b b', (i < n)%nat -> (j < n)%nat -> urgency i = urgency j -> in_end (launches i) < in_end (launches j) ->
    In b (grid (launches i)) -> In b' (grid (launches j)) -> start b' < until -> start b <= start b';
  (** Blocks wait only while one that is no less urgent, the head of the most urgent queue, finds no room on any multiprocessor. *)
  urgent_head : forall i b t, (i < n)%nat -> t < until -> waits launches i b t ->
    exists j b', (j < n)%nat /\ waits launches j b' t /\ urgency i <= urgency j /\
      forall m, Z.of_nat m < multiprocessors s -> ~ fits s n launches (kernel_of s (launches j)) m t }.
End Runs.

(** As [response], in every run that keeps the priorities. *)
Definition response_by_priority (s : system) (priority : nat -> Z) (k : nat) (bound : Z) : Prop :=
  forall d until n launches, 0 < d -> run s n launches d until -> by_priority s n launches until priority ->
  forall i, (i < n)%nat -> of (launches i) = k ->
    let due := arrival (launches i) + d * bound in
    due < until -> out_end (launches i) <= due.

(** Where blocks start in the order in which their launches are ready, all kernels are as urgent as each other. *)
Theorem one_priority s priority k bound : first_come s = true ->
  (forall i j, (i < length (kernels s))%nat -> (j < length (kernels s))%nat -> priority i = priority j) ->
  response_by_priority s priority k bound -> response s k bound.
Proof.
  intros Hf Hp H d until n launches Hd Hr. apply (H d until n launches Hd Hr).
  assert (forall i, (i < n)%nat -> (of (launches i) < length (kernels s))%nat) as Hof by (intros i Hi; apply (run_proper _ _ _ _ _ Hr i Hi)).
  constructor.
  - intros i j b b' Hi Hj Hlt. exfalso. rewrite (Hp (of (launches i)) (of (launches j))) in Hlt by now apply Hof. now apply Z.lt_irrefl in Hlt.
  - intros i j b b' Hi Hj _. now apply (run_order _ _ _ _ _ Hr Hf).
  - intros i b t Hi Ht Hw. destruct (run_head _ _ _ _ _ Hr i b t Hi Ht Hw) as (j & b' & Hj & Hw' & Hm).
    exists j, b'. split; [assumption|]. split; [assumption|]. split; [|assumption]. rewrite (Hp (of (launches i)) (of (launches j))) by now apply Hof.
    apply Z.le_refl.
Qed.
