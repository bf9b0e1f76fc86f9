(** What the wait of a launch for room adds up in a busy window, where streams have priorities (docs/response-times.md). *)
From Coq Require Import List ZArith Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Terms.
Local Open Scope Z_scope.

(** The area under a falling curve: from each place to the next one, as high as it is at the first of them. *)
Fixpoint area (f : Z -> Z) (from : Z) (places : list Z) : Z :=
  match places with
  | [] => 0
  | c :: rest => let next := Z.max from c in (next - from) * f from + area f next rest
  end.

(** A list from its least to its greatest. *)
Fixpoint insert (c : Z) (l : list Z) : list Z :=
  match l with
  | [] => [c]
  | c' :: rest => if c <=? c' then c :: l else c' :: insert c rest
  end.
Definition sorted (l : list Z) : list Z := fold_right insert [] l.

Section Terms.
Variable s : system.
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).

(** * From the release to the queue *)

(** How long after its release the last block of a launch starts at most, and how long after it the launch enters its queue: it waits
    only for the launch before it, where its kernel is alone in its stream and copies nothing before its blocks. *)
Variable bound : nat -> Z.
Definition placed (j : nat) : Z := bound j - time (kernel_at j) - copy_out (kernel_at j).
Definition by_itself (j : nat) : bool :=
  forallb (fun i => (i =? j)%nat || negb (in_stream s j i)) (seq 0 K) && (copy_in (kernel_at j) =? 0).
Definition enter (j : nat) : Z :=
  if by_itself j then
    match period (kernel_at j) with
    | Some T => Z.min (placed j) (Z.max 0 (bound j + jitter (kernel_at j) - T))
    | None => 0
    end
  else placed j.

(** * The window *)

(** The priorities of the kernels; weights that are full, that is [one], while a block of a kernel that is no less urgent than k
    finds no room. *)
Variables (priority weight : nat -> Z) (one : Z) (k : nat).
Definition level (j : nat) : bool := priority k <=? priority j.
Definition urgent (j : nat) : bool := priority k <? priority j.

(** The most launches of kernel j that enter the queue in a window so long, its ends included. *)
Definition entering (j : nat) (v : Z) : Z :=
  match period (kernel_at j) with
  | Some T => (v + jitter (kernel_at j) + enter j) / T + 1
  | None => 1
  end.

(** What is worked on of launches that enter in the window: up to v, or before our launch, which enters x after its start. *)
Definition work (j : nat) : Z := blocks (kernel_at j) * weight j * time (kernel_at j).
Definition entered (x v : Z) : Z :=
  sum (fun j => if_so (level j) (entering j (if urgent j then v else x) * work j)) (seq 0 K).

(** What is left at most of the blocks that are on the multiprocessors at the start of the window, c after it: of each stream one
    launch, and no multiprocessor counts more than once. Where weights never add up to more than 1, and are multiples of a [gap], the
    window starts when launches as urgent as ours do not take everything, so that a gap is left beside them. *)
Variable gap : Z.
Notation capacity := (one * multiprocessors s).
Definition at_once (p : nat -> bool) (c : Z) (st : nat) : Z :=
  fold_right Z.max 0 (map (fun j => if_so (p j && (stream (kernel_at j) =? st)%nat && (c <? time (kernel_at j)))
    (weight j * blocks (kernel_at j))) (seq 0 K)).
Definition left_of (p : nat -> bool) (c : Z) : Z := sum (at_once p c) (seq 0 K).
Definition still_there (c : Z) : Z :=
  Z.min capacity (Z.min (left_of (fun _ => true) c)
    (if 0 <? gap then left_of (fun j => negb (level j)) c + Z.min (capacity - gap) (left_of level c) else capacity)).
Definition residents : Z := area still_there 0 (sorted (map time (kernels s))).

(** All of it; and without the last block of our launch. *)
Definition whole_load (v : Z) : Z := residents + entered v v.
Definition load_before (x v : Z) : Z := residents + entered x v - weight k * time (kernel_at k).

(** No launch of k waits longer for room. The window ends after [stop] at the latest, and for each time x of our entry there is a time
    v at which less is left to do than the multiprocessors can have done. *)
Definition waits_at_most (delay : Z) : Prop :=
  0 <= delay /\ exists stop, 0 <= stop /\ whole_load stop <= capacity * stop /\
    forall x, 0 <= x <= stop -> exists v, 0 <= v <= x + delay /\ load_before x v <= capacity * v.
End Terms.
