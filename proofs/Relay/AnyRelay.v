(** Theorem R: any relay that enters each block at its start, with any start times. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions Moves Relays.
Local Open Scope Z_scope.

Section AnyRelay.
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

Notation steps := (list (list cycle * list (option block))).
Notation warp i p slots := (nth i (fst (nth p slots (([], []) : block))) []).
Notation step := (step sigma).
Notation A := (A worth kappa).
Notation total := (total worth kappa).
Notation inv := (inv room warps P begins).
Notation fee := (fee N worth kappa c ends).
Notation fee_pos := (fee_pos N worth kappa c c_pos ends).
Notation inv_next := (inv_next room warps P begins P_tl).
Notation inv_room := (inv_room room warps P begins).
Notation pot := (pot sigma N worth kappa c).
Notation stay := (stay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins P_ends c_enough).
Notation off := (off sigma kappa c begins).
Notation enter_slot := (enter_slot sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins).
Notation leave_slot := (leave_slot sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).
Notation relay := (relay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).
Notation off_closed := (off_closed sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le begins).
Notation off_drop := (off_drop sigma worth kappa c kappa_pos kappa_le begins).
Notation off_gap := (off_gap sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le begins).
Notation pot_one := (pot_one sigma N worth kappa c N_pos kappa_pos kappa_le c_pos).

(** * Theorem R: any start times, any relay

    [followed where slots pending mss o e]: o of the cycles are followed, at the expense e. [where = Some p]:
    the block in slot p is followed; [None]: none is. A block is entered when it starts, and left at any time. *)
Inductive followed : option nat -> list block -> list block -> steps -> nat -> Z -> Prop :=
| followed_end at_ slots pending : followed at_ slots pending [] 0 0
| followed_stay p slots pending ms os pending' mss o e :
    step slots pending ms os pending' -> busy (nth p slots ([], [])) -> nth p os None = None ->
    followed (Some p) (next slots ms os) pending' mss o e ->
    followed (Some p) slots pending ((ms, os) :: mss) (S o) e
| followed_leave p slots pending ms os pending' mss o e :
    step slots pending ms os pending' -> busy (nth p slots ([], [])) ->
    followed None (next slots ms os) pending' mss o e ->
    followed (Some p) slots pending ((ms, os) :: mss) (S o)
      (e + if all_done (fst (nth p (closed slots ms) ([], []))) then 0 else d)
| followed_next p q b slots pending ms os pending' mss o e :
    step slots pending ms os pending' -> busy (nth p slots ([], [])) -> nth q os None = Some b ->
    followed (Some q) (next slots ms os) pending' mss o e ->
    followed (Some p) slots pending ((ms, os) :: mss) (S o)
      (e + fee b + if all_done (fst (nth p (closed slots ms) ([], []))) then 0 else d)
| followed_gap slots pending ms os pending' mss o e :
    step slots pending ms os pending' -> followed None (next slots ms os) pending' mss o e ->
    followed None slots pending ((ms, os) :: mss) o e
| followed_enter q b slots pending ms os pending' mss o e :
    step slots pending ms os pending' -> nth q os None = Some b ->
    followed (Some q) (next slots ms os) pending' mss o e ->
    followed None slots pending ((ms, os) :: mss) o (e + fee b).

Lemma relay_followed at_ slots pending mss o e : followed at_ slots pending mss o e -> inv slots pending ->
  0 <= e /\
  match at_ with
  | Some p => o = 0%nat \/ exists i, warp i p slots <> [] /\ N * Z.of_nat o <= pot slots pending p i + e
  | None => o = 0%nat \/ forall X, ends X = true -> N * Z.of_nat o <= off (total slots pending) X + e
  end.
Proof.
  induction 1 as [at_ slots pending
    |p slots pending ms os pending' mss o e (Hf & Hl & Hs & Hp) Hb Eo H IH
    |p slots pending ms os pending' mss o e (Hf & Hl & Hs & Hp) Hb H IH
    |p q b slots pending ms os pending' mss o e (Hf & Hl & Hs & Hp) Hb Eo H IH
    |slots pending ms os pending' mss o e (Hf & Hl & Hs & Hp) H IH
    |q b slots pending ms os pending' mss o e (Hf & Hl & Hs & Hp) Eo H IH]; intros Hi;
    [split; [lia|]; destruct at_; now left| | | | |];
    destruct (IH (inv_next _ _ _ _ _ Hi Hf Hs Hp)) as [He IH']; clear IH;
    pose proof (Hos slots ms os Hf Hs) as Hlen.
  - split; [assumption|]. right. destruct IH' as [->|(i & Hx & Ht)].
    + destruct (not_done_nth _ Hb) as (i & _ & Hx). exists i. split; [assumption|].
      pose proof (pot_one slots pending p i Hx). lia.
    + destruct (stay slots pending pending' ms os Hi Hf Hl Hs Hp p i Eo Hx) as (i' & H1 & H2).
      exists i'. split; [assumption|]. lia.
  - split; [destruct (all_done _); lia|]. right.
    destruct (not_done_nth _ Hb) as (i0 & _ & Hx0). pose proof (slot_lt i0 p slots Hx0) as Hlt.
    destruct IH' as [->|Ht].
    + exists i0. split; [assumption|]. pose proof (pot_one slots pending p i0 Hx0). destruct (all_done _); lia.
    + destruct (leave_slot slots pending ms Hi Hf Hl p Hlt Hb) as (i & X & H1 & H2 & H3).
      exists i. split; [assumption|]. specialize (Ht X H2).
      pose proof (off_drop slots pending pending' ms os Hf Hs Hp X). lia.
  - pose proof (fee_pos b). split; [destruct (all_done _); lia|]. right.
    destruct (not_done_nth _ Hb) as (i0 & _ & Hx0). pose proof (slot_lt i0 p slots Hx0) as Hlt.
    destruct IH' as [->|(i & Hx & Ht)].
    + exists i0. split; [assumption|]. pose proof (pot_one slots pending p i0 Hx0). destruct (all_done _); lia.
    + assert (q < length slots)%nat as Hq.
      { pose proof (inv_room _ _ Hi) as R1. pose proof (inv_room _ _ (inv_next _ _ _ _ _ Hi Hf Hs Hp)) as R2.
        pose proof (slot_lt i q _ Hx). lia. }
      destruct (relay slots pending pending' ms os Hi Hf Hl Hs Hp p q b i Hlt Hb Hq Eo Hx) as (i' & H1 & H2).
      exists i'. split; [assumption|]. lia.
  - split; [assumption|]. destruct IH' as [->|Ht]; [now left|right]. intros X EX. specialize (Ht X EX).
    pose proof (off_gap slots pending pending' ms os Hf Hl Hs Hp X). lia.
  - pose proof (fee_pos b). split; [lia|]. destruct IH' as [->|(i & Hx & Ht)]; [now left|right]. intros X EX.
    assert (q < length slots)%nat as Hq.
    { pose proof (inv_room _ _ Hi) as R1. pose proof (inv_room _ _ (inv_next _ _ _ _ _ Hi Hf Hs Hp)) as R2.
      pose proof (slot_lt i q _ Hx). lia. }
    pose proof (enter_slot slots pending pending' ms os Hi Hf Hs Hp q b i X Hq Eo EX Hx).
    pose proof (off_closed slots pending ms Hf Hl X). lia.
Qed.
End AnyRelay.
