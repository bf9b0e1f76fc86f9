(** Spread warps (docs/machines.md): a grid on any number of multiprocessors with one queue, with memory servers. Whatever warp issues last, it does
    so by min(P', P'') of the blocks of its multiprocessor, and by h + L + min(Q', Q'') of the blocks of another. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP CPBarriers Pinned.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP Followed Grid SeveralGrid SpreadAccount SpreadFollow SpreadGrid.

(** The bounds. N parts are a cycle; x, y blocks of b warps, no more than [be] of them on a scheduler; R blocks at once. DA is no less than N A
    and wO + wP. *)
Section Bounds.
Local Open Scope Z_scope.
Variables (N : Z) (A F b be R h : nat) (DA wO wP : Z).

Definition P_place (x : nat) : Z :=
  let K := S ((x - 1) / R) in
  Z.of_nat ((K - 1) * (A + h) + F) + ((Z.of_nat (x * b) - Z.of_nat K) * wO + (Z.of_nat (x * be) - Z.of_nat K + Z.of_nat ((K - 1) * ((R - 1) * be))) * wP) / N.

Definition P_all (x : nat) : Z :=
  ((Z.of_nat x - 1) * DA + N * Z.of_nat F + (Z.of_nat (x * b) - Z.of_nat x) * wO + (Z.of_nat (x * be) - Z.of_nat x) * wP) / N.

Definition Q_place (y : nat) : Z :=
  let k := (y / R)%nat in
  Z.of_nat (k * A + pred k * h) + ((Z.of_nat (y * b) - Z.of_nat k) * wO + (Z.of_nat (y * be) - Z.of_nat k + Z.of_nat (pred k * ((R - 1) * be))) * wP) / N.

Definition Q_all (y : nat) : Z :=
  (Z.of_nat y * DA + (Z.of_nat (y * b) - Z.of_nat y) * wO + (Z.of_nat (y * be) - Z.of_nat y) * wP) / N.

(** P and Q, for warps of a block on any schedulers; om is what a warp is worth at most to a followed one of its scheduler. *)
Variable om : Z.
Definition P_any (x : nat) : Z := let K := S ((x - 1) / R) in Z.of_nat ((K - 1) * A + F) + (Z.of_nat (x * b) - Z.of_nat K) * om / N.
Definition Q_any (y : nat) : Z := let k := (y / R)%nat in Z.of_nat (k * A) + (Z.of_nat (y * b) - Z.of_nat k) * om / N.

Hypothesis N_pos : 0 < N.
Hypothesis wO_pos : 0 <= wO.
Hypothesis wP_pos : 0 <= wP.
Hypothesis b_pos : (1 <= b)%nat.
Hypothesis be_pos : (1 <= be)%nat.
Hypothesis HR : (0 < R)%nat.
Hypothesis DA_A : N * Z.of_nat A <= DA.
Hypothesis DA_w : wO + wP <= DA.
Hypothesis HO : wO <= N * Z.of_nat A.
Hypothesis HOP : (2 <= R)%nat \/ wO + wP <= N * Z.of_nat A.

Lemma share_mono y y' : (y <= y')%nat -> (y / R <= y' / R /\ y' / R - y / R <= y' - y)%nat.
Proof.
  intros H.
  assert (y / R <= y' / R)%nat as Hk by (apply Nat.div_le_mono; lia). assert (y' / R - y / R <= y' - y)%nat as Hd.
  { replace y' with (y + (y' - y))%nat at 1 by lia. generalize (y' - y)%nat. intros m. induction m as [|m IH]; [rewrite Nat.add_0_r; lia|].
    assert ((y + S m) / R <= S ((y + m) / R))%nat; [|lia].
    pose proof (Nat.div_mod (y + S m) R ltac:(lia)). pose proof (Nat.div_mod (y + m) R ltac:(lia)). pose proof (Nat.mod_upper_bound (y + m) R ltac:(lia)). nia. }
  split; assumption.
Qed.

Lemma Q_any_mono y y' : 0 <= om -> om <= N * Z.of_nat A -> (y <= y')%nat -> Q_any y <= Q_any y'.
Proof.
  intros Ho HA H. destruct (share_mono y y' H) as [Hk Hd]. unfold Q_any. cbv zeta. set (k := (y / R)%nat) in *. set (k' := (y' / R)%nat) in *. clearbody k k'.
  rewrite !(Z.add_comm (Z.of_nat (_ * A))), <- !Z.div_add by lia. apply Z.div_le_mono; [assumption|]. rewrite !Nat2Z.inj_mul.
  assert (exists d, Z.of_nat k' = Z.of_nat k + d /\ 0 <= d) as (d & Ed & Hd0) by (exists (Z.of_nat k' - Z.of_nat k); lia).
  assert (exists c, Z.of_nat y' = Z.of_nat y + c /\ 0 <= c) as (c & Ec & Hc0) by (exists (Z.of_nat y' - Z.of_nat y); lia).
  assert (0 <= d * (N * Z.of_nat A - om)) by (apply Z.mul_nonneg_nonneg; lia).
  assert (0 <= c * (Z.of_nat b * om)) by (apply Z.mul_nonneg_nonneg; [assumption|apply Z.mul_nonneg_nonneg; lia]).
  rewrite Ed, Ec. lia.
Qed.

Lemma Q_any_pos y : 0 <= om -> om <= N * Z.of_nat A -> 0 <= Q_any y.
Proof.
  intros Ho HA. transitivity (Q_any 0); [|apply Q_any_mono; auto; lia]. unfold Q_any. rewrite Nat.div_0_l by lia. cbn [Nat.mul Z.of_nat]. cbv zeta.
  apply Z.add_nonneg_nonneg; [lia|]. apply Z.div_pos; [|assumption]. lia.
Qed.

Lemma Q_all_mono y y' : (y <= y')%nat -> Q_all y <= Q_all y'.
Proof.
  intros H. apply Z.div_le_mono; [assumption|]. rewrite !Nat2Z.inj_mul.
  assert (exists d, Z.of_nat y' = Z.of_nat y + d /\ 0 <= d) as (d & -> & Hd) by (exists (Z.of_nat y' - Z.of_nat y); lia).
  assert (0 <= d * (DA + (Z.of_nat b - 1) * wO + (Z.of_nat be - 1) * wP)) by (apply Z.mul_nonneg_nonneg; nia). lia.
Qed.

Lemma Q_all_pos y : 0 <= Q_all y.
Proof. transitivity (Q_all 0); [|apply Q_all_mono; lia]. unfold Q_all. apply Z.div_pos; [|assumption]. cbn [Nat.mul Z.of_nat]. lia. Qed.

(** Q_place in one fraction. *)
Lemma Q_place_is y : Q_place y = (N * Z.of_nat (y / R * A + pred (y / R) * h) + (Z.of_nat (y * b) - Z.of_nat (y / R)) * wO +
  (Z.of_nat (y * be) - Z.of_nat (y / R) + Z.of_nat (pred (y / R) * ((R - 1) * be))) * wP) / N.
Proof.
  unfold Q_place. cbv zeta. rewrite <- Z.add_assoc, (Z.mul_comm N), Z.div_add_l by lia. reflexivity.
Qed.

Lemma Q_place_mono y y' : (y <= y')%nat -> Q_place y <= Q_place y'.
Proof.
  intros H. rewrite !Q_place_is. apply Z.div_le_mono; [assumption|].
  destruct (share_mono y y' H) as [Hk Hd].
  set (k := (y / R)%nat) in *. set (k' := (y' / R)%nat) in *.
  assert (wP * 1 <= Z.of_nat ((R - 1) * be) * wP \/ wO + wP <= N * Z.of_nat A) as HD.
  { destruct HOP as [H2|H2]; [left|now right]. assert (1 <= (R - 1) * be)%nat by nia. nia. }
  clearbody k k'. rewrite !Nat2Z.inj_add, !Nat2Z.inj_mul in *. set (r := Z.of_nat (R - 1) * Z.of_nat be) in *.
  assert (0 <= r) by (unfold r; apply Z.mul_nonneg_nonneg; lia).
  assert (exists p p', Z.of_nat (pred k) = p /\ Z.of_nat (pred k') = p' /\ p <= p' /\ p' - p <= Z.of_nat k' - Z.of_nat k /\ 0 <= p /\
    (Z.of_nat k' - Z.of_nat k <= p' - p \/ (p = 0 /\ Z.of_nat k = 0))) as (p & p' & -> & -> & Hp & Hp' & Hp0 & Hpk) by (exists (Z.of_nat (pred k)), (Z.of_nat (pred k')); lia).
  assert (exists d, Z.of_nat k' = Z.of_nat k + d /\ 0 <= d) as (d & Ed & Hd0) by (exists (Z.of_nat k' - Z.of_nat k); lia).
  assert (exists c, Z.of_nat y' = Z.of_nat y + d + c /\ 0 <= c) as (c & Ec & Hc0) by (exists (Z.of_nat y' - Z.of_nat y - d); lia).
  rewrite Ec, Ed in *.
  assert (0 <= c * (Z.of_nat b * wO + Z.of_nat be * wP)) by (apply Z.mul_nonneg_nonneg; [assumption|apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia]).
  assert (0 <= d * ((Z.of_nat b - 1) * wO + (Z.of_nat be - 1) * wP)) by (apply Z.mul_nonneg_nonneg; [assumption|apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia]).
  assert (0 <= d * (N * Z.of_nat A)) by (apply Z.mul_nonneg_nonneg; [assumption|apply Z.mul_nonneg_nonneg; lia]).
  assert (0 <= (p' - p) * (N * Z.of_nat h)) by (apply Z.mul_nonneg_nonneg; [lia|apply Z.mul_nonneg_nonneg; lia]).
  assert (0 <= (p' - p) * (r * wP)) by (apply Z.mul_nonneg_nonneg; [lia|now apply Z.mul_nonneg_nonneg]). lia.
Qed.

Lemma Q_place_pos y : 0 <= Q_place y.
Proof.
  transitivity (Q_place 0); [|apply Q_place_mono; lia]. unfold Q_place. rewrite Nat.div_0_l by lia. cbn [Nat.mul Nat.add Nat.pred Z.of_nat]. cbv zeta.
  apply Z.add_nonneg_nonneg; [lia|]. apply Z.div_pos; [|assumption]. lia.
Qed.
End Bounds.

Section Several.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.

Notation grun := (grun unit inst occ lo hi shared width J rate asks).
Notation sharedZ U := (sharedZ unit occ shared wi wd U).
Notation privateZ U := (privateZ unit occ shared wi wd U).
Notation privateOn U := (privateOn unit occ shared wi wd U).
Notation nth_core i st := (core (nth i st idle_warp)).
Notation at_time := (at_time unit occ).
Variables (A F : nat) (wO wP : Z).

(** L: from any state, with the warps [there] in the way. *)
Lemma left_spread U st pool cs st' pool' w (there : nat -> bool) :
  let g := sched (nth_core w st) in
  grun st pool cs st' pool' -> (w < length st)%nat -> (0 < length cs)%nat -> there w = true -> (own occ hi (nth_core w st) <= F)%nat ->
  (forall t, (t < length cs)%nat -> here (nth w (during cs t) still) = true) ->
  code (nth_core w (at_time st cs (length cs - 1))) <> [] ->
  (forall y, In y (code (nth_core w st)) -> occurs (unit y) U = true) ->
  (forall i, (i < length st)%nat -> there i = true -> (sharedZ U (nth_core i st) <= wO)%Z /\ (sched (nth_core i st) = g -> (privateZ U (nth_core i st) <= wP)%Z)) ->
  (forall i, (i < length st)%nat -> there i = false -> (sharedZ U (nth_core i st) <= 0)%Z /\
     (sched (nth_core i st) <> g \/ code (nth_core i st) = [] /\ (privateOn U g (nth_core i st) = 0)%Z)) ->
  (Z.of_nat width * wd = N \/ wd = 0 /\ (length (filter (fun i => there i && (sched (nth_core i st) =? g)%nat) (seq 0 (length st))) <= width)%nat)%Z ->
  (Z.of_nat (length cs - gstalls cs) <= Z.of_nat F + ((Z.of_nat (length (filter there (seq 0 (length st)))) - 1) * wO +
    (Z.of_nat (length (filter (fun i => there i && (sched (nth_core i st) =? g)%nat) (seq 0 (length st)))) - 1) * wP) / N)%Z.
Proof.
  intros g Hr Hw Hn Htw How Hpres Hlast HU Hth Hnot Hwide.
  pose proof (lengths _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr) as [Hlen _].
  assert (forall t, (t < length cs)%nat -> code (nth_core w (at_time st cs t)) <> []) as Hcode.
  { intros t Ht. apply (at_time_code _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ w Hr t (length cs - 1)); [lia|exact Hlast]. }
  assert (forall i t, (t <= length cs)%nat -> sched (nth_core i (at_time st cs t)) = sched (nth_core i st)) as Hsched.
  { intros i t Ht. exact (At_sched unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr t i Ht). }
  assert (forall i t, (t <= length cs)%nat -> code (nth_core i st) = [] /\ privateOn U g (nth_core i st) = 0%Z ->
    code (nth_core i (at_time st cs t)) = [] /\ privateOn U g (nth_core i (at_time st cs t)) = 0%Z) as Hgone.
  { intros i t Ht. intros H. apply (At_inv unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr (fun v => code v = [] /\ privateOn U g v = 0%Z)
      i); [|assumption|assumption]. intros v a f Ha [H1 H2]. split.
    - rewrite code_fstep. unfold step. rewrite H1. now destruct a.
    - exact (privateOn_step unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos U g v (Doing a f true) Ha H2). }
  set (f i := if (i =? w)%nat then Last else Other).
  pose proof (account unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le U st pool cs st' pool' f (fun _ => w) (fun _ => there)
    (fun _ => 0%nat) (fun _ => 0%Z) Hr Hn) as H. cbv zeta beta in H. fold g in H.
  assert (forall t, (t < length cs)%nat -> forall i, contends g (at_time st cs t) (during cs t) i = true -> (i < length st)%nat -> there i && (sched (nth_core i st) =? g)%nat = true) as Hcont.
  { intros t Ht i E Hi. unfold contends in E. apply andb_true_iff in E. destruct E as [E E3]. apply andb_true_iff in E. destruct E as [E1 _].
    rewrite Hsched in E1 by lia. rewrite E1, andb_true_r. destruct (there i) eqn:Et; [reflexivity|]. destruct (Hnot i Hi Et) as [_ [Hg|Hg]].
    - apply Nat.eqb_eq in E1. congruence.
    - destruct (Hgone i t ltac:(lia) Hg) as [Hc _]. now rewrite Hc in E3. }
  assert (f w = Last) as Fw by (unfold f; now rewrite Nat.eqb_refl).
  assert (N * Z.of_nat (length cs - gstalls cs) <= base unit occ hi shared N wi wd U f st + phi unit occ shared wi wd U g there f st + N * Z.of_nat 0 + 0)%Z as Hmain.
  { apply H; clear H.
    - intros t Ht. repeat split; auto.
    - intros t i Ht Hi E. unfold f in E. destruct (Nat.eqb_spec i w) as [->|]; [now apply Hcode|discriminate].
    - intros t Ht _ i Hi _ Et. destruct (Hnot i Hi Et) as [_ [Hg|Hg]].
      + right. right. now rewrite Hsched by lia.
      + right. left. apply Hgone; [lia|assumption].
    - intros t Ht y Hy. apply HU. apply (At_code unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr t); [lia|assumption].
    - intros t Ht. destruct Hwide as [H|[H1 H2]]; [now left|right]. split; [assumption|]. etransitivity; [|exact H2].
      apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi E]. apply filter_In.
      split; [assumption|]. apply (Hcont t Ht i E). apply in_seq in Hi. lia.
    - intros t Ht. cbn. lia.
    - intros t Ht. lia. }
  assert (base unit occ hi shared N wi wd U f st + phi unit occ shared wi wd U g there f st <= N * Z.of_nat F +
    (Z.of_nat (length (filter there (seq 0 (length st)))) - 1) * wO +
    (Z.of_nat (length (filter (fun i => there i && (sched (nth_core i st) =? g)%nat) (seq 0 (length st)))) - 1) * wP)%Z as Hsum.
  { rewrite <- pot_split. unfold pot.
    apply Z.le_trans with (sumZ (map (fun i => (wO * one (there i) + wP * one (there i && (sched (nth_core i st) =? g)%nat)) + (N * Z.of_nat F - wO - wP) * one (i =? w)%nat)%Z (seq 0 (length st)))).
    - apply sig_le. intros i Hi. apply in_seq in Hi. unfold f. destruct (Nat.eqb_spec i w) as [->|Hne].
      + rewrite val_followed by discriminate. cbn [takes]. rewrite Htw. fold g. rewrite Nat.eqb_refl. cbn [one andb]. nia.
      + rewrite val_other. cbn [one]. rewrite Z.mul_0_r, Z.add_0_r. destruct (there i) eqn:Et; cbn [andb one].
        * destruct (Hth i ltac:(lia) Et) as [H1 H2]. unfold Pinned.privateOn. destruct (Nat.eqb_spec (sched (nth_core i st)) g) as [Eg|Eg]; cbn [one]; [specialize (H2 Eg)|]; lia.
        * destruct (Hnot i ltac:(lia) Et) as [H1 _]. lia.
    - rewrite !sig_add, !sig_mul, !sig_count. assert (length (filter (fun i => (i =? w)%nat) (seq 0 (length st))) = 1)%nat as ->; [|lia].
      apply Nat.le_antisymm.
      + change 1%nat with (length [w]). apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros j Hj. apply filter_In in Hj. destruct Hj as [_ Hj].
        apply Nat.eqb_eq in Hj. subst. now left.
      + assert (In w (filter (fun i => (i =? w)%nat) (seq 0 (length st)))) as Hi by (apply filter_In; split; [apply in_seq; lia|apply Nat.eqb_refl]).
        destruct (filter (fun i => (i =? w)%nat) (seq 0 (length st))); [elim Hi|]. cbn [length]. lia. }
  assert (Z.of_nat (length cs - gstalls cs) - Z.of_nat F <= ((Z.of_nat (length (filter there (seq 0 (length st)))) - 1) * wO +
    (Z.of_nat (length (filter (fun i => there i && (sched (nth_core i st) =? g)%nat) (seq 0 (length st)))) - 1) * wP) / N)%Z; [|lia].
  apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.

(** ** A grid *)

(** hP is no less than n - lo of any letter of a private unit, and h of any letter. *)
Variables (hP h : nat).
Hypothesis overhang_private : forall x, shared (unit x) = false -> (occ x <= lo x + hP)%nat.
Hypothesis overhang : forall x, (occ x <= lo x + h)%nat.

Section Grid.
Variables (st : list fwarp) (pool : nat -> nat) (cs : list gcycle) (st' : list fwarp) (pool' : nat -> nat).
Hypothesis Hr : grun st pool cs st' pool'.
(** B blocks of one to b warps; M multiprocessors with R slots each. Block i runs on multiprocessor [sm i], in its slot [slot i]; [home] tells whose
    a scheduler is, and U q are the units of the multiprocessor q. *)
Variables (B b be R M : nat) (block sm slot home : nat -> nat) (on : nat -> nat -> bool) (U : nat -> list nat).
Hypothesis Hsb : forall q, (q < M)%nat ->
  spread_blocks unit occ hi shared wi wd (U q) A F wO wP st cs B be block on (fun i => sm i =? q)%nat (fun g => home g =? q)%nat.
Hypothesis Hplaces : forall i, (i < B)%nat -> (sm i < M)%nat /\ (slot i < R)%nat.
Hypothesis Hsize : forall i, (i < B)%nat -> (1 <= length (filter (fun v => block v =? i) (seq 0 (length st))) <= b)%nat.
Notation At t := (at_time st cs t).
Notation warps := (seq 0 (length st)).
Notation n := (length cs).

(** A block takes its slot when no other one is there that has not ended. *)
Hypothesis Hone : forall t i j, (t < n)%nat -> (i < length st)%nat -> (j < length st)%nat -> sm (block i) = sm (block j) -> slot (block i) = slot (block j) ->
  on t (block i) = true -> on t (block j) = true -> lives (At t) i -> lives (At t) j -> block i = block j.
(** While a block waits, each slot of each multiprocessor has a block that has not ended. *)
Hypothesis Hqueue : forall t i, (t < n)%nat -> (i < B)%nat -> on t i = false -> forall q p, (q < M)%nat -> (p < R)%nat ->
  exists v, (v < length st)%nat /\ sm (block v) = q /\ slot (block v) = p /\ on t (block v) = true /\ lives (At t) v.
Hypothesis Hwidth : (Z.of_nat width * wd = N)%Z \/ wd = 0%Z /\ (R * be <= width)%nat.
Hypothesis HR : (0 < R)%nat.
Hypothesis HM : (0 < M)%nat.
(** The cycles are those up to the last issue of warp w. *)
Variable w : nat.
Hypothesis Hw : (w < length st)%nat.
Hypothesis Hissue : act (nth w (during cs (length cs - 1)) still) <> None.

Definition place_of (q i : nat) : nat := if (sm i =? q)%nat then slot i else R.
Definition given (q : nat) : nat := length (filter (fun i => sm i =? q)%nat (seq 0 B)).

Lemma place_below q i : (i < B)%nat -> (place_of q i <? R)%nat = (sm i =? q)%nat.
Proof.
  intros Hi. unfold place_of. destruct (sm i =? q)%nat; [apply Nat.ltb_lt; now apply Hplaces|apply Nat.ltb_ge; lia].
Qed.

Lemma blocks_at s q : (s <= n)%nat -> (q < M)%nat ->
  spread_blocks unit occ hi shared wi wd (U q) A F wO wP st (firstn s cs) B be block on (fun i => place_of q i <? R)%nat (fun g => home g =? q)%nat.
Proof.
  intros Hs Hq. destruct (Hsb q Hq) as [H1 H2 H3 H4 H5 H6 H7]. cbv beta in *. constructor; cbv beta.
  - intros i Hi. rewrite place_below by auto. now apply H1.
  - intros i Hi. rewrite place_below by auto. now apply H2.
  - intros i Hi. rewrite place_below by auto. now apply H3.
  - intros i g Hi. rewrite place_below by auto. now apply H4.
  - exact H5.
  - intros t i Ht Hi. rewrite firstn_length in Ht. rewrite during_firstn by lia. apply H6; [lia|assumption].
  - exact H7.
Qed.

Lemma block_in i : (i < length st)%nat -> (block i < B)%nat.
Proof.
  intros Hi. exact (sb_block _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb 0%nat HM) i Hi).
Qed.

Lemma one_at s q : (s <= n)%nat -> one_in_place unit occ st (firstn s cs) R block (place_of q) on.
Proof.
  intros Hs t i j Ht Hi Hj Hp E. rewrite firstn_length in Ht. rewrite at_time_firstn by lia. apply Hone; auto; [lia| |]; unfold place_of in *;
    destruct (Nat.eqb_spec (sm (block i)) q), (Nat.eqb_spec (sm (block j)) q); try lia.
Qed.

Lemma given_is q : length (filter (fun i => place_of q i <? R)%nat (seq 0 B)) = given q.
Proof.
  unfold given. f_equal. apply filter_ext_in. intros i Hi. apply in_seq in Hi. apply place_below. lia.
Qed.

(** A count of warps of some blocks. *)
Lemma warps_of (p : nat -> bool) m : (forall i, (i < B)%nat -> p i = true -> (length (filter (fun v => (block v =? i)%nat) warps) <= m)%nat) ->
  (length (filter (fun v => p (block v)) warps) <= length (filter p (seq 0 B)) * m)%nat.
Proof.
  intros H. apply Nat2Z.inj_le. rewrite Nat2Z.inj_mul, <- !sig_count, (sig_blocks block _ B) by (intros i Hi; apply in_seq in Hi; apply block_in; lia).
  rewrite Z.mul_comm, <- sig_mul. apply sig_le. intros i Hi. apply in_seq in Hi. destruct (p i) eqn:E; cbn [one].
  - specialize (H i ltac:(lia) E). apply inj_le in H. rewrite <- sig_count in H. etransitivity; [|rewrite Z.mul_1_r; exact H].
    apply sig_le. intros v _. destruct (Nat.eqb_spec (block v) i), (p (block v)); cbn; lia.
  - rewrite sig_zero; [lia|]. intros v _. destruct (Nat.eqb_spec (block v) i) as [->|]; [now rewrite E|]. now rewrite andb_false_r.
Qed.

Lemma all_warps q : (length (filter (fun v => (place_of q (block v) <? R)%nat) warps) <= given q * b)%nat.
Proof.
  rewrite <- given_is. apply (warps_of (fun i => place_of q i <? R)%nat b). intros i Hi _. now apply Hsize.
Qed.

Local Open Scope Z_scope.
Hypothesis HO : wO <= N * Z.of_nat A.
Hypothesis HOP : (2 <= R)%nat \/ wO + wP <= N * Z.of_nat A.
Variable DA : Z.
Hypothesis DA_A : N * Z.of_nat A <= DA.
Hypothesis DA_w : wO + wP <= DA.
(** No warp is worth more than om to a followed one of its multiprocessor, whatever their schedulers, where 1/d is wdA / N. *)
Variables (om wdA : Z).
Hypothesis wdA_pos : 0 <= wdA.
Hypothesis wdA_le : wdA <= N.
Hypothesis wdA_width : Z.of_nat width * wdA = N \/ wdA = 0 /\ forall g, (crowd g (map core st) <= width)%nat.
Hypothesis om_A : om <= N * Z.of_nat A.
Hypothesis om_all : forall q i, (q < M)%nat -> (i < length st)%nat ->
  weight unit occ shared wi wdA (fun g => home g =? q)%nat (U q) (nth_core i st) <= if (sm (block i) =? q)%nat then om else 0.

Notation memory := (memory_term J rate (fun j => pool j + to_ask asks j (map core st))%nat).
Notation P_place := (P_place N A F b be R hP wO wP).
Notation P_all := (P_all N F b be DA wO wP).
Notation Q_place := (Q_place N A b be R hP wO wP).
Notation Q_all := (Q_all N b be DA wO wP).
Notation P_any := (P_any N A F b R om).
Notation Q_any := (Q_any N A b R om).

Lemma stalls_bound : (gstalls cs <= memory)%nat.
Proof. exact (gstalled_cycles unit inst occ lo hi shared width J rate asks _ _ _ _ _ rate_pos Hr). Qed.

Lemma weights_pos : 0 <= wO /\ 0 <= wP.
Proof.
  pose proof (block_in w Hw) as Hb. destruct (Hplaces _ Hb) as [Hq _].
  destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb _ Hq) w Hw) as (_ & _ & _ & H1 & H2). rewrite Nat.eqb_refl in *. specialize (H2 eq_refl).
  pose proof (sharedZ_nonneg unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos (U (sm (block w))) (nth_core w st)).
  pose proof (privateZ_pos unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos (U (sm (block w))) (nth_core w st)). lia.
Qed.

Lemma sizes_pos : (1 <= b)%nat /\ (1 <= be)%nat.
Proof.
  pose proof (block_in w Hw) as Hb. destruct (Hplaces _ Hb) as [Hq _]. split; [destruct (Hsize _ Hb); lia|].
  pose proof (sb_share _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb _ Hq) (block w) (sched (nth_core w st)) Hb (Nat.eqb_refl _)) as Hs.
  assert (In w (filter (fun i => (block i =? block w)%nat && (sched (nth_core i st) =? sched (nth_core w st))%nat) warps)) as Hi
    by (apply filter_In; split; [apply in_seq; lia|now rewrite !Nat.eqb_refl]).
  destruct (filter _ warps); [elim Hi|]. cbn [length] in Hs. lia.
Qed.

Lemma w_mine : (place_of (sm (block w)) (block w) < R)%nat.
Proof. apply Nat.ltb_lt. rewrite place_below by exact (block_in w Hw). apply Nat.eqb_refl. Qed.

Lemma w_full t : (t < n)%nat -> on t (block w) = false -> forall p, (p < R)%nat ->
  exists i, (i < length st)%nat /\ place_of (sm (block w)) (block i) = p /\ on t (block i) = true /\ lives (At t) i.
Proof.
  intros Ht Ho p Hp. pose proof (block_in w Hw) as Hb. destruct (Hplaces _ Hb) as [Hq _].
  destruct (Hqueue t (block w) Ht Hb Ho _ p Hq Hp) as (v & H1 & H2 & H3 & H4 & H5). exists v. repeat split; auto.
  unfold place_of. now rewrite H2, Nat.eqb_refl.
Qed.

Lemma om_pos : 0 <= om.
Proof.
  pose proof (block_in w Hw) as Hb. destruct (Hplaces _ Hb) as [Hq _]. pose proof (om_all _ w Hq Hw) as H. rewrite Nat.eqb_refl in H.
  pose proof (charge_pos unit inst occ shared occ_pos N wi wdA N_pos wi_unit wdA_pos (fun g => home g =? sm (block w))%nat (U (sm (block w)))
    (fresh (sched (nth_core w st)) (code (nth_core w st)))) as H'. unfold CP.charge, CP.weight in *. cbn [fresh held CP.debt sched code] in H'. lia.
Qed.

Lemma small_any q i : (q < M)%nat -> (i < length st)%nat ->
  Grid.small unit occ hi shared wi wdA (fun g => home g =? q)%nat (U q) A F om (place_of q (block i) <? R)%nat (nth_core i st).
Proof.
  intros Hq Hi. destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb _ Hq) i Hi) as (H1 & H2 & H3 & _). repeat split; auto.
  rewrite place_below by auto using block_in. now apply om_all.
Qed.

Lemma cover_any q i : (q < M)%nat -> (i < length st)%nat -> (place_of q (block i) <? R)%nat = true ->
  (home (sched (nth_core i st)) =? q)%nat = true /\ forall y, In y (code (nth_core i st)) -> occurs (unit y) (U q) = true.
Proof.
  intros Hq Hi Hm. rewrite place_below in Hm by auto using block_in. split.
  - pose proof (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb _ Hq) i Hi) as H. cbv beta in H. now rewrite H.
  - now apply (sb_units _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb _ Hq) i Hi).
Qed.

(** P(x). *)
Lemma any_one : Z.of_nat n <= P_any (given (sm (block w))) + Z.of_nat memory.
Proof.
  pose proof (block_in w Hw) as Hb. set (q := sm (block w)) in *. destruct (Hplaces _ Hb) as [Hq _]. fold q in Hq.
  pose proof (blocks_at n q (Nat.le_refl _) Hq) as Hsq. rewrite firstn_all in Hsq.
  pose proof w_mine as Hmine. pose proof w_full as Hfull. fold q in Hmine, Hfull.
  destruct (ends_present unit inst occ lo hi shared width J rate asks N wi wd (U q) A F wO wP st pool cs st' pool' Hr B be R block (place_of q) on _ Hsq Hwidth
    w Hw Hmine Hissue Hfull) as [_ Hcode].
  pose proof (grid unit inst occ lo hi shared width J rate asks rate_pos occ_pos block N wi wdA N_pos wi_unit wdA_pos wdA_le (fun g => home g =? q)%nat (U q) A F om
    st pool cs st' pool' B R (place_of q) on w Hr) as G. cbv beta zeta in G. rewrite given_is in G.
  etransitivity; [apply G; clear G; auto|].
  - intros i Hi. now apply small_any.
  - intros i Hi Hm. now apply cover_any.
  - now apply Nat.ltb_lt.
  - exact block_in.
  - exact (sb_here _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq)).
  - exact (sb_stays _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq)).
  - apply Z.add_le_mono_r. unfold SpreadSeveral.P_any. cbv zeta. apply Z.add_le_mono_l, Z.div_le_mono; [assumption|].
    pose proof om_pos. pose proof (all_warps q) as Ha. fold q. apply Z.mul_le_mono_nonneg_r; [assumption|]. apply Z.sub_le_mono_r. apply inj_le. exact Ha.
Qed.

(** P'(x) and P''(x) for the blocks of its own multiprocessor. *)
Lemma spread_one : Z.of_nat n <= Z.min (P_place (given (sm (block w)))) (P_all (given (sm (block w)))) + Z.of_nat memory.
Proof.
  pose proof (block_in w Hw) as Hb. set (q := sm (block w)). destruct (Hplaces _ Hb) as [Hq _]. fold q in Hq.
  pose proof (blocks_at n q (Nat.le_refl _) Hq) as Hsq. pose proof (one_at n q (Nat.le_refl _)) as Hoq. rewrite firstn_all in Hsq, Hoq.
  pose proof w_mine as Hmine. pose proof w_full as Hfull. fold q in Hmine, Hfull.
  pose proof (ends_by_place unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le (U q) A F wO wP hP overhang_private
    st pool cs st' pool' Hr B be R block (place_of q) on _ Hsq Hoq Hwidth w Hw Hmine Hissue Hfull HR HO HOP) as H1.
  pose proof (ends_backwards unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le (U q) A F wO wP
    st pool cs st' pool' Hr B be R block (place_of q) on _ Hsq Hoq Hwidth w Hw Hmine Hissue Hfull DA HR DA_A DA_w) as H2.
  rewrite given_is in H1, H2. pose proof (all_warps q) as Ha. pose proof stalls_bound as Hs. destruct weights_pos as [HO0 HP0].
  set (W := length (filter (fun v => (place_of q (block v) <? R)%nat) warps)) in *. set (X := given q) in *.
  assert (Z.of_nat (n - gstalls cs) <= P_place X) as H1'.
  { etransitivity; [exact H1|]. unfold SpreadSeveral.P_place. cbv zeta. apply Z.add_le_mono_l, Z.div_le_mono; [assumption|].
    apply Z.add_le_mono_r, Z.mul_le_mono_nonneg_r; lia. }
  assert (Z.of_nat (n - gstalls cs) <= P_all X) as H2'.
  { etransitivity; [exact H2|]. unfold SpreadSeveral.P_all. apply Z.div_le_mono; [assumption|].
    apply Z.add_le_mono_r, Z.add_le_mono_l, Z.mul_le_mono_nonneg_r; lia. }
  lia.
Qed.

Lemma filter_or (l : list nat) (p : nat -> bool) q : (forall i, In i l -> p i = true -> (sm i =? q)%nat = true) -> (length (filter p l) <= length (filter (fun i => sm i =? q)%nat l))%nat.
Proof.
  intros H. apply Nat2Z.inj_le. rewrite <- !sig_count. apply sig_le. intros i Hi. specialize (H i Hi). destruct (p i); [rewrite H by reflexivity|destruct (sm i =? q)%nat]; cbn; lia.
Qed.

(** Of the other multiprocessors one has no more than its share of the other blocks. *)
Lemma fewest q : (2 <= M)%nat -> (q < M)%nat -> exists q2, (q2 < M)%nat /\ (given q2 <= (B - given q) / (M - 1))%nat.
Proof.
  intros H2 Hq. set (index i := if (sm i <? q)%nat then sm i else (sm i - 1)%nat).
  destruct (some_place index (M - 1) (filter (fun i => negb (sm i =? q)%nat) (seq 0 B)) ltac:(lia)) as (p & Hp & Hc).
  assert (length (filter (fun i => negb (sm i =? q)%nat) (seq 0 B)) = B - given q)%nat as El.
  { pose proof (filter_split (fun i => (sm i =? q)%nat) (seq 0 B)) as H. rewrite seq_length in H. unfold given. lia. }
  rewrite El in Hc. exists (if (p <? q)%nat then p else S p). split; [destruct (Nat.ltb_spec p q); lia|].
  etransitivity; [|exact Hc]. unfold given. apply Nat2Z.inj_le. rewrite <- !sig_count.
  assert (forall l : list nat, sumZ (map (fun i => one (sm i =? (if (p <? q)%nat then p else S p))%nat) l) <=
    sumZ (map (fun i => one (index i =? p)%nat) (filter (fun i => negb (sm i =? q)%nat) l))) as H.
  { induction l as [|i l IH]; [cbn; lia|]. cbn [map sumZ filter]. destruct (Nat.eqb_spec (sm i) q) as [E|E]; cbn [negb map sumZ].
    - assert ((sm i =? (if (p <? q)%nat then p else S p))%nat = false) as ->; [|cbn [one]; lia]. apply Nat.eqb_neq. destruct (Nat.ltb_spec p q); lia.
    - assert ((sm i =? (if (p <? q)%nat then p else S p))%nat = true -> (index i =? p)%nat = true) as Hi.
      { intros Hi. apply Nat.eqb_eq in Hi. apply Nat.eqb_eq. unfold index. destruct (Nat.ltb_spec p q), (Nat.ltb_spec (sm i) q); lia. }
      pose proof (one_pos (index i =? p)%nat).
      destruct (sm i =? (if (p <? q)%nat then p else S p))%nat; [rewrite Hi by reflexivity|]; cbn [one]; lia. }
  apply H.
Qed.

(** h + L + min(Q(y), Q'(y), Q''(y)), for y no less than the blocks of the multiprocessor with the fewest. *)
Lemma spread_other : (2 <= M)%nat -> let y := ((B - given (sm (block w))) / (M - 1))%nat in
  Z.of_nat n <= Z.of_nat h + Z.min (P_any R) (P_place R) + Z.min (Q_any y) (Z.min (Q_place y) (Q_all y)) + Z.of_nat memory.
Proof.
  intros HM2 y. pose proof om_pos as Hom0. pose proof (block_in w Hw) as Hb. set (q := sm (block w)) in *. destruct (Hplaces _ Hb) as [Hq _]. fold q in Hq.
  destruct weights_pos as [HO0 HP0], sizes_pos as [Hb1 Hbe1].
  assert (0 < n)%nat as Hn. { destruct cs; [|cbn [length]; lia]. cbn in Hissue. destruct w; now elim Hissue. }
  destruct (fewest q HM2 Hq) as (q2 & Hq2 & Hy). fold y in Hy.
  assert (Z.min (Q_any (given q2)) (Z.min (Q_place (given q2)) (Q_all (given q2))) <= Z.min (Q_any y) (Z.min (Q_place y) (Q_all y))) as HQ.
  { apply Z.min_le_compat; [now apply Q_any_mono with (be := be) (wO := wO) (wP := wP)|]. apply Z.min_le_compat; [apply Q_place_mono|apply Q_all_mono with (A := A) (R := R)]; auto. }
  assert (0 <= Z.min (Q_any (given q2)) (Z.min (Q_place (given q2)) (Q_all (given q2)))) as HQ0.
  { apply Z.min_glb; [now apply Q_any_pos with (be := be) (wO := wO) (wP := wP)|]. apply Z.min_glb; [apply Q_place_pos|apply Q_all_pos with (A := A) (R := R)]; auto. }
  set (Qb := Z.min (Q_any (given q2)) (Z.min (Q_place (given q2)) (Q_all (given q2)))) in *.
  set (Qy := Z.min (Q_any y) (Z.min (Q_place y) (Q_all y))) in *. clearbody Qy.
  assert (P_place R = Z.of_nat F + ((Z.of_nat (R * b) - 1) * wO + (Z.of_nat (R * be) - 1) * wP) / N) as EL.
  { unfold SpreadSeveral.P_place. cbv zeta. rewrite Nat.div_small by lia. change (1 - 1)%nat with 0%nat. cbn [Nat.mul Nat.add Z.of_nat].
    change (Z.of_nat 1) with 1. now rewrite Z.add_0_r. }
  assert (P_any R = Z.of_nat F + (Z.of_nat (R * b) - 1) * om / N) as EA.
  { unfold SpreadSeveral.P_any. cbv zeta. rewrite Nat.div_small by lia. reflexivity. }
  assert (0 <= P_any R) as HA0.
  { rewrite EA. apply Z.add_nonneg_nonneg; [lia|]. apply Z.div_pos; [|assumption]. assert (0 < R * b)%nat by (apply Nat.mul_pos_pos; lia).
    apply Z.mul_nonneg_nonneg; lia. }
  assert (0 <= P_place R) as HL0.
  { rewrite EL. apply Z.add_nonneg_nonneg; [lia|]. apply Z.div_pos; [|assumption].
    assert (0 < R * b /\ 0 < R * be)%nat as [H1 H2] by (split; apply Nat.mul_pos_pos; lia). apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia. }
  pose proof stalls_bound as Hst.
  (* the cycle in which the last block starts *)
  destruct (first_true (fun t => forallb (on t) (seq 0 B)) n) as (s & Hs & Hbefore & Hafter).
  { intros t Ht. rewrite forallb_forall in *. intros i Hi. apply (sb_stays _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq)). now apply Ht. }
  assert (forall t i, (s <= t < n)%nat -> (i < B)%nat -> on t i = true) as Hall.
  { intros t i Ht Hi. specialize (Hafter t Ht). cbv beta in Hafter. rewrite forallb_forall in Hafter. apply Hafter, in_seq. lia. }
  assert (forall t, (t < s)%nat -> exists i, (i < B)%nat /\ on t i = false) as Hwait.
  { intros t Ht. specialize (Hbefore t Ht). cbv beta in Hbefore. clear - Hbefore.
    assert (forall l, forallb (on t) l = false -> exists i, In i l /\ on t i = false) as H.
    { induction l as [|i l IH]; [discriminate|]. cbn [forallb]. destruct (on t i) eqn:E; cbn [andb]; intros H.
      - destruct (IH H) as (j & Hj & Ej). exists j. split; [now right|assumption].
      - exists i. split; [now left|assumption]. }
    destruct (H _ Hbefore) as (i & Hi & E). apply in_seq in Hi. exists i. split; [lia|assumption]. }
  destruct (run_split _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr s Hs) as (pool1 & Hr1 & Hr2).
  assert (length (firstn s cs) = s) as Hl1 by (rewrite firstn_length; lia).
  (* before *)
  assert (Z.of_nat (s - gstalls (firstn s cs)) <= Qb) as W1.
  { destruct (Nat.eq_dec s 0) as [E0|E0]; [rewrite E0 at 1; cbn; lia|].
    pose proof (blocks_at s q2 Hs Hq2) as Hsq. pose proof (one_at s q2 Hs) as Hoq.
    assert (forall t, (t < length (firstn s cs))%nat -> forall p, (p < R)%nat ->
      exists i, (i < length st)%nat /\ place_of q2 (block i) = p /\ on t (block i) = true /\ lives (at_time st (firstn s cs) t) i) as Hfull.
    { intros t Ht p Hp. rewrite Hl1 in Ht. destruct (Hwait t Ht) as (i & Hi & Ho). destruct (Hqueue t i ltac:(lia) Hi Ho q2 p Hq2 Hp) as (v & H1 & H2 & H3 & H4 & H5).
      exists v. rewrite at_time_firstn by lia. repeat split; auto. unfold place_of. now rewrite H2, Nat.eqb_refl. }
    pose proof (full_by_place unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le (U q2) A F wO wP hP overhang_private
      st pool (firstn s cs) _ pool1 Hr1 B be R block (place_of q2) on _ Hsq Hoq Hwidth ltac:(rewrite Hl1; lia) Hfull HR HO HOP) as H1.
    pose proof (full_backwards unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le (U q2) A F wO wP
      st pool (firstn s cs) _ pool1 Hr1 B be R block (place_of q2) on _ Hsq Hoq Hwidth ltac:(rewrite Hl1; lia) Hfull DA HR DA_A DA_w) as H2.
    pose proof (full unit inst occ lo hi shared width J rate asks occ_pos block N wi wdA N_pos wi_unit wdA_pos wdA_le (fun g => home g =? q2)%nat (U q2) A F om
      st pool (firstn s cs) _ pool1 B R (place_of q2) on Hr1) as H3. cbv beta zeta in H3.
    specialize (H3 ltac:(intros i Hi; now apply small_any) om_A ltac:(intros i Hi Hm; now apply cover_any) wdA_width HR block_in).
    specialize (H3 (sb_here _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsq) Hfull).
    rewrite given_is, Hl1 in H1, H2, H3. pose proof (all_warps q2) as Ha.
    set (W := length (filter (fun v => (place_of q2 (block v) <? R)%nat) warps)) in *. set (X := given q2) in *.
    apply Z.min_glb; [|apply Z.min_glb].
    - etransitivity; [exact H3|]. unfold SpreadSeveral.Q_any. cbv zeta. apply Z.add_le_mono_l, Z.div_le_mono; [assumption|].
      apply Z.mul_le_mono_nonneg_r; lia.
    - etransitivity; [exact H1|]. unfold SpreadSeveral.Q_place. cbv zeta. apply Z.add_le_mono_l, Z.div_le_mono; [assumption|].
      apply Z.add_le_mono_r, Z.mul_le_mono_nonneg_r; lia.
    - etransitivity; [exact H2|]. unfold SpreadSeveral.Q_all. apply Z.div_le_mono; [assumption|].
      apply Z.add_le_mono_r, Z.add_le_mono_l, Z.mul_le_mono_nonneg_r; lia. }
  pose proof (stalls_split s cs) as Hs1.
  destruct (le_lt_dec n (s + h)) as [Hshort|Hlong]; [lia|].
  (* after *)
  destruct (run_split _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr (s + h)%nat ltac:(lia)) as (pool2 & _ & Hr3).
  set (st2 := At (s + h)) in *. set (cs2 := skipn (s + h) cs) in *.
  assert (length cs2 = n - (s + h))%nat as Hl2 by apply skipn_length.
  assert (length st2 = length st) as Hlen2 by exact (At_length unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr (s + h)).
  assert (forall i, sched (nth_core i st2) = sched (nth_core i st)) as Hsched.
  { intros i. apply (At_sched unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr). lia. }
  pose proof (blocks_at n q (Nat.le_refl _) Hq) as Hsq. pose proof (one_at n q (Nat.le_refl _)) as Hoq. rewrite firstn_all in Hsq, Hoq.
  set (near := fun g => (home g =? q)%nat) in *.
  (* the last warp is there *)
  destruct (ends_present unit inst occ lo hi shared width J rate asks N wi wd (U q) A F wO wP st pool cs st' pool' Hr B be R block (place_of q) on near Hsq Hwidth
    w Hw w_mine Hissue w_full) as [_ Hcode].
  assert (forall t, (t < n)%nat -> code (nth_core w (At t)) <> []) as Hcodes.
  { intros t Ht. apply (at_time_code _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ w Hr t (n - 1)); [lia|exact Hcode]. }
  set (there i := (place_of q (block i) <? R)%nat && livesb (At s) i).
  set (g := sched (nth_core w st)).
  assert (home g = q) as Hg.
  { pose proof (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) w Hw) as H. cbv beta in H. fold q in H. rewrite Nat.eqb_refl in H. now apply Nat.eqb_eq in H. }
  assert (length (filter (fun i => (place_of q i <? R)%nat && aliveb unit occ st cs block s i) (seq 0 B)) <= R)%nat as Halive.
  { apply (alive_list unit occ st cs R block (place_of q) on Hoq _ s ltac:(lia)); [apply NoDup_filter, seq_NoDup|].
    intros i Hi. apply filter_In in Hi. destruct Hi as [Hi E]. apply in_seq in Hi. apply andb_true_iff in E. destruct E as [E1 E2].
    apply Nat.ltb_lt in E1. apply aliveb_iff in E2. repeat split; auto. apply Hall; lia. }
  assert (length (filter there warps) <= R * b)%nat as Hcount.
  { etransitivity; [|apply Nat.mul_le_mono_r; exact Halive]. etransitivity; [|apply warps_of; intros i Hi _; now apply Hsize].
    apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi E]. apply filter_In. split; [assumption|].
    unfold there in E. apply andb_true_iff in E. destruct E as [E1 E2]. rewrite E1. apply aliveb_iff. apply in_seq in Hi. apply livesb_iff in E2. exists i. repeat split; auto. lia. }
  assert (length (filter (fun i => there i && (sched (nth_core i st2) =? sched (nth_core w st2))%nat) warps) <= R * be)%nat as HcountP.
  { etransitivity; [|apply Nat.mul_le_mono_r; exact Halive]. apply Nat2Z.inj_le. rewrite Nat2Z.inj_mul, <- !sig_count.
    rewrite (sig_blocks block _ B) by (intros i Hi; apply in_seq in Hi; apply block_in; lia). rewrite Z.mul_comm, <- sig_mul. apply sig_le. intros i Hi. apply in_seq in Hi.
    destruct ((place_of q i <? R)%nat && aliveb unit occ st cs block s i) eqn:E; cbn [one].
    - apply andb_true_iff in E. destruct E as [E1 _]. rewrite place_below in E1 by lia.
      pose proof (sb_share _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) i g ltac:(lia) E1) as Hshare. apply inj_le in Hshare. rewrite <- sig_count in Hshare.
      rewrite Z.mul_1_r. etransitivity; [|exact Hshare]. apply sig_le. intros v _. rewrite !Hsched. fold g.
      destruct (there v), (block v =? i)%nat, (sched (nth_core v st) =? g)%nat; cbn; lia.
    - rewrite sig_zero; [lia|]. intros v Hv. apply in_seq in Hv. destruct (Nat.eqb_spec (block v) i) as [Ev|Ev]; [|now rewrite andb_false_r].
      destruct (there v) eqn:Et; [|reflexivity]. exfalso. unfold there in Et. rewrite Ev in Et. apply andb_true_iff in Et. destruct Et as [E1 E2]. rewrite E1 in E.
      cbn [andb] in E. apply not_true_iff_false in E. apply E. apply aliveb_iff. apply livesb_iff in E2. exists v. repeat split; auto. lia. }
  assert (forall i, (i < length st)%nat -> sharedZ (U q) (nth_core i st2) <= sharedZ (U q) (nth_core i st)) as Hfall.
  { intros i Hi. apply (At_inv unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr (fun v => sharedZ (U q) v <= sharedZ (U q) (nth_core i st)) i); [|lia|lia].
    intros v a f Ha H. pose proof (sharedZ_step unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (U q) v a Ha) as H'.
    assert (sharedZ (U q) (fstep unit occ v a f) = sharedZ (U q) (step unit occ v a)) as -> by (unfold fstep; now destruct f). lia. }
  assert (there w = true) as Hthere_w.
  { unfold there. rewrite place_below by assumption. fold q. rewrite Nat.eqb_refl. apply livesb_iff. left. apply Hcodes. lia. }
  assert (own occ hi (nth_core w st2) <= F)%nat as Hown.
  { apply (At_inv unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr (fun v => (own occ hi v <= F)%nat) w); [| |lia].
    - intros v a f Ha H. pose proof (own_frozen unit inst occ lo hi shared width asks occ_pos v a f Ha). lia.
    - destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) w Hw) as (Hf & _ & HF & _).
      assert (lat (nth_core w st) = O /\ held (nth_core w st) = []) as [E1 E2] by (rewrite Hf; split; reflexivity).
      unfold CP.own. rewrite E1, E2. cbn [longest]. destruct (code (nth_core w st)); lia. }
  assert (forall t, (t < length cs2)%nat -> here (nth w (during cs2 t) still) = true) as Hpres2.
  { intros t Ht. unfold cs2. rewrite during_skipn. rewrite (sb_here _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq)) by (assumption || lia). apply Hall; [lia|assumption]. }
  assert (code (nth_core w (at_time st2 cs2 (length cs2 - 1))) <> []) as Hlast2.
  { unfold st2, cs2. rewrite at_time_skipn by lia. rewrite skipn_length. apply Hcodes. lia. }
  assert (forall z, In z (code (nth_core w st2)) -> occurs (unit z) (U q) = true) as HunitsW.
  { intros z Hz. apply (sb_units _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) w Hw (Nat.eqb_refl _)).
    apply (At_code unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr (s + h)); [lia|assumption]. }
  assert (forall i, (i < length st)%nat -> there i = false -> sm (block i) = q -> gone 0 (nth_core i st2)) as Hgone.
  { intros i Hi Et E. unfold there in Et. rewrite place_below, E, Nat.eqb_refl in Et by auto using block_in. cbn [andb] in Et. destruct (livesb_false _ _ Et) as [Hc Hlat].
    rewrite <- (Nat.sub_diag h). unfold st2. rewrite <- at_time_skipn by lia.
    apply (at_time_gone unit inst occ lo hi shared width J rate asks i (At s) pool1 (skipn s cs) st' pool' Hr2 h h); [rewrite skipn_length; lia|].
    unfold gone. repeat split; auto.
    assert (SeveralGrid.held_over h (nth_core i (At s))) as Hh.
    { apply (At_inv unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr (SeveralGrid.held_over h) i); [| |lia].
      - intros v a f. now apply SeveralGrid.held_over_step.
      - destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) i Hi) as (Hf & _). unfold SeveralGrid.held_over. rewrite Hf. cbn. lia. }
    unfold SeveralGrid.held_over in Hh. lia. }
  assert (Z.of_nat (length cs2 - gstalls cs2) <= P_place R) as W3.
  { rewrite EL. pose proof (left_spread (U q) st2 pool2 cs2 st' pool' w there Hr3) as H. rewrite Hlen2 in H. cbv zeta in H.
    etransitivity; [apply H; clear H|apply Z.add_le_mono_l, Z.div_le_mono; [assumption|]].
    - exact Hw.
    - lia.
    - exact Hthere_w.
    - exact Hown.
    - exact Hpres2.
    - exact Hlast2.
    - exact HunitsW.
    - intros i Hi Et. unfold there in Et. apply andb_true_iff in Et. destruct Et as [E1 _]. rewrite place_below in E1 by auto using block_in.
      destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) i Hi) as (_ & _ & _ & H1 & _). rewrite E1 in H1. split; [specialize (Hfall i Hi); lia|].
      intros _. apply (At_private unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos (U q) A F wO wP st pool cs st' pool' Hr B be block on _ _ (Hsb q Hq));
        auto; lia.
    - intros i Hi Et. destruct (Nat.eq_dec (sm (block i)) q) as [E|E].
      + pose proof (Hgone i Hi Et E) as Hg0.
        pose proof (gone_charge unit occ shared wi wd far (U q) _ Hg0) as H0. unfold Pinned.sharedZ at 1. rewrite H0. split; [lia|right].
        destruct Hg0 as (H1 & _ & H3). split; [assumption|]. apply private_zero; [assumption|].
        pose proof (longest_private_le shared (held (nth_core i st2))). lia.
      + destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) i Hi) as (_ & _ & _ & H1 & _).
        destruct (Nat.eqb_spec (sm (block i)) q) as [|_]; [contradiction|]. split; [specialize (Hfall i Hi); lia|left].
        rewrite !Hsched. intros Eg. pose proof (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) i Hi) as Hnear. cbv beta in Hnear.
        rewrite Eg in Hnear. fold g in Hnear. rewrite Hg, Nat.eqb_refl in Hnear. symmetry in Hnear. apply Nat.eqb_eq in Hnear. contradiction.
    - destruct Hwidth as [Hw1|[Hw1 Hw2]]; [now left|right]. split; [assumption|]. lia.
    - apply Z.add_le_mono; apply Z.mul_le_mono_nonneg_r; lia. }
  assert (forall i, (i < length st)%nat -> charge unit occ shared wi wdA (fun g => home g =? q)%nat (U q) (nth_core i st2) <=
    weight unit occ shared wi wdA (fun g => home g =? q)%nat (U q) (nth_core i st)) as HfallA.
  { intros i Hi. apply (At_inv unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr
      (fun v => charge unit occ shared wi wdA (fun g => home g =? q)%nat (U q) v <= weight unit occ shared wi wdA (fun g => home g =? q)%nat (U q) (nth_core i st)) i); [| |lia].
    - intros v a f Ha H. etransitivity; [|exact H].
      exact (worth_mono unit inst occ lo hi shared width J rate asks occ_pos N wi wdA N_pos wi_unit wdA_pos (fun g => home g =? q)%nat (U q) (FWarp v Other) (Doing a f true) Ha).
    - destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hsb q Hq) i Hi) as (Hf & _). unfold CP.charge. rewrite Hf at 2 3. cbn [fresh held sched CP.debt]. lia. }
  assert (Z.of_nat (length cs2 - gstalls cs2) <= P_any R) as W4.
  { rewrite EA. pose proof (left_over unit inst occ lo hi shared width J rate asks occ_pos N wi wdA N_pos wi_unit wdA_pos wdA_le A F om
      (fun g => home g =? q)%nat (U q) there st2 pool2 cs2 st' pool' w Hr3) as H. rewrite Hlen2 in H.
    etransitivity; [apply H; clear H|apply Z.add_le_mono_l, Z.div_le_mono; [assumption|]].
    - intros i Hi. specialize (HfallA i Hi). specialize (om_all q i Hq Hi). destruct (there i) eqn:Et.
      + unfold there in Et. apply andb_true_iff in Et. destruct Et as [E1 _]. rewrite place_below in E1 by auto using block_in. rewrite E1 in om_all. exact (Z.le_trans _ _ _ HfallA om_all).
      + destruct (Nat.eqb_spec (sm (block i)) q) as [E|E]; [|exact (Z.le_trans _ _ _ HfallA om_all)].
        rewrite (gone_charge unit occ shared wi wdA); [apply Z.le_refl|now apply Hgone].
    - apply Hown.
    - fold g. rewrite Hsched. fold g. rewrite Hg. apply Nat.eqb_refl.
    - exact HunitsW.
    - destruct wdA_width as [H|[H1 H2]]; [now left|right]. split; [assumption|]. intros g0.
      assert (crowd g0 (map core st2) = crowd g0 (map core st)) as ->; [|apply H2].
      unfold crowd. clear - Hlen2 Hsched. revert Hlen2 Hsched. generalize st2. clear. intros l2 Hl Hs.
      revert l2 Hl Hs; induction st as [|v l IH]; intros [|v2 l2] Hl Hs; cbn [length] in *; try lia. cbn [map filter].
      pose proof (Hs 0%nat) as H0. cbn [nth] in H0. rewrite H0. specialize (IH l2 ltac:(lia) (fun i => Hs (S i))). destruct (_ =? _)%nat; cbn [length]; lia.
    - exact Hw.
    - exact Hthere_w.
    - exact Hpres2.
    - exact Hlast2.
    - apply Z.mul_le_mono_nonneg_r; [assumption|]. lia. }
  pose proof (stalls_split (s + h) cs) as Hs2. fold cs2 in Hs2.
  assert (gstalls (firstn s cs) <= gstalls (firstn (s + h) cs))%nat as Hmono.
  { clear. revert s; induction cs as [|c cs0 IH]; intros [|s]; cbn [firstn gstalls Nat.add]; try lia. specialize (IH s). lia. }
  clear - HQ W1 W3 W4 Hs1 Hs2 Hmono Hl2 Hst Hlong. clearbody Qb cs2. lia.
Qed.

Lemma P_place_room x : (x <= R)%nat -> P_place x <= P_place R.
Proof.
  intros Hx. destruct weights_pos as [HO0 HP0]. unfold SpreadSeveral.P_place. cbv zeta. rewrite !Nat.div_small by lia.
  apply Z.add_le_mono_l, Z.div_le_mono; [assumption|]. assert (x * b <= R * b /\ x * be <= R * be)%nat as [H1 H2] by (split; apply Nat.mul_le_mono_r; lia).
  apply Z.add_le_mono; apply Z.mul_le_mono_nonneg_r; lia.
Qed.

Lemma P_any_room x : (x <= R)%nat -> P_any x <= P_any R.
Proof.
  intros Hx. pose proof om_pos. unfold SpreadSeveral.P_any. cbv zeta. rewrite !Nat.div_small by lia.
  apply Z.add_le_mono_l, Z.div_le_mono; [assumption|]. assert (x * b <= R * b)%nat by (apply Nat.mul_le_mono_r; lia).
  apply Z.mul_le_mono_nonneg_r; lia.
Qed.

(** The whole bound, where x is how many of the blocks are given to the multiprocessor of w: so n is no more than the largest of these over x. *)
Theorem spread_grid : exists x, (1 <= x <= B)%nat /\ (M = 1%nat -> x = B) /\
  Z.of_nat n <= Z.min (P_any x) (Z.min (P_place x) (P_all x)) + Z.of_nat memory /\
  ((x <= R)%nat -> Z.of_nat n <= Z.min (P_any R) (P_place R) + Z.of_nat memory) /\
  ((2 <= M)%nat -> let y := ((B - x) / (M - 1))%nat in
    Z.of_nat n <= Z.of_nat h + Z.min (P_any R) (P_place R) + Z.min (Q_any y) (Z.min (Q_place y) (Q_all y)) + Z.of_nat memory).
Proof.
  exists (given (sm (block w))). pose proof (block_in w Hw) as Hb. pose proof spread_one as H1. pose proof any_one as H0. split; [|split; [|split; [lia|split; [|exact spread_other]]]].
  - unfold given. split.
    + assert (In (block w) (filter (fun i => (sm i =? sm (block w))%nat) (seq 0 B))) as Hi by (apply filter_In; split; [apply in_seq; lia|apply Nat.eqb_refl]).
      destruct (filter _ (seq 0 B)); [elim Hi|]. cbn [length]. lia.
    + pose proof (filter_split (fun i => (sm i =? sm (block w))%nat) (seq 0 B)) as H. rewrite seq_length in H. lia.
  - intros E. unfold given. rewrite <- (seq_length B 0) at 2. f_equal.
    assert (forall l, (forall i, In i l -> (sm i =? sm (block w))%nat = true) -> filter (fun i => (sm i =? sm (block w))%nat) l = l) as H.
    { induction l as [|i l IH]; intros H; [reflexivity|]. cbn [filter]. rewrite (H i (or_introl eq_refl)). f_equal. apply IH. intros j Hj. apply H. now right. }
    apply H. intros i Hi. apply in_seq in Hi. apply Nat.eqb_eq. destruct (Hplaces i ltac:(lia)), (Hplaces _ Hb). lia.
  - intros Hx. pose proof (P_place_room _ Hx). pose proof (P_any_room _ Hx). lia.
Qed.
End Grid.
End Several.
