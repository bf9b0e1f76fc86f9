(** The model of docs/model.md: warps, units, work-conserving schedules and the makespan. Every theorem of this folder
    is about the definitions of this file, so this is the file to read with suspicion. *)
From Coq Require Import List Arith Bool.
Import ListNotations.

(** * Letters, strings, states *)

(** An instruction is for one of two units: load/store or compute. *)
Inductive letter := L | C.

Definition other (U : letter) : letter := match U with L => C | C => L end.

Definition eqb (U V : letter) : bool :=
  match U, V with L, L | C, C => true | _, _ => false end.

(** A kernel is a string of letters. A state holds, for each warp, the letters that it has still to issue. That is the
    warp's position told by what is left (Positions.v shows that positions say the same). *)
Notation string := (list letter).
Notation state := (list string).

(** A cycle tells for each warp whether it issues its next letter; so a warp issues at most one letter in a cycle, and
    its letters in order. A schedule is the list of its cycles, the first of which is cycle 1. *)
Notation cycle := (list bool).
Notation schedule := (list cycle).

(** The warp's next letter is for unit U. A warp that has finished wants nothing. *)
Definition wants (U : letter) (s : string) : bool :=
  match s with V :: _ => eqb U V | [] => false end.

(** How many warps issue on U in this cycle. *)
Fixpoint issued (U : letter) (st : state) (m : cycle) : nat :=
  match st, m with
  | s :: st, b :: m => (if b && wants U s then 1 else 0) + issued U st m
  | _, _ => 0
  end.

(** How many warps want U at the start of this cycle and do not issue in it. A letter that becomes the next one in this
    same cycle does not count: [st] is the state before the cycle. *)
Fixpoint waiting (U : letter) (st : state) (m : cycle) : nat :=
  match st, m with
  | s :: st, b :: m => (if negb b && wants U s then 1 else 0) + waiting U st m
  | _, _ => 0
  end.

(** What is left after the cycle. *)
Fixpoint after (st : state) (m : cycle) : state :=
  match st, m with
  | s :: st, b :: m => (if b then tl s else s) :: after st m
  | _, _ => []
  end.

(** The cycle speaks of every warp of the state and of no other, and a warp that issues has a letter to issue. *)
Inductive able : state -> cycle -> Prop :=
| able_nil : able [] []
| able_cons s st b m : (b = true -> s <> []) -> able st m -> able (s :: st) (b :: m).

(** * Schedules *)
Section Semantics.

(** [sigma U]: how many warps can issue on unit U in one cycle. *)
Variable sigma : letter -> nat.

(** One work-conserving cycle: at most [sigma U] warps issue on U, and if a warp whose next letter is for U does not
    issue, then exactly [sigma U] warps issue on U. Which ones issue is the adversary's choice. *)
Definition legal (st : state) (m : cycle) : Prop :=
  able st m /\
  forall U, issued U st m <= sigma U /\ (0 < waiting U st m -> issued U st m = sigma U).

(** [run st ms st']: the cycles [ms] are legal from [st] and lead to [st']. *)
Inductive run : state -> schedule -> state -> Prop :=
| run_nil st : run st [] st
| run_cons st m ms st' : legal st m -> run (after st m) ms st' -> run st (m :: ms) st'.

(** The last cycle with property p, counted from 1; 0 if there is none. *)
Fixpoint last_cycle (p : cycle -> bool) (ms : schedule) : nat :=
  match ms with
  | [] => 0
  | m :: ms => let t := last_cycle p ms in
               if 0 <? t then S t else if p m then 1 else 0
  end.

(** The last cycle in which warp w issues, and in which any warp issues. *)
Definition finish (w : nat) : schedule -> nat := last_cycle (fun m => nth w m false).
Definition makespan : schedule -> nat := last_cycle (existsb (fun b => b)).

(** All warps have finished. *)
Definition done (st : state) : Prop := Forall (fun s => s = []) st.

(** T is safe: no schedule from [st], complete or not, takes longer. *)
Definition safe (st : state) (T : nat) : Prop :=
  forall ms st', run st ms st' -> makespan ms <= T.

(** T is reached: a complete schedule takes exactly T cycles. *)
Definition reached (st : state) (T : nat) : Prop :=
  exists ms st', run st ms st' /\ done st' /\ makespan ms = T.

(** T is the worst case of [st]. *)
Definition worst_case (st : state) (T : nat) : Prop := safe st T /\ reached st T.

(** T is the best case of [st]: a complete schedule takes T cycles, and no complete one takes fewer. *)
Definition best_case (st : state) (T : nat) : Prop :=
  reached st T /\ forall ms st', run st ms st' -> done st' -> T <= makespan ms.

End Semantics.
