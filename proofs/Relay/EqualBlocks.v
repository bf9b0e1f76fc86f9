(** The relay bound in the words of docs/relay.md: equal blocks of one kernel on one multiprocessor. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import Totals Assumptions CompanyRuns CompanyCycle CompanyMoves MidwayRelay Cover Stretches Covered QueueRuns Multiprocessors.
Local Open Scope Z_scope.

Lemma new_busy (s : string) (b : nat) : s <> [] -> (0 < b)%nat -> occupied (repeat s b, []) = true.
Proof. intros Hs Hb. unfold occupied. cbn [fst]. destruct b; [lia|]. cbn [repeat all_done forallb]. now destruct s. Qed.

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
Let P (x : string) : Prop := exists y, s = y ++ x.

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

(** * What is left of a block *)
Notation kappas_pos := (kappa_pos sigma slow N theta worth N_pos worth_unit slow_fast theta_range).
Notation kappas_le := (kappa_le_worth sigma slow theta worth slow_fast theta_range).

Lemma P_tl x : P x -> P (tl x).
Proof. intros [y E]. destruct x as [|U x]; [now exists y|]. exists (y ++ [U]). now rewrite <- app_assoc. Qed.

Lemma prices_fit : (forall X, P [X] -> ends X = true) /\ ends L || ends C = true /\
  (forall X, Z.of_nat (min (sigma (other X) - 1) (r * b - 1)) * (kap X - worth (other X)) <= cs X
    \/ forall x, P x -> double (other X) x = false).
Proof.
  pose proof worth_facts as (W1 & W2 & W3 & W4). destruct k_words as [K1 K2]. split; [|split].
  - intros X [y E]. unfold ends. rewrite E, last_app_some by discriminate. apply eqb_refl.
  - unfold ends. now destruct (last s L).
  - intros X. destruct (letter_cases slow X) as [->| ->].
    + destruct cs_words as [-> _]. fold fast. unfold c_relay, c_beside. rewrite doubles_repeat.
      change (other slow) with fast. destruct (double fast s) eqn:Ed.
      * left. rewrite K1. apply Z.le_refl.
      * right. intros x [y E]. rewrite E in Ed. now apply double_suffix in Ed.
    + left. rewrite other_other. fold fast. destruct cs_words as [_ ->]. rewrite K2. nia.
Qed.

Lemma slow_to_fast_pos x : 0 <= slow_to_fast slow x.
Proof. induction x as [|X x IH]; cbn [slow_to_fast]; [lia|]. destruct (_ && _); lia. Qed.

(** What is left of the string costs no more than the string. *)
Lemma longer_costs X x : rate worth kap x <= rate worth kap (X :: x) /\
  N * Z.of_nat (length x) - rate worth kap x + switches cs x <=
    N * Z.of_nat (length (X :: x)) - rate worth kap (X :: x) + switches cs (X :: x).
Proof.
  pose proof (longer worth kap kappas_pos kappas_le None L X x) as HL.
  pose proof (longer worth kap kappas_pos kappas_le None C X x) as HC. split; [unfold rate; lia|].
  assert (0 <= cs X) as Hc by apply (cost_pos sigma slow theta worth slow_fast theta_range _).
  assert (0 <= worth X <= N) as Hw.
  { pose proof (kappas_pos X). pose proof (kappas_le X). pose proof (worth_unit X). destruct (sigma X); nia. }
  pose proof (kappas_pos L). pose proof (kappas_pos C).
  enough (rate worth kap (X :: x) <= N + rate worth kap x) by (cbn [switches length]; destruct (wants (other X) x); lia).
  unfold rate. cbn [earns]. unfold earn. cbn [other]. destruct (eqb L X), (eqb C X); lia.
Qed.

Lemma part_costs x : P x -> rate worth kap x <= rate worth kap s /\
  N * Z.of_nat (length x) - rate worth kap x + switches cs x <=
    N * Z.of_nat (length s) - rate worth kap s + slow_to_fast slow s * c_relay.
Proof.
  intros [y E]. rewrite <- (proj2 (switches_words s)), E. clear E. induction y as [|X y [I1 I2]]; cbn [app]; [lia|].
  destruct (longer_costs X (y ++ x)). lia.
Qed.

(** What is true of a block that has started: it has no barriers and at most b warps, which run what is left of s. *)
Definition part (x : block) : Prop := snd x = [] /\ (length (fst x) <= b)%nat /\ Forall P (fst x).

Lemma part_new : part one_block.
Proof.
  unfold part, one_block. cbn [fst snd]. rewrite repeat_length. repeat split; auto. apply Forall_forall. intros x Hx.
  apply repeat_spec in Hx. subst. now exists [].
Qed.

Lemma part_next x m : length m = length (fst x) -> part x -> part (release (after (fst x) m) (snd x)).
Proof.
  intros Hl (H1 & H2 & H3). rewrite H1. cbn [release]. unfold part. cbn [fst snd]. rewrite after_length by assumption.
  repeat split; auto. clear - H3 s_some. generalize dependent (fst x). clear x. intros l H3. revert m; induction H3 as [|x xs Hx H IH]; intros [|[] m]; cbn [after]; constructor; auto. now apply P_tl.
Qed.

Lemma part_sound w x : occupied x = true -> part x -> CompanyMoves.sound P (w, x).
Proof.
  intros Ho (H1 & H2 & H3). unfold CompanyMoves.sound, wf, settled. cbn [snd]. rewrite H1. repeat split; auto.
  intros E. unfold occupied in Ho. rewrite E in Ho. discriminate.
Qed.

(** * The bounds, times N *)

(** n blocks of which K are followed. *)
Definition cost (n : nat) (K : Z) : Z :=
  Z.of_nat (n * b) * rate worth kap s + K * (N * Z.of_nat (length s) - rate worth kap s)
    + (K * slow_to_fast slow s + (K - 1) * entry) * c_relay.

Lemma cost_signs : 0 <= rate worth kap s /\ 0 <= entry <= 1 /\ 0 <= slow_to_fast slow s /\ 0 <= c_relay.
Proof.
  pose proof (rate_pos worth kap kappas_pos kappas_le s). pose proof c_relay_pos. pose proof (slow_to_fast_pos s).
  unfold entry. destruct (_ && _); lia.
Qed.

Lemma labour_words n : MidwayRelay.labour worth kap (repeat (false, one_block) n) = Z.of_nat (n * b) * rate worth kap s.
Proof.
  assert (A worth kap one_block = Z.of_nat b * rate worth kap s) as E1.
  { unfold A, one_block, future. cbn [fst snd map sumZ]. rewrite (rates_repeat sigma slow worth slow_fast). lia. }
  unfold MidwayRelay.labour. clear - E1. induction n as [|n IH]; [reflexivity|]. cbn [repeat map sumZ snd].
  rewrite IH, E1, Nat.mul_succ_l, Nat2Z.inj_add. ring.
Qed.

Lemma ahead_words bs : 0 <= ahead worth kap bs.
Proof.
  unfold ahead. induction bs as [|x l IH]; cbn [map sumZ]; [lia|]. destruct (fst x); [lia|].
  enough (0 <= A worth kap (snd x)) by lia. exact (future_pos worth kap kappas_pos kappas_le (fst (snd x) :: snd (snd x))).
Qed.

Lemma new_sound n : Forall (CompanyMoves.sound P) (repeat (false, one_block) n).
Proof. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. exact (part_sound false _ (new_busy s b s_some b_some) part_new). Qed.

Lemma new_costs n : Forall (fun x : placed => keep N worth kap cs (snd x) <= keep N worth kap cs one_block /\
  fee N worth kap cs ends (snd x) <= keep N worth kap cs one_block + entry * c_relay) (repeat (false, one_block) n).
Proof. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. split; [apply Z.le_refl|exact fee_words]. Qed.

(** So many blocks have no more warps than are counted in c. *)
Lemma crowded rule bs mss bs' : crun sigma rule bs mss bs' -> Forall (fun x => part (snd x)) bs ->
  (forall l, rule l -> (length (filter present l) <= r)%nat) ->
  crun sigma (fun l => rule l /\ (crowd l <= r * b)%nat) bs mss bs'.
Proof.
  intros Hr Hp Hm.
  assert (Forall (fun x : placed => wf (snd x) /\ (length (fst (snd x)) <= b)%nat) bs) as Hsz.
  { eapply Forall_impl; [|exact Hp]. intros x (H1 & H2 & _). split; [|assumption]. unfold wf. rewrite H1. constructor. }
  pose proof (crun_size _ _ b _ _ _ Hr Hsz) as H. clear - H Hm.
  induction H as [|bs os ms mss bs' [H1 H2] Hsp Hl Hr IH]; constructor; auto. split; [assumption|]. specialize (Hm _ H1). nia.
Qed.

Lemma new_parts n : Forall (fun x : placed => part (snd x)) (repeat (false, one_block) n).
Proof. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. exact part_new. Qed.

(** P: n blocks with a queue of their own. *)
Lemma alone_bound n T : alone sigma one_block r n T -> N * Z.of_nat T <= cost n (Z.of_nat ((n - 1) / r) + 1).
Proof.
  intros (mss & bs' & B & Hr & <- & HB). destruct prices_fit as (F1 & F2 & F3). destruct cost_signs as (S1 & S2 & S3 & S4).
  pose proof keep_words as HK. pose proof rate_words as Hrw. pose proof (ahead_words bs') as Hah.
  pose proof (crun_rule _ _ _ _ _ Hr) as HS.
  destruct mss as [|om mss]; [unfold cost; cbn [length]; nia|].
  pose proof (crowded _ _ _ _ Hr (new_parts n) ltac:(now intros l [Hl _])) as Hr2.
  pose proof (relay_slots_equal sigma N worth kap cs N_pos worth_unit kappas_pos kappas_le
    (cost_pos sigma slow theta worth slow_fast theta_range _) (r * b) P ends P_tl F1 F2 F3
    (fun l => slots r l /\ (crowd l <= r * b)%nat) ltac:(now intros l [_ Hl])
    r B _ _ _ (keep N worth kap cs one_block) (keep N worth kap cs one_block + entry * c_relay)
    Hr2 (new_sound n) r_some HS HB ltac:(discriminate) ltac:(nia) (new_costs n)) as H.
  rewrite labour_words, repeat_length in H. unfold cost. lia.
Qed.

(** Q: n blocks while r are present. *)
Lemma packed_bound n T : packed sigma one_block r n T -> N * Z.of_nat T <= Z.max 0 (cost n (Z.of_nat (n / r))).
Proof.
  intros (mss & bs' & Hr & <-). destruct prices_fit as (F1 & F2 & F3). destruct cost_signs as (S1 & S2 & S3 & S4).
  pose proof keep_words as HK. pose proof rate_words as Hrw. pose proof (ahead_words bs') as Hah.
  pose proof (crun_rule _ _ _ _ _ Hr) as HS.
  destruct mss as [|om mss]; [cbn [length]; lia|].
  pose proof (crowded _ _ _ _ Hr (new_parts n) ltac:(cbv beta; intros l Hl; lia)) as Hr2.
  pose proof (relay_full sigma N worth kap cs N_pos worth_unit kappas_pos kappas_le
    (cost_pos sigma slow theta worth slow_fast theta_range _) (r * b) P ends P_tl F1 F2 F3
    (fun l => length (filter present l) = r /\ (crowd l <= r * b)%nat) ltac:(now intros l [_ Hl])
    r _ _ _ (keep N worth kap cs one_block) (keep N worth kap cs one_block + entry * c_relay)
    Hr2 (new_sound n) r_some HS ltac:(discriminate) ltac:(nia) (new_costs n)) as H.
  rewrite labour_words, repeat_length in H. unfold cost. lia.
Qed.

(** Blocks that are left over: the one that is present in the last cycle is present in all of them. *)
Lemma left_over_covered (Q : string -> Prop) bs mss bs' B : (forall x, Q x -> Q (tl x)) -> (forall x, P x -> Q x) ->
  crun sigma (fun _ => True) (map (pair true) bs) mss bs' -> (length bs <= r)%nat ->
  Forall (fun x => occupied x = true /\ part x) bs -> in_cycle (map (pair true) bs) mss B (length mss - 1) = true -> mss <> [] ->
  Forall (CompanyMoves.sound Q) (map (pair true) bs) /\
  crun sigma (fun l => (length (filter present l) <= r)%nat /\ (crowd l <= r * b)%nat) (map (pair true) bs) mss bs' /\
  covers (length (map (pair true) bs)) (in_cycle (map (pair true) bs) mss) (fun k => (k =? B)%nat) (length mss) /\
  total_cost (length (map (pair true) bs)) (fun _ => 1) (fun k => (k =? B)%nat) <= 1.
Proof.
  clear slow_fast theta_range N_pos worth_unit s_some b_some r_some. intros Q_tl PQ Hr Hn Hg HB Hne. set (bs0 := map (pair true) bs) in *.
  assert (Forall (CompanyMoves.sound Q) bs0) as Hs.
  { apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). rewrite Forall_forall in Hg.
    destruct (Hg y Hy) as [Ho (E1 & _ & E3)]. unfold CompanyMoves.sound, wf, settled. cbn [snd]. rewrite E1.
    repeat split; auto; [|eapply Forall_impl; [|exact E3]; auto]. intros E. unfold occupied in Ho. rewrite E in Ho. discriminate. }
  assert (Forall (fun x : placed => part (snd x)) bs0) as Hp.
  { apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). rewrite Forall_forall in Hg. now apply Hg. }
  assert (crun sigma (fun l => (length (filter present l) <= r)%nat) bs0 mss bs') as Hr1.
  { apply run_with; [exact Hr|]. apply Forall_forall. intros l Hl. pose proof (state_length sigma _ _ _ _ Hr l Hl) as E.
    unfold bs0 in E. rewrite map_length in E. etransitivity; [|exact Hn]. rewrite <- E. clear. induction l as [|x l IH]; cbn [filter]; [lia|].
    destruct (present x); cbn [length]; lia. }
  pose proof (crowded _ _ _ _ Hr1 Hp ltac:(cbv beta; auto)) as Hr2. split; [exact Hs|]. split; [exact Hr2|].
  pose proof (last_lt sigma _ B _ _ _ Hr HB Hne) as HBl. split.
  - intros t Ht. exists B. split; [exact HBl|]. rewrite Nat.eqb_refl. split; [reflexivity|].
    refine (present_between sigma Q Q_tl _ B _ _ _ Hr Hs t (length mss - 1) ltac:(lia) _ HB).
    apply (started_from sigma _ B _ _ _ Hr); [|lia]. unfold bs0 in *. rewrite map_length in HBl.
    rewrite (nth_indep _ nobody (true, vacant)) by (now rewrite map_length). now rewrite (map_nth (pair true)).
  - pose proof (with_cost (length bs0) (fun _ => 1) (fun _ => 1) ltac:(cbv beta; intros; lia) B (fun _ => false)) as Hw.
    assert (total_cost (length bs0) (fun _ => 1) (with_block B (fun _ => false)) = total_cost (length bs0) (fun _ => 1) (fun k => (k =? B)%nat)) as <-.
    { unfold total_cost, Cover.over, with_block. f_equal. apply map_ext. intros k. now rewrite orb_false_r. }
    enough (total_cost (length bs0) (fun _ => 1) (fun _ => false) = 0) by (cbv beta in Hw; lia).
    unfold total_cost, Cover.over. generalize (seq 0 (length bs0)). clear. intros l. induction l; cbn [map sumZ]; lia.
Qed.

(** L: r blocks in any states, and none that waits. *)
Lemma left_over_bound T : left_over sigma part r T -> N * Z.of_nat T <= cost r 1.
Proof.
  intros (bs & mss & bs' & B & Hr & Hn & Hg & <- & HB). destruct prices_fit as (F1 & F2 & F3). destruct cost_signs as (S1 & S2 & S3 & S4).
  pose proof rate_words as Hrw. pose proof (ahead_words bs') as Hah.
  destruct mss as [|om mss]; [unfold cost; cbn [length]; nia|].
  destruct (left_over_covered P _ _ _ _ P_tl ltac:(auto) Hr Hn Hg HB ltac:(discriminate)) as (Hs & Hr2 & HF & HQ).
  set (bs0 := map (pair true) bs) in *.
  assert (Forall (fun x : placed => part (snd x)) bs0) as Hp.
  { apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). rewrite Forall_forall in Hg. now apply Hg. }
  set (K := sumZ (map (fun x : placed => fee N worth kap cs ends (snd x)) bs0)).
  assert (forall x : placed, 0 <= fee N worth kap cs ends (snd x)) as Hfee.
  { intros x. apply Assumptions.fee_pos. apply (cost_pos sigma slow theta worth slow_fast theta_range _). }
  assert (forall x, In x bs0 -> fee N worth kap cs ends (snd x) <= K) as HK.
  { unfold K. clear - Hfee. induction bs0 as [|y l IH]; [easy|]. intros x Hx. cbn [map sumZ].
    assert (0 <= sumZ (map (fun x : placed => fee N worth kap cs ends (snd x)) l)) as Hl.
    { clear - Hfee. induction l as [|z l IH]; cbn [map sumZ]; [lia|]. pose proof (Hfee z). lia. }
    destruct Hx as [->|Hx]; [lia|]. specialize (IH x Hx). pose proof (Hfee y). lia. }
  assert (0 <= K) as HKp.
  { unfold K. clear - Hfee. induction bs0 as [|z l IH]; cbn [map sumZ]; [lia|]. pose proof (Hfee z). lia. }
  pose proof (relay_few sigma N worth kap cs N_pos worth_unit kappas_pos kappas_le
    (cost_pos sigma slow theta worth slow_fast theta_range _) (r * b) P ends P_tl F1 F2 F3
    (fun l => (length (filter present l) <= r)%nat /\ (crowd l <= r * b)%nat) ltac:(now intros l [_ Hl])
    (fun k => (k =? B)%nat) 0 _ _ _ (keep N worth kap cs one_block) K Hr2 Hs ltac:(discriminate) HKp) as H.
  assert (Forall (fun x : placed => keep N worth kap cs (snd x) <= keep N worth kap cs one_block /\ fee N worth kap cs ends (snd x) <= K) bs0) as Hc.
  { apply Forall_forall. intros x Hx. split; [|now apply HK]. rewrite keep_words. rewrite Forall_forall in Hp.
    destruct (Hp x Hx) as (E1 & _ & E2). unfold keep. rewrite E1. cbn [chain app].
    assert (forall y, In y (fst (snd x)) -> N * Z.of_nat (length y) - rate worth kap y + switches cs y <=
      N * Z.of_nat (length s) - rate worth kap s + slow_to_fast slow s * c_relay) as Hy
      by (intros y Hy; rewrite Forall_forall in E2; now apply part_costs, E2).
    clear - Hy S3 S4 Hrw. induction (fst (snd x)) as [|y l IH]; cbn [map fold_right]; [nia|].
    pose proof (Hy y (or_introl eq_refl)). specialize (IH ltac:(intros z Hz; apply Hy; now right)). lia. }
  specialize (H Hc HF HQ).
  assert (MidwayRelay.labour worth kap bs0 <= Z.of_nat (r * b) * rate worth kap s) as HL.
  { pose proof part_costs as HPC. assert (MidwayRelay.labour worth kap bs0 <= Z.of_nat (length bs) * (Z.of_nat b * rate worth kap s)) as H1; [|nia].
    unfold MidwayRelay.labour, bs0 in *. clear - Hp S1 HPC. induction bs as [|x l IH]; cbn [map sumZ length] in *; [lia|].
    inversion Hp as [|? ? (E1 & E2 & E3) Hp']; subst. specialize (IH Hp'). cbn [snd] in *.
    assert (A worth kap x <= Z.of_nat b * rate worth kap s); [|lia].
    unfold A, future. rewrite E1. cbn [map sumZ]. unfold rates. transitivity (Z.of_nat (length (fst x)) * rate worth kap s); [|nia].
    clear - E3 S1 HPC. induction E3 as [|y ys Hy E3 IH]; cbn [map sumZ length]; [lia|]. destruct (HPC y Hy). lia. }
  rewrite keep_words in H. unfold cost. lia.
Qed.
End EqualBlocks.
