(** Facts of blocks: lists of warps, a warp or a block to the front, what stays so from cycle to cycle. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Barriers Require Import BlockRuns.
Local Open Scope Z_scope.

(** * Facts of lists: warp i of the first block to the front *)

Lemma others_app {A} i (a b : list A) : (i < length a)%nat -> others i (a ++ b) = others i a ++ b.
Proof.
  revert i; induction a as [|x a IH]; intros i Hi; cbn [length] in *; [lia|].
  destruct i as [|i]; cbn [others app]; [reflexivity|]. rewrite IH by lia. reflexivity.
Qed.

Lemma after_app a b ma mb : length ma = length a -> after (a ++ b) (ma ++ mb) = after a ma ++ after b mb.
Proof.
  revert ma; induction a as [|x a IH]; intros [|m ma] H; cbn [length] in *; try lia; [reflexivity|].
  cbn [app after]. rewrite IH by lia. reflexivity.
Qed.

Lemma after_others i cur m : (i < length cur)%nat -> length m = length cur ->
  after (others i cur) (others i m) = others i (after cur m).
Proof.
  revert i m; induction cur as [|x cur IH]; intros i [|b m] Hi Hl; cbn [length] in *; try lia.
  destruct i as [|i]; cbn [others after]; [reflexivity|]. rewrite IH by lia. reflexivity.
Qed.

Lemma after_nth i cur m : (i < length cur)%nat -> length m = length cur ->
  nth i (after cur m) [] = if nth i m false then tl (nth i cur []) else nth i cur [].
Proof.
  revert i m; induction cur as [|x cur IH]; intros i [|b m] Hi Hl; cbn [length] in *; try lia.
  destruct i as [|i]; cbn [after nth]; [reflexivity|]. apply IH; lia.
Qed.

Lemma all_done_nth i cur : all_done cur = true -> nth i cur [] = [].
Proof.
  revert i; induction cur as [|x cur IH]; intros [|i] H; cbn in *; try reflexivity;
    destruct x; try discriminate; auto.
Qed.

Lemma not_done_nth cur : all_done cur = false -> exists i, (i < length cur)%nat /\ nth i cur [] <> [].
Proof.
  induction cur as [|x cur IH]; [discriminate|]. cbn. destruct x as [|X x].
  - intros H. destruct (IH H) as (i & Hi & Hn). exists (S i). cbn. split; [lia|assumption].
  - intros _. exists O. cbn. split; [lia|discriminate].
Qed.

Lemma all_done_others i cur : all_done cur = true -> all_done (others i cur) = true.
Proof.
  revert i; induction cur as [|x cur IH]; intros i H; [now destruct i|]. cbn in H. destruct x; [|discriminate].
  destruct i; cbn [others]; [exact H|]. cbn. now apply IH.
Qed.

Lemma release_wf cur later : Forall (fun row => length row = length cur) later ->
  wf (release cur later) /\ length (fst (release cur later)) = length cur /\ settled (release cur later).
Proof.
  revert cur; induction later as [|row later IH]; intros cur H; cbn [release].
  - repeat split. constructor.
  - inversion H as [|? ? Hr Hl]; subst. destruct (all_done cur) eqn:E.
    + destruct (IH row) as (W & Lr & S1); [now rewrite Hr|]. rewrite Hr in Lr. auto.
    + split; [exact H|]. split; [reflexivity|]. intros F. cbn [fst] in F. congruence.
Qed.

Lemma bafter_wf bs ms : fits bs ms -> Forall wf bs ->
  Forall wf (bafter bs ms) /\ length (flat (bafter bs ms)) = length (flat bs).
Proof.
  induction 1 as [|[cur later] m bs ms Hl H IH]; intros Hw; [split; [constructor|reflexivity]|].
  inversion Hw as [|? ? W1 W2]; subst. cbn [bafter fst snd flat flat_map] in *.
  fold (flat bs) (flat (bafter bs ms)). destruct (IH W2) as [W3 L3]. fold (flat bs) (flat (bafter bs ms)) in L3.
  assert (Forall (fun row => length row = length (after cur m)) later) as W4
    by (rewrite after_length by assumption; exact W1).
  destruct (release_wf _ _ W4) as (W5 & L5 & _). split; [constructor; assumption|].
  rewrite !app_length, L3, L5, after_length by assumption. reflexivity.
Qed.

Lemma idle cur m : able cur m -> all_done cur = true -> existsb (fun b => b) m = false /\ after cur m = cur.
Proof.
  induction 1 as [|s cur b m Hb H IH]; [auto|]. cbn. destruct s; [|discriminate]. intros Hd.
  destruct (IH Hd) as [H1 H2]. destruct b; [now elim Hb|]. cbn. rewrite H1, H2. auto.
Qed.

(** * Any block to the front *)

Lemma issued_app U a b ma mb : length ma = length a ->
  issued U (a ++ b) (ma ++ mb) = (issued U a ma + issued U b mb)%nat.
Proof.
  revert ma; induction a as [|s a IH]; intros [|m ma] H; cbn [length] in *; try lia; [reflexivity|].
  cbn [app issued]. rewrite IH by lia. lia.
Qed.

Lemma waiting_app U a b ma mb : length ma = length a ->
  waiting U (a ++ b) (ma ++ mb) = (waiting U a ma + waiting U b mb)%nat.
Proof.
  revert ma; induction a as [|s a IH]; intros [|m ma] H; cbn [length] in *; try lia; [reflexivity|].
  cbn [app waiting]. rewrite IH by lia. lia.
Qed.

Lemma able_app_iff a b ma mb : length ma = length a ->
  able (a ++ b) (ma ++ mb) <-> able a ma /\ able b mb.
Proof.
  revert ma; induction a as [|s a IH]; intros [|m ma] H; cbn [length] in *; try lia.
  - cbn [app]. split; [intros; split; [constructor|assumption]|tauto].
  - cbn [app]. split.
    + intros Hab. apply able_inv in Hab. destruct Hab as [H1 H2]. apply IH in H2; [|lia].
      destruct H2. split; [constructor; assumption|assumption].
    + intros [Hab Hb]. apply able_inv in Hab. destruct Hab as [H1 H2]. constructor; [assumption|].
      apply IH; [lia|tauto].
Qed.

Fixpoint bsum (f : state -> cycle -> nat) (bs : list block) (ms : list cycle) : nat :=
  match bs, ms with b :: bs, m :: ms => (f (fst b) m + bsum f bs ms)%nat | _, _ => O end.

Lemma bsum_front f p bs ms : (p < length bs)%nat -> length ms = length bs ->
  bsum f (front p ([], []) bs) (front p [] ms) = bsum f bs ms.
Proof.
  unfold front; revert bs ms; induction p as [|p IH]; intros [|b bs] [|m ms] Hp Hl;
    cbn [length] in *; try lia; [reflexivity|].
  specialize (IH bs ms ltac:(lia) ltac:(lia)). cbn [bsum nth others] in *. lia.
Qed.

Lemma flat_sums bs ms : fits bs ms -> forall U,
  issued U (flat bs) (concat ms) = bsum (issued U) bs ms /\
  waiting U (flat bs) (concat ms) = bsum (waiting U) bs ms.
Proof.
  induction 1 as [|b m bs ms Hl H IH]; intros U; [split; reflexivity|].
  cbn [flat flat_map concat bsum]. fold (flat bs). rewrite issued_app, waiting_app by assumption.
  destruct (IH U) as [-> ->]. split; reflexivity.
Qed.

Lemma flat_able bs ms : fits bs ms ->
  able (flat bs) (concat ms) <-> Forall2 (fun b m => able (fst b) m) bs ms.
Proof.
  induction 1 as [|b m bs ms Hl H IH]; [split; constructor|].
  cbn [flat flat_map concat]. fold (flat bs). rewrite able_app_iff by assumption. rewrite IH.
  split; [intros [? ?]; now constructor|inversion 1; tauto].
Qed.

Lemma Forall2_front {A B} (P : A -> B -> Prop) p a0 b0 l m : (p < length l)%nat ->
  Forall2 P l m -> Forall2 P (front p a0 l) (front p b0 m).
Proof.
  intros Hp H; revert p Hp; induction H as [|a b l m Hab H IH]; intros p Hp; cbn [length] in *; [lia|].
  destruct p as [|p]; [now constructor|]. specialize (IH p ltac:(lia)). unfold front in *.
  inversion IH; subst. repeat constructor; assumption.
Qed.

Lemma front_bafter p bs ms : (p < length bs)%nat -> length ms = length bs ->
  bafter (front p ([], []) bs) (front p [] ms) = front p ([], []) (bafter bs ms).
Proof.
  unfold front; revert bs ms; induction p as [|p IH]; intros [|b bs] [|m ms] Hp Hl;
    cbn [length] in *; try lia; [reflexivity|].
  specialize (IH bs ms ltac:(lia) ltac:(lia)). cbn [bafter nth others] in *.
  injection IH as H1 H2. rewrite H1, H2. reflexivity.
Qed.

Lemma bafter_length bs ms : length ms = length bs -> length (bafter bs ms) = length bs.
Proof.
  revert ms; induction bs as [|b bs IH]; intros [|m ms] H; cbn in *; try lia. rewrite IH; lia.
Qed.

Lemma sumZ_front {A} (f : A -> Z) p a0 l : (p < length l)%nat ->
  sumZ (map f (front p a0 l)) = sumZ (map f l).
Proof.
  unfold front; revert l; induction p as [|p IH]; intros [|a l] Hp; cbn [length] in *; try lia; [reflexivity|].
  specialize (IH l ltac:(lia)). cbn [nth others map sumZ] in *. lia.
Qed.

Lemma Forall_front {A} (P : A -> Prop) p a0 l : (p < length l)%nat -> Forall P l -> Forall P (front p a0 l).
Proof.
  intros Hp H. constructor; [|now apply others_Forall]. rewrite Forall_forall in H. apply H. now apply nth_In.
Qed.

Lemma flat_length bs : Z.of_nat (length (flat bs)) = sumZ (map (fun b => Z.of_nat (length (fst b))) bs).
Proof.
  induction bs as [|b bs IH]; [reflexivity|]. cbn [flat flat_map map sumZ]. fold (flat bs).
  rewrite app_length. lia.
Qed.

Lemma flat_front p bs : (p < length bs)%nat -> length (flat (front p ([], []) bs)) = length (flat bs).
Proof.
  intros Hp. pose proof (flat_length bs) as H1. pose proof (flat_length (front p ([], []) bs)) as H2.
  rewrite sumZ_front in H2 by assumption. lia.
Qed.

Section Runs.
Variable sigma : letter -> nat.
Notation legal := (legal sigma).
Notation brun := (brun sigma).

Lemma brun_front p bs mss bs' : (p < length bs)%nat -> brun bs mss bs' ->
  brun (front p ([], []) bs) (map (front p []) mss) (front p ([], []) bs') /\
  first_finish (map (front p []) mss) = block_finish p mss.
Proof.
  intros Hp H; induction H as [bs|bs ms mss bs' Hf Hl Hr IH]; [split; [constructor|reflexivity]|].
  assert (length ms = length bs) as Hlen by (clear - Hf; induction Hf; cbn; lia).
  destruct IH as [I1 I2]; [now rewrite bafter_length|].
  pose proof (Forall2_front _ p ([], []) [] _ _ Hp Hf) as Hf'.
  split.
  - cbn [map]. constructor.
    + exact Hf'.
    + destruct Hl as [Ha Hc]. split.
      * apply flat_able; [exact Hf'|]. apply Forall2_front; [assumption|]. now apply flat_able.
      * intros U. specialize (Hc U). destruct (flat_sums _ _ Hf U) as [E1 E2].
        destruct (flat_sums _ _ Hf' U) as [E1' E2']. rewrite E1', E2', !bsum_front by assumption.
        rewrite E1, E2 in Hc. exact Hc.
    + rewrite front_bafter by assumption. exact I1.
  - cbn [map first_finish block_finish]. rewrite I2. reflexivity.
Qed.

End Runs.
