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
  assert (y / R <= y' / R)%nat as Hk by (apply Nat.div_le_mono; lia). assert (y' / R - y / R <= y' - y)%nat as Hd.
  { replace y' with (y + (y' - y))%nat at 1 by lia. generalize (y' - y)%nat. intros m. induction m as [|m IH]; [rewrite Nat.add_0_r; lia|].
    assert ((y + S m) / R <= S ((y + m) / R))%nat; [|lia].
    pose proof (Nat.div_mod (y + S m) R ltac:(lia)). pose proof (Nat.div_mod (y + m) R ltac:(lia)). pose proof (Nat.mod_upper_bound (y + m) R ltac:(lia)). nia. }
  set (k := (y / R)%nat) in *. set (k' := (y' / R)%nat) in *.
  assert (wP * 1 <= Z.of_nat ((R - 1) * be) * wP \/ wO + wP <= N * Z.of_nat A) as HD.
  { destruct HOP as [H2|H2]; [left|now right]. assert (1 <= (R - 1) * be)%nat by nia. nia. }
  clearbody k k'. rewrite !Nat2Z.inj_add, !Nat2Z.inj_mul in *. set (r := Z.of_nat (R - 1) * Z.of_nat be) in *.
  assert (0 <= r) by (unfold r; nia).
  assert (exists p p', Z.of_nat (pred k) = p /\ Z.of_nat (pred k') = p' /\ p <= p' /\ p' - p <= Z.of_nat k' - Z.of_nat k /\ 0 <= p /\
    (Z.of_nat k' - Z.of_nat k <= p' - p \/ (p = 0 /\ Z.of_nat k = 0))) as (p & p' & -> & -> & Hp & Hp' & Hp0 & Hpk) by (exists (Z.of_nat (pred k)), (Z.of_nat (pred k')); lia).
  assert (exists d, Z.of_nat k' = Z.of_nat k + d /\ 0 <= d) as (d & Ed & Hd0) by (exists (Z.of_nat k' - Z.of_nat k); lia).
  assert (exists c, Z.of_nat y' = Z.of_nat y + d + c /\ 0 <= c) as (c & Ec & Hc0) by (exists (Z.of_nat y' - Z.of_nat y - d); lia).
  rewrite Ec, Ed in *.
  assert (0 <= c * (Z.of_nat b * wO + Z.of_nat be * wP)) by (apply Z.mul_nonneg_nonneg; nia).
  assert (0 <= d * ((Z.of_nat b - 1) * wO + (Z.of_nat be - 1) * wP)) by (apply Z.mul_nonneg_nonneg; nia).
  assert (0 <= d * (N * Z.of_nat A)) by (apply Z.mul_nonneg_nonneg; nia).
  assert (0 <= (p' - p) * (N * Z.of_nat h)) by (apply Z.mul_nonneg_nonneg; nia).
  assert (0 <= (p' - p) * (r * wP)) by (apply Z.mul_nonneg_nonneg; nia). lia.
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
End Several.
