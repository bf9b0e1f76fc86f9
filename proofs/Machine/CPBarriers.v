(** CP for blocks with barriers on a machine (docs/machines.md): a block finishes by what a chain of its warps takes, one warp
    for each segment, and the weights of all letters outside the chain. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains ChainOpenings.

Lemma total_one f st m i : i < length st -> length m = length st -> f (nth i st nobody) (nth i m None) <= total f st m.
Proof.
  revert i m; induction st as [|x st IH]; intros i [|a m] Hi Hl; cbn [length] in *; try lia.
  destruct i as [|i]; cbn [nth total]; [lia|]. specialize (IH i m ltac:(lia) ltac:(lia)). lia.
Qed.

(** A warp that does not issue leaves its slot. *)
Lemma slot_left g st m i : i < length st -> length m = length st -> sched (nth i st nobody) = g -> nth i m None = None ->
  total (slot g) st m < crowd g st.
Proof.
  unfold crowd. revert i m; induction st as [|x st IH]; intros i [|a m] Hi Hl Hg Ha; cbn [length] in *; try lia.
  cbn [total filter]. destruct i as [|i]; cbn [nth] in *.
  - subst a. unfold slot at 1. cbn [issues]. rewrite andb_false_r, Hg, Nat.eqb_refl. cbn [length].
    pose proof (slot_crowd g st m). unfold crowd in *. lia.
  - specialize (IH i m ltac:(lia) ltac:(lia) Hg Ha). unfold slot at 1. destruct (sched x =? g), (issues a); cbn [andb length]; lia.
Qed.

Lemma at_core i st : nth i (map core st) nobody = core (at_ i st).
Proof. unfold at_. change nobody with (core nowhere). apply map_nth. Qed.

Lemma issuing q st m : of_block q (map block st) m = true ->
  exists i, member q st i /\ issues (nth i m None) = true.
Proof.
  unfold of_block, member, at_. revert m; induction st as [|x st IH]; intros [|a m]; cbn [map combine existsb]; try discriminate.
  intros H. apply orb_true_iff in H. destruct H as [H|H].
  - cbn [fst snd] in H. apply andb_true_iff in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1.
    exists 0. cbn [nth length]. repeat split; auto. lia.
  - destruct (IH m H) as (i & [H1 H2] & H3). exists (S i). cbn [nth length]. repeat split; auto. lia.
Qed.

Lemma crowd_scheds g st st' : map (fun x => sched (core x)) st = map (fun x => sched (core x)) st' ->
  crowd g (map core st) = crowd g (map core st').
Proof.
  assert (forall l, crowd g (map core l) = length (filter (fun h => h =? g) (map (fun x => sched (core x)) l))) as H.
  { unfold crowd. induction l as [|x l IH]; [reflexivity|]. cbn [map filter]. destruct (_ =? g); cbn [length]; auto. }
  intros E. now rewrite !H, E.
Qed.

(** The warps with the letters that the chain leaves out. *)
Fixpoint left_out (chain : list nat) (i : nat) (st : list bwarp) : list warp :=
  match st with
  | x :: st => fresh (sched (core x)) (outside i (later x) chain) :: left_out chain (S i) st
  | [] => []
  end.

Section CPBarriers.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation rows_alone := (rows_alone occ hi).
Notation chain_own := (chain_own occ hi).
Notation brun := (brun unit inst occ lo hi shared width).
Notation legal := (legal unit inst lo hi shared width).
Notation bstep := (bstep unit occ).
Notation step := (step unit occ).
Notation able := (able lo hi).

Local Open Scope Z_scope.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : 0 < N.
Hypothesis wi_unit : forall u, Z.of_nat (inst u) * wi u = N.
Hypothesis wd_pos : 0 <= wd.

Notation charges := (charges unit occ shared wi wd).
Notation charges_pos := (charges_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos).
Notation width_worth := (width_worth width N wd).
Notation covers := (covers unit).
Notation pays := (pays unit occ hi shared N wi wd).
Notation good := (good unit occ hi shared N wi wd).
Notation free := (free unit occ hi shared N wi wd).

Lemma width_worth_same st st' : map (fun x => sched (core x)) st = map (fun x => sched (core x)) st' ->
  width_worth st -> width_worth st'.
Proof.
  intros E [H|[H1 H2]]; [now left|right]. split; [assumption|]. intros g. now rewrite <- (crowd_scheds g _ _ E).
Qed.

(** A cycle in which the head of the chain is waited for pays for itself. *)
Lemma cycle_pays q F st m w chain : legal (map core st) m -> Forall (member q st) (w :: chain) ->
  alive (core (at_ w st)) chain -> width_worth st -> pays F (bstep st m) w chain -> pays (S F) st w chain.
Proof.
  intros Hm Hc Ha Hd Hp near s z os [Hn Hu] Hk.
  assert (length m = length st) as Hlen by (rewrite (legal_length _ _ _ _ _ _ _ _ Hm); apply map_length).
  inversion Hc as [|? ? [Hw Hwb] Hch]; subst. pose proof (bstep_at unit occ w st m Hlen Hw) as Eat.
  set (v := core (at_ w st)) in *. set (a := nth w m None) in *.
  assert (able v a) as Hab.
  { destruct Hm as [Hm _]. unfold v, a. rewrite <- at_core. clear - Hm Hw. rewrite <- (map_length core) in Hw.
    revert w Hw. induction Hm as [|x b l m Hx Hm IH]; intros w Hw; cbn [length] in Hw; [lia|].
    destruct w as [|w]; cbn [nth]; [assumption|apply IH; lia]. }
  assert (picks (bstep st m) 0 chain = picks st 0 chain) as Ep.
  { apply picks_same. intros y Hy. rewrite Forall_forall in Hch. destruct (Hch y Hy) as [Hy' _].
    now rewrite bstep_at by assumption. }
  assert (near (sched v) = true) as Hg by (apply Hn; now left).
  assert (covers near s (bstep st m) w chain) as Hcov.
  { split.
    - intros y Hy. rewrite <- (Hn y Hy). f_equal. apply (map_at (fun x => sched (core x))). now apply bstep_scheds.
    - rewrite Ep, Eat. cbn [core]. intros x Hx. apply Hu, in_app_iff. apply in_app_iff in Hx. destruct Hx as [Hx|Hx]; [left|now right].
      revert Hx. fold v. unfold MachineRuns.step. destruct a, (code v); cbn [code In]; auto. }
  set (z' := match a, code v with Some _, x :: _ => Nat.max (pred z) (pred (occ x)) | _, _ => pred z end).
  assert (all_kept z' (bstep st m) (taken unit occ w 0 st m os)) as Hk'.
  { apply taken_kept with lo hi z; [apply Hm|assumption|unfold z'; destruct a, (code v); lia|].
    intros j x Hj Hi Hx. cbn in Hj. subst j. fold a in Hi. fold v in Hx. unfold z'. destruct a; [|congruence].
    destruct (code v) as [|y c]; [discriminate|]. injection Hx as ->. lia. }
  specialize (Hp near s z' _ Hcov Hk'). rewrite Ep, Eat in Hp. cbn [core] in Hp. fold v a in Hp.
  pose proof (cycle_mono unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near (sched v) s w chain Hg z 0 st m os
    (proj1 Hm) Hk) as Hmono.
  destruct a as [l|] eqn:Ea.
  - pose proof (chain_own_issue unit inst occ lo hi shared width occ_pos v z (picks st 0 chain) l Hab) as Ho. cbv zeta in Ho.
    destruct Hab as [_ Hr]. destruct (code v) as [|x c] eqn:Ec; [tauto|]. subst z'. nia.
  - destruct (Nat.eq_dec (Nat.max (lat v) z) 0) as [E|E].
    2:{ pose proof (chain_own_idle unit occ hi v z (picks st 0 chain) chain Ha (picks_length _ _ _) ltac:(lia)) as Ho.
        subst z'. nia. }
    pose proof (chain_own_wait unit occ hi v z (picks st 0 chain)) as Ho.
    assert (z = O) by lia. subst z. assert (lat v = O) as El by lia.
    destruct Ha as [Ha|[_ Ha]]; [|lia]. destruct (code v) as [|x c] eqn:Ec; [congruence|].
    assert (wants unit (unit x) v = true) as Hwant by (unfold wants; rewrite El, Ec; apply Nat.eqb_refl).
    assert (forall j, (0 + j)%nat = w -> nth j m None = None) as Hnone by (intros j <-; exact Ea).
    destruct Hm as (Hab' & Hb & Hs & Hwt). specialize (Hwt (sched v) (unit x)).
    assert (1 <= total (blocked unit (sched v) (unit x)) (map core st) m)%nat as Hbl.
    { pose proof (total_one (blocked unit (sched v) (unit x)) (map core st) m w ltac:(now rewrite map_length)
        ltac:(now rewrite map_length)) as H. rewrite at_core in H. fold v a in H. rewrite Ea in H.
      unfold blocked at 1 in H. rewrite Nat.eqb_refl, Hwant in H. cbn in H. lia. }
    destruct (Hwt ltac:(lia)) as [Hf|Hf].
    + pose proof (cycle_busy unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near (sched v) s w chain Hg
        (unit x) 0 st m os Hab' Hk (Hu x ltac:(rewrite ?Ec; now left)) Hnone) as Hc'.
      rewrite Hf in Hc'. pose proof (wi_unit (unit x)). subst z'. nia.
    + pose proof (cycle_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near (sched v) s w chain Hg
        0 0 st m os Hab' Hk Hnone) as Hc'.
      rewrite Hf in Hc'. destruct Hd as [Hd|[_ Hd]]; [subst z'; nia|].
      pose proof (slot_left (sched v) (map core st) m w ltac:(now rewrite map_length) ltac:(now rewrite map_length)
        ltac:(now rewrite at_core) Ea) as H. specialize (Hd (sched v)). lia.
Qed.

Lemma run_good q st ms st' : brun st ms st' -> settled q st -> width_worth st -> (exists i, member q st i) ->
  block_finish q (map block st) ms = O \/ good q (block_finish q (map block st) ms) st.
Proof.
  intros H; induction H as [st|st m ms st' Hm H IH]; intros Hs Hd (i & Hi); [now left|].
  assert (length m = length st) as Hlen by (rewrite (legal_length _ _ _ _ _ _ _ _ Hm); apply map_length).
  assert (map block (settle (bstep st m)) = map block st) as Eb by (unfold settle; rewrite iter_blocks; now apply bstep_blocks).
  rewrite Eb in IH. unfold block_finish in *. cbn [last_cycle]. fold (block_finish q (map block st) ms) in *.
  assert (block_finish q (map block st) ms = O \/ good q (block_finish q (map block st) ms) (settle (bstep st m))) as IH'.
  { apply IH.
    - apply settle_settled.
    - revert Hd. apply width_worth_same. unfold settle. rewrite iter_scheds. symmetry. now apply bstep_scheds.
    - exists i. revert Hi. apply member_same. now symmetry. }
  clear IH. rename IH' into IH. set (F := block_finish q (map block st) ms) in *.
  destruct (Nat.eq_dec F 0) as [E|E].
  - (* the last issue, if there is one *)
      rewrite E. cbn [Nat.ltb Nat.leb]. destruct (of_block q (map block st) m) eqn:Eo; [right|now left].
      destruct (issuing q st m Eo) as (w & Hw & Hiss). exists w, (repeat w (rows q st)).
      assert (code (core (at_ w st)) <> []) as Hc.
      { destruct Hm as [Hm _]. pose proof Hw as [Hwl _]. rewrite <- (map_length core) in Hwl. rewrite <- at_core.
        clear - Hm Hwl Hiss. revert w Hwl Hiss. induction Hm as [|x b l m Hx Hm IH]; intros w Hwl Hiss; cbn [length] in Hwl; [lia|].
        destruct w as [|w]; cbn [nth] in *; [|apply IH; [lia|assumption]].
        destruct b as [l'|]; [|discriminate]. destruct Hx as [_ Hx]. destruct (code x); [tauto|discriminate]. }
      split; [split; [|apply repeat_length]|split; [now left|]].
      + constructor; [assumption|]. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. now subst x.
      + intros near s z os _ _. pose proof (charges_pos near s (shadows w (repeat w (rows q st)) 0 st os)).
        assert (1 <= chain_own (core (at_ w st)) z (picks st 0 (repeat w (rows q st))))%nat; [|nia].
        unfold Chains.chain_own. destruct (code (core (at_ w st))) as [|x c]; [congruence|].
        pose proof (alone_pos occ hi occ_pos x c). pose proof (span_pos occ hi occ_pos x).
        destruct (picks _ _ _); [lia|]. unfold spans. cbn [map list_sum fold_right]. lia.
  - (* a later one *)
      destruct IH as [IH|IH]; [congruence|]. right.
      assert (exists j, member q (bstep st m) j) as Hj.
      { exists i. revert Hi. apply member_same. symmetry. now apply bstep_blocks. }
      apply or_introl with (B := free q F (settle (bstep st m))) in IH.
      apply (settle_back unit occ hi shared N wi wd N_pos q F _ _ Hj) in IH.
      assert (exists w chain, in_block q (bstep st m) w chain /\ alive (core (at_ w st)) chain /\ pays F (bstep st m) w chain)
        as (w & chain & [Hb Hl] & Ha & Hp).
      { destruct IH as [(w & chain & Hb & Ha & Hp)|(Ht & Hr & chain & Hall)].
        - exists w, chain. split; [assumption|]. split; [|assumption].
          destruct Hb as [Hb _]. inversion Hb as [|? ? Hw _]; subst.
          assert (w < length st)%nat as Hwl by (destruct Hw as [Hw _]; now rewrite bstep_length in Hw).
          rewrite bstep_at in Ha by assumption. cbn [core] in Ha. revert Ha. unfold alive, MachineRuns.step.
          destruct (nth w m None), (code (core (at_ w st))); cbn [code lat]; intros [Ha|[Ha1 Ha2]]; try congruence;
            try (left; discriminate); right; split; auto; lia.
        - rewrite bstep_rows in Hr by assumption.
          destruct (all_through q st) eqn:Et; [elim Hr; auto|].
          destruct (not_through q st Et) as (w & Hw & Hnt). destruct (Hall w) as [Hb Hp].
          { revert Hw. apply member_same. symmetry. now apply bstep_blocks. }
          exists w, chain. split; [assumption|]. split; [|assumption].
          unfold through in Hnt. unfold alive. destruct (code (core (at_ w st))); [right|left; discriminate].
          rewrite andb_true_r in Hnt. apply Nat.eqb_neq in Hnt. split; [|lia].
          intros ->. destruct Hb as [_ Hb]. rewrite bstep_rows in Hb by assumption. cbn in Hb. congruence. }
      assert (Forall (member q st) (w :: chain)) as Hm'.
      { revert Hb. apply Forall_impl. intros j. apply member_same. now apply bstep_blocks. }
      replace (if (0 <? F)%nat then S F else if of_block q (map block st) m then 1%nat else 0%nat) with (S F)
        by (destruct (Nat.ltb_spec 0 F); [reflexivity|lia]).
      exists w, chain. split; [split; [assumption|now rewrite bstep_rows in Hl]|]. split; [assumption|].
      now apply (cycle_pays q F st m w chain).
Qed.

Lemma charges_left chain y st i : Forall (fun x => x = arrived (sched (core x)) (block x) (later x)) st ->
  forall near s, charges near s (shadows y chain i st (map (fun _ => []) st)) =
    CP.sumZ (map (weight unit occ shared wi wd near s) (left_out chain i st)).
Proof.
  intros H near s. revert i; induction H as [|x st Hx H IH]; intros i; [reflexivity|].
  cbn [map shadows left_out]. unfold CP.charges in *. cbn [map CP.sumZ]. rewrite IH. f_equal.
  rewrite Hx. unfold CP.charge, CP.weight. cbn [arrived core later fresh sched code held CP.debt].
  destruct (y =? i)%nat; cbn [app]; lia.
Qed.

(** CP with barriers: block q of the warps [st], each at the start with its segments, finishes by what some chain of its warps
    takes by itself, and the weights of all letters outside the chain; a unit counts as the chain's if it occurs anywhere in
    it, and a scheduler if any warp of it is there. *)
Theorem cp_barriers q st ms st' : Forall (fun x => x = arrived (sched (core x)) (block x) (later x)) st ->
  width_worth st -> (exists i, member q st i) -> brun (settle st) ms st' ->
  exists chain, length chain = rows q st /\ Forall (member q st) chain /\
    let near g := existsb (fun w => (sched (core (at_ w st)) =? g)%nat) chain in
    let units := map unit (concat (picks st 0 chain)) in
    Z.of_nat (block_finish q (map block st) ms) <= Z.of_nat (rows_alone (picks st 0 chain)) +
      CP.sumZ (map (weight unit occ shared wi wd near units) (left_out chain 0 st)) / N.
Proof.
  intros Hst Hd (i & Hi) Hr.
  assert (map block (settle st) = map block st) as Eb by apply iter_blocks.
  destruct (run_good q (settle st) ms st' Hr) as [E|H].
  { apply settle_settled. }
  { revert Hd. apply width_worth_same. symmetry. apply iter_scheds. }
  { exists i. revert Hi. now apply member_same. }
  - (* nothing to issue *)
    rewrite Eb in E. exists (repeat i (rows q st)). split; [apply repeat_length|]. split.
    { apply Forall_forall. intros x Hx. apply repeat_spec in Hx. now subst x. }
    cbv zeta. rewrite E. set (near := fun _ => _). set (units := map unit _).
    pose proof (charges_pos near units (shadows i (repeat i (rows q st)) 0 st (map (fun _ => []) st))) as H.
    rewrite charges_left in H by assumption. apply (Z.div_pos _ N) in H; lia.
  - rewrite Eb in H. set (F := block_finish q (map block st) ms) in *.
    apply or_introl with (B := free q F (settle st)) in H.
    apply (settle_back unit occ hi shared N wi wd N_pos q F _ _ (ex_intro _ i Hi)) in H.
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
    assert (Z.of_nat F - Z.of_nat (rows_alone (picks st 0 (y :: chain'))) <=
      CP.sumZ (map (weight unit occ shared wi wd near units) (left_out (y :: chain') 0 st)) / N); [|lia].
    apply Z.div_le_lower_bound; [assumption|]. enough (N * Z.of_nat F <= N * Z.of_nat (rows_alone (picks st 0 (y :: chain')))
      + CP.sumZ (map (weight unit occ shared wi wd near units) (left_out (y :: chain') 0 st))) by lia.
    apply Hp.
    + split.
      * intros w Hw. unfold near. apply existsb_exists. exists w. split; [|apply Nat.eqb_refl]. destruct Hw as [<-|Hw]; [now left|exact Hw].
      * intros x Hx. rewrite (Hfresh y Hy) in Hx. apply occurs_In, in_map. exact Hx.
    + clear - Hst. induction Hst as [|x st Hx H IH]; constructor; [|exact IH]. rewrite Hx. constructor.
Qed.
End CPBarriers.

(** The bound of a chain is one to compute. Two warps of one block, LL| and |LL, with a latency of 10: the chain that changes the
    warp gives 31 cycles, and the whole paths 22 and 13. The worst case is 31. *)
Definition chain_bound (chain : list nat) : Z :=
  let st := [arrived 0 0 [[0; 0]; []]; arrived 0 0 [[]; [0; 0]]] in
  let one := fun _ : nat => 1 in
  (Z.of_nat (rows_alone one (fun _ => 10%nat) (picks st 0 chain)) + CP.sumZ (map (weight (fun u => u) one (fun _ => false) (fun _ => 1)
    1 (fun _ => true) [0%nat]) (left_out chain 0 st)))%Z.

Example chain_and_paths : map chain_bound [[0; 1]; [0; 0]; [1; 1]]%nat = [31; 22; 13]%Z.
Proof. reflexivity. Qed.
