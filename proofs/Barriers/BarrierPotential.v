(** The potential of a warp of a block: what its block can still take. It falls by one in every cycle, and when a barrier
    opens it passes to any warp of the block. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain Doubles.
Local Open Scope Z_scope.

Section BarrierPotential.
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
Notation rate_le_length := (rate_le_length sigma N worth kappa N_pos worth_unit kappa_pos kappa_le).
Notation rate_pos := (rate_pos worth kappa kappa_pos kappa_le).
Notation chain := (chain N worth kappa c).
Notation future := (future worth kappa).
Notation futures := (futures worth kappa).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).
Notation futures_pos := (futures_pos worth kappa kappa_pos kappa_le).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation chain_issue := (chain_issue N worth kappa c c_pos).
Notation chain_switch := (chain_switch sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).
Notation release_chain := (release_chain N worth kappa c kappa_pos kappa_le).
Notation earned_done := (earned_done worth kappa).
Notation enough_for := (enough_for sigma worth kappa c).

(** Warp i of the first block is followed. *)
Definition pot (i : nat) (bs : list block) : Z :=
  match bs with
  | [] => 0
  | (cur, later) :: rest =>
    let x := nth i cur [] in let vs := others i cur ++ flat rest in
    N * Z.of_nat (length x) + chain x later + future later + futures rest +
    match x with [] => 0 | X :: _ => Z.max (earned X vs) (earned (other X) vs - c X - N) end
  end.

Section Cycle.
(** One cycle of the first block (cur, later) and the rest. *)
Variables (cur : state) (later : list state) (rest : list block) (m : cycle) (ms : list cycle).
Hypothesis Hfits : fits ((cur, later) :: rest) (m :: ms).
Hypothesis Hlegal : legal sigma (flat ((cur, later) :: rest)) (concat (m :: ms)).
Hypothesis Henough : enough_for ((cur, later) :: rest).

Lemma Hm : length m = length cur.
Proof. now inversion Hfits. Qed.

Let vs i := others i cur ++ flat rest.
Let D := after (flat rest) (concat ms).

Lemma legal_followed i : (i < length cur)%nat ->
  legal sigma (nth i cur [] :: vs i) (nth i m false :: others i m ++ concat ms) /\
  after (vs i) (others i m ++ concat ms) = others i (after cur m) ++ D /\
  S (length (vs i)) = length (flat ((cur, later) :: rest)).
Proof.
  intros Hi. pose proof Hm as Hl. cbn [flat flat_map fst concat] in *. fold (flat rest) in *.
  assert (i < length (cur ++ flat rest))%nat as Hi' by (rewrite app_length; lia).
  pose proof (legal_front sigma i _ _ Hi' Hlegal) as H. unfold front in H.
  rewrite app_nth1, others_app, app_nth1, others_app in H by lia.
  split; [exact H|]. unfold vs, D. split.
  - rewrite after_app, after_others by (rewrite ?others_length; lia). reflexivity.
  - rewrite !app_length, others_length by assumption. lia.
Qed.

(** What the others earn after the cycle. *)
Lemma followed i X x : (i < length cur)%nat -> nth i cur [] = X :: x ->
  (if nth i m false then 0 else N) + earned X (others i (after cur m) ++ D) <= earned X (vs i) /\
  earned (other X) (others i (after cur m) ++ D) <= Z.max (earned (other X) (vs i) - N) (earned X (vs i) + c X).
Proof.
  intros Hi E. destruct (legal_followed i Hi) as (H & Ha & Hn). rewrite E in H. split.
  - rewrite <- Ha. exact (cycle_same sigma N worth kappa N_pos worth_unit kappa_pos kappa_le None X x _ _ _ H).
  - rewrite <- Ha. enough (enough sigma worth kappa c (vs i)) as He.
    { pose proof (cycle_other sigma N worth kappa c worth_unit kappa_pos kappa_le c_pos None X x _ _ _ He H) as HY.
      pose proof (head_range sigma N worth kappa worth_unit kappa_pos kappa_le X). cbn [more option_map] in HY.
      destruct (nth i m false); lia. }
    exact (enough_beside sigma worth kappa c c_pos cur later rest i Henough Hi).
Qed.

Lemma rest_after X us :
  earned X (us ++ flat (bafter rest ms)) + futures (bafter rest ms) <= earned X (us ++ D) + futures rest.
Proof.
  assert (fits rest ms) as Hf by now inversion Hfits.
  pose proof (rest_earned worth kappa kappa_pos kappa_le X rest ms Hf) as Hrest. rewrite !earned_app in *. unfold D. lia.
Qed.

(** The barrier stays closed: the potential of a warp that is not yet there falls by N. *)
Lemma step_closed i : (i < length cur)%nat -> nth i (after cur m) [] <> [] ->
  Forall (fun row => row <> []) later ->
  N + pot i ((after cur m, later) :: bafter rest ms) <= pot i ((cur, later) :: rest).
Proof.
  intros Hi Hx Hrows. pose proof Hm as Hl. rewrite after_nth in Hx by assumption.
  unfold pot. rewrite after_nth by assumption. fold (vs i).
  destruct (nth i cur []) as [|X x] eqn:E; [destruct (nth i m false); now elim Hx|].
  destruct (followed i X x Hi E) as [HX HY].
  pose proof (fun Z => rest_after Z (others i (after cur m))) as HD.
  pose proof (HD X) as DX. pose proof (HD (other X)) as DY. clear HD.
  destruct (nth i m false); cbn [tl length] in *.
  - destruct x as [|U x]; [congruence|]. destruct (letter_cases X U) as [->| ->].
    + pose proof (chain_issue X (X :: x) later). cbn [length] in *. lia.
    + pose proof (chain_switch X x later Hrows). rewrite other_other. cbn [length] in *.
      pose proof (c_pos X). pose proof (c_pos (other X)). lia.
  - lia.
Qed.

(** The barrier opens: the potential goes on with any warp of the next interval. *)
Lemma step_open i j : (i < length cur)%nat -> nth i cur [] <> [] -> all_done (after cur m) = true ->
  Forall (fun row => row <> []) later ->
  nth j (fst (release (after cur m) later)) [] <> [] ->
  N + pot j (release (after cur m) later :: bafter rest ms) <= pot i ((cur, later) :: rest).
Proof.
  intros Hi Hx Hd Hrows Hj. pose proof Hm as Hl.
  pose proof (all_done_nth i _ Hd) as Ei. rewrite after_nth in Ei by assumption.
  destruct (nth i cur []) as [|X x] eqn:E; [congruence|].
  destruct (nth i m false) eqn:Em; [|discriminate]. cbn [tl] in Ei. subst x.
  destruct (followed i X [] Hi E) as [HX HY]. rewrite Em in HX.
  rewrite !earned_app, !earned_done in HX, HY by (now apply all_done_others).
  pose proof (fun Z => release_chain X Z j later (after cur m) Hd Hrows Hj) as HR. cbv zeta in HR.
  destruct (release (after cur m) later) as [cur2 later2] eqn:Er. cbn [fst snd] in *.
  unfold pot. rewrite E. fold (vs i). cbn [length].
  destruct (nth j cur2 []) as [|Z x2] eqn:E2; [congruence|].
  pose proof (rest_after Z (others j cur2)) as D1. pose proof (rest_after (other Z) (others j cur2)) as D2.
  rewrite !earned_app in D1, D2.
  destruct (HR Z) as [R1 Hr2]. destruct (HR (other Z)) as [R2 _]. clear HR.
  rewrite !earned_app.
  pose proof (c_pos X). pose proof (c_pos (other X)).
  destruct (letter_cases X Z) as [->| ->].
  - pose proof (chain_issue X (X :: x2) later2). cbn [Z.add] in *. lia.
  - pose proof (chain_switch X x2 later2 Hr2). rewrite other_other in *. cbn [Z.add] in *. lia.
Qed.
End Cycle.

Lemma pot_pos i bs : 0 <= pot i bs.
Proof.
  destruct bs as [|[cur later] rest]; [reflexivity|]. unfold pot.
  pose proof future_pos as Hf.
  pose proof (futures_pos rest) as Hr.
  specialize (Hf later). pose proof (chain_pos (nth i cur []) later).
  destruct (nth i cur []) as [|X x]; [lia|].
  pose proof (earned_pos X (others i cur ++ flat rest)). nia.
Qed.

Lemma pot_one i cur later rest : nth i cur [] <> [] -> N <= pot i ((cur, later) :: rest).
Proof.
  intros Hx. pose proof (pot_pos i ((cur, later) :: rest)) as _. unfold pot.
  pose proof future_pos as Hf.
  pose proof (futures_pos rest) as Hr.
  specialize (Hf later). pose proof (chain_pos (nth i cur []) later).
  destruct (nth i cur []) as [|X x]; [congruence|]. cbn [length].
  pose proof (earned_pos X (others i cur ++ flat rest)). nia.
Qed.

Lemma able_app a b ma mb : length ma = length a -> able (a ++ b) (ma ++ mb) -> able a ma.
Proof.
  revert ma; induction a as [|s a IH]; intros [|m ma] Hl H; cbn [length app] in *; try lia; [constructor|].
  apply able_inv in H. destruct H as [H1 H2]. constructor; [assumption|]. apply IH; [lia|assumption].
Qed.

Lemma first_finish_step ms mss : (first_finish (ms :: mss) <= 1 + first_finish mss)%nat.
Proof.
  cbn [first_finish]. destruct (0 <? first_finish mss)%nat; [lia|].
  destruct ms as [|m ?]; [lia|]. destruct (existsb _ m); lia.
Qed.

Lemma barrier_run bs mss bs' : brun bs mss bs' -> forall cur later rest, bs = (cur, later) :: rest ->
  Forall wf bs -> settled (cur, later) -> enough_for bs ->
  (all_done cur = true -> first_finish mss = 0%nat) /\
  (all_done cur = false -> exists i, nth i cur [] <> [] /\ N * Z.of_nat (first_finish mss) <= pot i bs).
Proof.
  induction 1 as [bs|bs ms mss bs' Hfits Hlegal Hrun IH]; intros cur later rest -> Hwf Hset Hen.
  { split; [reflexivity|]. intros Hd. destruct (not_done_nth cur Hd) as (i & _ & Hx). exists i.
    split; [assumption|]. pose proof (pot_one i cur later rest Hx). change (N * 0 <= pot i ((cur, later) :: rest)). lia. }
  inversion Hfits as [|? m ? ms' Hl Hf]; subst. cbn [fst] in Hl.
  destruct (bafter_wf _ _ Hfits Hwf) as [Hwf' Hlen'].
  assert (able cur m) as Ha.
  { destruct Hlegal as [Ha _]. cbn [flat flat_map fst concat] in Ha. eapply able_app, Ha. assumption. }
  inversion Hwf as [|? ? W1 W2]; subst. unfold wf in W1. cbn [fst snd] in W1.
  assert (Forall (fun row => length row = length (after cur m)) later) as W4
    by (rewrite after_length by assumption; exact W1).
  destruct (release_wf _ _ W4) as (W5 & L5 & S5).
  pose proof (enough_bafter sigma worth kappa c c_pos _ _ Hfits Hwf Hen) as Hen'.
  cbn [bafter fst snd] in *.
  destruct (release (after cur m) later) as [cur2 later2] eqn:Er.
  specialize (IH cur2 later2 _ eq_refl Hwf' S5 Hen'). destruct IH as [IHd IHn].
  split.
  - (* the block has finished *)
    intros Hd. destruct (idle cur m Ha Hd) as [Hm0 Hc0]. specialize (Hset Hd). cbn in Hset. subst later.
    rewrite Hc0 in Er. cbn in Er. injection Er as <- <-. specialize (IHd Hd).
    cbn [first_finish]. rewrite IHd, Hm0. reflexivity.
  - intros Hd. destruct (not_done_nth cur Hd) as (i & Hi & Hx).
    assert (Forall (fun row => row <> []) later) as Hrows.
    { eapply Forall_impl; [|exact W1]. cbn. intros row Hr ->. cbn in Hr. lia. }
    pose proof (first_finish_step (m :: ms') mss) as Hstep0.
    assert (N * Z.of_nat (first_finish ((m :: ms') :: mss)) <= N + N * Z.of_nat (first_finish mss)) as Hstep
      by nia. clear Hstep0.
    destruct (all_done cur2) eqn:E2.
    + (* it finishes in this cycle *)
      exists i. split; [assumption|]. rewrite (IHd eq_refl) in Hstep.
      pose proof (pot_one i cur later rest Hx). lia.
    + destruct (IHn eq_refl) as (j & Hj & Hpot).
      destruct (all_done (after cur m)) eqn:E1.
      * (* the barrier opens *)
        exists i. split; [assumption|].
        pose proof (step_open cur later rest m ms' Hfits Hlegal Hen i j Hi Hx E1 Hrows) as H.
        rewrite Er in H. cbn [fst] in H. specialize (H Hj). lia.
      * (* it stays closed *)
        assert (cur2 = after cur m /\ later2 = later) as [-> ->].
        { destruct later as [|row later]; cbn [release] in Er; [|rewrite E1 in Er]; now injection Er. }
        exists j. assert (j < length cur)%nat as Hjl.
        { destruct (Nat.lt_ge_cases j (length cur)); [assumption|]. elim Hj. apply nth_overflow.
          rewrite after_length by assumption. assumption. }
        split.
        -- intros F. rewrite after_nth, F in Hj by assumption. destruct (nth j m false); now elim Hj.
        -- pose proof (step_closed cur later rest m ms' Hfits Hlegal Hen j Hjl Hj Hrows). lia.
Qed.

End BarrierPotential.
