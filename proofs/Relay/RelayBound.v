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
End RelayBound.
