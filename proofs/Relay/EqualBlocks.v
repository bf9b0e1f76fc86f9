(** The relay bound in the words of docs/relay.md: equal blocks of one kernel on one multiprocessor. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions Moves Relays RelayBound.
From Warpspan.Relay Require CompanyRuns CompanyCycle MidwayRelay Stretches Covered.
Local Open Scope Z_scope.

Section EqualBlocks.
Variable sigma : letter -> nat.
Variable slow : letter.
Let fast := other slow.
Variables (N theta : Z) (worth : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis slow_fast : (sigma slow <= sigma fast)%nat.
Hypothesis theta_range : worth fast <= theta <= worth slow.
Notation kap := (kappa slow theta worth).

Variables (s : string) (b r : nat).
Hypothesis s_some : s <> [].
Hypothesis b_some : (0 < b)%nat.
Hypothesis r_some : (0 < r)%nat.

Definition one_block : block := (repeat s b, []).
(** c of the phase bound beside the other warps of r blocks. *)
Definition c_relay : Z := c_beside sigma slow theta worth (repeat s (r * b - 1)).
(** 1 if s ends with a slow letter and begins with a fast one: then a new block costs a switch. *)
Definition entry : Z := if eqb slow (last s L) && wants fast s then 1 else 0.

Let cs := PhaseBound.cost sigma slow theta worth (repeat s (r * b - 1)).
Let ends (U : letter) : bool := eqb U (last s L).
Let begins (U : letter) : bool := wants U s.
Let P (x : string) : Prop := exists y, s = y ++ x.
Let d : Z := entry * (theta - worth fast).

Lemma last_app_some (y x : string) : x <> [] -> last (y ++ x) L = last x L.
Proof.
  intros Hx. induction y as [|U y IH]; [reflexivity|]. cbn [app]. rewrite <- IH.
  destruct (y ++ x) eqn:E; [|reflexivity]. apply app_eq_nil in E. now destruct E.
Qed.

Lemma last_count x Y : x <> [] -> last x L = Y -> count Y x <> 0%nat.
Proof.
  induction x as [|U x IH]; [congruence|]. intros _ E. unfold count in *. cbn [filter].
  destruct x as [|V x].
  - cbn in E. subst. rewrite eqb_refl. cbn. lia.
  - specialize (IH ltac:(discriminate) E). destruct (eqb Y U); cbn [length] in *; lia.
Qed.

Lemma double_suffix Y y x : double Y (y ++ x) = false -> double Y x = false.
Proof. induction y as [|U y IH]; [auto|]. cbn [app double]. intros H%orb_false_iff. now apply IH. Qed.

Lemma worth_facts : worth fast <= worth slow /\ 0 <= worth fast /\ 0 <= worth slow <= N /\ (1 <= sigma slow)%nat.
Proof.
  pose proof (worth_slow_fast sigma slow N theta worth N_pos worth_unit slow_fast theta_range) as [H1 [H2 H3]].
  fold fast in H1, H2. pose proof (worth_unit slow) as E.
  assert (1 <= sigma slow)%nat as Hs by (destruct (sigma slow); [cbn in E; lia|lia]).
  repeat split; auto. nia.
Qed.

Lemma k_words : kap slow = theta /\ kap fast = worth fast.
Proof. unfold kappa. rewrite eqb_refl. destruct (eqb_other slow) as [E _]. fold fast in E. now rewrite E. Qed.

Lemma doubles_repeat U n : doubles U (repeat s n) = if double U s then n else O.
Proof. induction n as [|n IH]; cbn [repeat doubles]; [now destruct (double U s)|]. rewrite IH. destruct (double U s); lia. Qed.

Lemma cs_words : cs slow = c_relay /\ cs fast = 0.
Proof.
  unfold cs, PhaseBound.cost, c_relay. rewrite eqb_refl. destruct (eqb_other slow) as [E _]. fold fast in E. now rewrite E.
Qed.

Lemma max_repeat (f : string -> Z) n : (0 < n)%nat -> 0 <= f s ->
  fold_right Z.max 0 (map f (repeat s n)) = f s.
Proof.
  intros Hn Hf. destruct n as [|n]; [lia|]. clear Hn.
  induction n as [|n IH]; cbn [repeat map fold_right] in *; lia.
Qed.

Lemma rate_words : rate worth kap s <= N * Z.of_nat (length s).
Proof.
  exact (rate_le_length sigma N worth kap N_pos worth_unit
    (kappa_pos sigma slow N theta worth N_pos worth_unit slow_fast theta_range)
    (kappa_le_worth sigma slow theta worth slow_fast theta_range) s).
Qed.

Lemma switches_words x : 0 <= switches cs x /\ switches cs x = slow_to_fast slow x * c_relay.
Proof.
  split; [apply switches_pos, (cost_pos sigma slow theta worth slow_fast theta_range _)|].
  exact (switches_cost sigma slow theta worth slow_fast (repeat s (r * b - 1)) x).
Qed.

Lemma chain_words X : chain N worth kap cs [X] [repeat s b] =
  N * Z.of_nat (length s) - rate worth kap s + slow_to_fast slow s * c_relay + (if wants (other X) s then cs X else 0).
Proof.
  pose proof rate_words as Hr. pose proof (proj1 (switches_words (X :: s))) as H0.
  cbn [chain app]. rewrite (max_repeat (fun t => N * Z.of_nat (length t) - rate worth kap t + switches cs (X :: t))) by lia.
  cbn [switches]. rewrite (proj2 (switches_words s)). lia.
Qed.

Lemma keep_words : keep N worth kap cs one_block = N * Z.of_nat (length s) - rate worth kap s + slow_to_fast slow s * c_relay.
Proof.
  pose proof rate_words as Hr. pose proof (proj1 (switches_words s)) as H0.
  unfold keep, one_block. cbn [fst snd chain app].
  rewrite (max_repeat (fun t => N * Z.of_nat (length t) - rate worth kap t + switches cs t)) by lia.
  rewrite (proj2 (switches_words s)). lia.
Qed.

Lemma c_relay_pos : 0 <= c_relay.
Proof.
  destruct cs_words as [<- _]. apply (cost_pos sigma slow theta worth slow_fast theta_range _).
Qed.

Lemma fee_words : fee N worth kap cs ends one_block <= keep N worth kap cs one_block + entry * c_relay.
Proof.
  rewrite keep_words. destruct cs_words as [E1 E2]. pose proof c_relay_pos as Hc.
  pose proof rate_words as Hr.
  assert (0 <= slow_to_fast slow s) as Hn.
  { clear. induction s as [|X x IH]; cbn [slow_to_fast]; [lia|]. destruct (_ && _); lia. }
  assert (0 <= entry) as He by (unfold entry; destruct (_ && _); lia).
  set (v := N * Z.of_nat (length s) - rate worth kap s + slow_to_fast slow s * c_relay).
  assert (0 <= v) as Hv by (unfold v; nia).
  assert (forall X, ends X = true -> chain N worth kap cs [X] [repeat s b] <= v + entry * c_relay) as H.
  { intros X EX. rewrite chain_words. fold v. unfold ends, entry in *. destruct (letter_cases slow X) as [->| ->].
    - fold fast. rewrite EX, E1. cbn [andb]. destruct (wants fast s); lia.
    - fold fast. rewrite E2. destruct (wants (other fast) s), (_ && _); lia. }
  unfold fee, one_block. cbn [fst snd].
  destruct (ends L) eqn:EL, (ends C) eqn:EC; try specialize (H L EL) as HL; try specialize (H C EC) as HC; nia.
Qed.

Lemma P_words n : Forall (good b P) (repeat one_block n) /\
  Forall (fresh b P begins) (repeat one_block n) /\ Forall busy (repeat one_block n) /\
  Forall settled (repeat one_block n).
Proof.
  assert (good b P one_block) as G.
  { split; [constructor|]. unfold one_block, every. cbn [fst snd]. rewrite repeat_length. repeat split; [lia| |constructor].
    apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. now exists []. }
  assert (busy one_block) as B.
  { unfold busy, one_block. cbn [fst]. destruct b; [lia|]. cbn [repeat all_done forallb]. now destruct s. }
  assert (fresh b P begins one_block) as F.
  { split; [assumption|]. split; [assumption|]. unfold one_block. cbn [fst]. apply Forall_forall. intros x Hx.
    apply repeat_spec in Hx. subst. unfold begins. destruct s; cbn [wants]; [exact I|apply eqb_refl]. }
  assert (settled one_block) as S by (unfold settled, one_block; reflexivity).
  repeat split; apply Forall_forall; intros x Hx; apply repeat_spec in Hx; subst; assumption.
Qed.

(** One multiprocessor, n equal blocks of b warps that run s, room for r of them at once, times N: T <= n b a + K (I - a) + c (K n(s) + (K-1) entry) + entry delta,
    K = ceiling of n / r; the last term only if blocks wait and there is more than one slot. *)
Theorem relay_equal_blocks n mss : (r <= n)%nat ->
  rrun sigma True (repeat one_block r) (repeat one_block (n - r)) mss ->
  let K := Z.of_nat ((n - 1) / r) + 1 in
  N * Z.of_nat (span mss) <=
    Z.of_nat (n * b) * rate worth kap s + K * (N * Z.of_nat (length s) - rate worth kap s)
    + (K * slow_to_fast slow s + (K - 1) * entry) * c_relay
    + (if (1 <? r)%nat && (r <? n)%nat then entry * (theta - worth fast) else 0).
Proof.
  intros Hn Hr K. destruct (P_words r) as (G & _ & B & Set_). destruct (P_words (n - r)) as (_ & F & _ & _).
  pose proof worth_facts as (W1 & W2 & W3 & W4). destruct k_words as [K1 K2].
  assert (0 <= entry <= 1) as He by (unfold entry; destruct (_ && _); lia).
  pose proof (relay_equal_fees sigma N worth kap cs N_pos worth_unit
    (kappa_pos sigma slow N theta worth N_pos worth_unit slow_fast theta_range)
    (kappa_le_worth sigma slow theta worth slow_fast theta_range)
    (cost_pos sigma slow theta worth slow_fast theta_range _) r b P ends begins d) as H.
  assert (N * Z.of_nat (span mss) <= work worth kap (repeat one_block r) (repeat one_block (n - r))
    + keep N worth kap cs one_block +
    (if (length (repeat one_block (n - r)) =? 0)%nat then 0
     else (1 + Z.of_nat ((length (repeat one_block (n - r)) - 1) / r)) *
          (keep N worth kap cs one_block + entry * c_relay) + left_cost r d)) as M.
  { apply H with (mss := mss); clear H; auto.
    - intros x [y E]. destruct x as [|U x]; [now exists y|]. exists (y ++ [U]). now rewrite <- app_assoc.
    - intros X x [y E]. unfold ends. rewrite E, last_app_some by discriminate.
      destruct x as [|V x]; [left; cbn; apply eqb_refl|].
      change (last (X :: V :: x) L) with (last (V :: x) L).
      destruct (letter_cases X (last (V :: x) L)) as [El|El]; [left; rewrite El; apply eqb_refl|right].
      now apply last_count.
    - unfold ends. now destruct (last s L).
    - intros X. destruct (letter_cases slow X) as [->| ->].
      + destruct cs_words as [-> _]. fold fast. unfold c_relay, c_beside. rewrite doubles_repeat.
        change (other slow) with fast. destruct (double fast s) eqn:Ed.
        * left. rewrite K1. apply Z.le_refl.
        * right. intros x [y E]. rewrite E in Ed. now apply double_suffix in Ed.
      + left. rewrite other_other. fold fast. destruct cs_words as [_ ->]. rewrite K2. nia.
    - intros X _. destruct (letter_cases slow X) as [->| ->]; rewrite ?other_other; fold fast; rewrite K1, K2; lia.
    - unfold d. nia.
    - intros X E1 E2. unfold ends, begins, d, entry, head in *. destruct (letter_cases slow X) as [->| ->].
      + fold fast in E2 |- *. rewrite E1, E2, K1, K2. cbn [andb]. pose proof (worth_unit slow).
        assert ((Z.of_nat (sigma slow) - 1) * theta <= (Z.of_nat (sigma slow) - 1) * worth slow) by nia. lia.
      + fold fast. replace (other fast) with slow by (unfold fast; now rewrite other_other).
        rewrite K1, K2. pose proof (worth_unit fast) as EN. rewrite EN.
        destruct (_ && _); lia.
    - constructor; auto. now rewrite repeat_length.
    - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. lia.
    - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. apply fee_words. }
  clear H. rewrite repeat_length in M.
  assert (work worth kap (repeat one_block r) (repeat one_block (n - r)) = Z.of_nat (n * b) * rate worth kap s) as EW.
  { assert (forall m, sumZ (map (A worth kap) (repeat one_block m)) = Z.of_nat (m * b) * rate worth kap s) as E.
    { assert (A worth kap one_block = Z.of_nat b * rate worth kap s) as E1.
      { unfold A, one_block, future. cbn [fst snd map sumZ].
        rewrite (rates_repeat sigma slow worth slow_fast). lia. }
      induction m as [|m IH]; [reflexivity|]. cbn [repeat map sumZ].
      rewrite IH, E1, Nat.mul_succ_l, Nat2Z.inj_add. ring. }
    unfold work. rewrite !E, <- Z.mul_add_distr_r, <- Nat2Z.inj_add, <- Nat.mul_add_distr_r.
    now replace (r + (n - r))%nat with n by lia. }
  rewrite EW, keep_words in M. clear EW.
  assert ((n - 1) / r = if (n - r =? 0)%nat then 0 else S ((n - r - 1) / r))%nat as EK.
  { destruct (Nat.eqb_spec (n - r) 0) as [E|E].
    - apply Nat.div_small. lia.
    - replace (n - 1)%nat with (n - r - 1 + 1 * r)%nat by lia. rewrite Nat.div_add by lia. lia. }
  subst K. rewrite EK. unfold left_cost, d in M. clear EK. revert M.
  destruct (Nat.eqb_spec (n - r) 0) as [E|E]; intros M.
  - assert ((r <? n)%nat = false) as -> by (apply Nat.ltb_ge; lia). rewrite andb_false_r. lia.
  - assert ((r <? n)%nat = true) as -> by (apply Nat.ltb_lt; lia). rewrite andb_true_r. revert M.
    destruct (Nat.eqb_spec r 1) as [E1|E1]; intros M.
    + assert ((1 <? r)%nat = false) as -> by (apply Nat.ltb_ge; lia). lia.
    + assert ((1 <? r)%nat = true) as -> by (apply Nat.ltb_lt; lia). lia.
Qed.

(** The same without entry delta, however many slots there are: all n blocks wait at first, any of them start before each
    cycle, and r are present while one waits. *)
Theorem equal_slots n mss bs' :
  CompanyRuns.crun sigma (Covered.slots r) (repeat (false, one_block) n) mss bs' ->
  let K := Z.of_nat ((n - 1) / r) + 1 in
  N * Z.of_nat (Stretches.last_issue mss) <=
    Z.of_nat (n * b) * rate worth kap s + K * (N * Z.of_nat (length s) - rate worth kap s)
    + (K * slow_to_fast slow s + (K - 1) * entry) * c_relay.
Proof.
  intros Hr K. pose proof worth_facts as (W1 & W2 & W3 & W4). destruct k_words as [K1 K2].
  assert (0 <= entry <= 1) as He by (unfold entry; destruct (_ && _); lia).
  pose proof c_relay_pos as Hcr. pose proof rate_words as Hrw.
  assert (0 <= slow_to_fast slow s) as Hsw.
  { clear. induction s as [|X x IH]; cbn [slow_to_fast]; [lia|]. destruct (_ && _); lia. }
  assert (0 <= rate worth kap s) as Hra.
  { apply rate_pos; [exact (kappa_pos sigma slow N theta worth N_pos worth_unit slow_fast theta_range)
      |exact (kappa_le_worth sigma slow theta worth slow_fast theta_range)]. }
  destruct (Nat.eq_dec (Stretches.last_issue mss) 0) as [->|Hne]; [unfold K; nia|].
  destruct (Stretches.up_to_last _ _ _ _ _ Hr Hne) as (ms1 & bs1 & B & Hr1 & Hlen & HB). rewrite <- Hlen in *. clear Hr.
  pose proof (Stretches.crun_rule _ _ _ _ _ Hr1) as HS.
  assert (Forall (fun x : bool * block => wf (snd x) /\ (length (fst (snd x)) <= b)%nat) (repeat (false, one_block) n)) as Hsz.
  { apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. cbn. rewrite repeat_length. split; [constructor|lia]. }
  pose proof (Stretches.crun_size _ _ b _ _ _ Hr1 Hsz) as Hr2.
  assert (ms1 <> []) as Hms by (intros ->; cbn in Hne; lia).
  assert (0 <= entry * c_relay) as Hec by nia.
  pose proof keep_words as HK. pose proof fee_words as HF.
  pose proof (Covered.relay_slots_equal sigma N worth kap cs N_pos worth_unit
    (kappa_pos sigma slow N theta worth N_pos worth_unit slow_fast theta_range)
    (kappa_le_worth sigma slow theta worth slow_fast theta_range)
    (cost_pos sigma slow theta worth slow_fast theta_range _) (r * b) P ends) as H.
  assert (N * Z.of_nat (length ms1) <= MidwayRelay.labour worth kap (repeat (false, one_block) n) - CompanyCycle.ahead worth kap bs1
    + keep N worth kap cs one_block
    + Z.of_nat ((length (repeat (false, one_block) n) - 1) / r) * (keep N worth kap cs one_block + entry * c_relay)) as M.
  { eapply H with (B := B); clear H; [..|exact Hr2| | | | | | |].
    - intros x [y E]. destruct x as [|U x]; [now exists y|]. exists (y ++ [U]). now rewrite <- app_assoc.
    - intros X [y E]. unfold ends. rewrite E, last_app_some by discriminate. apply eqb_refl.
    - unfold ends. now destruct (last s L).
    - intros X. destruct (letter_cases slow X) as [->| ->].
      + destruct cs_words as [-> _]. fold fast. unfold c_relay, c_beside. rewrite doubles_repeat.
        change (other slow) with fast. destruct (double fast s) eqn:Ed.
        * left. rewrite K1. apply Z.le_refl.
        * right. intros x [y E]. rewrite E in Ed. now apply double_suffix in Ed.
      + left. rewrite other_other. fold fast. destruct cs_words as [_ ->]. rewrite K2. nia.
    - intros l [[Hl _] Hc]. nia.
    - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. destruct (P_words 1) as (G & _ & _ & S1).
      inversion G as [|? ? (GW & _ & GE & GE2) _]; subst. inversion S1; subst.
      split; [assumption|]. split; [|now repeat split]. cbn. destruct b; [lia|discriminate].
    - assumption.
    - exact HS.
    - exact HB.
    - exact Hms.
    - rewrite HK. nia.
    - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. cbn [snd]. split; [apply Z.le_refl|exact HF]. }
  clear H. rewrite repeat_length in M.
  assert (0 <= CompanyCycle.ahead worth kap bs1) as Hah.
  { unfold CompanyCycle.ahead. clear - N_pos worth_unit slow_fast theta_range.
    induction bs1 as [|x l IH]; cbn [map sumZ]; [lia|]. destruct (fst x); [lia|].
    enough (0 <= A worth kap (snd x)) by lia. exact (future_pos worth kap (kappa_pos sigma slow N theta worth N_pos worth_unit slow_fast theta_range)
      (kappa_le_worth sigma slow theta worth slow_fast theta_range) (fst (snd x) :: snd (snd x))). }
  assert (MidwayRelay.labour worth kap (repeat (false, one_block) n) = Z.of_nat (n * b) * rate worth kap s) as EW.
  { assert (A worth kap one_block = Z.of_nat b * rate worth kap s) as E1.
    { unfold A, one_block, future. cbn [fst snd map sumZ]. rewrite (rates_repeat sigma slow worth slow_fast). lia. }
    unfold MidwayRelay.labour. clear - E1. induction n as [|n IH]; [reflexivity|]. cbn [repeat map sumZ snd].
    rewrite IH, E1, Nat.mul_succ_l, Nat2Z.inj_add. ring. }
  rewrite EW, HK in M. unfold K. lia.
Qed.
End EqualBlocks.

(** The same at sigma_L = sigma_C = 1: T <= n b a + K (I - a). *)
Theorem relay_sigma_one s b r n mss : s <> [] -> (0 < b)%nat -> (0 < r <= n)%nat ->
  rrun (fun _ => 1%nat) True (repeat (one_block s b) r) (repeat (one_block s b) (n - r)) mss ->
  let a := rate (fun _ => 1) (fun _ => 1) s in
  Z.of_nat (span mss) <= Z.of_nat (n * b) * a + (Z.of_nat ((n - 1) / r) + 1) * (Z.of_nat (length s) - a).
Proof.
  intros Hs Hb Hr Hrun a.
  pose proof (relay_equal_blocks (fun _ => 1%nat) L 1 1 (fun _ => 1) ltac:(lia) ltac:(reflexivity) ltac:(cbn; lia)
    ltac:(cbn; lia) s b r Hs Hb ltac:(lia) n mss ltac:(lia) Hrun) as H. cbv zeta in H.
  assert (c_relay (fun _ => 1%nat) L 1 (fun _ => 1) s b r = 0) as Ec
    by (unfold c_relay, c_beside; cbn; lia).
  rewrite Ec, Z.mul_0_r in H.
  assert (rate (fun _ => 1) (kappa L 1 (fun _ => 1)) s = a) as Ea.
  { assert (forall X x, earns (fun _ => 1) (kappa L 1 (fun _ => 1)) None X x = earns (fun _ => 1) (fun _ => 1) None X x) as E.
    { intros X x; revert X; induction x as [|U x IH]; intros X; [reflexivity|]. cbn [earns]. rewrite !IH.
      unfold kappa. destruct (eqb X L); reflexivity. }
    unfold a, rate. now rewrite !E. }
  rewrite Ea in H. destruct (_ && _); lia.
Qed.

