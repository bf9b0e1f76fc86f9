(** Windows of a bounded length with memory servers (servers.md): what comes to the servers may depend on how long the window is, as
    with traffic of others or with pauses. Every R that is no less than what follows from the requests of the first R cycles is a bound. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP.

(** The same cycle with nothing frozen. *)
Definition calm (c : cycle) : cycle := Cycle (acts c) (map (fun _ => false) (frozen c)) (took c).

Lemma stalled_calm c : stalled (calm c) = false.
Proof. unfold stalled, calm. cbn [frozen]. induction (frozen c); [reflexivity|assumption]. Qed.

Lemma stalls_app cs ds : stalls (cs ++ ds) = stalls cs + stalls ds.
Proof. induction cs as [|c cs IH]; cbn [app stalls]; [reflexivity|]. rewrite IH. lia. Qed.

Lemma stalls_le cs : stalls cs <= length cs.
Proof. induction cs as [|c cs IH]; cbn [stalls length]; [lia|]. destruct (stalled c); lia. Qed.

(** The last cycle in which warp w issues is one of the run, and nothing after it matters. *)
Lemma finish_nth w ms : 0 < finish w ms -> exists ns m rest, ms = ns ++ m :: rest /\ length ns = finish w ms - 1 /\ issues (nth w m None) = true.
Proof.
  unfold finish. induction ms as [|m ms IH]; cbn [last_cycle]; [lia|].
  destruct (Nat.ltb_spec 0 (last_cycle (fun m => issues (nth w m None)) ms)) as [H|H].
  - intros _. destruct (IH H) as (ns & m' & rest & E & Hl & Hi). exists (m :: ns), m', rest. cbn [length app]. rewrite E at 1.
    repeat split; [lia|assumption].
  - destruct (issues (nth w m None)) eqn:E; [|lia]. intros _. exists [], m, ms. repeat split. exact E.
Qed.

Lemma finish_last w ns m : issues (nth w m None) = true -> finish w (ns ++ [m]) = S (length ns).
Proof.
  intros H. unfold finish. induction ns as [|n ns IH]; cbn [app last_cycle length Nat.ltb Nat.leb]; [now rewrite H|]. now rewrite IH.
Qed.

Section Windows.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation mrun := (mrun unit inst occ lo hi shared width J rate asks).
Notation asked_in := (asked_in unit occ asks).

Lemma run_prefix st pool cs ds st' pool' : mrun st pool (cs ++ ds) st' pool' -> exists st1 pool1, mrun st pool cs st1 pool1.
Proof.
  revert st pool; induction cs as [|c cs IH]; intros st pool H; [exists st, pool; constructor|].
  inversion H as [|? ? ? ? ? ? Hm Hr]; subst. destruct (IH _ _ Hr) as (st1 & pool1 & H1). exists st1, pool1. now constructor.
Qed.

Lemma run_calm st pool cs c rest st' pool' : mrun st pool (cs ++ c :: rest) st' pool' -> exists st1 pool1, mrun st pool (cs ++ [calm c]) st1 pool1.
Proof.
  revert st pool; induction cs as [|d cs IH]; intros st pool H; cbn [app] in *; inversion H as [|? ? ? ? ? ? Hm Hr]; subst.
  - eexists. eexists. constructor; [|constructor]. destruct Hm as (Hl & Hf & Ht & Hs). split; [exact Hl|]. split.
    + unfold calm. cbn [frozen]. now rewrite map_length.
    + split; [exact Ht|]. rewrite stalled_calm. discriminate.
  - destruct (IH _ _ Hr) as (st1 & pool1 & H1). exists st1, pool1. now constructor.
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.

Notation weight := (weight unit occ shared wi wd).
Notation slots_worth := (slots_worth width N wd).
Local Open Scope Z_scope.

(** Any R with X + sum over the servers of floor(what comes to j by cycle R / beta_j) <= R bounds the finish, be it the least one or
    not: if w had not finished by R, at most X - 1 of the first R cycles would not be stalled, and too few are. X is I_w + Lambda_w +
    floor(sum of the weights). Q j is any bound on what is in pool j at the start and comes to it in the first R cycles: what the
    letters ask for, what was declared, or what others send in R cycles. *)
Theorem memory_window st pool cs st' pool' w g s U R (Q : nat -> nat) :
  Forall (fun v => v = fresh (sched v) (code v)) st -> slots_worth g st ->
  mrun st pool cs st' pool' -> nth_error st w = Some (fresh g s) -> (forall x, In x s -> In (unit x) U) ->
  (forall j, (j < J)%nat -> (pool j + asked_in j st (firstn R cs) <= Q j)%nat) ->
  Z.of_nat (length s + Lambda occ hi s) + sumZ (map (weight (on g) U) (others w st)) / N + Z.of_nat (memory_term J rate Q) <= Z.of_nat R ->
  Z.of_nat (finish w (map acts cs)) <= Z.of_nat R.
Proof.
  intros Hst Hd Hr Hw HU HQ HR.
  assert (w < length st)%nat as Hlt by (apply nth_error_Some; congruence).
  set (T := finish w (map acts cs)). destruct (le_lt_dec T R) as [H|H]; [lia|exfalso].
  destruct (finish_nth w (map acts cs) ltac:(lia)) as (ns & m & rest & Em & Hl & Hi). fold T in Hl.
  destruct (map_eq_app _ _ _ _ Em) as (cs1 & cs2 & -> & <- & E2). destruct cs2 as [|c cs2]; [discriminate|].
  cbn [map] in E2. injection E2 as Ec _. rewrite map_length in Hl.
  destruct (run_calm st pool cs1 c cs2 st' pool' Hr) as (st1 & pool1 & Hr1).
  pose proof (memory_cp_any_state unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos U w _ _ _ _ _ Hr1 Hlt) as Hc.
  cbv zeta in Hc. rewrite (nth_error_nth _ _ _ Hw) in Hc. cbn [sched code fresh] in Hc.
  specialize (Hc (fun y Hy => occurs_In _ U (HU y Hy)) Hd).
  rewrite map_app in Hc. cbn [map] in Hc. change (acts (calm c)) with (acts c) in Hc. rewrite Ec, finish_last in Hc by assumption.
  rewrite map_length, stalls_app in Hc. cbn [stalls] in Hc. rewrite stalled_calm in Hc.
  assert (CP.charges unit occ shared wi wd (on g) U (others w st) = sumZ (map (weight (on g) U) (others w st))) as E.
  { unfold CP.charges. f_equal. apply map_ext_in. intros v Hv.
    rewrite (proj1 (Forall_forall _ _) (others_Forall _ w _ Hst) v Hv).
    unfold CP.charge. cbn [held fresh debt]. lia. }
  assert (Z.of_nat (CP.own occ hi (fresh g s)) = Z.of_nat (length s + Lambda occ hi s)) as Eo.
  { rewrite <- alone_Lambda by assumption. unfold CP.own, fresh. cbn [code lat held longest]. now destruct s. }
  rewrite E, Eo in Hc.
  assert (Z.of_nat (S (length cs1) - stalls cs1) <= Z.of_nat (length s + Lambda occ hi s) + sumZ (map (weight (on g) U) (others w st)) / N) as Hx.
  { assert (Z.of_nat (S (length cs1) - stalls cs1) - Z.of_nat (length s + Lambda occ hi s) <= sumZ (map (weight (on g) U) (others w st)) / N); [|lia].
    apply Z.div_le_lower_bound; [assumption|].
    replace (S (length cs1) - (stalls cs1 + (0 + 0)))%nat with (S (length cs1) - stalls cs1)%nat in Hc by lia. lia. }
  (* the first R cycles *)
  assert (firstn R (cs1 ++ c :: cs2) = firstn R cs1) as Ef.
  { rewrite firstn_app. replace (R - length cs1)%nat with 0%nat by lia. cbn [firstn]. apply app_nil_r. }
  rewrite Ef in HQ. destruct (run_prefix st pool (firstn R cs1) (skipn R cs1 ++ c :: cs2) st' pool') as (st2 & pool2 & Hr2).
  { rewrite app_assoc, firstn_skipn. exact Hr. }
  pose proof (stalled_in_window unit inst occ lo hi shared width J rate asks rate_pos _ _ _ _ _ Hr2) as Hk.
  assert (memory_term J rate (fun j => pool j + asked_in j st (firstn R cs1)) <= memory_term J rate Q)%nat as Hm.
  { apply sum_below_le. intros j Hj. specialize (rate_pos j Hj). apply Nat.div_le_mono; [lia|]. now apply HQ. }
  assert (stalls cs1 = stalls (firstn R cs1) + stalls (skipn R cs1))%nat as Es by (rewrite <- stalls_app, firstn_skipn; reflexivity).
  pose proof (stalls_le (skipn R cs1)) as Hsk. rewrite skipn_length in Hsk. lia.
Qed.
End Windows.
