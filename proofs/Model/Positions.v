(** The same model told with positions: a warp of kernel [k] stands before its letter [p], counted from 0.
    Semantics.v keeps what is left of each kernel instead, which is [skipn p k]. This file restates work conservation
    with positions, word for word, and shows that the two models have the same schedules. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.

(** The number of warps whose next letter is for U and that issue (b = true) or do not (b = false). *)
Fixpoint number (U : letter) (b : bool) (ks : list string) (ps : list nat) (m : cycle) : nat :=
  match ks, ps, m with
  | k :: ks, p :: ps, b' :: m =>
    (match nth_error k p with
     | Some V => if eqb U V && Bool.eqb b b' then 1 else 0
     | None => 0 end) + number U b ks ps m
  | _, _, _ => 0
  end.

(** A warp that issues has a letter left, and the cycle speaks of all warps. *)
Fixpoint able_at (ks : list string) (ps : list nat) (m : cycle) : Prop :=
  match ks, ps, m with
  | [], [], [] => True
  | k :: ks, p :: ps, b :: m => (b = true -> nth_error k p <> None) /\ able_at ks ps m
  | _, _, _ => False
  end.

(** Who issues moves on by one letter. *)
Fixpoint advance (ps : list nat) (m : cycle) : list nat :=
  match ps, m with
  | p :: ps, b :: m => (if b then S p else p) :: advance ps m
  | _, _ => []
  end.

(** What is left at these positions. *)
Fixpoint left (ks : list string) (ps : list nat) : state :=
  match ks, ps with k :: ks, p :: ps => skipn p k :: left ks ps | _, _ => [] end.

Section Positions.
Variable sigma : letter -> nat.

(** Work conservation: at most sigma_U warps issue on U, and if a warp's next letter is for U and it does not issue,
    then exactly sigma_U warps issue on U. *)
Definition legal_at (ks : list string) (ps : list nat) (m : cycle) : Prop :=
  able_at ks ps m /\
  forall U, number U true ks ps m <= sigma U /\
            (0 < number U false ks ps m -> number U true ks ps m = sigma U).

Inductive run_at (ks : list string) : list nat -> schedule -> list nat -> Prop :=
| run_at_nil ps : run_at ks ps [] ps
| run_at_cons ps m ms ps' : legal_at ks ps m -> run_at ks (advance ps m) ms ps' ->
    run_at ks ps (m :: ms) ps'.

Lemma skipn_next U p : forall k : string,
  wants U (skipn p k) = match nth_error k p with Some V => eqb U V | None => false end.
Proof. induction p as [|p IH]; intros [|X k]; cbn; auto. Qed.

Lemma skipn_nil_iff p : forall k : string, skipn p k <> [] <-> nth_error k p <> None.
Proof. induction p as [|p IH]; intros [|X k]; cbn; try tauto; [split; discriminate|apply IH]. Qed.

Lemma tl_skipn p : forall k : string, tl (skipn p k) = skipn (S p) k.
Proof. induction p as [|p IH]; intros [|X k]; try reflexivity. cbn [skipn]. rewrite IH. now destruct k. Qed.

Lemma able_left ks : forall ps m, length ps = length ks -> (able (left ks ps) m <-> able_at ks ps m).
Proof.
  induction ks as [|k ks IH]; intros [|p ps] m Hl; cbn [length] in Hl; try lia; cbn [left].
  - destruct m; cbn [able_at]; split; intros H; solve [easy|constructor|inversion H].
  - destruct m as [|b m]; cbn [able_at]; [split; intros H; solve [easy|inversion H]|].
    rewrite <- (skipn_nil_iff p k). split.
    + intros H%able_inv. split; [apply H|]. apply IH; [lia|apply H].
    + intros [H1 H2]. constructor; [assumption|]. apply IH; [lia|assumption].
Qed.

Lemma number_left U ks : forall ps m, length ps = length ks ->
  issued U (left ks ps) m = number U true ks ps m /\ waiting U (left ks ps) m = number U false ks ps m.
Proof.
  induction ks as [|k ks IH]; intros [|p ps] [|b m] Hl; cbn [length] in Hl; try lia; try (split; reflexivity).
  destruct (IH ps m ltac:(lia)) as [H1 H2]. cbn [left issued waiting number].
  rewrite H1, H2, skipn_next. destruct (nth_error k p) as [V|]; destruct b; cbn; rewrite ?andb_true_r, ?andb_false_r; auto.
Qed.

Lemma legal_left ks ps m : length ps = length ks -> (legal sigma (left ks ps) m <-> legal_at ks ps m).
Proof.
  intros Hl. unfold legal, legal_at. rewrite able_left by assumption.
  split; intros [Ha H]; (split; [assumption|]); intros U; specialize (H U);
    destruct (number_left U ks ps m Hl) as [E1 E2]; rewrite E1, E2 in *; exact H.
Qed.

Lemma after_left ks : forall ps m, length ps = length ks -> length m = length ks ->
  after (left ks ps) m = left ks (advance ps m).
Proof.
  induction ks as [|k ks IH]; intros [|p ps] [|b m] H1 H2; cbn [length] in *; try lia; [reflexivity|].
  cbn [left after advance]. rewrite IH by lia. destruct b; [rewrite tl_skipn|]; reflexivity.
Qed.

Lemma able_at_length ks : forall ps m, able_at ks ps m -> length m = length ks.
Proof. induction ks as [|k ks IH]; intros [|p ps] [|b m]; cbn; try easy. intros [_ H]. now rewrite (IH _ _ H). Qed.

Lemma advance_length ps m : length m = length ps -> length (advance ps m) = length ps.
Proof. revert m; induction ps; intros [|b m]; cbn; intros; try lia. rewrite IHps; lia. Qed.

(** The schedules of the two models are the same. *)
Theorem runs_agree ks ms : forall ps, length ps = length ks ->
  (exists ps', run_at ks ps ms ps') <-> (exists st', run sigma (left ks ps) ms st').
Proof.
  induction ms as [|m ms IH]; intros ps Hl.
  - split; intros _; eexists; constructor.
  - assert (legal_at ks ps m -> length m = length ks) as Hm by (intros [H _]; eapply able_at_length, H).
    split; intros [x H]; inversion H as [|? ? ? ? H1 H2]; subst.
    + specialize (Hm H1). rewrite <- legal_left in H1 by assumption.
      destruct (proj1 (IH (advance ps m) ltac:(rewrite advance_length; lia)) (ex_intro _ _ H2)) as [st' Hr].
      exists st'. constructor; [assumption|]. rewrite after_left by lia. assumption.
    + rewrite legal_left in H1 by assumption. specialize (Hm H1).
      rewrite after_left in H2 by lia.
      destruct (proj2 (IH (advance ps m) ltac:(rewrite advance_length; lia)) (ex_intro _ _ H2)) as [ps' Hr].
      exists ps'. constructor; assumption.
Qed.

(** At the start all positions are 0 and all of each kernel is left. *)
Lemma left_start ks : left ks (repeat 0 (length ks)) = ks.
Proof. induction ks as [|k ks IH]; [reflexivity|]. cbn. now rewrite IH. Qed.
End Positions.
