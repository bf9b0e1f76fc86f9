(** The worst case of one kernel at sigma 1, and of any two warps at sigma 1, computed: no schedule has to be given. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Exact Require Import Blocks Schedule TwoWarps.
From Warpspan.Checker Require Import Instance.
Local Open Scope Z_scope.

(** * The longest path over pairs of positions, row by row *)

(** For a string X::s: from the row of s, which holds [path s u] for every suffix u of t from the longest on, to that of
    X::s. [n] is the length of X::s. *)
Fixpoint path_step (X : letter) (n : Z) (t : string) (row : list Z) : list Z :=
  match t, row with
  | Y :: t, p :: row =>
    let rest := path_step X n t row in
    (if eqb X Y then 1 + Z.max p (hd 0 rest) else 1 + hd 0 row) :: rest
  | _, _ => [n]
  end.

Fixpoint suffixes (t : string) : list string :=
  match t with [] => [[]] | _ :: t' => t :: suffixes t' end.

Fixpoint path_row (s t : string) : Z * list Z :=
  match s with
  | [] => (0, map zlength (suffixes t))
  | X :: s => let '(n, row) := path_row s t in (1 + n, path_step X (1 + n) t row)
  end.

Definition longest_path (s t : string) : Z := hd 0 (snd (path_row s t)).

Lemma suffixes_hd t : exists l, suffixes t = t :: l.
Proof. destruct t; cbn; eauto. Qed.

Lemma path_step_spec X s t : path_step X (Z.of_nat (length (X :: s))) t (map (fun u => Z.of_nat (path s u)) (suffixes t))
  = map (fun u => Z.of_nat (path (X :: s) u)) (suffixes t).
Proof.
  induction t as [|Y t IH]; [reflexivity|]. cbn [suffixes map path_step].
  destruct (suffixes_hd t) as (l & E). rewrite IH, E. cbn [map hd]. f_equal. rewrite path_cons.
  destruct (eqb X Y); [|lia]. rewrite Nat2Z.inj_succ, Nat2Z.inj_max. lia.
Qed.

Lemma path_row_spec s t :
  path_row s t = (Z.of_nat (length s), map (fun u => Z.of_nat (path s u)) (suffixes t)).
Proof.
  induction s as [|X s IH]; cbn [path_row].
  - f_equal. apply map_ext. intros u. now rewrite zlength_spec, path_nil_l.
  - rewrite IH. replace (1 + Z.of_nat (length s)) with (Z.of_nat (length (X :: s))) by (cbn [length]; lia).
    f_equal. apply path_step_spec.
Qed.

Lemma longest_path_spec s t : longest_path s t = Z.of_nat (path s t).
Proof.
  unfold longest_path. rewrite path_row_spec. cbn [snd]. destruct (suffixes_hd t) as (l & ->). reflexivity.
Qed.

(** * The check *)

(** The worst case where a theorem tells it: one warp, two warps of any kernels, or three and more of one kernel. *)
Definition exact_value (gs : list group) : option Z :=
  match gs with
  | [(s, 1%N); (t, 1%N)] => Some (longest_path s t)
  | [(s, 1%N)] => Some (zlength s)
  | [(s, 2%N)] => Some (longest_path s s)
  | [(s, n)] => if (3 <=? n)%N then Some (zlength s + (Z.of_N n - 1) * Z.of_nat (a s)) else None
  | _ => None
  end.

Definition exact_check (gs : list group) (T : Z) : bool :=
  match exact_value gs with Some t => t =? T | None => false end.

Lemma worst_case_ext st t T : worst_case one st t -> Z.of_nat t = T ->
  (forall ms st', run (units 1 1) st ms st' -> Z.of_nat (makespan ms) <= T) /\
  (exists ms st', run (units 1 1) st ms st' /\ done st' /\ Z.of_nat (makespan ms) = T).
Proof.
  intros [Hs (ms & st' & Hr & Hd & Hm)] <-.
  assert (forall U, one U = units 1 1 U) as E by now intros [].
  split.
  - intros ms' st'' H. apply (run_ext _ one) in H; [|now intros []]. specialize (Hs _ _ H). lia.
  - exists ms, st'. split; [now apply (run_ext one)|]. split; [assumption|lia].
Qed.

(** The value is the worst case: it is safe and it is reached. *)
Theorem exact_sound gs T : exact_check gs T = true -> bounded 1 1 gs T /\ reaches 1 1 gs T.
Proof.
  unfold exact_check, bounded, reaches. intros H.
  enough (exists t, worst_case one (expand gs) t /\ Z.of_nat t = T) as (t & Hw & E) by (eapply worst_case_ext; eassumption).
  destruct gs as [|[s n] gs]; [discriminate|].
  assert (forall t u, exact_value [(s, 1%N); (u, 1%N)] = Some t -> t = T ->
    exists t, worst_case one [s; u] t /\ Z.of_nat t = T) as H11.
  { intros t u [= <-] <-. rewrite longest_path_spec. eexists. split; [apply exact_two|reflexivity]. }
  assert (exact_value [(s, n)] = Some T -> exists t, worst_case one (expand [(s, n)]) t /\ Z.of_nat t = T) as H1.
  { intros E. unfold expand. cbn [flat_map fst snd]. rewrite app_nil_r.
    assert (forall k, n = N.of_nat k -> N.to_nat n = k) as En by (intros k ->; apply Nat2N.id).
    destruct (N.eq_dec n 1) as [->|N1]; [|destruct (N.eq_dec n 2) as [->|N2]].
    - injection E as <-. rewrite zlength_spec. eexists. split; [apply exact_one|reflexivity].
    - injection E as <-. rewrite longest_path_spec. eexists. split; [apply exact_two|reflexivity].
    - assert (exact_value [(s, n)] = if (3 <=? n)%N then Some (zlength s + (Z.of_N n - 1) * Z.of_nat (a s)) else None) as Ev
        by (destruct n as [|[|[]|]]; congruence || reflexivity).
      rewrite Ev in E. destruct (N.leb_spec 3 n); [|discriminate]. injection E as <-.
      exists (length s + (N.to_nat n - 1) * a s)%nat. split; [apply exact; lia|]. rewrite zlength_spec. nia. }
  destruct gs as [|[u k] gs].
  { revert H H1. destruct (exact_value [(s, n)]) as [t|]; [|discriminate]. intros ->%Z.eqb_eq H1. auto. }
  destruct gs as [|g gs].
  - destruct n as [|[[]|[]|]]; destruct k as [|[[]|[]|]]; try discriminate H.
    apply Z.eqb_eq in H. exact (H11 _ u eq_refl H).
  - destruct n as [|[[]|[]|]]; destruct k as [|[[]|[]|]]; discriminate H.
Qed.
