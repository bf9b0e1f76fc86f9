(** What several warps earn together, and what one work-conserving cycle does to it. This is the step that the phase
    bound, the bound with barriers and the relay theorem have in common. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings.
Local Open Scope Z_scope.

(** Two letters U follow one another in s. *)
Fixpoint double (U : letter) (s : string) : bool :=
  match s with [] => false | V :: s => (eqb U V && wants U s) || double U s end.

(** How many of the warps have two letters U in a row. *)
Fixpoint doubles (U : letter) (vs : state) : nat :=
  match vs with [] => O | v :: vs => ((if double U v then 1 else 0) + doubles U vs)%nat end.

Lemma doubles_after U vs m : (doubles U (after vs m) <= doubles U vs)%nat.
Proof.
  revert m; induction vs as [|s vs IH]; intros [|b m]; cbn [after doubles]; try lia. specialize (IH m).
  destruct b; [|lia]. destruct s as [|V s]; [cbn; lia|]. cbn [tl double].
  destruct (eqb U V && wants U s), (double U s); cbn; lia.
Qed.

Lemma doubles_le U vs : (doubles U vs <= length vs)%nat.
Proof. induction vs as [|v vs IH]; cbn [doubles length]; [lia|]. destruct (double U v); lia. Qed.

Lemma doubles_app U us vs : doubles U (us ++ vs) = (doubles U us + doubles U vs)%nat.
Proof. induction us as [|u us IH]; [reflexivity|]. cbn [app doubles]. lia. Qed.

Lemma doubles_others U i st : (doubles U (others i st) <= doubles U st)%nat.
Proof.
  revert i; induction st as [|s st IH]; intros [|i]; cbn [others doubles]; try lia. specialize (IH i). lia.
Qed.

Fixpoint sumZ (l : list Z) : Z := match l with [] => 0 | a :: l => a + sumZ l end.

Lemma sumZ_app l l' : sumZ (l ++ l') = sumZ l + sumZ l'.
Proof. induction l as [|a l IH]; cbn [app sumZ]; lia. Qed.

Section Earnings.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.

Notation earns := (earns worth kappa).
Notation rate := (rate worth kappa).

Lemma worth_range U : 0 <= worth U <= N.
Proof.
  pose proof (kappa_pos U). pose proof (kappa_le U). pose proof (worth_unit U) as E.
  destruct (sigma U) as [|j]; [cbn in E; lia|]. rewrite Nat2Z.inj_succ in E. nia.
Qed.

(** What the warps earn together if all have the label X before them. *)
Fixpoint earned (b : budget) (X : letter) (vs : state) : Z :=
  match vs with [] => 0 | v :: vs => earns b X v + earned b X vs end.

(** The sum of the rates. *)
Definition rates (vs : state) : Z := sumZ (map rate vs).

Lemma earned_pos b X vs : 0 <= earned b X vs.
Proof.
  induction vs as [|v vs IH]; [reflexivity|]. cbn [earned].
  pose proof (earns_pos worth kappa kappa_pos kappa_le b X v). lia.
Qed.

Lemma earned_more b X vs : earned b X vs <= earned (more b) X vs.
Proof.
  induction vs as [|v vs IH]; [reflexivity|]. cbn [earned].
  pose proof (earns_more worth kappa b X v). lia.
Qed.

Lemma earned_app b X us vs : earned b X (us ++ vs) = earned b X us + earned b X vs.
Proof. induction us as [|u us IH]; cbn [app earned]; lia. Qed.

Lemma earned_others b X st i : (i < length st)%nat ->
  earned b X st = earns b X (nth i st []) + earned b X (others i st).
Proof.
  revert i; induction st as [|s st IH]; intros i Hi; cbn [length] in *; [lia|].
  destruct i as [|i]; cbn [others earned nth]; [lia|]. rewrite (IH i) by lia. lia.
Qed.

Lemma earned_rates b X vs : earned b X vs <= rates vs.
Proof.
  unfold rates. induction vs as [|v vs IH]; cbn [earned map sumZ]; [lia|].
  pose proof (earns_rate worth kappa b X v). lia.
Qed.

Lemma earns_le_length b X s : earns b X s <= N * Z.of_nat (length s).
Proof.
  enough (forall Y, earns None Y s <= N * Z.of_nat (length s)) as H
    by (pose proof (earns_unlimited worth kappa b X s); specialize (H X); lia).
  induction s as [|U s IH]; intros Y; [cbn; lia|]. cbn [Labellings.earns length].
  pose proof (IH Y). pose proof (IH (other Y)). pose proof (kappa_pos Y). pose proof (worth_range U).
  unfold earn. destruct (eqb Y U), (eqb (other Y) U); lia.
Qed.

Lemma rate_le_length s : rate s <= N * Z.of_nat (length s).
Proof.
  pose proof (earns_le_length None L s). pose proof (earns_le_length None C s). unfold Labellings.rate. lia.
Qed.

(** * One cycle *)

(** Each issue on X takes [worth X] off what is earned with the label X, and no issue adds to it. *)
Lemma earned_after b X vs m : able vs m ->
  worth X * Z.of_nat (issued X vs m) + earned b X (after vs m) <= earned b X vs.
Proof.
  induction 1 as [|s vs i m Hi H IH]; [cbn; lia|].
  cbn [issued after earned]. destruct i; cbn [andb]; [|lia].
  destruct s as [|U s]; [now elim Hi|]. cbn [tl wants].
  destruct (letter_cases X U) as [->| ->].
  - rewrite eqb_refl. pose proof (agreement worth kappa b X s). lia.
  - destruct (eqb_other X) as [_ ->]. pose proof (longer worth kappa kappa_pos kappa_le b X (other X) s). lia.
Qed.

(** If all who want Y issue, then what is earned with Y afterwards is at most what was earned with X and one change more
    before, but for the loss of the q warps that issue Y and want Y again. Those who issue X gain besides. *)
Lemma earned_cross b X vs m : able vs m -> waiting (other X) vs m = 0%nat ->
  exists q, (q <= issued (other X) vs m)%nat /\ (q <= doubles (other X) vs)%nat /\
  earned b (other X) (after vs m) + Z.of_nat (issued X vs m) * (worth X - kappa X)
    <= earned (more b) X vs + Z.of_nat q * Z.max 0 (kappa X - worth (other X)).
Proof.
  induction 1 as [|s vs i m Hi H IH]; [exists O; cbn; lia|].
  cbn [issued after earned waiting doubles]. intros Hw. destruct (IH ltac:(lia)) as (q & Q1 & Q2 & Q3).
  destruct i; cbn [negb andb] in *.
  - destruct s as [|U s]; [now elim Hi|]. cbn [tl wants double].
    destruct (letter_cases X U) as [->| ->].
    + (* it issues X *)
      rewrite eqb_refl. destruct (eqb_other X) as [-> _]. exists q. split; [lia|]. split; [lia|].
      pose proof (change worth kappa kappa_pos b X s). pose proof (agreement worth kappa (more b) X s).
      rewrite Nat2Z.inj_add. lia.
    + (* it issues Y *)
      rewrite eqb_refl. destruct (eqb_other X) as [_ ->].
      destruct (wants (other X) s) eqn:E; cbn [andb orb].
      * exists (S q). split; [lia|]. split; [lia|].
        pose proof (agreement worth kappa b (other X) s).
        pose proof (change worth kappa kappa_pos b X (other X :: s)).
        rewrite Nat2Z.inj_succ, Z.mul_succ_l. cbn [Nat.add]. lia.
      * exists q. split; [lia|]. split; [lia|].
        pose proof (not_wanted worth kappa kappa_pos kappa_le b X s E).
        pose proof (longer worth kappa kappa_pos kappa_le (more b) X (other X) s). cbn [Nat.add]. lia.
  - (* it does not issue, so it does not want Y *)
    exists q. split; [lia|]. split; [lia|].
    pose proof (not_wanted worth kappa kappa_pos kappa_le b X s) as F.
    destruct (wants (other X) s); [lia|]. specialize (F eq_refl). cbn [Nat.add]. lia.
Qed.

(** [c X] is enough for a switch of the followed warp from X to Y beside the warps [vs]: of those that issue Y in a cycle
    in which Y is not full, at most sigma_Y - 1, only those with YY in their string lose anything. *)
Definition enough (vs : state) : Prop := forall X,
  Z.of_nat (min (sigma (other X) - 1) (doubles (other X) vs)) * (kappa X - worth (other X)) <= c X.

Lemma enough_fewer us vs : (forall U, doubles U us <= doubles U vs)%nat -> enough vs -> enough us.
Proof.
  intros Hd H X. specialize (H X). specialize (Hd (other X)). pose proof (c_pos X).
  assert (Z.of_nat (min (sigma (other X) - 1) (doubles (other X) us))
          <= Z.of_nat (min (sigma (other X) - 1) (doubles (other X) vs))) as Hle by lia.
  set (e := kappa X - worth (other X)) in *. destruct (Z.le_gt_cases e 0); nia.
Qed.

(** [head X]: what the X-ready warps lose if the label changes from X; at most 1 (times N). *)
Definition head (X : letter) : Z := Z.of_nat (sigma X) * kappa X.

Lemma head_range X : 0 <= head X <= N.
Proof. unfold head. pose proof (kappa_pos X). pose proof (kappa_le X). pose proof (worth_unit X). nia. Qed.

(** A legal cycle in which the followed warp wants X, [i] telling whether it issues. What the others earn with X falls
    by N if it waits. *)
Lemma cycle_same b X x vs i m : legal sigma ((X :: x) :: vs) (i :: m) ->
  (if i then 0 else N) + earned b X (after vs m) <= earned b X vs.
Proof.
  intros Hm. destruct (legal_cons _ _ _ _ _ Hm) as (Ha & _ & Hfull & _).
  pose proof (earned_after b X vs m Ha) as HX. pose proof (worth_range X).
  destruct i; [nia|]. rewrite (Hfull X eq_refl (eqb_refl X)) in HX.
  pose proof (worth_unit X). lia.
Qed.

(** What they earn with Y falls by N, or comes down to what they earned with X, but for [c X]. *)
Lemma cycle_other b X x vs i m : enough vs -> legal sigma ((X :: x) :: vs) (i :: m) ->
  earned b (other X) (after vs m) <=
    Z.max (earned b (other X) vs - N) (earned (more b) X vs + c X - (if i then 0 else N - head X)).
Proof.
  intros He Hm. destruct (legal_cons _ _ _ _ _ Hm) as (Ha & Hcap & Hfull & Hcons).
  specialize (Hcap (other X)).
  assert (wants (other X) (X :: x) = false) as E by (cbn; apply eqb_other).
  specialize (Hcons (other X) E). pose proof (c_pos X). pose proof (kappa_le X).
  destruct (Nat.eq_dec (issued (other X) vs m) (sigma (other X))) as [Hf|Hf].
  - (* Y is full *)
    pose proof (earned_after b (other X) vs m Ha) as HY. rewrite Hf in HY.
    pose proof (worth_unit (other X)). lia.
  - (* Y is not full, so all who want Y issue *)
    destruct (earned_cross b X vs m Ha ltac:(lia)) as (q & Q1 & Q2 & Q3). specialize (He X).
    assert (Z.of_nat q <= Z.of_nat (min (sigma (other X) - 1) (doubles (other X) vs))) by lia.
    assert (Z.of_nat q * Z.max 0 (kappa X - worth (other X)) <= c X) by nia.
    destruct i; [nia|]. rewrite (Hfull X eq_refl (eqb_refl X)) in Q3.
    pose proof (worth_unit X). unfold head. lia.
Qed.
End Earnings.
