(** Two warps at sigma 1, of one kernel or of two: the worst case is a longest path over the pairs of positions
    (docs/closed-form.md, section 4, W = 2). *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Exact Require Import Blocks Busy.

(** On equal letters one of the two issues, and the schedule chooses which; on unequal letters both do. *)
Fixpoint path (s : string) : string -> nat :=
  fix to t := match s, t with
    | [], _ => length t
    | _, [] => length s
    | X :: s', Y :: t' => if eqb X Y then S (max (path s' t) (to t')) else S (path s' t')
    end.

Lemma path_nil_l t : path [] t = length t.
Proof. now destruct t. Qed.
Lemma path_nil_r s : path s [] = length s.
Proof. now destruct s. Qed.
Lemma path_cons X s Y t : path (X :: s) (Y :: t) =
  if eqb X Y then S (max (path s (Y :: t)) (path (X :: s) t)) else S (path s t).
Proof. reflexivity. Qed.

Lemma makespan_step m ms : makespan (m :: ms) <= S (makespan ms).
Proof.
  unfold makespan. cbn [last_cycle]. destruct (0 <? _); [lia|]. destruct (existsb _ m); lia.
Qed.

Lemma legal_two s t m : legal one [s; t] m ->
  exists b1 b2, m = [b1; b2] /\ (b1 = true -> s <> []) /\ (b2 = true -> t <> []) /\
  (s = [] -> t <> [] -> b2 = true) /\ (t = [] -> s <> [] -> b1 = true) /\
  (forall X s' Y t', s = X :: s' -> t = Y :: t' -> if eqb X Y then b1 = negb b2 else b1 = true /\ b2 = true).
Proof.
  intros [Ha Hc]. pose proof (able_length _ _ Ha) as Hl. destruct m as [|b1 [|b2 [|]]]; try discriminate.
  apply able_inv in Ha. destruct Ha as [H1 Ha]. apply able_inv in Ha. destruct Ha as [H2 _].
  exists b1, b2. repeat split; auto.
  - intros -> Ht. destruct t as [|Y t]; [congruence|]. destruct (Hc Y) as [_ Hw]. destruct b2; [reflexivity|].
    unfold one in Hw. cbn in Hw. rewrite eqb_refl, !andb_false_r in Hw. cbn in Hw. lia.
  - intros -> Hs. destruct s as [|X s]; [congruence|]. destruct (Hc X) as [_ Hw]. destruct b1; [reflexivity|].
    unfold one in Hw. cbn in Hw. rewrite eqb_refl, !andb_false_r in Hw. cbn in Hw. lia.
  - intros X s' Y t' -> ->. pose proof (Hc L) as HL. pose proof (Hc C) as HC. unfold one in *.
    destruct X, Y, b1, b2; cbn in *; try lia; try split; try reflexivity; lia.
Qed.

Lemma done_makespan ms : forall st', run one [[]; []] ms st' -> makespan ms = 0.
Proof.
  induction ms as [|m ms IH]; intros st' H; [reflexivity|]. inversion H as [|? ? ? ? Hm Hr]; subst.
  destruct (legal_two _ _ _ Hm) as (b1 & b2 & -> & H1 & H2 & _).
  destruct b1; [now elim H1|]. destruct b2; [now elim H2|]. cbn in Hr.
  unfold makespan in *. cbn [last_cycle]. now rewrite (IH _ Hr).
Qed.

Lemma pair_upper ms : forall s t st', run one [s; t] ms st' -> makespan ms <= path s t.
Proof.
  induction ms as [|m ms IH]; intros s t st' H; [unfold makespan; cbn [last_cycle]; lia|].
  destruct s as [|X s], t as [|Y t]; [rewrite (done_makespan _ _ H); lia| | |];
    inversion H as [|? ? ? ? Hm Hr]; subst; pose proof (makespan_step m ms) as Hs;
    destruct (legal_two _ _ _ Hm) as (b1 & b2 & -> & H1 & H2 & H3 & H4 & H5); cbn [after tl] in Hr.
  - destruct b1; [now elim H1|]. rewrite H3 in Hr by (reflexivity || discriminate).
    specialize (IH _ _ _ Hr). rewrite path_nil_l in *. cbn [length]. lia.
  - destruct b2; [now elim H2|]. rewrite H4 in Hr by (reflexivity || discriminate).
    specialize (IH _ _ _ Hr). rewrite path_nil_r in *. cbn [length]. lia.
  - specialize (H5 X s Y t eq_refl eq_refl). rewrite path_cons. destruct (eqb X Y).
    + subst b1. destruct b2; cbn [negb] in Hr; specialize (IH _ _ _ Hr); lia.
    + destruct H5 as [-> ->]. specialize (IH _ _ _ Hr). lia.
Qed.

Lemma two_cycle X s t b1 b2 : (b1 = true -> s <> []) -> (b2 = true -> t <> []) ->
  issued X [s; t] [b1; b2] = 1 ->
  (issued (other X) [s; t] [b1; b2] = 1 \/
   issued (other X) [s; t] [b1; b2] = 0 /\ waiting (other X) [s; t] [b1; b2] = 0) ->
  busy [s; t] 1 [if b1 then tl s else s; if b2 then tl t else t].
Proof.
  intros H1 H2 H3 H4. apply (busy_cons _ [b1; b2]).
  - apply (legal_one X); auto. repeat constructor; assumption.
  - destruct b1, b2; try reflexivity. cbn in H3. lia.
  - apply busy_nil.
Qed.

Lemma pair_lower : forall n s t, length s + length t <= n -> busy [s; t] (path s t) [[]; []].
Proof.
  induction n as [|n IH]; intros s t Hn.
  { destruct s, t; cbn in Hn; try lia. apply busy_nil. }
  destruct s as [|X s], t as [|Y t]; [apply busy_nil| | |]; cbn in Hn.
  - rewrite path_nil_l. cbn [length]. rewrite <- path_nil_l. destruct (eqb_other Y) as [E1 E2].
    eapply (busy_trans _ 1); [|apply IH; cbn; lia].
    apply (two_cycle Y [] (Y :: t) false true); try discriminate; cbn; rewrite ?eqb_refl, ?E1; auto.
  - rewrite path_nil_r. cbn [length]. rewrite <- path_nil_r. destruct (eqb_other X) as [E1 E2].
    eapply (busy_trans _ 1); [|apply IH; cbn; lia].
    apply (two_cycle X (X :: s) [] true false); try discriminate; cbn; rewrite ?eqb_refl, ?E1; auto.
  - rewrite path_cons. destruct (letter_cases X Y) as [->| ->]; destruct (eqb_other X) as [E1 E2].
    + rewrite eqb_refl.
      destruct (Nat.max_spec (path s (X :: t)) (path (X :: s) t)) as [[_ ->]|[_ ->]].
      * eapply (busy_trans _ 1); [|apply IH; cbn; lia].
        apply (two_cycle X (X :: s) (X :: t) false true); try discriminate; cbn; rewrite ?eqb_refl, ?E1; auto.
      * eapply (busy_trans _ 1); [|apply IH; cbn; lia].
        apply (two_cycle X (X :: s) (X :: t) true false); try discriminate; cbn; rewrite ?eqb_refl, ?E1; auto.
    + rewrite E2. eapply (busy_trans _ 1); [|apply IH; cbn; lia].
      apply (two_cycle X (X :: s) (other X :: t) true true); try discriminate; cbn; rewrite ?eqb_refl, ?E1, ?E2; auto.
Qed.

(** The worst case of two warps at sigma 1, of one kernel or of two, is the longest path. *)
Theorem exact_two s t : worst_case one [s; t] (path s t).
Proof.
  split.
  - intros ms st'. apply pair_upper.
  - destruct (busy_run _ _ _ (pair_lower _ s t (Nat.le_refl _))) as (ms & Hr & Hm).
    exists ms, [[]; []]. split; [exact Hr|]. split; [repeat constructor|exact Hm].
Qed.
