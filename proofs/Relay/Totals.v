(** T of a state with blocks in slots and blocks that wait: what it adds up to, and that openings of barriers and starts of
    blocks raise nothing. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle.
Local Open Scope Z_scope.

Section Totals.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.

Notation warp i p slots := (nth i (fst (nth p slots (([], []) : block))) []).
Notation earns := (earns worth kappa None).
Notation rate := (rate worth kappa).
Notation rates := (rates worth kappa).
Notation earned := (earned worth kappa None).
Notation enough := (enough sigma worth kappa c).
Notation earned_pos := (earned_pos worth kappa kappa_pos kappa_le None).
Notation earned_rates := (earned_rates worth kappa None).
Notation earned_others := (earned_others worth kappa None).
Notation chain := (chain N worth kappa c).
Notation future := (future worth kappa).
Notation futures := (futures worth kappa).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).
Notation release_chain := (release_chain N worth kappa c kappa_pos kappa_le).
Notation release_earned := (release_earned worth kappa kappa_pos kappa_le).
Notation falls := (falls sigma N worth kappa c).
Notation cycle_falls := (cycle_falls sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).

(** * The bookkeeping: T of a state *)

(** A block's A: the rates of all its segments. *)
Definition A (b : block) : Z := future (fst b :: snd b).
Definition val (U : letter) (b : block) : Z := earned U (fst b) + future (snd b).
Definition total (slots pending : list block) (U : letter) : Z :=
  sumZ (map (val U) slots) + sumZ (map A pending).

Lemma val_le_A U b : val U b <= A b.
Proof.
  unfold val, A. pose proof (earned_rates U (fst b)).
  change (future (fst b :: snd b)) with (rates (fst b) + future (snd b)). lia.
Qed.

Lemma val_pos U b : 0 <= val U b.
Proof. unfold val. pose proof (earned_pos U (fst b)). pose proof (future_pos (snd b)). lia. Qed.

Lemma val_open U b : val U (open b) <= val U b.
Proof. unfold val, open. apply (release_earned). Qed.

Lemma sumZ_perm l l' : Permutation l l' -> sumZ l = sumZ l'.
Proof. induction 1; cbn [sumZ]; lia. Qed.

Lemma val_take U b o : val U (take b o) <= val U b + sumZ (map A (listed o)).
Proof.
  destruct o as [b'|]; cbn [take listed map sumZ]; [|lia]. pose proof (val_le_A U b'). pose proof (val_pos U b). lia.
Qed.

(** What the slots and starts of a cycle add up to, slot by slot; e is what slot p has to spare. *)
Lemma start_le U slots os : length os = length slots ->
  sumZ (map (val U) (start slots os)) <= sumZ (map (val U) slots) + sumZ (map A (flat_map listed os)).
Proof.
  revert os; induction slots as [|b slots IH]; intros [|o os] Hl; cbn [length] in *; try lia; [cbn; lia|].
  unfold start in *. cbn [combine map sumZ flat_map fst snd]. rewrite map_app, sumZ_app.
  pose proof (val_take U b o). specialize (IH os ltac:(lia)). lia.
Qed.

Lemma start_at U e p : forall slots os, length os = length slots -> (p < length slots)%nat ->
  val U (take (nth p slots ([], [])) (nth p os None)) + e <=
    val U (nth p slots ([], [])) + sumZ (map A (listed (nth p os None))) ->
  sumZ (map (val U) (start slots os)) + e <= sumZ (map (val U) slots) + sumZ (map A (flat_map listed os)).
Proof.
  induction p as [|p IH]; intros [|b slots] [|o os] Hl Hp He; cbn [length] in *; try lia;
    unfold start in *; cbn [combine map sumZ flat_map fst snd nth] in *; rewrite map_app, sumZ_app.
  - pose proof (start_le U slots os ltac:(lia)). unfold start in *. lia.
  - pose proof (val_take U b o). specialize (IH slots os ltac:(lia) ltac:(lia) He). lia.
Qed.

Lemma map_open_at U e p : forall slots, (p < length slots)%nat ->
  val U (open (nth p slots ([], []))) + e <= val U (nth p slots ([], [])) ->
  sumZ (map (val U) (map open slots)) + e <= sumZ (map (val U) slots).
Proof.
  assert (forall slots, sumZ (map (val U) (map open slots)) <= sumZ (map (val U) slots)) as H0.
  { induction slots as [|b slots IH]; cbn [map sumZ]; [lia|]. pose proof (val_open U b). lia. }
  induction p as [|p IH]; intros [|b slots] Hp He; cbn [length nth map sumZ] in *; try lia.
  - specialize (H0 slots). lia.
  - specialize (IH slots ltac:(lia) He). pose proof (val_open U b). lia.
Qed.

Lemma map_open_le U slots : sumZ (map (val U) (map open slots)) <= sumZ (map (val U) slots).
Proof. induction slots as [|b slots IH]; cbn [map sumZ]; [lia|]. pose proof (val_open U b). lia. Qed.

Lemma nth_closed p slots ms : fits slots ms ->
  nth p (closed slots ms) ([], []) =
  (after (fst (nth p slots ([], []))) (nth p ms []), snd (nth p slots ([], []))).
Proof.
  intros H; revert p; induction H as [|b m slots ms Hl H IH]; intros p.
  - unfold closed. destruct p; reflexivity.
  - destruct p as [|p]; [reflexivity|]. exact (IH p).
Qed.

Lemma fits_nth slots ms p : fits slots ms -> (p < length slots)%nat ->
  length (nth p ms []) = length (fst (nth p slots ([], []))).
Proof.
  intros H; revert p; induction H as [|b m slots ms Hl H IH]; intros [|p] Hp; cbn [length nth] in *; try lia.
  apply IH. lia.
Qed.

Lemma closed_length slots ms : fits slots ms -> length (closed slots ms) = length slots.
Proof. induction 1; [reflexivity|]. unfold closed in *. cbn. now f_equal. Qed.

Lemma start_length slots os : length os = length slots -> length (start slots os) = length slots.
Proof. intros H. unfold start. rewrite map_length, combine_length. lia. Qed.

Lemma nth_start p slots os : length os = length slots ->
  nth p (start slots os) ([], []) = take (nth p slots ([], [])) (nth p os None).
Proof.
  revert slots os; induction p as [|p IH]; intros [|b slots] [|o os] Hl; cbn [length] in *; try lia; try reflexivity.
  apply IH; lia.
Qed.

(** T before and after the cycle, as warps. *)
Lemma vals_flat U slots : sumZ (map (val U) slots) = earned U (flat slots) + futures slots.
Proof.
  unfold futures. induction slots as [|b slots IH]; [reflexivity|]. cbn [map sumZ flat flat_map].
  fold (flat slots). rewrite earned_app. unfold val at 1. lia.
Qed.

Lemma flat_closed slots ms : fits slots ms ->
  flat (closed slots ms) = after (flat slots) (concat ms) /\ futures (closed slots ms) = futures slots.
Proof.
  induction 1 as [|b m slots ms Hl H [IH1 IH2]]; [split; reflexivity|].
  unfold closed in *. cbn [combine map flat flat_map fst snd concat]. fold (flat slots).
  rewrite after_app by assumption. unfold flat, futures in *. cbn [map sumZ snd fst].
  rewrite IH1. split; [reflexivity|]. now rewrite IH2.
Qed.

Lemma flat_index slots ms : fits slots ms -> forall p i, (p < length slots)%nat ->
  (i < length (fst (nth p slots ([], []))))%nat ->
  exists f, (f < length (flat slots))%nat /\ nth f (flat slots) [] = nth i (fst (nth p slots ([], []))) [] /\
    nth f (concat ms) false = nth i (nth p ms []) false.
Proof.
  induction 1 as [|b m slots ms Hl H IH]; intros p i Hp Hi; cbn [length] in *; [lia|].
  cbn [flat flat_map concat]. fold (flat slots). destruct p as [|p]; cbn [nth] in *.
  - exists i. rewrite app_length. split; [lia|]. split; [now apply app_nth1|]. apply app_nth1. lia.
  - destruct (IH p i ltac:(lia) Hi) as (f & F1 & F2 & F3). exists (length (fst b) + f)%nat.
    rewrite app_length. split; [lia|]. rewrite app_nth2_plus. split; [assumption|].
    rewrite <- Hl, app_nth2_plus. assumption.
Qed.

(** One cycle of the state, seen from warp i of slot p, before barriers open and blocks start. *)
Lemma slots_fall slots pending ms p i X x : fits slots ms -> legal sigma (flat slots) (concat ms) ->
  (forall f, (f < length (flat slots))%nat -> enough (others f (flat slots))) ->
  (p < length slots)%nat -> nth i (fst (nth p slots ([], []))) [] = X :: x ->
  falls (total slots pending) (total (closed slots ms) pending) X x (nth i (nth p ms []) false) /\
  nth i (fst (nth p (closed slots ms) ([], []))) [] = if nth i (nth p ms []) false then x else X :: x.
Proof.
  intros Hf Hl He Hp E.
  assert (i < length (fst (nth p slots ([], []))))%nat as Hi.
  { destruct (Nat.lt_ge_cases i (length (fst (nth p slots ([], []))))); [assumption|].
    rewrite nth_overflow in E by assumption. discriminate. }
  destruct (flat_index slots ms Hf p i Hp Hi) as (f & F1 & F2 & F3). rewrite E in F2.
  pose proof (cycle_falls _ _ f X x Hl F1 F2 (He f F1)) as [HX HY]. rewrite F3 in *.
  destruct (flat_closed slots ms Hf) as [C1 C2]. split.
  - unfold falls, total. rewrite !vals_flat, C1, C2. cbv zeta in *. split; lia.
  - rewrite nth_closed by assumption. cbn [fst].
    rewrite after_nth by (rewrite ?(fits_nth slots ms) by assumption; lia). rewrite E. reflexivity.
Qed.

(** Opening barriers and starting blocks raise nothing. *)
Lemma next_le slots pending ms os pending' U : fits slots ms -> length os = length slots ->
  Permutation pending (flat_map listed os ++ pending') ->
  total (next slots ms os) pending' U <= total (closed slots ms) pending U.
Proof.
  intros Hf Hl Hp. unfold total, next.
  pose proof (start_le U (map open (closed slots ms)) os) as H. rewrite map_length, closed_length in H by assumption.
  specialize (H Hl). pose proof (map_open_le U (closed slots ms)).
  rewrite (sumZ_perm _ _ (Permutation_map A Hp)), map_app, sumZ_app. lia.
Qed.

Lemma rates_front i row : (i < length row)%nat ->
  rates row = rate (nth i row []) + rates (others i row).
Proof.
  revert i; induction row as [|r row IH]; intros i Hi; cbn [length] in *; [lia|].
  unfold rates in *. destruct i as [|i]; cbn [nth others map sumZ]; [lia|]. rewrite (IH i) by lia. lia.
Qed.

Lemma nth_some_lt (i : nat) (l : list string) : nth i l [] <> [] -> (i < length l)%nat.
Proof.
  intros H. destruct (Nat.lt_ge_cases i (length l)); [assumption|]. elim H. now apply nth_overflow.
Qed.

Section Entry.
Variables (slots pending pending' : list block) (ms : list cycle) (os : list (option block)).
Hypothesis Hf : fits slots ms.
Hypothesis Hl : length os = length slots.
Hypothesis Hperm : Permutation pending (flat_map listed os ++ pending').
Let T' := total (closed slots ms) pending.
Let T'' := total (next slots ms os) pending'.

Lemma next_nth p : (p < length slots)%nat -> nth p (next slots ms os) ([], []) =
  take (open (nth p (closed slots ms) ([], []))) (nth p os None).
Proof.
  intros Hp. unfold next. rewrite nth_start by (rewrite map_length, closed_length; assumption). f_equal.
  change ([], []) with (open (([], []) : block)) at 1. apply map_nth.
Qed.

(** A block that starts, entered at its warp i after a letter X. *)
Lemma entry_start p b i X : (p < length slots)%nat -> nth p os None = Some b ->
  let u := nth i (fst b) [] in u <> [] -> forall U,
  T'' U - earns U u + N * Z.of_nat (length u) + chain (X :: u) (snd b) <= T' U + chain [X] (fst b :: snd b).
Proof.
  intros Hp Hb u Hu U. unfold T', T'', total, next.
  pose proof (nth_some_lt _ _ Hu) as Hi. fold u in Hi.
  pose proof (start_at U (N * Z.of_nat (length u) - earns U u
    + chain (X :: u) (snd b) - chain [X] (fst b :: snd b)) p (map open (closed slots ms)) os) as H.
  rewrite map_length, closed_length in H by assumption. specialize (H Hl Hp).
  rewrite Hb in H. cbn [take listed map sumZ] in H.
  pose proof (map_open_le U (closed slots ms)).
  rewrite (sumZ_perm _ _ (Permutation_map A Hperm)), map_app, sumZ_app.
  enough (val U b + (N * Z.of_nat (length u) - earns U u + chain (X :: u) (snd b) - chain [X] (fst b :: snd b)) <= A b).
  { pose proof (val_pos U (nth p (map open (closed slots ms)) ([], []))). lia. }
  clear H. unfold val, A. change (future (fst b :: snd b)) with (rates (fst b) + future (snd b)).
  rewrite (earned_others U (fst b) i Hi), (rates_front i (fst b) Hi). fold u.
  pose proof (earned_rates U (others i (fst b))).
  cbn [chain app].
  pose proof (max_in (fun s => N * Z.of_nat (length s) - rate s + chain (X :: s) (snd b)) (fst b) u
    (nth_In (fst b) [] Hi)) as Hc. cbv beta in Hc. unfold u in *. lia.
Qed.

(** A barrier that opens. *)
Lemma entry_open p i X later : (p < length slots)%nat -> nth p os None = None ->
  all_done (fst (nth p (closed slots ms) ([], []))) = true ->
  snd (nth p (closed slots ms) ([], [])) = later -> Forall (fun row => row <> []) later ->
  let b := nth p (next slots ms os) ([], []) in let u := nth i (fst b) [] in u <> [] ->
  (forall U, T'' U - earns U u + N * Z.of_nat (length u) + chain (X :: u) (snd b) <= T' U + chain [X] later) /\
  Forall (fun row => row <> []) (snd b).
Proof.
  intros Hp Ho Hd Hlat Hrows b u Hu.
  assert (b = open (nth p (closed slots ms) ([], []))) as Hb.
  { unfold b. rewrite next_nth by assumption. now rewrite Ho. }
  unfold u in *. rewrite Hb in *. clear u b Hb. unfold open in *. rewrite Hlat in *.
  set (cur := fst (nth p (closed slots ms) ([], []))) in *.
  split; [|exact (proj2 (release_chain X X i later cur Hd Hrows Hu))].
  intros U. unfold T', T'', total, next.
  pose proof (release_chain X U i later cur Hd Hrows Hu) as [Hc _].
  set (b := release cur later) in *. set (u := nth i (fst b) []) in *.
  pose proof (nth_some_lt _ _ Hu) as Hi.
  pose proof (start_le U (map open (closed slots ms)) os) as H. rewrite map_length, closed_length in H by assumption.
  specialize (H Hl). rewrite (sumZ_perm _ _ (Permutation_map A Hperm)), map_app, sumZ_app.
  pose proof (map_open_at U (N * Z.of_nat (length u) - earns U u + chain (X :: u) (snd b) - chain [X] later) p
    (closed slots ms)) as G. rewrite closed_length in G by assumption. specialize (G Hp).
  enough (val U (open (nth p (closed slots ms) ([], []))) +
     (N * Z.of_nat (length u) - earns U u + chain (X :: u) (snd b) - chain [X] later)
     <= val U (nth p (closed slots ms) ([], []))) as E by (specialize (G E); lia).
  clear G H. unfold val, open. fold cur. rewrite Hlat. fold b.
  rewrite (earned_done worth kappa U cur Hd). rewrite (earned_others U (fst b) i Hi). fold u. lia.
Qed.
End Entry.
End Totals.
