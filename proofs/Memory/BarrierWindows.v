(** Windows of a bounded length, as in Windows.v, for blocks with barriers (servers.md). *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains ChainOpenings CPBarriers.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryBarriers Windows.

(** A server of rate 1 that takes one in each stalled cycle, of what it has from the start. *)
Definition bcounted (c : cycle) : cycle := Cycle (acts c) (frozen c) (fun _ => if stalled c then 1 else 0).

Lemma last_cycle_nth p ms : 0 < last_cycle p ms -> exists ns m rest, ms = ns ++ m :: rest /\ length ns = last_cycle p ms - 1 /\ p m = true.
Proof.
  induction ms as [|m ms IH]; cbn [last_cycle]; [lia|].
  destruct (Nat.ltb_spec 0 (last_cycle p ms)) as [H|H].
  - intros _. destruct (IH H) as (ns & m' & rest & E & Hl & Hi). exists (m :: ns), m', rest. cbn [length app]. rewrite E at 1.
    repeat split; [lia|assumption].
  - destruct (p m) eqn:E; [|lia]. intros _. exists [], m, ms. repeat split. exact E.
Qed.

Lemma last_cycle_last p ns m : p m = true -> last_cycle p (ns ++ [m]) = S (length ns).
Proof.
  intros H. induction ns as [|n ns IH]; cbn [app last_cycle length Nat.ltb Nat.leb]; [now rewrite H|]. now rewrite IH.
Qed.

Section BarrierWindows.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation mbrun := (mbrun unit inst occ lo hi shared width).
Notation mbstep := (mbstep unit occ).
Notation one := (fun _ : nat => 1).
Notation none := (fun _ _ : nat => 0).

(** The requests to server j issued in these cycles. *)
Fixpoint basked_in (j : nat) (st : list bwarp) (cs : list cycle) : nat :=
  match cs with
  | [] => 0
  | c :: cs => asked asks j (map core st) (acts c) + basked_in j (settle (mbstep st (acts c) (frozen c))) cs
  end.

Lemma bstalled_in_window st pool cs st' pool' : mbrun J rate asks st pool cs st' pool' ->
  stalls cs <= memory_term J rate (fun j => pool j + basked_in j st cs).
Proof.
  intros H. apply paid_bound; [assumption|].
  induction H as [st pool|st pool c cs st' pool' Hm H IH]; [apply paid_none|]. cbn [stalls basked_in].
  destruct Hm as (_ & _ & Hs).
  apply (paid_step J rate _ _ _ _ (fun j => asked asks j (map core st) (acts c) + basked_in j (settle (mbstep st (acts c) (frozen c))) cs) _ _ Hs) in IH;
    [exact IH|]. intros j _. lia.
Qed.

Lemma brun_prefix st pool cs ds st' pool' : mbrun J rate asks st pool (cs ++ ds) st' pool' -> exists st1 pool1, mbrun J rate asks st pool cs st1 pool1.
Proof.
  revert st pool; induction cs as [|c cs IH]; intros st pool H; [exists st, pool; constructor|].
  inversion H as [|? ? ? ? ? ? Hm Hr]; subst. destruct (IH _ _ Hr) as (st1 & pool1 & H1). exists st1, pool1. now constructor.
Qed.

Lemma brun_calm st pool cs c rest st' pool' : mbrun J rate asks st pool (cs ++ c :: rest) st' pool' ->
  exists st1 pool1, mbrun J rate asks st pool (cs ++ [calm c]) st1 pool1.
Proof.
  revert st pool; induction cs as [|d cs IH]; intros st pool H; cbn [app] in *; inversion H as [|? ? ? ? ? ? Hm Hr]; subst.
  - eexists. eexists. constructor; [|constructor]. destruct Hm as (Hl & Hf & Ht & Hs). split; [exact Hl|]. split.
    + unfold calm. cbn [frozen]. now rewrite map_length.
    + split; [exact Ht|]. rewrite stalled_calm. discriminate.
  - destruct (IH _ _ Hr) as (st1 & pool1 & H1). exists st1, pool1. now constructor.
Qed.

Lemma brun_counted st pool cs st' pool' : mbrun J rate asks st pool cs st' pool' -> forall p, (forall j, stalls cs <= p j) ->
  exists pool1, mbrun 1 one none st p (map bcounted cs) st' pool1.
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros p Hp; [exists p; constructor|].
  cbn [stalls] in Hp. set (k := if stalled c then 1 else 0) in *.
  destruct (IH (pool_after p (fun j => asked none j (map core st) (acts c)) (fun _ => k))) as (pool1 & H1).
  { intros j. unfold pool_after. specialize (Hp j). lia. }
  exists pool1. cbn [map]. constructor; [|exact H1]. destruct Hm as (Hl & Hf & _). split; [exact Hl|]. split; [exact Hf|].
  unfold bcounted. cbn [acts took]. fold k. split.
  - intros j _. specialize (Hp j). unfold k in *. destruct (stalled c); lia.
  - intros E. exists 0. split; [lia|]. unfold k. unfold stalled in *. cbn [frozen] in E. now rewrite E.
Qed.

Lemma to_ask_blocks_none j st : to_ask_blocks none j st = 0.
Proof.
  assert (forall s : list nat, requests none j s = 0) as H0 by (induction s as [|x s IH]; [reflexivity|exact IH]).
  unfold to_ask_blocks. induction st as [|x st IH]; [reflexivity|].
  change (requests none j (code (core x)) + requests none j (concat (later x)) +
    list_sum (map (fun x => requests none j (code (core x)) + requests none j (concat (later x))) st) = 0). now rewrite !H0, IH.
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Notation width_worth := (width_worth width N wd).
Notation rows_alone := (rows_alone occ hi).
Local Open Scope Z_scope.

(** Every R that, for each chain, is no less than what the chain takes by itself, the weights of all letters outside it, and the sum over
    the servers of floor(what comes to j by cycle R / beta_j) bounds the finish of the block. *)
Theorem barriers_window q st pool cs st' pool' R (Q : nat -> nat) : Forall (fun x => x = arrived (sched (core x)) (block x) (later x)) st ->
  width_worth st -> (exists i, member q st i) -> mbrun J rate asks (settle st) pool cs st' pool' ->
  (forall j, (j < J)%nat -> (pool j + basked_in j (settle st) (firstn R cs) <= Q j)%nat) ->
  (forall chain, length chain = rows q st -> Forall (member q st) chain ->
    let near g := existsb (fun w => (sched (core (at_ w st)) =? g)%nat) chain in
    let units := map unit (concat (picks st 0 chain)) in
    Z.of_nat (rows_alone (picks st 0 chain)) + CP.sumZ (map (weight unit occ shared wi wd near units) (left_out chain 0 st)) / N +
      Z.of_nat (memory_term J rate Q) <= Z.of_nat R) ->
  Z.of_nat (block_finish q (map block st) (map acts cs)) <= Z.of_nat R.
Proof.
  intros Hst Hd Hi Hr HQ HX. unfold block_finish. set (p := of_block q (map block st)) in *. set (T := last_cycle p (map acts cs)).
  destruct (le_lt_dec T R) as [H|H]; [lia|exfalso].
  destruct (last_cycle_nth p (map acts cs) ltac:(lia)) as (ns & m & rest & Em & Hl & Hp). fold T in Hl.
  destruct (map_eq_app _ _ _ _ Em) as (cs1 & cs2 & -> & <- & E2). destruct cs2 as [|c cs2]; [discriminate|].
  cbn [map] in E2. injection E2 as Ec _. rewrite map_length in Hl.
  destruct (brun_calm _ _ _ _ _ _ _ Hr) as (st1 & pool1 & Hr1).
  destruct (brun_counted _ _ _ _ _ Hr1 (fun _ => stalls cs1)) as (pool2 & Hr2).
  { intros _. rewrite stalls_app. cbn [stalls]. rewrite stalled_calm. lia. }
  destruct (memory_barriers unit inst occ lo hi shared width 1 one none occ_pos N wi wd N_pos wi_unit wd_pos q st (fun _ => stalls cs1)
    (map bcounted (cs1 ++ [calm c])) st1 pool2 Hst (fun _ _ => le_n 1) Hd Hi Hr2) as (chain & Hlen & Hmem & G).
  cbv zeta in G. specialize (HX chain Hlen Hmem). cbv zeta in HX.
  rewrite map_map in G. change (map (fun x => acts (bcounted x)) (cs1 ++ [calm c])) with (map acts (cs1 ++ [calm c])) in G.
  unfold block_finish in G. rewrite map_app in G. cbn [map] in G. change (acts (calm c)) with (acts c) in G. rewrite Ec in G.
  fold p in G. rewrite last_cycle_last, map_length in G by exact Hp.
  assert (memory_term 1 one (fun j => stalls cs1 + to_ask_blocks none j st) = stalls cs1)%nat as Et.
  { unfold memory_term. cbn [sum_below]. rewrite to_ask_blocks_none, Nat.div_1_r. lia. }
  cbv beta in G. rewrite Et in G.
  assert (firstn R (cs1 ++ c :: cs2) = firstn R cs1) as Ef.
  { rewrite firstn_app. replace (R - length cs1)%nat with 0%nat by lia. cbn [firstn]. apply app_nil_r. }
  rewrite Ef in HQ. destruct (brun_prefix (settle st) pool (firstn R cs1) (skipn R cs1 ++ c :: cs2) st' pool') as (st3 & pool3 & Hr3).
  { rewrite app_assoc, firstn_skipn. exact Hr. }
  pose proof (bstalled_in_window _ _ _ _ _ Hr3) as Hk.
  assert (memory_term J rate (fun j => pool j + basked_in j (settle st) (firstn R cs1)) <= memory_term J rate Q)%nat as Hm.
  { apply sum_below_le. intros j Hj. specialize (rate_pos j Hj). apply Nat.div_le_mono; [lia|]. now apply HQ. }
  assert (stalls cs1 = stalls (firstn R cs1) + stalls (skipn R cs1))%nat as Es by (rewrite <- stalls_app, firstn_skipn; reflexivity).
  pose proof (stalls_le (skipn R cs1)) as Hsk. rewrite skipn_length in Hsk. lia.
Qed.
End BarrierWindows.
