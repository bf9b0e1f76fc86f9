(** The two matrices that the program uses: that of labels, for the phase bound, and that of letters taken, for Theorem L. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Phase Require Import Labellings Earnings PhaseBound.
From Warpspan.Latency Require Import TakenLetters.
From Warpspan.Programs Require Import Composition Matrices TakenLettersPaths FreePaths.
Local Open Scope Z_scope.

(** * Labels: the states are the two labels *)
Definition letter_same (a b : letter) : {a = b} + {a <> b}.
Proof. destruct a, b; auto; right; discriminate. Defined.

Section Labels.
Variables (worth : letter -> Z) (slow : letter) (theta : Z).
Notation kap := (kappa slow theta worth).
Definition label_matrix : prog -> matrix letter := matrix_of letter letter_same (keep worth) (turn worth kap) [L; C].

Lemma labels_closed q : closed letter (keep worth) (turn worth kap) [L; C] q.
Proof.
  assert (forall A : letter, In A [L; C]) as H by (intros []; cbn; auto).
  induction q; cbn [closed]; auto.
Qed.

(** The largest entry is the largest rate of a path. *)
Theorem label_matrix_max q :
  vmax (largest (map (label_matrix q L) [L; C])) (largest (map (label_matrix q C) [L; C])) = Some (program_rate slow theta worth q).
Proof.
  assert (forall A, largest (map (label_matrix q A) [L; C]) = Some (gain _ (keep worth) (turn worth kap) q (fun _ => 0) A)) as H.
  { intros A. destruct (matrix_max letter letter_same (keep worth) (turn worth kap) [L; C] q A (labels_closed q)
      ltac:(destruct A; cbn; auto)) as (m & E & H1 & s & Hs & H2).
    unfold label_matrix. rewrite E. f_equal.
    destruct (gain_max letter (keep worth) (turn worth kap) q (fun _ => 0) A) as [G1 (t & Ht & G2)].
    pose proof (H1 t Ht). pose proof (G1 s Hs). lia. }
  now rewrite !H.
Qed.
End Labels.

(** * Letters taken: the states are that the last letter was not taken, and each unit whose letter was *)
Definition taken_same (a b : option nat) : {a = b} + {a <> b}.
Proof. decide equality. apply Nat.eq_dec. Defined.

Section Taken.
Variables (neutral : nat -> bool) (w : nat -> Z) (p : Z) (x : nat -> Z).

Definition states (units : list nat) : list (option nat) := None :: map Some units.
Definition taken_matrix (units : list nat) : prog -> matrix (option nat) :=
  matrix_of (option nat) taken_same (TakenLettersPaths.pass neutral w p x) (TakenLettersPaths.take neutral w p x) (states units).

(** All letters of the program are for these units. *)
Fixpoint within (units : list nat) (q : prog) : Prop :=
  match q with
  | Skip => True | Instr c => In c units
  | Seq q r | If q r => within units q /\ within units r | Loop _ q => within units q
  end.

Lemma within_closed units q : within units q -> closed (option nat) (TakenLettersPaths.pass neutral w p x) (TakenLettersPaths.take neutral w p x) (states units) q.
Proof.
  induction q as [|c|q IHq r IHr|q IHq r IHr|n q IHq]; cbn [within closed]; try tauto.
  intros Hc prev _. unfold TakenLettersPaths.pass, TakenLettersPaths.take, states. cbn [snd]. split; [now left|].
  destruct (neutral c); cbn [snd]; [now left|]. destruct prev as [A|].
  - destruct (c =? A)%nat; cbn [snd]; [right; now apply in_map|now left].
  - cbn [snd]. right. now apply in_map.
Qed.

(** The largest entry from the first state is the largest total of a path. *)
Theorem taken_matrix_max units q : within units q ->
  largest (map (taken_matrix units q None) (states units)) = Some (total_gain neutral w p x q).
Proof.
  intros Hq. destruct (matrix_max (option nat) taken_same (TakenLettersPaths.pass neutral w p x) (TakenLettersPaths.take neutral w p x) (states units) q None
    (within_closed units q Hq) (or_introl eq_refl)) as (m & E & H1 & s & Hs & H2).
  unfold taken_matrix. rewrite E. f_equal. unfold total_gain.
  destruct (gain_max (option nat) (TakenLettersPaths.pass neutral w p x) (TakenLettersPaths.take neutral w p x) q (fun _ => 0) None) as [G1 (t & Ht & G2)].
  pose proof (H1 t Ht). pose proof (G1 s Hs). lia.
Qed.
End Taken.

(** LC as a loop of up to three rounds with equal prices of 1 and 0: three letters of one unit are taken. *)
Example loop_taken : largest (map (taken_matrix (fun _ => false) (fun _ => 1) 0 (fun _ => 0) [0%nat; 1%nat]
  (Loop 3 (Seq (Instr 0) (Instr 1))) None) (states [0%nat; 1%nat])) = Some 3.
Proof. reflexivity. Qed.
