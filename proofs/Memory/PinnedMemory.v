(** With memory servers (docs/servers.md): stalled cycles are not counted, and paid once by the servers.
    Blocks that follow one another, where the warps of a block are spread over the schedulers. A relay of stages: in each stage one warp is followed,
    others may come, and warps that are over may go. What counts against the followed warp is what is executed for shared units
    anywhere, and what is executed on its own scheduler besides. The second part is counted in the stage's scheduler, and a change of
    scheduler costs the difference of what the two have left. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP.

Section Pinned.
(** The servers (Servers.v). An issue of letter x sends [asks j x] requests to server j. *)
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Hypothesis occ_pos : forall x, 1 <= occ x.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
(** The units of the kernel. *)
Variable s : list nat.

Notation wants := (wants unit).
Notation step := (step unit occ).
Notation fstep := (fstep unit occ).
Notation fnext := (fnext unit occ).
Notation next := (next unit occ).
Notation able := (able lo hi).
Notation legal := (legal unit inst lo hi shared width).
Notation span := (span occ hi).
Notation price := (price unit occ shared wi wd).
Notation charge := (charge unit occ shared wi wd).
Notation charges := (charges unit occ shared wi wd).
Notation slots_worth := (slots_worth width N wd).
Local Open Scope Z_scope.

(** A charge on no scheduler: the shared part of a warp's weight. What its own scheduler adds. *)
Definition far (_ : nat) : bool := false.
Definition sharedZ (v : warp) : Z := charge far s v.
Definition privateZ (v : warp) : Z := charge (on (sched v)) s v - charge far s v.
Definition privateOn (g : nat) (v : warp) : Z := if (sched v =? g)%nat then privateZ v else 0.
Definition sum (f : warp -> Z) (vs : list warp) : Z := sumZ (map f vs).

Lemma charge_split g v : charge (on g) s v = sharedZ v + privateOn g v.
Proof.
  unfold privateOn, privateZ, sharedZ. destruct (Nat.eqb_spec (sched v) g) as [<-|H]; [lia|].
  unfold CP.charge, weight. rewrite Z.add_0_r. f_equal.
  - f_equal. apply map_ext. intros x. unfold CP.price, on, far. now destruct (Nat.eqb_spec (sched v) g).
  - induction (held v) as [|(u, r) h IH]; [reflexivity|]. cbn [debt]. rewrite IH. unfold on, far.
    now destruct (Nat.eqb_spec (sched v) g).
Qed.

Lemma sum_split g vs : charges (on g) s vs = sum sharedZ vs + sum (privateOn g) vs.
Proof.
  unfold CP.charges, sum. induction vs as [|v vs IH]; [reflexivity|]. cbn [map sumZ]. rewrite charge_split. lia.
Qed.

(** The time that the followed warp needs by itself until its last result is there and it holds nothing. *)
Definition whole (x : warp) : Z := Z.of_nat (Nat.max (lat x) (longest (held x)) + list_sum (map span (code x))).

Lemma whole_issue x l : able x (Some l) -> 1 + whole (step x (Some l)) <= whole x.
Proof.
  intros [Hl Hr]. unfold whole, MachineRuns.step. destruct (code x) as [|u c]; [destruct Hr|].
  cbn [code lat held longest]. rewrite longest_age. change (list_sum (map span (u :: c))) with (span u + list_sum (map span c))%nat.
  pose proof (occ_pos u). unfold CP.span. lia.
Qed.

Lemma whole_idle x : (0 < lat x \/ 0 < longest (held x))%nat -> 1 + whole (step x None) <= whole x.
Proof.
  intros H. unfold whole, MachineRuns.step. cbn [code lat held]. rewrite longest_age. destruct (code x); cbn [code lat held map]; lia.
Qed.

Lemma whole_wait x : whole (step x None) <= whole x.
Proof.
  unfold whole, MachineRuns.step. destruct (code x); cbn [code lat held]; rewrite longest_age; lia.
Qed.

Lemma whole_over x : code x = [] -> lat x = 0%nat -> longest (held x) = 0%nat -> whole x = 0.
Proof. intros H1 H2 H3. unfold whole. now rewrite H1, H2, H3. Qed.

(** A cycle in which the followed warp is not over. *)
Lemma cycle x vs a m : legal (x :: vs) (a :: m) -> slots_worth (sched x) (x :: vs) -> 0 < whole x ->
  (forall y, In y (code x) -> occurs (unit y) s = true) ->
  N + N * whole (step x a) + charges (on (sched x)) s (next vs m) <= N * whole x + charges (on (sched x)) s vs.
Proof.
  intros Hm Hd Hx Hs. pose proof Hm as (Ha & _). apply Forall2_cons_iff in Ha. destruct Ha as [Ha1 Ha2].
  pose proof (charges_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (on (sched x)) (sched x) s vs m (Nat.eqb_refl _) Ha2) as Hslot.
  destruct a as [l|].
  - pose proof (whole_issue x l Ha1). nia.
  - destruct (Nat.eq_dec (Nat.max (lat x) (longest (held x))) 0) as [E|E].
    2:{ pose proof (whole_idle x ltac:(lia)). nia. }
    pose proof (whole_wait x). destruct (code x) as [|u c] eqn:Ec.
    { rewrite whole_over in Hx by (assumption || lia). lia. }
    assert (wants (unit u) x = true) as Hw
      by (unfold MachineRuns.wants; rewrite Ec, Nat.eqb_refl; replace (lat x) with O by lia; reflexivity).
    destruct (legal_wait unit inst lo hi shared width x vs m Hm (unit u) Hw ltac:(apply longest_holding; lia)) as [Hf|Hf].
    + pose proof (charges_busy unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (on (sched x)) (sched x) s (unit u) vs m (Nat.eqb_refl _) Ha2 (Hs u ltac:(now left))) as Hb.
      rewrite Hf in Hb. specialize (wi_unit (unit u)). nia.
    + rewrite Hf in Hslot. destruct Hd as [Hd|[_ Hd]]; [nia|].
      pose proof (slot_crowd (sched x) vs m). unfold crowd in *. cbn [filter] in Hd.
      rewrite Nat.eqb_refl in Hd. cbn [length] in Hd. lia.
Qed.

Lemma whole_frozen x a : able x a -> whole (fstep x a true) <= whole x.
Proof.
  intros Ha. unfold whole, MemoryRuns.fstep, MachineRuns.step. destruct a as [l|].
  - destruct Ha as [Hl Hr]. destruct (code x) as [|u c]; [destruct Hr|]. cbn [code lat held sched longest]. rewrite longest_age.
    change (list_sum (map span (u :: c))) with (span u + list_sum (map span c))%nat. pose proof (occ_pos u). unfold CP.span. lia.
  - destruct (code x); cbn [code lat held sched map]; rewrite longest_age; lia.
Qed.

(** A stalled cycle: nothing rises. [frost] tells that a latency of these warps is frozen. *)
Definition frost (fs : list bool) : bool := existsb (fun f => f) fs.

Lemma frost_none fs : frost fs = false -> Forall (fun f => f = false) fs.
Proof.
  unfold frost. induction fs as [|f fs IH]; cbn; intros H; constructor; apply orb_false_iff in H; tauto.
Qed.

Lemma able_length vs m : Forall2 able vs m -> length m = length vs.
Proof. induction 1; cbn [length]; lia. Qed.

Lemma charges_frozen g vs m fs : length m = length vs -> length fs = length vs -> charges g s (fnext vs m fs) = charges g s (next vs m).
Proof. intros Hm Hf. exact (charges_fnext unit occ shared wi wd g s vs m fs Hm Hf). Qed.

Lemma cycle_frozen x vs a m f fs (st : bool) : legal (x :: vs) (a :: m) -> length fs = length vs -> slots_worth (sched x) (x :: vs) -> 0 < whole x ->
  (frost (f :: fs) = true -> st = true) -> (forall y, In y (code x) -> occurs (unit y) s = true) ->
  N * (1 - if st then 1 else 0) + N * whole (fstep x a f) + charges (on (sched x)) s (fnext vs m fs) <= N * whole x + charges (on (sched x)) s vs.
Proof.
  intros Hm Hl Hd Hx Hst Hs. pose proof Hm as (Ha & _). apply Forall2_cons_iff in Ha. destruct Ha as [Ha1 Ha2].
  rewrite charges_frozen by (auto using able_length).
  destruct st.
  - pose proof (charges_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (on (sched x)) (sched x) s vs m (Nat.eqb_refl _) Ha2) as Hslot.
    assert (whole (fstep x a f) <= whole x) as Hw.
    { destruct f; [now apply whole_frozen|]. change (fstep x a false) with (step x a).
      destruct a as [l|]; [pose proof (whole_issue x l Ha1); lia|apply whole_wait]. }
    nia.
  - assert (f = false) as ->.
    { destruct f; [|reflexivity]. specialize (Hst eq_refl). discriminate. }
    change (fstep x a false) with (step x a). pose proof (cycle x vs a m Hm Hd Hx Hs). nia.
Qed.

(** A stage: x is followed for n cycles. Between cycles the others may change, by arrivals of o shared and p private weight on this
    scheduler: what arrives on the others is of no matter here. *)
Inductive stage : warp -> list warp -> nat -> nat -> Z -> Z -> warp -> list warp -> Prop :=
| stage_end x vs : stage x vs 0 0 0 0 x vs
| stage_cycle x vs a m f fs (st : bool) n z o p y ws : legal (x :: vs) (a :: m) -> length fs = length vs ->
    (frost (f :: fs) = true -> st = true) -> slots_worth (sched x) (x :: vs) -> 0 < whole x ->
    stage (fstep x a f) (fnext vs m fs) n z o p y ws -> stage x vs (S n) (z + if st then 1 else 0)%nat o p y ws
| stage_change x vs vs' n z o p o' p' y ws :
    sum sharedZ vs' <= sum sharedZ vs + o' -> sum (privateOn (sched x)) vs' <= sum (privateOn (sched x)) vs + p' ->
    stage x vs' n z o p y ws -> stage x vs n z (o' + o) (p' + p) y ws.

Lemma stage_bound x vs n z o p y ws : stage x vs n z o p y ws -> (forall l, In l (code x) -> occurs (unit l) s = true) ->
  N * (Z.of_nat n - Z.of_nat z) + N * whole y + sum sharedZ ws + sum (privateOn (sched x)) ws
  <= N * whole x + sum sharedZ vs + sum (privateOn (sched x)) vs + o + p /\ sched y = sched x.
Proof.
  induction 1 as [x vs|x vs a m f fs st n z o p y ws Hm Hl Hst Hd Hx Hr IH|x vs vs' n z o p o' p' y ws Ho Hp Hr IH]; intros Hs.
  - lia.
  - pose proof (cycle_frozen x vs a m f fs st Hm Hl Hd Hx Hst Hs) as Hc. rewrite !sum_split in Hc. rewrite sched_fstep in IH.
    assert (forall l, In l (code (fstep x a f)) -> occurs (unit l) s = true) as Hs'
      by (intros l Hl'; apply Hs; revert Hl'; rewrite code_fstep; unfold MachineRuns.step; destruct a, (code x); cbn; auto).
    specialize (IH Hs'). destruct IH as [IH1 IH2]. split; [|assumption].
    replace (Z.of_nat (S n)) with (Z.of_nat n + 1) by lia. destruct st; cbn [Z.of_nat]; nia.
  - specialize (IH Hs). lia.
Qed.

Lemma sharedZ_pos vs : 0 <= sum sharedZ vs.
Proof.
  apply (charges_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos far s vs).
Qed.

Lemma price_mono g x : price far s g x <= price (on g) s g x.
Proof.
  unfold CP.price, far, on. rewrite Nat.eqb_refl. pose proof (wi_pos inst N wi N_pos wi_unit (unit x)). pose proof (occ_pos x).
  destruct (occurs (unit x) s), (shared (unit x)); cbn [andb]; nia.
Qed.

Lemma privateZ_pos v : 0 <= privateZ v.
Proof.
  unfold privateZ, CP.charge, weight.
  assert (forall c, sumZ (map (price far s (sched v)) c) <= sumZ (map (price (on (sched v)) s (sched v)) c)) as H1
    by (induction c as [|x c IH]; cbn [map sumZ]; [lia|]; pose proof (price_mono (sched v) x); lia).
  assert (forall h, debt shared wi far s (sched v) h <= debt shared wi (on (sched v)) s (sched v) h) as H2.
  { induction h as [|(u, r) h IH]; cbn [debt]; [lia|]. unfold far at 1, on at 1. rewrite Nat.eqb_refl, orb_false_r, orb_true_r.
    pose proof (wi_pos inst N wi N_pos wi_unit u). destruct (shared u), (occurs u s); cbn [andb]; nia. }
  specialize (H1 (code v)). specialize (H2 (held v)). lia.
Qed.

Lemma privateOn_pos g vs : 0 <= sum (privateOn g) vs.
Proof.
  unfold sum. induction vs as [|v vs IH]; cbn [map sumZ]; [lia|]. unfold privateOn at 1. pose proof (privateZ_pos v).
  destruct (_ =? _)%nat; lia.
Qed.

(** * Blocks *)

(** What a warp has left of each part never rises. *)
Lemma debt_far_age g' h : debt shared wi far s g' (age h) <= debt shared wi far s g' h.
Proof. exact (debt_age_le inst shared N wi N_pos wi_unit far s g' h). Qed.

Definition debtP (h : list (nat * nat)) : Z := fold_right (fun e z => (if negb (shared (fst e)) && occurs (fst e) s then Z.of_nat (snd e) * wi (fst e) else 0) + z) 0 h.

Lemma debtP_age h : debtP (age h) <= debtP h.
Proof.
  induction h as [|(u, r) h IH]; [cbn; lia|]. change (age ((u, r) :: h)) with ((u, pred r) :: age h). cbn [debtP fold_right fst snd] in *.
  fold (debtP h) (debtP (age h)). pose proof (wi_pos inst N wi N_pos wi_unit u). destruct (_ && _); nia.
Qed.

Lemma privateZ_is v : privateZ v = sumZ (map (fun x => price (on (sched v)) s (sched v) x - price far s (sched v) x) (code v)) + debtP (held v).
Proof.
  unfold privateZ, CP.charge, weight.
  assert (forall c, sumZ (map (price (on (sched v)) s (sched v)) c) = sumZ (map (price far s (sched v)) c)
    + sumZ (map (fun x => price (on (sched v)) s (sched v) x - price far s (sched v) x) c)) as H1
    by (induction c as [|x c IH]; cbn [map sumZ]; [lia|]; lia).
  assert (forall h, debt shared wi (on (sched v)) s (sched v) h = debt shared wi far s (sched v) h + debtP h) as H2.
  { induction h as [|(u, r) h IH]; cbn [debt debtP fold_right fst snd]; [lia|]. fold (debtP h). unfold far at 1, on at 1.
    rewrite Nat.eqb_refl, orb_false_r, orb_true_r. destruct (shared u), (occurs u s); cbn [andb negb]; lia. }
  rewrite H1, H2. lia.
Qed.

Lemma privateZ_step v a : able v a -> privateZ (step v a) <= privateZ v.
Proof.
  intros Ha. rewrite !privateZ_is, sched_step. destruct a as [l|].
  - destruct Ha as [_ Hr]. unfold MachineRuns.step. destruct (code v) as [|x c]; [tauto|]. cbn [code held map sumZ debtP fold_right fst snd].
    fold (debtP (age (held v))). pose proof (debtP_age (held v)). pose proof (occ_pos x). pose proof (wi_pos inst N wi N_pos wi_unit (unit x)).
    assert ((if negb (shared (unit x)) && occurs (unit x) s then Z.of_nat (pred (occ x)) * wi (unit x) else 0)
      <= price (on (sched v)) s (sched v) x - price far s (sched v) x); [|lia].
    unfold CP.price, on, far. rewrite Nat.eqb_refl. destruct (shared (unit x)), (occurs (unit x) s); cbn [andb negb]; nia.
  - unfold MachineRuns.step. destruct (code v); cbn [code held]; pose proof (debtP_age (held v)); lia.
Qed.

Lemma sharedZ_step v a : able v a -> sharedZ (step v a) <= sharedZ v.
Proof.
  intros Ha. unfold sharedZ, CP.charge, weight. rewrite sched_step. destruct a as [l|].
  - destruct Ha as [_ Hr]. unfold MachineRuns.step. destruct (code v) as [|x c]; [tauto|]. cbn [code held map sumZ debt].
    pose proof (debt_far_age (sched v) (held v)). pose proof (occ_pos x). pose proof (wi_pos inst N wi N_pos wi_unit (unit x)).
    assert ((if (shared (unit x) || far (sched v)) && occurs (unit x) s then Z.of_nat (pred (occ x)) * wi (unit x) else 0)
      <= price far s (sched v) x); [|lia].
    unfold CP.price, far. rewrite orb_false_r. destruct (shared (unit x)), (occurs (unit x) s); cbn [andb]; nia.
  - unfold MachineRuns.step. destruct (code v); cbn [code held]; pose proof (debt_far_age (sched v) (held v)); lia.
Qed.

Lemma privateZ_fstep v a f : able v a -> privateZ (fstep v a f) <= privateZ v.
Proof.
  intros Ha. pose proof (privateZ_step v a Ha). destruct f; [|exact H]. exact H.
Qed.

Lemma sharedZ_fstep v a f : able v a -> sharedZ (fstep v a f) <= sharedZ v.
Proof.
  intros Ha. pose proof (sharedZ_step v a Ha). destruct f; [|exact H]. exact H.
Qed.

(** Every warp is worth wO at most on another scheduler, and wP besides on its own. *)
Variables (wO wP : Z).
Definition small (v : warp) : Prop := sharedZ v <= wO /\ privateZ v <= wP.

Lemma small_next vs m fs : Forall2 able vs m -> length fs = length vs -> Forall small vs -> Forall small (fnext vs m fs).
Proof.
  intros H. revert fs. induction H as [|v a vs m Ha H IH]; intros [|f fs] Hl Hs; cbn [length] in Hl; try lia; [constructor|].
  inversion Hs as [|? ? [H1 H2] H3]; subst.
  cbn [MemoryRuns.fnext]. constructor; [|auto]. pose proof (sharedZ_fstep v a f Ha). pose proof (privateZ_fstep v a f Ha). split; lia.
Qed.

Lemma sum_shared vs : Forall small vs -> sum sharedZ vs <= Z.of_nat (length vs) * wO.
Proof. unfold sum. induction 1 as [|v vs [H1 _] H IH]; cbn [map sumZ length]; nia. Qed.

Lemma sum_private g vs : Forall small vs -> sum (privateOn g) vs <= Z.of_nat (crowd g vs) * wP.
Proof.
  unfold sum, crowd. induction 1 as [|v vs [_ H2] H IH]; cbn [map sumZ filter length]; [lia|]. unfold privateOn at 1.
  destruct (_ =? _)%nat; cbn [length]; lia.
Qed.

Lemma sum_app f vs ws : sum f (vs ++ ws) = sum f vs + sum f ws.
Proof. unfold sum. rewrite map_app. induction (map f vs) as [|z l IH]; cbn [app sumZ]; lia. Qed.

(** Some warps are left, in any number. *)
Inductive sub : list warp -> list warp -> Prop :=
| sub_nil : sub [] []
| sub_keep v vs ws : sub vs ws -> sub (v :: vs) (v :: ws)
| sub_drop v vs ws : sub vs ws -> sub vs (v :: ws).

Lemma sub_sum f vs ws : (forall v, 0 <= f v) -> sub vs ws -> sum f vs <= sum f ws.
Proof. intros Hf. unfold sum. induction 1 as [|v vs ws H IH|v vs ws H IH]; cbn [map sumZ]; try specialize (Hf v); lia. Qed.

Lemma sub_Forall (P : warp -> Prop) vs ws : sub vs ws -> Forall P ws -> Forall P vs.
Proof. induction 1 as [|v vs ws H IH|v vs ws H IH]; intros HF; [constructor| |]; inversion HF; auto. Qed.

Lemma sharedZ_nonneg v : 0 <= sharedZ v.
Proof. pose proof (sharedZ_pos [v]) as H. unfold sum in H. cbn in H. lia. Qed.

Lemma privateOn_nonneg g v : 0 <= privateOn g v.
Proof. unfold privateOn. pose proof (privateZ_pos v). destruct (_ =? _)%nat; lia. Qed.

(** A block: b warps, at most be of them on each scheduler. *)
Variables (b be : nat) (Bq : nat -> nat).
Definition to_ask := to_ask asks.
Definition block (ws : list warp) : Prop := (length ws <= b)%nat /\ (forall g, (crowd g ws <= be)%nat) /\ Forall small ws
  /\ forall j, (j < J)%nat -> (to_ask j ws <= Bq j)%nat.

(** A warp is followed while n cycles pass, q blocks come, and any warps go. *)
(** E is what comes to the pools from elsewhere; a cycle may also be stalled ([st]) by a frozen latency elsewhere. *)
Inductive follow : warp -> list warp -> (nat -> nat) -> nat -> nat -> nat -> (nat -> nat) -> warp -> list warp -> (nat -> nat) -> Prop :=
| follow_end x vs pool : follow x vs pool 0 0 0 (fun _ => 0%nat) x vs pool
| follow_cycle x vs pool a m f fs (st : bool) e took n z q E y ws pool' : legal (x :: vs) (a :: m) -> length fs = length vs ->
    (frost (f :: fs) = true -> st = true) -> slots_worth (sched x) (x :: vs) -> 0 < whole x ->
    serves J rate pool (fun j => asked asks j (x :: vs) (a :: m) + e j)%nat took st ->
    follow (fstep x a f) (fnext vs m fs) (pool_after pool (fun j => asked asks j (x :: vs) (a :: m) + e j)%nat took) n z q E y ws pool' ->
    follow x vs pool (S n) (z + if st then 1 else 0)%nat q (fun j => e j + E j)%nat y ws pool'
| follow_go x vs vs' pool n z q E y ws pool' : sub vs' vs -> follow x vs' pool n z q E y ws pool' -> follow x vs pool n z q E y ws pool'
| follow_come x vs new pool n z q E y ws pool' : block new -> follow x (new ++ vs) pool n z q E y ws pool' -> follow x vs pool n z (S q) E y ws pool'.

Lemma follow_stage x vs pool n z q E y ws pool' : 0 <= wO -> 0 <= wP -> follow x vs pool n z q E y ws pool' -> Forall small vs -> small x ->
  stage x vs n z (Z.of_nat q * Z.of_nat b * wO) (Z.of_nat q * Z.of_nat be * wP) y ws /\ Forall small ws /\ small y.
Proof.
  intros HO HP. induction 1 as [x vs pool|x vs pool a m f fs st e took n z q E y ws pool' Hm Hl Hst Hd Hx Hsv Hf IH
    |x vs vs' pool n z q E y ws pool' Hsub Hf IH|x vs new pool n z q E y ws pool' Hnew Hf IH]; intros Hs Hsx.
  - repeat split; auto using stage_end. all: apply Hsx.
  - pose proof Hm as (Ha & _). apply Forall2_cons_iff in Ha. destruct Ha as [Ha1 Ha2].
    pose proof (small_next [x] [a] [f] ltac:(repeat constructor; assumption) eq_refl ltac:(repeat constructor; apply Hsx)) as Hx'. inversion Hx'; subst.
    destruct IH as [IH1 IH2]; [now apply small_next|assumption|]. split; [|assumption]. eapply stage_cycle; eassumption.
  - destruct IH as [IH1 IH2]; [eapply sub_Forall; eassumption|assumption|]. split; [|assumption].
    refine (stage_change x vs vs' n z _ _ 0 0 y ws _ _ IH1); rewrite Z.add_0_r; apply sub_sum; auto using sharedZ_nonneg, privateOn_nonneg.
  - destruct Hnew as (Hl & Hc & Hsm & _).
    destruct IH as [IH1 IH2]; [apply Forall_app; auto|assumption|]. split; [|assumption].
    replace (Z.of_nat (S q) * Z.of_nat b * wO) with (Z.of_nat b * wO + Z.of_nat q * Z.of_nat b * wO) by lia.
    replace (Z.of_nat (S q) * Z.of_nat be * wP) with (Z.of_nat be * wP + Z.of_nat q * Z.of_nat be * wP) by lia.
    refine (stage_change x vs (new ++ vs) n z _ _ _ _ y ws _ _ IH1); rewrite sum_app.
    + pose proof (sum_shared new Hsm). nia.
    + pose proof (sum_private (sched x) new Hsm). specialize (Hc (sched x)). nia.
Qed.

(** ** The stalled cycles are paid by the requests of all blocks, once *)

Lemma paid_mono Q Q' K : (forall j, (j < J)%nat -> (Q j <= Q' j)%nat) -> paid J rate Q K -> paid J rate Q' K.
Proof. intros H (k & -> & Hk). exists k. split; [reflexivity|]. intros j Hj. specialize (H j Hj). specialize (Hk j Hj). lia. Qed.

Lemma to_ask_cons j v vs : to_ask j (v :: vs) = (list_sum (map (asks j) (code v)) + to_ask j vs)%nat.
Proof. reflexivity. Qed.

Lemma to_ask_app j vs ws : to_ask j (vs ++ ws) = (to_ask j vs + to_ask j ws)%nat.
Proof. induction vs as [|v vs IH]; [reflexivity|]. cbn [app]. rewrite !to_ask_cons, IH. lia. Qed.

Lemma to_ask_sub j vs ws : sub vs ws -> (to_ask j vs <= to_ask j ws)%nat.
Proof. induction 1; rewrite ?to_ask_cons; lia. Qed.

Lemma follow_pays x vs pool n z q E y ws pool' : follow x vs pool n z q E y ws pool' -> forall R K,
  paid J rate (fun j => pool' j + (to_ask j (y :: ws) + R j))%nat K ->
  paid J rate (fun j => pool j + (to_ask j (x :: vs) + q * Bq j + E j + R j))%nat (K + z).
Proof.
  induction 1 as [x vs pool|x vs pool a m f fs st e took n z q E y ws pool' Hm Hl Hst Hd Hx Hsv Hf IH
    |x vs vs' pool n z q E y ws pool' Hsub Hf IH|x vs new pool n z q E y ws pool' Hnew Hf IH]; intros R K HK.
  - rewrite Nat.add_0_r. revert HK. apply paid_mono. intros j Hj. lia.
  - specialize (IH R K HK). rewrite Nat.add_assoc. refine (paid_step J rate _ _ _ _ _ _ _ Hsv _ IH).
    intros j Hj. pose proof Hm as (Ha & _). pose proof (to_ask_next unit occ lo hi asks j (x :: vs) (a :: m) (f :: fs) Ha ltac:(cbn [length]; lia)) as Ht.
    cbn [MemoryRuns.fnext] in Ht. unfold to_ask. lia.
  - specialize (IH R K HK). revert IH. apply paid_mono. intros j Hj. rewrite !to_ask_cons. pose proof (to_ask_sub j _ _ Hsub). lia.
  - specialize (IH R K HK). revert IH. apply paid_mono. intros j Hj. rewrite !to_ask_cons, to_ask_app. destruct Hnew as (_ & _ & _ & Hq).
    specialize (Hq j Hj). lia.
Qed.

(** If no letter holds its unit for longer than its least latency, a followed warp that is left half-way is worth no more than the time that it would take. *)
Hypothesis occ_lo : forall x, (occ x <= lo x)%nat.
Hypothesis wd_le : wd <= N.

Definition holds (h : list (nat * nat)) : nat := list_sum (map snd h).
Definition calm (v : warp) : Prop := (holds (held v) <= lat v)%nat.

Lemma holds_age h : (holds (age h) <= pred (holds h))%nat.
Proof.
  induction h as [|(u, r) h IH]; [cbn; lia|].
  change (holds (age ((u, r) :: h))) with (pred r + holds (age h))%nat. change (holds ((u, r) :: h)) with (r + holds h)%nat. lia.
Qed.

Lemma calm_step v a f : able v a -> calm v -> calm (fstep v a f).
Proof.
  intros Ha Hc. unfold calm, MemoryRuns.fstep, MachineRuns.step in *. pose proof (holds_age (held v)). destruct a as [l|].
  - destruct Ha as [Hl Hr]. destruct (code v) as [|x c]; [tauto|].
    pose proof (occ_lo x). destruct f; cbn [held lat sched code];
    change (holds ((unit x, pred (occ x)) :: age (held v))) with (pred (occ x) + holds (age (held v)))%nat; lia.
  - destruct (code v), f; cbn [held lat sched code]; lia.
Qed.

Lemma calm_worth v : calm v -> sharedZ v + privateZ v <= N * whole v.
Proof.
  intros Hc. replace (sharedZ v + privateZ v) with (charge (on (sched v)) s v)
    by (rewrite charge_split; unfold privateOn; rewrite Nat.eqb_refl; lia).
  unfold CP.charge, weight, whole, calm in *.
  assert (forall u, 0 < wi u <= N) as Hwi by (intros u; pose proof (wi_pos inst N wi N_pos wi_unit u) as H; pose proof (wi_unit u) as H'; destruct (inst u) as [|i]; [lia|]; split; [lia|]; assert (0 <= Z.of_nat i * wi u) by nia; lia).
  assert (forall h, debt shared wi (on (sched v)) s (sched v) h <= N * Z.of_nat (holds h)) as Hd.
  { unfold holds. induction h as [|(u, r) h IH]; cbn [debt map snd list_sum fold_right]; [lia|]. fold (list_sum (map snd h)). specialize (Hwi u).
    destruct (_ && _); nia. }
  assert (forall c, sumZ (map (price (on (sched v)) s (sched v)) c) <= N * Z.of_nat (list_sum (map span c))) as Hp.
  { induction c as [|x c IH]; cbn [map sumZ list_sum fold_right]; [lia|]. fold (list_sum (map span c)).
    assert (price (on (sched v)) s (sched v) x <= N * Z.of_nat (span x)); [|nia].
    specialize (Hwi (unit x)). pose proof (occ_pos x). unfold CP.price, CP.span, on. rewrite Nat.eqb_refl.
    assert (Z.of_nat (occ x) <= Z.of_nat (Nat.max (hi x) (occ x))) by lia. destruct (occurs _ _); nia. }
  specialize (Hd (held v)). specialize (Hp (code v)). nia.
Qed.

Lemma follow_calm x vs pool n z q E y ws pool' : follow x vs pool n z q E y ws pool' -> calm x -> calm y.
Proof.
  induction 1 as [x vs pool|x vs pool a m f fs st e took n z q E y ws pool' Hm Hl Hst Hd Hx Hsv Hf IH
    |x vs vs' pool n z q E y ws pool' Hsub Hf IH|x vs new pool n z q E y ws pool' Hnew Hf IH]; intros Hc; auto.
  apply IH. destruct Hm as (Ha & _). apply Forall2_cons_iff in Ha. now apply calm_step.
Qed.

(** Blocks are followed, k of them, in each one warp x from its start on; q blocks come, n cycles pass. When the next one starts, the last one may be over or go on.
    A change is free if the new warp is on the same scheduler, or nothing is left on its own. Of the others j changes are paid: then at most R - 1
    blocks are there beside the new one, so (R - 1) be warps on any scheduler. *)
Variables (R : nat) (A : Z).
Definition starts (x : warp) (rest : list warp) : Prop :=
  block (x :: rest) /\ whole x <= A /\ held x = [] /\ (forall l, In l (code x) -> occurs (unit l) s = true).

Definition left (y : warp) (ws vs : list warp) : Prop := sub vs ws \/ exists v1 v2, vs = v1 ++ y :: v2 /\ sub (v1 ++ v2) ws.

Inductive chain : warp -> list warp -> (nat -> nat) -> nat -> nat -> nat -> nat -> nat -> (nat -> nat) -> Prop :=
| chain_last x rest vs pool n z q E y ws pool' : starts x rest -> Forall small vs -> follow x (rest ++ vs) pool n z q E y ws pool' ->
    chain x (rest ++ vs) pool n z 1 (S q) 0 E
| chain_free x rest vs pool n z q E y ws pool' x' rest' vs' n' z' k q' j E' : starts x rest -> Forall small vs ->
    follow x (rest ++ vs) pool n z q E y ws pool' -> left y ws vs' ->
    sched x' = sched x \/ sum (privateOn (sched x')) vs' = 0 ->
    starts x' rest' -> chain x' (rest' ++ vs') pool' n' z' k q' j E' ->
    chain x (rest ++ vs) pool (n + n') (z + z') (S k) (S q + q') j (fun i => E i + E' i)%nat
| chain_paid x rest vs pool n z q E y ws pool' x' rest' vs' n' z' k q' j E' : starts x rest -> Forall small vs ->
    follow x (rest ++ vs) pool n z q E y ws pool' -> left y ws vs' ->
    (forall g, (crowd g vs' <= (R - 1) * be)%nat) ->
    starts x' rest' -> chain x' (rest' ++ vs') pool' n' z' k q' j E' ->
    chain x (rest ++ vs) pool (n + n') (z + z') (S k) (S q + q') (S j) (fun i => E i + E' i)%nat.

Lemma whole_nonneg y : 0 <= whole y.
Proof. unfold whole. lia. Qed.

Lemma starts_rest x rest : 0 <= wO -> 0 <= wP -> starts x rest ->
  sum sharedZ rest <= (Z.of_nat b - 1) * wO /\ sum (privateOn (sched x)) rest <= (Z.of_nat be - 1) * wP /\ Forall small rest /\ small x /\ whole x <= A /\ calm x.
Proof.
  intros HO HP ((Hl & Hc & Hs & _) & Hw & Hh & _). inversion Hs as [|? ? Hsx Hsr]; subst. specialize (Hc (sched x)). unfold crowd in Hc. cbn [filter length] in *.
  rewrite Nat.eqb_refl in Hc. cbn [length] in Hc.
  pose proof (sum_shared rest Hsr). pose proof (sum_private (sched x) rest Hsr). unfold crowd in *. repeat split; auto; try nia; try apply Hsx.
  unfold calm. rewrite Hh. cbn. lia.
Qed.

Lemma left_sums y ws vs g : left y ws vs -> small y -> calm y -> Forall small ws ->
  sum sharedZ vs + sum (privateOn g) vs <= sum sharedZ ws + sum (privateOn g) ws + N * whole y /\ sum sharedZ vs <= sum sharedZ ws + N * whole y /\ Forall small vs.
Proof.
  intros [Hsub|(v1 & v2 & -> & Hsub)] Hy Hcy Hws; pose proof (whole_nonneg y);
    pose proof (sub_sum sharedZ _ _ sharedZ_nonneg Hsub) as H1; pose proof (sub_sum (privateOn g) _ _ (privateOn_nonneg g) Hsub) as H2;
    pose proof (sub_Forall small _ _ Hsub Hws) as HF.
  - repeat split; [nia|nia|assumption].
  - pose proof (calm_worth y Hcy). apply Forall_app in HF as [HF1 HF2]. rewrite !sum_app in *.
    change (sum sharedZ (y :: v2)) with (sharedZ y + sum sharedZ v2). change (sum (privateOn g) (y :: v2)) with (privateOn g y + sum (privateOn g) v2).
    assert (privateOn g y <= privateZ y) by (unfold privateOn; pose proof (privateZ_pos y); destruct (_ =? _)%nat; lia).
    pose proof (privateZ_pos y). repeat split; [lia|lia|]. apply Forall_app; auto.
Qed.

Lemma chain_bound x all pool n z k q j E : 0 <= wO -> 0 <= wP -> chain x all pool n z k q j E ->
  N * (Z.of_nat n - Z.of_nat z) <= N * Z.of_nat k * A + sum sharedZ all + sum (privateOn (sched x)) all
    + (Z.of_nat q - 1) * (Z.of_nat b * wO + Z.of_nat be * wP) - (Z.of_nat k - 1) * (wO + wP)
    + Z.of_nat j * (Z.of_nat ((R - 1) * be) * wP).
Proof.
  intros HO HP. induction 1 as [x rest vs pool n z q E y ws pool' Hst Hvs Hf
    |x rest vs pool n z q E y ws pool' x' rest' vs' n' z' k q' j E' Hst Hvs Hf Hleft Hfree Hst' Hp IH
    |x rest vs pool n z q E y ws pool' x' rest' vs' n' z' k q' j E' Hst Hvs Hf Hleft Hcr Hst' Hp IH];
    destruct (starts_rest x rest HO HP Hst) as (_ & _ & Hsr & Hsx & Hw & Hcx); destruct Hst as (_ & _ & _ & Hocc);
    destruct (follow_stage _ _ _ _ _ _ _ _ _ _ HO HP Hf ltac:(apply Forall_app; auto) Hsx) as (Hg & Hws & Hy);
    destruct (stage_bound _ _ _ _ _ _ _ _ Hg Hocc) as [Hb Hsy]; pose proof (sharedZ_pos ws); pose proof (privateOn_pos (sched x) ws); pose proof (whole_nonneg y).
  - nia.
  - destruct (starts_rest x' rest' HO HP Hst') as (Hr1 & Hr2 & _). rewrite !sum_app in IH.
    destruct (left_sums y ws vs' (sched x) Hleft Hy (follow_calm _ _ _ _ _ _ _ _ _ _ Hf Hcx) Hws) as (Ha1 & Ha2 & _).
    assert (sum sharedZ vs' + sum (privateOn (sched x')) vs' <= sum sharedZ ws + sum (privateOn (sched x)) ws + N * whole y)
      by (destruct Hfree as [->|E0]; [assumption|rewrite E0; lia]).
    replace (Z.of_nat (S k)) with (Z.of_nat k + 1) by lia. replace (Z.of_nat (n + n')) with (Z.of_nat n + Z.of_nat n') by lia.
    replace (Z.of_nat (z + z')) with (Z.of_nat z + Z.of_nat z') by lia.
    replace (Z.of_nat (S q + q')) with (Z.of_nat q + Z.of_nat q' + 1) by lia. nia.
  - destruct (starts_rest x' rest' HO HP Hst') as (Hr1 & Hr2 & _). rewrite !sum_app in IH.
    destruct (left_sums y ws vs' (sched x) Hleft Hy (follow_calm _ _ _ _ _ _ _ _ _ _ Hf Hcx) Hws) as (_ & Ha2 & Ha3).
    pose proof (sum_private (sched x') vs' Ha3) as Ha4. specialize (Hcr (sched x')).
    assert (Z.of_nat (crowd (sched x') vs') * wP <= Z.of_nat ((R - 1) * be) * wP) by nia.
    replace (Z.of_nat (S k)) with (Z.of_nat k + 1) by lia. replace (Z.of_nat (n + n')) with (Z.of_nat n + Z.of_nat n') by lia.
    replace (Z.of_nat (z + z')) with (Z.of_nat z + Z.of_nat z') by lia.
    replace (Z.of_nat (S q + q')) with (Z.of_nat q + Z.of_nat q' + 1) by lia. replace (Z.of_nat (S j)) with (Z.of_nat j + 1) by lia. nia.
Qed.

Lemma left_asks i y ws vs : left y ws vs -> (to_ask i vs <= to_ask i (y :: ws))%nat.
Proof.
  intros [H|(v1 & v2 & -> & H)]; pose proof (to_ask_sub i _ _ H) as H1; rewrite to_ask_cons; [lia|].
  rewrite to_ask_app in *. rewrite to_ask_cons. lia.
Qed.

Lemma chain_pays x all pool n z k q j E : chain x all pool n z k q j E -> (1 <= q)%nat /\
  paid J rate (fun i => pool i + (to_ask i (x :: all) + (q - 1) * Bq i + E i))%nat z.
Proof.
  assert (forall i y ws vs' x' rest' q' e, (i < J)%nat -> left y ws vs' -> starts x' rest' -> (1 <= q')%nat ->
    (to_ask i (x' :: rest' ++ vs') + (q' - 1) * Bq i + e <= to_ask i (y :: ws) + (q' * Bq i + e))%nat) as Hstep.
  { intros i y ws vs' x' rest' q' e Hi Hl ((_ & _ & _ & Hb) & _) Hq. specialize (Hb i Hi). pose proof (left_asks i y ws vs' Hl).
    change (x' :: rest' ++ vs') with ((x' :: rest') ++ vs'). rewrite to_ask_app. nia. }
  induction 1 as [x rest vs pool n z q E y ws pool' Hst Hvs Hf
    |x rest vs pool n z q E y ws pool' x' rest' vs' n' z' k q' j E' Hst Hvs Hf Hleft Hfree Hst' Hp IH
    |x rest vs pool n z q E y ws pool' x' rest' vs' n' z' k q' j E' Hst Hvs Hf Hleft Hcr Hst' Hp IH].
  - split; [lia|]. pose proof (follow_pays _ _ _ _ _ _ _ _ _ _ Hf (fun _ => 0%nat) 0%nat (paid_none _ _ _)) as H. cbn [Nat.add] in H.
    revert H. apply paid_mono. intros i Hi. replace (S q - 1)%nat with q by lia. lia.
  - destruct IH as [Hq IH]. split; [lia|]. rewrite (Nat.add_comm z z').
    assert (paid J rate (fun i => pool' i + (to_ask i (y :: ws) + (q' * Bq i + E' i)))%nat z') as H1.
    { revert IH. apply paid_mono. intros i Hi. pose proof (Hstep i y ws vs' x' rest' q' (E' i) Hi Hleft Hst' Hq). lia. }
    pose proof (follow_pays _ _ _ _ _ _ _ _ _ _ Hf (fun i => q' * Bq i + E' i)%nat z' H1) as H2.
    revert H2. apply paid_mono. intros i Hi. replace (S q + q' - 1)%nat with (q + q')%nat by lia. lia.
  - destruct IH as [Hq IH]. split; [lia|]. rewrite (Nat.add_comm z z').
    assert (paid J rate (fun i => pool' i + (to_ask i (y :: ws) + (q' * Bq i + E' i)))%nat z') as H1.
    { revert IH. apply paid_mono. intros i Hi. pose proof (Hstep i y ws vs' x' rest' q' (E' i) Hi Hleft Hst' Hq). lia. }
    pose proof (follow_pays _ _ _ _ _ _ _ _ _ _ Hf (fun i => q' * Bq i + E' i)%nat z' H1) as H2.
    revert H2. apply paid_mono. intros i Hi. replace (S q + q' - 1)%nat with (q + q')%nat by lia. lia.
Qed.

(** K blocks are followed, of q that come, and j changes of scheduler are paid. j = K - 1 is P', and j = 0 is P''. The memory term of the
    pools at the start, the requests of all q blocks, and those from elsewhere is added once. *)
Theorem pinned_chain_memory x rest pool n z K q j E : 0 <= wO -> 0 <= wP -> starts x rest -> chain x (rest ++ []) pool n z K q j E ->
  Z.of_nat n <= Z.of_nat K * A + ((Z.of_nat q * Z.of_nat b - Z.of_nat K) * wO + (Z.of_nat q * Z.of_nat be - Z.of_nat K) * wP
    + Z.of_nat j * (Z.of_nat ((R - 1) * be) * wP)) / N + Z.of_nat (memory_term J rate (fun i => pool i + (q * Bq i + E i))%nat).
Proof.
  intros HO HP Hst Hp. pose proof (chain_bound _ _ _ _ _ _ _ _ _ HO HP Hp) as Hb. destruct (starts_rest x rest HO HP Hst) as (H1 & H2 & _).
  destruct (chain_pays _ _ _ _ _ _ _ _ _ Hp) as [Hq Hz].
  assert (z <= memory_term J rate (fun i => pool i + (q * Bq i + E i))%nat)%nat as Hz'.
  { apply paid_bound; [assumption|]. revert Hz. apply paid_mono. intros i Hi. destruct Hst as ((_ & _ & _ & Hb') & _). specialize (Hb' i Hi).
    rewrite app_nil_r. nia. }
  rewrite app_nil_r in Hb.
  assert (Z.of_nat n - Z.of_nat z - Z.of_nat K * A <= ((Z.of_nat q * Z.of_nat b - Z.of_nat K) * wO + (Z.of_nat q * Z.of_nat be - Z.of_nat K) * wP
    + Z.of_nat j * (Z.of_nat ((R - 1) * be) * wP)) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. nia.
Qed.
End Pinned.
