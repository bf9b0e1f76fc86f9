(** The matrices over (max, +) of docs/programs.md, section 4: products for sequences, the larger entries for branches, and powers
    by squaring for loops. Their entries are the largest gains over the paths. *)
From Coq Require Import List Arith NArith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Programs Require Import Composition Divergence.
Local Open Scope Z_scope.

(** * Numbers, and nothing where no path leads *)

Definition vplus (x y : option Z) : option Z := match x, y with Some x, Some y => Some (x + y) | _, _ => None end.
Definition vmax (x y : option Z) : option Z :=
  match x, y with Some x, Some y => Some (Z.max x y) | Some x, None => Some x | None, y => y end.
Definition largest (l : list (option Z)) : option Z := fold_right vmax None l.

Definition vle (x y : option Z) : Prop := match x, y with None, _ => True | Some _, None => False | Some x, Some y => x <= y end.

Lemma vle_eq x y : (forall z, vle x z <-> vle y z) -> x = y.
Proof.
  intros H. pose proof (proj1 (H y)) as H1. pose proof (proj2 (H x)) as H2. destruct x as [x|], y as [y|]; cbn in *; try tauto.
  - specialize (H1 (proj2 (H (Some y)) (Z.le_refl y))). f_equal. apply Z.le_antisymm.
    + apply (proj2 (H (Some y))). cbn. lia.
    + apply (proj1 (H (Some x))). cbn. lia.
  - elim (proj2 (H None)); exact I.
  - elim (proj1 (H None)); exact I.
Qed.

Lemma vle_vmax x y z : vle (vmax x y) z <-> vle x z /\ vle y z.
Proof. destruct x, y, z; cbn; try tauto; lia. Qed.

Lemma vle_largest l z : vle (largest l) z <-> forall x, In x l -> vle x z.
Proof.
  induction l as [|y l IH]; cbn [largest fold_right In]; [cbn; tauto|]. fold (largest l). rewrite vle_vmax, IH.
  split; [intros [H1 H2] x [<-|H]; auto|intros H; auto].
Qed.

Lemma vle_plus_largest l w z : vle (vplus (largest l) w) z <-> forall x, In x l -> vle (vplus x w) z.
Proof.
  induction l as [|y l IH]; cbn [largest fold_right In]; [cbn; tauto|]. fold (largest l).
  assert (vplus (vmax y (largest l)) w = vmax (vplus y w) (vplus (largest l) w)) as ->.
  { destruct y, (largest l), w; cbn; try reflexivity. f_equal. lia. }
  rewrite vle_vmax, IH. split; [intros [H1 H2] x [<-|H]; auto|intros H; auto].
Qed.

Lemma vplus_comm x y : vplus x y = vplus y x.
Proof. destruct x, y; cbn; try reflexivity. f_equal. lia. Qed.

Lemma vplus_assoc x y z : vplus x (vplus y z) = vplus (vplus x y) z.
Proof. destruct x, y, z; cbn; try reflexivity. f_equal. lia. Qed.

Section Matrices.
Variable St : Type.
Variable same : forall a b : St, {a = b} + {a <> b}.
Variables (one two : nat -> St -> Z * St).
Notation gain := (gain St one two).
Notation string_gain := (string_gain St one two).

(** The states that the matrices have, and those programs whose letters lead from these states to these. *)
Variable all : list St.
Fixpoint closed (q : prog) : Prop :=
  match q with
  | Skip => True
  | Instr c => forall a, In a all -> In (snd (one c a)) all /\ In (snd (two c a)) all
  | Seq q r | If q r => closed q /\ closed r
  | Loop _ q => closed q
  end.

Definition matrix : Type := St -> St -> option Z.

Definition identity : matrix := fun a b => if same a b then Some 0 else None.
Definition product (M K : matrix) : matrix := fun a c => largest (map (fun b => vplus (M a b) (K b c)) all).
Definition either (M K : matrix) : matrix := fun a b => vmax (M a b) (K a b).
Definition letter_matrix (c : nat) : matrix := fun a b =>
  vmax (if same (snd (one c a)) b then Some (fst (one c a)) else None)
       (if same (snd (two c a)) b then Some (fst (two c a)) else None).

(** The power by squaring. *)
Fixpoint power_of (M : matrix) (n : positive) : matrix :=
  match n with
  | xH => M
  | xO n => let K := power_of M n in product K K
  | xI n => let K := power_of M n in product M (product K K)
  end.
Definition power (M : matrix) (n : nat) : matrix := match N.of_nat n with N0 => identity | Npos n => power_of M n end.

(** A loop of at most n rounds is a power of nothing or the body. *)
Fixpoint matrix_of (q : prog) : matrix :=
  match q with
  | Skip => identity
  | Instr c => letter_matrix c
  | Seq q r => product (matrix_of q) (matrix_of r)
  | If q r => either (matrix_of q) (matrix_of r)
  | Loop n q => power (either identity (matrix_of q)) n
  end.

(** ** What a matrix makes of the values of what follows *)
Definition apply (M : matrix) (f : St -> option Z) (a : St) : option Z := largest (map (fun b => vplus (M a b) (f b)) all).

Lemma vle_apply M f a z : vle (apply M f a) z <-> forall b, In b all -> vle (vplus (M a b) (f b)) z.
Proof.
  unfold apply. rewrite vle_largest. split.
  - intros H b Hb. apply H, in_map_iff. exists b. auto.
  - intros H x Hx. apply in_map_iff in Hx. destruct Hx as (b & <- & Hb). auto.
Qed.

Lemma apply_ext M f f' a : (forall b, In b all -> f b = f' b) -> apply M f a = apply M f' a.
Proof. intros H. unfold apply. f_equal. apply map_ext_in. intros b Hb. now rewrite H. Qed.

Lemma apply_product M K f a : apply (product M K) f a = apply M (apply K f) a.
Proof.
  apply vle_eq. intros z. rewrite !vle_apply. split.
  - intros H b Hb. unfold apply at 1. rewrite vplus_comm, vle_plus_largest. intros x Hx. apply in_map_iff in Hx.
    destruct Hx as (c & <- & Hc). specialize (H c Hc). unfold product in H. rewrite vle_plus_largest in H.
    specialize (H (vplus (M a b) (K b c))). rewrite vplus_comm, vplus_assoc. apply H, in_map_iff. exists b. auto.
  - intros H c Hc. unfold product. rewrite vle_plus_largest. intros x Hx. apply in_map_iff in Hx. destruct Hx as (b & <- & Hb).
    specialize (H b Hb). unfold apply in H. rewrite vplus_comm, vle_plus_largest in H. rewrite <- vplus_assoc, vplus_comm. apply H, in_map_iff.
    exists c. auto.
Qed.

Lemma apply_identity f a : In a all -> apply identity f a = f a.
Proof.
  intros Ha. apply vle_eq. intros z. rewrite vle_apply. unfold identity. split.
  - intros H. specialize (H a Ha). destruct (same a a); [|congruence]. destruct (f a) as [x|]; [|exact I].
    cbn [vplus] in H. rewrite Z.add_0_l in H. exact H.
  - intros H b _. destruct (same a b) as [->|]; [|exact I]. destruct (f b) as [x|]; [|exact I]. cbn [vplus]. now rewrite Z.add_0_l.
Qed.

Lemma apply_either M K f a : apply (either M K) f a = vmax (apply M f a) (apply K f a).
Proof.
  apply vle_eq. intros z. rewrite vle_vmax, !vle_apply. unfold either.
  assert (forall b, vplus (vmax (M a b) (K a b)) (f b) = vmax (vplus (M a b) (f b)) (vplus (K a b) (f b))) as E.
  { intros b. destruct (M a b), (K a b), (f b); cbn; try reflexivity. f_equal. lia. }
  split.
  - intros H. split; intros b Hb; specialize (H b Hb); rewrite E, vle_vmax in H; tauto.
  - intros [H1 H2] b Hb. rewrite E, vle_vmax. auto.
Qed.

Lemma apply_letter c f a : In (snd (one c a)) all -> In (snd (two c a)) all -> apply (letter_matrix c) (fun b => Some (f b)) a = Some (issue St one two c f a).
Proof.
  intros Ho Ht. apply vle_eq. intros z. rewrite vle_apply. unfold letter_matrix, issue. split.
  - intros H. pose proof (H (snd (one c a)) Ho) as H1. pose proof (H (snd (two c a)) Ht) as H2.
    destruct (same (snd (one c a)) (snd (one c a))), (same (snd (two c a)) (snd (two c a))); try congruence.
    destruct (same (snd (two c a)) (snd (one c a))), (same (snd (one c a)) (snd (two c a))); destruct z; cbn in *; try tauto; lia.
  - intros H b _. destruct (same (snd (one c a)) b) as [E1|], (same (snd (two c a)) b) as [E2|]; cbn; try exact I;
      rewrite ?E1, ?E2 in H; destruct z; cbn in *; try tauto; lia.
Qed.

Lemma iter_shift {A} (g : A -> A) n x : Nat.iter n g (g x) = g (Nat.iter n g x).
Proof. induction n as [|n IH]; [reflexivity|]. change (g (Nat.iter n g (g x)) = g (g (Nat.iter n g x))). now rewrite IH. Qed.

Lemma iter_add {A} (g : A -> A) n m x : Nat.iter (n + m) g x = Nat.iter n g (Nat.iter m g x).
Proof. induction n as [|n IH]; [reflexivity|]. change (g (Nat.iter (n + m) g x) = g (Nat.iter n g (Nat.iter m g x))). now rewrite IH. Qed.

Lemma iter_ext M n f f' : (forall b, In b all -> f b = f' b) -> forall a, In a all ->
  Nat.iter n (apply M) f a = Nat.iter n (apply M) f' a.
Proof. intros H. induction n as [|n IH]; [exact H|]. intros a _. now apply apply_ext. Qed.

Lemma apply_power_of M n : forall f a, In a all -> apply (power_of M n) f a = Nat.iter (Pos.to_nat n) (apply M) f a.
Proof.
  induction n as [n IH|n IH|]; intros f a Ha; cbn [power_of]; [| |reflexivity].
  - rewrite !apply_product, Pos2Nat.inj_xI. change (Nat.iter (S (2 * Pos.to_nat n)) (apply M) f a) with
      (apply M (Nat.iter (2 * Pos.to_nat n) (apply M) f) a).
    apply apply_ext. intros b Hb. rewrite apply_product, IH by assumption. replace (2 * Pos.to_nat n)%nat with (Pos.to_nat n + Pos.to_nat n)%nat by lia.
    rewrite iter_add. apply iter_ext; [|assumption]. intros c Hc. now apply IH.
  - rewrite apply_product, IH, Pos2Nat.inj_xO by assumption. replace (2 * Pos.to_nat n)%nat with (Pos.to_nat n + Pos.to_nat n)%nat by lia.
    rewrite iter_add. apply iter_ext; [|assumption]. intros c Hc. now apply IH.
Qed.

Lemma apply_power M n f a : In a all -> apply (power M n) f a = Nat.iter n (apply M) f a.
Proof.
  intros Ha. unfold power. destruct (N.of_nat n) as [|p] eqn:E.
  - replace n with O by lia. now apply apply_identity.
  - rewrite apply_power_of by assumption. f_equal. lia.
Qed.

Lemma gain_mono q f f' a : (forall b, f b <= f' b) -> gain q f a <= gain q f' a.
Proof.
  intros H. destruct (proj2 (gain_max St one two q f a)) as (s & Hs & <-).
  etransitivity; [|apply (gain_max St one two q f' a), Hs]. now apply string_gain_mono.
Qed.

Lemma loop_grows n q f a : gain (Loop n q) f a <= gain (Loop (S n) q) f a.
Proof.
  revert a; induction n as [|n IH]; intros a; [cbn [Composition.gain]; lia|].
  change (gain (Loop (S n) q) f a) with (Z.max (f a) (gain q (gain (Loop n q) f) a)).
  change (gain (Loop (S (S n)) q) f a) with (Z.max (f a) (gain q (gain (Loop (S n) q) f) a)).
  pose proof (gain_mono q _ _ a IH). lia.
Qed.

(** The matrix of a program gains what the program gains. *)
Theorem matrix_gain q : closed q -> forall f a, In a all -> apply (matrix_of q) (fun b => Some (f b)) a = Some (gain q f a).
Proof.
  induction q as [|c|q IHq r IHr|q IHq r IHr|n q IHq]; intros Hq f a Ha; cbn [matrix_of closed] in *.
  - now apply apply_identity.
  - now apply apply_letter; apply Hq.
  - destruct Hq as [H1 H2]. rewrite apply_product. cbn [Composition.gain]. rewrite <- (IHq H1) by assumption.
    apply apply_ext. intros b Hb. now apply IHr.
  - destruct Hq as [H1 H2]. rewrite apply_either, IHq, IHr by assumption. reflexivity.
  - rewrite apply_power by assumption. revert a Ha. induction n as [|n IH]; intros a Ha; [reflexivity|].
    change (Nat.iter (S n) (apply (either identity (matrix_of q))) (fun b => Some (f b)) a) with
      (apply (either identity (matrix_of q)) (Nat.iter n (apply (either identity (matrix_of q))) (fun b => Some (f b))) a).
    rewrite (apply_ext _ _ _ _ IH), apply_either, apply_identity, IHq by assumption. cbn [vmax]. f_equal.
    change (gain (Loop (S n) q) f a) with (Z.max (f a) (gain q (gain (Loop n q) f) a)).
    assert (f a <= gain (Loop n q) f a) as H0.
    { clear. induction n as [|n IH]; [cbn [Composition.gain]; lia|]. pose proof (loop_grows n q f a). lia. }
    pose proof (loop_grows n q f a) as H1.
    change (gain (Loop (S n) q) f a) with (Z.max (f a) (gain q (gain (Loop n q) f) a)) in H1. lia.
Qed.

Lemma apply_times m q h a : closed q -> In a all -> apply (power (matrix_of q) m) (fun b => Some (h b)) a = Some (gain (times m q) h a).
Proof.
  intros Hq Ha. rewrite apply_power by assumption. revert a Ha. induction m as [|m IH]; intros a Ha; [reflexivity|].
  change (Nat.iter (S m) (apply (matrix_of q)) (fun b => Some (h b)) a) with
    (apply (matrix_of q) (Nat.iter m (apply (matrix_of q)) (fun b => Some (h b))) a).
  rewrite (apply_ext _ _ _ _ IH). exact (matrix_gain q Hq (gain (times m q) h) a Ha).
Qed.

(** A loop from m to n rounds: the power of the body times that of nothing or the body. *)
Theorem rounds_gain m n q f a : closed q -> In a all ->
  apply (product (power (matrix_of q) m) (power (either identity (matrix_of q)) (n - m))) (fun b => Some (f b)) a =
  Some (gain (rounds m n q) f a).
Proof.
  intros Hq Ha. rewrite apply_product. etransitivity; [|now apply (apply_times m q (gain (Loop (n - m) q) f))].
  apply apply_ext. intros b Hb. exact (matrix_gain (Loop (n - m) q) Hq f b Hb).
Qed.

(** The largest entry from a state is the largest gain of a path. *)
Theorem matrix_max q a : closed q -> In a all -> exists m, largest (map (matrix_of q a) all) = Some m /\
  (forall s, path q s -> string_gain s (fun _ => 0) a <= m) /\ (exists s, path q s /\ string_gain s (fun _ => 0) a = m).
Proof.
  intros Hq Ha. exists (gain q (fun _ => 0) a). split; [|apply gain_max].
  rewrite <- matrix_gain by assumption. unfold apply. f_equal. apply map_ext. intros b. destruct (matrix_of q a b); cbn [vplus]; [|reflexivity].
  now rewrite Z.add_0_r.
Qed.
End Matrices.
