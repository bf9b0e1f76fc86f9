(** Inserting letters never lowers the phase bound (docs/programs.md, section 5), if it is minimised over thetas with
    1/sigma_fast among them, and c is the simpler one of PhaseBound.v. So a letter that may be missing can be counted. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
Local Open Scope Z_scope.

(** [inserted s s']: s' is s with letters inserted. *)
Inductive inserted : string -> string -> Prop :=
| inserted_nil : inserted [] []
| inserted_same U s s' : inserted s s' -> inserted (U :: s) (U :: s')
| inserted_more U s s' : inserted s s' -> inserted s (U :: s').

Lemma inserted_length s s' : inserted s s' -> (length s <= length s')%nat.
Proof. induction 1; cbn [length]; lia. Qed.

Section Inserted.
Variable sigma : letter -> nat.
Variable slow : letter.
Let fast := other slow.
Variables (N : Z) (worth : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis slow_fast : (sigma slow <= sigma fast)%nat.

Lemma worth_order : 0 <= worth fast <= worth slow.
Proof.
  pose proof (worth_unit slow) as H1. pose proof (worth_unit fast) as H2.
  assert (0 <= worth fast) by nia. split; [assumption|]. destruct (Z.le_gt_cases (worth fast) (worth slow)) as [|Hgt]; [assumption|].
  exfalso. assert (0 < Z.of_nat (sigma slow)) by nia. assert (Z.of_nat (sigma slow) <= Z.of_nat (sigma fast)) as Hs by lia.
  assert (Z.of_nat (sigma slow) * worth fast <= Z.of_nat (sigma fast) * worth fast) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (Z.of_nat (sigma slow) * worth slow < Z.of_nat (sigma slow) * worth fast) by (apply Z.mul_lt_mono_pos_l; lia). lia.
Qed.

Notation in_range theta := (worth fast <= theta <= worth slow).
Notation kap theta := (kappa slow theta worth).

(** * What does not fall *)

Lemma inserted_earns theta A s s' : in_range theta -> inserted s s' ->
  earns worth (kap theta) None A s <= earns worth (kap theta) None A s'.
Proof.
  intros Ht H. revert A; induction H as [|U s s' H IH|U s s' H IH]; intros A; [reflexivity| |].
  - cbn [earns]. pose proof (IH A). pose proof (IH (other A)). lia.
  - etransitivity; [apply IH|]. apply longer.
    + intros V. now apply (kappa_pos sigma slow N theta worth N_pos worth_unit slow_fast Ht).
    + intros V. now apply (kappa_le_worth sigma slow theta worth slow_fast Ht).
Qed.

Lemma inserted_rate theta s s' : in_range theta -> inserted s s' ->
  rate worth (kap theta) s <= rate worth (kap theta) s'.
Proof.
  intros Ht H. unfold rate. pose proof (inserted_earns theta L s s' Ht H). pose proof (inserted_earns theta C s s' Ht H). lia.
Qed.

Lemma switch_second U V s : slow_to_fast slow (U :: s) <= slow_to_fast slow (U :: V :: s).
Proof.
  cbn [slow_to_fast wants]. fold fast. destruct (letter_cases slow V) as [->| ->].
  - rewrite eqb_refl. destruct (eqb_other slow) as [E _]. fold fast in E. rewrite E.
    destruct (eqb U slow), (wants fast s); cbn [andb]; lia.
  - fold fast. rewrite eqb_refl. destruct (eqb_other slow) as [E _]. fold fast in E. rewrite E.
    destruct (eqb U slow), (wants fast s); cbn [andb]; lia.
Qed.

Lemma inserted_switches s s' : inserted s s' -> slow_to_fast slow s <= slow_to_fast slow s'.
Proof.
  intros H. assert (forall U, slow_to_fast slow (U :: s) <= slow_to_fast slow (U :: s')) as Hc.
  { induction H as [|V s s' H IH|V s s' H IH]; intros U; [lia| |].
    - specialize (IH V). cbn [slow_to_fast wants] in *. lia.
    - etransitivity; [apply (IH U)|]. apply switch_second. }
  specialize (Hc fast). cbn [slow_to_fast] in Hc. destruct (eqb_other slow) as [E _]. fold fast in E. rewrite E in Hc.
  exact Hc.
Qed.

(** * Where no string holds two fast letters in a row, the rate is the same for every theta: no change from slow to fast
    ever pays. *)

Fixpoint slow_work (s : string) : Z :=
  match s with U :: s => (if eqb slow U then worth slow else 0) + slow_work s | [] => 0 end.

Lemma single_earns theta s : in_range theta -> double fast s = false ->
  earns worth (kap theta) None slow s = slow_work s /\
  earns worth (kap theta) None fast s <= slow_work s + (if wants fast s then worth fast else 0).
Proof.
  intros Ht. pose proof worth_order as HW.
  assert (kap theta slow = theta /\ kap theta fast = worth fast) as [K1 K2].
  { unfold kappa. rewrite eqb_refl. destruct (eqb_other slow) as [E _]. fold fast in E. now rewrite E. }
  assert (other fast = slow) as Ef by (unfold fast; apply other_other).
  induction s as [|U s IH]; [cbn; lia|]. cbn [double]. intros [Hd1 Hd2]%orb_false_iff. destruct (IH Hd2) as [I1 I2].
  cbn [earns slow_work wants]. fold fast. rewrite Ef, K1, K2, I1. unfold earn.
  destruct (letter_cases slow U) as [->| ->]; destruct (eqb_other slow) as [E1 E2]; fold fast in E1, E2.
  - rewrite eqb_refl, E1. destruct (wants fast s); lia.
  - fold fast in Hd1 |- *. rewrite eqb_refl in *. rewrite E2. cbn [andb] in Hd1. rewrite Hd1 in I2. lia.
Qed.

Lemma single_rate theta theta' s : in_range theta -> in_range theta' -> double fast s = false ->
  rate worth (kap theta) s = rate worth (kap theta') s.
Proof.
  intros Ht Ht' Hd.
  assert (forall s, double fast s = false ->
    earns worth (kap theta) None fast s = earns worth (kap theta') None fast s) as Hf.
  { clear s Hd. assert (other fast = slow) as Ef by (unfold fast; apply other_other).
    assert (forall th, kap th fast = worth fast) as K.
    { intros th. unfold kappa. destruct (eqb_other slow) as [E _]. fold fast in E. now rewrite E. }
    induction s as [|U s IH]; intros Hd; [reflexivity|]. cbn [double] in Hd. apply orb_false_iff in Hd. destruct Hd as [_ Hd].
    cbn [earns]. rewrite Ef, !K, (IH Hd).
    destruct (single_earns theta s Ht Hd) as [-> _]. destruct (single_earns theta' s Ht' Hd) as [-> _]. reflexivity. }
  pose proof (Hf s Hd) as H1.
  destruct (single_earns theta s Ht Hd) as [H2 _]. destruct (single_earns theta' s Ht' Hd) as [H3 _].
  unfold rate. unfold fast in *. clear - H1 H2 H3. destruct slow; cbn [other] in *; lia.
Qed.

(** * The bound *)

(** The phase bound of warp i at theta, times N, with the simpler c. *)
Definition phase_value (theta : Z) (st : state) (i : nat) : Z :=
  N * Z.of_nat (length (nth i st [])) + slow_to_fast slow (nth i st []) * c_of sigma slow theta worth st
  + rates worth (kap theta) (others i st).

(** It is a bound. *)
Theorem phase_value_safe theta st ms st' i : in_range theta -> run sigma st ms st' -> (i < length st)%nat ->
  N * Z.of_nat (finish i ms) <= phase_value theta st i.
Proof.
  intros Ht Hr Hi.
  pose proof (phase_bound sigma slow N theta worth N_pos worth_unit slow_fast Ht st ms st' i Hr Hi) as H. cbv zeta in H.
  pose proof (c_of_ge sigma slow theta worth slow_fast Ht st i Hi).
  pose proof (slow_to_fast_pos sigma slow slow_fast (nth i st [])). unfold phase_value. nia.
Qed.

Lemma c_of_pos theta st : in_range theta -> 0 <= c_of sigma slow theta worth st.
Proof. intros Ht. unfold c_of. fold fast. destruct (existsb (double fast) st); [nia|lia]. Qed.

Lemma c_of_low st : c_of sigma slow (worth fast) worth st = 0.
Proof. unfold c_of. fold fast. destruct (existsb (double fast) st); lia. Qed.

(** With letters inserted into any of the strings, the value at any theta is at least that of the instance before at some
    theta in the range. So the least value over the range does not fall. *)
Theorem inserted_letters theta st st' i : in_range theta -> Forall2 inserted st st' ->
  exists theta0, in_range theta0 /\ phase_value theta0 st i <= phase_value theta st' i.
Proof.
  intros Ht H. pose proof worth_order as HW.
  assert (length st = length st') as Hl by (clear - H; induction H; cbn; congruence).
  assert (inserted (nth i st []) (nth i st' [])) as Hn.
  { clear - H. revert i; induction H as [|s s' st st' Hs H IH]; intros [|i]; cbn [nth]; auto using inserted_nil. }
  assert (forall th, in_range th -> rates worth (kap th) (others i st) <= rates worth (kap th) (others i st')) as Hr.
  { intros th Hth.
    assert (forall us us', Forall2 inserted us us' -> rates worth (kap th) us <= rates worth (kap th) us') as Hall.
    { intros us us' HH. unfold rates. induction HH as [|u u' us us' Hu HH IH]; cbn [map sumZ]; [lia|].
      pose proof (inserted_rate th u u' Hth Hu). lia. }
    apply Hall. clear - H. revert i; induction H as [|s s' st st' Hs H IH]; intros [|i]; cbn [others]; auto. }
  pose proof (inserted_length _ _ Hn) as HL. pose proof (inserted_switches _ _ Hn) as HS.
  pose proof (slow_to_fast_pos sigma slow slow_fast (nth i st [])) as HP. unfold phase_value.
  destruct (existsb (double fast) st') eqn:Ed.
  - (* c does not fall at theta *)
    exists theta. split; [assumption|]. specialize (Hr theta Ht).
    assert (c_of sigma slow theta worth st <= c_of sigma slow theta worth st') as Hc.
    { unfold c_of. fold fast. rewrite Ed, Hl. destruct (existsb (double fast) st); [lia|nia]. }
    pose proof (c_of_pos theta st Ht). nia.
  - (* no two fast letters in a row are left, so theta does not matter *)
    exists (worth fast). split; [lia|]. rewrite c_of_low. specialize (Hr (worth fast) ltac:(lia)).
    pose proof (c_of_pos theta st' Ht).
    assert (rates worth (kap theta) (others i st') = rates worth (kap (worth fast)) (others i st')) as ->; [|nia].
    assert (Forall (fun s => double fast s = false) (others i st')) as HF.
    { apply others_Forall. clear - Ed. apply Forall_forall. intros s Hs.
      destruct (double fast s) eqn:E; [|reflexivity]. rewrite <- Ed. symmetry. apply existsb_exists. eauto. }
    unfold rates. clear - HF HW Ht N_pos worth_unit slow_fast.
    induction HF as [|s us Hs HF IH]; cbn [map sumZ]; [reflexivity|].
    rewrite IH, (single_rate theta (worth fast) s Ht ltac:(lia) Hs). reflexivity.
Qed.
End Inserted.
