(** Windows of a bounded length, as in Windows.v, for any set of followed warps (servers.md). *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains CPBarriers.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP Followed.

(** The same cycle with nothing frozen. *)
Definition melt (d : doing) : doing := Doing (act d) false (here d).
Definition gcalm (c : gcycle) : gcycle := GCycle (map melt (doings c)) (gtook c).

Lemma gstalled_gcalm c : gstalled (gcalm c) = false.
Proof. unfold gstalled, gcalm. cbn [doings]. induction (doings c); [reflexivity|assumption]. Qed.

Lemma gstalls_app cs ds : gstalls (cs ++ ds) = gstalls cs + gstalls ds.
Proof. induction cs as [|c cs IH]; cbn [app gstalls]; [reflexivity|]. rewrite IH. lia. Qed.

Lemma gstalls_le cs : gstalls cs <= length cs.
Proof. induction cs as [|c cs IH]; cbn [gstalls length]; [lia|]. destruct (gstalled c); lia. Qed.

Lemma act_melt ds : map act (map melt ds) = map act ds.
Proof. rewrite map_map. reflexivity. Qed.

Section FollowedWindows.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation gnext := (gnext unit occ).
Notation grun := (grun unit inst occ lo hi shared width J rate asks).
Notation all_watched := (all_watched unit occ).

(** The requests to server j issued in these cycles. *)
Fixpoint gasked_in (j : nat) (st : list fwarp) (cs : list gcycle) : nat :=
  match cs with
  | [] => 0
  | c :: cs => asked asks j (map core st) (map act (doings c)) + gasked_in j (gnext st (doings c)) cs
  end.

Lemma gstalled_in_window st pool cs st' pool' : grun st pool cs st' pool' ->
  gstalls cs <= memory_term J rate (fun j => pool j + gasked_in j st cs).
Proof.
  intros H. apply paid_bound; [assumption|].
  induction H as [st pool|st pool c cs st' pool' Hm H IH]; [apply paid_none|]. cbn [gstalls gasked_in].
  destruct Hm as (_ & _ & Hs).
  apply (paid_step J rate _ _ _ _ (fun j => asked asks j (map core st) (map act (doings c)) + gasked_in j (gnext st (doings c)) cs) _ _ Hs) in IH;
    [exact IH|]. intros j _. lia.
Qed.

Lemma grun_prefix st pool cs ds st' pool' : grun st pool (cs ++ ds) st' pool' -> exists st1 pool1, grun st pool cs st1 pool1.
Proof.
  revert st pool; induction cs as [|c cs IH]; intros st pool H; [exists st, pool; constructor|].
  inversion H as [|? ? ? ? ? ? Hm Hr]; subst. destruct (IH _ _ Hr) as (st1 & pool1 & H1). exists st1, pool1. now constructor.
Qed.

Lemma views_melt st ds : views st (map melt ds) = views st ds.
Proof. revert ds; induction st as [|x st IH]; intros [|d ds]; cbn [map views]; [reflexivity..|]. now rewrite IH. Qed.

Lemma grun_calm st pool cs c st' pool' : grun st pool (cs ++ [c]) st' pool' -> exists st1 pool1, grun st pool (cs ++ [gcalm c]) st1 pool1.
Proof.
  revert st pool; induction cs as [|d cs IH]; intros st pool H; cbn [app] in *; inversion H as [|? ? ? ? ? ? Hm Hr]; subst.
  - eexists. eexists. constructor; [|constructor]. destruct Hm as (Hl & Hlg & Ht & Hs). unfold glegal. cbn [gcalm doings gtook].
    rewrite map_length, views_melt, act_melt. split; [exact Hl|]. split; [exact Hlg|]. split; [exact Ht|]. rewrite gstalled_gcalm. discriminate.
  - destruct (IH _ _ Hr) as (st1 & pool1 & H1). exists st1, pool1. now constructor.
Qed.

Lemma watched_calm st cs c : all_watched st (cs ++ [c]) -> all_watched st (cs ++ [gcalm c]).
Proof.
  revert st; induction cs as [|d cs IH]; intros st [H1 H2]; cbn [app Followed.all_watched] in *; split; auto.
  destruct H1 as [(k & x & d & Hx & Hd & Hb) Hgo]. split; [|exact Hgo]. exists k, x, (melt d). split; [exact Hx|]. split; [|exact Hb].
  cbn [gcalm doings]. now apply map_nth_error.
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.
Variables (near : nat -> bool) (U : list nat).
Local Open Scope Z_scope.

(** If some followed warp has something to do in each cycle of a run, every R that is no less than what the followed warps take by
    themselves, floor(sum of the weights of all others) and the sum over the servers of floor(what comes to j by cycle R / beta_j)
    bounds the cycles of the run. *)
Theorem followed_window st pool cs st' pool' R (Q : nat -> nat) : Forall (fun x => core x = fresh (sched (core x)) (code (core x))) st ->
  covered unit near U st -> wide width N wd st -> grun st pool cs st' pool' -> all_watched st cs ->
  (forall j, (j < J)%nat -> (pool j + gasked_in j st (firstn R cs) <= Q j)%nat) ->
  Z.of_nat (list_sum (map (fun x => takes occ hi (as_ x) (core x)) st)) +
    sumZ (map (weight unit occ shared wi wd near U) (unfollowed st)) / N + Z.of_nat (memory_term J rate Q) <= Z.of_nat R ->
  Z.of_nat (length cs) <= Z.of_nat R.
Proof.
  intros Hst Hcov Hw Hr Hwat HQ HR. destruct (le_lt_dec (length cs) R) as [H|H]; [lia|exfalso].
  destruct (exists_last (l := cs)) as (cs1 & c & ->); [intros ->; cbn in H; lia|]. rewrite app_length in H. cbn [length] in H.
  destruct (grun_calm st pool cs1 c st' pool' Hr) as (st1 & pool1 & Hr1).
  pose proof (followed_any_state unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le near U
    _ _ _ _ _ Hr1 (watched_calm _ _ _ Hwat) Hcov Hw) as Hc.
  rewrite gstalls_app, app_length in Hc. cbn [gstalls length] in Hc. rewrite gstalled_gcalm in Hc.
  set (X := Z.of_nat (list_sum (map (fun x => takes occ hi (as_ x) (core x)) st))) in *.
  assert (worths unit occ hi shared N wi wd near U st = N * X + sumZ (map (weight unit occ shared wi wd near U) (unfollowed st))) as E.
  { unfold X, worths, unfollowed. clear - Hst. induction Hst as [|x st Hx Hst IH]; [cbn; lia|].
    cbn [map sumZ filter list_sum fold_right]. fold (list_sum (map (fun x => takes occ hi (as_ x) (core x)) st)). unfold worth at 1.
    rewrite IH, Nat2Z.inj_add, Z.mul_add_distr_l. destruct (as_ x); cbn [map sumZ takes]; [|lia|lia].
    assert (CP.charge unit occ shared wi wd near U (core x) = weight unit occ shared wi wd near U (core x)) as ->; [|lia].
    unfold CP.charge. rewrite Hx at 2 3. cbn [sched held fresh CP.debt]. lia. }
  rewrite E in Hc.
  assert (Z.of_nat (S (length cs1) - gstalls cs1) <= X + sumZ (map (weight unit occ shared wi wd near U) (unfollowed st)) / N) as Hx.
  { assert (Z.of_nat (S (length cs1) - gstalls cs1) - X <= sumZ (map (weight unit occ shared wi wd near U) (unfollowed st)) / N); [|lia].
    apply Z.div_le_lower_bound; [assumption|].
    replace (length cs1 + 1 - (gstalls cs1 + (0 + 0)))%nat with (S (length cs1) - gstalls cs1)%nat in Hc by lia. lia. }
  assert (firstn R (cs1 ++ [c]) = firstn R cs1) as Ef.
  { rewrite firstn_app. replace (R - length cs1)%nat with 0%nat by lia. cbn [firstn]. apply app_nil_r. }
  rewrite Ef in HQ. destruct (grun_prefix st pool (firstn R cs1) (skipn R cs1 ++ [c]) st' pool') as (st2 & pool2 & Hr2).
  { rewrite app_assoc, firstn_skipn. exact Hr. }
  pose proof (gstalled_in_window _ _ _ _ _ Hr2) as Hk.
  assert (memory_term J rate (fun j => pool j + gasked_in j st (firstn R cs1)) <= memory_term J rate Q)%nat as Hm.
  { apply sum_below_le. intros j Hj. specialize (rate_pos j Hj). apply Nat.div_le_mono; [lia|]. now apply HQ. }
  assert (gstalls cs1 = gstalls (firstn R cs1) + gstalls (skipn R cs1))%nat as Es by (rewrite <- gstalls_app, firstn_skipn; reflexivity).
  pose proof (gstalls_le (skipn R cs1)) as Hsk. rewrite skipn_length in Hsk. lia.
Qed.
End FollowedWindows.
