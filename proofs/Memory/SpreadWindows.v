(** Windows of a bounded length, as in GridWindows.v, for spread warps: every number of cycles that is no less than the bound for any x, and what the
    servers need for what comes in so many cycles, is a bound. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Memory Require Import Servers MemoryRuns Followed Grid FollowedWindows GridWindows SpreadFollow SpreadSeveral.

Lemma recounted_act cs c i : forall t, act (nth i (during (recounted cs c) t) still) = act (nth i (during (cs ++ [c]) t) still).
Proof.
  unfold during, recounted. induction cs as [|d cs IH]; intros [|t]; cbn [app map nth]; try reflexivity; [|apply IH].
  cbn [counted gcalm doings]. change still with (melt still) at 1. now rewrite map_nth.
Qed.

(** The bound without servers, where x of the B blocks are given to the multiprocessor that issues last, one of M. *)
Definition spread_bound (N : Z) (A F b be R hP h M B : nat) (DA wO wP om : Z) (x : nat) : Z :=
  let p := Z.min (P_any N A F b R om x) (Z.min (P_place N A F b be R hP wO wP x) (P_all N F b be DA wO wP x)) in
  let y := (B - x) / (M - 1) in
  if M <=? 1 then p else Z.min p (Z.of_nat h + Z.min (P_any N A F b R om R) (P_place N A F b be R hP wO wP R) +
    Z.min (Q_any N A b R om y) (Z.min (Q_place N A b be R hP wO wP y) (Q_all N b be DA wO wP y))).

Section SpreadWindows.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.
Variables (A F : nat) (wO wP : Z) (hP h : nat).
Hypothesis overhang_private : forall x, shared (unit x) = false -> occ x <= lo x + hP.
Hypothesis overhang : forall x, occ x <= lo x + h.

Notation grun := (grun unit inst occ lo hi shared width).
Notation at_time := (at_time unit occ).
Notation gasked_in := (gasked_in unit occ asks).
Notation one := (fun _ : nat => 1).
Notation none := (fun _ _ : nat => 0).
Local Open Scope Z_scope.

Theorem spread_window st pool cs st' pool' (B b be R M : nat) (block sm slot home : nat -> nat) (on : nat -> nat -> bool) (U : nat -> list nat) w DA om wdA R0 (Q : nat -> nat) :
  grun J rate asks st pool cs st' pool' ->
  (forall q, (q < M)%nat ->
     spread_blocks unit occ hi shared wi wd (U q) A F wO wP st cs B be block on (fun i => sm i =? q)%nat (fun g => home g =? q)%nat) ->
  (forall i, (i < B)%nat -> (sm i < M)%nat /\ (slot i < R)%nat) ->
  (forall i, (i < B)%nat -> (1 <= length (filter (fun v => block v =? i) (seq 0 (length st))) <= b)%nat) ->
  (forall t i j, (t < length cs)%nat -> (i < length st)%nat -> (j < length st)%nat -> sm (block i) = sm (block j) -> slot (block i) = slot (block j) ->
     on t (block i) = true -> on t (block j) = true -> lives (at_time st cs t) i -> lives (at_time st cs t) j -> block i = block j) ->
  (forall t i, (t < length cs)%nat -> (i < B)%nat -> on t i = false -> forall q p, (q < M)%nat -> (p < R)%nat ->
     exists v, (v < length st)%nat /\ sm (block v) = q /\ slot (block v) = p /\ on t (block v) = true /\ lives (at_time st cs t) v) ->
  Z.of_nat width * wd = N \/ wd = 0 /\ (R * be <= width)%nat -> (0 < R)%nat -> (0 < M)%nat ->
  (w < length st)%nat -> act (nth w (during cs (length cs - 1)) still) <> None ->
  wO <= N * Z.of_nat A -> (2 <= R)%nat \/ wO + wP <= N * Z.of_nat A -> N * Z.of_nat A <= DA -> wO + wP <= DA ->
  0 <= wdA -> wdA <= N -> Z.of_nat width * wdA = N \/ wdA = 0 /\ (forall g, (crowd g (map core st) <= width)%nat) -> om <= N * Z.of_nat A ->
  (forall q i, (q < M)%nat -> (i < length st)%nat ->
     weight unit occ shared wi wdA (fun g => home g =? q)%nat (U q) (core (nth i st idle_warp)) <= if (sm (block i) =? q)%nat then om else 0) ->
  (forall j, (j < J)%nat -> (pool j + gasked_in j st (firstn R0 cs) <= Q j)%nat) ->
  (forall x, (1 <= x <= B)%nat -> (M = 1%nat -> x = B) ->
     spread_bound N A F b be R hP h M B DA wO wP om x + Z.of_nat (memory_term J rate Q) <= Z.of_nat R0) ->
  (length cs <= R0)%nat.
Proof.
  intros Hr Hsb Hplaces Hsize Hone Hqueue Hwidth HR HM Hw Hissue HO HOP HDA HDw Ho1 Ho2 Ho3 Ho4 Ho5 HQ HX.
  destruct cs as [|c0 cs0] using rev_ind; [cbn [length]; lia|]. clear IHcs0.
  destruct (run_recounted unit inst occ lo hi shared width J rate asks st pool cs0 c0 st' pool' Hr) as (st1 & pool1 & H1).
  pose proof (recounted_length cs0 c0) as Hlen.
  pose proof (spread_grid unit inst occ lo hi shared width 1 one none (fun _ _ => le_n 1) occ_pos N wi wd N_pos wi_unit wd_pos wd_le A F wO wP hP h
    overhang_private overhang st (fun _ => gstalls cs0) (recounted cs0 c0) st1 pool1 H1 B b be R M block sm slot home on U) as G.
  cbv beta in G. rewrite Hlen in G.
  assert (forall t, (t < length (cs0 ++ [c0]))%nat -> at_time st (recounted cs0 c0) t = at_time st (cs0 ++ [c0]) t) as Hat.
  { intros t Ht. apply recounted_at_time. rewrite app_length in Ht. cbn [length] in Ht. lia. }
  destruct G with (w := w) (DA := DA) (om := om) (wdA := wdA) as (x & Hx & HxM & G1 & _ & G2); auto; clear G; cbv beta in *; rewrite ?counted_term in *.
  - intros q Hq. destruct (Hsb q Hq) as [K1 K2 K3 K4 K5 K6 K7]. constructor; auto.
    intros t i Ht Hi. rewrite Hlen in Ht. rewrite recounted_here. now apply K6.
  - intros t i j Ht. rewrite Hat by assumption. now apply Hone.
  - intros t i Ht Hi Ho q p Hq Hp. rewrite Hat by assumption. now apply (Hqueue t i).
  - rewrite recounted_act. exact Hissue.
  - apply (window_closes unit inst occ lo hi shared width J rate asks rate_pos (spread_bound N A F b be R hP h M B DA wO wP om x) st pool cs0 c0 st' pool' R0 Q Hr HQ (HX x Hx HxM)).
    unfold spread_bound. cbv zeta. destruct (Nat.leb_spec M 1) as [H|H]; [exact G1|]. specialize (G2 ltac:(lia)). cbv zeta in G2. lia.
Qed.
End SpreadWindows.
