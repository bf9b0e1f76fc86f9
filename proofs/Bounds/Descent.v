(** The one principle by which upper bounds are proved here: follow a warp, and give a potential that falls by one in
    every cycle before the warp has finished. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.

Section Descent.
Variable sigma : letter -> nat.

(** Follow the first warp. If the potential [f] falls by at least [N] in every cycle before that warp has finished, and
    is never negative, then the warp finishes within f / N cycles. [Inv] is an invariant of the other warps. *)
Lemma descent (N : Z) (Inv : state -> Prop) (f : string -> state -> Z) :
  (0 < N)%Z ->
  (forall vs m, length m = length vs -> Inv vs -> Inv (after vs m)) ->
  (forall x vs, Inv vs -> (0 <= f x vs)%Z) ->
  (forall x vs b m, x <> [] -> Inv vs -> legal sigma (x :: vs) (b :: m) ->
     (N + f (if b then tl x else x) (after vs m) <= f x vs)%Z) ->
  forall ms x vs st', Inv vs -> run sigma (x :: vs) ms st' ->
     (N * Z.of_nat (finish 0 ms) <= f x vs)%Z.
Proof.
  intros HN HI H0 Hstep. induction ms as [|m ms IH]; intros x vs st' Hi Hr.
  - change (N * 0 <= f x vs)%Z. rewrite Z.mul_0_r. auto.
  - inversion Hr as [|? ? ? ? Hm Hr']; subst; clear Hr.
    destruct m as [|b m]; [destruct Hm as [Ha _]; inversion Ha|].
    assert (Hl : length m = length vs)
      by (destruct Hm as [Ha _]; apply able_length in Ha; cbn in Ha; lia).
    cbn [after] in Hr'.
    specialize (IH _ _ _ (HI vs m Hl Hi) Hr').
    unfold finish in *. cbn [last_cycle nth].
    set (t := last_cycle (fun m => nth 0 m false) ms) in *.
    destruct x as [|X x].
    + (* already done: it never issues *)
      assert (Hb : b = false).
      { destruct Hm as [Ha _]. eapply able_done, Ha. }
      subst b. assert (Ht : t = 0).
      { clear - Hr'. subst t. remember ([] :: after vs m) as st eqn:E.
        revert E. generalize (after vs m) as us.
        induction Hr' as [|st m' ms st' Hm Hr IH]; intros us E; [reflexivity|].
        subst st. destruct Hm as [Ha _]. destruct m' as [|b m']; [inversion Ha|].
        rewrite (able_done _ _ _ Ha) in *. cbn in *. now rewrite (IH _ eq_refl). }
      rewrite Ht. change (N * 0 <= f [] vs)%Z. rewrite Z.mul_0_r. auto.
    + specialize (Hstep (X :: x) vs b m ltac:(discriminate) Hi Hm).
      clearbody t. destruct b; cbn [tl] in *; destruct (0 <? t) eqn:E; try lia;
        apply Nat.ltb_ge in E; replace t with 0 in * by lia; lia.
Qed.

End Descent.
