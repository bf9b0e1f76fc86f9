(** Blocks that share a multiprocessor (docs/relay.md), each told by its place in one list, whether it has started or waits.
    GridRuns.v tells the same by slots; here a block keeps its name, so that one can speak of a set of blocks, and blocks may
    start by any rule: equal slots, blocks of several sizes, releases over time. *)
From Coq Require Import List Arith Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics.
From Warpspan.Barriers Require Import BlockRuns.

(** A block (of BlockRuns.v, so it may have barriers) and whether it has started. One that has started and has letters left
    is present. *)
Notation placed := (bool * block)%type.
Definition present (x : placed) : bool := fst x && negb (all_done (fst (snd x))).

(** The warps of a block that takes part; of one that waits there are none. *)
Definition warps (x : placed) : state := if fst x then fst (snd x) else [].
Definition company (bs : list placed) : state := flat_map warps bs.

(** Blocks start: the cycle tells for each block whether it does. *)
Fixpoint begin (bs : list placed) (os : list bool) : list placed :=
  match bs, os with
  | (started, b) :: bs, o :: os => (started || o, b) :: begin bs os
  | _, _ => bs
  end.

(** The issues of a cycle, and then the barriers open. *)
Definition issue (x : placed) (m : cycle) : placed := if fst x then (true, (after (fst (snd x)) m, snd (snd x))) else x.
Definition opened (x : placed) : placed := if fst x then (true, open (snd x)) else x.
Definition issues (bs : list placed) (ms : list cycle) : list placed :=
  map (fun xm => issue (fst xm) (snd xm)) (combine bs ms).

(** The cycle speaks of every warp that takes part. *)
Definition speaks (bs : list placed) (ms : list cycle) : Prop :=
  Forall2 (fun x m => length m = length (warps x)) bs ms.

Section CompanyRuns.
Variable sigma : letter -> nat.

(** [crun rule bs mss bs']: the cycles [mss] lead from [bs] to [bs']. In each, some blocks start, then all warps that take
    part issue as in Semantics.v, then barriers open. [rule] holds of the blocks in each cycle after the starts; it says when
    blocks may start, and when they have to. *)
Inductive crun (rule : list placed -> Prop) : list placed -> list (list bool * list cycle) -> list placed -> Prop :=
| crun_nil bs : crun rule bs [] bs
| crun_cons bs os ms mss bs' :
    rule (begin bs os) -> speaks (begin bs os) ms -> legal sigma (company (begin bs os)) (concat ms) ->
    crun rule (map opened (issues (begin bs os) ms)) mss bs' ->
    crun rule bs ((os, ms) :: mss) bs'.

(** In each cycle of the run, after the starts, [p] holds of the blocks. *)
Fixpoint throughout (p : list placed -> Prop) (bs : list placed) (mss : list (list bool * list cycle)) : Prop :=
  match mss with
  | [] => True
  | (os, ms) :: mss => p (begin bs os) /\ throughout p (map opened (issues (begin bs os) ms)) mss
  end.
End CompanyRuns.

(** One of the blocks that F tells, by their place in the list, is present. *)
Definition nobody : placed := (false, ([], [])).
Definition covered (F : nat -> bool) (bs : list placed) : Prop :=
  exists k, F k = true /\ present (nth k bs nobody) = true.
