(** Blocks with barriers and memory servers (servers.md): a block finishes by the bound of some chain of its warps, and the memory
    term once. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains ChainOpenings CPBarriers.
From Warpspan.Memory Require Import Servers MemoryRuns.

Section MemoryBarriers.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).

Notation fstep := (fstep unit occ).
Notation bstep := (bstep unit occ).
Notation step := (step unit occ).
Notation legal := (legal unit inst lo hi shared width).
Notation rows_alone := (rows_alone occ hi).
Notation chain_own := (chain_own occ hi).
Notation able := (able lo hi).

Fixpoint mbstep (st : list bwarp) (m : actions) (fs : list bool) : list bwarp :=
  match st, m, fs with
  | x :: st, a :: m, f :: fs => BWarp (block x) (fstep (core x) a f) (later x) :: mbstep st m fs
  | _, _, _ => []
  end.

(** Legal as in MemoryRuns.v; at the end of a cycle the barriers open, as in MachineBlocks.v. *)
Inductive mbrun : list bwarp -> (nat -> nat) -> list cycle -> list bwarp -> (nat -> nat) -> Prop :=
| mbrun_nil st pool : mbrun st pool [] st pool
| mbrun_cons st pool c cs st' pool' :
    mlegal unit inst lo hi shared width J rate asks (map core st) pool c ->
    mbrun (settle (mbstep st (acts c) (frozen c)))
      (pool_after pool (fun j => asked asks j (map core st) (acts c)) (took c)) cs st' pool' ->
    mbrun st pool (c :: cs) st' pool'.

(** Requests to server j of all letters that are left, later segments included. *)
Definition requests (j : nat) (s : list nat) : nat := list_sum (map (asks j) s).
Definition to_ask_blocks (j : nat) (st : list bwarp) : nat :=
  list_sum (map (fun x => requests j (code (core x)) + requests j (concat (later x))) st).

(** * What a frozen cycle leaves as it was *)

Lemma mbstep_length st m fs : length m = length st -> length fs = length st -> length (mbstep st m fs) = length st.
Proof.
  revert m fs; induction st as [|x st IH]; intros [|a m] [|f fs] Hm Hf; cbn [length mbstep] in *; try lia. rewrite IH; lia.
Qed.

Lemma mbstep_at i st m fs : length m = length st -> length fs = length st -> i < length st ->
  at_ i (mbstep st m fs) = BWarp (block (at_ i st)) (fstep (core (at_ i st)) (nth i m None) (nth i fs false)) (later (at_ i st)).
Proof.
  unfold at_. revert i m fs; induction st as [|x st IH]; intros i [|a m] [|f fs] Hm Hf Hi; cbn [length] in *; try lia.
  destruct i as [|i]; cbn [mbstep nth]; [reflexivity|]. apply IH; lia.
Qed.

Lemma mbstep_blocks st m fs : length m = length st -> length fs = length st -> map block (mbstep st m fs) = map block st.
Proof.
  revert m fs; induction st as [|x st IH]; intros [|a m] [|f fs] Hm Hf; cbn [length mbstep map] in *; try lia; [reflexivity|].
  now rewrite IH by lia.
Qed.

Lemma mbstep_scheds st m fs : length m = length st -> length fs = length st ->
  map (fun x => sched (core x)) (mbstep st m fs) = map (fun x => sched (core x)) st.
Proof.
  revert m fs; induction st as [|x st IH]; intros [|a m] [|f fs] Hm Hf; cbn [length mbstep map] in *; try lia; [reflexivity|].
  rewrite IH by lia. cbn [core]. now rewrite sched_fstep.
Qed.

Lemma mbstep_rows q st m fs : length m = length st -> length fs = length st -> rows q (mbstep st m fs) = rows q st.
Proof.
  revert m fs; induction st as [|x st IH]; intros [|a m] [|f fs] Hm Hf; cbn [length] in *; try lia; [reflexivity|].
  cbn [mbstep rows block later]. now rewrite IH by lia.
Qed.

Lemma mbstep_bstep st m fs : length m = length st -> length fs = length st -> Forall (fun f => f = false) fs ->
  mbstep st m fs = bstep st m.
Proof.
  intros Hm Hf H. revert st m Hm Hf; induction H as [|f fs Hb H IH]; intros [|x st] [|a m] Hm Hf; cbn [length] in *; try lia;
    [reflexivity|]. cbn [mbstep MachineBlocks.bstep]. subst f. now rewrite IH by lia.
Qed.

Lemma mbstep_kept z os st m fs : length m = length st -> length fs = length st ->
  all_kept z (bstep st m) os -> all_kept z (mbstep st m fs) os.
Proof.
  revert m fs os; induction st as [|x st IH]; intros [|a m] [|f fs] os Hm Hf; cbn [length] in *; try lia; [auto|].
  cbn [mbstep MachineBlocks.bstep]. intros H. inversion H as [|? o ? os' Ho Hos]; subst. constructor; [|apply IH; auto; lia].
  cbn [core] in *. unfold MemoryRuns.fstep. now destruct f.
Qed.

Lemma mbstep_to_ask j st m fs : Forall2 able (map core st) m -> length fs = length st ->
  to_ask_blocks j st = asked asks j (map core st) m + to_ask_blocks j (mbstep st m fs).
Proof.
  unfold to_ask_blocks, asked. set (q := fun x => requests j (code (core x)) + requests j (concat (later x))).
  revert m fs; induction st as [|x st IH]; intros m fs H Hl; cbn [map] in H; inversion H as [|? a ? m' Ha Hm]; subst; [reflexivity|].
  destruct fs as [|f fs]; cbn [length] in Hl; [lia|]. specialize (IH m' fs Hm ltac:(lia)). cbn [map total mbstep].
  change (q x + list_sum (map q st) = asked_by asks j (core x) a + total (asked_by asks j) (map core st) m' +
    (q (BWarp (block x) (fstep (core x) a f) (later x)) + list_sum (map q (mbstep st m' fs)))).
  assert (q x = asked_by asks j (core x) a + q (BWarp (block x) (fstep (core x) a f) (later x))); [|lia].
  unfold q, asked_by, requests. cbn [core later]. rewrite code_fstep. unfold MachineRuns.step.
  destruct a as [l|], (code (core x)) as [|y s] eqn:E; cbn [code map list_sum fold_right]; rewrite ?E; cbn; lia.
Qed.

Lemma open_to_ask j st : to_ask_blocks j (open st) = to_ask_blocks j st.
Proof.
  unfold to_ask_blocks. f_equal. unfold open. rewrite map_map. apply map_ext_in. intros x Hx.
  destruct (all_through (block x) st) eqn:Et; [|reflexivity]. destruct (through_code st x Hx Et) as [Hc _].
  unfold advance. destruct (later x) as [|s l] eqn:El; [now rewrite El|]. cbn [core code later]. rewrite Hc. cbn [concat].
  unfold requests. rewrite map_app, list_sum_app. cbn. lia.
Qed.

Lemma settle_to_ask j st : to_ask_blocks j (settle st) = to_ask_blocks j st.
Proof.
  unfold settle. generalize (depth st). intros n; induction n as [|n IH]; [reflexivity|].
  change (Nat.iter (S n) open st) with (open (Nat.iter n open st)). now rewrite open_to_ask.
Qed.

Lemma stalled_blocks st pool cs st' pool' : (forall j, j < J -> 1 <= rate j) -> mbrun st pool cs st' pool' ->
  stalls cs <= memory_term J rate (fun j => pool j + to_ask_blocks j st).
Proof.
  intros Hr H. apply paid_bound; [assumption|].
  induction H as [st pool|st pool c cs st' pool' Hm H IH]; [apply paid_none|]. cbn [stalls].
  destruct Hm as ((Ha & _) & Hl & Hs). rewrite map_length in Hl.
  apply (paid_step J rate _ _ _ _ (fun j => to_ask_blocks j st) _ _ Hs) in IH; [exact IH|].
  intros j _. rewrite settle_to_ask, (mbstep_to_ask j st (acts c) (frozen c) Ha Hl). lia.
Qed.

(** * What a chain pays *)

Hypothesis occ_pos : forall x, 1 <= occ x.

(** A frozen cycle does not raise what the chain still takes by itself. *)
Lemma chain_own_frozen v a f z rest : able v a ->
  chain_own (fstep v a f) (match a, code v with Some _, x :: _ => Nat.max (pred z) (pred (occ x)) | _, _ => pred z end) rest
    <= chain_own v z rest.
Proof.
  intros Ha. unfold Chains.chain_own, MemoryRuns.fstep, MachineRuns.step. destruct a as [l|].
  - destruct Ha as [Hl Hr]. destruct (code v) as [|x s]; [tauto|].
    assert (forall t, (t = l \/ t = pred l) -> Nat.max t (Nat.max (pred z) (pred (occ x))) <= Nat.max (lat v) z + span occ hi x) as Ht.
    { intros t Ht. pose proof (occ_pos x). unfold span. lia. }
    destruct rest as [|r rest].
    + destruct s as [|y s]; [destruct f; cbn [code]; lia|].
      change (alone occ hi (x :: y :: s)) with (span occ hi x + alone occ hi (y :: s)).
      destruct f; cbn [code lat sched held]; [specialize (Ht l ltac:(auto))|specialize (Ht (pred l) ltac:(auto))]; lia.
    + unfold spans. cbn [map list_sum fold_right]. fold (list_sum (map (span occ hi) s)).
      destruct f; cbn [code lat sched held]; [specialize (Ht l ltac:(auto))|specialize (Ht (pred l) ltac:(auto))]; lia.
  - destruct f, (code v), rest; cbn [code lat sched held]; lia.
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.

Notation charges := (charges unit occ shared wi wd).
Notation charges_pos := (charges_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos).
Notation width_worth := (width_worth width N wd).
Notation covers := (covers unit).
Notation pays := (pays unit occ hi shared N wi wd).
Notation good := (good unit occ hi shared N wi wd).
Notation free := (free unit occ hi shared N wi wd).

Lemma pays_le F F' st w chain : F <= F' -> pays F' st w chain -> pays F st w chain.
Proof. intros Hle H near s z os Hc Hk. specialize (H near s z os Hc Hk). nia. Qed.

Lemma shadows_mbstep near s w chain st m fs : length m = length st -> length fs = length st -> forall i os,
  charges near s (shadows w chain i (mbstep st m fs) os) = charges near s (shadows w chain i (bstep st m) os).
Proof.
  revert m fs; induction st as [|x st IH]; intros [|a m] [|f fs] Hm Hf i os; cbn [length] in *; try lia; [reflexivity|].
  destruct os as [|o os]; [reflexivity|]. specialize (IH m fs ltac:(lia) ltac:(lia) (S i) os).
  cbn [mbstep MachineBlocks.bstep shadows core later block]. unfold CP.charges in *. cbn [map CP.sumZ]. rewrite IH. f_equal.
  unfold CP.charge, CP.weight, MemoryRuns.fstep. now destruct f.
Qed.

Local Open Scope Z_scope.

(** A stalled cycle: whatever is paid after it was to be paid before it. *)
Lemma stalled_pays q F st m fs w chain : legal (map core st) m -> length fs = length st -> Forall (member q st) (w :: chain) ->
  pays F (mbstep st m fs) w chain -> pays F st w chain.
Proof.
  intros Hm Hf Hc Hp near s z os [Hn Hu] Hk.
  assert (length m = length st) as Hlen by (rewrite (legal_length _ _ _ _ _ _ _ _ Hm); apply map_length).
  inversion Hc as [|? ? [Hw Hwb] Hch]; subst. pose proof (mbstep_at w st m fs Hlen Hf Hw) as Eat.
  set (v := core (at_ w st)) in *. set (a := nth w m None) in *. set (f := nth w fs false) in *.
  assert (able v a) as Hab.
  { destruct Hm as [Hm _]. unfold v, a. rewrite <- at_core. apply able_nth; [assumption|now rewrite map_length]. }
  assert (picks (mbstep st m fs) 0 chain = picks st 0 chain) as Ep.
  { apply picks_same. intros y Hy. rewrite Forall_forall in Hch. destruct (Hch y Hy) as [Hy' _].
    now rewrite mbstep_at by assumption. }
  assert (near (sched v) = true) as Hg by (apply Hn; now left).
  assert (covers near s (mbstep st m fs) w chain) as Hcov.
  { split.
    - intros y Hy. rewrite <- (Hn y Hy). f_equal. apply (map_at (fun x => sched (core x))). now apply mbstep_scheds.
    - rewrite Ep, Eat. cbn [core]. intros x Hx. apply Hu, in_app_iff. apply in_app_iff in Hx. destruct Hx as [Hx|Hx]; [left|now right].
      revert Hx. fold v. rewrite code_fstep. unfold MachineRuns.step. destruct a, (code v); cbn [code In]; auto. }
  set (z' := match a, code v with Some _, x :: _ => Nat.max (pred z) (pred (occ x)) | _, _ => pred z end).
  assert (all_kept z' (bstep st m) (taken unit occ w 0 st m os)) as Hk'.
  { apply taken_kept with lo hi z; [apply Hm|assumption|unfold z'; destruct a, (code v); lia|].
    intros j x Hj Hi Hx. cbn in Hj. subst j. fold a in Hi. fold v in Hx. unfold z'. destruct a; [|congruence].
    destruct (code v) as [|y c]; [discriminate|]. injection Hx as ->. lia. }
  specialize (Hp near s z' _ Hcov (mbstep_kept _ _ _ _ _ Hlen Hf Hk')). rewrite Ep, Eat in Hp. cbn [core] in Hp. fold v in Hp.
  rewrite shadows_mbstep in Hp by assumption.
  pose proof (cycle_mono unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near (sched v) s w chain Hg z 0 st m os
    (proj1 Hm) Hk) as Hmono.
  pose proof (chain_own_frozen v a f z (picks st 0 chain) Hab) as Ho. fold z' in Ho. nia.
Qed.

(** All cycles but the stalled ones are paid by some chain. *)
Lemma run_good q st pool cs st' pool' : mbrun st pool cs st' pool' -> settled q st -> width_worth st -> (exists i, member q st i) ->
  block_finish q (map block st) (map acts cs) = O \/ good q (block_finish q (map block st) (map acts cs) - stalls cs) st.
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros Hs Hd (i & Hi); [now left|].
  destruct Hm as (Hm & Hfl & _). rewrite map_length in Hfl. set (m := acts c) in *. set (fs := frozen c) in *.
  assert (length m = length st) as Hlen by (rewrite (legal_length _ _ _ _ _ _ _ _ Hm); apply map_length).
  assert (map block (settle (mbstep st m fs)) = map block st) as Eb by (unfold settle; rewrite iter_blocks; now apply mbstep_blocks).
  rewrite Eb in IH. unfold block_finish in *. cbn [map last_cycle stalls]. fold m. fold (block_finish q (map block st) (map acts cs)) in *.
  assert (block_finish q (map block st) (map acts cs) = O \/
    good q (block_finish q (map block st) (map acts cs) - stalls cs) (settle (mbstep st m fs))) as IH'.
  { apply IH.
    - apply settle_settled.
    - revert Hd. apply width_worth_same. unfold settle. rewrite iter_scheds. symmetry. now apply mbstep_scheds.
    - exists i. revert Hi. apply member_same. now symmetry. }
  clear IH. rename IH' into IH. set (F := block_finish q (map block st) (map acts cs)) in *. set (K := stalls cs) in *.
  destruct (Nat.eq_dec F 0) as [E|E].
  - (* the last issue, if there is one *)
    rewrite E. cbn [Nat.ltb Nat.leb]. destruct (of_block q (map block st) m) eqn:Eo; [right|now left].
    destruct (issuing q st m Eo) as (w & Hw & Hiss). exists w, (repeat w (rows q st)).
    assert (code (core (at_ w st)) <> []) as Hc.
    { destruct Hm as [Hm _]. pose proof Hw as [Hwl _]. rewrite <- (map_length core) in Hwl.
      pose proof (able_nth lo hi w _ _ Hm Hwl) as Hx. rewrite at_core in Hx. destruct (nth w m None); [|discriminate].
      destruct Hx as [_ Hx]. now destruct (code (core (at_ w st))). }
    split; [split; [|apply repeat_length]|split; [now left|]].
    + constructor; [assumption|]. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. now subst x.
    + apply pays_le with 1%nat; [lia|].
      intros near s z os _ _. pose proof (charges_pos near s (shadows w (repeat w (rows q st)) 0 st os)).
      assert (1 <= chain_own (core (at_ w st)) z (picks st 0 (repeat w (rows q st))))%nat; [|nia].
      unfold Chains.chain_own. destruct (code (core (at_ w st))) as [|x c']; [congruence|].
      pose proof (alone_pos occ hi occ_pos x c'). pose proof (span_pos occ hi occ_pos x).
      destruct (picks _ _ _); [lia|]. unfold spans. cbn [map list_sum fold_right]. lia.
  - (* a later one *)
    destruct IH as [IH|IH]; [congruence|]. right.
    assert (exists j, member q (mbstep st m fs) j) as Hj.
    { exists i. revert Hi. apply member_same. symmetry. now apply mbstep_blocks. }
    apply or_introl with (B := free q (F - K) (settle (mbstep st m fs))) in IH.
    apply (settle_back unit occ hi shared N wi wd N_pos q (F - K) _ _ Hj) in IH.
    assert (exists w chain, in_block q (mbstep st m fs) w chain /\ alive (core (at_ w st)) chain /\ pays (F - K) (mbstep st m fs) w chain)
      as (w & chain & [Hb Hl] & Ha & Hp).
    { destruct IH as [(w & chain & Hb & Ha & Hp)|(Ht & Hr & chain & Hall)].
      - exists w, chain. split; [assumption|]. split; [|assumption].
        destruct Hb as [Hb _]. inversion Hb as [|? ? Hw _]; subst.
        assert (w < length st)%nat as Hwl by (destruct Hw as [Hw _]; now rewrite mbstep_length in Hw).
        assert (able (core (at_ w st)) (nth w m None)) as Hab.
        { rewrite <- at_core. apply able_nth; [apply Hm|now rewrite map_length]. }
        rewrite mbstep_at in Ha by assumption. cbn [core] in Ha. revert Ha. unfold alive, MemoryRuns.fstep, MachineRuns.step.
        destruct (nth w m None) as [l|], (code (core (at_ w st))) eqn:Ec, (nth w fs false); cbn [code lat];
          try (unfold MachineRuns.able in Hab; rewrite Ec in Hab; tauto); intros [Ha|[Ha1 Ha2]]; try congruence;
          try (left; discriminate); right; split; auto; lia.
      - rewrite mbstep_rows in Hr by assumption.
        destruct (all_through q st) eqn:Et; [elim Hr; auto|].
        destruct (not_through q st Et) as (w & Hw & Hnt). destruct (Hall w) as [Hb Hp].
        { revert Hw. apply member_same. symmetry. now apply mbstep_blocks. }
        exists w, chain. split; [assumption|]. split; [|assumption].
        unfold through in Hnt. unfold alive. destruct (code (core (at_ w st))); [right|left; discriminate].
        rewrite andb_true_r in Hnt. apply Nat.eqb_neq in Hnt. split; [|lia].
        intros ->. destruct Hb as [_ Hb]. rewrite mbstep_rows in Hb by assumption. cbn in Hb. congruence. }
    assert (Forall (member q st) (w :: chain)) as Hm'.
    { revert Hb. apply Forall_impl. intros j. apply member_same. now apply mbstep_blocks. }
    replace (if (0 <? F)%nat then S F else if of_block q (map block st) m then 1%nat else 0%nat) with (S F)
      by (destruct (Nat.ltb_spec 0 F); [reflexivity|lia]).
    exists w, chain. split; [split; [assumption|now rewrite mbstep_rows in Hl]|]. split; [assumption|].
    destruct (stalled c) eqn:Est.
    + apply pays_le with (F - K)%nat; [lia|]. now apply (stalled_pays q (F - K) st m fs w chain).
    + apply pays_le with (S (F - K)); [lia|].
      rewrite (mbstep_bstep st m fs Hlen Hfl (stalled_false c Est)) in Hp.
      exact (cycle_pays unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos q (F - K) st m w chain Hm Hm' Ha Hd Hp).
Qed.

(** Theorem M with barriers: block q of the warps [st], each at the start with its segments, finishes by what some chain of its
    warps takes by itself, the weights of all letters outside the chain, and the sum over the servers of floor(Q_j / beta_j). *)
Theorem memory_barriers q st pool cs st' pool' : Forall (fun x => x = arrived (sched (core x)) (block x) (later x)) st ->
  (forall j, (j < J)%nat -> (1 <= rate j)%nat) ->
  width_worth st -> (exists i, member q st i) -> mbrun (settle st) pool cs st' pool' ->
  exists chain, length chain = rows q st /\ Forall (member q st) chain /\
    let near g := existsb (fun w => (sched (core (at_ w st)) =? g)%nat) chain in
    let units := map unit (concat (picks st 0 chain)) in
    Z.of_nat (block_finish q (map block st) (map acts cs)) <= Z.of_nat (rows_alone (picks st 0 chain)) +
      CP.sumZ (map (weight unit occ shared wi wd near units) (left_out chain 0 st)) / N +
      Z.of_nat (memory_term J rate (fun j => pool j + to_ask_blocks j st)%nat).
Proof.
  intros Hst Hrate Hd (i & Hi) Hr.
  assert (map block (settle st) = map block st) as Eb by apply iter_blocks.
  pose proof (stalled_blocks _ _ _ _ _ Hrate Hr) as Hk.
  assert (stalls cs <= memory_term J rate (fun j => pool j + to_ask_blocks j st))%nat as Hk'.
  { eapply Nat.le_trans; [exact Hk|]. apply sum_below_le. intros j Hj. now rewrite settle_to_ask. }
  clear Hk. set (term := memory_term J rate (fun j => pool j + to_ask_blocks j st)%nat) in *.
  destruct (run_good q (settle st) pool cs st' pool' Hr) as [E|H].
  { apply settle_settled. }
  { revert Hd. apply width_worth_same. symmetry. apply iter_scheds. }
  { exists i. revert Hi. now apply member_same. }
  - (* nothing to issue *)
    rewrite Eb in E. exists (repeat i (rows q st)). split; [apply repeat_length|]. split.
    { apply Forall_forall. intros x Hx. apply repeat_spec in Hx. now subst x. }
    cbv zeta. rewrite E. set (near := fun _ => _). set (units := map unit _).
    pose proof (charges_pos near units (shadows i (repeat i (rows q st)) 0 st (map (fun _ => []) st))) as H.
    rewrite charges_left in H by assumption. apply (Z.div_pos _ N) in H; lia.
  - rewrite Eb in H. set (F := block_finish q (map block st) (map acts cs)) in *. set (D := (F - stalls cs)%nat) in *.
    apply or_introl with (B := free q D (settle st)) in H.
    apply (settle_back unit occ hi shared N wi wd N_pos q D _ _ (ex_intro _ i Hi)) in H.
    assert (forall w, member q st w -> core (at_ w st) = fresh (sched (core (at_ w st))) []) as Hfresh.
    { intros w Hw. pose proof (proj1 (Forall_forall _ _) Hst _ (member_in _ _ _ Hw)) as Hx. rewrite Hx at 1. reflexivity. }
    destruct H as [(w & chain & [Hb _] & Ha & _)|(_ & Hrows & chain & Hall)].
    { inversion Hb as [|? ? Hw _]; subst. rewrite (Hfresh w Hw) in Ha. destruct Ha as [Ha|[_ Ha]]; [now elim Ha|cbn in Ha; lia]. }
    exists chain. destruct (Hall i Hi) as [[Hb Hl] _]. inversion Hb as [|? ? _ Hch]; subst.
    split; [assumption|]. split; [assumption|]. cbv zeta.
    set (near := fun g => existsb (fun w => (sched (core (at_ w st)) =? g)%nat) chain). set (units := map unit (concat (picks st 0 chain))).
    destruct chain as [|y chain']; [cbn in Hl; congruence|].
    assert (member q st y) as Hy by (apply (proj1 (Forall_forall _ _) Hch); now left).
    destruct (Hall y Hy) as [_ Hp]. specialize (Hp near units O (map (fun _ => []) st)).
    rewrite charges_left, (Hfresh y Hy) in Hp by assumption.
    assert (Z.of_nat (chain_own (fresh (sched (core (at_ y st))) []) 0 (picks st 0 (y :: chain')))
      = Z.of_nat (rows_alone (picks st 0 (y :: chain')))) as Eo by reflexivity.
    rewrite Eo in Hp.
    assert (Z.of_nat D - Z.of_nat (rows_alone (picks st 0 (y :: chain'))) <=
      CP.sumZ (map (weight unit occ shared wi wd near units) (left_out (y :: chain') 0 st)) / N); [|unfold D in *; lia].
    apply Z.div_le_lower_bound; [assumption|]. enough (N * Z.of_nat D <= N * Z.of_nat (rows_alone (picks st 0 (y :: chain')))
      + CP.sumZ (map (weight unit occ shared wi wd near units) (left_out (y :: chain') 0 st))) by lia.
    apply Hp.
    + split.
      * intros w Hw. unfold near. apply existsb_exists. exists w. split; [|apply Nat.eqb_refl]. destruct Hw as [<-|Hw]; [now left|exact Hw].
      * intros x Hx. rewrite (Hfresh y Hy) in Hx. apply occurs_In, in_map. exact Hx.
    + clear - Hst. induction Hst as [|x st Hx H IH]; constructor; [|exact IH]. rewrite Hx. constructor.
Qed.
End MemoryBarriers.
