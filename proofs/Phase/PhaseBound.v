(** The phase bound in the words of docs/closed-form.md, section 3: any whole sigma, any mix of kernels, any theta. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
Local Open Scope Z_scope.

(** [slow] is a unit whose sigma is not the larger one, and [fast] is the other. Labels cost kappa_fast = 1/sigma_fast and
    kappa_slow = theta, where theta is any number from 1/sigma_fast to 1/sigma_slow. All are multiplied by N. *)
Section PhaseBound.
Variable sigma : letter -> nat.
Variable slow : letter.
Let fast := other slow.
Variables (N theta : Z) (worth : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis slow_fast : (sigma slow <= sigma fast)%nat.
Hypothesis theta_range : worth fast <= theta <= worth slow.

Definition kappa (A : letter) : Z := if eqb A slow then theta else worth fast.

(** What a switch of the followed warp from a slow to a fast letter may cost beside the warps [vs]:
    c = min(sigma_fast - 1, d) (theta - 1/sigma_fast), d being how many of them hold two fast letters in a row. It is 0 at
    equal sigmas, where theta = 1/sigma_fast. *)
Definition c_beside (vs : state) : Z :=
  Z.of_nat (min (sigma fast - 1) (doubles fast vs)) * (theta - worth fast).

Definition cost (vs : state) (A : letter) : Z := if eqb A slow then c_beside vs else 0.

(** The simpler c, one for all warps of the state: min(sigma_fast - 1, W - 1) (theta - 1/sigma_fast), or 0 if no string
    holds two fast letters in a row. *)
Definition c_of (st : state) : Z :=
  if existsb (double fast) st
  then Z.of_nat (min (sigma fast - 1) (length st - 1)) * (theta - worth fast)
  else 0.

(** n(s): the number of places where a slow letter is followed by a fast one. *)
Fixpoint slow_to_fast (s : string) : Z :=
  match s with
  | X :: s => (if eqb X slow && wants fast s then 1 else 0) + slow_to_fast s
  | [] => 0
  end.

Lemma slow_to_fast_pos s : 0 <= slow_to_fast s.
Proof. induction s as [|X s IH]; cbn [slow_to_fast]; [lia|]. destruct (_ && _); lia. Qed.

Lemma worth_slow_fast : worth fast <= worth slow /\ 0 <= worth fast /\ 0 <= worth slow.
Proof.
  pose proof (worth_unit slow) as H1. pose proof (worth_unit fast) as H2.
  assert (0 <= worth fast) by nia. assert (0 <= worth slow) by nia. repeat split; auto. nia.
Qed.

Lemma kappa_pos U : 0 <= kappa U.
Proof. unfold kappa. pose proof worth_slow_fast. destruct (eqb U slow); lia. Qed.

Lemma kappa_le_worth U : kappa U <= worth U.
Proof.
  unfold kappa. destruct (letter_cases slow U) as [->| ->].
  - rewrite eqb_refl. lia.
  - destruct (eqb_other slow) as [-> _]. unfold fast. lia.
Qed.

Lemma c_beside_pos vs : 0 <= c_beside vs.
Proof. unfold c_beside. nia. Qed.

Lemma cost_pos vs U : 0 <= cost vs U.
Proof. unfold cost. pose proof (c_beside_pos vs). destruct (eqb U slow); lia. Qed.

Lemma cost_enough vs : enough sigma worth kappa (cost vs) vs.
Proof.
  intros X. unfold cost, kappa. destruct (letter_cases slow X) as [->| ->].
  - rewrite eqb_refl. fold fast. unfold c_beside. lia.
  - destruct (eqb_other slow) as [-> _]. rewrite other_other. pose proof worth_slow_fast. nia.
Qed.

Lemma switches_cost vs s : switches (cost vs) s = slow_to_fast s * c_beside vs.
Proof.
  induction s as [|X s IH]; [reflexivity|]. cbn [switches slow_to_fast]. rewrite IH. unfold cost.
  destruct (letter_cases slow X) as [->| ->].
  - rewrite eqb_refl. fold fast. cbn [andb]. destruct (wants fast s); lia.
  - destruct (eqb_other slow) as [-> _]. cbn [andb]. destruct (wants (other (other slow)) s); lia.
Qed.

(** Theorem 1 of docs/closed-form.md, times N: every warp w finishes by I_w + n(s_w) c + the sum, over the other warps v,
    of a(s_v). *)
Theorem phase_bound st ms st' i : run sigma st ms st' -> (i < length st)%nat ->
  let s := nth i st [] in let vs := others i st in
  N * Z.of_nat (finish i ms) <= N * Z.of_nat (length s) + slow_to_fast s * c_beside vs + rates worth kappa vs.
Proof.
  intros Hr Hi s vs. unfold s. rewrite <- switches_cost.
  apply (phase_bound_weights sigma N worth kappa (cost vs)) with st'; auto using kappa_pos, kappa_le_worth, cost_pos.
  apply cost_enough.
Qed.

(** The simpler c is not smaller. *)
Lemma doubles_none st : existsb (double fast) st = false -> doubles fast st = O.
Proof.
  induction st as [|s st IH]; [reflexivity|]. cbn [existsb doubles]. intros [-> H]%orb_false_iff.
  now rewrite IH.
Qed.

Lemma c_of_ge st i : (i < length st)%nat -> c_beside (others i st) <= c_of st.
Proof.
  intros Hi. unfold c_beside, c_of. pose proof (doubles_le fast (others i st)) as Hd.
  rewrite others_length in Hd by assumption. pose proof (doubles_others fast i st).
  destruct (existsb (double fast) st) eqn:E; [nia|]. apply doubles_none in E.
  replace (doubles fast (others i st)) with O by lia. rewrite Nat.min_0_r. lia.
Qed.

Lemma rates_repeat k s n : rates worth k (repeat s n) = Z.of_nat n * rate worth k s.
Proof.
  induction n as [|n IH]; [reflexivity|]. unfold rates in *. cbn [repeat map sumZ]. rewrite IH. lia.
Qed.

(** One kernel on W warps: T <= I + floor((W-1) a + n c). *)
Theorem phase_bound_one_kernel s W ms st' : run sigma (repeat s W) ms st' ->
  Z.of_nat (makespan ms) <= Z.of_nat (length s)
    + (Z.of_nat (W - 1) * rate worth kappa s + slow_to_fast s * c_beside (repeat s (W - 1))) / N.
Proof.
  intros Hr. set (A := Z.of_nat (W - 1) * rate worth kappa s + slow_to_fast s * c_beside (repeat s (W - 1))).
  assert (0 <= A) as HA.
  { assert (0 <= rate worth kappa s).
    { apply rate_pos; auto using kappa_pos, kappa_le_worth. }
    pose proof (slow_to_fast_pos s). pose proof (c_beside_pos (repeat s (W - 1))). subst A. nia. }
  assert (0 <= A / N) as HB by (apply Z.div_pos; assumption).
  enough (makespan ms <= Z.to_nat (Z.of_nat (length s) + A / N))%nat by lia.
  apply (makespan_le sigma _ _ _ _ Hr). intros i Hi.
  pose proof (phase_bound _ _ _ i Hr Hi) as H. cbv zeta in H. rewrite repeat_length in Hi.
  rewrite nth_repeat_lt, others_repeat, rates_repeat in H by assumption.
  assert (Z.of_nat (finish i ms) - Z.of_nat (length s) <= A / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. subst A. lia.
Qed.
End PhaseBound.
