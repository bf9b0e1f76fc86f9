(** From every state there is a complete schedule, and every schedule can be extended to a complete one. So the bounds
    are not about nothing, and a worst case over all schedules is one over the complete ones. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.

Section Progress.
Variable sigma : letter -> nat.
Hypothesis sigma_pos : forall U, 0 < sigma U.

(** The cycle in which the first warps of the list issue, with room rL and rC left on the units. *)
Fixpoint greedy (rL rC : nat) (st : state) : cycle :=
  match st with
  | [] => []
  | [] :: st => false :: greedy rL rC st
  | (L :: _) :: st => match rL with O => false :: greedy O rC st | S r => true :: greedy r rC st end
  | (C :: _) :: st => match rC with O => false :: greedy rL O st | S r => true :: greedy rL r st end
  end.

Definition room (rL rC : nat) (U : letter) : nat := match U with L => rL | C => rC end.

Fixpoint wanting (U : letter) (st : state) : nat :=
  match st with [] => 0 | s :: st => (if wants U s then 1 else 0) + wanting U st end.

Lemma greedy_able st : forall rL rC, able st (greedy rL rC st).
Proof.
  induction st as [|[|[] s] st IH]; intros rL rC; cbn [greedy]; try constructor; auto; try discriminate;
    [destruct rL|destruct rC]; constructor; auto; discriminate.
Qed.

Lemma greedy_counts U st : forall rL rC,
  issued U st (greedy rL rC st) = min (room rL rC U) (wanting U st) /\
  issued U st (greedy rL rC st) + waiting U st (greedy rL rC st) = wanting U st.
Proof.
  induction st as [|s st IH]; intros rL rC; [cbn; lia|].
  destruct s as [|[] s]; cbn [greedy].
  - specialize (IH rL rC). cbn. lia.
  - destruct rL as [|r]; [specialize (IH 0 rC)|specialize (IH r rC)]; destruct U; cbn in *; lia.
  - destruct rC as [|r]; [specialize (IH rL 0)|specialize (IH rL r)]; destruct U; cbn in *; lia.
Qed.

Lemma greedy_legal st : legal sigma st (greedy (sigma L) (sigma C) st).
Proof.
  split; [apply greedy_able|]. intros U. destruct (greedy_counts U st (sigma L) (sigma C)) as [H1 H2].
  assert (room (sigma L) (sigma C) U = sigma U) as E by now destruct U. rewrite E in H1. lia.
Qed.

Definition size (st : state) : nat := fold_right (fun s n => length s + n) 0 st.

Lemma size_after st m : able st m -> size (after st m) + issued L st m + issued C st m = size st.
Proof.
  induction 1 as [|s st b m Hb H IH]; [reflexivity|]. cbn [after size fold_right issued] in *.
  fold (size (after st m)) in *. fold (size st) in *.
  destruct b; cbn [andb]; [|lia]. destruct s as [|[] s]; [now elim Hb| |]; cbn [tl wants eqb length]; lia.
Qed.

Lemma done_or_wanting st : done st \/ exists U, 0 < wanting U st.
Proof.
  induction st as [|s st [IH|[U IH]]]; [left; constructor| |].
  - destruct s as [|X s]; [left; now constructor|]. right. exists X. cbn. rewrite eqb_refl. lia.
  - right. exists U. cbn. lia.
Qed.

(** A complete schedule exists. *)
Theorem complete st : exists ms st', run sigma st ms st' /\ done st'.
Proof.
  remember (size st) as n eqn:E. revert st E.
  induction n as [n IH] using lt_wf_ind; intros st E.
  destruct (done_or_wanting st) as [Hd|[U Hw]]; [exists [], st; split; [constructor|assumption]|].
  set (m := greedy (sigma L) (sigma C) st). pose proof (greedy_legal st) as Hl. fold m in Hl.
  assert (size (after st m) < n) as Hlt.
  { destruct Hl as [Ha _]. pose proof (size_after st m Ha).
    destruct (greedy_counts U st (sigma L) (sigma C)) as [H1 _]. fold m in H1.
    pose proof (sigma_pos L). pose proof (sigma_pos C). destruct U; cbn [room] in H1; lia. }
  destruct (IH _ Hlt (after st m) eq_refl) as (ms & st' & Hr & Hd). exists (m :: ms), st'.
  split; [constructor; assumption|assumption].
Qed.

(** Schedules can be put one after the other. *)
Lemma run_app st ms st1 ms' st2 : run sigma st ms st1 -> run sigma st1 ms' st2 -> run sigma st (ms ++ ms') st2.
Proof. induction 1; cbn; [auto|]. intros. constructor; auto. Qed.

(** Every schedule is the beginning of a complete one. *)
Theorem extends st ms st' : run sigma st ms st' ->
  exists more st2, run sigma st (ms ++ more) st2 /\ done st2.
Proof.
  intros H. destruct (complete st') as (more & st2 & Hr & Hd). exists more, st2.
  split; [eapply run_app; eassumption|assumption].
Qed.
End Progress.
