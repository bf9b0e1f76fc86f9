(** The critical path with memory servers (servers.md, Theorem M): each cycle until a warp is done is stalled, or pays for itself
    as in Machine/CP.v. A stalled cycle raises neither what the warp still needs nor what the others are worth. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Memory Require Import Servers MemoryRuns.

Section MemoryCP.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation own := (own occ hi).
Notation fstep := (fstep unit occ).
Notation fnext := (fnext unit occ).
Notation mrun := (mrun unit inst occ lo hi shared width J rate asks).
Notation legal := (legal unit inst lo hi shared width).
Notation step := (step unit occ).
Notation next := (next unit occ).

(** A warp whose latency is frozen needs no more than before. *)
Lemma own_frozen x a f : able lo hi x a -> own (fstep x a f) <= own x.
Proof.
  destruct f; [|intros Ha; destruct a as [l|]; cbn [MemoryRuns.fstep]; [pose proof (own_issue unit occ lo hi occ_pos x l Ha)|pose proof (own_wait unit occ hi x)]; lia].
  intros Ha. unfold CP.own, MemoryRuns.fstep, MachineRuns.step. destruct a as [l|].
  - destruct Ha as [Hl Hr]. destruct (code x) as [|u s]; [tauto|]. cbn [code lat held sched longest].
    destruct s as [|v s]; [lia|]. change (alone occ hi (u :: v :: s)) with (span occ hi u + alone occ hi (v :: s)).
    rewrite longest_age. pose proof (occ_pos u). unfold span. lia.
  - cbn [code lat held sched]. rewrite longest_age. destruct (code x); lia.
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.

Notation charge := (charge unit occ shared wi wd).
Notation charges := (charges unit occ shared wi wd).
Notation charges_pos := (charges_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos).
Notation charges_slot := (charges_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos).
Notation charges_busy := (charges_busy unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos).
Notation weight := (weight unit occ shared wi wd).
Notation slots_worth := (slots_worth width N wd).

(** The others are worth the same whether latencies are frozen or not. *)
Lemma charges_fnext near s st m fs : length m = length st -> length fs = length st ->
  charges near s (fnext st m fs) = charges near s (next st m).
Proof.
  unfold CP.charges. intros Hm Hf. f_equal. revert m fs Hm Hf; induction st as [|v st IH]; intros [|a m] [|f fs] Hm Hf;
    cbn [length] in *; try lia; [reflexivity|]. cbn [MemoryRuns.fnext MachineRuns.next map]. rewrite IH by lia.
  now destruct f.
Qed.

Lemma crowd_fnext g st m fs : crowd g (fnext st m fs) <= crowd g st.
Proof.
  unfold crowd. revert m fs; induction st as [|v st IH]; intros [|a m] [|f fs]; cbn [MemoryRuns.fnext filter length]; try lia.
  rewrite sched_fstep. specialize (IH m fs). destruct (sched v =? g)%nat; cbn [length]; lia.
Qed.

Local Open Scope Z_scope.

(** The cycle of CP, for the first warp. *)
Lemma cp_cycle s x vs a m : (forall y, In y (code x) -> occurs (unit y) s = true) -> slots_worth (sched x) (x :: vs) ->
  code x <> [] -> legal (x :: vs) (a :: m) ->
  N + (N * Z.of_nat (own (step x a)) + charges (on (sched x)) s (next vs m)) <= N * Z.of_nat (own x) + charges (on (sched x)) s vs.
Proof.
  intros Hs Hd Hc Hm. pose proof Hm as (Ha & _). apply Forall2_cons_iff in Ha. destruct Ha as [Ha1 Ha2].
  pose proof (charges_slot (on (sched x)) (sched x) s vs m (Nat.eqb_refl _) Ha2) as Hslot.
  destruct a as [l|].
  - pose proof (own_issue unit occ lo hi occ_pos x l Ha1). nia.
  - destruct (Nat.eq_dec (Nat.max (lat x) (longest (held x))) 0) as [E|E].
    2:{ pose proof (own_idle unit occ hi x Hc ltac:(lia)). nia. }
    pose proof (own_wait unit occ hi x). destruct (code x) as [|u c] eqn:Ec; [congruence|].
    assert (wants unit (unit u) x = true) as Hw
      by (unfold wants; rewrite Ec, Nat.eqb_refl; replace (lat x) with O by lia; reflexivity).
    destruct (legal_wait unit inst lo hi shared width x vs m Hm (unit u) Hw ltac:(apply longest_holding; lia)) as [Hf|Hf].
    + pose proof (charges_busy (on (sched x)) (sched x) s (unit u) vs m (Nat.eqb_refl _) Ha2 (Hs u ltac:(now left))) as Hb.
      rewrite Hf in Hb. specialize (wi_unit (unit u)). nia.
    + rewrite Hf in Hslot. destruct Hd as [Hd|[_ Hd]]; [nia|].
      pose proof (slot_crowd (sched x) vs m). unfold crowd in *. cbn [filter] in Hd.
      rewrite Nat.eqb_refl in Hd. cbn [length] in Hd. lia.
Qed.

(** From any state, for any warp w: all cycles but the stalled ones are paid as without memory. *)
Theorem memory_cp_any_state U w st pool cs st' pool' : mrun st pool cs st' pool' -> (w < length st)%nat ->
  let x := nth w st nobody in
  (forall y, In y (code x) -> occurs (unit y) U = true) -> slots_worth (sched x) st ->
  N * Z.of_nat (finish w (map acts cs) - stalls cs) <= N * Z.of_nat (own x) + charges (on (sched x)) U (others w st).
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros Hw x Hx Hd.
  { pose proof (charges_pos (on (sched x)) U (others w st)). cbn. lia. }
  pose proof Hm as (Hleg & Hfl & _). pose proof (legal_length _ _ _ _ _ _ _ _ Hleg) as Hml.
  set (m := acts c) in *. set (fs := frozen c) in *. set (a := nth w m None). set (f := nth w fs false).
  specialize (IH ltac:(now rewrite fnext_length)). cbv zeta in IH. rewrite fnext_nth in IH by assumption. fold x a f in IH.
  rewrite sched_fstep, code_fstep in IH.
  assert (N * Z.of_nat (finish w (map acts cs) - stalls cs) <=
    N * Z.of_nat (own (fstep x a f)) + charges (on (sched x)) U (others w (fnext st m fs))) as IH'.
  { apply IH.
    - intros y Hy. apply Hx. revert Hy. unfold MachineRuns.step. destruct a, (code x); cbn [code In]; auto.
    - destruct Hd as [Hd|[H1 H2]]; [now left|right]. split; [assumption|]. pose proof (crowd_fnext (sched x) st m fs). lia. }
  clear IH. rename IH' into IH.
  pose proof (legal_front unit inst lo hi shared width w st m Hw Hleg) as Hfr. unfold front in Hfr. fold x a in Hfr.
  set (vs := others w st) in *. set (ms := others w m) in *.
  assert (length ms = length vs /\ length (others w fs) = length vs) as [Hl1 Hl2]
    by (unfold ms, vs; rewrite !others_length; lia).
  rewrite fnext_others, charges_fnext in IH by assumption. fold vs ms in IH.
  pose proof Hfr as (Hab & _). apply Forall2_cons_iff in Hab. destruct Hab as [Ha1 Ha2].
  pose proof (charges_slot (on (sched x)) (sched x) U vs ms (Nat.eqb_refl _) Ha2) as Hslot.
  pose proof (own_frozen x a f Ha1) as Hown.
  assert (slots_worth (sched x) (x :: vs)) as Hd'.
  { destruct Hd as [Hd|[H1 H2]]; [now left|right]. split; [assumption|].
    pose proof (crowd_front (sched x) w st Hw) as Hcf. unfold front in Hcf. fold x vs in Hcf. lia. }
  pose proof (charges_pos (on (sched x)) U vs). pose proof (charges_pos (on (sched x)) U (next vs ms)).
  unfold finish in *. cbn [map last_cycle stalls]. fold m.
  set (F := last_cycle (fun m => issues (nth w m None)) (map acts cs)) in *. fold a.
  destruct (stalled c) eqn:Est.
  - (* stalled: nothing rises *)
    assert (((if (0 <? F)%nat then S F else if issues a then 1 else 0) - (stalls cs + 1) <= F - stalls cs)%nat) as Hle
      by (destruct (Nat.ltb_spec 0 F); [lia|destruct (issues a); lia]).
    nia.
  - (* not stalled: the cycle of CP *)
    assert (f = false) as Ef.
    { unfold f, fs. pose proof (stalled_false c Est) as Hall. clear - Hall. revert w.
      induction Hall as [|b l Hb Hall IH]; intros [|w]; cbn [nth]; auto. }
    rewrite Ef in IH. change (fstep x a false) with (step x a) in IH.
    destruct (code x) as [|y s0] eqn:Ec.
    + assert (F = O) as EF.
      { refine (ended unit inst occ lo hi shared width J rate asks w _ _ cs st' pool' H ltac:(now rewrite fnext_length) _).
        rewrite fnext_nth by assumption. fold x. rewrite code_fstep. unfold MachineRuns.step. rewrite Ec. now destruct (nth w _ None). }
      assert (issues a = false) as Ei by (destruct a as [l|]; [destruct Ha1 as [_ Ha1]; now rewrite Ec in Ha1|reflexivity]).
      rewrite EF, Ei. cbn [Nat.ltb Nat.leb Nat.sub]. lia.
    + rewrite <- Ec in Hx. pose proof (cp_cycle U x vs a ms Hx Hd' ltac:(congruence) Hfr) as Hstep.
      assert (((if (0 <? F)%nat then S F else if issues a then 1 else 0) - (stalls cs + 0) <= 1 + (F - stalls cs))%nat) as Hle
        by (destruct (Nat.ltb_spec 0 F); [lia|destruct (issues a); lia]).
      nia.
Qed.

(** Theorem M: finish(w) <= I_w + Lambda_w + floor(sum of the weights of the others' letters)
    + sum over the servers of floor(Q_j / beta_j), where Q_j counts the requests in pool j at the start and those of all letters
    of all warps. U holds the units of w's letters. *)
Theorem memory_cp st pool cs st' pool' w g s U : Forall (fun v => v = fresh (sched v) (code v)) st -> slots_worth g st ->
  mrun st pool cs st' pool' -> nth_error st w = Some (fresh g s) -> (forall x, In x s -> In (unit x) U) ->
  Z.of_nat (finish w (map acts cs)) <=
    Z.of_nat (length s + Lambda occ hi s) + sumZ (map (weight (on g) U) (others w st)) / N
    + Z.of_nat (memory_term J rate (fun j => pool j + to_ask asks j st)%nat).
Proof.
  intros Hst Hd Hr Hw HU.
  assert (w < length st)%nat as Hlt by (apply nth_error_Some; congruence).
  pose proof (stalled_cycles unit inst occ lo hi shared width J rate asks rate_pos _ _ _ _ _ Hr) as Hk.
  pose proof (memory_cp_any_state U w _ _ _ _ _ Hr Hlt) as H. cbv zeta in H. rewrite (nth_error_nth _ _ _ Hw) in H.
  cbn [sched code fresh] in H. specialize (H (fun y Hy => occurs_In _ U (HU y Hy)) Hd).
  assert (charges (on g) U (others w st) = sumZ (map (weight (on g) U) (others w st))) as E.
  { unfold CP.charges. f_equal. apply map_ext_in. intros v Hv.
    rewrite (proj1 (Forall_forall _ _) (others_Forall _ w _ Hst) v Hv).
    unfold CP.charge. cbn [held fresh debt]. lia. }
  assert (Z.of_nat (own (fresh g s)) = Z.of_nat (length s + Lambda occ hi s)) as E2.
  { rewrite <- alone_Lambda by assumption. unfold CP.own, fresh. cbn [code lat held longest]. now destruct s. }
  rewrite E, E2 in H.
  assert (Z.of_nat (finish w (map acts cs) - stalls cs) - Z.of_nat (length s + Lambda occ hi s) <=
    sumZ (map (weight (on g) U) (others w st)) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.
End MemoryCP.
