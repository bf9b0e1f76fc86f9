(** The best labellings with at most 0, 1, .., n changes, all in one pass from the end of the string. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings.
Local Open Scope Z_scope.

Section Rows.
Variables (worth kappa : letter -> Z).

Fixpoint row_step (U : letter) (pL pC : Z) (row : list (Z * Z)) : list (Z * Z) :=
  match row with
  | [] => []
  | (x, y) :: row =>
    (Z.max (earn worth L U + x) (earn worth C U + pC - kappa L), Z.max (earn worth C U + y) (earn worth L U + pL - kappa C))
    :: row_step U x y row
  end.

Fixpoint row (n : nat) (s : string) : list (Z * Z) :=
  match s with
  | [] => repeat (0, 0) (S n)
  | U :: s => match row n s with
              | (x, y) :: r => (earn worth L U + x, earn worth C U + y) :: row_step U x y r
              | [] => []
              end
  end.

Definition both (s : string) (m : nat) : Z * Z := (earns worth kappa (Some m) L s, earns worth kappa (Some m) C s).

Lemma row_step_spec U s n : forall m,
  row_step U (earns worth kappa (Some m) L s) (earns worth kappa (Some m) C s) (map (both s) (seq (S m) n)) = map (both (U :: s)) (seq (S m) n).
Proof.
  induction n as [|n IH]; intros m; [reflexivity|].
  cbn [seq map]. unfold both at 1. cbn [row_step]. f_equal. apply IH.
Qed.

Lemma row_spec n s : row n s = map (both s) (seq 0 (S n)).
Proof.
  induction s as [|U s IH].
  - cbn [row]. generalize (S n) as j, 0%nat as i. induction j as [|j IH]; intros i; [reflexivity|].
    cbn [repeat seq map]. rewrite <- IH. unfold both. destruct i; reflexivity.
  - cbn [row]. rewrite IH. cbn [seq map]. unfold both at 1. rewrite row_step_spec. reflexivity.
Qed.

Definition pick (X : letter) (p : Z * Z) : Z := match X with L => fst p | C => snd p end.

Lemma row_nth n s m X : (m <= n)%nat -> pick X (nth m (row n s) (0, 0)) = earns worth kappa (Some m) X s.
Proof.
  intros Hm. rewrite row_spec. rewrite nth_indep with (d' := both s 0) by (rewrite map_length, seq_length; lia).
  rewrite map_nth, seq_nth by lia. destruct X; reflexivity.
Qed.
End Rows.

(** Sum over groups, each row times its number of warps. *)
Fixpoint add_rows (z : Z) (a b : list (Z * Z)) : list (Z * Z) :=
  match a, b with
  | (x, y) :: a, (x', y') :: b => (z * x + x', z * y + y') :: add_rows z a b
  | _, _ => []
  end.

Lemma add_rows_nth z : forall a b m X, (m < length a)%nat -> (m < length b)%nat ->
  pick X (nth m (add_rows z a b) (0, 0)) = z * pick X (nth m a (0, 0)) + pick X (nth m b (0, 0)).
Proof.
  induction a as [|[x y] a IH]; intros [|[x' y'] b] m X Ha Hb; cbn [length] in *; try lia.
  destruct m as [|m]; cbn [add_rows nth]; [destruct X; reflexivity|]. apply IH; lia.
Qed.

Lemma add_rows_length z : forall a b, length a = length b -> length (add_rows z a b) = length a.
Proof.
  induction a as [|[x y] a IH]; intros [|[x' y'] b] H; cbn [add_rows length] in *; try lia.
  f_equal. apply IH. lia.
Qed.

