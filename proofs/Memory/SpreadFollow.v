(** Spread warps (docs/machines.md): what a run costs in which one warp is followed after the other, each from the start of its block on. Each block
    counts once, on the scheduler that is followed when it starts, and a change of the followed warp costs D and h cycles. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP CPBarriers Pinned.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP Followed Grid SpreadAccount.

Lemma sig_unique (p : nat -> bool) l : NoDup l -> (forall i j, In i l -> In j l -> p i = true -> p j = true -> i = j) ->
  sumZ (map (fun i => one (p i)) l) = one (existsb p l).
Proof.
  intros Hd H. induction Hd as [|x l Hx Hd IH]; [reflexivity|]. cbn [map sumZ existsb]. destruct (p x) eqn:E; cbn [orb one].
  - rewrite sig_zero; [reflexivity|]. intros i Hi. destruct (p i) eqn:Ei; [|reflexivity]. elim Hx. rewrite (H x i); auto; [now left|now right].
  - rewrite IH; [lia|]. intros i j Hi Hj. apply H; now right.
Qed.

(** A sum over warps, block by block. *)
Lemma sig_blocks (block : nat -> nat) (p : nat -> bool) B l : (forall i, In i l -> block i < B) ->
  sumZ (map (fun i => one (p i)) l) = sumZ (map (fun b => sumZ (map (fun i => one (p i && (block i =? b))) l)) (seq 0 B)).
Proof.
  intros H. rewrite <- sig_swap. apply sig_eq. intros i Hi. rewrite sig_unique.
  - f_equal. destruct (p i); cbn [andb].
    + symmetry. apply existsb_exists. exists (block i). split; [apply in_seq; specialize (H i Hi); lia|apply Nat.eqb_refl].
    + symmetry. apply not_true_is_false. intros E. apply existsb_exists in E. destruct E as (? & _ & E). discriminate.
  - apply seq_NoDup.
  - intros b b' _ _ E E'. apply andb_true_iff in E, E'. destruct E as [_ E], E' as [_ E']. apply Nat.eqb_eq in E, E'. congruence.
Qed.

Section Follow.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis occ_pos : forall x, 1 <= occ x.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.
Variable U : list nat.

Notation grun := (grun unit inst occ lo hi shared width J rate asks).
Notation sharedZ := (sharedZ unit occ shared wi wd U).
Notation privateZ := (privateZ unit occ shared wi wd U).
Notation privateOn := (privateOn unit occ shared wi wd U).
Notation quiet := (quiet unit occ shared wi wd U).
Notation phi := (phi unit occ shared wi wd U).
Notation base := (base unit occ hi shared N wi wd U).
Notation nth_core i st := (core (nth i st idle_warp)).

(** ** The grid *)

(** A warp at its start. wO and wP are what it is worth at most to a followed warp on any scheduler, and on its own besides; A and F are
    what it takes by itself, to its last result and to its last issue. *)
Variables (A F : nat) (wO wP : Z).
Definition spread_small (mine : bool) (v : warp) : Prop :=
  v = fresh (sched v) (code v) /\ list_sum (map (span occ hi) (code v)) <= A /\ alone occ hi (code v) <= F /\
  (sharedZ v <= if mine then wO else 0)%Z /\ (mine = true -> (privateZ v <= wP)%Z).

(** There are B blocks. [mine] tells those of one multiprocessor, whose schedulers are [near]; each of these has no more than [be] warps of any
    of the blocks. Block b is present in the cycles t (from 0) with [on t b]. *)
Record spread_blocks (st : list fwarp) (cs : list gcycle) (B be : nat) (block : nat -> nat) (on : nat -> nat -> bool) (mine near : nat -> bool) : Prop := {
  sb_small : forall i, i < length st -> spread_small (mine (block i)) (nth_core i st);
  sb_units : forall i, i < length st -> mine (block i) = true -> forall y, In y (code (nth_core i st)) -> occurs (unit y) U = true;
  sb_near : forall i, i < length st -> near (sched (nth_core i st)) = mine (block i);
  sb_share : forall b g, b < B -> mine b = true ->
    length (filter (fun i => (block i =? b) && (sched (nth_core i st) =? g)) (seq 0 (length st))) <= be;
  sb_block : forall i, i < length st -> block i < B;
  sb_here : forall t i, t < length cs -> i < length st -> here (nth i (during cs t) still) = on t (block i);
  sb_stays : forall t b, on t b = true -> on (S t) b = true }.

Section Run.
Variables (st : list fwarp) (pool : nat -> nat) (cs : list gcycle) (st' : list fwarp) (pool' : nat -> nat).
Hypothesis Hr : grun st pool cs st' pool'.
Let n := length cs.
Notation At t := (at_time unit occ st cs t).
Notation warps := (seq 0 (length st)).

Lemma At_length t : length (At t) = length st.
Proof. exact (proj1 (lengths _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr) t). Qed.

Lemma At_sched t i : t <= n -> sched (nth_core i (At t)) = sched (nth_core i st).
Proof.
  intros Ht. induction t as [|t IH]; [now destruct cs|]. destruct (cycle_at _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr t ltac:(lia)) as (pool1 & (Hl & _) & E).
  rewrite E, gnext_nth by assumption. unfold Followed.gstep. cbn [core]. rewrite sched_fstep. apply IH. lia.
Qed.

Lemma At_inv (P : warp -> Prop) i : (forall v a f, able lo hi v a -> P v -> P (fstep unit occ v a f)) ->
  P (nth_core i st) -> forall t, t <= n -> P (nth_core i (At t)).
Proof.
  intros HP H0. induction t as [|t IH]; intros Ht; [now destruct cs|].
  destruct (cycle_at _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr t ltac:(lia)) as (pool1 & (Hl & (Ha & _) & _) & E).
  rewrite E, gnext_nth by assumption. unfold Followed.gstep. cbn [core]. apply HP; [|apply IH; lia].
  now apply (able_at_index lo hi shared J rate asks).
Qed.

Lemma At_code t i y : t <= n -> In y (code (nth_core i (At t))) -> In y (code (nth_core i st)).
Proof.
  intros Ht. revert y. apply (At_inv (fun v => forall y, In y (code v) -> In y (code (nth_core i st)))); [|auto|assumption].
  intros v a f _ H y Hy. apply H. revert Hy. rewrite code_fstep. unfold step. destruct a, (code v); cbn [code In]; auto.
Qed.

Variables (B be : nat) (block : nat -> nat) (on : nat -> nat -> bool) (mine near : nat -> bool).
Hypothesis Hsb : spread_blocks st cs B be block on mine near.

Lemma on_later t t' b : t <= t' -> on t b = true -> on t' b = true.
Proof. induction 1; auto. intros. apply (sb_stays _ _ _ _ _ _ _ _ Hsb). auto. Qed.

(** A warp of a block that has not started is as at its start. *)
Lemma At_before i t : i < length st -> t < n -> on t (block i) = false -> nth_core i (At t) = nth_core i st.
Proof.
  intros Hi. induction t as [|t IH]; intros Ht Hon; [now destruct cs|].
  assert (on t (block i) = false) as Hon' by (destruct (on t (block i)) eqn:E; [apply (sb_stays _ _ _ _ _ _ _ _ Hsb) in E; congruence|reflexivity]).
  destruct (cycle_at _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr t ltac:(lia)) as (pool1 & (Hl & (Ha & _) & _) & E).
  rewrite E, gnext_nth by assumption. unfold Followed.gstep. cbn [core]. rewrite IH by (assumption || lia).
  assert (act (nth i (during cs t) still) = None) as Eact.
  { pose proof (able_nth lo hi i _ _ Ha ltac:(rewrite views_length by assumption; now rewrite At_length)) as H.
    rewrite views_at, acts_at in H by (assumption || now rewrite At_length). fold (during cs t) in H.
    rewrite (sb_here _ _ _ _ _ _ _ _ Hsb t i) in H by (assumption || lia). rewrite Hon' in H. cbn [seen] in H.
    destruct (act (nth i (during cs t) still)); [cbn in H; tauto|reflexivity]. }
  destruct (sb_small _ _ _ _ _ _ _ _ Hsb i Hi) as (Hf & _). unfold fstep, step. rewrite Eact. rewrite Hf. cbn [sched code lat held fresh age map pred].
  now destruct (ice _), (code (nth_core i st)).
Qed.

(** What a warp has left of its private part never rises. *)
Lemma At_private i t : i < length st -> t <= n -> mine (block i) = true -> (privateZ (nth_core i (At t)) <= wP)%Z.
Proof.
  intros Hi Ht Hm. apply (At_inv (fun v => privateZ v <= wP)%Z); [| |assumption].
  - intros v a f Ha H. pose proof (privateZ_step unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos U v a Ha).
    assert (privateZ (fstep unit occ v a f) = privateZ (step unit occ v a)) as -> by (unfold fstep; now destruct f). lia.
  - destruct (sb_small _ _ _ _ _ _ _ _ Hsb i Hi) as (_ & _ & _ & _ & H). now apply H.
Qed.

Section Following.
Local Open Scope Z_scope.
Variable f : nat -> role.
Hypothesis wP_pos : 0 <= wP.

(** What some warps are worth on g: for each block that has one of them, no more than [be] warps are on g, and one less if
    one of these is followed. *)
Lemma phi_blocks g t (X Q disc : nat -> bool) : (t <= n)%nat -> (forall i, (i < length st)%nat -> X i = true -> Q (block i) = true) ->
  (forall b, (b < B)%nat -> mine b = true -> Q b = true -> disc b = true ->
     exists i, (i < length st)%nat /\ block i = b /\ f i <> Other /\ sched (nth_core i st) = g) ->
  (near g = true) ->
  phi g X f (At t) <= sumZ (map (fun b => if mine b && Q b then Z.of_nat be * wP - (if disc b then wP else 0) else 0) (seq 0 B)).
Proof.
  intros Ht HX Hdisc Hg. unfold SpreadAccount.phi. rewrite At_length.
  set (p := fun i => match f i with Other => X i | _ => false end && (sched (nth_core i st) =? g)%nat).
  apply Z.le_trans with (sumZ (map (fun i => wP * one (p i)) warps)).
  { apply sig_le. intros i Hi. apply in_seq in Hi. unfold p. destruct (match f i with Other => X i | _ => false end); cbn [andb one]; [|lia].
    unfold Pinned.privateOn. rewrite At_sched by assumption. destruct (Nat.eqb_spec (sched (nth_core i st)) g) as [E|E]; cbn [one]; [|lia].
    rewrite Z.mul_1_r. apply At_private; [lia|assumption|]. rewrite <- (sb_near _ _ _ _ _ _ _ _ Hsb i) by lia. now rewrite E. }
  rewrite sig_mul, (sig_blocks block p B) by (intros i Hi; apply in_seq in Hi; apply (sb_block _ _ _ _ _ _ _ _ Hsb); lia).
  rewrite <- sig_mul. apply sig_le. intros b Hb. apply in_seq in Hb.
  assert (forall i, In i warps -> p i && (block i =? b)%nat = true -> mine b = true /\ Q b = true) as Hp.
  { intros i Hi E. apply in_seq in Hi. apply andb_true_iff in E. destruct E as [E1 E2]. apply Nat.eqb_eq in E2. unfold p in E1. apply andb_true_iff in E1.
    destruct E1 as [E1 E3]. apply Nat.eqb_eq in E3. subst b. rewrite <- (sb_near _ _ _ _ _ _ _ _ Hsb i) by lia. rewrite E3. split; [assumption|].
    apply HX; [lia|]. now destruct (f i). }
  destruct (mine b && Q b) eqn:Emq.
  - apply andb_true_iff in Emq. destruct Emq as [Em Eq].
    pose proof (sb_share _ _ _ _ _ _ _ _ Hsb b g ltac:(lia) Em) as Hs. apply Nat2Z.inj_le in Hs. rewrite <- sig_count in Hs.
    assert (sumZ (map (fun i => one (p i && (block i =? b)%nat)) warps) + (if disc b then 1 else 0) <= Z.of_nat be); [|destruct (disc b); nia].
    assert (forall i, In i warps -> one (p i && (block i =? b)%nat) <= one ((block i =? b)%nat && (sched (nth_core i st) =? g)%nat)) as Hle.
    { intros i _. unfold p. destruct (match f i with Other => X i | _ => false end), (block i =? b)%nat, (sched (nth_core i st) =? g)%nat; cbn; lia. }
    etransitivity; [|exact Hs]. destruct (disc b) eqn:Ed.
    + destruct (Hdisc b ltac:(lia) Em Eq Ed) as (k & Hk & Hkb & Hkf & Hkg). rewrite Z.add_comm. apply (sig_drop _ _ _ k); [apply in_seq; lia|exact Hle|].
      unfold p. rewrite Hkb, Hkg, !Nat.eqb_refl. destruct (f k); cbn; [congruence|lia|lia].
    + rewrite Z.add_0_r. now apply sig_le.
  - rewrite sig_zero; [lia|]. intros i Hi. destruct (p i && (block i =? b)%nat) eqn:E; [|reflexivity]. destruct (Hp i Hi E) as [E1 E2]. now rewrite E1, E2 in Emq.
Qed.
End Following.

(** ** One warp after the other *)
Section OneByOne.
Local Open Scope Z_scope.
Variables (fol : nat -> nat) (last : nat -> bool).
Definition followed_ever (i : nat) : bool := existsb (fun t => (fol t =? i)%nat) (seq 0 n).
Definition role_of (i : nat) : role := if followed_ever i then if last i then Last else Whole else Other.
Notation V t := (nth_core (fol t) (At t)).

Lemma ever t : (t < n)%nat -> followed_ever (fol t) = true.
Proof. intros Ht. apply existsb_exists. exists t. split; [apply in_seq; lia|apply Nat.eqb_refl]. Qed.

Lemma ever_iff i : followed_ever i = true -> exists t, (t < n)%nat /\ fol t = i.
Proof. intros H. apply existsb_exists in H. destruct H as (t & Ht & E). apply in_seq in Ht. apply Nat.eqb_eq in E. exists t. split; [lia|assumption]. Qed.

Hypothesis wP_pos : 0 <= wP.
Hypothesis some : (0 < n)%nat.
Hypothesis Hfol : forall t, (t < n)%nat -> (fol t < length st)%nat /\ mine (block (fol t)) = true /\ on t (block (fol t)) = true /\
  (last (fol t) = true \/ code (V t) <> [] \/ 0 < lat (V t) \/ 0 < longest (held (V t)))%nat.
Hypothesis Hlast : forall t i, (t < n)%nat -> (i < length st)%nat -> last i = true -> code (nth_core i (At t)) <> [].
Hypothesis Hstart : forall t, (S t < n)%nat -> fol (S t) = fol t \/ on t (block (fol (S t))) = false.
Hypothesis Hone : forall t t', (t < n)%nat -> (t' < n)%nat -> block (fol t) = block (fol t') -> fol t = fol t'.
Hypothesis Hwide : forall t, (t < n)%nat -> Z.of_nat width * wd = N \/
  wd = 0 /\ (length (filter (contends (sched (nth_core (fol t) st)) (At t) (during cs t)) warps) <= width)%nat.

Definition block_followed (b : nat) : bool := existsb (fun i => followed_ever i && (block i =? b)%nat) warps.

Lemma block_followed_iff b : block_followed b = true -> exists t, (t < n)%nat /\ block (fol t) = b.
Proof.
  intros H. apply existsb_exists in H. destruct H as (i & Hi & E). apply andb_true_iff in E. destruct E as [E1 E2]. apply Nat.eqb_eq in E2.
  destruct (ever_iff i E1) as (t & Ht & <-). now exists t.
Qed.

(** A followed block that starts is followed at once. *)
Lemma followed_from b t : (S t < n)%nat -> block_followed b = true -> on t b = false -> on (S t) b = true -> block (fol (S t)) = b.
Proof.
  intros Ht Hb H1 H2. destruct (block_followed_iff b Hb) as (t' & Ht' & E). assert (S t <= t')%nat as Hle.
  { destruct (le_lt_dec (S t) t') as [|Hlt]; [assumption|]. destruct (Hfol t' Ht') as (_ & _ & Hon & _). rewrite E in Hon.
    apply (on_later t' t) in Hon; [congruence|lia]. }
  clear Hb. induction Hle as [|t' Hle IH]; [assumption|]. destruct (Hstart t' Ht') as [Es|Es].
  - apply IH; [lia|]. now rewrite <- Es.
  - rewrite E in Es. apply (on_later (S t) t') in H2; [congruence|lia].
Qed.

Lemma followed_at_first b : block_followed b = true -> on 0%nat b = true -> block (fol 0%nat) = b.
Proof.
  intros Hb H2. destruct (block_followed_iff b Hb) as (t' & Ht' & E). clear Hb. induction t' as [|t' IH]; [assumption|].
  destruct (Hstart t' Ht') as [Es|Es]; [apply IH; [lia|now rewrite <- Es]|].
  rewrite E in Es. apply (on_later 0 t') in H2; [congruence|lia].
Qed.

Lemma role_other i : role_of i = Other <-> followed_ever i = false.
Proof. unfold role_of. destruct (followed_ever i); [destruct (last i)|]; split; congruence. Qed.

(** As many blocks are followed as warps. *)
Lemma followed_count : sumZ (map (fun b => one (mine b && block_followed b)) (seq 0 B)) = Z.of_nat (length (filter followed_ever warps)).
Proof.
  rewrite <- sig_count, (sig_blocks block followed_ever B) by (intros i Hi; apply in_seq in Hi; apply (sb_block _ _ _ _ _ _ _ _ Hsb); lia).
  apply sig_eq. intros b _. rewrite sig_unique.
  - unfold block_followed. destruct (existsb _ warps) eqn:E; [|now rewrite andb_false_r]. rewrite andb_true_r.
    destruct (block_followed_iff b E) as (t & Ht & <-). destruct (Hfol t Ht) as (_ & -> & _). reflexivity.
  - apply seq_NoDup.
  - intros i j _ _ Ei Ej. apply andb_true_iff in Ei, Ej. destruct Ei as [Ei Eib], Ej as [Ej Ejb]. apply Nat.eqb_eq in Eib, Ejb.
    destruct (ever_iff i Ei) as (t & Ht & <-), (ever_iff j Ej) as (t' & Ht' & <-). apply Hone; auto. congruence.
Qed.

Definition K_ : nat := length (filter followed_ever warps).

Lemma K_pos : (1 <= K_)%nat.
Proof.
  unfold K_. destruct (Hfol 0%nat some) as (H & _). assert (In (fol 0%nat) (filter followed_ever warps)) as Hi
    by (apply filter_In; split; [apply in_seq; lia|now apply ever]).
  destruct (filter followed_ever warps); [elim Hi|]. cbn [length]. lia.
Qed.

Lemma be_pos : (1 <= be)%nat.
Proof.
  destruct (Hfol 0%nat some) as (H & Hm & _).
  pose proof (sb_share _ _ _ _ _ _ _ _ Hsb (block (fol 0%nat)) (sched (nth_core (fol 0%nat) st)) (sb_block _ _ _ _ _ _ _ _ Hsb _ H) Hm) as Hs.
  assert (In (fol 0%nat) (filter (fun i => (block i =? block (fol 0))%nat && (sched (nth_core i st) =? sched (nth_core (fol 0) st))%nat) warps)) as Hi
    by (apply filter_In; split; [apply in_seq; lia|now rewrite !Nat.eqb_refl]).
  destruct (filter _ warps); [elim Hi|]. cbn [length] in Hs. lia.
Qed.

(** [base] by the terms of the bound. *)
Lemma base_bound l : length (filter (fun i => followed_ever i && last i) warps) = l ->
  base role_of st <= N * Z.of_nat A * (Z.of_nat K_ - Z.of_nat l) + N * Z.of_nat F * Z.of_nat l +
    wO * (Z.of_nat (length (filter (fun i => mine (block i)) warps)) - Z.of_nat K_).
Proof.
  intros El. set (price i := if followed_ever i then if last i then N * Z.of_nat F else N * Z.of_nat A else if mine (block i) then wO else 0).
  apply Z.le_trans with (sumZ (map price warps)).
  - apply sig_le. intros i Hi. apply in_seq in Hi. destruct (sb_small _ _ _ _ _ _ _ _ Hsb i ltac:(lia)) as (Hf & HA & HF & HO & _).
    unfold price, role_of. destruct (followed_ever i); [destruct (last i)|].
    + rewrite val_followed by discriminate. cbn [takes]. assert (own occ hi (nth_core i st) <= F)%nat; [|nia].
      unfold own. rewrite Hf. cbn [code lat held fresh longest]. rewrite Hf in HF. cbn [code fresh] in HF. destruct (code (nth_core i st)); lia.
    + rewrite val_followed by discriminate. cbn [takes]. assert (Followed.whole occ hi (nth_core i st) <= A)%nat; [|nia].
      unfold Followed.whole. rewrite Hf. cbn [code lat held fresh longest]. rewrite Hf in HA. cbn [code fresh] in HA. lia.
    + rewrite val_other. lia.
  - assert (forall p : nat -> bool, sumZ (map (fun i => one (p i)) warps) = Z.of_nat (length (filter p warps))) as Hc by (intros; apply sig_count).
    apply Z.eq_le_incl. rewrite <- El, <- !Hc. unfold K_. rewrite <- Hc.
    transitivity (sumZ (map (fun i => N * Z.of_nat A * one (followed_ever i) + ((N * Z.of_nat F - N * Z.of_nat A) * one (followed_ever i && last i) +
      (wO * one (mine (block i)) + - wO * one (followed_ever i)))) warps)).
    + apply sig_eq. intros i Hi. apply in_seq in Hi. unfold price. destruct (followed_ever i) eqn:E.
      * destruct (ever_iff i E) as (t & Ht & <-). destruct (Hfol t Ht) as (_ & -> & _). destruct (last (fol t)); cbn [andb one]; lia.
      * destruct (mine (block i)); cbn [andb one]; lia.
    + rewrite !sig_add, !sig_mul. lia.
Qed.
(** What counts of the blocks that are there: not the warps that are [dead], which after [prep t] cycles hold nothing. *)
Variables (dead : nat -> nat -> bool) (prep : nat -> nat) (h : nat) (D : Z).
Hypothesis D_pos : 0 <= D.
Let g t := sched (nth_core (fol t) st).
Let X t i := on t (block i) && negb (dead t i).
Hypothesis Hprep0 : prep 0%nat = 0%nat.
Hypothesis Hsame : forall t, (S t < n)%nat -> fol (S t) = fol t -> (prep (S t) <= pred (prep t))%nat /\ forall i, dead (S t) i = dead t i.
Hypothesis Hchange : forall t, (S t < n)%nat -> fol (S t) <> fol t -> (prep (S t) <= h)%nat /\
  phi (g (S t)) (fun i => on t (block i) && negb (dead (S t) i)) role_of (At (S t)) <= phi (g t) (X t) role_of (At (S t)) + D.
Hypothesis Hdead : forall t i, (t < n)%nat -> prep t = 0%nat -> (i < length st)%nat -> on t (block i) = true -> dead t i = true ->
  quiet (g t) (nth_core i (At t)) (nth i (during cs t) still).

(** What each block that has not started will cost. *)
Definition cost_of (b : nat) : Z := Z.of_nat be * wP + if block_followed b then D + N * Z.of_nat h - wP else 0.
Definition rest_ (t : nat) : Z := sumZ (map (fun b => if mine b && negb (on t b) then cost_of b else 0) (seq 0 B)).

Lemma cost_pos b : 0 <= cost_of b.
Proof. unfold cost_of. pose proof be_pos. destruct (block_followed b); nia. Qed.

Lemma followed_near t : (t < n)%nat -> near (g t) = true.
Proof. intros Ht. destruct (Hfol t Ht) as (H & Hm & _). unfold g. now rewrite (sb_near _ _ _ _ _ _ _ _ Hsb). Qed.

(** A sum over the blocks that start at the end of cycle t. *)
Lemma rest_next t : rest_ (S t) + sumZ (map (fun b => if mine b && (on (S t) b && negb (on t b)) then cost_of b else 0) (seq 0 B)) = rest_ t.
Proof.
  unfold rest_. rewrite <- sig_add. apply sig_eq. intros b _. destruct (mine b); cbn [andb]; [|lia].
  destruct (on t b) eqn:E; cbn [negb]; [rewrite (sb_stays _ _ _ _ _ _ _ _ Hsb t b E); cbn; lia|].
  destruct (on (S t) b); cbn; lia.
Qed.

Lemma phi_mono gg (X1 X2 : nat -> bool) f t : (forall i, (i < length st)%nat -> X1 i = true -> X2 i = true) -> phi gg X1 f (At t) <= phi gg X2 f (At t).
Proof.
  intros H. unfold SpreadAccount.phi. rewrite At_length. apply sig_le. intros i Hi. apply in_seq in Hi. specialize (H i ltac:(lia)).
  pose proof (privateOn_nonneg unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos U gg (nth_core i (At t))).
  destruct (f i); try lia. destruct (X1 i); [rewrite H by reflexivity; lia|destruct (X2 i); lia].
Qed.

Lemma phi_union gg (X1 X2 X3 : nat -> bool) f t : (forall i, (i < length st)%nat -> X1 i = true -> X2 i = true \/ X3 i = true) ->
  phi gg X1 f (At t) <= phi gg X2 f (At t) + phi gg X3 f (At t).
Proof.
  intros H. unfold SpreadAccount.phi. rewrite At_length, <- sig_add. apply sig_le. intros i Hi. apply in_seq in Hi. specialize (H i ltac:(lia)).
  pose proof (privateOn_nonneg unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos U gg (nth_core i (At t))).
  destruct (f i); try lia. destruct (X1 i), (X2 i), (X3 i); try lia.
Qed.

(** What comes when cycle t ends. *)
Lemma phi_new t : (S t < n)%nat ->
  phi (g (S t)) (fun i => on (S t) (block i) && negb (on t (block i))) role_of (At (S t)) <=
  sumZ (map (fun b => if mine b && (on (S t) b && negb (on t b)) then Z.of_nat be * wP - (if block_followed b then wP else 0) else 0) (seq 0 B)).
Proof.
  intros Ht. apply phi_blocks; auto; [lia| |apply followed_near; lia].
  intros b Hb Hm Hq Hf. apply andb_true_iff in Hq. destruct Hq as [H1 H2]. apply negb_true_iff in H2.
  exists (fol (S t)). destruct (Hfol (S t) Ht) as (Hi & _). repeat split; auto.
  - now apply followed_from.
  - intros E. apply role_other in E. rewrite ever in E by assumption. discriminate.
Qed.

Lemma transition t : (S t < n)%nat ->
  phi (g (S t)) (X (S t)) role_of (At (S t)) + N * Z.of_nat (prep (S t)) + rest_ (S t) <=
  phi (g t) (X t) role_of (At (S t)) + N * Z.of_nat (pred (prep t)) + rest_ t.
Proof.
  intros Ht. pose (new b := mine b && (on (S t) b && negb (on t b))).
  assert (phi (g (S t)) (fun i => on (S t) (block i) && negb (on t (block i))) role_of (At (S t)) <=
    sumZ (map (fun b => if new b then Z.of_nat be * wP - (if block_followed b then wP else 0) else 0) (seq 0 B))) as Hnew by exact (phi_new t Ht).
  assert (rest_ (S t) + sumZ (map (fun b => if new b then cost_of b else 0) (seq 0 B)) = rest_ t) as Hrest by exact (rest_next t).
  assert (phi (g (S t)) (X (S t)) role_of (At (S t)) <=
    phi (g (S t)) (fun i => on t (block i) && negb (dead (S t) i)) role_of (At (S t)) +
    phi (g (S t)) (fun i => on (S t) (block i) && negb (on t (block i))) role_of (At (S t))) as Hu.
  { apply phi_union. intros i _. unfold X. destruct (on (S t) (block i)), (on t (block i)), (dead (S t) i); cbn; auto. }
  destruct (Nat.eq_dec (fol (S t)) (fol t)) as [E|E].
  - destruct (Hsame t Ht E) as [Hp Hd].
    assert (phi (g (S t)) (fun i => on t (block i) && negb (dead (S t) i)) role_of (At (S t)) = phi (g t) (X t) role_of (At (S t))) as E1.
    { unfold g. rewrite E. unfold SpreadAccount.phi. apply sig_eq. intros i _. unfold X. now rewrite Hd. }
    assert (sumZ (map (fun b => if new b then Z.of_nat be * wP - (if block_followed b then wP else 0) else 0) (seq 0 B)) <=
      sumZ (map (fun b => if new b then cost_of b else 0) (seq 0 B))) as E2.
    { apply sig_le. intros b _. unfold cost_of. destruct (new b); [|lia]. destruct (block_followed b); nia. }
    assert (N * Z.of_nat (prep (S t)) <= N * Z.of_nat (pred (prep t))) by nia. lia.
  - destruct (Hchange t Ht E) as [Hp Hc].
    assert ((D + N * Z.of_nat h) + sumZ (map (fun b => if new b then Z.of_nat be * wP - (if block_followed b then wP else 0) else 0) (seq 0 B)) <=
      sumZ (map (fun b => if new b then cost_of b else 0) (seq 0 B))) as E2.
    { destruct (Hfol (S t) Ht) as (Hi & Hm & Hon & _). pose proof (sb_block _ _ _ _ _ _ _ _ Hsb _ Hi).
      assert (block_followed (block (fol (S t))) = true) as Hbf.
      { apply existsb_exists. exists (fol (S t)). split; [apply in_seq; lia|]. now rewrite ever, Nat.eqb_refl. }
      apply (sig_drop _ _ _ (block (fol (S t)))); [apply in_seq; lia| |].
      - intros b _. unfold cost_of. destruct (new b); [|lia]. destruct (block_followed b); nia.
      - assert (new (block (fol (S t))) = true) as ->.
        { unfold new. rewrite Hm, Hon. destruct (Hstart t Ht) as [Es|Es]; [congruence|]. now rewrite Es. }
        unfold cost_of. rewrite Hbf. lia. }
    assert (N * Z.of_nat (prep (S t)) <= N * Z.of_nat h /\ 0 <= N * Z.of_nat (pred (prep t))) by nia. lia.
Qed.

(** The bound, but for what the followed warps take by themselves and all are worth for shared units ([base]). *)
Lemma one_by_one :
  N * Z.of_nat (n - gstalls cs) <= base role_of st +
    (Z.of_nat (length (filter mine (seq 0 B))) * Z.of_nat be - Z.of_nat K_) * wP + (Z.of_nat K_ - 1) * (D + N * Z.of_nat h).
Proof.
  assert (forall t, (t < n)%nat -> role_of (fol t) = if last (fol t) then Last else Whole) as Hrole
    by (intros t Ht; unfold role_of; now rewrite ever).
  pose proof (account unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le U
    st pool cs st' pool' role_of fol X prep rest_ Hr some) as H. cbv zeta in H. fold n in H.
  assert (N * Z.of_nat (n - gstalls cs) <= base role_of st + phi (g 0%nat) (X 0%nat) role_of st + N * Z.of_nat (prep 0%nat) + rest_ 0%nat) as H'.
  { apply H; clear H.
    - intros t Ht. destruct (Hfol t Ht) as (H1 & H2 & H3 & H4). split; [assumption|]. split; [now rewrite (sb_here _ _ _ _ _ _ _ _ Hsb)|].
      rewrite Hrole by assumption. destruct (last (fol t)); [now right|left]. split; [reflexivity|]. destruct H4 as [H4|H4]; [discriminate|assumption].
    - intros t i Ht Hi E. apply Hlast; auto. unfold role_of in E. destruct (followed_ever i); [|discriminate]. now destruct (last i).
    - intros t Ht Hp i Hi _ HX. unfold X in HX. destruct (on t (block i)) eqn:Eon; cbn [andb] in HX.
      + apply Hdead; auto. now destruct (dead t i).
      + left. rewrite (sb_here _ _ _ _ _ _ _ _ Hsb) by assumption. split; [assumption|]. rewrite (At_before i t Hi Ht Eon).
        destruct (sb_small _ _ _ _ _ _ _ _ Hsb i Hi) as (Hf & _). now rewrite Hf.
    - intros t Ht y Hy. destruct (Hfol t Ht) as (H1 & H2 & _). apply (sb_units _ _ _ _ _ _ _ _ Hsb (fol t) H1 H2).
      apply (At_code t); [lia|assumption].
    - exact Hwide.
    - exact transition.
    - intros t _. apply sig_pos. intros b _. pose proof (cost_pos b). destruct (_ && _); lia. }
  rewrite Hprep0 in H'.
  assert (phi (g 0%nat) (X 0%nat) role_of (At 0) <=
    sumZ (map (fun b => if mine b && on 0%nat b then Z.of_nat be * wP - (if block_followed b then wP else 0) else 0) (seq 0 B))) as H0.
  { apply phi_blocks; auto; [lia| | |apply followed_near; lia].
    - intros i _ E. unfold X in E. apply andb_true_iff in E. tauto.
    - intros b Hb Hm Hq Hf. exists (fol 0%nat). destruct (Hfol 0%nat some) as (Hi & _). repeat split; auto.
      + now apply followed_at_first.
      + intros E. apply role_other in E. rewrite ever in E by assumption. discriminate. }
  change (At 0) with st in H0.
  assert (sumZ (map (fun b => if mine b && on 0%nat b then Z.of_nat be * wP - (if block_followed b then wP else 0) else 0) (seq 0 B)) + rest_ 0%nat +
      (D + N * Z.of_nat h) <=
    sumZ (map (fun b => Z.of_nat be * wP * one (mine b) + (D + N * Z.of_nat h - wP) * one (mine b && block_followed b)) (seq 0 B))) as H1.
  { unfold rest_. rewrite <- sig_add, Z.add_comm. destruct (Hfol 0%nat some) as (Hi & Hm & Hon & _). pose proof (sb_block _ _ _ _ _ _ _ _ Hsb _ Hi).
    assert (block_followed (block (fol 0%nat)) = true) as Hbf.
    { apply existsb_exists. exists (fol 0%nat). split; [apply in_seq; lia|]. now rewrite ever, Nat.eqb_refl. }
    apply (sig_drop _ _ _ (block (fol 0%nat))); [apply in_seq; lia| |].
    - intros b _. unfold cost_of. destruct (mine b), (on 0%nat b), (block_followed b); cbn [andb negb one]; nia.
    - rewrite Hm, Hon, Hbf. cbn [andb negb one]. lia. }
  rewrite sig_add, !sig_mul, followed_count, sig_count in H1. fold K_ in H1. nia.
Qed.

End OneByOne.
End Run.
End Follow.
