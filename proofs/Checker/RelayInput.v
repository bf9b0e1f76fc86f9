(** Equal blocks that follow one another, on one multiprocessor or on several with one queue (docs/relay.md), as the user gave
    them: a bound that computes, schedules that are replayed, and the proofs. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Exact Require Import Blocks.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Checker Require Import Instance Rows Upper Replay Input BarrierInstance BarrierPhase.
From Warpspan.Relay Require Import GridRuns QueueRuns SlotRuns Multiprocessors EqualBlocks OddStrings LeftOver ByUnits GridBounds.
Local Open Scope N_scope.

(** [grid_blocks] blocks of [grid_warps] warps that run one kernel without barriers, on [grid_multiprocessors] multiprocessors
    with one queue, at most [grid_slots] blocks at once on each. *)
Record grid_input : Set := GridInput
  { grid_L : sigma; grid_C : sigma; grid_kernel : string; grid_warps : N; grid_blocks : N; grid_multiprocessors : N; grid_slots : N }.

Definition grid_sigma (g : grid_input) (U : letter) : sigma := match U with L => grid_L g | C => grid_C g end.

Definition grid_takes (g : grid_input) (U : letter) : nat := N.to_nat (letters_a_cycle (grid_sigma g U)).

(** The kernel after the expansion. *)
Definition grid_string (g : grid_input) : string := stretch (Input (grid_L g) (grid_C g) []) (grid_kernel g).

Definition grid_block (g : grid_input) : block := one_block (grid_string g) (N.to_nat (grid_warps g)).

(** The slots of a multiprocessor: no more than there are blocks can be in use. *)
Definition resident (g : grid_input) : N := N.min (grid_slots g) (grid_blocks g).
Definition at_first (g : grid_input) : list (list block) :=
  idle_slots (N.to_nat (grid_multiprocessors g)) (N.to_nat (resident g)).

(** * What a certificate says, of the runs of Relay/QueueRuns.v *)

Definition grid_run (g : grid_input) := qrun (grid_takes g) (grid_block g) (at_first g) (N.to_nat (grid_blocks g)).

(** No schedule takes more than T cycles. *)
Definition grid_at_most (g : grid_input) (T : N) : Prop :=
  forall mss mps waiting, grid_run g mss mps waiting -> N.of_nat (queue_span mss) <= T.

(** A complete schedule, at whose end no block waits and all have ended, takes exactly T cycles. *)
Definition grid_at_least (g : grid_input) (T : N) : Prop :=
  exists mss mps, grid_run g mss mps 0 /\ Forall (Forall (fun b => occupied b = false)) mps /\ N.of_nat (queue_span mss) = T.

(** * Units that take more letters than there are warps at once *)

Lemma legal_cap (f g : letter -> nat) st m : (forall U, min (f U) (length st) = min (g U) (length st)) ->
  legal f st m -> legal g st m.
Proof.
  intros Hs [Ha Hc]. split; [assumption|]. intros U. destruct (Hc U) as [H1 H2]. specialize (Hs U).
  pose proof (Input.issued_waiting U st m). split; [lia|]. intros Hw. specialize (H2 Hw). lia.
Qed.


Section Cap.
Variables (f g : letter -> nat) (s : string) (b R : nat).
Hypothesis same : forall U, min (f U) (R * b) = min (g U) (R * b).
Notation new := (one_block s b).
Notation part := (part s b).

Lemma flat_parts slots : Forall part slots -> (length (flat slots) <= length slots * b)%nat.
Proof.
  induction 1 as [|x slots (_ & H & _) _ IH]; [cbn; lia|]. cbn [flat flat_map length]. fold (flat slots). rewrite app_length. lia.
Qed.

Lemma allowed_cap slots om : Forall part slots -> length slots = R -> allowed f new slots om -> allowed g new slots om.
Proof.
  intros Hp HR Ha. pose proof (filled_length f new slots om Ha) as Hl. destruct Ha as (H1 & H2 & H3). split; [assumption|]. split; [assumption|].
  apply (legal_cap f g); [|exact H3]. intros U. pose proof (flat_parts _ (fill_good new part (part_new s b) slots (fst om) Hp)) as Hf.
  unfold QueueRuns.filled in Hl. rewrite Hl, HR in Hf. specialize (same U). lia.
Qed.

Lemma qrun_cap mps n mss mps' n' : qrun f new mps n mss mps' n' -> Forall (fun slots => Forall part slots /\ length slots = R) mps ->
  qrun g new mps n mss mps' n'.
Proof.
  intros Hr; induction Hr as [mps n|mps n oms left mss mps' n' Ha Hn Hb Hr IH]; intros Hp; [constructor|]. econstructor; eauto.
  - clear - Ha Hp same. induction Ha as [|x y l l' Hxy Ha IH]; [constructor|]. pose proof (Forall_inv Hp) as [P1 P2]; pose proof (Forall_inv_tail Hp) as Hp'.
    constructor; [apply allowed_cap; auto|now apply IH].
  - apply IH. clear - Ha Hp. unfold each. induction Ha as [|x y l l' Hxy Ha IH]; [constructor|]. pose proof (Forall_inv Hp) as [P1 P2]; pose proof (Forall_inv_tail Hp) as Hp'.
    cbn [combine map fst snd]. constructor; [|now apply IH]. split; [|rewrite (turned_length f new) by assumption; exact P2].
    apply (turned_good f new part (part_new s b) (part_next s b)); assumption.
Qed.
End Cap.

(** What a unit takes in a cycle, but no more than there are warps at once. *)
Definition grid_capped (g : grid_input) (U : letter) : nat :=
  N.to_nat (N.min (letters_a_cycle (grid_sigma g U)) (resident g * grid_warps g)).

Lemma grid_cap g U : let W := (N.to_nat (resident g) * N.to_nat (grid_warps g))%nat in
  min (grid_takes g U) W = min (units (grid_capped g L) (grid_capped g C) U) W.
Proof. unfold grid_takes, grid_capped, units. destruct U; rewrite N2Nat.inj_min, N2Nat.inj_mul; cbv zeta; lia. Qed.

Lemma at_first_parts g s b : Forall (fun slots => Forall (part s b) slots /\ length slots = N.to_nat (resident g)) (at_first g).
Proof.
  apply Forall_forall. intros l Hl. apply repeat_spec in Hl. subst. split; [|apply repeat_length].
  apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. apply part_vacant.
Qed.

(** * The upper end, by computation *)

Section Bound.
Variables (sL sC : nat) (s : string) (b r : N).
Let slow := if (sL <=? sC)%nat then L else C.
Let fast := other slow.

(** c, where W = r b warps are there at once. *)
Definition grid_cost (q th : Z) : Z :=
  if double fast s
  then (Z.min (Z.of_nat (units sL sC fast) - 1) (Z.of_N (r * b) - 1) * (th - wt sL sC q fast))%Z else 0%Z.

(** n blocks, of which K are followed: at a price theta, by units, and the least of all. *)
Definition by_theta (q th : Z) (n K : N) : Z :=
  let a := rate_of sL sC q th [s] in let k := Z.of_N K in let scale := (Z.of_nat sL * Z.of_nat sC * q)%Z in
  ((Z.of_N (n * b) * a + k * (scale * zlength s - a) + (k * slow_to_fast slow s + (k - 1) * entry slow s) * grid_cost q th) / scale)%Z.

Definition letters (U : letter) : Z := zlength (filter (eqb U) s).

Definition on_one (U : letter) (n K : N) : Z :=
  let f := (Z.of_N K * letters U)%Z in let k := Z.of_nat (units sL sC U) in
  (f + if k <? Z.of_N (r * b) then Z.max 0 (Z.of_N (n * b) * letters U - f) / k else 0)%Z.

Fixpoint least (thetas : list (Z * Z)) (n K : N) : Z :=
  match thetas with
  | [] => (on_one L n K + on_one C n K)%Z
  | t :: thetas => let th := scaled sL sC t in let v := least thetas n K in
    if valid sL sC (snd t) th then Z.min (by_theta (snd t) th n K) v else v
  end.

(** P, and Q. An odd string has one unit X whose letters follow all others. *)
Definition odd_for (X : letter) : bool :=
  (sL =? 1)%nat && (sC =? 1)%nat && (1 <? r) && wants X s && forallb Nat.odd (blocks s).

Definition to_end (thetas : list (Z * Z)) (n : N) : Z :=
  let v := least thetas n ((n - 1) / r + 1) in
  let one X := if odd_for X then (Z.of_N (n * b) * letters X + (zlength s - letters X))%Z else v in
  Z.min v (Z.min (one L) (one C)).

Definition to_start (thetas : list (Z * Z)) (n : N) : Z :=
  if n <? r then 0%Z else
  let v := least thetas n (n / r) in let one X := if odd_for X then (Z.of_N (n * b) * letters X)%Z else v in
  Z.min v (Z.min (one L) (one C)).

(** L: r blocks of which one is followed, or the phase bound with its limit on the changes of label, where that is computed fast. *)
Definition few_labellings : bool := N.of_nat (length s) * N.of_nat (changes s) <=? 65536.

Definition together (thetas : list (Z * Z)) : Z :=
  let sharp t v := if few_labellings && valid sL sC (snd t) (scaled sL sC t)
    then fold_right Z.min v (Upper.phases sL sC (snd t) (scaled sL sC t) [(s, r * b)]) else v in
  fold_right sharp (least thetas r 1) thetas.

Hypothesis s_some : s <> [].
Hypothesis b_some : 0 < b.
Hypothesis r_some : 0 < r.
Hypothesis L_some : (0 < sL)%nat.
Hypothesis C_some : (0 < sC)%nat.
Notation new := (one_block s (N.to_nat b)).
Notation rr := (N.to_nat r).
Notation bb := (N.to_nat b).

Lemma units_pos U : (0 < units sL sC U)%nat.
Proof. destruct U; assumption. Qed.

Lemma letters_spec U : letters U = Z.of_nat (count U s).
Proof. apply zlength_spec. Qed.

Lemma cost_spec q th n K : valid sL sC q th = true ->
  by_theta q th n K = (cost (units sL sC) slow (Z.of_nat sL * Z.of_nat sC * q) th (wt sL sC q) s bb rr (N.to_nat n) (Z.of_N K)
    / (Z.of_nat sL * Z.of_nat sC * q))%Z.
Proof.
  intros Hv. destruct (valid_spec _ _ _ _ Hv) as (V1 & V2 & V3 & V4). unfold by_theta, cost.
  assert (c_relay (units sL sC) slow th (wt sL sC q) s bb rr = grid_cost q th) as Ec.
  { unfold c_relay, c_beside, grid_cost. fold fast.
    rewrite (doubles_repeat (units sL sC) slow V3 s bb rr) by lia.
    destruct (double fast s); [|rewrite Nat.min_0_r; reflexivity]. f_equal. pose proof (units_pos fast).
    assert (Z.of_N (r * b) = Z.of_nat (rr * bb)) as -> by (rewrite Nat2Z.inj_mul, N2Z.inj_mul, !N_nat_Z; reflexivity).
    assert (0 < rr * bb)%nat by nia. generalize dependent (rr * bb)%nat. intros. lia. }
  rewrite Ec, zlength_spec, rate_of_spec. cbn [map sumZ]. fold slow. rewrite Z.add_0_r.
  replace (Z.of_nat (N.to_nat n * bb)) with (Z.of_N (n * b)) by (rewrite Nat2Z.inj_mul, N2Z.inj_mul, !N_nat_Z; reflexivity).
  reflexivity.
Qed.

Lemma on_one_spec U n K : on_one U n K = Z.of_nat (on_unit (units sL sC) (rr * bb) U (N.to_nat K * count U s) (N.to_nat n * bb * count U s)).
Proof.
  unfold on_one, on_unit. rewrite letters_spec. pose proof (units_pos U) as Hu.
  assert ((Z.of_nat (units sL sC U) <? Z.of_N (r * b))%Z = (units sL sC U <? rr * bb)%nat) as ->.
  { destruct (Z.ltb_spec (Z.of_nat (units sL sC U)) (Z.of_N (r * b))), (Nat.ltb_spec (units sL sC U) (rr * bb)); lia. }
  rewrite Nat2Z.inj_add, Nat2Z.inj_mul, N_nat_Z. f_equal. destruct (_ <? _)%nat; [|reflexivity].
  rewrite Nat2Z.inj_div. f_equal. rewrite Nat2Z.inj_sub_max, !Nat2Z.inj_mul, N2Z.inj_mul, !N_nat_Z. lia.
Qed.

(** What is no longer than each of the terms. *)
Definition within (T : nat) (n K : N) : Prop :=
  (T <= by_units (units sL sC) s bb rr (N.to_nat n) (N.to_nat K))%nat /\
  forall q th, valid sL sC q th = true -> (Z.of_nat sL * Z.of_nat sC * q * Z.of_nat T <=
    cost (units sL sC) slow (Z.of_nat sL * Z.of_nat sC * q) th (wt sL sC q) s bb rr (N.to_nat n) (Z.of_N K))%Z.

Lemma within_least thetas T n K : within T n K -> (Z.of_nat T <= least thetas n K)%Z.
Proof.
  intros [H1 H2]. induction thetas as [|t thetas IH]; cbn [least].
  - rewrite !on_one_spec. unfold by_units in H1. lia.
  - destruct (valid _ _ _ _) eqn:Hv; [|exact IH]. apply Z.min_glb; [|exact IH]. rewrite cost_spec by assumption.
    destruct (valid_spec _ _ _ _ Hv) as (V1 & _). apply Z.div_le_lower_bound; [exact V1|]. now apply H2.
Qed.

Lemma within_more T n K n' K' : n <= n' -> 1 <= K <= K' -> within T n K -> within T n' K'.
Proof.
  intros Hn HK [H1 H2]. split.
  - etransitivity; [exact H1|]. unfold by_units.
    apply Nat.add_le_mono; apply on_unit_mono; try exact units_pos; apply Nat.mul_le_mono_r; try apply Nat.mul_le_mono_r; lia.
  - intros q th Hv. etransitivity; [exact (H2 q th Hv)|]. destruct (valid_spec _ _ _ _ Hv) as (V1 & V2 & V3 & V4). unfold cost.
    pose proof (cost_signs (units sL sC) slow _ th (wt sL sC q) V1 V2 V3 V4 s bb rr ltac:(lia) ltac:(lia)) as (S1 & S2 & S3 & S4).
    pose proof (rate_words (units sL sC) slow _ th (wt sL sC q) V1 V2 V3 V4 s) as S5.
    set (A := rate _ _ s) in *. set (cc := c_relay _ _ _ _ _ _ _) in *. set (nn := slow_to_fast slow s) in *. set (e := entry slow s) in *.
    assert (Z.of_nat (N.to_nat n * bb) * A <= Z.of_nat (N.to_nat n' * bb) * A)%Z.
    { apply Z.mul_le_mono_nonneg_r; [exact S1|]. apply Nat2Z.inj_le, Nat.mul_le_mono_r. lia. }
    assert ((Z.of_N K * nn + (Z.of_N K - 1) * e) * cc <= (Z.of_N K' * nn + (Z.of_N K' - 1) * e) * cc)%Z by nia.
    nia.
Qed.

Lemma alone_within n T : 0 < n -> alone (units sL sC) new rr (N.to_nat n) T -> within T n ((n - 1) / r + 1).
Proof.
  intros Hn H. assert (N.to_nat ((n - 1) / r + 1) = (N.to_nat n - 1) / rr + 1)%nat as EK.
  { rewrite N2Nat.inj_add, N2Nat.inj_div, N2Nat.inj_sub. reflexivity. }
  split.
  - rewrite EK. apply (alone_by_units (units sL sC) units_pos s bb rr); try assumption; lia.
  - intros q th Hv. destruct (valid_spec _ _ _ _ Hv) as (V1 & V2 & V3 & V4).
    pose proof (alone_bound (units sL sC) slow _ th (wt sL sC q) V1 V2 V3 V4 s bb rr s_some ltac:(lia) ltac:(lia) _ _ H) as HB.
    replace (Z.of_N ((n - 1) / r + 1)) with (Z.of_nat ((N.to_nat n - 1) / rr) + 1)%Z; [exact HB|]. rewrite <- N_nat_Z, EK. lia.
Qed.

Lemma packed_within n T : packed (units sL sC) new rr (N.to_nat n) T -> r <= n -> within T n (n / r).
Proof.
  intros H Hn. assert (N.to_nat (n / r) = N.to_nat n / rr)%nat as EK by apply N2Nat.inj_div. split.
  - rewrite EK. apply (packed_by_units (units sL sC) units_pos s bb rr); try assumption; lia.
  - intros q th Hv. destruct (valid_spec _ _ _ _ Hv) as (V1 & V2 & V3 & V4).
    pose proof (packed_bound (units sL sC) slow _ th (wt sL sC q) V1 V2 V3 V4 s bb rr s_some ltac:(lia) ltac:(lia) _ _ H) as HB.
    replace (Z.of_nat (N.to_nat n / rr)) with (Z.of_N (n / r)) in HB by (rewrite <- EK; lia).
    pose proof (cost_signs (units sL sC) slow _ th (wt sL sC q) V1 V2 V3 V4 s bb rr ltac:(lia) ltac:(lia)) as (S1 & S2 & S3 & S4).
    pose proof (rate_words (units sL sC) slow _ th (wt sL sC q) V1 V2 V3 V4 s) as S5.
    assert (1 <= n / r) as H1 by (apply N.div_le_lower_bound; lia). unfold cost in *.
    rewrite Z.max_r in HB; [exact HB|]. nia.
Qed.

Lemma left_over_within T : left_over (units sL sC) (part s bb) rr T -> within T r 1.
Proof.
  intros H. split.
  - apply (left_over_by_units (units sL sC) units_pos s bb rr); try assumption; lia.
  - intros q th Hv. destruct (valid_spec _ _ _ _ Hv) as (V1 & V2 & V3 & V4).
    apply (left_over_bound (units sL sC) slow _ th (wt sL sC q) V1 V2 V3 V4 s bb rr ltac:(lia) ltac:(lia) _ H).
Qed.

Lemma left_over_together thetas T : left_over (units sL sC) (part s bb) rr T -> (Z.of_nat T <= together thetas)%Z.
Proof.
  intros H. unfold together. pose proof (within_least thetas T r 1 (left_over_within T H)) as H0.
  generalize dependent (least thetas r 1). intros v0 H0. induction thetas as [|t thetas IH]; [exact H0|]. cbn [fold_right].
  destruct (few_labellings && valid sL sC (snd t) (scaled sL sC t)) eqn:E; [|exact IH]. apply andb_prop in E. destruct E as [_ Hv].
  set (g := (s, r * b)). set (gs := [g]). set (q := snd t) in *. set (th := scaled sL sC t) in *.
  assert (Upper.phases sL sC q th gs = [phase_of sL sC q th (zdoubles sL sC gs) (total_row (most_changes gs) (rows sL sC q th (most_changes gs) gs))
    (g, row (wt sL sC q) (kappa (if (sL <=? sC)%nat then Semantics.L else C) th (wt sL sC q)) (most_changes gs) (fst g))]) as -> by reflexivity.
  cbn [fold_right]. apply Z.min_glb; [|exact IH].
  assert (expand gs = repeat s (rr * bb)) as Ee.
  { unfold gs, g, expand. cbn [flat_map fst snd]. now rewrite app_nil_r, N2Nat.inj_mul. }
  assert (0 < rr * bb)%nat as Hn by nia.
  assert (0 < length (expand gs))%nat as Hl by (rewrite Ee, repeat_length; exact Hn).
  assert (nth 0 (expand gs) [] = s) as E1 by (rewrite Ee; destruct (rr * bb)%nat; [lia|reflexivity]).
  assert (others 0 (expand gs) = repeat s (rr * bb - 1)) as E2 by (rewrite Ee; now apply others_repeat).
  rewrite (phase_of_waits sL sC q th gs 0 g (or_introl eq_refl) Hl E1).
  destruct (price_enough sL sC q th gs 0 Hv Hl) as [Hc He]. rewrite E1, E2 in *. change (fst g) with s.
  destruct (valid_spec _ _ _ _ Hv) as (V1 & V2 & V3 & V4).
  pose proof (left_over_phases (units sL sC) _ _ _ _ V1 V2 ltac:(eapply kappa_pos; eauto) ltac:(eapply kappa_le_worth; eauto) Hc
    s bb rr T s_some ltac:(lia) ltac:(lia) He H) as HB.
  match goal with |- (_ <= _ + ?w / ?n)%Z => assert (Z.of_nat T - Z.of_nat (length s) <= w / n)%Z by (apply Z.div_le_lower_bound; lia) end. lia.
Qed.

Lemma odd_for_spec X : odd_for X = true -> (forall U, units sL sC U = 1%nat) /\ odd s /\ (2 <= rr)%nat /\ a s = count X s.
Proof.
  unfold odd_for. rewrite !andb_true_iff, !Nat.eqb_eq, N.ltb_lt. intros ((((O1 & O2) & O3) & O4) & O5).
  assert (odd s) as Hodd by (apply Forall_forall; now apply forallb_forall).
  split; [intros []; assumption|]. split; [exact Hodd|]. split; [lia|]. clear - O4 Hodd.
  destruct s as [|U x]; [discriminate|]. cbn [wants] in O4. assert (U = X) as -> by (destruct U, X; try discriminate; reflexivity).
  now apply odd_sep.
Qed.

Lemma more_letters X n n' : n <= n' -> (Z.of_nat (N.to_nat n * bb) * Z.of_nat (count X s) <= Z.of_N (n' * b) * letters X)%Z.
Proof.
  intros Hn. rewrite letters_spec. apply Z.mul_le_mono_nonneg_r; [lia|]. rewrite Nat2Z.inj_mul, N2Z.inj_mul, !N_nat_Z.
  apply Z.mul_le_mono_nonneg_r; lia.
Qed.

Lemma alone_to_end thetas n n' T : 0 < n <= n' -> alone (units sL sC) new rr (N.to_nat n) T -> (Z.of_nat T <= to_end thetas n')%Z.
Proof.
  intros Hn H. assert (Z.of_nat T <= least thetas n' ((n' - 1) / r + 1))%Z as H1.
  { apply within_least, (within_more _ n ((n - 1) / r + 1)); [lia| |apply alone_within; [lia|assumption]].
    split; [apply N.le_add_l|]. apply N.add_le_mono_r, N.div_le_mono; lia. }
  unfold to_end. apply Z.min_glb; [exact H1|].
  assert (forall X, odd_for X = true -> (Z.of_nat T <= Z.of_N (n' * b) * letters X + (zlength s - letters X))%Z) as HX.
  { intros X Ho. destruct (odd_for_spec X Ho) as (O1 & O2 & O3 & Ea).
    pose proof (odd_strings (units sL sC) s bb rr _ T O1 O2 s_some ltac:(lia) O3 H) as HB. rewrite Ea in HB.
    pose proof (more_letters X n n' ltac:(lia)). rewrite letters_spec in *. rewrite zlength_spec.
    assert (count X s <= length s)%nat by (pose proof (count_both X s); lia). lia. }
  apply Z.min_glb; [destruct (odd_for L) eqn:E|destruct (odd_for C) eqn:E]; auto.
Qed.

Lemma packed_to_start thetas n n' T : n <= n' -> packed (units sL sC) new rr (N.to_nat n) T -> (Z.of_nat T <= Z.max 0 (to_start thetas n'))%Z.
Proof.
  intros Hn H. destruct (N.ltb_spec n r) as [Hlt|Hge]; [rewrite (packed_few _ _ _ _ _ _ H ltac:(lia)); lia|].
  unfold to_start. destruct (N.ltb_spec n' r); [lia|]. etransitivity; [|apply Z.le_max_r].
  assert (Z.of_nat T <= least thetas n' (n' / r))%Z as H1.
  { apply within_least, (within_more _ n (n / r)); [assumption| |now apply packed_within].
    split; [apply N.div_le_lower_bound; lia|apply N.div_le_mono; lia]. }
  apply Z.min_glb; [exact H1|].
  assert (forall X, odd_for X = true -> (Z.of_nat T <= Z.of_N (n' * b) * letters X)%Z) as HX.
  { intros X Ho. destruct (odd_for_spec X Ho) as (O1 & O2 & O3 & Ea).
    pose proof (odd_strings_full (units sL sC) s bb rr _ T O1 O2 s_some ltac:(lia) O3 H) as HB. rewrite Ea in HB.
    pose proof (more_letters X n n' ltac:(lia)). lia. }
  apply Z.min_glb; [destruct (odd_for L) eqn:E|destruct (odd_for C) eqn:E]; auto.
Qed.
End Bound.

(** P, Q and L of a grid, at the prices theta = n/d, of which those in range are used. *)
Definition P_of (g : grid_input) : list (Z * Z) -> N -> Z :=
  to_end (grid_capped g L) (grid_capped g C) (grid_string g) (grid_warps g) (resident g).
Definition Q_of (g : grid_input) (thetas : list (Z * Z)) (y : N) : Z :=
  Z.max 0 (to_start (grid_capped g L) (grid_capped g C) (grid_string g) (grid_warps g) (resident g) thetas y).
Definition L_of (g : grid_input) (thetas : list (Z * Z)) : Z :=
  Z.max 0 (together (grid_capped g L) (grid_capped g C) (grid_string g) (grid_warps g) (resident g) thetas).

Definition grid_sane (g : grid_input) : bool :=
  BarrierInstance.filled (grid_string g) && (0 <? grid_warps g) && (0 <? grid_blocks g) && (0 <? grid_slots g) &&
  (0 <? grid_multiprocessors g) && (0 <? grid_capped g L)%nat && (0 <? grid_capped g C)%nat.

(** Equal blocks without barriers, in the form in which the program computes their bound: x of the n blocks are on the multiprocessor
    that ends last, and T is at most P(x') for every x' from x on, at most L if all blocks have room, and at most L + Q(y) for
    every y from floor((n - x) / (m - 1)) on; each of these at any prices. *)
Theorem equal_blocks g mss mps waiting : grid_sane g = true -> grid_run g mss mps waiting -> queue_span mss <> 0%nat ->
  let T := Z.of_nat (queue_span mss) in let n := grid_blocks g in let m := grid_multiprocessors g in
  exists x, 1 <= x <= n /\
    (forall thetas x', x <= x' -> (T <= P_of g thetas x')%Z) /\
    (n <= m * resident g -> forall thetas, (T <= L_of g thetas)%Z) /\
    (2 <= m -> forall thetas thetas' y, (n - x) / (m - 1) <= y -> (T <= L_of g thetas + Q_of g thetas' y)%Z).
Proof.
  unfold grid_sane. cbv zeta. rewrite !andb_true_iff, !N.ltb_lt, !Nat.ltb_lt, filled_spec.
  intros [[[[[[Hs Hb] Hn] Hr] Hm] HL] HC] Hrun Hne. set (T0 := queue_span mss) in *.
  assert (0 < resident g) as Hres by (unfold resident; lia). assert (resident g <= grid_blocks g) as Hle by (unfold resident; lia).
  assert (qrun (units (grid_capped g L) (grid_capped g C)) (grid_block g) (at_first g) (N.to_nat (grid_blocks g)) mss mps waiting) as Hq.
  { apply (qrun_cap (grid_takes g) _ (grid_string g) (N.to_nat (grid_warps g)) (N.to_nat (resident g)) (grid_cap g)); [exact Hrun|].
    apply at_first_parts. }
  destruct (grid_parts _ (grid_string g) (N.to_nat (grid_warps g)) (N.to_nat (resident g)) Hs ltac:(lia) ltac:(lia)
    _ _ _ _ _ Hq Hne) as (x & t & Hx & Ht & HP & HQ & HLo). fold T0 in Ht, HP, HQ, HLo. clear Hq Hrun.
  unfold P_of, Q_of, L_of.
  set (sL := grid_capped g L) in *. set (sC := grid_capped g C) in *. set (s := grid_string g) in *. set (b := grid_warps g) in *.
  set (r := resident g) in *. set (n := grid_blocks g) in *. set (m := grid_multiprocessors g) in *.
  replace (min (N.to_nat r) (N.to_nat n)) with (N.to_nat r) in HLo by lia.
  assert (forall thetas, Z.of_nat (T0 - t) <= Z.max 0 (together sL sC s b r thetas))%Z as HA.
  { intros thetas. destruct HLo as [->|HLo]; [lia|]. etransitivity; [|apply Z.le_max_r].
    exact (left_over_together sL sC s b r Hs Hb Hres HL HC thetas _ HLo). }
  exists (N.of_nat x). split; [lia|]. split; [|split].
  - intros thetas x' Hx'. apply (alone_to_end sL sC s b r Hs Hb Hres HL HC thetas (N.of_nat x)); [lia|]. now rewrite Nat2N.id.
  - intros Hfit thetas. assert (t = 0%nat) as -> by (destruct HQ as [|[HQ _]]; [assumption|]; lia).
    specialize (HA thetas). rewrite Nat.sub_0_r in HA. exact HA.
  - intros Hm2 thetas thetas' y Hy. specialize (HA thetas).
    assert (Z.of_nat t <= Z.max 0 (to_start sL sC s b r thetas' y))%Z as HS; [|lia].
    destruct HQ as [->|[_ HQ]]; [lia|]. destruct (HQ ltac:(lia)) as (k & Hk & Hpk).
    apply (packed_to_start sL sC s b r Hs Hb Hres HL HC thetas' (N.of_nat k)); [|now rewrite Nat2N.id].
    etransitivity; [|exact Hy]. apply N.div_le_lower_bound; lia.
Qed.

(** With several multiprocessors [most] is a number of blocks of the multiprocessor that ends last: up to so many, P is at most T,
    and with more the other term. *)
Definition grid_by_relay (g : grid_input) (thetas : list (Z * Z)) (most : N) (T : N) : bool :=
  let n := grid_blocks g in let m := grid_multiprocessors g in
  grid_sane g &&
  if n <=? m * resident g then (L_of g thetas <=? Z.of_N T)%Z
  else if m =? 1 then (P_of g thetas n <=? Z.of_N T)%Z
  else ((most =? 0) || (P_of g thetas most <=? Z.of_N T)%Z) &&
    ((n <=? most) || (L_of g thetas + Q_of g thetas ((n - most - 1) / (m - 1)) <=? Z.of_N T)%Z).

(** No schedule of the grid takes longer than the bound. *)
Theorem relay_sound g thetas most T : grid_by_relay g thetas most T = true -> grid_at_most g T.
Proof.
  unfold grid_by_relay. cbv zeta. rewrite andb_true_iff. intros [Hs H] mss mps waiting Hrun.
  destruct (Nat.eq_dec (queue_span mss) 0) as [->|Hne]; [lia|].
  destruct (equal_blocks g mss mps waiting Hs Hrun Hne) as (x & Hx & HP & HL & HQ). cbv zeta in *.
  assert (0 < grid_multiprocessors g) as Hm.
  { unfold grid_sane in Hs. rewrite !andb_true_iff, !N.ltb_lt in Hs. tauto. }
  set (n := grid_blocks g) in *. set (m := grid_multiprocessors g) in *.
  destruct (N.leb_spec n (m * resident g)) as [Hfit|_].
  - rewrite Z.leb_le in H. specialize (HL Hfit thetas). lia.
  - destruct (N.eqb_spec m 1) as [_|Hm1].
    + rewrite Z.leb_le in H. specialize (HP thetas n (proj2 Hx)). lia.
    + rewrite andb_true_iff, !orb_true_iff, N.eqb_eq, N.leb_le, !Z.leb_le in H. destruct H as [H1 H2].
      destruct (N.le_gt_cases x most) as [Hle|Hgt].
      * destruct H1 as [->|H1]; [lia|]. specialize (HP thetas most Hle). lia.
      * destruct H2 as [H2|H2]; [lia|].
        specialize (HQ ltac:(lia) thetas thetas ((n - most - 1) / (m - 1)) ltac:(apply N.div_le_mono; lia)). lia.
Qed.

(** * The lower end: a schedule, replayed *)

Fixpoint both {A B} (p : A -> B -> bool) (l : list A) (l' : list B) : bool :=
  match l, l' with [], [] => true | x :: l, y :: l' => p x y && both p l l' | _, _ => false end.

Lemma both_spec {A B} (p : A -> B -> bool) (P : A -> B -> Prop) : (forall x y, p x y = true -> P x y) ->
  forall l l', both p l l' = true -> Forall2 P l l'.
Proof.
  intros H l; induction l as [|x l IH]; intros [|y l'] E; cbn in E; try discriminate; constructor; apply andb_prop in E; destruct E; auto.
Qed.

Section GridReplay.
Variables (sL sC : nat) (new : block).
Notation turn := (list bool * list cycle)%type.

Definition allowedb (slots : list block) (om : turn) : bool :=
  both (fun b o => negb (o && occupied b)) slots (fst om) &&
  both (fun b m => (length m =? length (fst b))%nat) (fill new slots (fst om)) (snd om) &&
  legalb sL sC (flat (fill new slots (fst om))) (concat (snd om)).

Fixpoint qrunb (mps : list (list block)) (n : nat) (mss : list (list turn)) : bool :=
  match mss with
  | [] => (n =? 0)%nat && forallb (forallb (fun b => negb (occupied b))) mps
  | oms :: mss => let k := list_sum (map (fun om => starts (fst om)) oms) in
    both allowedb mps oms && (k <=? n)%nat &&
    ((n =? k)%nat || forallb (forallb occupied) (each (QueueRuns.filled new) mps oms)) &&
    qrunb (each (turned new) mps oms) (n - k) mss
  end.

Lemma forallb_twice {A} (p : A -> bool) l : forallb (forallb p) l = true -> Forall (Forall (fun x => p x = true)) l.
Proof.
  intros H. apply Forall_forall. intros x Hx. apply Forall_forall. rewrite forallb_forall in H. now apply forallb_forall, H.
Qed.

Lemma qrunb_sound mss : forall mps n, qrunb mps n mss = true ->
  exists mps', qrun (units sL sC) new mps n mss mps' 0 /\ Forall (Forall (fun b => occupied b = false)) mps'.
Proof.
  induction mss as [|oms mss IH]; intros mps n; cbn [qrunb].
  - rewrite andb_true_iff, Nat.eqb_eq. intros [-> H]. exists mps. split; [constructor|]. apply forallb_twice in H.
    eapply Forall_impl; [|exact H]. intros l Hl. eapply Forall_impl; [|exact Hl]. intros x Hx. now apply negb_true_iff in Hx.
  - rewrite !andb_true_iff, orb_true_iff, Nat.leb_le, Nat.eqb_eq. intros [[[H1 H2] H3] H4].
    destruct (IH _ _ H4) as (mps' & I1 & I2). exists mps'. split; [|exact I2].
    apply qrun_cons with (left := (n - list_sum (map (fun om => starts (fst om)) oms))%nat); [|lia| |exact I1].
    + revert H1. apply both_spec. intros slots om. unfold allowedb. rewrite !andb_true_iff. intros [[A1 A2] A3]. split; [|split].
      * revert A1. apply both_spec. intros x o E Ho. subst o. now apply negb_true_iff in E.
      * revert A2. apply both_spec. intros x m E. now apply Nat.eqb_eq.
      * now apply legalb_sound.
    + intros Hne. apply forallb_twice. destruct H3; [lia|assumption].
Qed.

(** The run that a certificate tells: the slots that blocks take, one after the other, and for each cycle the warps that issue.
    A block starts as soon as its slot is free. Slot k is on multiprocessor k / R, and its warps are those from k b on. *)
Fixpoint mark (k : nat) (os : list bool) : list bool :=
  match k, os with _, [] => [] | O, _ :: os => true :: os | S k, o :: os => o :: mark k os end.

Fixpoint take (slots : list block) (os : list bool) (places : list nat) : list bool * list nat :=
  match places with
  | [] => (os, [])
  | k :: rest => if occupied (nth k slots new) || nth k os true then (os, places) else take slots (mark k os) rest
  end.

(** Each multiprocessor's part, with [b] places in the mask for each slot. A slot that has not taken a block has no warps. *)
Fixpoint parts (b : nat) (mps : list (list block)) (os : list bool) (m : cycle) : list turn :=
  match mps with
  | [] => []
  | slots :: mps => let r := length slots in let o := firstn r os in
    let fix pieces (l : list block) (m : cycle) : list cycle :=
      match l with [] => [] | x :: l => firstn (length (fst x)) m :: pieces l (skipn b m) end in
    (o, pieces (fill new slots o) m) :: parts b mps (skipn r os) (skipn (r * b) m)
  end.

Fixpoint told (b : nat) (mps : list (list block)) (places : list nat) (rows : list (list N)) : list (list turn) :=
  match rows with
  | [] => []
  | row :: rows => let slots := concat mps in
    let (os, rest) := take slots (repeat false (length slots)) places in
    let oms := parts b mps os (mask (length slots * b) 0 row) in
    oms :: told b (each (turned new) mps oms) rest rows
  end.
End GridReplay.

Definition grid_by_schedule (g : grid_input) (places : list N) (schedule : list (list N)) (T : N) : bool :=
  let mss := told (grid_block g) (N.to_nat (grid_warps g)) (at_first g) (map N.to_nat places) schedule in
  qrunb (grid_capped g L) (grid_capped g C) (grid_block g) (at_first g) (N.to_nat (grid_blocks g)) mss &&
  (N.of_nat (queue_span mss) =? T).

Theorem grid_schedule_sound g places schedule T : grid_by_schedule g places schedule T = true -> grid_at_least g T.
Proof.
  unfold grid_by_schedule. cbv zeta. rewrite andb_true_iff, N.eqb_eq. intros [H HT].
  destruct (qrunb_sound _ _ _ _ _ _ H) as (mps & Hr & Hd). exists (told (grid_block g) (N.to_nat (grid_warps g)) (at_first g) (map N.to_nat places) schedule), mps.
  split; [|split; assumption].
  apply (qrun_cap (units (grid_capped g L) (grid_capped g C)) _ (grid_string g) (N.to_nat (grid_warps g)) (N.to_nat (resident g))); [|exact Hr|apply at_first_parts].
  intros U. symmetry. apply grid_cap.
Qed.
