(** Blocks of warps with barriers (docs/programs.md, section 1): each warp's string is cut into segments, and no warp of a
    block begins a segment before all warps of the block have issued the one before. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Earnings.

(** A block: what is left of each warp's segment at hand, and the rows of later segments, one row for each barrier to come
    with a segment for each warp. A warp that exits early has empty segments from then on. *)
Notation block := (list string * list (list string))%type.

Definition all_done (st : state) : bool := forallb (fun s => match s with [] => true | _ => false end) st.

(** The barrier opens at the end of the cycle in which the last warp of the block arrives. A row of empty segments is
    passed at once. *)
Fixpoint release (cur : state) (later : list state) : block :=
  match later with
  | [] => (cur, [])
  | row :: later' => if all_done cur then release row later' else (cur, later)
  end.

Definition open (b : block) : block := release (fst b) (snd b).

(** All warps of all blocks, with what is left of their segment at hand. *)
Definition flat (bs : list block) : state := flat_map fst bs.

(** One truth value for each warp of each block: what is left after the cycle. *)
Fixpoint bafter (bs : list block) (ms : list cycle) : list block :=
  match bs, ms with
  | b :: bs, m :: ms => release (after (fst b) m) (snd b) :: bafter bs ms
  | _, _ => []
  end.

(** The cycle speaks of every warp. *)
Definition fits (bs : list block) (ms : list cycle) : Prop :=
  Forall2 (fun b m => length m = length (fst b)) bs ms.

(** Every row of later segments has one for each warp of the block. *)
Definition wf (b : block) : Prop := Forall (fun row => length row = length (fst b)) (snd b).

(** No barrier is closed that should be open. *)
Definition settled (b : block) : Prop := all_done (fst b) = true -> snd b = [].

Section BlockRuns.
Variable sigma : letter -> nat.

(** A cycle is legal as in Semantics.v. A warp that stands at a closed barrier has issued its segment, so it wants
    nothing. *)
Inductive brun : list block -> list (list cycle) -> list block -> Prop :=
| brun_nil bs : brun bs [] bs
| brun_cons bs ms mss bs' : fits bs ms -> legal sigma (flat bs) (concat ms) ->
    brun (bafter bs ms) mss bs' -> brun bs (ms :: mss) bs'.

(** The last cycle in which a warp of block p issues. *)
Fixpoint block_finish (p : nat) (mss : list (list cycle)) : nat :=
  match mss with
  | [] => 0%nat
  | ms :: mss => let t := block_finish p mss in
    if (0 <? t)%nat then S t else if existsb (fun b => b) (nth p ms []) then 1%nat else 0%nat
  end.

End BlockRuns.

(** The last cycle in which a warp of the first block issues. *)
Fixpoint first_finish (mss : list (list cycle)) : nat :=
  match mss with
  | [] => 0%nat
  | ms :: mss => let t := first_finish mss in
    if (0 <? t)%nat then S t
    else match ms with m :: _ => if existsb (fun b => b) m then 1%nat else 0%nat | [] => 0%nat end
  end.

