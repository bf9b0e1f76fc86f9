(** The upper half of a certificate: a bound that computes, and the proof that it is one. For each group it is the least of
    the critical path and of the phase bounds for the thetas offered. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Bounds Require Import CriticalPath.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Checker Require Import Instance Rows.
Local Open Scope Z_scope.

Section Upper.
Variables (sL sC : nat).
Let sigma := units sL sC.

(** The scale, for theta = th / N: N = sigma_L sigma_C q, so that all weights are integers. *)
Variables (q th : Z).
Let N := Z.of_nat sL * Z.of_nat sC * q.
Definition wt (U : letter) : Z := match U with L => Z.of_nat sC * q | C => Z.of_nat sL * q end.
Let slow := if (sL <=? sC)%nat then L else C.
Let fast := other slow.
Let kap := kappa slow th wt.

Definition valid : bool :=
  (0 <? N) && (wt fast <=? th) && (th <=? wt slow).

Definition rows (n : nat) (gs : list group) : list (group * list (Z * Z)) :=
  map (fun g => (g, row wt kap n (fst g))) gs.

Definition total_row (n : nat) (rs : list (group * list (Z * Z))) : list (Z * Z) :=
  fold_right (fun p t => add_rows (Z.of_N (snd (fst p))) (snd p) t) (repeat (0, 0) (S n)) rs.

(** Warps with two fast letters in a row; c for a warp of group g counts the others. *)
Definition twice (s : string) : Z := if double fast s then 1 else 0.
Definition zdoubles (gs : list group) : Z := fold_right (fun g t => Z.of_N (snd g) * twice (fst g) + t) 0 gs.
Definition c_of (d : Z) (s : string) : Z :=
  Z.min (Z.of_nat (sigma fast) - 1) (d - twice s) * (th - wt fast).

(** The bound for a warp of group g. *)
Definition phase_of (d : Z) (tot : list (Z * Z)) (p : group * list (Z * Z)) : Z :=
  let '((x, _), own) := p in
  let cx := c_of d x in
  let c A := if eqb A slow then cx else 0 in
  let left m X := pick X (nth m tot (0, 0)) - pick X (nth m own (0, 0)) in
  let wait := match x with
    | [] => 0
    | X :: _ => switches c x + match changes x with
                | O => left O X
                | S r => Z.max (left (S r) X) (left r (other X) - c X - N * first_run x)
                end
    end in
  zlength x + wait / N.

(** One bound for each group. *)
Definition phases (gs : list group) : list Z :=
  let n := most_changes gs in
  let rs := rows n gs in
  let tot := total_row n rs in
  let d := zdoubles gs in
  map (phase_of d tot) rs.

(** * Proof *)
Lemma valid_spec : valid = true ->
  0 < N /\ (forall U, Z.of_nat (sigma U) * wt U = N) /\ (sigma slow <= sigma fast)%nat /\
  wt fast <= th <= wt slow.
Proof.
  unfold valid. rewrite !andb_true_iff, Z.ltb_lt, !Z.leb_le. intros [[H1 H2] H3].
  repeat split; auto.
  - intros []; unfold N, sigma, units, wt; ring.
  - unfold fast, slow. destruct (Nat.leb_spec sL sC); cbn; lia.
Qed.

Lemma earned_expand r X gs :
  earned wt kap (Some r) X (expand gs) = fold_right (fun g t => Z.of_N (snd g) * earns wt kap (Some r) X (fst g) + t) 0 gs.
Proof.
  induction gs as [|[s n] gs IH]; [reflexivity|]. cbn [expand flat_map fold_right fst snd] in *.
  fold (expand gs). rewrite <- IH. rewrite <- (N2Nat.id n) at 2. rewrite nat_N_Z.
  induction (N.to_nat n) as [|j IHj]; [reflexivity|]. cbn [repeat app earned]. rewrite IHj. lia.
Qed.

Lemma total_row_nth n gs : length (total_row n (rows n gs)) = S n /\
  forall m X, (m <= n)%nat -> pick X (nth m (total_row n (rows n gs)) (0, 0)) = earned wt kap (Some m) X (expand gs).
Proof.
  induction gs as [|g gs [IHl IH]].
  - cbn [rows map total_row fold_right]. rewrite repeat_length. split; [reflexivity|]. intros m X Hm.
    cbn [expand flat_map earned]. rewrite nth_repeat. destruct X; reflexivity.
  - cbn [rows map total_row fold_right fst snd]. fold (rows n gs). fold (total_row n (rows n gs)).
    assert (length (row wt kap n (fst g)) = S n) as Hr
      by (rewrite row_spec, map_length, seq_length; reflexivity).
    split; [rewrite add_rows_length; lia|]. intros m X Hm.
    rewrite add_rows_nth by lia. rewrite row_nth, IH by assumption.
    rewrite !earned_expand. reflexivity.
Qed.

Lemma doubles_expand gs : zdoubles gs = Z.of_nat (doubles fast (expand gs)).
Proof.
  induction gs as [|[s n] gs IH]; [reflexivity|]. cbn [zdoubles fold_right expand flat_map fst snd].
  fold (zdoubles gs). fold (expand gs). rewrite IH. rewrite <- (N2Nat.id n) at 1. rewrite nat_N_Z. clear IH.
  unfold twice. induction (N.to_nat n) as [|j IHj]; [cbn [repeat app]; lia|].
  cbn [repeat app doubles]. destruct (double fast s); lia.
Qed.

Lemma twice_others i st : (i < length st)%nat ->
  Z.of_nat (doubles fast (others i st)) = Z.of_nat (doubles fast st) - twice (nth i st []).
Proof.
  unfold twice. revert i; induction st as [|s st IH]; intros i Hi; cbn [length] in *; [lia|].
  destruct i as [|i]; cbn [others doubles nth]; [destruct (double fast s); lia|].
  rewrite Nat2Z.inj_add, IH by lia. lia.
Qed.

(** The prices of the switches of a warp with the string x. *)
Definition price (d : Z) (x : string) (A : letter) : Z := if eqb A slow then c_of d x else 0.

Lemma price_enough gs i : valid = true -> (i < length (expand gs))%nat ->
  let c := price (zdoubles gs) (nth i (expand gs) []) in
  (forall U, 0 <= c U) /\ enough sigma wt kap c (others i (expand gs)).
Proof.
  intros Hv Hi c. destruct (valid_spec Hv) as (HN & Hw & Hs & Ht).
  set (cx := c_of (zdoubles gs) (nth i (expand gs) [])).
  assert (Z.of_nat (min (sigma fast - 1) (doubles fast (others i (expand gs)))) * (th - wt fast) = cx) as Hcx.
  { unfold cx, c_of. rewrite doubles_expand, <- twice_others by assumption. f_equal.
    assert (sigma fast <> O) by (intros E0; specialize (Hw fast); rewrite E0 in Hw; lia). lia. }
  assert (0 <= cx) as Hpos by (rewrite <- Hcx; apply Z.mul_nonneg_nonneg; lia).
  split; [intros U; unfold c, price; fold cx; destruct (eqb U slow); lia|].
  intros X. unfold c, price. fold cx. unfold kap, kappa. destruct (letter_cases slow X) as [->| ->].
  - rewrite eqb_refl. fold fast. lia.
  - destruct (eqb_other slow) as [-> _]. rewrite other_other. fold fast.
    apply Z.le_trans with 0; [|lia]. apply Z.mul_nonneg_nonpos; lia.
Qed.

(** The bound in the words of Phase/Potential.v. *)
Lemma phase_of_waits gs i g : In g gs -> (i < length (expand gs))%nat -> nth i (expand gs) [] = fst g ->
  let n := most_changes gs in
  phase_of (zdoubles gs) (total_row n (rows n gs)) (g, row wt kap n (fst g)) =
    Z.of_nat (length (fst g)) + waits N wt kap (price (zdoubles gs) (fst g)) (fst g) (others i (expand gs)) / N.
Proof.
  intros Hg Hi E n. pose proof (most_changes_le g gs Hg) as Hn. fold n in Hn.
  destruct (total_row_nth n gs) as [_ Htot]. set (tot := total_row n (rows n gs)) in *.
  destruct g as [x cnt]. cbn [fst snd] in *.
  cbv beta zeta delta [phase_of]. cbn iota beta. rewrite zlength_spec. do 2 f_equal.
  unfold waits. destruct x as [|X x]; [reflexivity|].
  assert (forall m Y, (m <= n)%nat -> earned wt kap (Some m) Y (others i (expand gs)) =
    pick Y (nth m tot (0, 0)) - pick Y (nth m (row wt kap n (X :: x)) (0, 0))) as He.
  { intros m Y Hm. pose proof (earned_others wt kap (Some m) Y _ _ Hi) as Ho. rewrite E, <- Htot in Ho by assumption.
    rewrite row_nth by assumption. lia. }
  destruct (changes (X :: x)) as [|r]; rewrite !He by lia; reflexivity.
Qed.

Lemma phases_sound gs ms st' i : valid = true ->
  run sigma (expand gs) ms st' -> (i < length (expand gs))%nat ->
  forall j g, nth_error gs j = Some g -> nth i (expand gs) [] = fst g ->
  exists b, nth_error (phases gs) j = Some b /\ Z.of_nat (finish i ms) <= b.
Proof.
  intros Hv Hr Hi j g Hj Hg. destruct (valid_spec Hv) as (HN & Hw & Hs & Ht).
  set (n := most_changes gs). exists (phase_of (zdoubles gs) (total_row n (rows n gs)) (g, row wt kap n (fst g))). split.
  { unfold phases. cbv zeta. fold n. apply map_nth_error. unfold rows.
    apply (map_nth_error (fun g => (g, row wt kap n (fst g)))). exact Hj. }
  unfold n.
  rewrite (phase_of_waits gs i g (nth_error_In _ _ Hj) Hi Hg).
  destruct (run_front sigma i _ ms st' Hi Hr) as (ms' & Hr' & <-). unfold front in Hr'.
  destruct (price_enough gs i Hv Hi) as [Hc He]. rewrite Hg in *.
  pose proof (phase_bound_any_state sigma N wt kap _ HN Hw ltac:(eapply kappa_pos; eauto) ltac:(eapply kappa_le_worth; eauto) Hc _ _ _ _ He Hr') as H.
  assert (Z.of_nat (finish 0 ms') - Z.of_nat (length (fst g)) <=
    waits N wt kap (price (zdoubles gs) (fst g)) (fst g) (others i (expand gs)) / N)
    by (apply Z.div_le_lower_bound; lia). lia.
Qed.
End Upper.

(** * The bound *)
Section Bound.
Variables (sL sC : nat).
Let sigma := units sL sC.

Definition zwaits (n t : Z) (U : letter) (s : string) : Z :=
  let own := zcount U s in let sg := Z.of_nat (sigma U) in
  if (own =? 0) || (n - 1 <? sg) then 0 else (t - own) / sg.

Definition crit_of (n tL tC : Z) (g : group) : Z :=
  zlength (fst g) + zwaits n tL L (fst g) + zwaits n tC C (fst g).

Definition crits (gs : list group) : list Z :=
  let n := warps gs in let tL := ztotal L gs in let tC := ztotal C gs in map (crit_of n tL tC) gs.

Fixpoint zip_min (a b : list Z) : list Z :=
  match a, b with x :: a, y :: b => Z.min x y :: zip_min a b | _, _ => [] end.

(** A theta is offered as a fraction, numerator and denominator; [scaled] is theta times N. Thetas out of range are passed
    over. *)
Definition scaled (t : Z * Z) : Z := fst t * (Z.of_nat sL * Z.of_nat sC).

(** One bound for each group. *)
Definition finishes (gs : list group) (thetas : list (Z * Z)) : list Z :=
  fold_right (fun t l => if valid sL sC (snd t) (scaled t)
                         then zip_min (phases sL sC (snd t) (scaled t) gs) l else l) (crits gs) thetas.

Definition upper_bound (gs : list group) (thetas : list (Z * Z)) : Z :=
  fold_right Z.max 0 (finishes gs thetas).

Definition upper_check (gs : list group) (thetas : list (Z * Z)) (B : Z) : bool :=
  well_formed sL sC gs && (upper_bound gs thetas <=? B).

Definition finish_check (gs : list group) (thetas : list (Z * Z)) (j : nat) (B : Z) : bool :=
  well_formed sL sC gs && match nth_error (finishes gs thetas) j with Some b => b <=? B | None => false end.

(** * Proof *)
Lemma zip_min_nth a : forall b j x y, nth_error a j = Some x -> nth_error b j = Some y ->
  nth_error (zip_min a b) j = Some (Z.min x y).
Proof.
  induction a as [|x' a IH]; intros [|y' b] [|j] x y; cbn; try discriminate; [congruence|apply IH].
Qed.

Lemma max_ge l j b : nth_error l j = Some b -> b <= fold_right Z.max 0 l.
Proof.
  revert j; induction l as [|x l IH]; intros [|j]; cbn; try discriminate.
  - intros [= ->]. lia.
  - intros H. specialize (IH j H). lia.
Qed.

Lemma finishes_sound gs thetas ms st' i j g : well_formed sL sC gs = true ->
  run sigma (expand gs) ms st' -> (i < length (expand gs))%nat ->
  nth_error gs j = Some g -> nth i (expand gs) [] = fst g ->
  exists b, nth_error (finishes gs thetas) j = Some b /\ Z.of_nat (finish i ms) <= b.
Proof.
  unfold well_formed. rewrite !andb_true_iff, !Nat.ltb_lt. intros [[HL HC] _] Hr Hi Hj E.
  induction thetas as [|t thetas IH]; cbn [finishes fold_right].
  - exists (crit_of (warps gs) (ztotal L gs) (ztotal C gs) g). split; [apply map_nth_error, Hj|].
    assert (forall U, 0 < sigma U)%nat as Hs by (intros []; assumption).
    pose proof (critical_path sigma _ _ _ i Hs Hr Hi) as H. cbv zeta in H. rewrite E in H.
    unfold crit_of. rewrite zlength_spec.
    assert (forall U, zwaits (warps gs) (ztotal U gs) U (fst g) =
                      Z.of_nat (waits_on sigma U (fst g) (others i (expand gs)))) as Hz2.
    { intros U. unfold zwaits, waits_on. rewrite ztotal_spec, zcount_spec, warps_expand.
      rewrite others_length by assumption.
      pose proof (total_others U _ i Hi) as T. rewrite E in T.
      destruct (Nat.eqb_spec (count U (fst g)) 0), (Z.eqb_spec (Z.of_nat (count U (fst g))) 0);
        try lia; cbn [orb]; try reflexivity.
      destruct (Nat.ltb_spec (length (expand gs) - 1) (sigma U)),
        (Z.ltb_spec (Z.of_nat (length (expand gs)) - 1) (Z.of_nat (sigma U))); try lia; try reflexivity.
      rewrite Nat2Z.inj_div. f_equal. lia. }
    rewrite !Hz2. lia.
  - fold (finishes gs thetas). destruct IH as (b & Hb & Hle).
    destruct (valid sL sC (snd t) (scaled t)) eqn:Hv; [|eauto].
    destruct (phases_sound sL sC _ _ gs ms st' i Hv Hr Hi j g Hj E) as (b' & Hb' & Hle').
    exists (Z.min b' b). split; [apply zip_min_nth; assumption|lia].
Qed.

(** No schedule takes more cycles than the bound. *)
Theorem upper_sound gs thetas B : upper_check gs thetas B = true -> bounded sL sC gs B.
Proof.
  unfold upper_check. rewrite andb_true_iff, Z.leb_le. intros [Hw HB] ms st' Hr.
  assert (forall l, 0 <= fold_right Z.max 0 l) as H0 by (induction l; cbn; lia).
  specialize (H0 (finishes gs thetas)). fold (upper_bound gs thetas) in H0.
  enough (makespan ms <= Z.to_nat (upper_bound gs thetas))%nat by lia.
  apply (makespan_le sigma _ _ _ _ Hr). intros i Hi.
  destruct (in_expand i gs Hi) as (g & Hg & E). destruct (In_nth_error _ _ Hg) as (j & Hj).
  destruct (finishes_sound gs thetas ms st' i j g Hw Hr Hi Hj E) as (b & Hb & Hle).
  apply max_ge in Hb. unfold upper_bound in *. lia.
Qed.

(** No warp of group j finishes later than the group's bound. *)
Theorem finish_sound gs thetas j B : finish_check gs thetas j B = true -> group_bounded sL sC gs j B.
Proof.
  unfold finish_check. rewrite andb_true_iff. intros [Hw HB] g ms st' i Hj Hr Hi E.
  destruct (finishes_sound gs thetas ms st' i j g Hw Hr Hi Hj E) as (b & Hb & Hle).
  rewrite Hb in HB. lia.
Qed.
End Bound.
