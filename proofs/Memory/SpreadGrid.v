(** A grid whose warps are spread over the schedulers (docs/machines.md, Spread warps): P'(x) and P''(x) for a multiprocessor that is given x
    of the blocks, in R places, and Q'(y) and Q''(y) for one that is full; with memory servers, and with units that are held for longer than
    the least latency. In P' and Q' the blocks of one place are followed, and in P'' and Q'' one warp after the other, backwards. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP CPBarriers Pinned.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP Followed Grid SpreadAccount SpreadFollow.

(** Private units that a warp still holds, for how long. *)
Fixpoint longest_private (shared : nat -> bool) (h : list (nat * nat)) : nat :=
  match h with (u, r) :: h => Nat.max (if shared u then 0 else r) (longest_private shared h) | [] => 0 end.

Lemma longest_private_age shared h : longest_private shared (age h) = pred (longest_private shared h).
Proof. induction h as [|(u, r) h IH]; [reflexivity|]. cbn [age map longest_private fst snd] in *. unfold age in IH. rewrite IH. destruct (shared u); lia. Qed.

Lemma longest_private_debt shared wi s h : longest_private shared h = 0 -> debtP shared wi s h = 0%Z.
Proof.
  induction h as [|(u, r) h IH]; [reflexivity|]. cbn [longest_private debtP fold_right fst snd]. intros H. fold (debtP shared wi s h).
  rewrite IH by lia. destruct (shared u); cbn [negb andb]; [reflexivity|]. replace r with 0 by lia. now destruct (occurs u s).
Qed.

Lemma longest_private_le shared h : longest_private shared h <= longest h.
Proof. induction h as [|(u, r) h IH]; cbn [longest_private longest]; [lia|]. destruct (shared u); lia. Qed.

Definition livesb (st : list fwarp) (i : nat) : bool :=
  match code (core (nth i st idle_warp)) with [] => 0 <? lat (core (nth i st idle_warp)) | _ => true end.

Lemma livesb_iff st i : livesb st i = true <-> lives st i.
Proof.
  unfold livesb, lives. destruct (code (core (nth i st idle_warp))).
  - rewrite Nat.ltb_lt. split; [auto|]. intros [H|H]; [congruence|assumption].
  - split; [left; discriminate|reflexivity].
Qed.

Lemma livesb_false st i : livesb st i = false -> code (core (nth i st idle_warp)) = [] /\ lat (core (nth i st idle_warp)) = 0.
Proof. unfold livesb. destruct (code (core (nth i st idle_warp))); [|discriminate]. intros H. apply Nat.ltb_ge in H. split; [reflexivity|lia]. Qed.

Section Grid.
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
Notation privateOn := (privateOn unit occ shared wi wd U).
Notation phi := (phi unit occ shared wi wd U).
Notation base := (base unit occ hi shared N wi wd U).
Notation nth_core i st := (core (nth i st idle_warp)).
Variables (A F : nat) (wO wP : Z).
Notation spread_blocks := (spread_blocks unit occ hi shared wi wd U A F wO wP).

(** h is no less than n - lo of any letter of a private unit: a hold outlasts its latency by h at most. *)
Variable h : nat.
Hypothesis overhang : forall x, shared (unit x) = false -> occ x <= lo x + h.

Definition held_over (v : warp) : Prop := longest_private shared (held v) <= lat v + h.

Lemma held_over_step v a f : able lo hi v a -> held_over v -> held_over (fstep unit occ v a f).
Proof.
  unfold held_over, MemoryRuns.fstep, step. intros Ha H. destruct a as [l|].
  - destruct Ha as [Hl Hr]. destruct (code v) as [|x s]; [tauto|]. pose proof (overhang x).
    destruct f; cbn [held lat code sched longest_private]; rewrite longest_private_age; destruct (shared (unit x)); lia.
  - destruct f, (code v); cbn [held lat code sched]; rewrite longest_private_age; lia.
Qed.

Section Run.
Variables (st : list fwarp) (pool : nat -> nat) (cs : list gcycle) (st' : list fwarp) (pool' : nat -> nat).
Hypothesis Hr : grun st pool cs st' pool'.
(** The multiprocessor has the places below R. *)
Variables (B be R : nat) (block place : nat -> nat) (on : nat -> nat -> bool) (near : nat -> bool).
Notation mine := (fun b => place b <? R).
Hypothesis Hsb : spread_blocks st cs B be block on mine near.
Let n := length cs.
Notation At t := (at_time unit occ st cs t).
Notation warps := (seq 0 (length st)).

(** A block takes its place when no other one is there that has not ended. *)
Definition one_in_place : Prop := forall t i j, t < length cs -> i < length st -> j < length st ->
  place (block i) < R -> place (block i) = place (block j) -> on t (block i) = true -> on t (block j) = true ->
  lives (At t) i -> lives (At t) j -> block i = block j.
Hypothesis Hplace : one_in_place.

Lemma lives_back i t t' : t <= t' <= n -> lives (At t') i -> lives (At t) i.
Proof. exact (at_time_lives _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ i Hr t t'). Qed.

Lemma stays t t' b : t <= t' -> on t b = true -> on t' b = true.
Proof. induction 1; auto. intros. apply (sb_stays _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb). auto. Qed.

Lemma block_below i : i < length st -> block i < B.
Proof. apply (sb_block _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb). Qed.

(** No more than R blocks are there at once and have not ended. *)
Lemma alive_list l t : t < n -> NoDup l ->
  (forall b, In b l -> place b < R /\ on t b = true /\ exists i, i < length st /\ block i = b /\ lives (At t) i) -> length l <= R.
Proof.
  intros Ht Hd H. rewrite <- (map_length place). rewrite <- (seq_length R 0). apply NoDup_incl_length.
  - clear - Hd H Ht Hplace. induction Hd as [|b l Hb Hd IH]; cbn [map]; constructor.
    + intros Hin. apply in_map_iff in Hin. destruct Hin as (b' & E & Hb'). destruct (H b (or_introl eq_refl)) as (H1 & H2 & i & Hi & <- & Hl).
      destruct (H b' (or_intror Hb')) as (_ & H2' & j & Hj & <- & Hl'). elim Hb. now rewrite (Hplace t i j) by auto.
    + apply IH. intros b' Hb'. apply H. now right.
  - intros p Hp. apply in_map_iff in Hp. destruct Hp as (b & <- & Hb). apply in_seq. destruct (H b Hb) as (H1 & _). lia.
Qed.

Definition aliveb (t b : nat) : bool := existsb (fun i => (block i =? b) && livesb (At t) i) warps.

Lemma aliveb_iff t b : aliveb t b = true <-> exists i, i < length st /\ block i = b /\ lives (At t) i.
Proof.
  unfold aliveb. rewrite existsb_exists. split.
  - intros (i & Hi & E). apply in_seq in Hi. apply andb_true_iff in E. destruct E as [E1 E2]. apply Nat.eqb_eq in E1. apply livesb_iff in E2. exists i. repeat split; auto. lia.
  - intros (i & Hi & <- & Hl). exists i. split; [apply in_seq; lia|]. rewrite Nat.eqb_refl. now apply livesb_iff.
Qed.

(** The width limits, or no more warps are on a scheduler at once than it has slots. *)
Hypothesis Hwidth : (Z.of_nat width * wd = N)%Z \/ wd = 0%Z /\ R * be <= width.

Lemma wide_at t g : t < n -> near g = true -> (Z.of_nat width * wd = N)%Z \/
  wd = 0%Z /\ length (filter (contends g (At t) (during cs t)) warps) <= width.
Proof.
  intros Ht Hg. destruct Hwidth as [H|[H1 H2]]; [now left|right]. split; [assumption|]. etransitivity; [|exact H2].
  apply Nat2Z.inj_le. rewrite <- sig_count, (sig_blocks block _ B) by (intros i Hi; apply in_seq in Hi; apply block_below; lia).
  apply Z.le_trans with (sumZ (map (fun b => (Z.of_nat be * one ((place b <? R)%nat && on t b && aliveb t b))%Z) (seq 0 B))).
  - apply sig_le. intros b Hb. apply in_seq in Hb.
    assert (forall i, In i warps -> contends g (At t) (during cs t) i && (block i =? b) = true ->
      (sched (nth_core i st) =? g) = true /\ block i = b /\ (place b <? R) && on t b && aliveb t b = true) as Hc.
    { intros i Hi E. apply in_seq in Hi. apply andb_true_iff in E. destruct E as [E1 E2]. apply Nat.eqb_eq in E2. unfold contends in E1.
      apply andb_true_iff in E1. destruct E1 as [E1 E3]. apply andb_true_iff in E1. destruct E1 as [E1 E4].
      rewrite (At_sched unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr) in E1 by (unfold n in Ht; lia).
      rewrite (sb_here _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb t i) in E4 by (assumption || lia).
      repeat split; [assumption|assumption|]. subst b. rewrite E4.
      assert ((place (block i) <? R) = true) as ->.
      { rewrite <- (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb i) by lia. apply Nat.eqb_eq in E1. now rewrite E1. }
      cbn [andb]. apply aliveb_iff. exists i. repeat split; auto; [lia|]. left. now destruct (code (nth_core i (At t))). }
    destruct ((place b <? R) && on t b && aliveb t b) eqn:E; cbn [one].
    + rewrite Z.mul_1_r, sig_count. apply inj_le. apply andb_true_iff in E. destruct E as [E _]. apply andb_true_iff in E. destruct E as [E _].
      rewrite <- (sb_share _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb b g ltac:(lia) E).
      apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Ei].
      destruct (Hc i Hi Ei) as (E1 & <- & _). apply filter_In. now rewrite E1, Nat.eqb_refl.
    + rewrite sig_zero; [lia|]. intros i Hi. destruct (contends g (At t) (during cs t) i && (block i =? b)) eqn:Ec; [|reflexivity].
      destruct (Hc i Hi Ec) as (_ & _ & E'). congruence.
  - rewrite sig_mul, sig_count. assert (length (filter (fun b => (place b <? R) && on t b && aliveb t b) (seq 0 B)) <= R); [|nia].
    apply (alive_list _ t Ht); [apply NoDup_filter, seq_NoDup|]. intros b Hb. apply filter_In in Hb. destruct Hb as [_ E].
    apply andb_true_iff in E. destruct E as [E E3]. apply andb_true_iff in E. destruct E as [E1 E2]. apply Nat.ltb_lt in E1. apply aliveb_iff in E3. auto.
Qed.

Lemma phi_pos g X f s : (0 <= phi g X f s)%Z.
Proof.
  apply sig_pos. intros j _. pose proof (privateOn_nonneg unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos U g (nth_core j s)).
  destruct (match f j with Other => X j | _ => false end); lia.
Qed.

(** The cycle in which a block starts. *)
Definition since (b : nat) : nat := length (filter (fun t => negb (on t b)) (seq 0 n)).

Lemma since_iff t b : t < n -> on t b = (since b <=? t).
Proof.
  intros Ht. destruct (first_true (fun u => on u b) n (fun u => sb_stays _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb u b)) as (s & Hs & H1 & H2).
  assert (since b = s) as ->.
  { unfold since. transitivity (length (seq 0 s)); [f_equal|apply seq_length]. replace n with (s + (n - s)) by lia. rewrite seq_app, filter_app.
    assert (forall l (p : nat -> bool), (forall x, In x l -> p x = true) -> filter p l = l) as Ht1.
    { induction l as [|x l IH]; intros p H; [reflexivity|]. cbn [filter]. rewrite (H x (or_introl eq_refl)). f_equal. apply IH. intros y Hy. apply H. now right. }
    assert (forall l (p : nat -> bool), (forall x, In x l -> p x = false) -> filter p l = []) as Ht2.
    { induction l as [|x l IH]; intros p H; [reflexivity|]. cbn [filter]. rewrite (H x (or_introl eq_refl)). apply IH. intros y Hy. apply H. now right. }
    rewrite Ht1, Ht2; [apply app_nil_r| |].
    - intros x Hx. apply in_seq in Hx. rewrite H2 by lia. reflexivity.
    - intros x Hx. apply in_seq in Hx. rewrite H1 by lia. reflexivity. }
  destruct (Nat.leb_spec s t); [apply H2; lia|apply H1; lia].
Qed.

(** A warp that has ended gives its private units back within h cycles. *)
Lemma ended_quiet i e t : e <= t <= n -> livesb (At e) i = false ->
  (longest_private shared (held (nth_core i (At e))) <= t - e) -> code (nth_core i (At t)) = [] /\ longest_private shared (held (nth_core i (At t))) = 0.
Proof.
  intros Ht Hl Hh. destruct (livesb_false _ _ Hl) as [Hc _].
  assert (forall k, e + k <= n -> code (nth_core i (At (e + k))) = [] /\
    longest_private shared (held (nth_core i (At (e + k)))) <= longest_private shared (held (nth_core i (At e))) - k) as H.
  { induction k as [|k IH]; intros Hk; [rewrite Nat.add_0_r; split; [assumption|lia]|]. destruct (IH ltac:(lia)) as [H1 H2].
    replace (e + S k) with (S (e + k)) by lia.
    destruct (cycle_at _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr (e + k) ltac:(unfold n in Hk; lia)) as (pool1 & (Hle & (Ha & _) & _) & E).
    rewrite E, gnext_nth by assumption. unfold Followed.gstep. cbn [core]. pose proof (able_at_index lo hi shared J rate asks i _ _ Ha Hle) as Hab.
    fold (during cs (e + k)) in Hab. unfold fstep, step. rewrite H1.
    destruct (act (nth i (during cs (e + k)) still)) as [l|]; [destruct Hab as [_ Hab]; now rewrite H1 in Hab|].
    destruct (ice _); cbn [code held sched lat]; rewrite longest_private_age; split; (reflexivity || lia). }
  destruct (H (t - e) ltac:(lia)) as [H1 H2]. replace (e + (t - e)) with t in * by lia. split; [assumption|lia].
Qed.

Lemma private_zero g v : code v = [] -> longest_private shared (held v) = 0 -> privateOn g v = 0%Z.
Proof.
  intros H1 H2. unfold Pinned.privateOn. rewrite privateZ_is, H1. cbn [map sumZ]. rewrite longest_private_debt by assumption. now destruct (_ =? _).
Qed.

Lemma held_over_at i t : i < length st -> t <= n -> held_over (nth_core i (At t)).
Proof.
  intros Hi Ht. apply (At_inv unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr held_over i held_over_step);
    [|assumption].
  destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb i Hi) as (Hf & _). unfold held_over. rewrite Hf. cbn. lia.
Qed.

(** ** The blocks of one place *)
Section Place.
Variables (fol : nat -> nat) (last : nat -> bool).
Local Open Scope Z_scope.
Hypothesis wP_pos : 0 <= wP.
Hypothesis some : (0 < n)%nat.
Hypothesis Hfol : forall t, (t < n)%nat -> (fol t < length st)%nat /\ (place (block (fol t)) < R)%nat /\ on t (block (fol t)) = true /\ lives (At t) (fol t).
Hypothesis Hlast : forall t i, (t < n)%nat -> (i < length st)%nat -> last i = true -> code (nth_core i (At t)) <> [].
Hypothesis Hstart : forall t, (S t < n)%nat -> fol (S t) = fol t \/ on t (block (fol (S t))) = false.
Hypothesis Hone : forall t t', (t < n)%nat -> (t' < n)%nat -> block (fol t) = block (fol t') -> fol t = fol t'.

Notation K := (K_ st cs fol).
Notation x := (length (filter mine (seq 0 B))).

Lemma Hfol' t : (t < n)%nat -> (fol t < length st)%nat /\ (place (block (fol t)) <? R)%nat = true /\ on t (block (fol t)) = true /\
  (last (fol t) = true \/ code (nth_core (fol t) (At t)) <> [] \/ 0 < lat (nth_core (fol t) (At t)) \/ 0 < longest (held (nth_core (fol t) (At t))))%nat.
Proof.
  intros Ht. destruct (Hfol t Ht) as (H1 & H2 & H3 & H4). repeat split; auto; [now apply Nat.ltb_lt|]. right. unfold lives in H4. tauto.
Qed.

Lemma near_fol t : (t < n)%nat -> near (sched (nth_core (fol t) st)) = true.
Proof.
  intros Ht. destruct (Hfol t Ht) as (H1 & H2 & _). rewrite (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb) by assumption. now apply Nat.ltb_lt.
Qed.

Let D := Z.of_nat ((R - 1) * be) * wP.
Let e t := since (block (fol t)).
Let dead t i := negb (livesb (At (e t)) i).
Let prep t := if (fol t =? fol 0)%nat then 0%nat else (h - (t - e t))%nat.

Lemma place_cost : N * Z.of_nat (n - gstalls cs) <= base (role_of cs fol last) st + (Z.of_nat x * Z.of_nat be - Z.of_nat K) * wP +
  (Z.of_nat K - 1) * (D + N * Z.of_nat h).
Proof.
  apply (one_by_one unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le U A F wO wP st pool cs st' pool' Hr
    B be block on mine near Hsb fol last wP_pos some Hfol' Hlast Hstart Hone) with (dead := dead) (prep := prep).
  - intros t Ht. apply wide_at; [assumption|now apply near_fol].
  - unfold D. apply Z.mul_nonneg_nonneg; [apply Nat2Z.is_nonneg|assumption].
  - unfold prep. now rewrite Nat.eqb_refl.
  - intros t Ht E. unfold prep, dead, e. rewrite E. split; [|reflexivity]. destruct (fol t =? fol 0)%nat; [lia|].
    assert (since (block (fol t)) <= t)%nat; [|lia]. destruct (Hfol t ltac:(lia)) as (_ & _ & Hon & _). rewrite since_iff in Hon by lia. now apply Nat.leb_le in Hon.
  - intros t Ht E. split; [unfold prep; destruct (_ =? _)%nat; lia|].
    destruct (Hfol (S t) Ht) as (Hi & Hp & Hon & Hl). destruct (Hstart t Ht) as [Es|Es]; [congruence|].
    assert (e (S t) = S t) as Ee.
    { unfold e. rewrite since_iff in Hon, Es by lia. apply Nat.leb_le in Hon. apply Nat.leb_gt in Es. lia. }
    cbv beta. match goal with |- _ <= ?p + D => assert (0 <= p) by apply phi_pos end. apply Z.le_trans with D; [|lia].
    etransitivity.
    + apply (phi_blocks unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos U A F wO wP st pool cs st' pool' Hr B be block on mine near Hsb
        (role_of cs fol last) wP_pos (sched (nth_core (fol (S t)) st)) (S t) _ (fun b => on t b && aliveb (S t) b) (fun _ => false)); [exact (Nat.lt_le_incl _ _ Ht)| |discriminate|now apply near_fol].
      intros i Hil HX. apply andb_true_iff in HX. destruct HX as [H1 H2]. rewrite H1. cbn [andb]. apply aliveb_iff. exists i. repeat split; auto.
      apply livesb_iff. unfold dead in H2. rewrite Ee, negb_involutive in H2. exact H2.
    + apply Z.le_trans with (sumZ (map (fun b => Z.of_nat be * wP * one ((place b <? R)%nat && (on t b && aliveb (S t) b))) (seq 0 B))).
      * apply sig_le. intros b _. destruct ((place b <? R)%nat && (on t b && aliveb (S t) b)); cbn [one]; lia.
      * rewrite sig_mul, sig_count. unfold D.
        assert (length (filter (fun b => (place b <? R)%nat && (on t b && aliveb (S t) b)) (seq 0 B)) <= R - 1)%nat as Hn.
        2:{ apply inj_le in Hn. rewrite Nat2Z.inj_mul. assert (0 <= Z.of_nat be * wP) by (apply Z.mul_nonneg_nonneg; lia). nia. }
        assert (length (block (fol (S t)) :: filter (fun b => (place b <? R)%nat && (on t b && aliveb (S t) b)) (seq 0 B)) <= R)%nat as Hc; [|cbn [length] in Hc; lia].
        apply (alive_list _ (S t) Ht).
        -- constructor; [|apply NoDup_filter, seq_NoDup]. intros Hin. apply filter_In in Hin. destruct Hin as [_ Hin]. rewrite Es in Hin. now rewrite andb_false_r in Hin.
        -- intros b [<-|Hb]; [repeat split; auto; exists (fol (S t)); auto|]. apply filter_In in Hb. destruct Hb as [_ Hb]. apply andb_true_iff in Hb. destruct Hb as [H1 H2].
           apply andb_true_iff in H2. destruct H2 as [H2 H3]. apply Nat.ltb_lt in H1. apply aliveb_iff in H3. repeat split; auto. now apply (stays t (S t)); [lia|].
  - intros t i Ht Hp Hi Hon Hd. right. left. unfold dead in Hd. apply negb_true_iff in Hd.
    assert (e t <= t)%nat as Het.
    { destruct (Hfol t Ht) as (_ & _ & Ho & _). rewrite since_iff in Ho by assumption. now apply Nat.leb_le in Ho. }
    destruct (ended_quiet i (e t) t) as [H1 H2]; [unfold n in *; lia|assumption| |split; [assumption|now apply private_zero]].
    unfold prep in Hp. destruct (Nat.eqb_spec (fol t) (fol 0)) as [E|E].
    + assert (e t = 0)%nat as ->.
      { unfold e. rewrite E. destruct (Hfol 0%nat some) as (_ & _ & Ho & _). rewrite since_iff in Ho by assumption. apply Nat.leb_le in Ho. lia. }
      change (At 0) with st. destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb i Hi) as (Hf & _). rewrite Hf. cbn. lia.
    + pose proof (held_over_at i (e t) Hi ltac:(unfold n in *; lia)) as Hh. unfold held_over in Hh. destruct (livesb_false _ _ Hd) as [_ El]. lia.
Qed.
End Place.

(** The warps with the last results of the blocks of one place, in the first s cycles. *)
Lemma follow_place p s : p < R -> s <= n ->
  (forall t, t < s -> exists i, i < length st /\ place (block i) = p /\ on t (block i) = true /\ lives (At t) i) ->
  exists fol phi_, (forall t, t < s -> fol t < length st /\ place (block (fol t)) = p /\ on t (block (fol t)) = true /\ lives (At t) (fol t) /\ fol t = phi_ (block (fol t))) /\
    (forall t, S t < s -> fol (S t) = fol t \/ on t (block (fol (S t))) = false).
Proof.
  intros Hp Hs Hfull.
  assert (exists phi_ : nat -> nat, forall b, b < B -> (forall t i, t < s -> i < length st -> block i = b -> ~ lives (At t) i) \/
    phi_ b < length st /\ block (phi_ b) = b /\ forall t i', t < s -> i' < length st -> block i' = b -> lives (At t) i' -> lives (At t) (phi_ b)) as (ph & Hph).
  { generalize B. induction B0 as [|b (ph & IH)]; [exists (fun _ => 0); lia|].
    destruct (last_result unit inst occ lo hi shared width J rate asks block st pool cs st' pool' b s Hr Hs) as [H|(i & H1 & H2 & H3)].
    - exists ph. intros b' Hb'. destruct (Nat.eq_dec b' b) as [->|Hb]; [now left|apply IH; lia].
    - exists (fun b' => if b' =? b then i else ph b'). intros b' Hb'. destruct (Nat.eqb_spec b' b) as [->|Hb]; [right; auto|apply IH; lia]. }
  set (here_ t i := (place (block i) =? p) && on t (block i) && livesb (At t) i).
  set (fol t := match find (here_ t) warps with Some i => ph (block i) | None => 0 end).
  assert (forall t, t < s -> exists i, i < length st /\ place (block i) = p /\ on t (block i) = true /\ lives (At t) i /\ fol t = ph (block i)) as Hf.
  { intros t Ht. destruct (Hfull t Ht) as (i & Hi & H1 & H2 & H3). unfold fol. destruct (find (here_ t) warps) as [j|] eqn:E.
    - apply find_some in E. destruct E as [Hj E]. apply in_seq in Hj. unfold here_ in E. apply andb_true_iff in E. destruct E as [E E3]. apply andb_true_iff in E. destruct E as [E1 E2].
      apply Nat.eqb_eq in E1. apply livesb_iff in E3. exists j. repeat split; auto. lia.
    - pose proof (find_none _ _ E i ltac:(apply in_seq; lia)) as H4. unfold here_ in H4.
      rewrite H1, Nat.eqb_refl, H2 in H4. apply livesb_iff in H3. now rewrite H3 in H4. }
  assert (forall t, t < s -> fol t < length st /\ place (block (fol t)) = p /\ on t (block (fol t)) = true /\ lives (At t) (fol t) /\ fol t = ph (block (fol t))) as Hf'.
  { intros t Ht. destruct (Hf t Ht) as (i & Hi & H1 & H2 & H3 & E). destruct (Hph (block i) (block_below i Hi)) as [H|(H4 & H5 & H6)]; [elim (H t i Ht Hi eq_refl H3)|].
    rewrite E, H5. repeat split; auto. now apply (H6 t i). }
  exists fol, ph. split; [exact Hf'|]. intros t Ht. destruct (Hf' t ltac:(lia)) as (I1 & I2 & I3 & I4 & I5), (Hf' (S t) Ht) as (J1 & J2 & J3 & J4 & J5).
  destruct (on t (block (fol (S t)))) eqn:Eon; [left|now right]. rewrite I5, J5. f_equal.
  apply (Hplace t); auto; [unfold n in *; lia|congruence|congruence|]. apply (lives_back _ t (S t)); [lia|assumption].
Qed.

(** ** One warp after the other, backwards *)

Definition has (s : list fwarp) (i : nat) : Prop := code (nth_core i s) <> [] \/ 0 < lat (nth_core i s) \/ 0 < longest (held (nth_core i s)).

Lemma has_dec s i : has s i \/ ~ has s i.
Proof.
  unfold has. destruct (code (nth_core i s)); [|left; left; discriminate]. destruct (lat (nth_core i s)); [|left; right; left; lia].
  destruct (longest (held (nth_core i s))); [right|left; right; right; lia]. intros [H|[H|H]]; [now apply H|lia|lia].
Qed.

Lemma has_back i t t' : t <= t' <= n -> has (At t') i -> has (At t) i.
Proof.
  intros [Hle Ht]. induction Hle as [|t' Hle IH]; [auto|]. intros H. apply IH; [lia|].
  destruct (cycle_at _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr t' ltac:(unfold n in Ht; lia)) as (pool1 & (Hl & (Ha & _) & _) & E).
  unfold has in *. rewrite E, gnext_nth in H by assumption. unfold Followed.gstep in H. cbn [core] in H.
  pose proof (able_at_index lo hi shared J rate asks i _ _ Ha Hl) as Hab. fold (during cs t') in Hab, H.
  revert H. unfold fstep, step. destruct (act (nth i (during cs t') still)) as [l|].
  - destruct Hab as [_ Hab]. destruct (code (nth_core i (At t'))); [tauto|]. intros _. left. discriminate.
  - destruct (ice (nth i (during cs t') still)), (code (nth_core i (At t'))); cbn [code lat held sched]; rewrite longest_age; intros [H|[H|H]];
      try (left; discriminate); try congruence; right; lia.
Qed.

Lemma no_private g i s : ~ has s i -> privateOn g (nth_core i s) = 0%Z.
Proof.
  intros H. unfold has in H. apply private_zero.
  - destruct (code (nth_core i s)); [reflexivity|elim H; left; discriminate].
  - pose proof (longest_private_le shared (held (nth_core i s))). destruct (longest (held (nth_core i s))); [lia|elim H; right; right; lia].
Qed.

(** The next followed warp, on g, comes after cycle t: it is on the scheduler of i, or nothing is left on g. *)
Definition link (t g i : nat) : Prop :=
  sched (nth_core i st) = g \/ forall j, j < length st -> on t (block j) = true -> sched (nth_core j st) = g -> ~ has (At (S t)) j.

Lemma find_left t g : (exists j, j < length st /\ on t (block j) = true /\ sched (nth_core j st) = g /\ has (At (S t)) j) \/
  forall j, j < length st -> on t (block j) = true -> sched (nth_core j st) = g -> ~ has (At (S t)) j.
Proof.
  generalize (length st). induction n0 as [|m [(j & Hj & H)|H]]; [right; lia|left; exists j; split; [lia|assumption]|].
  destruct (on t (block m)) eqn:E1, (Nat.eq_dec (sched (nth_core m st)) g) as [E2|E2], (has_dec (At (S t)) m) as [E3|E3];
    try (left; exists m; repeat split; auto; fail); right; intros j Hj Ho Hg Hh; (destruct (Nat.eq_dec j m); [subst j; congruence|apply (H j); auto; lia]).
Qed.

Lemma follow_back e : forall g0, e <= n -> near g0 = true ->
  (forall t, t < e -> exists i, i < length st /\ place (block i) < R /\ on t (block i) = true /\ lives (At t) i) ->
  exists fol, (forall t, t < e -> fol t < length st /\ place (block (fol t)) < R /\ on t (block (fol t)) = true /\ has (At t) (fol t)) /\
    (forall t, S t < e -> fol (S t) = fol t \/ on t (block (fol (S t))) = false /\ link t (sched (nth_core (fol (S t)) st)) (fol t)) /\
    (forall t t', t < e -> t' < e -> block (fol t) = block (fol t') -> fol t = fol t') /\
    (forall t, e = S t -> link t g0 (fol t)).
Proof.
  induction e as [e IH] using (well_founded_induction lt_wf). intros g0 He Hg Hfull. destruct e as [|e].
  - exists (fun _ => 0). repeat split; lia.
  - assert (exists i, i < length st /\ place (block i) < R /\ on e (block i) = true /\ (forall t, t <= e -> has (At t) i) /\ link e g0 i) as (i & Hi & Hp & Ho & Hh & Hl).
    { destruct (find_left e g0) as [(j & Hj & H1 & H2 & H3)|H].
      - exists j. split; [assumption|]. split; [|split; [assumption|split; [|now left]]].
        + apply Nat.ltb_lt. rewrite <- (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb j) by assumption. now rewrite H2.
        + intros t Ht. apply (has_back j t (S e)); [lia|assumption].
      - destruct (Hfull e ltac:(lia)) as (i & Hi & H1 & H2 & H3). exists i. split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [|now right].
        intros t Ht. apply (has_back i t e); [lia|]. unfold lives in H3. unfold has. tauto. }
    rewrite since_iff in Ho by lia. apply Nat.leb_le in Ho. set (e2 := since (block i)) in *.
    assert (near (sched (nth_core i st)) = true) as Hn by (rewrite (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb i) by assumption; now apply Nat.ltb_lt).
    destruct (IH e2 ltac:(lia) (sched (nth_core i st)) ltac:(lia) Hn ltac:(intros t Ht; apply Hfull; lia)) as (fol & F1 & F2 & F3 & F4).
    assert (forall t, t < n -> on t (block i) = (e2 <=? t)) as Hon by (intros; now apply since_iff).
    exists (fun t => if t <? e2 then fol t else i). split; [|split; [|split]].
    + intros t Ht. destruct (Nat.ltb_spec t e2) as [H|H]; [now apply F1|]. repeat split; auto; [|apply Hh; lia].
      rewrite Hon by lia. apply Nat.leb_le. lia.
    + intros t Ht. destruct (Nat.ltb_spec (S t) e2) as [H|H], (Nat.ltb_spec t e2) as [H'|H']; [now apply F2|lia| |now left].
      right. split; [rewrite Hon by lia; apply Nat.leb_gt; lia|]. apply F4. lia.
    + assert (forall t, t < e2 -> block (fol t) <> block i) as Hne.
      { intros t Ht E. destruct (F1 t Ht) as (_ & _ & H & _). rewrite E, Hon in H by lia. apply Nat.leb_le in H. lia. }
      intros t t' Ht Ht'. destruct (Nat.ltb_spec t e2) as [H|H], (Nat.ltb_spec t' e2) as [H'|H']; auto; intros E.
      * now elim (Hne t H).
      * elim (Hne t' H'). congruence.
    + intros t E. assert (t = e) by lia. subst t. destruct (Nat.ltb_spec e e2); [lia|assumption].
Qed.

Section Back.
Variables (fol : nat -> nat) (last : nat -> bool).
Local Open Scope Z_scope.
Hypothesis wP_pos : 0 <= wP.
Hypothesis some : (0 < n)%nat.
Hypothesis Hfol : forall t, (t < n)%nat -> (fol t < length st)%nat /\ (place (block (fol t)) < R)%nat /\ on t (block (fol t)) = true /\ has (At t) (fol t).
Hypothesis Hlast : forall t i, (t < n)%nat -> (i < length st)%nat -> last i = true -> code (nth_core i (At t)) <> [].
Hypothesis Hstart : forall t, (S t < n)%nat -> fol (S t) = fol t \/ on t (block (fol (S t))) = false /\ link t (sched (nth_core (fol (S t)) st)) (fol t).
Hypothesis Hone : forall t t', (t < n)%nat -> (t' < n)%nat -> block (fol t) = block (fol t') -> fol t = fol t'.

Lemma back_fol t : (t < n)%nat -> (fol t < length st)%nat /\ (place (block (fol t)) <? R)%nat = true /\ on t (block (fol t)) = true /\
  (last (fol t) = true \/ code (nth_core (fol t) (At t)) <> [] \/ 0 < lat (nth_core (fol t) (At t)) \/ 0 < longest (held (nth_core (fol t) (At t))))%nat.
Proof.
  intros Ht. destruct (Hfol t Ht) as (H1 & H2 & H3 & H4). repeat split; auto. now apply Nat.ltb_lt.
Qed.

Lemma back_cost : N * Z.of_nat (n - gstalls cs) <= base (role_of cs fol last) st +
  (Z.of_nat (length (filter mine (seq 0 B))) * Z.of_nat be - Z.of_nat (K_ st cs fol)) * wP + (Z.of_nat (K_ st cs fol) - 1) * (0 + N * Z.of_nat 0).
Proof.
  apply (one_by_one unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le U A F wO wP st pool cs st' pool' Hr
    B be block on mine near Hsb fol last wP_pos some back_fol Hlast) with (dead := fun _ _ => false) (prep := fun _ => 0%nat); try (intros; reflexivity || discriminate || lia).
  - intros t Ht. destruct (Hstart t Ht) as [H|[H _]]; auto.
  - exact Hone.
  - intros t Ht. apply wide_at; [assumption|]. destruct (Hfol t Ht) as (H1 & H2 & _).
    rewrite (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb) by assumption. now apply Nat.ltb_lt.
  - intros t Ht E. split; [cbn; lia|reflexivity].
  - intros t Ht E. split; [lia|]. rewrite Z.add_0_r. destruct (Hstart t Ht) as [Es|[_ [Es|Es]]]; [congruence| |].
    + cbv beta. rewrite Es. apply Z.le_refl.
    + cbv beta. match goal with |- _ <= ?p => assert (0 <= p) by apply phi_pos end. etransitivity; [|eassumption].
      apply Z.eq_le_incl, sig_zero. intros i Hi. rewrite At_length with (1 := Hr) in Hi. apply in_seq in Hi. destruct (role_of cs fol last i); try reflexivity.
      destruct (on t (block i)) eqn:Eo; [|reflexivity]. cbn [andb negb].
      destruct (Nat.eq_dec (sched (nth_core i st)) (sched (nth_core (fol (S t)) st))) as [Eg|Eg].
      * apply no_private, Es; auto. lia.
      * unfold Pinned.privateOn. rewrite (At_sched unit inst occ lo hi shared width J rate asks st pool cs st' pool' Hr) by (unfold n in Ht; lia).
        now destruct (Nat.eqb_spec (sched (nth_core i st)) (sched (nth_core (fol (S t)) st))).
Qed.
End Back.

(** ** The bounds *)
Local Open Scope Z_scope.
Notation x := (length (filter mine (seq 0 B))).
Notation all := (length (filter (fun i => (place (block i) <? R)%nat) warps)).
Notation memory := (memory_term J rate (fun j => pool j + to_ask asks j (map core st))%nat).

Lemma mine_pos i : (i < length st)%nat -> (place (block i) < R)%nat -> 0 <= wO /\ 0 <= wP.
Proof.
  intros Hi Hm. destruct (sb_small _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb i Hi) as (_ & _ & _ & H1 & H2). cbv beta in *.
  apply Nat.ltb_lt in Hm. rewrite Hm in *. specialize (H2 eq_refl).
  pose proof (sharedZ_nonneg unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos U (nth_core i st)).
  pose proof (privateZ_pos unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos U (nth_core i st)). lia.
Qed.

(** No more warps are followed than blocks. *)
Lemma K_le fol : (forall t, (t < n)%nat -> (fol t < length st)%nat /\ (place (block (fol t)) < R)%nat) ->
  (forall t t', (t < n)%nat -> (t' < n)%nat -> block (fol t) = block (fol t') -> fol t = fol t') -> (K_ st cs fol <= x)%nat.
Proof.
  intros Hf Hone. unfold K_. rewrite <- (map_length block). apply NoDup_incl_length.
  - assert (forall i, In i (filter (followed_ever cs fol) warps) -> exists t, (t < n)%nat /\ fol t = i) as H.
    { intros i Hi. apply filter_In in Hi. destruct Hi as [_ Hi]. now apply ever_iff. }
    assert (NoDup (filter (followed_ever cs fol) warps)) as Hd by apply NoDup_filter, seq_NoDup.
    revert H Hd. generalize (filter (followed_ever cs fol) warps). induction l as [|i l IH]; intros H Hd; cbn [map]; constructor; inversion Hd; subst.
    + intros Hin. apply in_map_iff in Hin. destruct Hin as (j & E & Hj). destruct (H i (or_introl eq_refl)) as (t & Ht & <-), (H j (or_intror Hj)) as (t' & Ht' & <-).
      rewrite (Hone t' t) in Hj by auto. contradiction.
    + apply IH; auto. intros j Hj. apply H. now right.
  - intros b Hb. apply in_map_iff in Hb. destruct Hb as (i & <- & Hi). apply filter_In in Hi. destruct Hi as [Hi Ei]. apply in_seq in Hi.
    apply ever_iff in Ei. destruct Ei as (t & Ht & <-). destruct (Hf t Ht) as [H1 H2]. apply filter_In. split; [|now apply Nat.ltb_lt].
    apply in_seq. pose proof (block_below (fol t) H1). lia.
Qed.

(** *** P'(x) and P''(x) *)
Section Ends.
(** The cycles are those up to the last issue of warp w. While its block waits, each place has a block that has not ended. *)
Variable w : nat.
Hypothesis Hw : (w < length st)%nat.
Hypothesis Hmine : (place (block w) < R)%nat.
Hypothesis Hissue : act (nth w (during cs (length cs - 1)) still) <> None.
Hypothesis Hfull : forall t, (t < length cs)%nat -> on t (block w) = false -> forall p, (p < R)%nat ->
  exists i, (i < length st)%nat /\ place (block i) = p /\ on t (block i) = true /\ lives (At t) i.

Lemma ends_some : (0 < n)%nat.
Proof. unfold n. destruct cs; [|cbn [length]; lia]. cbn in Hissue. destruct w; now elim Hissue. Qed.

Lemma ends_present : on (n - 1)%nat (block w) = true /\ code (nth_core w (At (n - 1))) <> [].
Proof.
  pose proof ends_some as Hn.
  destruct (cycle_at _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr (n - 1) ltac:(unfold n in *; lia)) as (pool1 & (Hl & (Ha & _) & _) & _).
  pose proof (able_nth lo hi w _ _ Ha ltac:(rewrite views_length by assumption; now rewrite At_length with (1 := Hr))) as H.
  rewrite views_at, acts_at in H by (assumption || now rewrite At_length with (1 := Hr)). fold (during cs (n - 1)) in H.
  rewrite (sb_here _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb) in H by (assumption || (unfold n in *; lia)).
  destruct (act (nth w (during cs (n - 1)) still)) as [l|] eqn:E; [|now elim Hissue].
  destruct (on (n - 1)%nat (block w)); cbn [seen] in H; [|cbn in H; tauto]. split; [reflexivity|]. destruct H as [_ H]. now destruct (code (nth_core w (At (n - 1)))).
Qed.

Lemma ends_code t : (t < n)%nat -> code (nth_core w (At t)) <> [].
Proof. intros Ht. apply (at_time_code _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ w Hr t (n - 1)); [unfold n in *; lia|apply ends_present]. Qed.

Lemma ends_since t : (t < n)%nat -> on t (block w) = (since (block w) <=? t)%nat.
Proof. apply since_iff. Qed.

Lemma since_below : (since (block w) < n)%nat.
Proof. pose proof ends_some as H0. pose proof (proj1 ends_present) as H. rewrite ends_since in H by lia. apply Nat.leb_le in H. lia. Qed.

(** The last warp is followed from the start of its block on. *)
Lemma last_count fol : (forall t, (since (block w) <= t)%nat -> fol t = w) ->
  length (filter (fun i => followed_ever cs fol i && (i =? w)%nat) warps) = 1%nat.
Proof.
  intros H. apply Nat.le_antisymm.
  - change 1%nat with (length [w]). apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros j Hj. apply filter_In in Hj. destruct Hj as [_ Hj].
    apply andb_true_iff in Hj. destruct Hj as [_ Hj]. apply Nat.eqb_eq in Hj. subst. now left.
  - assert (In w (filter (fun i => followed_ever cs fol i && (i =? w)%nat) warps)) as Hi.
    { apply filter_In. split; [apply in_seq; lia|]. rewrite Nat.eqb_refl, andb_true_r. apply existsb_exists. exists (since (block w)).
      split; [apply in_seq; pose proof since_below; unfold n in *; lia|]. rewrite H by lia. apply Nat.eqb_refl. }
    destruct (filter (fun i => followed_ever cs fol i && (i =? w)%nat) warps); [elim Hi|]. cbn [length]. lia.
Qed.

Lemma stalled_cycles_bound : (forall j, (j < J)%nat -> (1 <= rate j)%nat) -> (gstalls cs <= memory)%nat.
Proof. intros Hrate. exact (gstalled_cycles unit inst occ lo hi shared width J rate asks _ _ _ _ _ Hrate Hr). Qed.

Lemma ends_by_place : (0 < R)%nat -> wO <= N * Z.of_nat A -> (2 <= R)%nat \/ wO + wP <= N * Z.of_nat A ->
  let K := S ((x - 1) / R) in
  Z.of_nat (n - gstalls cs) <= Z.of_nat ((K - 1) * (A + h) + F) +
    ((Z.of_nat all - Z.of_nat K) * wO + (Z.of_nat (x * be) - Z.of_nat K + Z.of_nat ((K - 1) * ((R - 1) * be))) * wP) / N.
Proof.
  intros HR HO HOP K. destruct (mine_pos w Hw Hmine) as [HO0 HP0]. pose proof ends_some as Hn. pose proof since_below as Hs. set (s := since (block w)) in *.
  set (bs0 := filter (fun b => negb (b =? block w)%nat) (filter mine (seq 0 B))).
  destruct (some_place place R bs0 HR) as (p & Hp & Hcount). set (bs := filter (fun b => (place b =? p)%nat) bs0) in *.
  destruct (follow_place p s Hp ltac:(lia)) as (fol1 & ph & F1 & F2).
  { intros t Ht. apply Hfull; [unfold n in *; lia| |assumption]. rewrite ends_since by lia. apply Nat.leb_gt. lia. }
  set (fol t := if (t <? s)%nat then fol1 t else w).
  assert (forall t, (t < n)%nat -> on t (block w) = (s <=? t)%nat) as Hon by exact ends_since.
  assert (forall t, (t < s)%nat -> block (fol1 t) <> block w) as Hne.
  { intros t Ht E. destruct (F1 t Ht) as (_ & _ & H & _). rewrite E, Hon in H by lia. apply Nat.leb_le in H. lia. }
  assert (forall t, (t < n)%nat -> (fol t < length st)%nat /\ (place (block (fol t)) < R)%nat /\ on t (block (fol t)) = true /\ lives (At t) (fol t)) as Hfol.
  { intros t Ht. unfold fol. destruct (Nat.ltb_spec t s) as [H|H]; [destruct (F1 t H) as (H1 & H2 & H3 & H4 & _); repeat split; auto; lia|].
    repeat split; auto; [rewrite Hon by assumption; now apply Nat.leb_le|]. left. now apply ends_code. }
  assert (forall t i, (t < n)%nat -> (i < length st)%nat -> (i =? w)%nat = true -> code (nth_core i (At t)) <> []) as Hlast.
  { intros t i Ht Hi E. apply Nat.eqb_eq in E. subst. now apply ends_code. }
  assert (forall t, (S t < n)%nat -> fol (S t) = fol t \/ on t (block (fol (S t))) = false) as Hstart.
  { intros t Ht. unfold fol. destruct (Nat.ltb_spec (S t) s), (Nat.ltb_spec t s); [now apply F2|lia| |now left].
    right. rewrite Hon by lia. apply Nat.leb_gt. lia. }
  assert (forall t t', (t < n)%nat -> (t' < n)%nat -> block (fol t) = block (fol t') -> fol t = fol t') as Hone.
  { intros t t' Ht Ht'. unfold fol. destruct (Nat.ltb_spec t s) as [H|H], (Nat.ltb_spec t' s) as [H'|H']; intros E; auto.
    - destruct (F1 t H) as (_ & _ & _ & _ & ->), (F1 t' H') as (_ & _ & _ & _ & ->). now rewrite E.
    - now elim (Hne t H).
    - elim (Hne t' H'). congruence. }
  pose proof (place_cost fol (fun i => (i =? w)%nat) HP0 Hn Hfol Hlast Hstart Hone) as Hmain.
  pose proof (base_bound unit occ hi shared N wi wd N_pos U A F wO wP st cs B be block on mine near Hsb fol (fun i => (i =? w)%nat) Hn
    (Hfol' fol (fun i => (i =? w)%nat) Hfol) 1%nat) as Hbase.
  specialize (Hbase ltac:(apply last_count; intros t Ht; unfold fol; destruct (Nat.ltb_spec t s); [lia|reflexivity])).
  pose proof (K_pos unit occ st cs block on mine fol (fun i => (i =? w)%nat) Hn (Hfol' fol (fun i => (i =? w)%nat) Hfol)) as Hk1.
  pose proof (be_pos unit occ hi shared wi wd U A F wO wP st cs B be block on mine near Hsb fol (fun i => (i =? w)%nat) Hn
    (Hfol' fol (fun i => (i =? w)%nat) Hfol)) as Hbe.
  assert (K_ st cs fol <= K)%nat as HkK.
  { apply Nat.le_trans with (length (w :: map ph bs)).
    - unfold K_. apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros i Hi. apply filter_In in Hi. destruct Hi as [_ Hi].
      apply ever_iff in Hi. destruct Hi as (t & Ht & <-). unfold fol. destruct (Nat.ltb_spec t s) as [H|H]; [right|now left].
      destruct (F1 t H) as (H1 & H2 & _ & _ & ->). apply in_map. unfold bs, bs0. apply filter_In. split; [|now apply Nat.eqb_eq].
      apply filter_In. split; [|apply negb_true_iff, Nat.eqb_neq; now apply Hne]. apply filter_In. split; [|apply Nat.ltb_lt; lia].
      apply in_seq. pose proof (block_below (fol1 t) H1). lia.
    - cbn [length]. rewrite map_length. unfold K. assert (length bs0 <= x - 1)%nat as Hb0.
      { pose proof (filter_split (fun b => (b =? block w)%nat) (filter mine (seq 0 B)) : (length (filter (fun b => (b =? block w)%nat) (filter mine (seq 0 B))) + length bs0 = x)%nat) as Hfl.
        assert (In (block w) (filter (fun b => (b =? block w)%nat) (filter mine (seq 0 B)))) as Hi.
        { apply filter_In. split; [|apply Nat.eqb_refl]. apply filter_In. split; [|now apply Nat.ltb_lt]. apply in_seq. pose proof (block_below w Hw). lia. }
        destruct (filter (fun b => (b =? block w)%nat) (filter mine (seq 0 B))); [elim Hi|]. cbn [length] in Hfl. lia. }
      assert (length bs0 / R <= (x - 1) / R)%nat by (apply Nat.div_le_mono; lia). lia. }
  set (k := K_ st cs fol) in *. set (X := x) in *. set (W := all) in *. set (g := gstalls cs) in *.
  assert (Z.of_nat (n - g) - Z.of_nat ((K - 1) * (A + h) + F) <=
    ((Z.of_nat W - Z.of_nat K) * wO + (Z.of_nat (X * be) - Z.of_nat K + Z.of_nat ((K - 1) * ((R - 1) * be))) * wP) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|].
  set (D := Z.of_nat ((R - 1) * be) * wP) in *.
  assert (0 <= N * Z.of_nat A + D + N * Z.of_nat h - wO - wP) as Hc.
  { assert (0 <= N * Z.of_nat h) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= D) by (unfold D; apply Z.mul_nonneg_nonneg; [apply Nat2Z.is_nonneg|assumption]).
    destruct HOP as [H2|H2]; [|lia]. assert (wP <= D); [|lia]. unfold D. assert (0 < (R - 1) * be)%nat by (apply Nat.mul_pos_pos; lia).
    rewrite <- (Z.mul_1_l wP) at 1. apply Z.mul_le_mono_nonneg_r; lia. }
  assert (exists d, Z.of_nat K = Z.of_nat k + d /\ 0 <= d) as (d & Ed & Hd) by (exists (Z.of_nat K - Z.of_nat k); lia).
  assert (Z.of_nat ((K - 1) * (A + h) + F) = (Z.of_nat K - 1) * (Z.of_nat A + Z.of_nat h) + Z.of_nat F) as E1.
  { rewrite Nat2Z.inj_add, Nat2Z.inj_mul, Nat2Z.inj_sub, Nat2Z.inj_add by (unfold K; lia). reflexivity. }
  assert (Z.of_nat ((K - 1) * ((R - 1) * be)) * wP = (Z.of_nat K - 1) * D) as E2.
  { unfold D. rewrite Nat2Z.inj_mul, Nat2Z.inj_sub by lia. lia. }
  assert (0 <= d * (N * Z.of_nat A + D + N * Z.of_nat h - wO - wP)) by (apply Z.mul_nonneg_nonneg; assumption).
  rewrite E1, (Nat2Z.inj_mul X be), (Z.mul_add_distr_r _ _ wP), E2, Ed. clearbody k D W X g n. clear - Hmain Hbase H Hk1. lia.
Qed.

Lemma ends_backwards DA : (0 < R)%nat -> N * Z.of_nat A <= DA -> wO + wP <= DA ->
  Z.of_nat (n - gstalls cs) <= ((Z.of_nat x - 1) * DA + N * Z.of_nat F + (Z.of_nat all - Z.of_nat x) * wO + (Z.of_nat (x * be) - Z.of_nat x) * wP) / N.
Proof.
  intros HR HA HO. destruct (mine_pos w Hw Hmine) as [HO0 HP0]. pose proof ends_some as Hn. pose proof since_below as Hs. set (s := since (block w)) in *.
  assert (near (sched (nth_core w st)) = true) as Hnear.
  { rewrite (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb w) by assumption. now apply Nat.ltb_lt. }
  assert (forall t, (t < n)%nat -> on t (block w) = (s <=? t)%nat) as Hon by exact ends_since.
  destruct (follow_back s (sched (nth_core w st)) ltac:(lia) Hnear) as (fol1 & F1 & F2 & F3 & F4).
  { intros t Ht. destruct (Hfull t ltac:(unfold n in *; lia) ltac:(rewrite Hon by lia; apply Nat.leb_gt; lia) 0%nat HR) as (i & H1 & H2 & H3 & H4).
    exists i. repeat split; auto. lia. }
  set (fol t := if (t <? s)%nat then fol1 t else w).
  assert (forall t, (t < s)%nat -> block (fol1 t) <> block w) as Hne.
  { intros t Ht E. destruct (F1 t Ht) as (_ & _ & H & _). rewrite E, Hon in H by lia. apply Nat.leb_le in H. lia. }
  assert (forall t, (t < n)%nat -> (fol t < length st)%nat /\ (place (block (fol t)) < R)%nat /\ on t (block (fol t)) = true /\ has (At t) (fol t)) as Hfol.
  { intros t Ht. unfold fol. destruct (Nat.ltb_spec t s) as [H|H]; [now apply F1|].
    repeat split; auto; [rewrite Hon by assumption; now apply Nat.leb_le|]. left. now apply ends_code. }
  assert (forall t i, (t < n)%nat -> (i < length st)%nat -> (i =? w)%nat = true -> code (nth_core i (At t)) <> []) as Hlast.
  { intros t i Ht Hi E. apply Nat.eqb_eq in E. subst. now apply ends_code. }
  assert (forall t, (S t < n)%nat -> fol (S t) = fol t \/ on t (block (fol (S t))) = false /\ link t (sched (nth_core (fol (S t)) st)) (fol t)) as Hstart.
  { intros t Ht. unfold fol. destruct (Nat.ltb_spec (S t) s), (Nat.ltb_spec t s); [now apply F2|lia| |now left].
    right. split; [rewrite Hon by lia; apply Nat.leb_gt; lia|]. apply F4. lia. }
  assert (forall t t', (t < n)%nat -> (t' < n)%nat -> block (fol t) = block (fol t') -> fol t = fol t') as Hone.
  { intros t t' Ht Ht'. unfold fol. destruct (Nat.ltb_spec t s) as [H|H], (Nat.ltb_spec t' s) as [H'|H']; intros E; auto.
    - now elim (Hne t H).
    - elim (Hne t' H'). congruence. }
  pose proof (back_cost fol (fun i => (i =? w)%nat) HP0 Hn Hfol Hlast Hstart Hone) as Hmain.
  change (Z.of_nat 0) with 0 in Hmain. rewrite Z.mul_0_r, Z.add_0_l, Z.mul_0_r, Z.add_0_r in Hmain.
  pose proof (base_bound unit occ hi shared N wi wd N_pos U A F wO wP st cs B be block on mine near Hsb fol (fun i => (i =? w)%nat) Hn
    (back_fol fol (fun i => (i =? w)%nat) Hfol) 1%nat) as Hbase.
  specialize (Hbase ltac:(apply last_count; intros t Ht; unfold fol; destruct (Nat.ltb_spec t s); [lia|reflexivity])).
  pose proof (K_pos unit occ st cs block on mine fol (fun i => (i =? w)%nat) Hn (back_fol fol (fun i => (i =? w)%nat) Hfol)) as Hk1.
  assert (K_ st cs fol <= x)%nat as HkK by (apply K_le; [intros t Ht; destruct (Hfol t Ht) as (H1 & H2 & _); auto|assumption]).
  set (k := K_ st cs fol) in *. set (X := x) in *. set (W := all) in *. set (g := gstalls cs) in *.
  apply Z.div_le_lower_bound; [assumption|].
  assert (exists d, Z.of_nat X = Z.of_nat k + d /\ 0 <= d) as (d & Ed & Hd) by (exists (Z.of_nat X - Z.of_nat k); lia).
  assert (0 <= d * (DA - wO - wP)) by (apply Z.mul_nonneg_nonneg; lia).
  assert (0 <= (Z.of_nat k - 1) * (DA - N * Z.of_nat A)) by (apply Z.mul_nonneg_nonneg; lia).
  rewrite (Nat2Z.inj_mul X be), Ed. rewrite Ed in Hmain. clearbody k W X g n. clear - Hmain Hbase H H0 Hk1. lia.
Qed.
End Ends.

(** *** Q'(y) and Q''(y): each place has a block that has not ended in each cycle *)
Section Full.
Hypothesis some : (0 < n)%nat.
Hypothesis Hfull : forall t, (t < length cs)%nat -> forall p, (p < R)%nat ->
  exists i, (i < length st)%nat /\ place (block i) = p /\ on t (block i) = true /\ lives (At t) i.

Lemma full_mine : (0 < R)%nat -> 0 <= wO /\ 0 <= wP.
Proof.
  intros HR. destruct (Hfull 0%nat some 0%nat HR) as (i & Hi & Hp & _). apply (mine_pos i Hi). lia.
Qed.

Lemma nobody_last fol : length (filter (fun i => followed_ever cs fol i && false) warps) = 0%nat.
Proof. generalize warps. induction l as [|i l IH]; [reflexivity|]. cbn [filter]. rewrite andb_false_r. exact IH. Qed.

Lemma full_by_place : (0 < R)%nat -> wO <= N * Z.of_nat A -> (2 <= R)%nat \/ wO + wP <= N * Z.of_nat A ->
  let k := (x / R)%nat in
  Z.of_nat (n - gstalls cs) <= Z.of_nat (k * A + pred k * h) +
    ((Z.of_nat all - Z.of_nat k) * wO + (Z.of_nat (x * be) - Z.of_nat k + Z.of_nat (pred k * ((R - 1) * be))) * wP) / N.
Proof.
  intros HR HO HOP K. destruct (full_mine HR) as [HO0 HP0]. pose proof some as Hn.
  destruct (some_place place R (filter mine (seq 0 B)) HR) as (p & Hp & Hcount). set (bs := filter (fun b => (place b =? p)%nat) (filter mine (seq 0 B))) in *.
  destruct (follow_place p n Hp ltac:(lia)) as (fol & ph & F1 & F2).
  { intros t Ht. now apply Hfull. }
  assert (forall t, (t < n)%nat -> (fol t < length st)%nat /\ (place (block (fol t)) < R)%nat /\ on t (block (fol t)) = true /\ lives (At t) (fol t)) as Hfol.
  { intros t Ht. destruct (F1 t Ht) as (H1 & H2 & H3 & H4 & _). repeat split; auto. lia. }
  assert (forall t t', (t < n)%nat -> (t' < n)%nat -> block (fol t) = block (fol t') -> fol t = fol t') as Hone.
  { intros t t' Ht Ht' E. destruct (F1 t Ht) as (_ & _ & _ & _ & ->), (F1 t' Ht') as (_ & _ & _ & _ & ->). now rewrite E. }
  pose proof (place_cost fol (fun _ => false) HP0 Hn Hfol ltac:(discriminate) F2 Hone) as Hmain.
  pose proof (base_bound unit occ hi shared N wi wd N_pos U A F wO wP st cs B be block on mine near Hsb fol (fun _ => false) Hn
    (Hfol' fol (fun _ => false) Hfol) 0%nat (nobody_last fol)) as Hbase.
  pose proof (K_pos unit occ st cs block on mine fol (fun _ => false) Hn (Hfol' fol (fun _ => false) Hfol)) as Hk1.
  pose proof (be_pos unit occ hi shared wi wd U A F wO wP st cs B be block on mine near Hsb fol (fun _ => false) Hn
    (Hfol' fol (fun _ => false) Hfol)) as Hbe.
  assert (K_ st cs fol <= K)%nat as HkK.
  { apply Nat.le_trans with (length (map ph bs)); [|rewrite map_length; exact Hcount].
    unfold K_. apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros i Hi. apply filter_In in Hi. destruct Hi as [_ Hi].
    apply ever_iff in Hi. destruct Hi as (t & Ht & <-). destruct (F1 t Ht) as (H1 & H2 & _ & _ & ->). apply in_map. unfold bs. apply filter_In. split; [|now apply Nat.eqb_eq].
    apply filter_In. split; [|apply Nat.ltb_lt; lia]. apply in_seq. pose proof (block_below (fol t) H1). lia. }
  set (k := K_ st cs fol) in *. set (X := x) in *. set (W := all) in *. set (g := gstalls cs) in *.
  assert (Z.of_nat (n - g) - Z.of_nat (K * A + pred K * h) <=
    ((Z.of_nat W - Z.of_nat K) * wO + (Z.of_nat (X * be) - Z.of_nat K + Z.of_nat (pred K * ((R - 1) * be))) * wP) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|].
  set (D := Z.of_nat ((R - 1) * be) * wP) in *.
  assert (0 <= N * Z.of_nat A + D + N * Z.of_nat h - wO - wP) as Hc.
  { assert (0 <= N * Z.of_nat h) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= D) by (unfold D; apply Z.mul_nonneg_nonneg; [apply Nat2Z.is_nonneg|assumption]).
    destruct HOP as [H2|H2]; [|lia]. assert (wP <= D); [|lia]. unfold D. assert (0 < (R - 1) * be)%nat by (apply Nat.mul_pos_pos; lia).
    rewrite <- (Z.mul_1_l wP) at 1. apply Z.mul_le_mono_nonneg_r; lia. }
  assert (exists d, Z.of_nat K = Z.of_nat k + d /\ 0 <= d) as (d & Ed & Hd) by (exists (Z.of_nat K - Z.of_nat k); lia).
  assert (Z.of_nat (K * A + pred K * h) = Z.of_nat K * Z.of_nat A + (Z.of_nat K - 1) * Z.of_nat h) as E1.
  { rewrite Nat2Z.inj_add, !Nat2Z.inj_mul, Nat2Z.inj_pred by lia. reflexivity. }
  assert (Z.of_nat (pred K * ((R - 1) * be)) * wP = (Z.of_nat K - 1) * D) as E2.
  { unfold D. rewrite Nat2Z.inj_mul. replace (Z.of_nat (pred K)) with (Z.of_nat K - 1) by lia. lia. }
  assert (0 <= d * (N * Z.of_nat A + D + N * Z.of_nat h - wO - wP)) by (apply Z.mul_nonneg_nonneg; assumption).
  rewrite E1, (Nat2Z.inj_mul X be), (Z.mul_add_distr_r _ _ wP), E2, Ed. clearbody k D W X g n. clear - Hmain Hbase H Hk1. lia.
Qed.

Lemma full_backwards DA : (0 < R)%nat -> N * Z.of_nat A <= DA -> wO + wP <= DA ->
  Z.of_nat (n - gstalls cs) <= (Z.of_nat x * DA + (Z.of_nat all - Z.of_nat x) * wO + (Z.of_nat (x * be) - Z.of_nat x) * wP) / N.
Proof.
  intros HR HA HO. destruct (full_mine HR) as [HO0 HP0]. pose proof some as Hn.
  assert (exists g, near g = true) as (g0 & Hg0).
  { destruct (Hfull 0%nat some 0%nat HR) as (i & Hi & Hp & _). exists (sched (nth_core i st)).
    rewrite (sb_near _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hsb i) by assumption. apply Nat.ltb_lt. lia. }
  destruct (follow_back n g0 ltac:(lia) Hg0) as (fol & F1 & F2 & F3 & _).
  { intros t Ht. destruct (Hfull t Ht 0%nat HR) as (i & H1 & H2 & H3 & H4). exists i. repeat split; auto. lia. }
  pose proof (back_cost fol (fun _ => false) HP0 Hn F1 ltac:(discriminate) F2 F3) as Hmain.
  change (Z.of_nat 0) with 0 in Hmain. rewrite Z.mul_0_r, Z.add_0_l, Z.mul_0_r, Z.add_0_r in Hmain.
  pose proof (base_bound unit occ hi shared N wi wd N_pos U A F wO wP st cs B be block on mine near Hsb fol (fun _ => false) Hn
    (back_fol fol (fun _ => false) F1) 0%nat (nobody_last fol)) as Hbase.
  assert (K_ st cs fol <= x)%nat as HkK by (apply K_le; [intros t Ht; destruct (F1 t Ht) as (H1 & H2 & _); auto|assumption]).
  set (k := K_ st cs fol) in *. set (X := x) in *. set (W := all) in *. set (g := gstalls cs) in *.
  apply Z.div_le_lower_bound; [assumption|].
  assert (exists d, Z.of_nat X = Z.of_nat k + d /\ 0 <= d) as (d & Ed & Hd) by (exists (Z.of_nat X - Z.of_nat k); lia).
  assert (0 <= d * (DA - wO - wP)) by (apply Z.mul_nonneg_nonneg; lia).
  assert (0 <= Z.of_nat k * (DA - N * Z.of_nat A)) by (apply Z.mul_nonneg_nonneg; lia).
  rewrite (Nat2Z.inj_mul X be), Ed. rewrite Ed in Hmain. clearbody k W X g n. clear - Hmain Hbase H H0. lia.
Qed.
End Full.
End Run.
End Grid.
