(** The potential of the phase bound (docs/closed-form.md, section 3): what the followed warp can still wait. One number
    that falls by at least 1 in every cycle in which that warp waits, and never rises. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Bounds Require Import Descent.
From Warpspan.Phase Require Import Labellings Earnings.
Local Open Scope Z_scope.

Section Potential.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.

Notation earned := (earned worth kappa).
Notation rates := (rates worth kappa).
Notation enough := (enough sigma worth kappa c).

(** Of the followed warp: its changes of letter, what they cost, and the length of its first run. *)
Fixpoint changes (x : string) : nat :=
  match x with X :: x => (if wants (other X) x then 1 else 0) + changes x | [] => 0 end.

Fixpoint switches (x : string) : Z :=
  match x with X :: x => (if wants (other X) x then c X else 0) + switches x | [] => 0 end.

Fixpoint first_run (x : string) : Z :=
  match x with X :: x => 1 + (if wants X x then first_run x else 0) | [] => 0 end.

(** The potential: what the followed warp x can still wait beside the warps vs, times N. With as many changes of label
    for the others as x has changes of letter left; one fewer with the label that x does not want. *)
Definition waits (x : string) (vs : state) : Z :=
  match x with
  | [] => 0
  | X :: _ =>
    switches x +
    match changes x with
    | O => earned (Some O) X vs
    | S r => Z.max (earned (Some (S r)) X vs) (earned (Some r) (other X) vs - c X - N * first_run x)
    end
  end.

Lemma switches_pos x : 0 <= switches x.
Proof.
  induction x as [|X x IH]; [reflexivity|].
  cbn [switches]. pose proof (c_pos X). destruct (wants (other X) x); lia.
Qed.

Lemma first_run_pos x : 0 <= first_run x.
Proof. induction x as [|X x IH]; cbn [first_run]; [lia|]. destruct (wants X x); lia. Qed.

Lemma first_run_one X x : 1 <= first_run (X :: x).
Proof. cbn [first_run]. pose proof (first_run_pos x). destruct (wants X x); lia. Qed.

Lemma waits_pos x vs : 0 <= waits x vs.
Proof.
  destruct x as [|X x]; [reflexivity|]. unfold waits. pose proof (switches_pos (X :: x)).
  destruct (changes (X :: x)) as [|r]; [pose proof (earned_pos worth kappa kappa_pos kappa_le (Some O) X vs)|pose proof (earned_pos worth kappa kappa_pos kappa_le (Some (S r)) X vs)]; lia.
Qed.

(** In every cycle the potential falls by N, or does not rise and the followed warp issues. *)
Lemma waits_step x vs b m : x <> [] -> enough vs -> legal sigma (x :: vs) (b :: m) ->
  (if b then 0 else N) + waits (if b then tl x else x) (after vs m) <= waits x vs.
Proof.
  intros Hx He Hm. destruct x as [|X x]; [congruence|].
  pose proof (fun r => cycle_same sigma N worth kappa N_pos worth_unit kappa_pos kappa_le (Some r) X x vs b m Hm) as HX.
  assert (forall r, earned (Some r) (other X) (after vs m) <=
    Z.max (earned (Some r) (other X) vs - N) (earned (Some (S r)) X vs + c X)) as HY.
  { intros r. pose proof (cycle_other sigma N worth kappa c worth_unit kappa_pos kappa_le c_pos (Some r) X x vs b m He Hm).
    pose proof (head_range sigma N worth kappa worth_unit kappa_pos kappa_le X). cbn [more option_map] in *.
    destruct b; lia. }
  destruct b; cbn [tl].
  - (* it issues *)
    destruct x as [|U x]; [apply waits_pos|]. unfold waits.
    pose proof (first_run_pos (U :: x)) as Hf.
    assert (0 <= N * first_run (U :: x)) as Hn by nia.
    change (changes (X :: U :: x)) with ((if eqb (other X) U then 1 else 0) + changes (U :: x))%nat.
    change (switches (X :: U :: x)) with ((if eqb (other X) U then c X else 0) + switches (U :: x)).
    change (first_run (X :: U :: x)) with (1 + (if eqb X U then first_run (U :: x) else 0)).
    destruct (letter_cases X U) as [->| ->].
    + (* X again *)
      destruct (eqb_other X) as [-> _]. rewrite eqb_refl, Z.mul_add_distr_l. cbn [Nat.add].
      destruct (changes (X :: x)) as [|r]; [specialize (HX O); lia|].
      specialize (HX (S r)). specialize (HY r). lia.
    + (* a switch to Y *)
      destruct (eqb_other X) as [_ ->]. rewrite eqb_refl, other_other, Z.mul_add_distr_l.
      pose proof (c_pos X). pose proof (c_pos (other X)). cbn [Nat.add].
      destruct (changes (other X :: x)) as [|r]; [specialize (HY O); lia|].
      specialize (HY (S r)). specialize (HX r). pose proof (earned_more worth kappa (Some r) X vs).
      pose proof (earned_more worth kappa (Some (S r)) X vs). cbn [more option_map] in *. lia.
  - (* it waits *)
    unfold waits. pose proof (first_run_one X x).
    assert (N * 1 <= N * first_run (X :: x)) by (apply Z.mul_le_mono_nonneg_l; lia).
    destruct (changes (X :: x)) as [|r]; [specialize (HX O); lia|].
    specialize (HX (S r)). specialize (HY r). lia.
Qed.

(** The phase bound in its sharpest form, from any state: the first warp finishes by its letters and its potential. *)
Theorem phase_bound_any_state ms x vs st' : enough vs -> run sigma (x :: vs) ms st' ->
  N * Z.of_nat (finish 0 ms) <= N * Z.of_nat (length x) + waits x vs.
Proof.
  intros He Hr.
  apply (descent sigma N enough (fun x vs => N * Z.of_nat (length x) + waits x vs))
    with st'; auto; clear - N_pos worth_unit kappa_pos kappa_le c_pos.
  - intros vs m _ H. revert H. apply enough_fewer; [assumption|]. intros U. apply doubles_after.
  - intros x vs _. pose proof (waits_pos x vs). nia.
  - intros x vs b m Hx He Hm. pose proof (waits_step x vs b m Hx He Hm) as H. cbv beta.
    destruct x as [|X x]; [congruence|]. destruct b; cbn [tl length] in *; [|lia].
    rewrite Nat2Z.inj_succ. nia.
Qed.

Lemma waits_le x vs : waits x vs <= switches x + rates vs.
Proof.
  pose proof (fun b X => earned_rates worth kappa b X vs) as H.
  destruct x as [|X x].
  { pose proof (earned_pos worth kappa kappa_pos kappa_le None L vs). pose proof (H None L). cbn [waits switches]. lia. }
  assert (0 <= N * first_run (X :: x)) by (pose proof (first_run_pos (X :: x)); nia).
  pose proof (c_pos X). unfold waits. destruct (changes (X :: x)) as [|r].
  - pose proof (H (Some O) X). lia.
  - pose proof (H (Some (S r)) X). pose proof (H (Some r) (other X)). lia.
Qed.

(** Without the limit on changes: finish(w) <= I_w + what the switches of w cost + the sum of the others' rates. *)
Lemma phase_bound_weights st ms st' i : enough (others i st) -> run sigma st ms st' ->
  (i < length st)%nat ->
  N * Z.of_nat (finish i ms) <=
    N * Z.of_nat (length (nth i st [])) + switches (nth i st []) + rates (others i st).
Proof.
  intros He Hr Hi. destruct (run_front sigma i st ms st' Hi Hr) as (ms' & Hr' & <-).
  pose proof (phase_bound_any_state ms' _ _ _ He Hr') as H.
  pose proof (waits_le (nth i st []) (others i st)). lia.
Qed.

End Potential.

