(** The chain of a block (docs/programs.md, section 3): one warp for each segment, and what it costs to follow them. And what
    the opening of a barrier does to the earnings of the warps. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
Local Open Scope Z_scope.

Section Chain.
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

(** The best chain: one warp of the block for each row of segments, with x before them. Each counts its length less its
    rate, and the switches of the whole chain, written one after the other, cost c. *)
Fixpoint chain (x : string) (later : list state) : Z :=
  match later with
  | [] => switches c x
  | row :: later => fold_right Z.max 0 (map (fun s => N * Z.of_nat (length s) - rate s + chain (x ++ s) later) row)
  end.

(** The rates of all segments to come, of a block and of all blocks. *)
Definition future (later : list state) : Z := sumZ (map (rates) later).
Definition futures (bs : list block) : Z := sumZ (map (fun b => future (snd b)) bs).

Lemma max_in (f : string -> Z) row s : In s row -> f s <= fold_right Z.max 0 (map f row).
Proof. induction row as [|r row IH]; [easy|]. cbn. intros [->|H]; [lia|]. specialize (IH H). lia. Qed.

Lemma max_le (f g : string -> Z) row : (forall s, In s row -> f s <= g s) ->
  fold_right Z.max 0 (map f row) <= fold_right Z.max 0 (map g row).
Proof.
  induction row as [|r row IH]; intros H; cbn; [lia|].
  pose proof (H r (or_introl eq_refl)). specialize (IH ltac:(intros; apply H; now right)). lia.
Qed.

Lemma chain_pos x later : 0 <= chain x later.
Proof.
  destruct later as [|row later]; cbn [chain]; [apply (switches_pos c c_pos)|].
  generalize (map (fun s => N * Z.of_nat (length s) - rate s + chain (x ++ s) later) row).
  induction l as [|a l IH]; cbn [fold_right]; lia.
Qed.

(** An issue of X before a letter X or at the end: the chain costs no more after it. *)
Lemma chain_issue X x later : chain x later <= chain (X :: x) later.
Proof.
  revert x; induction later as [|row later IH]; intros x; cbn [chain].
  - cbn [switches]. pose proof (c_pos X). destruct (wants (other X) x); lia.
  - apply max_le. intros s _. specialize (IH (x ++ s)). cbn [app]. lia.
Qed.

(** A switch: it costs c X less. *)
Lemma chain_switch X x later : Forall (fun row => row <> []) later ->
  c X + chain (other X :: x) later <= chain (X :: other X :: x) later.
Proof.
  intros H; revert x; induction H as [|row later Hr H IH]; intros x; cbn [chain].
  - cbn [switches wants]. rewrite eqb_refl. lia.
  - (* attained at some s in the row *)
    set (f := fun s => N * Z.of_nat (length s) - rate s + chain ((other X :: x) ++ s) later).
    assert (exists s, In s row /\ fold_right Z.max 0 (map f row) <= f s) as (s & Hs & Hm).
    { assert (forall s, 0 <= f s) as Hf.
      { intros s. unfold f. pose proof (rate_le_length s). pose proof (chain_pos ((other X :: x) ++ s) later). lia. }
      clearbody f. clear - Hr Hf. induction row as [|r row IH]; [congruence|]. destruct row as [|r' row].
      - exists r. specialize (Hf r). split; [now left|cbn; lia].
      - destruct IH as (s & Hs & Hm); [discriminate|]. cbn [map fold_right] in *.
        destruct (Z.le_gt_cases (f s) (f r)).
        + exists r. split; [now left|lia].
        + exists s. split; [now right|lia]. }
    pose proof (max_in (fun s => N * Z.of_nat (length s) - rate s + chain ((X :: other X :: x) ++ s) later) row s Hs) as Hx.
    specialize (IH (x ++ s)). subst f. cbv beta in *. cbn [app] in *. lia.
Qed.

Lemma earned_done X vs : all_done vs = true -> earned X vs = 0.
Proof.
  induction vs as [|v vs IH]; [reflexivity|]. cbn [all_done forallb Earnings.earned].
  destruct v; [|discriminate]. intros H. cbn [Labellings.earns]. rewrite IH; [reflexivity|exact H].
Qed.

(** A release lowers nothing. *)
Lemma release_earned X cur later :
  earned X (fst (release cur later)) + future (snd (release cur later)) <= earned X cur + future later.
Proof.
  revert cur; induction later as [|row later IH]; intros cur; cbn [release]; [cbn; lia|].
  destruct (all_done cur) eqn:E; [|cbn [fst snd]; lia].
  specialize (IH row). pose proof (earned_rates X row). pose proof (earned_pos X cur).
  unfold future in *. cbn [map sumZ] in *. lia.
Qed.

Lemma rest_earned X rest ms : fits rest ms ->
  earned X (flat (bafter rest ms)) + futures (bafter rest ms)
  <= earned X (after (flat rest) (concat ms)) + futures rest.
Proof.
  induction 1 as [|[cur later] m rest ms Hl H IH]; [cbn; lia|].
  cbn [bafter flat flat_map concat fst snd futures map sumZ] in *.
  fold (flat rest) (flat (bafter rest ms)). fold (flat rest) in IH. fold (flat (bafter rest ms)) in IH.
  fold (futures rest) (futures (bafter rest ms)). fold (futures rest) (futures (bafter rest ms)) in IH.
  assert (after (cur ++ flat rest) (m ++ concat ms) = after cur m ++ after (flat rest) (concat ms)) as ->.
  { clear - Hl. revert m Hl; induction cur as [|s cur IH]; intros [|b m] Hl; cbn in *; try lia; [reflexivity|].
    rewrite IH by lia. reflexivity. }
  rewrite !earned_app. pose proof (release_earned X (after cur m) later). lia.
Qed.

(** A release, with the chain's warp of the next interval. *)
Lemma release_chain X Z j : forall later cur', all_done cur' = true ->
  Forall (fun row => row <> []) later ->
  let b := release cur' later in let x := nth j (fst b) [] in
  x <> [] ->
  earned Z (others j (fst b)) + future (snd b) + N * Z.of_nat (length x) + chain (X :: x) (snd b)
    <= chain [X] later + future later /\ Forall (fun row => row <> []) (snd b).
Proof.
  induction later as [|row later IH]; intros cur' Hd Hrows b x Hx.
  { exfalso. apply Hx. unfold x, b. cbn. now apply all_done_nth. }
  inversion Hrows as [|? ? Hrow Hrows']; subst.
  subst x b. cbn [release] in *. rewrite Hd in *.
  assert (forall s, In s row -> N * Z.of_nat (length s) - rate s + chain (X :: s) later <= chain [X] (row :: later)) as Hc.
  { intros s Hs. cbn [chain app].
    exact (max_in (fun s => N * Z.of_nat (length s) - rate s + chain (X :: s) later) row s Hs). }
  assert (future (row :: later) = rates row + future later) as Hfut by reflexivity.
  assert (forall j, nth j row [] <> [] ->
     earned Z (others j row) + future later + N * Z.of_nat (length (nth j row [])) + chain (X :: nth j row []) later
     <= chain [X] (row :: later) + future (row :: later)) as Hopen.
  { intros i Hi. assert (i < length row)%nat as Hlt.
    { destruct (Nat.lt_ge_cases i (length row)); [assumption|]. elim Hi. now apply nth_overflow. }
    specialize (Hc _ (nth_In row [] Hlt)). rewrite Hfut.
    assert (rates row = rate (nth i row []) + rates (others i row)) as ->.
    { clear - Hlt. revert i Hlt; induction row as [|r row IH]; intros i Hlt; cbn [length] in *; [lia|].
      unfold rates in *. destruct i as [|i]; cbn [nth others map sumZ]; [lia|]. rewrite (IH i) by lia. lia. }
    pose proof (earned_rates Z (others i row)). lia. }
  destruct later as [|row2 later].
  - cbn [release fst snd] in *. split; [apply Hopen, Hx|constructor].
  - destruct (all_done row) eqn:E.
    + specialize (IH row E Hrows'). cbn [release] in IH, Hx |- *. rewrite E in *.
      destruct (IH Hx) as [H1 H2]. split; [|exact H2].
      destruct row as [|s row]; [congruence|]. assert (s = []) as -> by (destruct s; [reflexivity|discriminate]).
      specialize (Hc [] (or_introl eq_refl)). cbn [length] in Hc. change (rate []) with 0 in Hc.
      rewrite Hfut. pose proof (earned_pos L ([] :: row)). pose proof (earned_rates L ([] :: row)). lia.
    + cbn [release] in Hx |- *. rewrite E in *. cbn [fst snd] in *.
      split; [apply Hopen, Hx|exact Hrows'].
Qed.

Lemma future_pos later : 0 <= future later.
Proof.
  unfold future. induction later as [|row later IH]; cbn [map sumZ]; [lia|].
  pose proof (earned_pos L row). pose proof (earned_rates L row). lia.
Qed.

Lemma futures_pos bs : 0 <= futures bs.
Proof.
  unfold futures. induction bs as [|b bs IH]; cbn [map sumZ]; [lia|]. pose proof (future_pos (snd b)). lia.
Qed.
End Chain.
