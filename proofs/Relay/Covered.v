(** Which blocks to follow (docs/relay.md, sections 4 and 5): weights of blocks instead of a relay. If the weights of the blocks
    that are present add up to R in each cycle, each block costs its weight's share of R; equal slots and blocks of several
    sizes are two ways to find weights. No block is left before its end, so nothing is paid for that. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions CompanyRuns KeptBlocks CompanyCycle CompanyMoves MidwayRelay Cover Stretches.
Local Open Scope Z_scope.

Section Covered.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.
Variables (most : nat) (P : string -> Prop) (ends : letter -> bool).
Hypothesis P_tl : forall s, P s -> P (tl s).
Hypothesis P_ends : forall X, P [X] -> ends X = true.
Hypothesis ends_some : ends L || ends C = true.
Hypothesis c_enough : forall X,
  Z.of_nat (min (sigma (other X) - 1) (most - 1)) * (kappa X - worth (other X)) <= c X
  \/ forall s, P s -> double (other X) s = false.
Variable rule : list placed -> Prop.
Hypothesis rule_most : forall bs, rule bs -> (crowd bs <= most)%nat.

Notation sound := (sound P).
Notation fee := (fee N worth kappa c ends).
Notation keep := (keep N worth kappa c).
Notation price := (price N worth kappa c ends).
Notation labour := (labour worth kappa).
Notation ahead := (ahead worth kappa).
Notation crun := (crun sigma).

(** * Weights *)
Notation over bs := (over (length bs)).
Definition cost_of (bs : list placed) (k : nat) : Z := fee (snd (nth k bs nobody)).

Lemma price_over F bs : price F bs = over bs (fun k => if F k then cost_of bs k else 0).
Proof.
  unfold cost_of, Cover.over. revert F; induction bs as [|x bs IH]; intros F; [reflexivity|].
  cbn [MidwayRelay.price length seq map sumZ nth]. rewrite IH, <- seq_shift, map_map. reflexivity.
Qed.

Lemma price_ext F G bs : (forall k, F k = G k) -> price F bs = price G bs.
Proof.
  revert F G; induction bs as [|x bs IH]; intros F G E; [reflexivity|]. cbn [MidwayRelay.price]. rewrite (E O).
  f_equal. apply IH. intros k. apply E.
Qed.

Lemma price_off F bs f : (f < length bs)%nat -> F f = true -> price (off f F) bs + fee (snd (nth f bs nobody)) = price F bs.
Proof.
  revert F bs; induction f as [|f IH]; intros F [|x bs] Hlt Ff; cbn [length] in *; try lia; cbn [MidwayRelay.price nth].
  - rewrite Ff. assert (off 0 F O = false) as -> by (unfold off; apply andb_false_r).
    rewrite (price_ext (fun k => off 0 F (S k)) (fun k => F (S k))) by (intros k; apply andb_true_r). lia.
  - specialize (IH (fun k => F (S k)) bs ltac:(lia) Ff). cbv beta in IH.
    assert (off (S f) F O = F O) as -> by (unfold off; apply andb_true_r).
    change (fun k => off (S f) F (S k)) with (off f (fun k => F (S k))). lia.
Qed.

Lemma covers_throughout F bs mss : covers (length bs) (in_cycle bs mss) F (length mss) -> throughout (covered F) bs mss.
Proof.
  intros H. apply throughout_states, Forall_forall. intros l Hl. apply In_nth with (d := []) in Hl.
  destruct Hl as (t & Ht & <-). rewrite states_length in Ht. destruct (H t Ht) as (k & _ & H1 & H2). now exists k.
Qed.

(** In each cycle the weights of the blocks that are present add up to R or more. *)
Definition weighty (weight : nat -> Z) (R : Z) (bs : list placed) : Prop :=
  R <= over bs (fun k => if present (nth k bs nobody) then weight k else 0).

Lemma weighty_cover cost weight R bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> (forall k, 0 <= cost k) ->
  0 < R -> (forall k, 0 <= weight k) -> throughout (weighty weight R) bs mss ->
  exists F, covers (length bs) (in_cycle bs mss) F (length mss) /\
    R * total_cost (length bs) cost F <= over bs (fun k => weight k * cost k).
Proof.
  intros Hr Hs Hc HR Hw H. apply cover; try assumption.
  - intros k s t u. exact (consecutive sigma P P_tl rule k bs mss bs' Hr Hs s t u).
  - intros t Ht. apply throughout_states in H. rewrite Forall_forall in H.
    assert (In (nth t (states bs mss) []) (states bs mss)) as Hin by (apply nth_In; now rewrite states_length).
    specialize (H _ Hin). unfold weighty in H. rewrite (state_length sigma rule bs mss bs' Hr _ Hin) in H. exact H.
Qed.

(** Blocks of any kind, times R: each counts its A, and its weight's share of what following it costs. *)
Theorem relay_weights weight R bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> 0 < R ->
  (forall k, 0 <= weight k) -> throughout (weighty weight R) bs mss -> mss <> [] ->
  R * (N * Z.of_nat (length mss)) <= R * (labour bs - ahead bs') + over bs (fun k => weight k * cost_of bs k).
Proof.
  intros Hr Hs HR Hw H Hne.
  assert (forall k, 0 <= cost_of bs k) as Hc by (intros k; apply (Assumptions.fee_pos N worth kappa c c_pos ends)).
  destruct (weighty_cover (cost_of bs) weight R bs mss bs' Hr Hs Hc HR Hw H) as (F & HF & HC).
  pose proof (covers_throughout F bs mss HF) as HT.
  destruct mss as [|[os ms] mss]; [congruence|]. destruct HT as [(f & Ff & Hf) HT].
  pose proof (relay_any_entry sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos most P ends P_tl P_ends ends_some
    c_enough rule rule_most F bs _ bs' f 0 Hr Hs (covers_throughout F bs _ HF) Ff Hf (or_introl eq_refl)) as HR'.
  pose proof (keep_le_fee N worth kappa c c_pos ends ends_some (snd (nth f bs nobody))) as Hk.
  assert (price (off f F) bs + fee (snd (nth f bs nobody)) <= price F bs) as HP.
  { assert (f < length bs)%nat as Hlt.
    { pose proof (state_length sigma rule bs _ bs' Hr (begin bs os) (or_introl eq_refl)) as E. rewrite <- E.
      destruct (Nat.lt_ge_cases f (length (begin bs os))); [assumption|]. rewrite nth_overflow in Hf by assumption. discriminate. }
    pose proof (price_off F bs f Hlt Ff). lia. }
  rewrite (price_over F) in HP. unfold total_cost in HC.
  assert (N * Z.of_nat (length ((os, ms) :: mss)) <=
    labour bs - ahead bs' + over bs (fun k => if F k then cost_of bs k else 0)) as HX by lia.
  apply (Z.mul_le_mono_nonneg_l _ _ R) in HX; lia.
Qed.
(** * Equal slots

    The rule of R slots with a queue: no more than R blocks are present, and R are while a block waits. *)
Definition slots (R : nat) (bs : list placed) : Prop :=
  (length (filter present bs) <= R)%nat /\
  (Exists (fun x => fst x = false) bs -> length (filter present bs) = R).

Lemma count_over (bs : list placed) : over bs (fun k => if present (nth k bs nobody) then 1 else 0) = Z.of_nat (length (filter present bs)).
Proof.
  unfold Cover.over. induction bs as [|x bs IH]; [reflexivity|].
  cbn [length seq map sumZ nth filter]. rewrite <- seq_shift, map_map. cbv beta. cbn [nth]. rewrite IH.
  destruct (present x); cbn [length]; lia.
Qed.

(** Some block waits. *)
Definition queue (bs : list placed) : Prop := Exists (fun x => fst x = false) bs.

(** Weight R for the block B, that of [w] for each other. *)
Definition with_last (B : nat) (R : Z) (w : nat -> Z) : nat -> Z := fun k => if (k =? B)%nat then R else w k.

(** A block B that is present in the last cycle is present in every cycle in which none waits. *)
Lemma last_weighty w R B l : (forall k, 0 <= w k <= R) -> present (nth B l nobody) = true \/ weighty w R l ->
  weighty (with_last B R w) R l.
Proof.
  intros HR [EB|H]; unfold weighty in *.
  - assert (B < length l)%nat as HBl.
    { destruct (Nat.lt_ge_cases B (length l)); [assumption|]. rewrite nth_overflow in EB by assumption. discriminate. }
    assert (over l (fun k => if (k =? B)%nat then R else 0) = R) as E1.
    { unfold Cover.over. clear - HBl. revert HBl. generalize (length l). intros n HBl.
      assert (forall s m, (s <= B < s + m)%nat -> sumZ (map (fun k => if (k =? B)%nat then R else 0) (seq s m)) = R) as E.
      { intros s m; revert s; induction m as [|m IH]; intros s Hm; [lia|]. cbn [seq map sumZ].
        destruct (Nat.eqb_spec s B) as [->|Hne]; [|rewrite IH; lia].
        assert (forall m s, (B < s)%nat -> sumZ (map (fun k => if (k =? B)%nat then R else 0) (seq s m)) = 0) as E0.
        { clear. induction m as [|m IH]; intros s Hs; [reflexivity|]. cbn [seq map sumZ]. rewrite IH by lia.
          destruct (Nat.eqb_spec s B); lia. }
        rewrite E0 by lia. lia. }
      apply E. lia. }
    rewrite <- E1. apply over_le. intros k Hk. unfold with_last. destruct (Nat.eqb_spec k B) as [->|]; [rewrite EB; lia|].
    pose proof (HR k). destruct (present (nth k l nobody)); lia.
  - etransitivity; [exact H|]. apply over_le. intros k Hk. unfold with_last.
    pose proof (HR k). destruct (present (nth k l nobody)); [destruct (k =? B)%nat; lia|lia].
Qed.

Lemma queue_weighty w R B bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> (forall k, 0 <= w k <= R) ->
  throughout (fun l => queue l -> weighty w R l) bs mss -> in_cycle bs mss B (length mss - 1) = true ->
  throughout (weighty (with_last B R w) R) bs mss.
Proof.
  intros Hr Hs HR H HB. apply throughout_states. apply throughout_states in H. apply Forall_forall. rewrite Forall_forall in H.
  intros l Hl. specialize (H l Hl). apply In_nth with (d := []) in Hl. destruct Hl as (t & Ht & El).
  rewrite states_length in Ht.
  assert (length l = length bs) as Elen.
  { apply (state_length sigma rule bs mss bs' Hr). rewrite <- El. apply nth_In. now rewrite states_length. }
  apply last_weighty; [exact HR|]. destruct (present (nth B l nobody)) eqn:EB; [now left|right].
  assert (Exists (fun x => fst x = false) l) as Hw.
    { apply Exists_exists. exists (nth B l nobody).
      assert (fst (nth B l nobody) = false) as Ef.
      { destruct (fst (nth B l nobody)) eqn:Ef; [|reflexivity]. exfalso.
        pose proof (present_between sigma P P_tl rule B bs mss bs' Hr Hs t (length mss - 1) ltac:(lia)) as Hpb. rewrite El in Hpb.
        specialize (Hpb Ef HB). unfold in_cycle in Hpb. rewrite El in Hpb. congruence. }
      split; [|exact Ef]. apply nth_In. destruct (Nat.lt_ge_cases B (length l)) as [|Hge]; [assumption|]. exfalso.
      unfold in_cycle in HB. set (m := nth (length mss - 1) (states bs mss) []) in *.
      assert (length m = length bs) as Em.
      { apply (state_length sigma rule bs mss bs' Hr). apply nth_In. rewrite states_length. lia. }
      rewrite nth_overflow in HB by lia. discriminate. }
  exact (H Hw).
Qed.

Lemma over_with_last B R w (bs : list placed) f : (B < length bs)%nat ->
  over bs (fun k => with_last B R w k * f k) = over bs (fun k => w k * f k) + (R - w B) * f B.
Proof.
  unfold Cover.over, with_last. generalize (length bs). intros n Hn.
  assert (forall m s, sumZ (map (fun k => (if (k =? B)%nat then R else w k) * f k) (seq s m)) =
    sumZ (map (fun k => w k * f k) (seq s m)) + (if (s <=? B)%nat && (B <? s + m)%nat then (R - w B) * f B else 0)) as E.
  { induction m as [|m IH]; intros s; cbn [seq map sumZ].
    - destruct (Nat.leb_spec s B), (Nat.ltb_spec B (s + 0)); cbn [andb]; lia.
    - rewrite IH. destruct (Nat.eqb_spec s B) as [->|Hne].
      + destruct (Nat.leb_spec (S B) B), (Nat.leb_spec B B), (Nat.ltb_spec B (B + S m)); cbn [andb]; lia.
      + destruct (Nat.leb_spec (S s) B), (Nat.leb_spec s B), (Nat.ltb_spec B (S s + m)), (Nat.ltb_spec B (s + S m));
          cbn [andb]; lia. }
  rewrite E. destruct (Nat.leb_spec 0 B), (Nat.ltb_spec B (0 + n)); cbn [andb]; lia.
Qed.

Lemma last_lt B bs mss bs' : crun rule bs mss bs' -> in_cycle bs mss B (length mss - 1) = true -> mss <> [] ->
  (B < length bs)%nat.
Proof.
  intros Hr HB Hne. unfold in_cycle in HB. set (m := nth (length mss - 1) (states bs mss) []) in *.
  assert (length m = length bs) as Em.
  { apply (state_length sigma rule bs mss bs' Hr). apply nth_In. rewrite states_length. destruct mss; [congruence|cbn; lia]. }
  destruct (Nat.lt_ge_cases B (length bs)); [assumption|]. rewrite nth_overflow in HB by lia. discriminate.
Qed.

(** Different blocks, times R: while a block waits, the weights of those present add up to R; B is present in the last cycle. *)
Theorem relay_queue w R B bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> 0 < R -> (forall k, 0 <= w k <= R) ->
  throughout (fun l => queue l -> weighty w R l) bs mss -> in_cycle bs mss B (length mss - 1) = true -> mss <> [] ->
  R * (N * Z.of_nat (length mss)) <=
    R * (labour bs - ahead bs' + cost_of bs B) + (over bs (fun k => w k * cost_of bs k) - w B * cost_of bs B).
Proof.
  intros Hr Hs HR Hw H HB Hne.
  pose proof (queue_weighty w R B bs mss bs' Hr Hs Hw H HB) as HW.
  pose proof (relay_weights (with_last B R w) R bs mss bs' Hr Hs ltac:(lia)) as HT.
  specialize (HT ltac:(intros k; unfold with_last; pose proof (Hw k); destruct (k =? B)%nat; lia) HW Hne).
  rewrite over_with_last in HT by exact (last_lt B bs mss bs' Hr HB Hne). lia.
Qed.

(** Response time (ii): from the release of B, which is where the run begins, to a cycle in which it is present. Until it starts
    the weights add up to R; other blocks may be released and start at any time. *)
Theorem response_from_release w R B bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> 0 < R ->
  (forall k, 0 <= w k <= R) -> (B < length bs)%nat ->
  throughout (fun l => present (nth B l nobody) = true \/ weighty w R l) bs mss -> mss <> [] ->
  R * (N * Z.of_nat (length mss)) <=
    R * (labour bs - ahead bs' + cost_of bs B) + (over bs (fun k => w k * cost_of bs k) - w B * cost_of bs B).
Proof.
  intros Hr Hs HR Hw HB H Hne.
  assert (throughout (weighty (with_last B R w) R) bs mss) as HW.
  { apply throughout_states. apply throughout_states in H. eapply Forall_impl; [|exact H]. intros l. now apply last_weighty. }
  pose proof (relay_weights (with_last B R w) R bs mss bs' Hr Hs ltac:(lia)) as HT.
  specialize (HT ltac:(intros k; unfold with_last; pose proof (Hw k); destruct (k =? B)%nat; lia) HW Hne).
  rewrite over_with_last in HT by exact HB. lia.
Qed.

(** * Blocks of several sizes

    Block k needs [need r k] of the resource r. While a block waits, at least [taken r] of some resource r is taken by those that
    are present. The weight of a block is the largest of its shares min(1, need / taken), in parts of which R are 1. *)
Lemma shares K u l (f : nat -> Z) : 0 < K -> 0 <= u -> (forall k, 0 <= f k) -> K <= sumZ (map f l) ->
  K * u <= sumZ (map (fun k => Z.min (f k) K * u) l).
Proof.
  intros HK Hu Hf H. enough (forall l, Z.min (sumZ (map f l)) K <= sumZ (map (fun k => Z.min (f k) K) l) /\
    sumZ (map (fun k => Z.min (f k) K * u) l) = sumZ (map (fun k => Z.min (f k) K) l) * u) as E.
  { destruct (E l) as [E1 ->]. nia. }
  clear l H. induction l as [|k l [I1 I2]]; cbn [map sumZ]; [split; lia|]. pose proof (Hf k). split; [|nia].
  assert (0 <= sumZ (map f l)); [|lia]. clear - Hf. induction l as [|j l IH]; cbn [map sumZ]; [lia|]. pose proof (Hf j). lia.
Qed.

Definition short_of (resources : list nat) (need : nat -> nat -> Z) (taken : nat -> Z) (bs : list placed) : Prop :=
  exists r, In r resources /\ taken r <= over bs (fun k => if present (nth k bs nobody) then need r k else 0).

Theorem relay_sizes resources need taken part w R B bs mss bs' : crun rule bs mss bs' -> Forall sound bs ->
  (forall r k, 0 <= need r k) -> (forall r, In r resources -> 0 < taken r /\ 0 <= part r /\ taken r * part r = R) ->
  0 < R -> (forall k, 0 <= w k <= R) -> (forall r k, In r resources -> Z.min (need r k) (taken r) * part r <= w k) ->
  throughout (fun l => queue l -> short_of resources need taken l) bs mss ->
  in_cycle bs mss B (length mss - 1) = true -> mss <> [] ->
  R * (N * Z.of_nat (length mss)) <=
    R * (labour bs - ahead bs' + cost_of bs B) + (over bs (fun k => w k * cost_of bs k) - w B * cost_of bs B).
Proof.
  intros Hr Hs Hn Hres HR Hw Hshare H HB Hne. apply (relay_queue w R B bs mss bs'); try assumption.
  apply throughout_states. apply throughout_states in H. rewrite Forall_forall in H. apply Forall_forall. intros l Hl Hq.
  destruct (H l Hl Hq) as (r & Hin & Hr'). destruct (Hres r Hin) as (K1 & K2 & K3). unfold weighty. rewrite <- K3.
  pose proof (shares (taken r) (part r) (seq 0 (length l)) (fun k => if present (nth k l nobody) then need r k else 0)
    K1 K2 ltac:(intros k; cbv beta; destruct (present (nth k l nobody)); [apply Hn|lia]) Hr') as HS.
  etransitivity; [exact HS|]. apply over_le. intros k Hk. cbv beta. destruct (present (nth k l nobody)); [now apply Hshare|].
  rewrite Z.min_l by lia. lia.
Qed.

(** How much is taken of a resource of which there is [room], if a block that needs at most [largest] finds no room and all
    needs are multiples of [step]. *)
Lemma taken_in_steps room largest step total : 0 < step -> (step | total) -> room - largest < total ->
  ((room - largest) / step + 1) * step <= total.
Proof.
  intros Hs [q ->] H. apply Z.mul_le_mono_nonneg_r; [lia|].
  assert ((room - largest) / step < q); [|lia]. apply Z.div_lt_upper_bound; lia.
Qed.

Lemma slots_queue R bs mss : throughout (slots R) bs mss ->
  throughout (fun l => queue l -> weighty (fun _ => 1) (Z.of_nat R) l) bs mss.
Proof.
  rewrite !throughout_states. intros H. eapply Forall_impl; [|exact H]. cbv beta. intros l [_ Hl] Hq.
  unfold weighty. rewrite count_over, (Hl Hq). lia.
Qed.

(** Different blocks in R slots, times R: B is present in the last cycle. *)
Theorem relay_slots R B bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> (0 < R)%nat ->
  throughout (slots R) bs mss -> in_cycle bs mss B (length mss - 1) = true -> mss <> [] ->
  Z.of_nat R * (N * Z.of_nat (length mss)) <=
    Z.of_nat R * (labour bs - ahead bs' + cost_of bs B) + (over bs (cost_of bs) - cost_of bs B).
Proof.
  intros Hr Hs HR H HB Hne.
  pose proof (relay_queue (fun _ => 1) (Z.of_nat R) B bs mss bs' Hr Hs ltac:(lia) ltac:(lia)
    (slots_queue R bs mss H) HB Hne) as HT.
  assert (over bs (fun k => 1 * cost_of bs k) = over bs (cost_of bs)) as E
    by (unfold Cover.over; f_equal; apply map_ext; intros; apply Z.mul_1_l).
  cbv beta in HT. rewrite E in HT. lia.
Qed.

(** Blocks of equal prices, q + 1 of which cover all cycles; the first is entered for nothing. *)
Lemma relay_few F q bs mss bs' K0 K : crun rule bs mss bs' -> Forall sound bs -> mss <> [] -> 0 <= K ->
  Forall (fun x => keep (snd x) <= K0 /\ fee (snd x) <= K) bs ->
  covers (length bs) (in_cycle bs mss) F (length mss) -> total_cost (length bs) (fun _ => 1) F <= q + 1 ->
  N * Z.of_nat (length mss) <= labour bs - ahead bs' + K0 + q * K.
Proof.
  intros Hr Hs Hne HK Hb HF HQ.
  pose proof (covers_throughout F bs mss HF) as HT.
  assert (exists f, F f = true /\ present (nth f (at_start bs mss) nobody) = true) as (f & Ff & Hf).
  { destruct mss as [|[os ms] mss']; [congruence|]. destruct HT as [(f & Ff & Hf) _]. now exists f. }
  pose proof (relay_any_entry sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos most P ends P_tl P_ends ends_some
    c_enough rule rule_most F bs _ bs' f 0 Hr Hs HT Ff Hf (or_introl eq_refl)) as HR'.
  assert (f < length bs)%nat as Hlt.
  { destruct mss as [|[os ms] mss']; [congruence|]. cbn [at_start] in Hf.
    pose proof (state_length sigma rule bs _ bs' Hr (begin bs os) (or_introl eq_refl)) as E. rewrite <- E.
    destruct (Nat.lt_ge_cases f (length (begin bs os))); [assumption|]. rewrite nth_overflow in Hf by assumption. discriminate. }
  assert (keep (snd (nth f bs nobody)) <= K0) as HK0.
  { rewrite Forall_forall in Hb. now apply Hb, nth_In. }
  assert (price (off f F) bs <= q * K) as HP; [|lia].
  assert (total_cost (length bs) (fun _ => 1) (off f F) + 1 = total_cost (length bs) (fun _ => 1) F) as EO.
  { unfold total_cost, Cover.over. revert Ff Hlt. clear. generalize (length bs). intros n Ff Hlt.
    assert (forall m s, sumZ (map (fun k => if off f F k then 1 else 0) (seq s m)) +
      (if (s <=? f)%nat && (f <? s + m)%nat then 1 else 0) = sumZ (map (fun k => if F k then 1 else 0) (seq s m))) as E.
    { induction m as [|m IH]; intros s; cbn [seq map sumZ].
      - destruct (Nat.leb_spec s f), (Nat.ltb_spec f (s + 0)); cbn [andb]; lia.
      - rewrite <- IH. unfold off at 1. destruct (Nat.eqb_spec s f) as [->|Hne].
        + rewrite Ff. cbn [andb negb]. destruct (Nat.leb_spec (S f) f), (Nat.leb_spec f f), (Nat.ltb_spec f (f + S m)); cbn [andb]; lia.
        + cbn [negb]. rewrite andb_true_r.
          destruct (Nat.leb_spec (S s) f), (Nat.leb_spec s f), (Nat.ltb_spec f (S s + m)), (Nat.ltb_spec f (s + S m));
            cbn [andb]; lia. }
    rewrite <- (E n O). destruct (Nat.leb_spec 0 f), (Nat.ltb_spec f (0 + n)); cbn [andb]; lia. }
  assert (price (off f F) bs <= K * total_cost (length bs) (fun _ => 1) (off f F)) as HP; [|nia].
  rewrite price_over. unfold total_cost. rewrite <- over_scale. apply over_le. intros k Hk.
  destruct (off f F k); [|lia]. unfold cost_of. rewrite Forall_forall in Hb.
  destruct (Hb (nth k bs nobody) (nth_In _ _ Hk)). lia.
Qed.

(** At most ceil(N/R) of the blocks cover all cycles. *)
Lemma slots_cover R B bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> (0 < R)%nat ->
  throughout (slots R) bs mss -> in_cycle bs mss B (length mss - 1) = true -> mss <> [] ->
  exists F, covers (length bs) (in_cycle bs mss) F (length mss) /\
    total_cost (length bs) (fun _ => 1) F <= Z.of_nat ((length bs - 1) / R) + 1.
Proof.
  intros Hr Hs HR H HB Hne.
  pose proof (queue_weighty (fun _ => 1) (Z.of_nat R) B bs mss bs' Hr Hs ltac:(lia) (slots_queue R bs mss H) HB) as HW.
  destruct (weighty_cover (fun _ => 1) (with_last B (Z.of_nat R) (fun _ => 1)) (Z.of_nat R) bs mss bs' Hr Hs ltac:(lia) ltac:(lia)
    ltac:(intros k; unfold with_last; destruct (k =? B)%nat; lia) HW) as (F & HF & HC).
  assert (length mss <> 0)%nat as Hm by (destruct mss; [congruence|discriminate]).
  pose proof (last_lt B bs mss bs' Hr HB Hne) as HBl.
  rewrite over_with_last in HC by assumption.
  assert (over bs (fun _ => 1 * 1) = Z.of_nat (length bs)) as E1.
  { unfold Cover.over. clear. generalize 0%nat. induction (length bs) as [|n IH]; intros s; [reflexivity|].
    cbn [seq map sumZ]. rewrite IH. lia. }
  rewrite E1 in HC. exists F. split; [exact HF|]. set (q := ((length bs - 1) / R)%nat) in *.
  pose proof (Nat.div_mod (length bs - 1) R ltac:(lia)) as E. fold q in E.
  pose proof (Nat.mod_upper_bound (length bs - 1) R ltac:(lia)). nia.
Qed.

(** If R blocks are present in every cycle, floor(N/R) of them do. *)
Lemma full_cover R bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> (0 < R)%nat ->
  throughout (fun l => length (filter present l) = R) bs mss ->
  exists F, covers (length bs) (in_cycle bs mss) F (length mss) /\
    total_cost (length bs) (fun _ => 1) F <= Z.of_nat (length bs / R).
Proof.
  intros Hr Hs HR H.
  assert (throughout (weighty (fun _ => 1) (Z.of_nat R)) bs mss) as HW.
  { apply throughout_states. apply throughout_states in H. eapply Forall_impl; [|exact H]. cbv beta. intros l Hl.
    unfold weighty. rewrite count_over, Hl. lia. }
  destruct (weighty_cover (fun _ => 1) (fun _ => 1) (Z.of_nat R) bs mss bs' Hr Hs ltac:(lia) ltac:(lia) ltac:(lia) HW)
    as (F & HF & HC).
  assert (over bs (fun _ => 1 * 1) = Z.of_nat (length bs)) as E1.
  { unfold Cover.over. clear. generalize 0%nat. induction (length bs) as [|n IH]; intros s; [reflexivity|].
    cbn [seq map sumZ]. rewrite IH. lia. }
  rewrite E1 in HC. exists F. split; [exact HF|].
  pose proof (Nat.div_mod (length bs) R ltac:(lia)) as E. pose proof (Nat.mod_upper_bound (length bs) R ltac:(lia)). nia.
Qed.

(** Blocks of equal prices: at most ceil(N/R) of them are followed, the first of which is entered for nothing. *)
Theorem relay_slots_equal R B bs mss bs' K0 K : crun rule bs mss bs' -> Forall sound bs -> (0 < R)%nat ->
  throughout (slots R) bs mss -> in_cycle bs mss B (length mss - 1) = true -> mss <> [] -> 0 <= K ->
  Forall (fun x => keep (snd x) <= K0 /\ fee (snd x) <= K) bs ->
  N * Z.of_nat (length mss) <= labour bs - ahead bs' + K0 + Z.of_nat ((length bs - 1) / R) * K.
Proof.
  intros Hr Hs HR H HB Hne HK Hb. destruct (slots_cover R B bs mss bs' Hr Hs HR H HB Hne) as (F & HF & HQ).
  exact (relay_few F _ bs mss bs' K0 K Hr Hs Hne HK Hb HF HQ).
Qed.

(** If R blocks are present in every cycle: floor(N/R) are followed, and the last of them need not end. *)
Theorem relay_full R bs mss bs' K0 K : crun rule bs mss bs' -> Forall sound bs -> (0 < R)%nat ->
  throughout (fun l => length (filter present l) = R) bs mss -> mss <> [] -> 0 <= K ->
  Forall (fun x => keep (snd x) <= K0 /\ fee (snd x) <= K) bs ->
  N * Z.of_nat (length mss) <= labour bs - ahead bs' + K0 + (Z.of_nat (length bs / R) - 1) * K.
Proof.
  intros Hr Hs HR H Hne HK Hb. destruct (full_cover R bs mss bs' Hr Hs HR H) as (F & HF & HQ).
  apply (relay_few F _ bs mss bs' K0 K Hr Hs Hne HK Hb HF). lia.
Qed.
End Covered.
