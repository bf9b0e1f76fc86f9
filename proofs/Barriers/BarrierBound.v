(** The bound with barriers (docs/programs.md, Theorem 4): several blocks, any segments, early exits, any mix. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain Doubles BarrierPotential.
Local Open Scope Z_scope.

Section BarrierBound.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.

Notation brun := (brun sigma).
Notation earns := (earns worth kappa None).
Notation rate := (rate worth kappa).
Notation rates := (rates worth kappa).
Notation earned := (earned worth kappa None).
Notation earned_pos := (earned_pos worth kappa kappa_pos kappa_le None).
Notation earned_rates := (earned_rates worth kappa None).
Notation chain := (chain N worth kappa c).
Notation future := (future worth kappa).
Notation futures := (futures worth kappa).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).
Notation futures_pos := (futures_pos worth kappa kappa_pos kappa_le).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation enough_for := (enough_for sigma worth kappa c).
Notation pot := (pot N worth kappa c).

(** The barrier theorem: the first block finishes by
    A + max over (w_1 .. w_K) of [ sum of (|s| - a(s)) + c n(s_1 s_2 .. s_K) ],
    A the sum of the rates of all segments of all warps. *)
Lemma barrier_bound_first cur later rest mss bs' :
  let bs := (cur, later) :: rest in
  brun bs mss bs' -> Forall wf bs -> settled (cur, later) -> enough_for bs ->
  N * Z.of_nat (first_finish mss) <=
    sumZ (map (fun b => future (fst b :: snd b)) bs) + chain [] (cur :: later).
Proof.
  intros bs Hrun Hwf Hset Hen.
  destruct (barrier_run sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos _ _ _ Hrun _ _ _ eq_refl Hwf Hset Hen) as [H0 H1].
  pose proof future_pos as Hf.
  assert (forall l : list block, 0 <= sumZ (map (fun b => future (fst b :: snd b)) l)) as Hfs.
  { induction l as [|b l IH]; cbn [map sumZ]; [lia|]. specialize (Hf (fst b :: snd b)). lia. }
  destruct (all_done cur) eqn:E.
  - rewrite H0 by reflexivity. specialize (Hfs bs). pose proof (chain_pos [] (cur :: later)). lia.
  - destruct (H1 eq_refl) as (i & Hx & Hp). clear H0 H1. etransitivity; [exact Hp|]. clear Hp.
    assert (i < length cur)%nat as Hi.
    { destruct (Nat.lt_ge_cases i (length cur)); [assumption|]. elim Hx. now apply nth_overflow. }
    unfold pot, bs. cbn [map sumZ fst snd].
    assert (forall Z, earned Z (flat rest) + futures rest <= sumZ (map (fun b => future (fst b :: snd b)) rest)) as Hrest.
    { intros Z. clear. unfold futures. induction rest as [|[u v] rest IH]; [cbn; lia|].
      cbn [flat flat_map map sumZ fst snd]. fold (flat rest). rewrite earned_app.
      pose proof (earned_rates Z u).
      change (future (u :: v)) with (rates u + future v). lia. }
    assert (future (cur :: later) = rates cur + future later) as -> by reflexivity.
    assert (rates cur = rate (nth i cur []) + rates (others i cur)) as ->.
    { clear - Hi. revert i Hi; induction cur as [|r row IH]; intros i Hlt; cbn [length] in *; [lia|].
      unfold rates in *. destruct i as [|i]; cbn [nth others map sumZ]; [lia|]. rewrite (IH i) by lia. lia. }
    cbn [chain app].
    pose proof (max_in (fun s => N * Z.of_nat (length s) - rate s + chain s later) cur _ (nth_In cur [] Hi)) as Hc.
    cbv beta in Hc.
    destruct (nth i cur []) as [|X x]; [congruence|]. rewrite !earned_app.
    pose proof (earned_rates X (others i cur)). pose proof (earned_rates (other X) (others i cur)).
    pose proof (Hrest X). pose proof (Hrest (other X)). pose proof (c_pos X). lia.
Qed.

(** Every block finishes by A + its best chain. *)
Theorem barrier_bound p bs mss bs' : (p < length bs)%nat ->
  brun bs mss bs' -> Forall wf bs -> Forall settled bs -> enough_for bs ->
  N * Z.of_nat (block_finish p mss) <=
    sumZ (map (fun b => future (fst b :: snd b)) bs)
    + chain [] (fst (nth p bs ([], [])) :: snd (nth p bs ([], []))).
Proof.
  intros Hp Hr Hw Hs He. destruct (brun_front sigma p bs mss bs' Hp Hr) as [Hr' <-].
  rewrite <- (sumZ_front _ p ([], [])) by assumption.
  pose proof (Forall_front _ p ([], []) _ Hp Hw) as Hw'.
  pose proof (Forall_front _ p ([], []) _ Hp Hs) as Hs'.
  pose proof (enough_front sigma worth kappa c p bs Hp He) as He'.
  unfold front in *. destruct (nth p bs ([], [])) as [cur later]. cbn [fst snd].
  apply barrier_bound_first with (front p ([], []) bs'); auto. now inversion Hs'.
Qed.
End BarrierBound.
