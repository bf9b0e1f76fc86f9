(** How many warps of the blocks hold two letters U in a row in one of their segments. It never grows, and with it the
    price c of a switch of the followed warp stays enough. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.

(** Warp i of the block has two letters U in a row in what is left of its segment at hand or in a later one. *)
Definition double_at (U : letter) (b : block) (i : nat) : bool :=
  existsb (fun row => double U (nth i row [])) (fst b :: snd b).

Definition block_doubles (U : letter) (b : block) : nat :=
  length (filter (double_at U b) (seq 0 (length (fst b)))).

Fixpoint all_doubles (U : letter) (bs : list block) : nat :=
  match bs with [] => 0 | b :: bs => block_doubles U b + all_doubles U bs end.

Lemma filter_le {A} (f g : A -> bool) l : (forall x, f x = true -> g x = true) ->
  length (filter f l) <= length (filter g l).
Proof.
  intros H. induction l as [|x l IH]; [reflexivity|]. cbn [filter].
  destruct (f x) eqn:E; [rewrite (H x E); cbn [length]; lia|]. destruct (g x); cbn [length]; lia.
Qed.

Lemma doubles_seq U st : forall n (f : nat -> bool), (forall i, f (n + i) = double U (nth i st [])) ->
  doubles U st = length (filter f (seq n (length st))).
Proof.
  induction st as [|s st IH]; intros n f Hf; [reflexivity|]. cbn [doubles length seq filter].
  pose proof (Hf 0) as H0. rewrite Nat.add_0_r in H0. cbn [nth] in H0. rewrite H0.
  rewrite (IH (S n) f).
  - destruct (double U s); reflexivity.
  - intros i. replace (S n + i) with (n + S i) by lia. apply Hf.
Qed.

Lemma doubles_block U b : doubles U (fst b) <= block_doubles U b.
Proof.
  rewrite (doubles_seq U (fst b) 0 (fun i => double U (nth i (fst b) []))) by reflexivity.
  apply filter_le. intros i H. unfold double_at. cbn [existsb]. now rewrite H.
Qed.

Lemma doubles_flat U bs : doubles U (flat bs) <= all_doubles U bs.
Proof.
  induction bs as [|b bs IH]; [reflexivity|]. cbn [flat flat_map all_doubles]. fold (flat bs).
  rewrite doubles_app. pose proof (doubles_block U b). lia.
Qed.

Lemma double_tl U s : double U s = false -> double U (tl s) = false.
Proof. destruct s; [auto|]. cbn [double tl]. now intros H%orb_false_iff. Qed.

Lemma double_after U st m i : double U (nth i (after st m) []) = true -> double U (nth i st []) = true.
Proof.
  revert m i; induction st as [|s st IH]; intros [|b m] i; cbn [after]; try (destruct i; discriminate).
  destruct i as [|i]; cbn [nth]; [|apply IH].
  destruct b; [|auto]. intros H. destruct (double U s) eqn:E; [reflexivity|]. now rewrite double_tl in H.
Qed.

Lemma double_release U cur later i : double_at U (release cur later) i = true -> double_at U (cur, later) i = true.
Proof.
  revert cur; induction later as [|row later IH]; intros cur; cbn [release]; [auto|].
  destruct (all_done cur); [|auto]. intros H. specialize (IH row H). unfold double_at in *.
  cbn [fst snd existsb] in *. rewrite IH. apply orb_true_r.
Qed.

(** No cycle adds to it. *)
Lemma all_doubles_bafter U bs ms : fits bs ms -> Forall wf bs -> all_doubles U (bafter bs ms) <= all_doubles U bs.
Proof.
  induction 1 as [|[cur later] m bs ms Hl H IH]; intros Hw; [reflexivity|].
  inversion Hw as [|? ? W1 W2]; subst. cbn [bafter all_doubles fst snd] in *. specialize (IH W2).
  assert (Forall (fun row => length row = length (after cur m)) later) as W4
    by (rewrite after_length by assumption; exact W1).
  destruct (release_wf _ _ W4) as (_ & L5 & _).
  enough (block_doubles U (release (after cur m) later) <= block_doubles U (cur, later)) by lia.
  unfold block_doubles. rewrite L5, after_length by assumption. cbn [fst].
  apply filter_le. intros i Hi. apply double_release in Hi. unfold double_at in *. cbn [fst snd existsb] in *.
  apply orb_true_iff in Hi. apply orb_true_iff. destruct Hi as [Hi|Hi]; [left|now right]. eapply double_after, Hi.
Qed.

Section Enough.
Variable sigma : letter -> nat.
Variables (worth kappa c : letter -> Z).
Hypothesis c_pos : forall U, (0 <= c U)%Z.

(** [c X] is enough for a switch from X to Y, whichever warp is followed: in a cycle in which Y is not full, of the other
    warps at most sigma_Y - 1 issue Y, and only those with YY in a segment lose anything. *)
Definition enough_for (bs : list block) : Prop := forall X,
  (Z.of_nat (min (sigma (other X) - 1) (min (length (flat bs) - 1) (all_doubles (other X) bs)))
    * (kappa X - worth (other X)) <= c X)%Z.

Lemma scale_le n n' e b : n <= n' -> (0 <= b -> Z.of_nat n' * e <= b -> Z.of_nat n * e <= b)%Z.
Proof. intros Hn Hb H. destruct (Z.le_gt_cases e 0); nia. Qed.

Lemma enough_beside cur later rest i : enough_for ((cur, later) :: rest) -> i < length cur ->
  enough sigma worth kappa c (others i cur ++ flat rest).
Proof.
  intros H Hi X. specialize (H X). revert H. apply scale_le; [|apply c_pos].
  cbn [flat flat_map fst all_doubles]. fold (flat rest). rewrite doubles_app, app_length.
  pose proof (doubles_le (other X) (others i cur)) as D1. rewrite others_length in D1 by assumption.
  pose proof (doubles_le (other X) (flat rest)). pose proof (doubles_others (other X) i cur).
  pose proof (doubles_block (other X) (cur, later)) as D2. cbn [fst] in D2. pose proof (doubles_flat (other X) rest). lia.
Qed.

Lemma enough_bafter bs ms : fits bs ms -> Forall wf bs -> enough_for bs -> enough_for (bafter bs ms).
Proof.
  intros Hf Hw H X. specialize (H X). revert H. apply scale_le; [|apply c_pos].
  destruct (bafter_wf bs ms Hf Hw) as [_ ->]. pose proof (all_doubles_bafter (other X) bs ms Hf Hw). lia.
Qed.

(** Which block comes first does not matter. *)
Lemma all_doubles_front U p bs : p < length bs -> all_doubles U (front p ([], []) bs) = all_doubles U bs.
Proof.
  unfold front; revert bs; induction p as [|p IH]; intros [|b bs] Hp; cbn [length] in *; try lia; [reflexivity|].
  specialize (IH bs ltac:(lia)). cbn [nth others all_doubles] in *. lia.
Qed.

Lemma enough_front p bs : p < length bs -> enough_for bs -> enough_for (front p ([], []) bs).
Proof. intros Hp H X. rewrite flat_front, all_doubles_front by assumption. apply H. Qed.
End Enough.
