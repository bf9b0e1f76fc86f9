(** What the bound on a kernel's response times adds up (docs/response-times.md, section 4), where every C is given. *)
From Coq Require Import List ZArith Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches.
Local Open Scope Z_scope.

Definition if_so (b : bool) (v : Z) : Z := if b then v else 0.

Section Terms.
Variables (s : system) (bound weight : nat -> Z).
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).

(** The most launches of kernel j that are incomplete when a launch is released, or are released up to u grains after it. *)
Definition many (j : nat) (u : Z) : Z :=
  match period (kernel_at j) with
  | Some T => (u + bound j - 1 + jitter (kernel_at j)) / T + 1
  | None => 1
  end.

(** How long a launch copies, and how long it copies and its last block runs. *)
Definition span_copies (j : nat) : Z := copy_in (kernel_at j) + copy_out (kernel_at j).
Definition span (j : nat) : Z := span_copies j + time (kernel_at j).

(** The kernel that is looked at. *)
Variable k : nat.
Definition in_stream (j : nat) : bool := (stream (kernel_at j) =? stream (kernel_at k))%nat.

(** The launches of its stream themselves. *)
Definition own_time : Z := sum (fun j => if_so (in_stream j) (many j 0 * span j)) (seq 0 K).

(** The copies of the other streams. Each copy of its stream waits for one copy of each other stream at most, since a stream has
    one copy at a time and the engine takes them in order. *)
Definition copies_of (j : nat) : Z := if_so (0 <? copy_in (kernel_at j)) 1 + if_so (0 <? copy_out (kernel_at j)) 1.
Definition own_copies : Z := sum (fun j => if_so (in_stream j) (many j 0 * copies_of j)) (seq 0 K).
Definition longest_copies (st : nat) : Z :=
  fold_right Z.max 0 (map (fun j => if_so (stream (kernel_at j) =? st)%nat (span_copies j)) (seq 0 K)).
Definition copies_load (st : nat) : Z :=
  sum (fun j => if_so (stream (kernel_at j) =? st)%nat (many j (bound k - 1) * span_copies j)) (seq 0 K).
Definition copy_time : Z :=
  sum (fun st => if_so (negb (st =? stream (kernel_at k))%nat) (Z.min (own_copies * longest_copies st) (copies_load st))) (seq 0 K).

(** The work of the blocks that may be on the multiprocessors while blocks of its stream wait: of the other streams those of launches
    that are released up to u grains later, of its own all but the last block of each launch. *)
Variable u : Z.
Definition load_of (j : nat) : Z :=
  if in_stream j then many j 0 * ((blocks (kernel_at j) - 1) * weight j * time (kernel_at j))
  else many j u * (blocks (kernel_at j) * weight j * time (kernel_at j)).
Definition load (st : nat) : Z := sum (fun j => if_so (stream (kernel_at j) =? st)%nat (load_of j)) (seq 0 K).

(** How much of the multiprocessors the launch of a stream takes at once. *)
Definition fill (st : nat) : Z :=
  fold_right Z.max 0 (map (fun j => if_so (stream (kernel_at j) =? st)%nat (weight j * blocks (kernel_at j))) (seq 0 K)).

(** The kernel is first come, first served: it is alone in its stream, copies nothing before its blocks, and each launch is
    complete before the next one is released. *)
Definition served : bool :=
  first_come s && forallb (fun j => (j =? k)%nat || negb (in_stream j)) (seq 0 K) && (copy_in (kernel_at k) =? 0) &&
  match period (kernel_at k) with Some T => bound k <=? T - jitter (kernel_at k) | None => true end.
End Terms.
