(** One kernel at sigma_L = sigma_C = 1 (docs/closed-form.md, section 4): the rate is a = the sum over the maximal alternating
    blocks of ceil(l/2), and T(W) <= I + (W-1) a. Schedule.v shows that this is attained for W >= 3. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.

(** sigma_L = sigma_C = 1. *)
Definition one : letter -> nat := fun _ => 1.

(** The lengths of the blocks: the string is cut between every two equal neighbours. *)
Fixpoint blocks (s : string) : list nat :=
  match s with
  | [] => []
  | X :: s => match blocks s with
              | l :: ls => if wants (other X) s then S l :: ls else 1 :: l :: ls
              | [] => [1]
              end
  end.

Definition ceil2 (l : nat) : nat := (l + 1) / 2.

Definition a (s : string) : nat := sum (map ceil2 (blocks s)).

(** * Upper half: at sigma 1 the rate of the phase bound is this sum over the blocks *)

Local Notation R1 := (earns (fun _ => 1%Z) (fun _ => 1%Z) None).

Lemma blocks_cons X s : exists l ls, blocks (X :: s) = S l :: ls.
Proof.
  revert X; induction s as [|U s IH]; intros X; [now exists 0, []|].
  destruct (IH U) as (l & ls & E). cbn [blocks] in *. rewrite E.
  destruct (wants (other X) (U :: s)); eauto.
Qed.

Lemma ceil2_SS l : ceil2 (S (S l)) = S (ceil2 l).
Proof. unfold ceil2. replace (S (S l) + 1) with (l + 1 + 1 * 2) by lia. rewrite Nat.div_add; lia. Qed.

Lemma R1_blocks X s l ls : blocks (X :: s) = l :: ls ->
  R1 X (X :: s) = Z.of_nat (ceil2 l + sum (map ceil2 ls)) /\
  R1 (other X) (X :: s) = Z.of_nat (l / 2 + sum (map ceil2 ls)).
Proof.
  revert X l ls; induction s as [|U s IH]; intros X l ls E.
  - injection E as <- <-. destruct X; split; reflexivity.
  - destruct (blocks_cons U s) as (l' & ls' & E').
    destruct (IH U _ _ E') as [I1 I2].
    assert (R1 X (X :: U :: s) = 1 + R1 X (U :: s) /\
            R1 (other X) (X :: U :: s) = Z.max (R1 X (U :: s)) (R1 (other X) (U :: s)))%Z as [F1 F2].
    { pose proof (change (fun _ => 1%Z) (fun _ => 1%Z) ltac:(lia) None X (U :: s)) as H. cbn [more option_map] in H.
      change (R1 X (X :: U :: s)) with
        (Z.max (earn (fun _ => 1%Z) X X + R1 X (U :: s))
               (earn (fun _ => 1%Z) (other X) X + R1 (other X) (U :: s) - 1))%Z.
      change (R1 (other X) (X :: U :: s)) with
        (Z.max (earn (fun _ => 1%Z) (other X) X + R1 (other X) (U :: s))
               (earn (fun _ => 1%Z) (other (other X)) X + R1 (other (other X)) (U :: s) - 1))%Z.
      rewrite other_other. unfold earn. rewrite eqb_refl. destruct (eqb_other X) as [-> _].
      cbv beta in *. lia. }
    rewrite F1, F2. clear F1 F2.
    change (blocks (X :: U :: s)) with
      (match blocks (U :: s) with
       | l :: ls => if wants (other X) (U :: s) then S l :: ls else 1 :: l :: ls
       | [] => [1] end) in E. rewrite E' in E. cbn [wants] in E.
    assert (l' / 2 <= ceil2 l')%nat as Hd by (unfold ceil2; apply Nat.div_le_mono; lia).
    assert (S l' / 2 <= ceil2 (S l'))%nat as Hd' by (unfold ceil2; apply Nat.div_le_mono; lia).
    assert (ceil2 l' = S l' / 2) as Hs by (unfold ceil2; f_equal; lia).
    destruct (letter_cases X U) as [->| ->].
    + destruct (eqb_other X) as [E1 _]. rewrite E1 in E. injection E as <- <-.
      rewrite I1, I2. cbn [map sum]. change (ceil2 1) with 1. change (1 / 2) with 0. lia.
    + rewrite eqb_refl in E. injection E as <- <-.
      rewrite other_other in I2. rewrite I1, I2, ceil2_SS.
      replace (S (S l') / 2) with (ceil2 (S l')) by (unfold ceil2; f_equal; lia). lia.
Qed.

Lemma rate_blocks s : rate (fun _ => 1%Z) (fun _ => 1%Z) s = Z.of_nat (a s).
Proof.
  destruct s as [|X s]; [reflexivity|]. unfold a, rate.
  destruct (blocks_cons X s) as (l & ls & E). destruct (R1_blocks X s _ _ E) as [H1 H2].
  rewrite E. cbn [map sum].
  assert (S l / 2 <= ceil2 (S l))%nat by (unfold ceil2; apply Nat.div_le_mono; lia).
  destruct X; cbn [other] in H2; rewrite H1, H2; lia.
Qed.

Lemma switches_zero x : switches (fun _ => 0%Z) x = 0%Z.
Proof. induction x as [|X x IH]; [reflexivity|]. cbn [switches]. rewrite IH. destruct wants; reflexivity. Qed.

(** Any mix of kernels at sigma 1: every warp w finishes by I_w + the sum of the others' a. *)
Theorem sigma_one_any_mix st ms st' i : run one st ms st' -> i < length st ->
  finish i ms <= length (nth i st []) + sum (map a (others i st)).
Proof.
  intros Hr Hi.
  pose proof (phase_bound_weights one 1 (fun _ => 1%Z) (fun _ => 1%Z) (fun _ => 0%Z)
    ltac:(lia) ltac:(reflexivity) ltac:(lia) ltac:(lia) ltac:(lia) st ms st' i) as H.
  rewrite switches_zero in H.
  assert (rates (fun _ => 1%Z) (fun _ => 1%Z) (others i st)
          = Z.of_nat (sum (map a (others i st)))) as E.
  { unfold rates. generalize (others i st). induction l as [|v vs IH]; [reflexivity|].
    cbn [map sumZ sum]. rewrite IH, rate_blocks. lia. }
  rewrite E in H. enough (enough one (fun _ => 1%Z) (fun _ => 1%Z) (fun _ => 0%Z) (others i st)) as He by
    (specialize (H He Hr Hi); lia).
  intros X. cbn. lia.
Qed.

Lemma sum_map_repeat (f : string -> nat) s n : sum (map f (repeat s n)) = n * f s.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [repeat map sum]. rewrite IH. lia. Qed.

(** One kernel on W warps at sigma 1. *)
Theorem sigma_one_upper s W ms st' : run one (repeat s W) ms st' -> makespan ms <= length s + (W - 1) * a s.
Proof.
  intros Hr. apply makespan_le with one (repeat s W) st'; [assumption|].
  intros i Hi. rewrite repeat_length in Hi.
  pose proof (sigma_one_any_mix _ _ _ i Hr ltac:(rewrite repeat_length; assumption)) as H.
  rewrite others_repeat, nth_repeat_lt, sum_map_repeat in H by assumption. exact H.
Qed.
