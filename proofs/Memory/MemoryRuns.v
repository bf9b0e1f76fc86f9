(** Machines whose memory is servers that all multiprocessors share (servers.md). A machine is that of Machine/MachineRuns.v, and
    all multiprocessors together are one: schedulers have different numbers, and each multiprocessor has letters and units of its
    own numbers. In a cycle in which some server takes as many requests as it can, any set of latencies may be frozen. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns.
From Warpspan.Memory Require Import Servers.

(** What happens in a cycle: what the warps do, whose latencies are frozen, and what each server takes from its pool. *)
Record cycle := Cycle { acts : actions; frozen : list bool; took : nat -> nat }.

Definition stalled (c : cycle) : bool := existsb (fun f => f) (frozen c).

Fixpoint stalls (cs : list cycle) : nat :=
  match cs with [] => 0 | c :: cs => stalls cs + if stalled c then 1 else 0 end.

Lemma stalled_false c : stalled c = false -> Forall (fun f => f = false) (frozen c).
Proof.
  unfold stalled. induction (frozen c) as [|f fs IH]; cbn; intros H; constructor; apply orb_false_iff in H; tauto.
Qed.

Section Memory.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

(** An issue of letter x adds [asks j x] requests to the pool of server j. *)
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).

Notation step := (step unit occ).
Notation next := (next unit occ).
Notation legal := (legal unit inst lo hi shared width).

(** As [step], but a frozen latency does not fall. Holds go on. (Any latency may be frozen, not only those of letters with
    requests: this allows more than the model of servers.md.) *)
Definition fstep (v : warp) (a : action) (f : bool) : warp :=
  let v' := step v a in
  if f then Warp (sched v') (code v') (match a with Some l => l | None => lat v end) (held v') else v'.

Fixpoint fnext (st : list warp) (m : actions) (fs : list bool) : list warp :=
  match st, m, fs with v :: st, a :: m, f :: fs => fstep v a f :: fnext st m fs | _, _, _ => [] end.

(** Requests to server j issued in this cycle, and those of all letters that are left. *)
Definition asked_by (j : nat) (v : warp) (a : action) : nat :=
  match a, code v with Some _, x :: _ => asks j x | _, _ => 0 end.
Definition asked (j : nat) (st : list warp) (m : actions) : nat := total (asked_by j) st m.
Definition to_ask (j : nat) (st : list warp) : nat := list_sum (map (fun v => list_sum (map (asks j) (code v))) st).

(** A cycle is legal as without memory, and the servers do what [serves] says. *)
Definition mlegal (st : list warp) (pool : nat -> nat) (c : cycle) : Prop :=
  legal st (acts c) /\ length (frozen c) = length st /\
  serves J rate pool (fun j => asked j st (acts c)) (took c) (stalled c).

Inductive mrun : list warp -> (nat -> nat) -> list cycle -> list warp -> (nat -> nat) -> Prop :=
| mrun_nil st pool : mrun st pool [] st pool
| mrun_cons st pool c cs st' pool' : mlegal st pool c ->
    mrun (fnext st (acts c) (frozen c)) (pool_after pool (fun j => asked j st (acts c)) (took c)) cs st' pool' ->
    mrun st pool (c :: cs) st' pool'.

(** The requests to server j issued in these cycles. *)
Fixpoint asked_in (j : nat) (st : list warp) (cs : list cycle) : nat :=
  match cs with
  | [] => 0
  | c :: cs => asked j st (acts c) + asked_in j (fnext st (acts c) (frozen c)) cs
  end.

(** * Facts *)

Lemma fnext_next st m fs : length m = length st -> length fs = length st -> Forall (fun f => f = false) fs ->
  fnext st m fs = next st m.
Proof.
  intros Hm Hf H. revert st m Hm Hf; induction H as [|f fs Hb H IH]; intros [|v st] [|a m] Hm Hf; cbn [length] in *; try lia;
    [reflexivity|]. cbn [fnext MachineRuns.next]. subst f. unfold fstep. now rewrite IH by lia.
Qed.

Lemma fnext_length st m fs : length m = length st -> length fs = length st -> length (fnext st m fs) = length st.
Proof.
  revert m fs; induction st as [|v st IH]; intros [|a m] [|f fs] Hm Hf; cbn [length fnext] in *; try lia.
  rewrite IH; lia.
Qed.

Lemma fnext_nth w st m fs : length m = length st -> length fs = length st ->
  nth w (fnext st m fs) nobody = fstep (nth w st nobody) (nth w m None) (nth w fs false).
Proof.
  revert w m fs; induction st as [|v st IH]; intros w [|a m] [|f fs] Hm Hf; cbn [length] in *; try lia; [now destruct w|].
  destruct w as [|w]; cbn [fnext nth]; [reflexivity|]. apply IH; lia.
Qed.

Lemma fnext_others w st m fs : length m = length st -> length fs = length st ->
  others w (fnext st m fs) = fnext (others w st) (others w m) (others w fs).
Proof.
  revert w m fs; induction st as [|v st IH]; intros w [|a m] [|f fs] Hm Hf; cbn [length] in *; try lia; [now destruct w|].
  destruct w as [|w]; cbn [fnext others]; [reflexivity|]. now rewrite IH by lia.
Qed.

Lemma sched_fstep v a f : sched (fstep v a f) = sched v.
Proof. unfold fstep, MachineRuns.step. now destruct f, a, (code v). Qed.

Lemma code_fstep v a f : code (fstep v a f) = code (step v a).
Proof. unfold fstep. now destruct f. Qed.

Lemma able_nth w st m : Forall2 (able lo hi) st m -> w < length st -> able lo hi (nth w st nobody) (nth w m None).
Proof.
  intros H; revert w; induction H as [|v a st m Ha H IH]; intros w Hw; cbn [length] in *; [lia|].
  destruct w as [|w]; cbn [nth]; [assumption|]. apply IH. lia.
Qed.

Lemma ended w st pool cs st' pool' : mrun st pool cs st' pool' -> w < length st -> code (nth w st nobody) = [] ->
  finish w (map acts cs) = 0.
Proof.
  intros H; induction H as [|st pool c cs st' pool' Hm H IH]; intros Hw Hc; [reflexivity|].
  destruct Hm as (Hl & Hf & _). pose proof (legal_length _ _ _ _ _ _ _ _ Hl) as Hlen. destruct Hl as (Ha & _).
  pose proof (able_nth w _ _ Ha Hw) as Hw'. unfold finish in *. cbn [map last_cycle]. rewrite IH.
  - cbn [Nat.ltb Nat.leb]. destruct (nth w (acts c) None) as [l|]; [|reflexivity]. destruct Hw' as [_ Hw']. now rewrite Hc in Hw'.
  - now rewrite fnext_length.
  - rewrite fnext_nth, code_fstep by assumption. unfold MachineRuns.step. rewrite Hc. now destruct (nth w (acts c) None).
Qed.
(** * How many cycles are stalled *)

Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.

(** In any window, from any state: those that the requests pay which were in the pools or were issued in the window. *)
Theorem stalled_in_window st pool cs st' pool' : mrun st pool cs st' pool' ->
  stalls cs <= memory_term J rate (fun j => pool j + asked_in j st cs).
Proof.
  intros H. apply paid_bound; [assumption|].
  induction H as [st pool|st pool c cs st' pool' Hm H IH]; [apply paid_none|]. cbn [stalls asked_in].
  destruct Hm as (_ & _ & Hs).
  apply (paid_step J rate _ _ _ _ (fun j => asked j st (acts c) + asked_in j (fnext st (acts c) (frozen c)) cs) _ _ Hs) in IH;
    [exact IH|]. intros j _. lia.
Qed.

Lemma to_ask_next j st m fs : Forall2 (able lo hi) st m -> length fs = length st ->
  to_ask j st = asked j st m + to_ask j (fnext st m fs).
Proof.
  unfold to_ask, asked. intros H. revert fs; induction H as [|v a st m Ha H IH]; intros [|f fs] Hl; cbn [length] in *; try lia;
    [reflexivity|]. cbn [map list_sum fold_right total fnext].
  fold (list_sum (map (fun v => list_sum (map (asks j) (code v))) st)).
  fold (list_sum (map (fun v => list_sum (map (asks j) (code v))) (fnext st m fs))). rewrite (IH fs) by lia.
  assert (list_sum (map (asks j) (code v)) = asked_by j v a + list_sum (map (asks j) (code (fstep v a f)))); [|lia].
  unfold asked_by, fstep, MachineRuns.step. destruct a as [l|], (code v) as [|x s] eqn:E; try reflexivity;
    destruct f; cbn [code map list_sum fold_right]; rewrite ?E; reflexivity.
Qed.

Lemma asked_in_le j st pool cs st' pool' : mrun st pool cs st' pool' -> asked_in j st cs <= to_ask j st.
Proof.
  intros H; induction H as [|st pool c cs st' pool' Hm H IH]; cbn [asked_in]; [lia|].
  destruct Hm as ((Ha & _) & Hl & _). rewrite (to_ask_next j st (acts c) (frozen c) Ha Hl). lia.
Qed.

(** Those that the requests in the pools and of all letters pay. *)
Theorem stalled_cycles st pool cs st' pool' : mrun st pool cs st' pool' ->
  stalls cs <= memory_term J rate (fun j => pool j + to_ask j st).
Proof.
  intros H. eapply Nat.le_trans; [exact (stalled_in_window _ _ _ _ _ H)|]. apply sum_below_le. intros j Hj.
  specialize (rate_pos j Hj). apply Nat.div_le_mono; [lia|]. pose proof (asked_in_le j _ _ _ _ _ H). lia.
Qed.
End Memory.
