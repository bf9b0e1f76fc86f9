(** Labellings of a string (docs/closed-form.md, section 2): what the best one earns, with or without a limit on the
    changes of label. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
Local Open Scope Z_scope.

(** How many changes of label are allowed: [Some m] is at most m, [None] is any number. *)
Notation budget := (option nat).

(** One change more. *)
Definition more : budget -> budget := option_map S.

Section Labellings.

(** All weights are multiplied by one N > 0, so that they are whole numbers: [worth U] stands for 1/sigma_U, which is
    what an issue on U is worth, and [kappa A] for the cost of a change from label A. *)
Variables (worth kappa : letter -> Z).

(** What a label A earns at a letter U: an agreement earns 1/sigma_U, a mismatch nothing. *)
Definition earn (A U : letter) : Z := if eqb A U then worth U else 0.

(** The most that a labelling of [s] earns if the label before it is A: agreements less changes. The change from A to
    the first label counts. In the words of the docs it is omega - G_A, with at most so many changes. *)
Fixpoint earns (b : budget) (A : letter) (s : string) : Z :=
  match s with
  | [] => 0
  | U :: s =>
    match b with
    | Some O => earn A U + earns b A s
    | Some (S m) => Z.max (earn A U + earns b A s) (earn (other A) U + earns (Some m) (other A) s - kappa A)
    | None => Z.max (earn A U + earns b A s) (earn (other A) U + earns b (other A) s - kappa A)
    end
  end.

(** The rate of a string, a(s) in the docs. *)
Definition rate (s : string) : Z := Z.max (earns None L s) (earns None C s).

(** * [earns] is the maximum over all labellings *)

Fixpoint value (A : letter) (s : string) (labels : list letter) : Z :=
  match s, labels with
  | U :: s, B :: labels => (if eqb A B then 0 else - kappa A) + earn B U + value B s labels
  | _, _ => 0
  end.

Fixpoint label_changes (A : letter) (labels : list letter) : nat :=
  match labels with B :: labels => ((if eqb A B then 0 else 1) + label_changes B labels)%nat | [] => O end.

Definition within (b : budget) (n : nat) : Prop := match b with Some m => (n <= m)%nat | None => True end.

Lemma earns_ge b A s labels : length labels = length s -> within b (label_changes A labels) ->
  value A s labels <= earns b A s.
Proof.
  revert b A labels; induction s as [|U s IH]; intros b A [|B l] H Hb; cbn [value earns length label_changes] in *;
    try lia.
  destruct (letter_cases A B) as [->| ->].
  - rewrite eqb_refl in *. specialize (IH b A l ltac:(lia) Hb). destruct b as [[|m]|]; lia.
  - destruct (eqb_other A) as [_ E]. rewrite E in *. destruct b as [[|m]|]; cbn [within] in Hb; [lia| |].
    + specialize (IH (Some m) (other A) l ltac:(lia) ltac:(cbn; lia)). lia.
    + specialize (IH None (other A) l ltac:(lia) I). lia.
Qed.

Lemma earns_attained b A s : exists labels, length labels = length s /\ within b (label_changes A labels) /\
  value A s labels = earns b A s.
Proof.
  revert b A; induction s as [|U s IH]; intros b A; [exists []; destruct b; cbn; auto with arith|].
  assert (exists labels, length labels = length (U :: s) /\ within b (label_changes A labels) /\
    value A (U :: s) labels = earn A U + earns b A s) as (l & L1 & L2 & L3).
  { destruct (IH b A) as (l & H1 & H2 & H3). exists (A :: l). cbn [length value label_changes].
    rewrite eqb_refl. cbn [Nat.add]. repeat split; auto; lia. }
  assert (forall b', (forall n, within b' n -> within b (S n)) -> exists labels, length labels = length (U :: s) /\
    within b (label_changes A labels) /\ value A (U :: s) labels = earn (other A) U + earns b' (other A) s - kappa A) as Hc.
  { intros b' Hb. destruct (IH b' (other A)) as (l' & H1 & H2 & H3). exists (other A :: l').
    cbn [length value label_changes]. destruct (eqb_other A) as [_ ->]. cbn [Nat.add].
    split; [lia|]. split; [now apply Hb|lia]. }
  destruct b as [[|m]|]; cbn [earns]; [eauto| |].
  - destruct (Hc (Some m)) as (l' & M1 & M2 & M3); [cbn; lia|].
    destruct (Z.max_spec (earn A U + earns (Some (S m)) A s) (earn (other A) U + earns (Some m) (other A) s - kappa A))
      as [[_ ->]|[_ ->]]; [exists l'|exists l]; auto.
  - destruct (Hc None) as (l' & M1 & M2 & M3); [auto|].
    destruct (Z.max_spec (earn A U + earns None A s) (earn (other A) U + earns None (other A) s - kappa A))
      as [[_ ->]|[_ ->]]; [exists l'|exists l]; auto.
Qed.

Lemma earns_unlimited b A s : earns b A s <= earns None A s.
Proof.
  revert b A; induction s as [|U s IH]; intros b A; [reflexivity|]. cbn [earns].
  pose proof (IH b A). destruct b as [[|m]|]; [lia| |lia]. pose proof (IH (Some m) (other A)). lia.
Qed.

Lemma earns_rate b A s : earns b A s <= rate s.
Proof. pose proof (earns_unlimited b A s). unfold rate. destruct A; lia. Qed.

(** * The four facts *)
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.

Lemma earn_pos X U : 0 <= earn X U.
Proof. unfold earn. pose proof (kappa_pos U). pose proof (kappa_le U). destruct (eqb X U); lia. Qed.

Lemma earns_more b X s : earns b X s <= earns (more b) X s.
Proof.
  revert b X; induction s as [|U s IH]; intros b X; [reflexivity|].
  pose proof (IH b X). destruct b as [[|m]|]; cbn [earns more option_map] in *; try lia.
  pose proof (IH (Some m) (other X)). cbn [more option_map] in *. lia.
Qed.

(** Fact 1: a change costs [kappa X] and is one of the changes allowed. *)
Lemma change b X s : earns b (other X) s - kappa X <= earns (more b) X s.
Proof.
  pose proof (kappa_pos X). pose proof (kappa_pos (other X)). destruct s as [|U s]; [cbn; lia|].
  destruct b as [[|m]|]; cbn [earns more option_map]; rewrite ?other_other; [lia| |lia].
  pose proof (earns_more (Some m) X s). pose proof (earns_more (Some (S m)) X s). cbn [more option_map] in *. lia.
Qed.

(** Fact 2: an agreement earns [worth X]. *)
Lemma agreement b X s : worth X + earns b X s <= earns b X (X :: s).
Proof. destruct b as [[|m]|]; cbn [earns]; unfold earn; rewrite eqb_refl; lia. Qed.

(** Fact 3: a letter more earns no less. *)
Lemma longer b X U s : earns b X s <= earns b X (U :: s).
Proof. pose proof (earn_pos X U). destruct b as [[|m]|]; cbn [earns]; lia. Qed.

Lemma earns_pos b X s : 0 <= earns b X s.
Proof. induction s as [|U s IH]; [reflexivity|]. pose proof (longer b X U s). lia. Qed.

Lemma rate_pos s : 0 <= rate s.
Proof. pose proof (earns_pos None L s). pose proof (earns_rate None L s). lia. Qed.

(** Fact 4: at a letter X, or at the end, the label X before it is no worse than the other label. *)
Lemma not_wanted b X s : wants (other X) s = false -> earns b (other X) s <= earns (more b) X s.
Proof.
  destruct s as [|U s]; [reflexivity|]. cbn [wants].
  destruct (letter_cases X U) as [->| ->]; [intros _|rewrite eqb_refl; discriminate].
  pose proof (agreement (more b) X s). pose proof (change b X s). pose proof (kappa_le X).
  pose proof (kappa_pos (other X)).
  assert (earns b (other X) (X :: s) <= Z.max (earns b (other X) s) (worth X + earns (more b) X s)); [|lia].
  destruct b as [[|m]|]; cbn [earns]; rewrite ?other_other; unfold earn; rewrite ?eqb_refl;
    destruct (eqb_other X) as [-> _]; [lia| |cbn [more option_map]; lia].
  pose proof (earns_more (Some m) X s). pose proof (earns_more (Some (S m)) X s). cbn [more option_map] in *. lia.
Qed.
End Labellings.
