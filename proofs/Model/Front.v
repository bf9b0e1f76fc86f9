(** Warps have no order: a statement about the first warp is one about every warp. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.

(** * One warp to the front *)

(** All but the w-th, and the w-th before all others. *)
Fixpoint others {A} (w : nat) (l : list A) : list A :=
  match l, w with
  | [], _ => []
  | _ :: l, 0 => l
  | a :: l, S w => a :: others w l
  end.

Definition front {A} (w : nat) (d : A) (l : list A) : list A := nth w l d :: others w l.

Lemma others_length {A} i (l : list A) : i < length l -> length (others i l) = length l - 1.
Proof.
  revert i; induction l as [|a l IH]; intros i Hi; cbn [length] in *; [lia|].
  destruct i as [|i]; cbn [others length]; [lia|]. rewrite IH; lia.
Qed.

Lemma others_Forall {A} (P : A -> Prop) i l : Forall P l -> Forall P (others i l).
Proof.
  intros H; revert i; induction H as [|a l Ha H IH]; intros [|i]; cbn [others]; auto.
Qed.

Lemma issued_front U w st m : w < length st -> length m = length st ->
  issued U (front w [] st) (front w false m) = issued U st m.
Proof.
  unfold front; revert st m; induction w as [|w IH]; intros [|s st] [|b m] Hw Hl;
    cbn [length] in *; try lia; [reflexivity|].
  specialize (IH st m ltac:(lia) ltac:(lia)). cbn [issued nth others] in *.
  rewrite <- IH, !Nat.add_assoc. f_equal. apply Nat.add_comm.
Qed.

Lemma waiting_front U w st m : w < length st -> length m = length st ->
  waiting U (front w [] st) (front w false m) = waiting U st m.
Proof.
  unfold front; revert st m; induction w as [|w IH]; intros [|s st] [|b m] Hw Hl;
    cbn [length] in *; try lia; [reflexivity|].
  specialize (IH st m ltac:(lia) ltac:(lia)). cbn [waiting nth others] in *.
  rewrite <- IH, !Nat.add_assoc. f_equal. apply Nat.add_comm.
Qed.

Lemma after_front w st m : w < length st -> length m = length st ->
  after (front w [] st) (front w false m) = front w [] (after st m).
Proof.
  unfold front; revert st m; induction w as [|w IH]; intros [|s st] [|b m] Hw Hl;
    cbn [length] in *; try lia; [reflexivity|].
  specialize (IH st m ltac:(lia) ltac:(lia)). cbn [after nth others] in *.
  injection IH as H1 H2. rewrite H1, H2. reflexivity.
Qed.

Lemma able_front w st m : w < length st -> able st m -> able (front w [] st) (front w false m).
Proof.
  unfold front; intros Hw H; revert w Hw.
  induction H as [|s st b m Hb H IH]; intros w Hw; cbn [length] in *; try lia.
  destruct w as [|w]; [now constructor|].
  specialize (IH w ltac:(lia)). inversion IH; subst. repeat constructor; auto.
Qed.

Section Front.
Variable sigma : letter -> nat.
Notation legal := (legal sigma).
Notation run := (run sigma).

Lemma legal_front w st m : w < length st -> legal st m -> legal (front w [] st) (front w false m).
Proof.
  intros Hw [Ha Hc]. pose proof (able_length _ _ Ha) as Hl.
  split; [now apply able_front|]. intros U.
  rewrite issued_front, waiting_front by assumption. apply Hc.
Qed.

Lemma run_front w st ms st' : w < length st -> run st ms st' ->
  exists ms', run (front w [] st) ms' (front w [] st') /\ finish 0 ms' = finish w ms.
Proof.
  intros Hw H; induction H as [st|st m ms st' Hm H IH].
  - exists []. split; [constructor|reflexivity].
  - destruct Hm as [Ha Hc] eqn:E; clear E. pose proof (able_length _ _ Ha) as Hl.
    destruct IH as (ms' & Hr & Hf); [rewrite after_length; assumption|].
    exists (front w false m :: ms'). split.
    + constructor; [apply legal_front; assumption|].
      rewrite after_front; assumption.
    + unfold finish in *. simpl. rewrite Hf. reflexivity.
Qed.

(** The makespan is the finish of some warp. *)
Lemma makespan_le st ms st' B : run st ms st' ->
  (forall w, w < length st -> finish w ms <= B) -> makespan ms <= B.
Proof.
  intros H; revert B; induction H as [st|st m ms st' Hm H IH]; intros B HB; [apply Nat.le_0_l|].
  destruct Hm as [Ha _]. pose proof (able_length _ _ Ha) as Hl.
  rewrite after_length in IH by assumption.
  unfold makespan; simpl. fold (makespan ms).
  destruct (0 <? makespan ms) eqn:E.
  - apply Nat.ltb_lt in E.
    destruct (makespan ms) as [|k] eqn:Ek; [lia|].
    assert (~ (forall w, w < length st -> finish w ms <= k)) as Hn.
    { intros Hk. specialize (IH k Hk). lia. }
    assert (exists w, w < length st /\ S k <= finish w ms) as (w & Hw & Hf).
    { clear - Hn. assert (forall N, (forall w, w < N -> finish w ms <= k) \/
        exists w, w < N /\ S k <= finish w ms) as D.
      { induction N as [|N [HN|(w & Hw & Hf)]].
        - left; lia.
        - destruct (le_gt_dec (finish N ms) k) as [Hle|Hgt].
          + left. intros w Hw. destruct (Nat.eq_dec w N); [subst; assumption|apply HN; lia].
          + right. exists N. lia.
        - right. exists w. lia. }
      destruct (D (length st)); [contradiction|assumption]. }
    specialize (HB w Hw). unfold finish in *. simpl in HB.
    destruct (0 <? last_cycle (fun m => nth w m false) ms) eqn:E2; [lia|].
    apply Nat.ltb_ge in E2. lia.
  - destruct (existsb (fun b => b) m) eqn:Ex; [|lia].
    apply existsb_exists in Ex. destruct Ex as (b & Hin & Hb); subst b.
    destruct (In_nth m true false Hin) as (w & Hw & Hn).
    rewrite Hl in Hw. specialize (HB w Hw). unfold finish in HB. simpl in HB.
    rewrite Hn in HB. destruct (0 <? last_cycle (fun m => nth w m false) ms); lia.
Qed.

End Front.

(** * Equal warps *)

Lemma others_repeat {A} (s : A) w n : w < n -> others w (repeat s n) = repeat s (n - 1).
Proof.
  revert w; induction n as [|n IH]; intros w Hw; [lia|].
  replace (S n - 1) with n by lia. cbn [repeat others].
  destruct w as [|w]; cbn [others]; [reflexivity|]. rewrite IH by lia.
  destruct n; [lia|]. cbn [repeat]. now replace (S n - 1) with n by lia.
Qed.
