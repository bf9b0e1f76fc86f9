(** The lower half of a certificate: a schedule, replayed by the rules of the model. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Checker Require Import Instance.
Local Open Scope Z_scope.

Section Replay.
Variables (sL sC : nat).
Let sigma := units sL sC.

(** A cycle is given by the warps that issue in it, in increasing order and counted from 0; [mask n i ids] tells of n warps
    from number i on whether they issue. *)
Fixpoint mask (n : nat) (i : N) (ids : list N) : list bool :=
  match n with
  | O => []
  | S n => match ids with
           | j :: ids' => if N.eqb i j then true :: mask n (N.succ i) ids' else false :: mask n (N.succ i) ids
           | [] => false :: mask n (N.succ i) []
           end
  end.

(** The rules of Semantics.v as computations. *)
Fixpoint ableb (st : state) (m : cycle) : bool :=
  match st, m with
  | [], [] => true
  | s :: st, b :: m => (if b then match s with [] => false | _ => true end else true) && ableb st m
  | _, _ => false
  end.

Definition legalb (st : state) (m : cycle) : bool :=
  ableb st m &&
  forallb (fun U => let i := issued U st m in
    (i <=? sigma U)%nat && (if (0 <? waiting U st m)%nat then (i =? sigma U)%nat else true)) [L; C].

Fixpoint replay (st : state) (ms : schedule) : bool :=
  match ms with
  | [] => forallb (fun s => match s with [] => true | _ => false end) st
  | m :: ms => if legalb st m then replay (after st m) ms else false
  end.

Lemma ableb_sound st m : ableb st m = true -> able st m.
Proof.
  revert m; induction st as [|s st IH]; intros [|b m]; cbn; try discriminate; [constructor|].
  rewrite andb_true_iff. intros [H1 H2]. constructor; [|auto]. intros ->. destruct s; congruence.
Qed.

Lemma legalb_sound st m : legalb st m = true -> legal sigma st m.
Proof.
  unfold legalb. rewrite andb_true_iff, forallb_forall. intros [Ha H]. split; [now apply ableb_sound|].
  intros U. specialize (H U ltac:(destruct U; cbn; auto)). cbv zeta in H.
  rewrite andb_true_iff, Nat.leb_le in H. destruct H as [H1 H2]. split; [assumption|].
  intros Hw. apply Nat.ltb_lt in Hw. rewrite Hw in H2. now apply Nat.eqb_eq.
Qed.

Lemma replay_sound st ms : replay st ms = true -> exists st', run sigma st ms st' /\ done st'.
Proof.
  revert st; induction ms as [|m ms IH]; intros st; cbn [replay].
  - rewrite forallb_forall. intros H. exists st. split; [constructor|]. apply Forall_forall.
    intros s Hs. specialize (H s Hs). destruct s; congruence.
  - destruct (legalb st m) eqn:E; [|discriminate]. intros H. destruct (IH _ H) as (st' & Hr & Hd).
    exists st'. split; [constructor; [now apply legalb_sound|assumption]|assumption].
Qed.

(** The schedule is legal and complete and takes T cycles. *)
Definition lower_check (gs : list group) (sched : list (list N)) (T : Z) : bool :=
  let st := expand gs in
  let ms := map (mask (length st) 0%N) sched in
  replay st ms && (Z.of_nat (makespan ms) =? T).

Theorem lower_sound gs sched T : lower_check gs sched T = true -> reaches sL sC gs T.
Proof.
  unfold lower_check. cbv zeta. rewrite andb_true_iff, Z.eqb_eq. intros [H1 H2].
  destruct (replay_sound _ _ H1) as (st' & Hr & Hd). unfold reaches. eauto.
Qed.
End Replay.
