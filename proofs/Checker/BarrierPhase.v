(** Theorem 4 of docs/programs.md at one theta, computed for groups of warps in blocks, and the proof of it. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Barriers Require Import BlockRuns BlockFacts OneBlock Chain Doubles BarrierBound.
From Warpspan.Checker Require Import Instance Upper BarrierInstance.
Local Open Scope Z_scope.

Section Phase.
Variables (sL sC : nat).

(** The scale, for theta = th / N, as in Upper.v. *)
Variables (q th : Z).
Let N := Z.of_nat sL * Z.of_nat sC * q.
Let slow := if (sL <=? sC)%nat then L else C.
Let fast := other slow.
Let worth := wt sL sC q.
Let kap := kappa slow th worth.

(** What a segment earns with the label L, and with C, before it, in one pass. *)
Fixpoint earnings (s : string) : Z * Z :=
  match s with
  | [] => (0, 0)
  | U :: s => let '(x, y) := earnings s in
    (Z.max (earn worth L U + x) (earn worth C U + y - kap L), Z.max (earn worth C U + y) (earn worth L U + x - kap C))
  end.

(** The rates of the segments of a kernel, added up. *)
Definition rate_of (segs : list string) : Z :=
  sumZ (map (fun s => let '(x, y) := earnings s in Z.max x y) segs).

Definition twice_of (segs : list string) : Z := if existsb (double fast) segs then 1 else 0.

(** c, for the blocks of all groups: min(sigma_fast - 1, W - 1, the number of warps that hold two fast letters in a row in a
    segment) (theta - 1/sigma_fast). *)
Definition switch_cost (gs : list barrier_group) : Z :=
  Z.min (Z.of_nat (units sL sC fast) - 1) (Z.min (warps_of gs - 1) (sum_groups twice_of gs)) * (th - worth fast).

(** The bound for a group, where [all] is the sum of the rates of all warps. *)
Definition chain_of (cost all : Z) (segs : list string) : Z :=
  zlength (concat segs) +
  (all - rate_of segs + switches (fun A => if eqb A slow then cost else 0) (concat segs)) / N.

(** * Proof *)
Lemma earnings_spec s : earnings s = (earns worth kap None L s, earns worth kap None C s).
Proof. induction s as [|U s IH]; [reflexivity|]. cbn [earnings earns other]. now rewrite IH. Qed.

Lemma rate_of_spec segs : rate_of segs = sumZ (map (rate worth kap) segs).
Proof.
  unfold rate_of. f_equal. apply map_ext. intros s. rewrite earnings_spec. reflexivity.
Qed.

Lemma future_block segs n : future worth kap (fst (block_of segs n) :: snd (block_of segs n)) = Z.of_N n * rate_of segs.
Proof.
  rewrite rate_of_spec. destruct segs as [|s segs]; [cbn; lia|]. cbn [block_of fst snd].
  change (repeat s (N.to_nat n) :: map (fun t => repeat t (N.to_nat n)) segs)
    with (map (fun t => repeat t (N.to_nat n)) (s :: segs)).
  unfold future. rewrite map_map. induction (s :: segs) as [|t ts IH]; [cbn; lia|].
  cbn [map sumZ]. rewrite IH. enough (rates worth kap (repeat t (N.to_nat n)) = Z.of_N n * rate worth kap t) by lia.
  rewrite <- (N2Nat.id n) at 2. rewrite nat_N_Z. clear.
  induction (N.to_nat n) as [|j IH]; [cbn; lia|]. unfold rates in *. cbn [repeat map sumZ]. lia.
Qed.

(** In a block of one kernel the best chain is the kernel itself. *)
Lemma chain_block c : 0 < N -> (forall U, Z.of_nat (units sL sC U) * worth U = N) -> (forall U, 0 <= kap U) ->
  (forall U, kap U <= worth U) -> (forall U, 0 <= c U) -> forall segs n x,
  chain N worth kap c x (map (fun t => repeat t n) segs) <=
    N * Z.of_nat (length (concat segs)) - rate_of segs + switches c (x ++ concat segs).
Proof.
  intros HN Hw Hk0 Hk Hc segs n. rewrite rate_of_spec. induction segs as [|s segs IH]; intros x.
  { cbn [map chain concat length sumZ]. rewrite app_nil_r. lia. }
  cbn [map chain concat sumZ]. rewrite app_length, app_assoc. specialize (IH (x ++ s)).
  set (f := fun t => N * Z.of_nat (length t) - rate worth kap t
                     + chain N worth kap c (x ++ t) (map (fun t => repeat t n) segs)).
  assert (0 <= f s) as H0.
  { unfold f. pose proof (chain_pos N worth kap c Hc (x ++ s) (map (fun t => repeat t n) segs)).
    pose proof (rate_le_length (units sL sC) N worth kap HN Hw Hk0 Hk s). lia. }
  assert (forall j, fold_right Z.max 0 (map f (repeat s j)) <= f s) as H1.
  { clear IH. induction j as [|j IHj]; [exact H0|]. cbn [repeat map fold_right]. lia. }
  specialize (H1 n). subst f. cbv beta in *. lia.
Qed.

Lemma filter_const {A} (f : A -> bool) b l : (forall x, In x l -> f x = b) ->
  length (filter f l) = if b then length l else O.
Proof.
  induction l as [|x l IH]; intros H; [now destruct b|]. cbn [filter]. rewrite (H x (or_introl eq_refl)).
  specialize (IH (fun y Hy => H y (or_intror Hy))). destruct b; cbn [length]; now rewrite IH.
Qed.

Lemma doubles_block_of segs n : Z.of_nat (block_doubles fast (block_of segs n)) = Z.of_N n * twice_of segs.
Proof.
  unfold block_doubles, twice_of. rewrite (filter_const _ (existsb (double fast) segs)).
  - destruct segs as [|s segs]; cbn [block_of fst].
    + cbn. lia.
    + rewrite seq_length, repeat_length. destruct (existsb _ _); lia.
  - intros i Hi. apply in_seq in Hi. unfold double_at. destruct segs as [|s segs]; [cbn in Hi; lia|].
    cbn [block_of fst snd existsb] in *. rewrite repeat_length in Hi. rewrite nth_repeat_lt by lia. f_equal.
    induction segs as [|t segs IH]; [reflexivity|]. cbn [map existsb]. rewrite nth_repeat_lt by lia.
    now rewrite IH.
Qed.

Lemma all_doubles_sum bs : Z.of_nat (all_doubles fast bs) = sumZ (map (fun b => Z.of_nat (block_doubles fast b)) bs).
Proof. induction bs as [|b bs IH]; [reflexivity|]. cbn [all_doubles map sumZ]. lia. Qed.

(** The sum of the rates bounds the finish of each block. *)
Lemma chain_sound per gs mss bs' p segs n : valid sL sC q th = true ->
  brun (units sL sC) (blocks_of per gs) mss bs' -> Forall wf (blocks_of per gs) -> Forall settled (blocks_of per gs) ->
  (p < length (blocks_of per gs))%nat -> nth p (blocks_of per gs) ([], []) = block_of segs n -> segs <> [] ->
  Z.of_nat (length (flat (blocks_of per gs))) = warps_of gs -> 0 < warps_of gs ->
  Z.of_nat (block_finish p mss) <= chain_of (switch_cost gs) (sum_groups rate_of gs) segs.
Proof.
  intros Hv Hr Hw Hs Hp E Hn HW HW0. destruct (valid_spec _ _ _ _ Hv) as (HN & Hu & Hsf & Ht).
  fold slow in Hsf, Ht. fold fast in Hsf, Ht. fold worth in Hu, Ht. fold N in HN, Hu.
  set (cost := switch_cost gs). set (c := fun A => if eqb A slow then cost else 0).
  assert (forall U, 0 <= kap U) as Hk0 by (unfold kap; eapply kappa_pos; eauto).
  assert (forall U, kap U <= worth U) as Hk by (unfold kap; eapply kappa_le_worth; eauto).
  assert (1 <= units sL sC fast)%nat as Hs1.
  { destruct (units sL sC fast) eqn:Z0; [|lia]. specialize (Hu fast). rewrite Z0 in Hu. lia. }
  assert (Z.of_nat (all_doubles fast (blocks_of per gs)) = sum_groups twice_of gs) as HD.
  { rewrite all_doubles_sum. apply sum_blocks. apply doubles_block_of. }
  assert (Z.of_nat (min (units sL sC fast - 1) (min (length (flat (blocks_of per gs)) - 1)
            (all_doubles fast (blocks_of per gs)))) * (th - worth fast) = cost) as Hcost.
  { unfold cost, switch_cost. rewrite <- HD, <- HW. f_equal. lia. }
  assert (0 <= cost) as Hc0 by (rewrite <- Hcost; nia).
  assert (forall U, 0 <= c U) as Hc by (intros U; unfold c; destruct (eqb U slow); lia).
  assert (enough_for (units sL sC) worth kap c (blocks_of per gs)) as He.
  { intros X. unfold c, kap, kappa. destruct (letter_cases slow X) as [->| ->].
    - rewrite eqb_refl. fold fast. lia.
    - destruct (eqb_other slow) as [-> _]. rewrite other_other. fold fast. nia. }
  pose proof (barrier_bound _ N worth kap c HN Hu Hk0 Hk Hc p _ _ _ Hp Hr Hw Hs He) as H.
  rewrite (sum_blocks _ rate_of) in H by apply future_block. rewrite E in H.
  pose proof (chain_block c HN Hu Hk0 Hk Hc segs (N.to_nat n) []) as H2.
  assert (fst (block_of segs n) :: snd (block_of segs n) = map (fun t => repeat t (N.to_nat n)) segs) as E2
    by (destruct segs; [congruence|reflexivity]).
  rewrite E2 in H. cbn [app] in H2. unfold chain_of. fold c. rewrite zlength_spec.
  enough (Z.of_nat (block_finish p mss) - Z.of_nat (length (concat segs)) <=
    (sum_groups rate_of gs - rate_of segs + switches c (concat segs)) / N) by lia.
  apply Z.div_le_lower_bound; lia.
Qed.
End Phase.
