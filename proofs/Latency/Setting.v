(** Theorem L: what is assumed of the machine, of the followed warp and of the prices. The lists of prices that meet it are in
    TheoremL.v. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters.
Local Open Scope Z_scope.

(** A cycle's letters u that may be on their way: no more than instances and slots. *)
Definition cap (inst : nat -> nat) (width u : nat) : nat := Nat.min (inst u) width.

Fixpoint times (u : nat) (l : list nat) : nat :=
  match l with x :: l => ((if x =? u then 1 else 0) + times u l)%nat | [] => O end.

Section Definitions.
Variables (shared : nat -> bool) (wi w : nat -> Z) (p : Z) (neutral counts : nat -> bool) (g : nat).

(** What the issues of a cycle are worth with the label A. *)
Definition fall (A u : nat) : Z := if neutral u || (u =? A)%nat then w u else p.
Definition falls (A : nat) (l : list nat) : Z := sumZ (map (fall A) l).

(** Warps of other schedulers are worth 1/sigma for each letter of a shared unit that counts. *)
Definition far (s : list nat) : Z := sumZ (map (fun u => if shared u && counts u then wi u else 0) s).

(** What the others are worth at the start. *)
Definition worth (v : warp) : Z := if (sched v =? g)%nat then best neutral w p (code v) else far (code v).
End Definitions.

(** Here every unit has one kind of letter, of occupancy 1, so a letter is the unit that it is for. *)
Notation itself := (fun u : nat => u).
Definition occ (_ : nat) : nat := 1.

Class setting := {
  inst : nat -> nat; lo : nat -> nat; hi : nat -> nat; shared : nat -> bool; width : nat;
  lo_hi : forall u, (1 <= lo u <= hi u)%nat;
  g : nat;  (** the scheduler of the followed warp *)

  (** Prices, times N. [wi u] stands for 1/sigma_u, [w u] for omega_u, [p] for the price of a letter not taken. *)
  N : Z; wi : nat -> Z; w : nat -> Z; p : Z; neutral : nat -> bool;
  N_pos : 0 < N;
  wi_unit : forall u, Z.of_nat (inst u) * wi u = N;
  p_range : 0 <= p <= N;
  p_le_w : forall u, p <= w u;
  wi_le_w : forall u, wi u <= w u;

  (** A cycle's letters u of latent warps cost at most N - p. *)
  cap_cost : forall u, neutral u = false -> Z.of_nat (cap inst width u) * (w u - p) <= N - p;

  (** Labels: at least all units of the followed warp that are not neutral; at least one. [counts]: at least the units of
      the followed warp; and the labels, unless all those are neutral. *)
  label : nat -> bool; counts : nat -> bool;
  labels : forall u, counts u = true -> neutral u = false -> label u = true;
  labels_count : forall U u, counts U = true -> neutral U = false -> label u = true -> counts u = true;
  some_label : exists A, label A = true;

  (** All slots used by others are worth N; all but one, and that one by the followed warp, N - p. *)
  slots_wait : forall l A, label A = true -> length l = width ->
    (forall u, (times u l <= inst u)%nat) -> N <= falls w p neutral A l;
  slots_issue : forall l U A, neutral U = false -> label A = true -> A <> U ->
    S (length l) = width -> (forall u, (times u l <= inst u)%nat) -> (S (times U l) <= inst U)%nat ->
    N - p <= falls w p neutral A l
}.

(** What follows is said of one setting. *)
Module Names.
Notation d := (N - p).
Notation cap := (cap inst width).
Notation fall := (fall w p neutral).
Notation falls := (falls w p neutral).
Notation far := (far shared wi counts).
Notation worth := (worth shared wi w p neutral counts g).
Notation best := (best neutral w p).
Notation R := (R neutral w p).
Notation wants := (wants itself).
Notation next := (next itself occ).
Notation step := (step itself occ).
Notation able := (able lo hi).
Notation busy := (busy itself shared).
Notation blocked := (blocked itself).
Notation legal := (legal itself inst lo hi shared width).
Notation run := (run itself inst occ lo hi shared width).
Notation own := (own occ hi).
End Names.

Lemma occ_one u : occ u = 1%nat.
Proof. reflexivity. Qed.
