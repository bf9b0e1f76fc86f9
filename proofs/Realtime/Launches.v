(** Kernels that are launched again and again on a GPU (docs/response-times.md), where C of every kernel is given: what a system
    is, what a run of it is, and what a bound on response times says. *)
From Coq Require Import List ZArith Bool.
Import ListNotations.
Local Open Scope Z_scope.

(** * Systems *)

(** Times are in grains, the smallest unit of the system file. *)
Record kernel := Kernel {
  period : option Z;  (** arrivals are so far apart, or farther; [None]: it is launched once *)
  jitter : Z;         (** a launch is released up to so long after it arrives *)
  time : Z;           (** C: a block takes no longer, whatever runs beside it *)
  blocks : Z;
  needs : list Z;     (** what a block needs of each resource of a multiprocessor *)
  stream : nat;
  copy_in : Z;        (** how long the copies before and after the blocks take *)
  copy_out : Z }.

Record system := System {
  multiprocessors : Z;
  room : list Z;      (** how much a multiprocessor has of each resource *)
  first_come : bool;  (** blocks start in the order in which their launches are ready; else in any order *)
  kernels : list kernel }.

Definition need (r : nat) (k : kernel) : Z := nth r (needs k) 0.
Definition nothing : kernel := Kernel None 0 0 0 [] 0 0 0.

(** * Runs *)

(** A block is on a multiprocessor from its start to its end. *)
Record block := Block { start : Z; finish : Z; on : nat }.

Record launch := Launch {
  of : nat;           (** its kernel's place in the system *)
  arrival : Z;
  release : Z;
  in_start : Z;       (** the copy before the blocks begins and ends; at one time if there is none *)
  in_end : Z;
  grid : list block;
  out_start : Z;      (** the same of the copy after the blocks *)
  out_end : Z }.

Definition sum {A} (f : A -> Z) (l : list A) : Z := fold_right (fun x rest => f x + rest) 0 l.

Section Runs.
Variable s : system.
Definition kernel_of (l : launch) : kernel := nth (of l) (kernels s) nothing.

(** The launches of a run, numbered in the order in which they are released: 0 to n - 1. *)
Variables (n : nat) (launches : nat -> launch).
Notation all := (seq 0 n).

Definition same_stream (i j : nat) : Prop := stream (kernel_of (launches i)) = stream (kernel_of (launches j)).

(** At time t, which stands for all times from t to before t + 1. *)
Definition present (t : Z) (b : block) : bool := (start b <=? t) && (t <? finish b).

(** What is taken of resource r on multiprocessor m. *)
Definition used (r m : nat) (t : Z) : Z :=
  sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then need r (kernel_of (launches i)) else 0)
    (grid (launches i))) all.

Definition fits (k : kernel) (m : nat) (t : Z) : Prop :=
  forall r, (r < length (room s))%nat -> used r m t + need r k <= nth r (room s) 0.

(** A launch is ready for its first copy when it is released and all launches before it in its stream are complete. *)
Definition ready (i : nat) (t : Z) : Prop :=
  release (launches i) <= t /\ forall j, (j < i)%nat -> same_stream j i -> out_end (launches j) <= t.

(** The copy before the blocks of a launch is ready with the launch, that after them when they have ended. *)
Inductive side := before | after.
Definition copy_ready (i : nat) (o : side) (t : Z) : Prop :=
  match o with before => ready i t | after => Forall (fun b => finish b <= t) (grid (launches i)) end.
Definition copy_start (i : nat) (o : side) : Z :=
  match o with before => in_start (launches i) | after => out_start (launches i) end.
Definition copy_of (k : kernel) (o : side) : Z := match o with before => copy_in k | after => copy_out k end.

(** The copy engine copies for launch i. *)
Definition copies (i : nat) (t : Z) : Prop :=
  in_start (launches i) <= t < in_end (launches i) \/ out_start (launches i) <= t < out_end (launches i).

(** A block of launch i waits. *)
Definition waits (i : nat) (b : block) (t : Z) : Prop :=
  In b (grid (launches i)) /\ in_end (launches i) <= t < start b.

(** The times of a run may lie between the grains: they are counted in parts of a grain, d of which make one. *)
Variable d : Z.

(** A launch by itself. It is released at a whole grain. A block and a copy may also take less. *)
Definition proper (l : launch) : Prop :=
  let k := kernel_of l in
  (of l < length (kernels s))%nat /\
  arrival l <= release l <= arrival l + d * jitter k /\ (d | release l) /\
  release l <= in_start l /\ in_start l <= in_end l <= in_start l + d * copy_in k /\
  Z.of_nat (length (grid l)) = blocks k /\
  Forall (fun b => in_end l <= start b /\ start b <= finish b <= start b + d * time k /\ finish b <= out_start l /\
    Z.of_nat (on b) < multiprocessors s) (grid l) /\
  out_start l <= out_end l <= out_start l + d * copy_out k.

(** Two launches of one kernel. *)
Definition apart (i j : nat) : Prop :=
  match period (kernel_of (launches i)) with
  | Some T => d * T <= Z.abs (arrival (launches i) - arrival (launches j))
  | None => False
  end.

(** A run up to the time [until]. What the rules say of a time holds of all times before it; what has not begun by then may begin
    at any later time. So the run may be cut off anywhere, and nothing is assumed to come to an end. *)
Variable until : Z.
Record run : Prop := {
  run_proper : forall i, (i < n)%nat -> proper (launches i);
  run_numbered : forall i j, (i < j < n)%nat -> release (launches i) <= release (launches j);
  run_apart : forall i j, (i < n)%nat -> (j < n)%nat -> i <> j -> of (launches i) = of (launches j) -> apart i j;
  (** A launch begins when those before it in its stream are complete. *)
  run_stream : forall i j, (i < j < n)%nat -> same_stream i j -> out_end (launches i) <= in_start (launches j);
  (** The blocks on a multiprocessor have room. *)
  run_room : forall t r m, t < until -> (r < length (room s))%nat -> used r m t <= nth r (room s) 0;
  (** A copy waits only while the engine copies. A launch without a copy does not wait for the engine. *)
  run_copies : forall i o t, (i < n)%nat -> t < until -> copy_ready i o t -> t < copy_start i o ->
    0 < copy_of (kernel_of (launches i)) o /\ exists j, (j < n)%nat /\ copies j t;
  (** The engine takes copies in the order in which they are ready. *)
  run_engine : forall i o j o' t, (i < n)%nat -> (j < n)%nat -> copy_ready i o t -> ~ copy_ready j o' t ->
    0 < copy_of (kernel_of (launches j)) o' -> copy_start j o' < until -> copy_start i o <= copy_start j o';
  (** Blocks wait only while one of those that wait, the head of the queue, finds no room on any multiprocessor. *)
  run_head : forall i b t, (i < n)%nat -> t < until -> waits i b t ->
    exists j b', (j < n)%nat /\ waits j b' t /\
      forall m, Z.of_nat m < multiprocessors s -> ~ fits (kernel_of (launches j)) m t;
  (** In a queue that is first come, first served, a launch that is ready sooner starts its blocks first. *)
  run_order : first_come s = true -> forall i j b b', (i < n)%nat -> (j < n)%nat ->
    in_end (launches i) < in_end (launches j) -> In b (grid (launches i)) -> In b' (grid (launches j)) ->
    start b' < until -> start b <= start b' }.
End Runs.

(** Every launch of the kernel at place k is complete, with its copies, at most [bound] grains after it arrives: in every run, in
    parts of a grain as small as one likes. It says nothing of a place where there is no kernel. *)
Definition response (s : system) (k : nat) (bound : Z) : Prop :=
  forall d until n launches, 0 < d -> run s n launches d until ->
  forall i, (i < n)%nat -> of (launches i) = k ->
    let due := arrival (launches i) + d * bound in
    due < until -> out_end (launches i) <= due.
