(** The bounds of a grid of equal blocks without barriers (docs/relay.md, sections 5 and 6), on one multiprocessor or on several
    with one queue. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings PhaseBound.
From Warpspan.Exact Require Import Blocks.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Relay Require Import CompanyRuns CompanyCycle CompanyMoves MidwayRelay Cover Stretches Covered QueueRuns SlotRuns Multiprocessors
  EqualBlocks OddStrings ByUnits.

(** What is left of blocks. *)
Section Parts.
Variables (s : string) (b : nat).
Notation part := (part s b).

Lemma part_vacant : part vacant.
Proof. unfold EqualBlocks.part, vacant. cbn. repeat split; auto. apply Nat.le_0_l. Qed.

Lemma part_settled x : part x -> settled x.
Proof. intros (H & _). unfold settled. auto. Qed.

Lemma part_wf x : part x -> wf x.
Proof. intros (H & _). unfold wf. rewrite H. constructor. Qed.

Lemma suffix_count U x : (exists y, s = y ++ x) -> count U x <= count U s.
Proof. intros [y ->]. clear. induction y as [|V y IH]; cbn [app]; [lia|]. rewrite count_cons. lia. Qed.

Lemma part_counts U x : part x -> own U (true, x) <= count U s /\ total U (fst x) <= b * count U s.
Proof.
  intros (_ & H2 & H3). unfold own, list_max. cbn [snd].
  assert (fold_right Init.Nat.max 0 (map (count U) (fst x)) <= count U s /\ total U (fst x) <= length (fst x) * count U s) as [E1 E2].
  { clear H2. induction H3 as [|y l Hy H3 [I1 I2]]; [cbn; lia|]. cbn [map fold_right total length]. pose proof (suffix_count U y Hy). lia. }
  split; [assumption|]. apply (Nat.mul_le_mono_r _ _ (count U s)) in H2. lia.
Qed.
End Parts.

Section GridBounds.
Variable sigma : letter -> nat.
Hypothesis sigma_pos : forall U, 0 < sigma U.
Variables (s : string) (b R : nat).
Hypothesis s_some : s <> [].
Hypothesis b_some : 0 < b.
Hypothesis R_some : 0 < R.
Notation new := (one_block s b).
Notation part := (part s b).

(** Every run of a grid: see Multiprocessors.v. *)
Lemma grid_parts M G mss mps' n' : qrun sigma new (idle_slots M R) G mss mps' n' -> queue_span mss <> 0 ->
  exists x t, 0 < x <= G /\ t <= queue_span mss /\ alone sigma new R x (queue_span mss) /\
    (t = 0 \/ M * R < G /\ (2 <= M -> exists y, (M - 1) * y <= G - x /\ packed sigma new R y t)) /\
    (t = queue_span mss \/ left_over sigma part (min R G) (queue_span mss - t)).
Proof.
  intros H. apply (several sigma new (new_busy s b s_some b_some) part (part_vacant s b) (part_new s b) (part_next s b)
    (part_settled s b) (part_wf s b) M R G mss mps' n' R_some H).
Qed.

(** * By units: n blocks, of which K are followed *)
Definition by_units (n K : nat) : nat :=
  on_unit sigma (R * b) L (K * count L s) (n * b * count L s) + on_unit sigma (R * b) C (K * count C s) (n * b * count C s).

Lemma news n : Forall (CompanyMoves.sound (fun _ => True)) (repeat (false, new) n) /\ Forall plain (repeat (false, new) n) /\
  (forall U, Forall (fun x => own U x <= count U s) (repeat (false, new) n)) /\
  (forall U, all U (repeat (false, new) n) = n * b * count U s).
Proof.
  split; [|split; [|split]].
  - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. unfold CompanyMoves.sound, one_block, wf, settled. cbn [fst snd].
    repeat split; auto; [destruct b; [lia|discriminate]|apply Forall_forall; auto].
  - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. now subst.
  - intros U. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. apply (part_counts s b U new (part_new s b)).
  - intros U. unfold all, strings. clear. induction n as [|n IH]; [reflexivity|]. cbn [repeat flat_map fst snd]. rewrite total_app, IH.
    unfold one_block. cbn [fst]. rewrite total_repeat. lia.
Qed.

Lemma crowd_of rule bs mss bs' : crun sigma rule bs mss bs' -> Forall (fun x => part (snd x)) bs ->
  (forall l, rule l -> length (filter present l) <= R) ->
  crun sigma (fun l => rule l /\ crowd l <= R * b) bs mss bs'.
Proof. apply (crowded sigma s b R). Qed.

Lemma alone_by_units n T : alone sigma new R n T -> T <= by_units n ((n - 1) / R + 1).
Proof.
  intros (mss & bs' & B & Hr & <- & HB). destruct mss as [|om mss]; [cbn; lia|]. destruct (news n) as (H1 & H2 & H3 & H4).
  destruct (slots_cover sigma (fun _ => True) ltac:(auto) _ R B _ _ _ Hr H1 R_some (crun_rule _ _ _ _ _ Hr) HB ltac:(discriminate)) as (F & HF & HQ).
  pose proof (crowd_of _ _ _ _ Hr (new_parts s b n) ltac:(now intros l [Hl _])) as Hr2.
  pose proof (followed_by_units sigma (R * b) sigma_pos (fun l => slots R l /\ crowd l <= R * b) ltac:(now intros l [_ Hl]) F ((n - 1) / R + 1)
    (fun U => count U s) _ _ _ Hr2 H2 HF) as H. rewrite repeat_length in *. rewrite !H4 in H. apply H; [lia|exact H3].
Qed.

Lemma packed_by_units n T : packed sigma new R n T -> T <= by_units n (n / R).
Proof.
  intros (mss & bs' & Hr & <-). destruct (news n) as (H1 & H2 & H3 & H4).
  destruct (full_cover sigma (fun _ => True) ltac:(auto) _ R _ _ _ Hr H1 R_some (crun_rule _ _ _ _ _ Hr)) as (F & HF & HQ).
  pose proof (crowd_of _ _ _ _ Hr (new_parts s b n) ltac:(cbv beta; intros l Hl; lia)) as Hr2.
  pose proof (followed_by_units sigma (R * b) sigma_pos (fun l => length (filter present l) = R /\ crowd l <= R * b) ltac:(now intros l [_ Hl]) F (n / R)
    (fun U => count U s) _ _ _ Hr2 H2 HF) as H. rewrite repeat_length in *. rewrite !H4 in H. apply H; [lia|exact H3].
Qed.

Lemma left_over_by_units T : left_over sigma part R T -> T <= by_units R 1.
Proof.
  intros (bs & mss & bs' & B & Hr & Hn & Hg & <- & HB). destruct mss as [|om mss]; [cbn; lia|]. set (bs0 := map (pair true) bs) in *.
  destruct (left_over_covered sigma s b R (fun _ : string => True) bs (om :: mss) bs' B (fun _ _ => I) (fun _ _ => I) Hr Hn Hg HB ltac:(discriminate)) as (H1 & H2 & HF & HQ).
  fold bs0 in H1, H2, HF, HQ.
  pose proof (followed_by_units sigma (R * b) sigma_pos (fun l => length (filter present l) <= R /\ crowd l <= R * b) ltac:(now intros l [_ Hl]) (fun k => k =? B) 1
    (fun U => count U s) _ _ _ H2) as H.
  assert (forall U, all U bs0 <= R * b * count U s) as Ha.
  { intros U. transitivity (length bs * (b * count U s)).
    - unfold bs0, all, strings. clear - Hg. induction Hg as [|x l [_ Hx] Hg IH]; [cbn; lia|]. cbn [map flat_map fst snd length].
      rewrite total_app. destruct (part_counts s b U x Hx). lia.
    - apply (Nat.mul_le_mono_r _ _ (b * count U s)) in Hn. lia. }
  etransitivity; [apply (H ltac:(apply Forall_forall; intros x Hx; apply in_map_iff in Hx; destruct Hx as (y & <- & Hy); rewrite Forall_forall in Hg;
    destruct (Hg y Hy) as [_ (E & _)]; exact E) HF HQ)|].
  - intros U. apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). rewrite Forall_forall in Hg.
    destruct (Hg y Hy) as [_ Hy']. apply (part_counts s b U y Hy').
  - unfold by_units. pose proof (on_unit_mono sigma (R * b) sigma_pos L _ _ (1 * count L s) _ (Nat.le_refl _) (Ha L)).
    pose proof (on_unit_mono sigma (R * b) sigma_pos C _ _ (1 * count C s) _ (Nat.le_refl _) (Ha C)). lia.
Qed.
End GridBounds.

(** No more slots are in use than there are blocks. *)
Lemma packed_few sigma s b R n T : packed sigma (one_block s b) R n T -> n < R -> T = 0.
Proof.
  intros (mss & bs' & Hr & <-) Hn. remember (repeat (false, one_block s b) n) as bs eqn:E.
  destruct Hr as [|bs os ms mss bs' Hru Hsp Hl Hr]; [reflexivity|]. exfalso. pose proof (NamedBlocks.begin_length bs os) as El.
  assert (forall l : list placed, length (filter present l) <= length l) as Hle.
  { induction l as [|x l IH]; cbn [filter]; [lia|]. destruct (present x); cbn [length]; lia. }
  specialize (Hle (begin bs os)). rewrite Hru, El, E, repeat_length in Hle. lia.
Qed.

(** * In the words of docs/relay.md, times N *)
Section Words.
Local Open Scope Z_scope.
Variable sigma : letter -> nat.
Variable slow : letter.
Variables (N theta : Z) (worth : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis slow_fast : (sigma slow <= sigma (other slow))%nat.
Hypothesis theta_range : worth (other slow) <= theta <= worth slow.
Variables (s : string) (b R : nat).
Hypothesis s_some : s <> [].
Hypothesis b_some : (0 < b)%nat.
Hypothesis R_some : (0 < R)%nat.
Notation new := (one_block s b).
Notation run M G mss := (exists mps' n', qrun sigma new (idle_slots M R) G mss mps' n').

(** The cost of n blocks of which K are followed, n b a + K (I - a) + c (K n(s) + (K-1) e): P with K = ceil(n/R), Q with K =
    floor(n/R), and L with n = R and K = 1. *)
Notation cost := (cost sigma slow N theta worth s b R).
Definition P (x : nat) : Z := cost x (Z.of_nat ((x - 1) / R) + 1).
Definition Q (y : nat) : Z := if (y <? R)%nat then 0 else cost y (Z.of_nat (y / R)).
Definition bound_L : Z := cost R 1.

Lemma cost_more n K n' K' : (n <= n')%nat -> 1 <= K <= K' -> 0 <= cost n K <= cost n' K'.
Proof.
  intros Hn HK. unfold EqualBlocks.cost.
  pose proof (cost_signs sigma slow N theta worth N_pos worth_unit slow_fast theta_range s b R b_some R_some) as (S1 & S2 & S3 & S4).
  pose proof (rate_words sigma slow N theta worth N_pos worth_unit slow_fast theta_range s) as S5.
  set (A := rate _ _ s) in *. set (cc := c_relay _ _ _ _ _ _ _) in *. set (nn := slow_to_fast slow s) in *. set (e := entry slow s) in *.
  assert (Z.of_nat (n * b) * A <= Z.of_nat (n' * b) * A).
  { apply Z.mul_le_mono_nonneg_r; [exact S1|]. apply Nat2Z.inj_le, Nat.mul_le_mono_r. exact Hn. }
  assert (0 <= (K * nn + (K - 1) * e) * cc <= (K' * nn + (K' - 1) * e) * cc) by nia.
  nia.
Qed.

(** One multiprocessor, G blocks: T <= P(G). *)
Theorem equal_slots G mss : run 1 G mss -> N * Z.of_nat (queue_span mss) <= P G.
Proof.
  intros (mps' & n' & H). destruct (Nat.eq_dec (queue_span mss) 0) as [->|Hne].
  { pose proof (cost_more G (Z.of_nat ((G - 1) / R) + 1) G _ (Nat.le_refl _) ltac:(split; [lia|apply Z.le_refl])). unfold P. lia. }
  destruct (grid_parts sigma s b R s_some b_some R_some _ _ _ _ _ H Hne) as (x & t & Hx & _ & HP & _).
  apply (alone_bound sigma slow N theta worth N_pos worth_unit slow_fast theta_range s b R s_some b_some R_some) in HP.
  etransitivity; [exact HP|]. unfold P. apply cost_more; [lia|]. pose proof (Nat.div_le_mono (x - 1) (G - 1) R ltac:(lia) ltac:(lia)). lia.
Qed.

(** All blocks have room: T <= L, the phase bound of R blocks, R being no more than there are blocks. *)
Theorem blocks_fit M G mss : run M G mss -> (R <= G <= M * R)%nat -> N * Z.of_nat (queue_span mss) <= bound_L.
Proof.
  intros (mps' & n' & H) HG. pose proof (cost_more R 1 R 1 (Nat.le_refl _) ltac:(lia)) as H0. unfold bound_L.
  destruct (Nat.eq_dec (queue_span mss) 0) as [->|Hne]; [lia|].
  destruct (grid_parts sigma s b R s_some b_some R_some _ _ _ _ _ H Hne) as (x & t & _ & _ & _ & HQ & HL).
  destruct HQ as [->|[HQ _]]; [|lia]. destruct HL as [HL|HL]; [lia|]. rewrite Nat.min_l, Nat.sub_0_r in HL by lia.
  apply (left_over_bound sigma slow N theta worth N_pos worth_unit slow_fast theta_range s b R b_some R_some _ HL).
Qed.

(** Several multiprocessors with one queue: for some x of the G blocks, T is at most P(x) and at most L + Q(floor((G - x) / (M - 1))). *)
Theorem several_multiprocessors M G mss : run M G mss -> (2 <= M)%nat -> (R <= G)%nat -> queue_span mss <> 0%nat ->
  exists x, (1 <= x <= G)%nat /\ N * Z.of_nat (queue_span mss) <= Z.min (P x) (bound_L + Q ((G - x) / (M - 1))).
Proof.
  intros (mps' & n' & H) HM HG Hne. pose proof (cost_more R 1 R 1 (Nat.le_refl _) ltac:(lia)) as H0.
  destruct (grid_parts sigma s b R s_some b_some R_some _ _ _ _ _ H Hne) as (x & t & Hx & Ht & HP & HQ & HL).
  exists x. split; [lia|]. apply Z.min_glb.
  { apply (alone_bound sigma slow N theta worth N_pos worth_unit slow_fast theta_range s b R s_some b_some R_some _ _ HP). }
  assert (N * Z.of_nat (queue_span mss - t) <= bound_L) as E1.
  { unfold bound_L. destruct HL as [->|HL]; [rewrite Nat.sub_diag; lia|]. rewrite Nat.min_l in HL by lia.
    apply (left_over_bound sigma slow N theta worth N_pos worth_unit slow_fast theta_range s b R b_some R_some _ HL). }
  assert (N * Z.of_nat t <= Q ((G - x) / (M - 1))) as E2; [|nia].
  set (y' := ((G - x) / (M - 1))%nat) in *.
  assert (0 <= Q y') as HQ0.
  { unfold Q. destruct (Nat.ltb_spec y' R); [lia|]. assert (1 <= y' / R)%nat by (apply Nat.div_le_lower_bound; lia).
    pose proof (cost_more y' (Z.of_nat (y' / R)) y' (Z.of_nat (y' / R)) (Nat.le_refl _) ltac:(lia)). lia. }
  destruct HQ as [->|[_ HQ]]; [lia|]. destruct (HQ HM) as (y & Hy & Hpk). assert (y <= y')%nat as Hyy by (apply Nat.div_le_lower_bound; lia).
  pose proof (packed_bound sigma slow N theta worth N_pos worth_unit slow_fast theta_range s b R s_some b_some R_some _ _ Hpk) as HB.
  destruct (Nat.ltb_spec y R) as [Hlt|Hge].
  - rewrite (packed_few sigma s b R y t Hpk Hlt). lia.
  - assert (1 <= y / R)%nat as H1 by (apply Nat.div_le_lower_bound; lia). pose proof (Nat.div_le_mono y y' R ltac:(lia) Hyy).
    pose proof (cost_more y (Z.of_nat (y / R)) y' (Z.of_nat (y' / R)) Hyy ltac:(lia)). unfold Q. destruct (Nat.ltb_spec y' R); lia.
Qed.
End Words.
