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
