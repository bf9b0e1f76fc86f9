(** A grid on several multiprocessors with one queue (docs/relay.md, section 6): equal blocks wait, and each starts on any
    multiprocessor that has a free slot. *)
From Coq Require Import List Arith Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics.
From Warpspan.Barriers Require Import BlockRuns.

(** A slot holds a block (of BlockRuns.v, so a block may have barriers). It is free if that block has no letters left; a slot
    that has not held a block yet holds [vacant]. *)
Definition vacant : block := ([], []).
Definition occupied (b : block) : bool := negb (all_done (fst b)).

(** How many slots take a block. *)
Definition starts (os : list bool) : nat := length (filter (fun o => o) os).

Section QueueRuns.
Variable sigma : letter -> nat.
(** Each block at its start. *)
Variable new : block.

(** Slots, and the same after blocks have started in those that are told to take one. *)
Definition fill (slots : list block) (os : list bool) : list block :=
  map (fun bo : block * bool => if snd bo then new else fst bo) (combine slots os).

(** A cycle of one multiprocessor tells which slots take a block, and then for each slot which warps issue. Only free slots
    take blocks, and the issues are those of Semantics.v. After them the barriers open. *)
Notation turn := (list bool * list cycle)%type.
Definition allowed (slots : list block) (om : turn) : Prop :=
  Forall2 (fun b o => o = true -> occupied b = false) slots (fst om) /\
  fits (fill slots (fst om)) (snd om) /\ legal sigma (flat (fill slots (fst om))) (concat (snd om)).
Definition filled (slots : list block) (om : turn) : list block := fill slots (fst om).
Definition turned (slots : list block) (om : turn) : list block := bafter (filled slots om) (snd om).

(** Something for each multiprocessor. *)
Definition each {X} (f : list block -> turn -> X) (mps : list (list block)) (oms : list turn) : list X :=
  map (fun p => f (fst p) (snd p)) (combine mps oms).

(** [qrun mps waiting mss mps' waiting']: [mps] are the slots of each multiprocessor, [waiting] blocks wait. In each cycle
    some of those start, on any multiprocessors; while one still waits no slot is free. *)
Inductive qrun : list (list block) -> nat -> list (list turn) -> list (list block) -> nat -> Prop :=
| qrun_nil mps n : qrun mps n [] mps n
| qrun_cons mps n oms left mss mps' n' :
    Forall2 allowed mps oms ->
    n = list_sum (map (fun om => starts (fst om)) oms) + left ->
    (left <> 0 -> Forall (Forall (fun b => occupied b = true)) (each filled mps oms)) ->
    qrun (each turned mps oms) left mss mps' n' -> qrun mps n (oms :: mss) mps' n'.
End QueueRuns.

(** At first all slots are free. *)
Definition idle_slots (M R : nat) : list (list block) := repeat (repeat vacant R) M.

(** The last cycle in which a warp issues on any multiprocessor. *)
Definition queue_span (mss : list (list (list bool * list cycle))) : nat :=
  makespan (map (fun oms => concat (map (fun om => concat (snd om)) oms)) mss).
