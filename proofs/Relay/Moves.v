(** The moves of a relay: to go on with a block, to leave it, to enter the next one at its start. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions.
Local Open Scope Z_scope.

Section Moves.
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

Notation head := (head sigma kappa).
Notation earned_after := (earned_after worth kappa kappa_pos kappa_le None).
Notation worth_range := (worth_range sigma N worth kappa N_pos worth_unit kappa_pos kappa_le).
Notation head_range := (head_range sigma N worth kappa worth_unit kappa_pos kappa_le).
Notation chain := (chain N worth kappa c).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation held := (held sigma N worth kappa c).
Notation free := (free c).
Notation falls := (falls sigma N worth kappa c).
Notation step_on := (step_on sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).
Notation step_off := (step_off sigma N worth kappa c worth_unit kappa_pos kappa_le).
Notation enter := (enter sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).
Notation leave_full := (leave_full sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).
Notation leave := (leave sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).
Notation leave_same := (leave_same sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).
Notation gap := (gap c).
Notation held_mono := (held_mono sigma N worth kappa c).
Notation total := (total worth kappa).
Notation vals_flat := (vals_flat worth kappa).
Notation flat_closed := (flat_closed worth kappa).
Notation slots_fall := (slots_fall sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).
Notation next_le := (next_le worth kappa kappa_pos kappa_le).
Notation entry_start := (entry_start N worth kappa c kappa_pos kappa_le).
Notation entry_open := (entry_open N worth kappa c kappa_pos kappa_le).
Notation good := (good warps P).
Notation fresh := (fresh warps P begins).
Notation inv := (inv room warps P begins).
Notation fee := (fee N worth kappa c ends).
Notation fee_ge := (fee_ge N worth kappa c ends).
Notation ends_other := (ends_other ends ends_some).
Notation P_after := (P_after P P_tl).
Notation inv_enough := (inv_enough sigma worth kappa c c_pos room warps P begins c_enough).
Notation inv_good := (inv_good room warps P begins).
Notation inv_settled := (inv_settled room warps P begins).
Notation inv_fresh := (inv_fresh room warps P begins).

(** * The moves *)

Notation warp i p slots := (nth i (fst (nth p slots (([], []) : block))) []).
Notation rest p slots := (snd (nth p slots (([], []) : block))).
Definition pot (slots pending : list block) (p i : nat) : Z :=
  held (total slots pending) (warp i p slots) (rest p slots).

Lemma slot_lt (i p : nat) (slots : list block) : warp i p slots <> [] -> (p < length slots)%nat.
Proof.
  intros H. destruct (Nat.lt_ge_cases p (length slots)); [assumption|]. elim H.
  rewrite (nth_overflow slots) by assumption. now destruct i.
Qed.

Lemma nth_good p slots : Forall good slots -> (p < length slots)%nat -> good (nth p slots ([], [])).
Proof. intros H Hp. rewrite Forall_forall in H. apply H. now apply nth_In. Qed.

Lemma good_rows b i : good b -> nth i (fst b) [] <> [] -> Forall (fun row => row <> []) (snd b).
Proof.
  intros (W & _) Hi. pose proof (nth_some_lt _ _ Hi). eapply Forall_impl; [|exact W]. cbn.
  intros row Hr ->. cbn in Hr. lia.
Qed.

Lemma good_P b i : good b -> P (nth i (fst b) []) \/ nth i (fst b) [] = [].
Proof.
  intros (_ & _ & E & _). destruct (Nat.lt_ge_cases i (length (fst b))).
  - left. rewrite Forall_forall in E. apply E. now apply nth_In.
  - right. now apply nth_overflow.
Qed.

Section Moves.
Variables (slots pending pending' : list block) (ms : list cycle) (os : list (option block)).
Hypothesis Hinv : inv slots pending.
Hypothesis Hf : fits slots ms.
Hypothesis Hlegal : legal sigma (flat slots) (concat ms).
Hypothesis Hstart : Forall2 may_start (map open (closed slots ms)) os.
Hypothesis Hperm : Permutation pending (flat_map listed os ++ pending').

Lemma Hos : length os = length slots.
Proof. pose proof (closed_length _ _ Hf). apply Forall2_same in Hstart. rewrite map_length in Hstart. lia. Qed.

Lemma falls_at p i X x : warp i p slots = X :: x ->
  falls (total slots pending) (total (closed slots ms) pending) X x (nth i (nth p ms []) false) /\
  warp i p (closed slots ms) = if nth i (nth p ms []) false then x else X :: x.
Proof.
  intros E. apply slots_fall; auto; [now apply inv_enough with pending|].
  apply (slot_lt i). now rewrite E.
Qed.

Lemma rest_closed p : rest p (closed slots ms) = rest p slots.
Proof. now rewrite nth_closed. Qed.

(** Slot p is not yet done with its segments; follow warp i. *)
Lemma go_on p i : warp i p (closed slots ms) <> [] ->
  warp i p slots <> [] /\
  N + held (total (closed slots ms) pending) (warp i p (closed slots ms)) (rest p slots) <= pot slots pending p i.
Proof.
  intros H. destruct (warp i p slots) as [|X x] eqn:E.
  - exfalso. apply H. rewrite nth_closed by assumption. cbn [fst].
    destruct (Nat.lt_ge_cases p (length slots)) as [Hp|Hp].
    + assert (length (nth p ms []) = length (fst (nth p slots ([], [])))) as Hlen.
      { now apply fits_nth. }
      destruct (Nat.lt_ge_cases i (length (fst (nth p slots ([], []))))).
      * rewrite after_nth, E by assumption. now destruct (nth i (nth p ms []) false).
      * apply nth_overflow. now rewrite after_length.
    + rewrite (nth_overflow slots) by assumption. now destruct i.
  - split; [discriminate|]. destruct (falls_at p i X x E) as [HF EC]. unfold pot. rewrite E, EC in *.
    apply step_on; auto. apply (good_rows _ i); [|now rewrite E].
    apply nth_good; [apply (inv_good _ _ Hinv)|]. apply (slot_lt i). now rewrite E.
Qed.

(** All warps of slot p have arrived; the last letter was X. *)
Lemma arrive p : (p < length slots)%nat -> busy (nth p slots ([], [])) ->
  all_done (fst (nth p (closed slots ms) ([], []))) = true ->
  exists i X, warp i p slots <> [] /\ ends X = true /\ Forall (fun row => row <> []) (rest p slots) /\
    N + chain [X] (rest p slots) + free 0 (total (closed slots ms) pending) X <= pot slots pending p i.
Proof.
  intros Hp Hb Hd. destruct (not_done_nth _ Hb) as (i & Hi & Hx).
  destruct (warp i p slots) as [|X x] eqn:E; [congruence|]. exists i.
  destruct (falls_at p i X x E) as [HF EC]. rewrite (all_done_nth i _ Hd) in EC.
  destruct (nth i (nth p ms []) false); [|discriminate]. subst x.
  pose proof (nth_good p slots (inv_good _ _ Hinv) Hp) as Hg. exists X. rewrite E.
  split; [discriminate|]. split; [|split].
  - destruct (good_P _ i Hg) as [HP|HP]; rewrite E in HP; [|discriminate].
    destruct (P_ends X [] HP) as [He|He]; [exact He|now elim He].
  - apply (good_rows _ i Hg). now rewrite E.
  - unfold pot. rewrite E. now apply step_off.
Qed.

(** The potential of a warp of slot p after the cycle, if no block starts there. *)
Lemma stay p i : nth p os None = None -> warp i p (next slots ms os) <> [] ->
  exists i', warp i' p slots <> [] /\ N + pot (next slots ms os) pending' p i <= pot slots pending p i'.
Proof.
  intros Ho Hx. pose proof Hos as Hl.
  assert (p < length slots)%nat as Hp.
  { pose proof (slot_lt i p _ Hx) as H. unfold next in H.
    rewrite start_length in H; rewrite map_length, closed_length in *; assumption. }
  pose proof (next_nth slots ms os Hf Hl p Hp) as En. rewrite Ho in En. cbn [take] in En.
  pose proof (next_le slots pending ms os pending' ) as Hle.
  destruct (all_done (fst (nth p (closed slots ms) ([], [])))) eqn:Ed.
  - destruct (all_done (fst (nth p slots ([], [])))) eqn:Eb.
    + (* the block has ended before *)
      exfalso. pose proof (inv_settled _ _ Hinv) as Hs. rewrite Forall_forall in Hs.
      specialize (Hs _ (nth_In slots ([], []) Hp) Eb). apply Hx. rewrite En. unfold open.
      rewrite rest_closed, Hs. cbn [release fst]. now apply all_done_nth.
    + destruct (arrive p Hp Eb Ed) as (i' & X & H1 & H2 & H3 & H4). exists i'. split; [assumption|].
      destruct (entry_open slots pending pending' ms os Hf Hl Hperm p i X (rest p slots) Hp Ho Ed
        (rest_closed p) H3 Hx) as [HE Hrows].
      pose proof (head_range X).
      pose proof (enter 0 _ _ X _ _ _ ltac:(lia) ltac:(auto) Hx Hrows HE). unfold pot at 1. lia.
  - assert (nth p (next slots ms os) ([], []) = nth p (closed slots ms) ([], [])) as En'.
    { rewrite En. unfold open. destruct (nth p (closed slots ms) ([], [])) as [cur later]. cbn [fst snd] in *.
      destruct later; cbn [release]; [reflexivity|]. now rewrite Ed. }
    unfold pot at 1. rewrite En' in *. destruct (go_on p i Hx) as [H1 H2]. exists i. split; [assumption|].
    rewrite rest_closed.
    pose proof (held_mono (total (closed slots ms) pending) (total (next slots ms os) pending')
      (warp i p (closed slots ms)) (rest p slots) (fun U => Hle U Hf Hl Hperm)). lia.
Qed.

(** Where a block starts, the one before has ended. *)
Lemma started_free p b : (p < length slots)%nat -> nth p os None = Some b ->
  all_done (fst (nth p (closed slots ms) ([], []))) = true.
Proof.
  intros Hp Eo. pose proof Hos as Hl.
  assert (may_start (nth p (map open (closed slots ms)) ([], [])) (nth p os None)) as Hm.
  { assert (p < length os)%nat as Hpo by lia. revert Hstart Hpo. clear.
    intros Hs; revert p; induction Hs as [|x o l os Hx Hs IH]; intros [|p] Hp; cbn [length nth] in *; try lia; auto.
    apply IH. lia. }
  rewrite Eo in Hm. specialize (Hm ltac:(discriminate)).
  change ([], []) with (open (([], []) : block)) in Hm at 1. rewrite map_nth in Hm.
  destruct (nth p (closed slots ms) ([], [])) as [cur later]. cbn [fst] in *.
  unfold open in Hm. cbn [fst snd] in Hm. destruct later; cbn [release fst] in Hm; [assumption|].
  destruct (all_done cur) eqn:E; [reflexivity|]. cbn [fst] in Hm. congruence.
Qed.

(** Off the relay, after a warp that wanted X: [off X] bounds what may come. *)
Definition off (T : letter -> Z) (X : letter) : Z :=
  free (if begins (other X) then 0 else head X) T X.

(** To follow a block b that starts in slot q, at its warp i. *)
Lemma enter_slot q b i X : (q < length slots)%nat -> nth q os None = Some b -> ends X = true ->
  warp i q (next slots ms os) <> [] ->
  pot (next slots ms os) pending' q i <= off (total (closed slots ms) pending) X + fee b.
Proof.
  intros Hq Ho He Hx. pose proof Hos as Hl.
  pose proof (next_nth slots ms os Hf Hl q Hq) as En. rewrite Ho in En. cbn [take] in En.
  unfold pot. rewrite En in *.
  assert (fresh b) as (Hg & _ & Hbeg).
  { pose proof (inv_fresh _ _ Hinv) as HF. rewrite Forall_forall in HF. apply HF.
    rewrite Hperm. apply in_or_app. left. apply in_flat_map. exists (Some b). split; [|now left].
    rewrite <- Ho. apply nth_In. lia. }
  pose proof (good_rows b i Hg Hx) as Hrows.
  pose proof (entry_start slots pending pending' ms os Hf Hl Hperm q b i X Hq Ho Hx) as HE.
  pose proof (fee_ge X b He). pose proof (head_range X).
  assert (wants (other X) (nth i (fst b) []) = true -> (if begins (other X) then 0 else head X) = 0) as Hw.
  { intros Hw. rewrite Forall_forall in Hbeg.
    specialize (Hbeg _ (nth_In _ [] (nth_some_lt _ _ Hx))).
    destruct (nth i (fst b) []) as [|V u]; [discriminate|]. cbn [wants] in Hw.
    destruct (letter_cases (other X) V) as [->| ->]; [now rewrite Hbeg|].
    rewrite (proj2 (eqb_other (other X))) in Hw. discriminate. }
  assert (0 <= (if begins (other X) then 0 else head X) <= head X) as Hgr by (destruct (begins (other X)); lia).
  pose proof (enter _ _ _ X _ _ _ Hgr Hw Hx Hrows HE). unfold off. lia.
Qed.

(** To leave slot p at the end of a cycle, at some warp. *)
Lemma leave_slot p : (p < length slots)%nat -> busy (nth p slots ([], [])) ->
  exists i X, warp i p slots <> [] /\ ends X = true /\
    N + off (total (closed slots ms) pending) X <= pot slots pending p i +
      (if all_done (fst (nth p (closed slots ms) ([], []))) then 0 else d).
Proof.
  intros Hp Hb. unfold off.
  assert (forall X, free (if begins (other X) then 0 else head X) (total (closed slots ms) pending) X
    <= free 0 (total (closed slots ms) pending) X) as Hoff.
  { intros X. pose proof (head_range X). unfold free. destruct (begins (other X)); lia. }
  destruct (all_done (fst (nth p (closed slots ms) ([], [])))) eqn:Ed.
  - destruct (arrive p Hp Hb Ed) as (i & X & H1 & H2 & _ & H4). exists i, X. split; [assumption|].
    split; [assumption|]. specialize (Hoff X).
    pose proof (chain_pos [X] (rest p slots)). lia.
  - destruct (not_done_nth _ Ed) as (i & _ & Hx). exists i.
    destruct (go_on p i Hx) as [H1 H2].
    assert (good (nth p slots ([], []))) as Hgp by (apply nth_good; [apply (inv_good _ _ Hinv)|assumption]).
    pose proof (good_rows _ i Hgp H1) as Hrp.
    destruct (warp i p (closed slots ms)) as [|X x] eqn:Ex; [congruence|].
    assert (P (X :: x)) as HP.
    { rewrite nth_closed in Ex by assumption. cbn [fst] in Ex. rewrite <- Ex.
      destruct Hgp as (_ & _ & E & _).
      pose proof (P_after _ (nth p ms []) E) as HA. rewrite Forall_forall in HA. apply HA. apply nth_In.
      apply nth_some_lt. rewrite Ex. discriminate. }
    destruct (ends X) eqn:Ee.
    + exists X. split; [assumption|]. split; [assumption|]. destruct (begins (other X)) eqn:Eb.
      * pose proof (leave (total (closed slots ms) pending) X x (rest p slots) d d_pos (d_enough X Ee Eb)). lia.
      * pose proof (leave_same (total (closed slots ms) pending) X x (rest p slots)). lia.
    + exists (other X). split; [assumption|]. split; [now apply ends_other|].
      destruct (P_ends X x HP) as [He|He]; [congruence|]. pose proof (k_sum X Ee). specialize (Hoff (other X)).
      pose proof (leave_full (total (closed slots ms) pending) X x (rest p slots) Hrp He ltac:(lia)). lia.
Qed.

(** Both: from any slot p that was busy to a block b that starts in slot q, at its warp i. *)
Lemma relay p q b i : (p < length slots)%nat -> busy (nth p slots ([], [])) ->
  (q < length slots)%nat -> nth q os None = Some b -> warp i q (next slots ms os) <> [] ->
  exists i', warp i' p slots <> [] /\
    N + pot (next slots ms os) pending' q i <= pot slots pending p i' + fee b +
      (if all_done (fst (nth p (closed slots ms) ([], []))) then 0 else d).
Proof.
  intros Hp Hb Hq Ho Hx. destruct (leave_slot p Hp Hb) as (i' & X & H1 & H2 & H3).
  exists i'. split; [assumption|]. pose proof (enter_slot q b i X Hq Ho H2 Hx). lia.
Qed.

(** Off the relay nothing rises. *)
Lemma off_closed X : off (total (closed slots ms) pending) X <= off (total slots pending) X.
Proof.
  unfold off. apply gap. intros U. unfold total. rewrite !vals_flat. destruct (flat_closed slots ms Hf) as [-> ->].
  destruct Hlegal as [Ha _]. pose proof (earned_after U _ _ Ha) as Hfall.
  pose proof (worth_range U). nia.
Qed.

Lemma off_drop X : off (total (next slots ms os) pending') X <= off (total (closed slots ms) pending) X.
Proof. unfold off. apply gap. intros U. exact (next_le slots pending ms os pending' U Hf Hos Hperm). Qed.

Lemma off_gap X : off (total (next slots ms os) pending') X <= off (total slots pending) X.
Proof. pose proof (off_closed X). pose proof (off_drop X). lia. Qed.
End Moves.
End Moves.
