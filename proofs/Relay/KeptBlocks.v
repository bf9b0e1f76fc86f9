(** What a block adds to the potential that is to be followed at some later time, whatever it has issued by then. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions.
Local Open Scope Z_scope.

Section KeptBlocks.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.
Variable ends : letter -> bool.
Hypothesis ends_some : ends L || ends C = true.

Notation rate := (rate worth kappa).
Notation rates := (rates worth kappa).
Notation earned := (earned worth kappa None).
Notation future := (future worth kappa).
Notation chain := (chain N worth kappa c).
Notation A := (A worth kappa).
Notation fee := (fee N worth kappa c ends).
Notation earned_pos := (earned_pos worth kappa kappa_pos kappa_le None).
Notation earned_rates := (earned_rates worth kappa None).
Notation worth_range := (worth_range sigma N worth kappa N_pos worth_unit kappa_pos kappa_le).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).

(** A letter within a chain: the chain costs no more without it. *)
Lemma chain_drop X U u later : chain (X :: u) later <= chain (X :: U :: u) later.
Proof.
  revert u; induction later as [|row later IH]; intros u; cbn [Chain.chain].
  - change (switches c (X :: U :: u)) with ((if eqb (other X) U then c X else 0) + switches c (U :: u)).
    pose proof (c_pos X). pose proof (c_pos U). destruct u as [|V u].
    + cbn [switches wants]. destruct (eqb (other X) U); lia.
    + change (switches c (X :: V :: u)) with ((if eqb (other X) V then c X else 0) + switches c (V :: u)).
      change (switches c (U :: V :: u)) with ((if eqb (other U) V then c U else 0) + switches c (V :: u)).
      destruct (letter_cases X U) as [->| ->]; [destruct (eqb (other X) X), (eqb (other X) V); lia|].
      rewrite eqb_refl. destruct (eqb (other X) V), (eqb (other (other X)) V); lia.
  - apply max_le. intros s _. specialize (IH (u ++ s)). cbn [app]. lia.
Qed.

(** To follow a chain that begins with u, after the worst letter that a segment may end with. *)
Definition entry (u : string) (later : list state) : Z :=
  Z.max (if ends L then chain (L :: u) later else 0) (if ends C then chain (C :: u) later else 0).

Lemma entry_ge X u later : ends X = true -> chain (X :: u) later <= entry u later.
Proof. intros E. unfold entry. destruct X; rewrite E; lia. Qed.

Lemma entry_pos u later : 0 <= entry u later.
Proof.
  unfold entry. pose proof (chain_pos (L :: u) later). pose proof (chain_pos (C :: u) later).
  destruct (ends L), (ends C); lia.
Qed.

Lemma entry_le u later u' later' e : 0 <= e -> (forall X, chain (X :: u) later <= chain (X :: u') later' + e) ->
  entry u later <= entry u' later' + e.
Proof.
  intros He H. unfold entry. pose proof (H L). pose proof (H C). destruct (ends L), (ends C); lia.
Qed.

(** The warp i is the one to be followed: it counts its letters, the others what they earn, and the chain its price. *)
Definition term (U : letter) (cur : state) (later : list state) (i : nat) : Z :=
  N * Z.of_nat (length (nth i cur [])) + earned U (others i cur) + entry (nth i cur []) later.

(** Which warp it will be is not known before, so the largest counts. *)
Definition kept (U : letter) (b : block) : Z :=
  fold_right Z.max 0 (map (term U (fst b) (snd b)) (seq 0 (length (fst b)))) + future (snd b).

Lemma term_pos U cur later i : 0 <= term U cur later i.
Proof.
  unfold term. pose proof (earned_pos U (others i cur)). pose proof (entry_pos (nth i cur []) later). nia.
Qed.

Lemma max_ge {X} (f : X -> Z) l x : In x l -> f x <= fold_right Z.max 0 (map f l).
Proof. induction l as [|y l IH]; [easy|]. cbn. intros [->|H]; [lia|]. specialize (IH H). lia. Qed.

Lemma max_bound {X} (f : X -> Z) l e : 0 <= e -> (forall x, In x l -> f x <= e) -> fold_right Z.max 0 (map f l) <= e.
Proof.
  intros He; induction l as [|y l IH]; intros H; cbn; [lia|]. pose proof (H y (or_introl eq_refl)).
  specialize (IH ltac:(intros; apply H; now right)). lia.
Qed.

Lemma max_zero {X} (f : X -> Z) l : 0 <= fold_right Z.max 0 (map f l).
Proof. induction l as [|y l IH]; cbn; lia. Qed.

Lemma kept_ge U b i : (i < length (fst b))%nat -> term U (fst b) (snd b) i + future (snd b) <= kept U b.
Proof.
  intros Hi. unfold kept.
  pose proof (max_ge (term U (fst b) (snd b)) (seq 0 (length (fst b))) i ltac:(apply in_seq; lia)). lia.
Qed.

Lemma kept_pos U b : 0 <= kept U b.
Proof.
  unfold kept. pose proof (max_zero (term U (fst b) (snd b)) (seq 0 (length (fst b)))). pose proof (future_pos (snd b)). lia.
Qed.

(** The worst of all bounds is a bound. *)
Lemma kept_bound U b e : future (snd b) <= e ->
  (forall i, (i < length (fst b))%nat -> term U (fst b) (snd b) i + future (snd b) <= e) -> kept U b <= e.
Proof.
  intros H0 H. unfold kept.
  pose proof (max_bound (term U (fst b) (snd b)) (seq 0 (length (fst b))) (e - future (snd b)) ltac:(lia)) as M.
  enough (fold_right Z.max 0 (map (term U (fst b) (snd b)) (seq 0 (length (fst b)))) <= e - future (snd b)) by lia.
  apply M. intros i Hi. apply in_seq in Hi. specialize (H i ltac:(lia)). lia.
Qed.

Lemma max_chain X s row later : In s row ->
  N * Z.of_nat (length s) - rate s + chain (X :: s) later <= chain [X] (row :: later).
Proof.
  intros H. cbn [Chain.chain app].
  exact (max_in (fun s => N * Z.of_nat (length s) - rate s + chain (X :: s) later) row s H).
Qed.

(** It is at most the block's A and the price of following it. *)
Lemma kept_fee U b : kept U b <= A b + fee b.
Proof.
  destruct b as [cur later]. unfold fee, Totals.A. cbn [fst snd].
  change (future (cur :: later)) with (rates cur + future later).
  pose proof (entry_pos [] (cur :: later)) as H0. unfold entry in H0.
  pose proof (earned_pos L cur). pose proof (earned_rates L cur).
  apply kept_bound; cbn [fst snd]; [lia|]. intros i Hi. unfold term.
  rewrite (rates_front worth kappa i cur Hi). pose proof (earned_rates U (others i cur)).
  pose proof (max_chain L (nth i cur []) cur later (nth_In _ _ Hi)).
  pose proof (max_chain C (nth i cur []) cur later (nth_In _ _ Hi)).
  pose proof (rate_le_length sigma N worth kappa N_pos worth_unit kappa_pos kappa_le (nth i cur [])).
  pose proof (chain_pos (L :: nth i cur []) later). pose proof (chain_pos (C :: nth i cur []) later).
  unfold entry. destruct (ends L), (ends C); try discriminate; lia.
Qed.

(** * What a cycle does to it *)

Lemma able_others i cur m : (i < length cur)%nat -> able cur m -> able (others i cur) (others i m).
Proof. intros Hi H. apply (able_front i) in H; [|assumption]. unfold front in H. inversion H; assumption. Qed.

Lemma issued_others U i cur m : (i < length cur)%nat -> length m = length cur ->
  issued U cur m = ((if nth i m false && wants U (nth i cur []) then 1 else 0) + issued U (others i cur) (others i m))%nat.
Proof. intros Hi Hl. rewrite <- (issued_front U i cur m Hi Hl). reflexivity. Qed.

Lemma waiting_others U i cur m : (i < length cur)%nat -> length m = length cur ->
  waiting U cur m =
  ((if negb (nth i m false) && wants U (nth i cur []) then 1 else 0) + waiting U (others i cur) (others i m))%nat.
Proof. intros Hi Hl. rewrite <- (waiting_front U i cur m Hi Hl). reflexivity. Qed.

(** The warp to be followed loses a letter, which is worth N in both units, or keeps all. *)
Lemma term_own i cur m later : (i < length cur)%nat -> length m = length cur -> able cur m ->
  (if nth i m false then N else 0) + N * Z.of_nat (length (nth i (after cur m) [])) + entry (nth i (after cur m) []) later
    <= N * Z.of_nat (length (nth i cur [])) + entry (nth i cur []) later.
Proof.
  intros Hi Hl Ha. rewrite after_nth by assumption. destruct (nth i m false) eqn:E; [|lia].
  assert (nth i cur [] <> []) as Hne.
  { apply (able_front i) in Ha; [|assumption]. unfold front in Ha. apply able_inv in Ha. now apply Ha. }
  destruct (nth i cur []) as [|X x]; [congruence|]. cbn [tl length].
  pose proof (entry_le x later (X :: x) later 0 ltac:(lia)) as H.
  specialize (H (fun Z => ltac:(pose proof (chain_drop Z X x later); lia))). lia.
Qed.

Lemma kept_same U cur later m : able cur m ->
  worth U * Z.of_nat (issued U cur m) + kept U (after cur m, later) <= kept U (cur, later).
Proof.
  intros Ha. pose proof (able_length _ _ Ha) as Hl. pose proof (after_length cur m Hl) as Hla.
  destruct cur as [|s0 cur0] eqn:Ec.
  { destruct m; [|discriminate]. cbn. lia. }
  rewrite <- Ec in *.
  assert (forall i, (i < length cur)%nat ->
    term U (after cur m) later i + worth U * Z.of_nat (issued U cur m) <= term U cur later i) as H.
  { intros i Hi. unfold term. pose proof (term_own i cur m later Hi Hl Ha).
    pose proof (earned_after worth kappa kappa_pos kappa_le None U _ _ (able_others i cur m Hi Ha)) as HA.
    rewrite after_others in HA by assumption. rewrite (issued_others U i cur m Hi Hl).
    pose proof (worth_range U). destruct (nth i m false); cbn [andb]; [destruct (wants U (nth i cur []))|]; lia. }
  assert (forall i, (i < length cur)%nat -> term U (after cur m) later i + future later
    <= kept U (cur, later) - worth U * Z.of_nat (issued U cur m)) as H'.
  { intros i Hi. specialize (H i Hi). pose proof (kept_ge U (cur, later) i Hi). cbn [fst snd] in *. lia. }
  assert (0 < length cur)%nat as H0 by (rewrite Ec; cbn; lia).
  enough (kept U (after cur m, later) <= kept U (cur, later) - worth U * Z.of_nat (issued U cur m)) by lia.
  apply kept_bound; cbn [fst snd]; rewrite ?Hla; [|exact H'].
  specialize (H' 0%nat H0). pose proof (term_pos U (after cur m) later 0). lia.
Qed.

(** What issues of both units do if the unit other than X is not full: the loss is that of the warps with two such letters. *)
Definition loss (X : letter) (iss dbl : letter -> nat) : Z :=
  Z.of_nat (min (iss (other X)) (dbl (other X))) * Z.max 0 (kappa X - worth (other X)).

Lemma earned_cross_min X vs m : able vs m -> waiting (other X) vs m = 0%nat ->
  earned (other X) (after vs m) + Z.of_nat (issued X vs m) * (worth X - kappa X)
    <= earned X vs + loss X (fun U => issued U vs m) (fun U => doubles U vs).
Proof.
  intros Ha Hw. destruct (earned_cross worth kappa kappa_pos kappa_le None X vs m Ha Hw) as (q & Q1 & Q2 & Q3).
  unfold loss. cbn [more option_map] in Q3. nia.
Qed.

Lemma kept_cross X cur later m : able cur m -> waiting (other X) cur m = 0%nat ->
  kept (other X) (after cur m, later) + Z.of_nat (issued X cur m) * (worth X - kappa X)
    <= kept X (cur, later) + loss X (fun U => issued U cur m) (fun U => doubles U cur).
Proof.
  intros Ha Hw. pose proof (able_length _ _ Ha) as Hl. pose proof (after_length cur m Hl) as Hla.
  destruct cur as [|s0 cur0] eqn:Ec.
  { destruct m; [|discriminate]. unfold loss. cbn. lia. }
  rewrite <- Ec in *.
  assert (forall i, (i < length cur)%nat ->
    term (other X) (after cur m) later i + Z.of_nat (issued X cur m) * (worth X - kappa X) <=
    term X cur later i + loss X (fun U => issued U cur m) (fun U => doubles U cur)) as H.
  { intros i Hi. unfold term. pose proof (term_own i cur m later Hi Hl Ha).
    rewrite (waiting_others _ i cur m Hi Hl) in Hw.
    pose proof (earned_cross_min X _ _ (able_others i cur m Hi Ha) ltac:(lia)) as HA.
    rewrite after_others in HA by assumption.
    pose proof (doubles_others (other X) i cur) as Hd. pose proof (worth_range X). pose proof (kappa_pos X).
    pose proof (kappa_le X). unfold loss in *.
    pose proof (issued_others X i cur m Hi Hl) as E1. pose proof (issued_others (other X) i cur m Hi Hl) as E2.
    rewrite E1.
    set (e := Z.max 0 (kappa X - worth (other X))) in *.
    assert (0 <= e) as He by (unfold e; lia).
    assert (Z.of_nat (min (issued (other X) (others i cur) (others i m)) (doubles (other X) (others i cur))) * e
      <= Z.of_nat (min (issued (other X) cur m) (doubles (other X) cur)) * e) as HL
      by (apply Z.mul_le_mono_nonneg_r; lia).
    destruct (nth i m false); cbn [andb]; [destruct (wants X (nth i cur []))|]; lia. }
  set (ls := loss X (fun U => issued U cur m) (fun U => doubles U cur)) in *.
  assert (forall i, (i < length cur)%nat -> term (other X) (after cur m) later i + future later
    <= kept X (cur, later) + ls - Z.of_nat (issued X cur m) * (worth X - kappa X)) as H'.
  { intros i Hi. specialize (H i Hi). pose proof (kept_ge X (cur, later) i Hi). cbn [fst snd] in *. lia. }
  assert (0 < length cur)%nat as H0 by (rewrite Ec; cbn; lia).
  enough (kept (other X) (after cur m, later) <=
    kept X (cur, later) + ls - Z.of_nat (issued X cur m) * (worth X - kappa X)) by lia.
  apply kept_bound; cbn [fst snd]; rewrite ?Hla; [|exact H'].
  specialize (H' 0%nat H0). pose proof (term_pos (other X) (after cur m) later 0). lia.
Qed.

(** A barrier that opens: nothing rises. *)
Lemma done_empty cur : all_done cur = true -> forall s, In s cur -> s = [].
Proof.
  unfold all_done. intros H s Hs. rewrite forallb_forall in H. specialize (H s Hs). now destruct s.
Qed.

Lemma release_term U j X : forall later cur, all_done cur = true -> (j < length cur)%nat ->
  Forall (fun row => length row = length cur) later ->
  N * Z.of_nat (length (nth j (fst (release cur later)) [])) + earned U (others j (fst (release cur later)))
    + chain (X :: nth j (fst (release cur later)) []) (snd (release cur later)) + future (snd (release cur later))
    <= chain [X] later + future later.
Proof.
  induction later as [|row later IH]; intros cur Hd Hj Hw; cbn [release].
  - cbn [fst snd]. rewrite (all_done_nth j cur Hd). rewrite earned_done by now apply all_done_others. cbn [length]. lia.
  - rewrite Hd. inversion Hw as [|? ? Hr Hw']; subst.
    assert (forall i, (i < length row)%nat -> N * Z.of_nat (length (nth i row [])) + earned U (others i row)
      + chain (X :: nth i row []) later + future later <= chain [X] (row :: later) + future (row :: later)) as H.
    { intros i Hi. pose proof (max_chain X _ row later (nth_In row [] Hi)).
      change (future (row :: later)) with (rates row + future later).
      rewrite (rates_front worth kappa i row Hi). pose proof (earned_rates U (others i row)). lia. }
    destruct (all_done row) eqn:E.
    + specialize (IH row E ltac:(lia) ltac:(now rewrite Hr)).
      specialize (H j ltac:(lia)). rewrite (all_done_nth j row E) in H.
      rewrite earned_done in H by now apply all_done_others. cbn [length] in H. lia.
    + destruct later as [|row2 later]; cbn [release]; [|rewrite E]; cbn [fst snd]; apply H; lia.
Qed.

Lemma kept_open U b : wf b -> fst b <> [] -> kept U (open b) <= kept U b.
Proof.
  intros W Hne. destruct b as [cur later]. unfold open, wf in *. cbn [fst snd] in *.
  destruct (all_done cur) eqn:E.
  2:{ destruct later; cbn [release]; [lia|]. rewrite E. lia. }
  destruct (release_wf cur later W) as (_ & Hlen & _).
  assert (0 < length cur)%nat as H0 by (destruct cur; [congruence|cbn; lia]).
  pose proof (kept_ge U (cur, later) 0 H0) as K0. cbn [fst snd] in K0. unfold term at 1 in K0.
  rewrite (all_done_nth 0 cur E) in K0. rewrite earned_done in K0 by now apply all_done_others. cbn [length] in K0.
  pose proof (entry_pos [] later) as Hp.
  assert (forall i, (i < length cur)%nat -> term U (fst (release cur later)) (snd (release cur later)) i
    + future (snd (release cur later)) <= kept U (cur, later)) as H.
  { intros i Hi. unfold term.
    pose proof (release_term U i L later cur E Hi W) as HL. pose proof (release_term U i C later cur E Hi W) as HC.
    set (b := release cur later) in *. set (u := nth i (fst b) []) in *.
    pose proof (earned_pos U (others i (fst b))). pose proof (future_pos (snd b)).
    pose proof (release_earned worth kappa kappa_pos kappa_le U cur later) as HE. fold b in HE.
    rewrite (earned_done worth kappa U cur E) in HE.
    pose proof (chain_pos (L :: u) (snd b)). pose proof (chain_pos (C :: u) (snd b)).
    unfold entry in *. destruct (ends L), (ends C); try discriminate; lia. }
  apply kept_bound; cbn [fst snd]; rewrite ?Hlen; [|exact H].
  specialize (H 0%nat H0). pose proof (term_pos U (fst (release cur later)) (snd (release cur later)) 0). lia.
Qed.
End KeptBlocks.
