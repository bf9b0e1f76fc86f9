(** Windows of a bounded length, as in Windows.v, with scoreboards: E stands for I + Lambda (servers.md). *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP Scoreboards.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryScoreboards Windows.

(** The same cycle with nothing frozen. *)
Definition scalm (c : scycle) : scycle := SCycle (sacts c) (map (fun _ => Ice false []) (sfrozen c)) (stook c).

Lemma sstalled_scalm c : sstalled (scalm c) = false.
Proof.
  unfold sstalled, scalm. cbn [sfrozen]. apply negb_false_iff. induction (sfrozen c) as [|i l IH]; [reflexivity|]. cbn [map forallb]. now rewrite IH.
Qed.

Lemma sstalls_app cs ds : sstalls (cs ++ ds) = sstalls cs + sstalls ds.
Proof. induction cs as [|c cs IH]; cbn [app sstalls]; [reflexivity|]. rewrite IH. lia. Qed.

Lemma sstalls_le cs : sstalls cs <= length cs.
Proof. induction cs as [|c cs IH]; cbn [sstalls length]; [lia|]. destruct (sstalled c); lia. Qed.

Section ScoreboardWindows.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (stall : nat -> option nat) (sets needs : nat -> list nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis gap_pos : forall x, 1 <= gap hi stall x.
Hypothesis occ_pos : forall x, 1 <= occ x.
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.

Notation view := (view needs).
Notation msrun := (msrun unit inst occ lo hi shared width stall sets needs J rate asks).
Notation fsnext := (fsnext unit occ stall sets).
Notation E := (Scoreboards.E unit occ hi stall sets needs).

(** The requests to server j issued in these cycles. *)
Fixpoint sasked_in (j : nat) (st : list swarp) (cs : list scycle) : nat :=
  match cs with
  | [] => 0
  | c :: cs => asked asks j (map body st) (sacts c) + sasked_in j (fsnext st (sacts c) (sfrozen c)) cs
  end.

Lemma sstalled_in_window st pool cs st' pool' : msrun st pool cs st' pool' ->
  sstalls cs <= memory_term J rate (fun j => pool j + sasked_in j st cs).
Proof.
  intros H. apply paid_bound; [assumption|].
  induction H as [st pool|st pool c cs st' pool' Hm H IH]; [apply paid_none|]. cbn [sstalls sasked_in].
  destruct Hm as (_ & _ & Hs).
  apply (paid_step J rate _ _ _ _ (fun j => asked asks j (map body st) (sacts c) + sasked_in j (fsnext st (sacts c) (sfrozen c)) cs) _ _ Hs) in IH;
    [exact IH|]. intros j _. lia.
Qed.

Lemma srun_prefix st pool cs ds st' pool' : msrun st pool (cs ++ ds) st' pool' -> exists st1 pool1, msrun st pool cs st1 pool1.
Proof.
  revert st pool; induction cs as [|c cs IH]; intros st pool H; [exists st, pool; constructor|].
  inversion H as [|? ? ? ? ? ? Hm Hr]; subst. destruct (IH _ _ Hr) as (st1 & pool1 & H1). exists st1, pool1. now constructor.
Qed.

Lemma srun_calm st pool cs c rest st' pool' : msrun st pool (cs ++ c :: rest) st' pool' -> exists st1 pool1, msrun st pool (cs ++ [scalm c]) st1 pool1.
Proof.
  revert st pool; induction cs as [|d cs IH]; intros st pool H; cbn [app] in *; inversion H as [|? ? ? ? ? ? Hm Hr]; subst.
  - eexists. eexists. constructor; [|constructor]. destruct Hm as (Hl & Hf & Ht & Hs). split; [exact Hl|]. split.
    + unfold scalm. cbn [sfrozen]. now rewrite map_length.
    + split; [exact Ht|]. rewrite sstalled_scalm. discriminate.
  - destruct (IH _ _ Hr) as (st1 & pool1 & H1). exists st1, pool1. now constructor.
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.

Notation weight := (weight unit occ shared wi wd).
Notation slots_worth := (slots_worth width N wd).
Local Open Scope Z_scope.

(** Any R with E_w + floor(the weights) + sum over the servers of floor(what comes to j by cycle R / beta_j) <= R bounds the finish. *)
Theorem scoreboards_window st pool cs st' pool' w g s U R (Q : nat -> nat) :
  Forall (fun x => x = sfresh (sched (body x)) (code (body x))) st -> slots_worth g (map body st) ->
  msrun st pool cs st' pool' -> nth_error st w = Some (sfresh g s) -> (forall y, In y s -> In (unit y) U) ->
  (forall j, (j < J)%nat -> (pool j + sasked_in j st (firstn R cs) <= Q j)%nat) ->
  Z.of_nat (E s) + sumZ (map (weight (on g) U) (map body (others w st))) / N + Z.of_nat (memory_term J rate Q) <= Z.of_nat R ->
  Z.of_nat (finish w (map sacts cs)) <= Z.of_nat R.
Proof.
  intros Hst Hd Hr Hw HU HQ HR.
  assert (w < length st)%nat as Hlt by (apply nth_error_Some; congruence).
  set (T := finish w (map sacts cs)). destruct (le_lt_dec T R) as [H|H]; [lia|exfalso].
  destruct (finish_nth w (map sacts cs) ltac:(lia)) as (ns & m & rest & Em & Hl & Hi). fold T in Hl.
  destruct (map_eq_app _ _ _ _ Em) as (cs1 & cs2 & -> & <- & E2). destruct cs2 as [|c cs2]; [discriminate|].
  cbn [map] in E2. injection E2 as Ec _. rewrite map_length in Hl.
  destruct (srun_calm st pool cs1 c cs2 st' pool' Hr) as (st1 & pool1 & Hr1).
  assert (map view st = map body st) as Ev.
  { apply map_ext_in. intros x Hx. rewrite (proj1 (Forall_forall _ _) Hst x Hx). unfold Scoreboards.view. cbn [body sfresh code fresh due until].
    now destruct (code (body x)). }
  pose proof (memory_scoreboards_any_state unit inst occ lo hi shared width stall sets needs J rate asks gap_pos occ_pos N wi wd N_pos wi_unit wd_pos
    U w _ _ _ _ _ Hr1 Hlt) as Hc.
  cbv zeta in Hc. rewrite (nth_error_nth _ _ _ Hw), map_others, Ev in Hc. cbn [sfresh body fresh code sched] in Hc.
  specialize (Hc (fun y Hy => occurs_In _ U (HU y Hy)) Hd).
  rewrite map_app in Hc. cbn [map] in Hc. change (sacts (scalm c)) with (sacts c) in Hc. rewrite Ec, finish_last in Hc by assumption.
  rewrite map_length, sstalls_app in Hc. cbn [sstalls] in Hc. rewrite sstalled_scalm in Hc.
  assert (Scoreboards.own unit occ hi stall sets needs (sfresh g s) = E s) as Eo by reflexivity. unfold sfresh, fresh in Eo. 
  assert (CP.charges unit occ shared wi wd (on g) U (others w (map body st)) = sumZ (map (weight (on g) U) (map body (others w st)))) as Ech.
  { rewrite map_others. unfold CP.charges. f_equal. apply map_ext_in. intros v Hv.
    rewrite <- map_others in Hv. apply in_map_iff in Hv. destruct Hv as (x & <- & Hx).
    rewrite (proj1 (Forall_forall _ _) (others_Forall _ w _ Hst) x Hx). unfold CP.charge. cbn [sfresh body fresh held debt]. lia. }
  unfold sfresh, fresh in Hc. rewrite Ech, Eo in Hc.
  assert (Z.of_nat (S (length cs1) - sstalls cs1) <= Z.of_nat (E s) + sumZ (map (weight (on g) U) (map body (others w st))) / N) as Hx.
  { assert (Z.of_nat (S (length cs1) - sstalls cs1) - Z.of_nat (E s) <= sumZ (map (weight (on g) U) (map body (others w st))) / N); [|lia].
    apply Z.div_le_lower_bound; [assumption|].
    replace (S (length cs1) - (sstalls cs1 + (0 + 0)))%nat with (S (length cs1) - sstalls cs1)%nat in Hc by lia. lia. }
  assert (firstn R (cs1 ++ c :: cs2) = firstn R cs1) as Ef.
  { rewrite firstn_app. replace (R - length cs1)%nat with 0%nat by lia. cbn [firstn]. apply app_nil_r. }
  rewrite Ef in HQ. destruct (srun_prefix st pool (firstn R cs1) (skipn R cs1 ++ c :: cs2) st' pool') as (st2 & pool2 & Hr2).
  { rewrite app_assoc, firstn_skipn. exact Hr. }
  pose proof (sstalled_in_window _ _ _ _ _ Hr2) as Hk.
  assert (memory_term J rate (fun j => pool j + sasked_in j st (firstn R cs1)) <= memory_term J rate Q)%nat as Hm.
  { apply sum_below_le. intros j Hj. specialize (rate_pos j Hj). apply Nat.div_le_mono; [lia|]. now apply HQ. }
  assert (sstalls cs1 = sstalls (firstn R cs1) + sstalls (skipn R cs1))%nat as Es by (rewrite <- sstalls_app, firstn_skipn; reflexivity).
  pose proof (sstalls_le (skipn R cs1)) as Hsk. rewrite skipn_length in Hsk. lia.
Qed.
End ScoreboardWindows.
