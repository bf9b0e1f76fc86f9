(** Blocks that follow one another (docs/relay.md): a multiprocessor has slots for so many blocks at once; the others wait
    and start, in any order, where a block has ended. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
Local Open Scope Z_scope.

(** Slots hold the resident blocks (of BlockRuns.v, so a block may have barriers), others wait outside. After a
    cycle the barriers open, and blocks that wait may start in slots whose block has finished. *)

(** After the issues of a cycle, before barriers open. *)
Definition closed (slots : list block) (ms : list cycle) : list block :=
  map (fun bm => (after (fst (fst bm)) (snd bm), snd (fst bm))) (combine slots ms).

(** [start slots bs]: slot j takes the block [Some b], or nothing. *)
Definition take (b : block) (o : option block) : block := match o with Some b' => b' | None => b end.
Definition start (slots : list block) (os : list (option block)) : list block :=
  map (fun bo => take (fst bo) (snd bo)) (combine slots os).
Definition listed (o : option block) : list block := match o with Some b => [b] | None => [] end.

(** After the cycle: barriers have opened and blocks have started. *)
Definition next (slots : list block) (ms : list cycle) (os : list (option block)) : list block :=
  start (map open (closed slots ms)) os.

Lemma Forall2_same {X Y} (Q : X -> Y -> Prop) l l' : Forall2 Q l l' -> length l = length l'.
Proof. induction 1; cbn; congruence. Qed.

(** A block with letters left; and a block may start only where none is. *)
Definition busy (b : block) : Prop := all_done (fst b) = false.
Definition may_start (b : block) (o : option block) : Prop := o <> None -> all_done (fst b) = true.

Section Relay.
Variable sigma : letter -> nat.

(** A schedule tells, for each cycle, who issues and which blocks start after it.
    [prompt]: no slot stays free while a block waits. If it is False blocks start at any time. *)
Notation steps := (list (list cycle * list (option block))).

(** One cycle: it is legal for all resident warps, and the blocks that start are some of those that wait, in any order. *)
Definition step (slots pending : list block) (ms : list cycle) (os : list (option block)) (pending' : list block) : Prop :=
  fits slots ms /\ legal sigma (flat slots) (concat ms) /\
  Forall2 may_start (map open (closed slots ms)) os /\
  Permutation pending (flat_map listed os ++ pending').

Inductive rrun (prompt : Prop) : list block -> list block -> steps -> Prop :=
| rrun_nil slots pending : rrun prompt slots pending []
| rrun_cons slots pending ms os pending' mss :
    step slots pending ms os pending' ->
    (prompt -> pending' <> [] -> Forall busy (next slots ms os)) ->
    rrun prompt (next slots ms os) pending' mss ->
    rrun prompt slots pending ((ms, os) :: mss).

(** The last cycle in which anything issues. *)
Definition span (mss : steps) : nat := makespan (map (fun mo => concat (fst mo)) mss).

(** The last cycle in which the block that is in slot p now issues. *)
Fixpoint life (p : nat) (mss : steps) : nat :=
  match mss with
  | [] => 0%nat
  | (ms, os) :: mss =>
    let t := match nth p os None with Some _ => 0%nat | None => life p mss end in
    if (0 <? t)%nat then S t else if existsb (fun b => b) (nth p ms []) then 1%nat else 0%nat
  end.
End Relay.
