(** The theorems on blocks that follow one another (docs/relay.md). *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions Moves Relays AnyRelay.
Local Open Scope Z_scope.

Section RelayBound.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.
Variables (room warps : nat) (P : string -> Prop) (ends begins : letter -> bool) (d : Z).
Hypothesis P_tl : forall s, P s -> P (tl s).
Hypothesis P_ends : forall X s, P (X :: s) -> ends X = true \/ count (other X) s <> 0%nat.
Hypothesis ends_some : ends L || ends C = true.
Hypothesis c_enough : forall X,
  Z.of_nat (min (sigma (other X) - 1) (room * warps - 1)) * (kappa X - worth (other X)) <= c X
  \/ forall s, P s -> double (other X) s = false.
Hypothesis k_sum : forall X, ends X = false -> worth X + worth (other X) <= kappa X + kappa (other X) + N.
Hypothesis d_pos : 0 <= d.
Hypothesis d_enough : forall X, ends X = true -> begins (other X) = true ->
  head sigma kappa X + worth X - kappa (other X) <= N + d.

Notation warp i p slots := (nth i (fst (nth p slots (([], []) : block))) []).
Notation rest p slots := (snd (nth p slots (([], []) : block))).
Notation earns := (earns worth kappa None).
Notation rate := (rate worth kappa).
Notation rates := (rates worth kappa).
Notation enough := (enough sigma worth kappa c).
Notation earned_rates := (earned_rates worth kappa None).
Notation earned_others := (earned_others worth kappa None).
Notation head_range := (head_range sigma N worth kappa worth_unit kappa_pos kappa_le).
Notation chain := (chain N worth kappa c).
Notation future := (future worth kappa).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation rrun := (rrun sigma).
Notation held := (held sigma N worth kappa c).
Notation free := (free c).
Notation A := (A worth kappa).
Notation val := (val worth kappa).
Notation total := (total worth kappa).
Notation val_le_A := (val_le_A worth kappa).
Notation rates_front := (rates_front worth kappa).
Notation inv := (inv room warps P begins).
Notation fee := (fee N worth kappa c ends).
Notation fee_pos := (fee_pos N worth kappa c c_pos ends).
Notation inv_next := (inv_next room warps P begins P_tl).
Notation inv_room := (inv_room room warps P begins).
Notation pot := (pot sigma N worth kappa c).
Notation stay := (stay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins P_ends c_enough).
Notation off := (off sigma kappa c begins).
Notation relay := (relay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).
Notation left_cost := (left_cost room d).
Notation fees := (fees N worth kappa c ends).
Notation pot_one := (pot_one sigma N worth kappa c N_pos kappa_pos kappa_le c_pos).
Notation fees_app := (fees_app N worth kappa c ends).
Notation relay_run := (relay_run sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).
Notation followed := (followed sigma N worth kappa c ends d).
Notation relay_followed := (relay_followed sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).

(** * The theorems *)

(** What a block that is there keeps of its length: [chain] with no letter before it. *)
Definition keep (b : block) : Z := chain [] (fst b :: snd b).
Definition work (slots pending : list block) : Z := sumZ (map A slots) + sumZ (map A pending).

Lemma total_le_work slots pending U p i : (p < length slots)%nat -> (i < length (fst (nth p slots ([], []))))%nat ->
  total slots pending U - earns U (warp i p slots) + rate (warp i p slots) <= work slots pending.
Proof.
  intros Hp Hi. unfold total, work.
  enough (sumZ (map (val U) slots) - earns U (warp i p slots) + rate (warp i p slots) <= sumZ (map A slots)) by lia.
  assert (forall l, sumZ (map (val U) l) <= sumZ (map A l)) as H0.
  { clear - kappa_pos kappa_le. induction l as [|b l IH]; cbn [map sumZ]; [lia|]. pose proof (val_le_A U b). lia. }
  revert slots Hp Hi; induction p as [|p IH]; intros [|b slots] Hp Hi; cbn [length nth map sumZ] in *; try lia.
  - specialize (H0 slots). unfold val at 1, A at 1.
    change (future (fst b :: snd b)) with (rates (fst b) + future (snd b)).
    rewrite (earned_others U (fst b) i Hi), (rates_front i (fst b) Hi).
    pose proof (earned_rates U (others i (fst b))). lia.
  - specialize (IH slots ltac:(lia) Hi). pose proof (val_le_A U b). lia.
Qed.

Lemma pot_le slots pending p i : warp i p slots <> [] ->
  pot slots pending p i <= work slots pending + keep (nth p slots ([], [])).
Proof.
  intros Hx. pose proof (slot_lt i p slots Hx) as Hp. pose proof (nth_some_lt _ _ Hx) as Hi.
  pose proof (fun U => total_le_work slots pending U p i Hp Hi) as HT.
  unfold pot, held, keep. cbn [chain app].
  pose proof (max_in (fun s => N * Z.of_nat (length s) - rate s + chain s (rest p slots))
    (fst (nth p slots ([], []))) _ (nth_In _ [] Hi)) as Hc. cbv beta in Hc.
  destruct (warp i p slots) as [|X x] eqn:E; [congruence|].
  pose proof (HT X). pose proof (HT (other X)). pose proof (c_pos X). pose proof (head_range X). lia.
Qed.

(** Response time of the block in slot p, from any state, whatever starts beside it and when:
    A of all blocks, and what the block keeps. *)
Theorem response_time slots pending mss prompt p : rrun prompt slots pending mss -> inv slots pending ->
  life p mss = 0%nat \/
  N * Z.of_nat (life p mss) <= work slots pending + keep (nth p slots ([], [])).
Proof.
  intros Hr Hi.
  assert (life p mss = 0%nat \/ exists i, warp i p slots <> [] /\ N * Z.of_nat (life p mss) <= pot slots pending p i) as H.
  { induction Hr as [slots pending|slots pending ms os pending' mss (Hf & Hl & Hs & Hp) Hprompt Hr IH]; [now left|].
    specialize (IH (inv_next _ _ _ _ _ Hi Hf Hs Hp)). cbn [life].
    set (t := match nth p os None with Some _ => 0%nat | None => life p mss end).
    destruct (0 <? t)%nat eqn:Et.
    - apply Nat.ltb_lt in Et. unfold t in *. destruct (nth p os None) eqn:Eo; [lia|].
      destruct IH as [IH|(i & Hx & Ht)]; [lia|].
      destruct (stay slots pending pending' ms os Hi Hf Hl Hs Hp p i Eo Hx) as (i' & H1 & H2).
      right. exists i'. split; [assumption|]. lia.
    - destruct (existsb (fun b => b) (nth p ms [])) eqn:E; [|now left]. right.
      assert (p < length slots)%nat as Hlt.
      { destruct (Nat.lt_ge_cases p (length slots)); [assumption|].
        rewrite nth_overflow in E; [discriminate|]. pose proof (Forall2_same _ _ _ Hf). lia. }
      assert (able (fst (nth p slots ([], []))) (nth p ms [])) as Ha.
      { destruct Hl as [Ha _]. apply (flat_able _ _ Hf) in Ha. clear - Ha Hlt. revert p Hlt.
        induction Ha; intros [|p] Hlt; cbn [length nth] in *; try lia; auto. apply IHHa. lia. }
      destruct (all_done (fst (nth p slots ([], [])))) eqn:Ed.
      + destruct (idle _ _ Ha Ed). congruence.
      + destruct (not_done_nth _ Ed) as (i & _ & Hx). exists i. split; [assumption|].
        pose proof (pot_one slots pending p i Hx). lia. }
  destruct H as [H|(i & Hx & H)]; [now left|right]. pose proof (pot_le slots pending p i Hx). lia.
Qed.

(** One multiprocessor, any blocks: some block is followed from its start to the end, and before it, in the
    slot that one likes, the blocks F_p that start there. *)
Theorem relay_different_blocks slots pending mss : rrun True slots pending mss -> inv slots pending ->
  (pending <> [] -> Forall busy slots) ->
  let t := span mss in
  t = 0%nat \/
  (exists p, (p < room)%nat /\ N * Z.of_nat t <= work slots pending + keep (nth p slots ([], []))) \/
  (exists b F G, Permutation pending (b :: concat F ++ G) /\ length F = room /\
     forall p, (p < room)%nat ->
       N * Z.of_nat t <= work slots pending + keep (nth p slots ([], [])) + fees (nth p F []) + fee b + left_cost).
Proof.
  intros Hr Hi Hb t. destruct (relay_run _ _ _ Hr Hi Hb) as [H|[(p & i & Hx & H)|(b & F & G & HF & Hl & H)]].
  - now left.
  - right; left. exists p. pose proof (slot_lt i p slots Hx). rewrite <- (inv_room _ _ Hi). split; [assumption|].
    pose proof (pot_le slots pending p i Hx). unfold t. lia.
  - right; right. exists b, F, G. split; [assumption|]. split; [assumption|]. intros p Hp.
    destruct (H p Hp) as (i & Hx & Ht). pose proof (pot_le slots pending p i Hx). unfold t. lia.
Qed.

(** Theorem R: the followed cycles, from any state. The first block followed keeps its length less its rate;
    each block entered costs its fee; each left before its end costs d. *)
Theorem relay_theorem at_ slots pending mss o e : followed at_ slots pending mss o e -> inv slots pending ->
  N * Z.of_nat o <= work slots pending + e +
    match at_ with Some p => keep (nth p slots ([], [])) | None => 0 end.
Proof.
  intros H Hi. destruct (relay_followed _ _ _ _ _ _ H Hi) as [He HF].
  assert (forall l, 0 <= sumZ (map A l)) as Hl.
  { clear - kappa_pos kappa_le. induction l as [|b l IH]; cbn [map sumZ]; [lia|]. unfold A at 1.
    pose proof (future_pos (fst b :: snd b)). lia. }
  assert (0 <= work slots pending) as Hw.
  { unfold work. pose proof (Hl slots). pose proof (Hl pending). lia. }
  destruct at_ as [p|]; destruct HF as [HF|HF].
  - subst. pose proof (chain_pos [] (fst (nth p slots ([], [])) :: snd (nth p slots ([], [])))).
    unfold keep. lia.
  - destruct HF as (i & Hx & HF). pose proof (pot_le slots pending p i Hx). lia.
  - subst. lia.
  - assert (exists X, ends X = true) as [X EX].
    { pose proof ends_some as E. apply orb_true_iff in E. destruct E; eauto. }
    specialize (HF X EX). unfold off, free in HF.
    assert (forall U, total slots pending U <= work slots pending) as HT.
    { intros U. unfold total, work. enough (sumZ (map (val U) slots) <= sumZ (map A slots)) by lia.
      clear - kappa_pos kappa_le. induction slots as [|b l IH]; cbn [map sumZ]; [lia|]. pose proof (val_le_A U b). lia. }
    pose proof (HT X). pose proof (HT (other X)). pose proof (c_pos X). pose proof (head_range X).
    destruct (begins (other X)); lia.
Qed.

Lemma sumZ_slots (f g : nat -> Z) n e : (forall p, (p < n)%nat -> e <= f p + g p) ->
  Z.of_nat n * e <= sumZ (map f (seq 0 n)) + sumZ (map g (seq 0 n)).
Proof.
  induction n as [|n IH]; intros H; [cbn; lia|].
  rewrite seq_S, !map_app, !sumZ_app. cbn [map sumZ Nat.add]. specialize (IH (fun p Hp => H p (Nat.lt_lt_succ_r _ _ Hp))).
  specialize (H n ltac:(lia)). rewrite Nat2Z.inj_succ, Z.mul_succ_l. lia.
Qed.

Lemma sumZ_nth {X} (f : X -> Z) x0 l : sumZ (map (fun p => f (nth p l x0)) (seq 0 (length l))) = sumZ (map f l).
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [length seq map sumZ nth]. rewrite <- IH, <- seq_shift, map_map.
  reflexivity.
Qed.

(** The mean over the slots: all blocks but the last count 1/room of their fee. *)
Theorem relay_mean slots pending mss : rrun True slots pending mss -> inv slots pending ->
  (pending <> [] -> Forall busy slots) ->
  let t := span mss in
  t = 0%nat \/
  (exists b, In b slots /\ N * Z.of_nat t <= work slots pending + keep b) \/
  (exists b before, Permutation pending (b :: before) /\
     Z.of_nat room * (N * Z.of_nat t) <=
       Z.of_nat room * (work slots pending + fee b + left_cost) + sumZ (map keep slots) + fees before).
Proof.
  intros Hr Hi Hb t. destruct (relay_different_blocks _ _ _ Hr Hi Hb) as [H|[(p & Hp & H)|(b & F & G & HF & Hl & H)]].
  - now left.
  - right; left. exists (nth p slots ([], [])). split; [|exact H]. apply nth_In. now rewrite (inv_room _ _ Hi).
  - right; right. exists b, (concat F ++ G). split; [assumption|].
    pose proof (sumZ_slots (fun p => keep (nth p slots ([], []))) (fun p => fees (nth p F [])) room
      (N * Z.of_nat t - work slots pending - fee b - left_cost)) as HS.
    assert (sumZ (map (fun p => keep (nth p slots ([], []))) (seq 0 room)) = sumZ (map keep slots)) as E1
      by (rewrite <- (inv_room _ _ Hi); apply sumZ_nth).
    assert (sumZ (map (fun p => fees (nth p F [])) (seq 0 room)) = fees (concat F)) as E2.
    { rewrite <- Hl, sumZ_nth. clear. induction F as [|l F IH]; [reflexivity|].
      cbn [map sumZ concat]. rewrite fees_app. lia. }
    rewrite E1, E2, fees_app in *. assert (0 <= fees G) as HG.
    { clear - c_pos. unfold fees. induction G as [|g G IH]; cbn [map sumZ]; [lia|]. pose proof (fee_pos g). lia. }
    assert (forall p, (p < room)%nat -> N * Z.of_nat t - work slots pending - fee b - left_cost <=
      keep (nth p slots ([], [])) + fees (nth p F [])) as H' by (intros p Hp; specialize (H p Hp); fold t in H; lia).
    specialize (HS H'). lia.
Qed.

(** Some slot has no more than its share. *)
Lemma share (F : list (list block)) q :
  (exists p, (p < length F)%nat /\ (length (nth p F []) <= q)%nat) \/ (S q * length F <= length (concat F))%nat.
Proof.
  induction F as [|l F IH]; [right; cbn; lia|]. cbn [length concat]. rewrite app_length.
  destruct (le_gt_dec (length l) q) as [Hle|Hgt]; [left; exists O; cbn [nth]; split; lia|].
  destruct IH as [(p & H1 & H2)|H]; [left; exists (S p); cbn [nth]; split; lia|right; lia].
Qed.

(** Blocks of equal fees: a relay over the ceiling of the blocks that wait by room, and one that is there. *)
Theorem relay_equal_fees slots pending mss K0 K : rrun True slots pending mss -> inv slots pending ->
  (pending <> [] -> Forall busy slots) -> (0 < room)%nat ->
  Forall (fun b => keep b <= K0) slots -> Forall (fun b => fee b <= K) pending ->
  N * Z.of_nat (span mss) <= work slots pending + K0 +
    (if (length pending =? 0)%nat then 0
     else (1 + Z.of_nat ((length pending - 1) / room)) * K + left_cost).
Proof.
  intros Hr Hi Hb H0 HK0 HK.
  assert (0 <= left_cost) as Hlc by (unfold left_cost; destruct (room =? 1)%nat; lia).
  assert (pending <> [] -> 0 <= K) as HKp.
  { intros Hne. destruct pending as [|b ?]; [congruence|]. inversion HK; subst. pose proof (fee_pos b). lia. }
  assert (forall b, 0 <= keep b) as Hkeep by (intros b; apply chain_pos).
  assert (0 <= K0) as HK0p.
  { pose proof (inv_room _ _ Hi). destruct slots as [|b ?]; [cbn in *; lia|]. inversion HK0; subst.
    specialize (Hkeep b). lia. }
  assert (0 <= work slots pending) as Hw.
  { unfold work. assert (forall l, 0 <= sumZ (map A l)) as Hl.
    { clear - kappa_pos kappa_le. induction l as [|b l IH]; cbn [map sumZ]; [lia|]. unfold A at 1.
      pose proof (future_pos (fst b :: snd b)). lia. }
    pose proof (Hl slots). pose proof (Hl pending). lia. }
  assert (0 <= if (length pending =? 0)%nat then 0
     else (1 + Z.of_nat ((length pending - 1) / room)) * K + left_cost) as Htail.
  { destruct pending as [|b l]; cbn [length Nat.eqb]; [lia|]. specialize (HKp ltac:(discriminate)). nia. }
  rewrite Forall_forall in HK0.
  destruct (relay_different_blocks _ _ _ Hr Hi Hb) as [H|[(p & Hp & H)|(b & F & G & HF & Hl & H)]].
  - rewrite H. lia.
  - specialize (HK0 _ (nth_In slots ([], []) (eq_ind_r (fun n => (p < n)%nat) Hp (inv_room _ _ Hi)))). lia.
  - assert (length pending = S (length (concat F) + length G)) as Hlen
      by (apply Permutation_length in HF; rewrite HF; cbn [length]; now rewrite app_length).
    set (q := ((length pending - 1) / room)%nat) in *.
    assert (exists p, (p < room)%nat /\ (length (nth p F []) <= q)%nat) as (p & Hp & Hq).
    { destruct (share F q) as [(p & H1 & H2)|H1]; [exists p; lia|]. exfalso.
      pose proof (Nat.div_mod (length pending - 1) room ltac:(lia)) as E. fold q in E.
      pose proof (Nat.mod_upper_bound (length pending - 1) room ltac:(lia)). rewrite Hl in H1. nia. }
    specialize (H p Hp).
    specialize (HK0 _ (nth_In slots ([], []) (eq_ind_r (fun n => (p < n)%nat) Hp (inv_room _ _ Hi)))).
    rewrite HF in HK. pose proof (Forall_inv HK) as HKb. cbv beta in HKb. pose proof (Forall_inv_tail HK) as HKl. apply Forall_app in HKl. destruct HKl as [HKF _].
    assert (Forall (fun b => fee b <= K) (nth p F [])) as HKn.
    { clear - HKF Hp Hl. rewrite <- Hl in Hp. clear Hl. revert p Hp; induction F as [|l F IH]; intros [|p] Hp; cbn [length nth concat] in *; try lia.
      - apply Forall_app in HKF. tauto.
      - apply IH; [|lia]. apply Forall_app in HKF. tauto. }
    assert (fees (nth p F []) <= Z.of_nat (length (nth p F [])) * K) as Hfe.
    { clear - HKn. unfold fees. induction HKn as [|x l Hx Hf IH]; [cbn; lia|].
      cbn [map sumZ length]. rewrite Nat2Z.inj_succ, Z.mul_succ_l. lia. }
    assert (pending <> []) as Hne by (destruct pending; [cbn in Hlen; lia|discriminate]).
    specialize (HKp Hne).
    destruct (length pending =? 0)%nat eqn:E0; [apply Nat.eqb_eq in E0; lia|].
    assert (Z.of_nat (length (nth p F [])) * K <= Z.of_nat q * K) as HqK by (apply Z.mul_le_mono_nonneg_r; lia).
    rewrite Z.mul_add_distr_r. lia.
Qed.
End RelayBound.
