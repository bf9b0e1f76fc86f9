(** Equal blocks that follow one another on one multiprocessor (docs/relay.md, section 5), as the user gave them: a bound that
    computes, schedules that are replayed, and the proofs. *)
From Coq Require Import List Arith ZArith NArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Phase Require Import Labellings Earnings PhaseBound.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Checker Require Import Instance Upper Replay Input BarrierInstance BarrierPhase.
From Warpspan.Relay Require Import GridRuns EqualBlocks.
Local Open Scope N_scope.

(** [grid_blocks] blocks of [grid_warps] warps that run one kernel without barriers, at most [grid_slots] of them at once. *)
Record grid_input : Set := GridInput
  { grid_L : sigma; grid_C : sigma; grid_kernel : string; grid_warps : N; grid_blocks : N; grid_slots : N }.

Definition grid_sigma (g : grid_input) (U : letter) : sigma := match U with L => grid_L g | C => grid_C g end.

Definition grid_takes (g : grid_input) (U : letter) : nat := N.to_nat (letters_a_cycle (grid_sigma g U)).

(** The kernel after the expansion. *)
Definition grid_string (g : grid_input) : string := stretch (Input (grid_L g) (grid_C g) []) (grid_kernel g).

Definition grid_block (g : grid_input) : block := one_block (grid_string g) (N.to_nat (grid_warps g)).

(** The blocks that start in cycle 1, and those that wait. *)
Definition resident (g : grid_input) : N := N.min (grid_slots g) (grid_blocks g).
Definition in_slots (g : grid_input) : list block := repeat (grid_block g) (N.to_nat (resident g)).
Definition in_queue (g : grid_input) : list block := repeat (grid_block g) (N.to_nat (grid_blocks g) - N.to_nat (resident g)).

(** * What a certificate says *)

Notation steps := (list (list cycle * list (option block))).

(** No schedule takes more than T cycles, if no slot is free while a block waits. *)
Definition grid_at_most (g : grid_input) (T : N) : Prop :=
  forall mss, rrun (grid_takes g) True (in_slots g) (in_queue g) mss -> N.of_nat (span mss) <= T.

(** A schedule at whose end no block waits and all have finished. *)
Inductive complete_grid (f : letter -> nat) : list block -> list block -> steps -> Prop :=
| complete_nil slots : all_done (flat slots) = true -> complete_grid f slots [] []
| complete_cons slots pending ms os pending' mss : step f slots pending ms os pending' ->
    (pending' <> [] -> Forall busy (next slots ms os)) -> complete_grid f (next slots ms os) pending' mss ->
    complete_grid f slots pending ((ms, os) :: mss).

(** A complete schedule takes exactly T cycles. *)
Definition grid_at_least (g : grid_input) (T : N) : Prop :=
  exists mss, complete_grid (grid_takes g) (in_slots g) (in_queue g) mss /\ N.of_nat (span mss) = T.

(** The two claims are about the same schedules. *)
Lemma complete_run f slots pending mss : complete_grid f slots pending mss -> rrun f True slots pending mss.
Proof. induction 1; [constructor|]. econstructor; eauto. Qed.

(** * Units that take more letters than there are warps at once *)

(** A block without barriers. *)
Definition plain (b : nat) (x : block) : Prop := snd x = [] /\ length (fst x) = b.

Lemma flat_plain b slots : Forall (plain b) slots -> length (flat slots) = (length slots * b)%nat.
Proof.
  induction 1 as [|x slots [_ H] _ IH]; [reflexivity|]. cbn [flat flat_map length]. fold (flat slots).
  rewrite app_length, IH. lia.
Qed.

Lemma open_plain x m : snd x = [] -> open (after (fst x) m, snd x) = (after (fst x) m, []).
Proof. intros H. unfold open. cbn [fst snd]. now rewrite H. Qed.

Lemma closed_plain b slots ms : fits slots ms -> Forall (plain b) slots -> Forall (plain b) (map open (closed slots ms)) /\
  length (map open (closed slots ms)) = length slots.
Proof.
  unfold closed. induction 1 as [|x m slots ms H Hf IH]; intros Hp; [split; [constructor|reflexivity]|].
  inversion Hp as [|? ? [H1 H2] Hp']; subst. destruct (IH Hp') as [I1 I2]. cbn [combine map fst snd length].
  rewrite open_plain by assumption. split; [constructor; [|exact I1]|now rewrite I2].
  split; [reflexivity|]. cbn [fst]. now apply after_length.
Qed.

Lemma start_plain b slots os : Forall (plain b) slots -> length os = length slots ->
  Forall (fun o => match o with Some x => plain b x | None => True end) os ->
  Forall (plain b) (start slots os) /\ length (start slots os) = length slots.
Proof.
  unfold start. intros Hp; revert os; induction Hp as [|x slots Hx Hp IH]; intros [|o os] Hl Ho; cbn in Hl; try lia;
    [split; [constructor|reflexivity]|]. inversion Ho; subst. destruct (IH os ltac:(lia) ltac:(assumption)) as [I1 I2].
  cbn [combine map length fst snd]. split; [constructor; [|exact I1]|now rewrite I2]. destruct o; assumption.
Qed.

Lemma step_plain f b slots pending ms os pending' : step f slots pending ms os pending' ->
  Forall (plain b) slots -> Forall (plain b) pending ->
  Forall (plain b) (next slots ms os) /\ length (next slots ms os) = length slots /\ Forall (plain b) pending'.
Proof.
  intros (Hf & _ & Hs & Hp) Hb Hq. destruct (closed_plain b slots ms Hf Hb) as [C1 C2].
  pose proof (Permutation_Forall Hp Hq) as HF. apply Forall_app in HF. destruct HF as [HF Hr].
  destruct (start_plain b _ os C1) as [S1 S2].
  - symmetry. clear - Hs. induction Hs; cbn; congruence.
  - clear - HF. induction os as [|[x|] os IH]; constructor; cbn [flat_map listed app] in HF; auto; inversion HF; auto.
  - unfold next. rewrite S2, C2. auto.
Qed.

Lemma legal_cap (f g : letter -> nat) st m : (forall U, min (f U) (length st) = min (g U) (length st)) ->
  legal f st m -> legal g st m.
Proof.
  intros Hs [Ha Hc]. split; [assumption|]. intros U. destruct (Hc U) as [H1 H2]. specialize (Hs U).
  pose proof (Input.issued_waiting U st m). split; [lia|]. intros Hw. specialize (H2 Hw). lia.
Qed.

Lemma step_cap (f g : letter -> nat) slots pending ms os pending' :
  (forall U, min (f U) (length (flat slots)) = min (g U) (length (flat slots))) ->
  step f slots pending ms os pending' -> step g slots pending ms os pending'.
Proof. intros Hs (H1 & H2 & H3 & H4). repeat split; auto; now apply (legal_cap f g _ _ Hs). Qed.

Lemma rrun_cap f g q b W slots pending mss : (forall U, min (f U) W = min (g U) W) ->
  Forall (plain b) slots -> Forall (plain b) pending -> (length slots * b = W)%nat ->
  rrun f q slots pending mss -> rrun g q slots pending mss.
Proof.
  intros Hs Hb Hq HW Hr. induction Hr as [slots pending|slots pending ms os pending' mss Hst Hp Hr IH]; [constructor|].
  destruct (step_plain _ _ _ _ _ _ _ Hst Hb Hq) as (N1 & N2 & N3).
  econstructor; [|exact Hp|apply IH; auto; lia].
  apply (step_cap f g); [|exact Hst]. now rewrite (flat_plain b slots Hb), HW.
Qed.

Lemma complete_cap f g b W slots pending mss : (forall U, min (f U) W = min (g U) W) ->
  Forall (plain b) slots -> Forall (plain b) pending -> (length slots * b = W)%nat ->
  complete_grid f slots pending mss -> complete_grid g slots pending mss.
Proof.
  intros Hs Hb Hq HW Hr. induction Hr as [slots Hd|slots pending ms os pending' mss Hst Hp Hr IH]; [now constructor|].
  destruct (step_plain _ _ _ _ _ _ _ Hst Hb Hq) as (N1 & N2 & N3).
  econstructor; [|exact Hp|apply IH; auto; lia].
  apply (step_cap f g); [|exact Hst]. now rewrite (flat_plain b slots Hb), HW.
Qed.

(** What a unit takes in a cycle, but no more than there are warps at once. *)
Definition grid_capped (g : grid_input) (U : letter) : nat :=
  N.to_nat (N.min (letters_a_cycle (grid_sigma g U)) (resident g * grid_warps g)).

Lemma grid_cap g U : let W := (N.to_nat (resident g) * N.to_nat (grid_warps g))%nat in
  min (grid_takes g U) W = min (units (grid_capped g L) (grid_capped g C) U) W.
Proof. unfold grid_takes, grid_capped, units. destruct U; rewrite N2Nat.inj_min, N2Nat.inj_mul; cbv zeta; lia. Qed.

Lemma grid_plain g n : Forall (plain (N.to_nat (grid_warps g))) (repeat (grid_block g) n).
Proof.
  apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. split; [reflexivity|]. apply repeat_length.
Qed.

(** * The upper end, by computation *)

Section Bound.
Variables (sL sC : nat) (q th : Z).
Let slow := if (sL <=? sC)%nat then L else C.
Let fast := other slow.
Let scale := (Z.of_nat sL * Z.of_nat sC * q)%Z.

(** c, where W = r b warps are there at once. *)
Definition grid_cost (s : string) (b r : N) : Z :=
  if double fast s
  then (Z.min (Z.of_nat (units sL sC fast) - 1) (Z.of_N (r * b) - 1) * (th - wt sL sC q fast))%Z else 0%Z.

Definition grid_bound (s : string) (b r n : N) : Z :=
  let a := rate_of sL sC q th [s] in
  let K := (Z.of_N ((n - 1) / r) + 1)%Z in
  let e := entry slow s in
  ((Z.of_N (n * b) * a + K * (scale * zlength s - a) + (K * slow_to_fast slow s + (K - 1) * e) * grid_cost s b r +
    (if ((1 <? r) && (r <? n))%N then e * (th - wt sL sC q fast) else 0)) / scale)%Z.

Lemma grid_bound_sound s b r n mss : valid sL sC q th = true -> s <> [] -> 0 < b -> 0 < r -> r <= n ->
  rrun (units sL sC) True (repeat (one_block s (N.to_nat b)) (N.to_nat r))
    (repeat (one_block s (N.to_nat b)) (N.to_nat n - N.to_nat r)) mss ->
  (Z.of_nat (span mss) <= grid_bound s b r n)%Z.
Proof.
  intros Hv Hs Hb Hr Hn H. destruct (valid_spec _ _ _ _ Hv) as (V1 & V2 & V3 & V4).
  apply (relay_equal_blocks (units sL sC) slow scale th (wt sL sC q) V1 V2 V3 V4) in H; try assumption; try lia.
  cbv zeta in H. unfold grid_bound. apply Z.div_le_lower_bound; [exact V1|]. fold slow fast in H |- *.
  assert (c_relay (units sL sC) slow th (wt sL sC q) s (N.to_nat b) (N.to_nat r) = grid_cost s b r) as Ec.
  { unfold c_relay, c_beside, grid_cost. fold fast.
    rewrite (doubles_repeat (units sL sC) slow th (wt sL sC q) V3 s (N.to_nat b) (N.to_nat r)) by lia.
    destruct (double fast s); [|rewrite Nat.min_0_r; reflexivity]. f_equal.
    assert (0 < units sL sC fast)%nat as H0.
    { pose proof (V2 fast). destruct (units sL sC fast); [cbn in *; lia|lia]. }
    rewrite Nat2Z.inj_min, !Nat2Z.inj_sub, Nat2Z.inj_mul, N2Z.inj_mul, !N_nat_Z by nia. reflexivity. }
  rewrite Ec in H.
  replace (Z.of_nat (N.to_nat n * N.to_nat b)) with (Z.of_N (n * b)) in H
    by (rewrite Nat2Z.inj_mul, N2Z.inj_mul, !N_nat_Z; reflexivity).
  replace (Z.of_nat ((N.to_nat n - 1) / N.to_nat r)) with (Z.of_N ((n - 1) / r)) in H.
  2: { rewrite N2Z.inj_div, Nat2Z.inj_div, N2Z.inj_sub, Nat2Z.inj_sub, !N_nat_Z by lia. reflexivity. }
  replace (1 <? N.to_nat r)%nat with (1 <? r) in H by (destruct (N.ltb_spec 1 r), (Nat.ltb_spec 1 (N.to_nat r)); lia).
  replace (N.to_nat r <? N.to_nat n)%nat with (r <? n) in H
    by (destruct (N.ltb_spec r n), (Nat.ltb_spec (N.to_nat r) (N.to_nat n)); lia).
  rewrite zlength_spec, rate_of_spec. cbn [map sumZ]. fold slow.
  rewrite (Z.add_0_r (rate (wt sL sC q) (kappa slow th (wt sL sC q)) s)). exact H.
Qed.
End Bound.

(** The bound of section 5 at the prices theta = n/d, of which those in range are used. *)
Definition grid_by_relay (g : grid_input) (thetas : list (Z * Z)) (T : N) : bool :=
  let sL := grid_capped g L in let sC := grid_capped g C in
  filled (grid_string g) && (0 <? grid_warps g) && (0 <? grid_blocks g) && (0 <? grid_slots g) &&
  existsb (fun t => let th := scaled sL sC t in
    valid sL sC (snd t) th && (grid_bound sL sC (snd t) th (grid_string g) (grid_warps g) (resident g) (grid_blocks g) <=? Z.of_N T)%Z)
    thetas.

(** No schedule of the grid takes longer than the bound. *)
Theorem relay_sound g thetas T : grid_by_relay g thetas T = true -> grid_at_most g T.
Proof.
  unfold grid_by_relay. cbv zeta. rewrite !andb_true_iff, !N.ltb_lt, filled_spec, existsb_exists.
  intros [[[[Hs Hb] Hn] Hr] (t & _ & Ht)] mss Hrun. rewrite andb_true_iff, Z.leb_le in Ht. destruct Ht as [Hv Ht].
  unfold in_slots, in_queue in Hrun.
  apply (rrun_cap _ (units (grid_capped g L) (grid_capped g C)) True (N.to_nat (grid_warps g))
    (N.to_nat (resident g) * N.to_nat (grid_warps g))) in Hrun.
  - apply (grid_bound_sound _ _ _ _ _ _ _ _ _ Hv Hs Hb) in Hrun; unfold resident in *; lia.
  - intros U. apply grid_cap.
  - apply grid_plain.
  - apply grid_plain.
  - now rewrite repeat_length.
Qed.

(** * The lower end: a schedule, replayed *)

Section GridReplay.
Variables (sL sC : nat) (new : block).
Hypothesis new_busy : busy new.

(** A cycle's truth values, block by block. *)
Fixpoint cut (slots : list block) (m : cycle) : list cycle :=
  match slots with
  | [] => []
  | x :: slots => firstn (length (fst x)) m :: cut slots (skipn (length (fst x)) m)
  end.

(** Blocks that wait start in the first slots that are free. *)
Fixpoint fill (slots : list block) (n : nat) : list (option block) * nat :=
  match slots with
  | [] => ([], n)
  | x :: slots =>
    match n with
    | S n' => if all_done (fst x) then let '(os, k) := fill slots n' in (Some new :: os, k)
              else let '(os, k) := fill slots n in (None :: os, k)
    | O => let '(os, k) := fill slots O in (None :: os, k)
    end
  end.

Fixpoint grid_replay (slots : list block) (n : nat) (ms : schedule) : bool :=
  match ms with
  | [] => all_done (flat slots) && (n =? 0)%nat
  | m :: ms => if legalb sL sC (flat slots) m
               then let '(os, k) := fill (map open (closed slots (cut slots m))) n in
                    grid_replay (next slots (cut slots m) os) k ms
               else false
  end.

Lemma cut_spec slots m : length m = length (flat slots) -> fits slots (cut slots m) /\ concat (cut slots m) = m.
Proof.
  revert m; induction slots as [|x slots IH]; intros m; cbn [flat flat_map cut concat].
  - destruct m; [|discriminate]. split; [constructor|reflexivity].
  - fold (flat slots). rewrite app_length. intros H. destruct (IH (skipn (length (fst x)) m)) as [I1 I2]; [rewrite skipn_length; lia|].
    rewrite I2, firstn_skipn. split; [|reflexivity]. constructor; [|exact I1]. rewrite firstn_length. lia.
Qed.

Lemma fill_spec slots : forall n os k, fill slots n = (os, k) -> Forall2 may_start slots os /\
  (repeat new n = flat_map listed os ++ repeat new k)%list /\ (k <> 0%nat -> Forall busy (start slots os)).
Proof.
  unfold start. induction slots as [|x slots IH]; intros n os k; cbn [fill].
  - intros [= <- <-]. repeat split; constructor.
  - destruct n as [|n].
    + destruct (fill slots 0) as [os' k'] eqn:E. intros [= <- <-]. destruct (IH _ _ _ E) as (I1 & I2 & I3).
      cbn [flat_map listed app]. split; [constructor; [intros H; now elim H|exact I1]|]. split; [exact I2|].
      destruct k'; [congruence|]. destruct (flat_map listed os'); discriminate.
    + destruct (all_done (fst x)) eqn:D.
      * destruct (fill slots n) as [os' k'] eqn:E. intros [= <- <-]. destruct (IH _ _ _ E) as (I1 & I2 & I3).
        cbn [flat_map listed app repeat combine map fst snd take]. split; [constructor; [intros _; exact D|exact I1]|].
        split; [now rewrite I2|]. intros Hk. constructor; [exact new_busy|auto].
      * destruct (fill slots (S n)) as [os' k'] eqn:E. intros [= <- <-]. destruct (IH _ _ _ E) as (I1 & I2 & I3).
        cbn [flat_map listed app combine map fst snd take]. split; [constructor; [intros H; now elim H|exact I1]|].
        split; [exact I2|]. intros Hk. constructor; [exact D|auto].
Qed.

Lemma grid_replay_sound ms : forall slots n, grid_replay slots n ms = true ->
  exists mss, complete_grid (units sL sC) slots (repeat new n) mss /\ span mss = makespan ms.
Proof.
  induction ms as [|m ms IH]; intros slots n; cbn [grid_replay].
  - rewrite andb_true_iff, Nat.eqb_eq. intros [Hd ->]. exists []. split; [now constructor|reflexivity].
  - destruct (legalb sL sC (flat slots) m) eqn:Hl; [|discriminate].
    destruct (fill _ n) as [os k] eqn:E. intros H. destruct (IH _ _ H) as (mss & Hc & Hm).
    apply legalb_sound in Hl. destruct (cut_spec slots m) as [Hf Hcut]; [apply able_length, Hl|].
    destruct (fill_spec _ _ _ _ E) as (F1 & F2 & F3).
    exists ((cut slots m, os) :: mss). split.
    + apply complete_cons with (pending' := repeat new k).
      * repeat split; rewrite ?Hcut; try exact Hf; try exact F1; try apply Hl.
        rewrite F2. apply Permutation_refl.
      * intros Hk. apply F3. intros ->. now apply Hk.
      * exact Hc.
    + unfold span in *. cbn [map fst]. rewrite Hcut. unfold makespan in *. cbn [last_cycle]. now rewrite Hm.
Qed.
End GridReplay.

(** A schedule: for each cycle the warps that issue, in increasing order. Slot k holds the warps from k b on, b being the
    warps of a block; where several slots are free, blocks start in the first of them. *)
Definition grid_by_schedule (g : grid_input) (schedule : list (list N)) (T : N) : bool :=
  let slots := in_slots g in
  let ms := map (mask (length (flat slots)) 0) schedule in
  filled (grid_string g) && (0 <? grid_warps g) &&
  grid_replay (grid_capped g L) (grid_capped g C) (grid_block g) slots (N.to_nat (grid_blocks g) - N.to_nat (resident g)) ms &&
  (N.of_nat (makespan ms) =? T).

Theorem grid_schedule_sound g schedule T : grid_by_schedule g schedule T = true -> grid_at_least g T.
Proof.
  unfold grid_by_schedule. cbv zeta. rewrite !andb_true_iff, N.ltb_lt, N.eqb_eq, filled_spec. intros [[[Hs Hb] H] Hm].
  assert (busy (grid_block g)) as Hn.
  { unfold busy, grid_block, one_block. cbn [fst]. destruct (N.to_nat (grid_warps g)) eqn:E; [lia|].
    cbn [repeat all_done forallb]. now destruct (grid_string g). }
  destruct (grid_replay_sound _ _ _ Hn _ _ _ H) as (mss & Hc & HT). exists mss. split; [|congruence].
  revert Hc. fold (in_queue g). apply (complete_cap _ _ (N.to_nat (grid_warps g))
    (N.to_nat (resident g) * N.to_nat (grid_warps g))).
  - intros U. symmetry. apply grid_cap.
  - apply grid_plain.
  - apply grid_plain.
  - unfold in_slots. now rewrite repeat_length.
Qed.
