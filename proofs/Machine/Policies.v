(** Bounds for known policies on machines (docs/policy-bounds.md, Theorems A and B), where the letters for the units of the warp
    that is followed hold their instances for one cycle. Each scheduler tries its warps in an order. A ready warp is passed over
    only if at its turn the instances of its unit are held or the slots are used, by warps that were tried before. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP.

(** * Schedules of a policy *)

Fixpoint sum_to (n : nat) (f : nat -> nat) : nat := match n with 0 => 0 | S n => f n + sum_to n f end.
Fixpoint sumz_to (n : nat) (f : nat -> Z) : Z := match n with 0 => 0%Z | S n => (f n + sumz_to n f)%Z end.

Definition at_ (st : list warp) (i : nat) : warp := nth i st nobody.
Definition act (m : actions) (i : nat) : action := nth i m None.

Section Policies.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

Notation wants := (wants unit).
Notation step := (step unit occ).
Notation next := (next unit occ).
Notation able := (able lo hi).
Notation sees := (sees shared).
Notation legal := (legal unit inst lo hi shared width).
Notation own := (own occ hi).

(** Instances of u that scheduler g sees: those held, and those taken in this cycle by the warps j with [b j]. *)
Definition taken (g u : nat) (st : list warp) (m : actions) (b : nat -> bool) : nat :=
  sum_to (length st) (fun j =>
    if sees g u (sched (at_ st j))
    then holding u (held (at_ st j)) + (if b j && (issues (act m j) && wants u (at_ st j)) then 1 else 0) else 0).

(** Slots of g used by the warps j with [b j]. *)
Definition used (g : nat) (st : list warp) (m : actions) (b : nat -> bool) : nat :=
  sum_to (length st) (fun j => if (sched (at_ st j) =? g) && (b j && issues (act m j)) then 1 else 0).

(** What a policy remembers, whether it then tries warp j before warp i, and what it remembers after a cycle. Other schedulers
    may take their instances before. *)
Section AnyPolicy.
Variables (memory : Type) (before : memory -> list warp -> nat -> nat -> bool)
  (moves : memory -> list warp -> actions -> memory -> Prop).

Definition tries (p : memory) (st : list warp) (m : actions) : Prop :=
  forall i u, i < length st -> wants u (at_ st i) = true -> act m i = None ->
  inst u <= taken (sched (at_ st i)) u st m (fun j => negb (sched (at_ st j) =? sched (at_ st i)) || before p st j i) \/
  width <= used (sched (at_ st i)) st m (fun j => before p st j i).

Inductive prun : memory -> list warp -> list actions -> list warp -> Prop :=
| prun_nil p st : prun p st [] st
| prun_cons p st m p' ms st' : legal st m -> tries p st m -> moves p st m p' -> prun p' (next st m) ms st' ->
    prun p st (m :: ms) st'.

(** The schedules of a policy are schedules of the machine. *)
Lemma prun_run p st ms st' : prun p st ms st' -> run unit inst occ lo hi shared width st ms st'.
Proof. induction 1; [constructor|econstructor; eauto]. Qed.
End AnyPolicy.

(** Loose round robin: [p g] is the number of the warp that scheduler g tries first. It is the one behind the first of the warps
    that the scheduler issued when it last issued any. *)
Definition rank (n p i : nat) : nat := if p <=? i then i - p else i + n - p.

Definition lrr_before (p : nat -> nat) (st : list warp) (j i : nat) : bool :=
  let q := p (sched (at_ st i)) in rank (length st) q j <? rank (length st) q i.

Definition lrr_moves (p : nat -> nat) (st : list warp) (m : actions) (p' : nat -> nat) : Prop :=
  forall g,
    ((forall j, j < length st -> sched (at_ st j) = g -> act m j = None) /\ p' g = p g) \/
    (exists f, f < length st /\ sched (at_ st f) = g /\ issues (act m f) = true /\ p' g = S f /\
       forall j, j < length st -> sched (at_ st j) = g -> issues (act m j) = true ->
         rank (length st) (p g) f <= rank (length st) (p g) j).

Definition lrr_run := prun (nat -> nat) lrr_before lrr_moves.

(** Oldest first: a smaller number is older. *)
Definition old_run := prun Datatypes.unit (fun _ _ j i => j <? i) (fun _ _ _ _ => True) tt.

(** * Sums *)

Lemma sum_to_pos n f : 0 < sum_to n f -> exists j, j < n /\ 0 < f j.
Proof.
  induction n as [|n IH]; cbn [sum_to]; [lia|]. intros H. destruct (Nat.eq_dec (f n) 0) as [E|E].
  - destruct IH as (j & Hj & Hf); [lia|]. exists j. lia.
  - exists n. lia.
Qed.

Lemma sumz_le n f h : (forall j, j < n -> (f j <= h j)%Z) -> (sumz_to n f <= sumz_to n h)%Z.
Proof.
  induction n as [|n IH]; intros H; cbn [sumz_to]; [lia|]. pose proof (H n ltac:(lia)). specialize (IH ltac:(auto)). lia.
Qed.

Lemma sumz_lt n f h k : k < n -> (forall j, j < n -> (f j <= h j)%Z) -> (1 + f k <= h k)%Z ->
  (1 + sumz_to n f <= sumz_to n h)%Z.
Proof.
  induction n as [|n IH]; intros Hk H Hs; cbn [sumz_to]; [lia|]. pose proof (H n ltac:(lia)).
  destruct (Nat.eq_dec k n) as [->|E].
  - pose proof (sumz_le n f h ltac:(auto)). lia.
  - specialize (IH ltac:(lia) ltac:(auto) Hs). lia.
Qed.

Lemma sumz_give n k c f h : (forall j, j < n -> (k * Z.of_nat (c j) + f j <= h j)%Z) ->
  (k * Z.of_nat (sum_to n c) + sumz_to n f <= sumz_to n h)%Z.
Proof.
  induction n as [|n IH]; intros H; cbn [sumz_to sum_to]; [lia|]. pose proof (H n ltac:(lia)). specialize (IH ltac:(auto)). lia.
Qed.

Lemma sumz_pos n f : (forall j, j < n -> (0 <= f j)%Z) -> (0 <= sumz_to n f)%Z.
Proof.
  induction n as [|n IH]; intros H; cbn [sumz_to]; [lia|]. pose proof (H n ltac:(lia)). specialize (IH ltac:(auto)). lia.
Qed.

(** * One cycle *)

Lemma at_next st m j : length m = length st -> j < length st -> at_ (next st m) j = step (at_ st j) (act m j).
Proof.
  unfold at_, act. revert m j; induction st as [|v st IH]; intros [|a m] j Hl Hj; cbn [length] in *; try lia.
  destruct j as [|j]; cbn [MachineRuns.next nth]; [reflexivity|]. apply IH; lia.
Qed.

Lemma able_at st m j : Forall2 able st m -> j < length st -> able (at_ st j) (act m j).
Proof.
  unfold at_, act. intros H; revert j; induction H as [|v a st m Ha H IH]; intros j Hj; cbn [length] in *; [lia|].
  destruct j as [|j]; cbn [nth]; [assumption|]. apply IH; lia.
Qed.

(** An issue takes one letter off. *)
Lemma code_step v a : able v a -> length (code (step v a)) + (if issues a then 1 else 0) = length (code v).
Proof.
  unfold MachineRuns.step, MachineRuns.able. destruct a as [l|], (code v); cbn [issues code length]; try lia; tauto.
Qed.

(** * A potential that falls by N in each cycle before w is done *)

Section Descent.
Variables (memory : Type) (before : memory -> list warp -> nat -> nat -> bool)
  (moves : memory -> list warp -> actions -> memory -> Prop) (w : nat) (N : Z).
Variables (Inv : memory -> list warp -> Prop) (F : memory -> list warp -> Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis F_pos : forall p st, Inv p st -> (0 <= F p st)%Z.
Hypothesis inv_length : forall p st, Inv p st -> w < length st.
Hypothesis inv_next : forall p st m p', Inv p st -> legal st m -> tries memory before p st m -> moves p st m p' ->
  Inv p' (next st m).
Hypothesis falls : forall p st m p', Inv p st -> legal st m -> tries memory before p st m -> moves p st m p' ->
  code (at_ st w) <> [] -> (N + F p' (next st m) <= F p st)%Z.

Lemma finish_none p st ms st' : Inv p st -> code (at_ st w) = [] -> prun memory before moves p st ms st' -> finish w ms = 0.
Proof using inv_length inv_next.
  intros HI Hc H. induction H as [|p st m p' ms st' Hm Ht Hp H IH]; [reflexivity|].
  pose proof (inv_length _ _ HI) as Hw. pose proof (legal_length _ _ _ _ _ _ _ _ Hm) as Hl.
  pose proof Hm as (Ha & _). pose proof (able_at _ _ w Ha Hw) as Hb. unfold MachineRuns.able in Hb. rewrite Hc in Hb.
  destruct (act m w) as [l|] eqn:E; [tauto|]. unfold finish in *. cbn [last_cycle]. rewrite IH.
  - unfold act in E. now rewrite E.
  - eauto.
  - rewrite at_next by assumption. rewrite E. unfold MachineRuns.step. rewrite Hc. reflexivity.
Qed.

Lemma pdescent p st ms st' : Inv p st -> prun memory before moves p st ms st' -> (N * Z.of_nat (finish w ms) <= F p st)%Z.
Proof using N_pos F_pos inv_length inv_next falls.
  intros HI H. induction H as [p st|p st m p' ms st' Hm Ht Hp H IH].
  - change (N * 0 <= F p st)%Z. rewrite Z.mul_0_r. auto.
  - destruct (code (at_ st w)) as [|x s] eqn:Hc.
    { assert (finish w (m :: ms) = 0) as Hz by (apply (finish_none p st (m :: ms) st' HI Hc); econstructor; eauto).
      rewrite Hz. change (N * 0 <= F p st)%Z. rewrite Z.mul_0_r. auto. }
    pose proof (inv_next _ _ _ _ HI Hm Ht Hp) as HI'. specialize (IH HI').
    pose proof (falls _ _ _ _ HI Hm Ht Hp ltac:(congruence)) as Hf. pose proof (F_pos _ _ HI') as H0.
    unfold finish in *. cbn [last_cycle]. destruct (Nat.ltb_spec 0 (last_cycle (fun m => issues (nth w m None)) ms)); [lia|].
    destruct (issues _); lia.
Qed.
End Descent.

(** * Occupancies of 1: no instance of a unit of the followed warp is held from one cycle to the next *)

(** [U] holds the units of the warp that is followed. Only the letters for these have to have an occupancy of 1. *)
Variable U : list nat.
Hypothesis occ_pos : forall x, 1 <= occ x.
Hypothesis occ_one : forall x, In (unit x) U -> occ x = 1.

Definition free (v : warp) : Prop := Forall (fun e => In (fst e) U -> snd e = 0) (held v).
Definition all_free (st : list warp) : Prop := forall j, free (at_ st j).

Lemma free_age h : Forall (fun e : nat * nat => In (fst e) U -> snd e = 0) h ->
  Forall (fun e => In (fst e) U -> snd e = 0) (age h).
Proof.
  induction 1 as [|e h He H IH]; cbn [age map]; constructor; auto. cbn [fst snd]. intros Hu. now rewrite He.
Qed.

Lemma free_step v a : free v -> free (step v a).
Proof using occ_one occ_pos.
  unfold free, MachineRuns.step. intros H. destruct a, (code v); cbn [held]; auto using free_age.
  constructor; [cbn [fst snd]; intros Hu; rewrite occ_one by assumption; reflexivity|auto using free_age].
Qed.

Lemma all_free_next st m : length m = length st -> all_free st -> all_free (next st m).
Proof using occ_one occ_pos.
  intros Hl H j. destruct (Nat.lt_ge_cases j (length st)) as [Hj|Hj].
  - rewrite at_next by assumption. apply free_step, H.
  - unfold at_. rewrite nth_overflow by (rewrite next_length by assumption; lia). constructor.
Qed.

Lemma free_holding u v : In u U -> free v -> holding u (held v) = 0.
Proof.
  unfold free. intros Hu. induction 1 as [|(x, r) h He H IH]; [reflexivity|]. cbn [holding fst snd] in *. rewrite IH.
  destruct (Nat.eqb_spec x u) as [->|]; cbn [andb]; [|reflexivity]. now rewrite He.
Qed.

Lemma all_free_fresh st : Forall (fun v => v = fresh (sched v) (code v)) st -> all_free st.
Proof.
  intros Hst j. unfold at_. destruct (Nat.lt_ge_cases j (length st)) as [Hj|Hj].
  - rewrite (proj1 (Forall_forall _ _) Hst (nth j st nobody)) by (now apply nth_In). constructor.
  - rewrite nth_overflow by assumption. constructor.
Qed.

Lemma own_fresh g s : own (fresh g s) = length s + Lambda occ hi s.
Proof using occ_pos.
  rewrite <- alone_Lambda by exact occ_pos. unfold CP.own, fresh. cbn [code lat held longest]. now destruct s.
Qed.

Lemma wants_unit v u s : lat v = 0 -> code v = u :: s -> wants (unit u) v = true.
Proof. intros Hl Hc. unfold MachineRuns.wants. rewrite Hl, Hc. cbn [Nat.eqb andb]. apply Nat.eqb_refl. Qed.

(** * Theorem A: loose round robin *)

Section Lrr.
Hypothesis private : forall u, In u U -> shared u = false.
Hypothesis inst_pos : forall u, 1 <= inst u.
Hypothesis width_pos : 1 <= width.
Variables (w g n : nat).

(** A warp j that has been passed by in this wait of w can go before w one time less often. *)
Definition room (p : nat -> nat) (st : list warp) (j : nat) : nat :=
  length (code (at_ st w)) - (if (lat (at_ st w) =? 0) && negb (lrr_before p st j w) then 1 else 0).

Definition lrr_worth (p : nat -> nat) (st : list warp) (j : nat) : Z :=
  if (j =? w) || negb (sched (at_ st j) =? g) then 0%Z else Z.of_nat (Nat.min (length (code (at_ st j))) (room p st j)).

Definition lrr_potential (p : nat -> nat) (st : list warp) : Z := (Z.of_nat (own (at_ st w)) + sumz_to n (lrr_worth p st))%Z.

Definition lrr_inv (p : nat -> nat) (st : list warp) : Prop :=
  w < n /\ length st = n /\ sched (at_ st w) = g /\ p g <= n /\ all_free st /\ forall x, In x (code (at_ st w)) -> In (unit x) U.

(** The warp f goes before w, and the turn passes to the one behind f: f itself is no longer before w, and nobody else has
    come before it. *)
Lemma turn_passes q f j : w < n -> f < n -> j < n -> q <= n -> rank n q f < rank n q w ->
  rank n (S f) j < rank n (S f) w -> rank n q j < rank n q w /\ j <> f.
Proof.
  unfold rank. intros. destruct (Nat.leb_spec q f), (Nat.leb_spec q w), (Nat.leb_spec q j), (Nat.leb_spec (S f) j),
    (Nat.leb_spec (S f) w); lia.
Qed.

(** If w is ready and waits, a warp of its scheduler that is tried before w issues. *)
Lemma lrr_first p st m : lrr_inv p st -> legal st m -> tries (nat -> nat) lrr_before p st m ->
  code (at_ st w) <> [] -> lat (at_ st w) = 0 -> act m w = None ->
  exists h, h < n /\ sched (at_ st h) = g /\ issues (act m h) = true /\ lrr_before p st h w = true.
Proof using private inst_pos width_pos.
  intros (Hw & Hn & Hg & Hp & Hf & HU) Hm Ht Hc Hl Ha. destruct (code (at_ st w)) as [|x s] eqn:E; [congruence|].
  specialize (HU x ltac:(now left)).
  destruct (Ht w (unit x) ltac:(lia) (wants_unit _ x s Hl E) Ha) as [H|H].
  - pose proof (inst_pos (unit x)). unfold taken in H. destruct (sum_to_pos _ _ (Nat.lt_le_trans _ _ _ H0 H)) as (j & Hj & Hs).
    cbv beta in Hs. exists j. split; [lia|]. destruct (sees _ _ _) eqn:Es; [|lia].
    unfold MachineRuns.sees in Es. rewrite private, Hg in Es by assumption. cbn [orb] in Es. apply Nat.eqb_eq in Es.
    rewrite (free_holding _ _ HU (Hf j)) in Hs. rewrite Hg, Es, Nat.eqb_refl in Hs. cbn [negb orb] in Hs.
    destruct (lrr_before p st j w), (issues (act m j)); cbn [andb] in Hs; auto; lia.
  - unfold used in H. destruct (sum_to_pos _ _ (Nat.lt_le_trans _ _ _ width_pos H)) as (j & Hj & Hs). cbv beta in Hs.
    exists j. split; [lia|]. rewrite Hg in Hs. destruct (Nat.eqb_spec (sched (at_ st j)) g); cbn [andb] in Hs; [|lia].
    destruct (lrr_before p st j w), (issues (act m j)); cbn [andb] in Hs; auto; lia.
Qed.

Lemma lrr_inv_next p st m p' : lrr_inv p st -> legal st m -> tries (nat -> nat) lrr_before p st m -> lrr_moves p st m p' ->
  lrr_inv p' (next st m).
Proof using occ_one occ_pos private inst_pos width_pos.
  intros (Hw & Hn & Hg & Hp & Hf & HU) Hm _ Hp'. pose proof (legal_length _ _ _ _ _ _ _ _ Hm) as Hl.
  repeat split; [assumption|rewrite next_length; assumption| | |now apply all_free_next|].
  - rewrite at_next by lia. now rewrite sched_step.
  - destruct (Hp' g) as [[_ ->]|(f & Hlt & _ & _ & -> & _)]; lia.
  - intros x Hx. apply HU. rewrite at_next in Hx by lia. unfold MachineRuns.step in Hx.
    destruct (act m w), (code (at_ st w)); cbn in *; auto.
Qed.

Lemma lrr_falls p st m p' : lrr_inv p st -> legal st m -> tries (nat -> nat) lrr_before p st m -> lrr_moves p st m p' ->
  code (at_ st w) <> [] -> (1 + lrr_potential p' (next st m) <= lrr_potential p st)%Z.
Proof using occ_one occ_pos private inst_pos width_pos.
  intros HI Hm Ht Hp' Hc. pose proof HI as (Hw & Hn & Hg & Hp & Hf & HU). pose proof (legal_length _ _ _ _ _ _ _ _ Hm) as Hl.
  pose proof Hm as (Hall & _).
  assert (forall j, j < n -> able (at_ st j) (act m j)) as Hab by (intros; apply able_at; [assumption|lia]).
  assert (forall j, j < n -> at_ (next st m) j = step (at_ st j) (act m j)) as Hat by (intros; apply at_next; lia).
  pose proof (Hab w Hw) as Hb. pose proof (code_step _ _ Hb) as Hcw.
  unfold lrr_potential. rewrite Hat by assumption.
  (* If the room of each warp does not grow, nothing grows. *)
  assert (forall j, j < n -> room p' (next st m) j <= room p st j -> (lrr_worth p' (next st m) j <= lrr_worth p st j)%Z) as Hr.
  { intros j Hj Hroom. unfold lrr_worth. rewrite Hat, sched_step by assumption.
    pose proof (code_step _ _ (Hab j Hj)). destruct (_ || _); lia. }
  destruct (act m w) as [l|] eqn:Ea.
  - pose proof (own_issue unit occ lo hi occ_pos _ _ Hb).
    assert (sumz_to n (lrr_worth p' (next st m)) <= sumz_to n (lrr_worth p st))%Z; [|lia].
    apply sumz_le. intros j Hj. apply Hr; [assumption|]. unfold room. rewrite Hat, Ea by assumption. cbn [issues] in Hcw.
    destruct (_ && _), (_ && _); lia.
  - cbn [issues] in Hcw. destruct (Nat.eq_dec (lat (at_ st w)) 0) as [E|E].
    + pose proof (own_wait unit occ hi (at_ st w)).
      destruct (lrr_first p st m HI Hm Ht Hc E Ea) as (h & Hh & Hgh & Hih & Hbh).
      destruct (Hp' g) as [[Hno _]|(f & Hlf & Hgf & Hif & Hpf & Hmin)].
      { rewrite (Hno h ltac:(lia) Hgh) in Hih. discriminate. }
      specialize (Hmin h ltac:(lia) Hgh Hih).
      unfold lrr_before in Hbh. rewrite Hg, Hn in Hbh. apply Nat.ltb_lt in Hbh. rewrite Hn in Hmin, Hlf.
      assert (rank n (p g) f < rank n (p g) w) as Hfw by lia.
      assert (lat (at_ (next st m) w) = 0) as El.
      { rewrite Hat, Ea by assumption. unfold MachineRuns.step. destruct (code (at_ st w)); cbn [lat]; lia. }
      assert (length (code (at_ (next st m) w)) = length (code (at_ st w))) as Elen by (rewrite Hat, Ea by assumption; lia).
      assert (forall j, j < n -> room p' (next st m) j <= room p st j) as Hroom.
      { intros j Hj. unfold room. rewrite El, E, Elen. cbn [Nat.eqb andb]. unfold lrr_before.
        rewrite (Hat w Hw), sched_step, Hg, next_length, Hn, Hpf by assumption.
        destruct (Nat.ltb_spec (rank n (S f) j) (rank n (S f) w)) as [Hjw|Hjw]; cbn [negb]; [|destruct (negb _); lia].
        destruct (turn_passes (p g) f j Hw Hlf Hj Hp Hfw Hjw) as [Hjp _].
        apply Nat.ltb_lt in Hjp. rewrite Hjp. cbn [negb]. lia. }
      assert (1 + sumz_to n (lrr_worth p' (next st m)) <= sumz_to n (lrr_worth p st))%Z; [|lia].
      apply sumz_lt with f; [assumption|intros; auto|].
      unfold lrr_worth. rewrite (Hat f Hlf), sched_step, Hgf, Nat.eqb_refl.
      assert ((f =? w) = false) as Efw by (apply Nat.eqb_neq; intros ->; lia). rewrite Efw. cbn [orb negb].
      pose proof (code_step _ _ (Hab f Hlf)) as Hcf. rewrite Hif in Hcf.
      unfold room. rewrite El, E, Elen. cbn [Nat.eqb andb]. unfold lrr_before.
      rewrite (Hat w Hw), sched_step, Hg, next_length, Hn, Hpf by assumption.
      destruct (Nat.ltb_spec (rank n (S f) f) (rank n (S f) w)) as [Hff|Hff].
      { destruct (turn_passes (p g) f f Hw Hlf Hlf Hp Hfw Hff) as [_ Hx]. congruence. }
      apply Nat.ltb_lt in Hfw. rewrite Hfw. cbn [negb]. destruct (code (at_ st w)); [congruence|]. cbn [length] in *. lia.
    + pose proof (own_idle unit occ hi (at_ st w) Hc ltac:(lia)).
      assert (sumz_to n (lrr_worth p' (next st m)) <= sumz_to n (lrr_worth p st))%Z; [|lia].
      apply sumz_le. intros j Hj. apply Hr; [assumption|]. unfold room. rewrite Hat, Ea by assumption.
      destruct (Nat.eqb_spec (lat (at_ st w)) 0); [lia|]. cbn [andb]. destruct (_ && _); lia.
Qed.
End Lrr.

(** Theorem A. Under loose round robin another warp of the scheduler goes before w at most once for each letter of w, if the
    letters for the units of w have occupancy 1 and these units are private to the schedulers. All other letters and units, the
    width, the instances, the latencies and the warps that are tried first are any. Before the first letter only those warps go
    that stand before w at the start. *)
Theorem lrr_bound p st ms st' w g s :
  (forall x, In x s -> In (unit x) U) -> (forall u, In u U -> shared u = false) -> (forall u, 1 <= inst u) -> 1 <= width ->
  p g <= length st -> Forall (fun v => v = fresh (sched v) (code v)) st -> nth_error st w = Some (fresh g s) ->
  lrr_run p st ms st' ->
  (Z.of_nat (finish w ms) <= Z.of_nat (length s + Lambda occ hi s)%nat + sumz_to (length st) (fun j =>
     if (j =? w)%nat || negb (sched (at_ st j) =? g)%nat then 0%Z
     else Z.of_nat (Nat.min (length (code (at_ st j))) (length s - (if lrr_before p st j w then 0 else 1))%nat)))%Z.
Proof using occ_one occ_pos.
  intros HU Hpr Hi Hd Hp Hst Hw Hr. assert (w < length st) as Hlt by (apply nth_error_Some; congruence).
  assert (at_ st w = fresh g s) as Eat by (unfold at_; now apply nth_error_nth).
  assert (lrr_inv w g (length st) p st) as HI.
  { repeat split; auto; [now rewrite Eat|now apply all_free_fresh|now rewrite Eat]. }
  pose proof (pdescent (nat -> nat) lrr_before lrr_moves w 1%Z (lrr_inv w g (length st)) (lrr_potential w g (length st))
    ltac:(lia)) as H.
  specialize (H ltac:(intros p1 st1 _; unfold lrr_potential; apply Z.add_nonneg_nonneg; [lia|]; apply sumz_pos;
    intros; unfold lrr_worth; destruct (_ || _); lia)).
  specialize (H ltac:(intros p1 st1 (A & B & _); lia)).
  specialize (H ltac:(intros; eapply lrr_inv_next; eauto)).
  specialize (H ltac:(intros; eapply lrr_falls; eauto)).
  specialize (H p st ms st' HI Hr). unfold lrr_potential in H.
  rewrite Eat, own_fresh in H.
  eapply Z.le_trans; [|apply Z.add_le_mono_l, sumz_le; intros j Hj; apply Z.eq_le_incl].
  - rewrite Z.mul_1_l in H. exact H.
  - unfold lrr_worth, room. rewrite Eat. cbn [fresh lat code Nat.eqb andb].
    destruct (_ || _); [reflexivity|]. destruct (lrr_before p st j w); reflexivity.
Qed.

(** The same, whatever the pointers are at the start: the number of letters of the other warp or of w, whichever is smaller. *)
Theorem lrr_bound_simple p st ms st' w g s :
  (forall x, In x s -> In (unit x) U) -> (forall u, In u U -> shared u = false) -> (forall u, 1 <= inst u) -> 1 <= width ->
  p g <= length st -> Forall (fun v => v = fresh (sched v) (code v)) st -> nth_error st w = Some (fresh g s) ->
  lrr_run p st ms st' ->
  (Z.of_nat (finish w ms) <= Z.of_nat (length s + Lambda occ hi s)%nat + sumz_to (length st) (fun j =>
     if (j =? w)%nat || negb (sched (at_ st j) =? g)%nat then 0%Z
     else Z.of_nat (Nat.min (length (code (at_ st j))) (length s))))%Z.
Proof using occ_one occ_pos.
  intros HU Hpr Hi Hd Hp Hst Hw Hr. pose proof (lrr_bound p st ms st' w g s HU Hpr Hi Hd Hp Hst Hw Hr) as H.
  eapply Z.le_trans; [exact H|]. apply Z.add_le_mono_l, sumz_le. intros j Hj. destruct (_ || _); [lia|].
  destruct (lrr_before p st j w); lia.
Qed.

(** * Theorem B: oldest first *)

Section Oldest.
Local Open Scope Z_scope.
(** Weights, times N: [wi u] stands for 1/m, [wd] for 1/d. *)
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : 0 < N.
Hypothesis wi_unit : forall u, Z.of_nat (inst u) * wi u = N.
Hypothesis wd_width : Z.of_nat width * wd = N.
Variables (w g n : nat).

(** A letter x of warp j: of an older warp of the scheduler, or of another scheduler. A younger warp of the scheduler counts
    nothing. *)
Definition old_price (st : list warp) (j x : nat) : Z :=
  if (sched (at_ st j) =? g)%nat then
    if (j <? w)%nat then if occurs (unit x) U then Z.max (wi (unit x)) wd else wd else 0
  else if shared (unit x) && occurs (unit x) U then wi (unit x) else 0.

Definition old_worth (st : list warp) (j : nat) : Z := sumZ (map (old_price st j) (code (at_ st j))).
Definition old_potential (_ : Datatypes.unit) (st : list warp) : Z := N * Z.of_nat (own (at_ st w)) + sumz_to n (old_worth st).

Definition old_inv (_ : Datatypes.unit) (st : list warp) : Prop :=
  (w < n)%nat /\ length st = n /\ sched (at_ st w) = g /\ all_free st /\ forall x, In x (code (at_ st w)) -> In (unit x) U.

Lemma weights_pos : (forall u, 0 < wi u) /\ 0 < wd.
Proof using N_pos wi_unit wd_width. split; [intros u; specialize (wi_unit u)|]; nia. Qed.

Lemma old_price_pos st j x : 0 <= old_price st j x.
Proof using N_pos wi_unit wd_width.
  destruct weights_pos as [Hi Hd]. pose proof (Hi (unit x)). unfold old_price. destruct (sched (at_ st j) =? g)%nat, (j <? w)%nat,
    (occurs (unit x) U), (shared (unit x)); cbn [andb]; lia.
Qed.

Lemma old_worth_pos st j : 0 <= old_worth st j.
Proof using N_pos wi_unit wd_width.
  unfold old_worth. induction (code (at_ st j)) as [|x c IH]; cbn [map sumZ]; [lia|]. pose proof (old_price_pos st j x). lia.
Qed.

(** An issue takes its price off. *)
Lemma old_worth_next st m j : length m = length st -> (j < length st)%nat -> able (at_ st j) (act m j) ->
  old_worth (next st m) j + (if issues (act m j) then match code (at_ st j) with x :: _ => old_price st j x | [] => 0 end else 0)
    = old_worth st j.
Proof.
  intros Hl Hj Ha. unfold old_worth, old_price. rewrite at_next by assumption. rewrite sched_step.
  unfold MachineRuns.step, MachineRuns.able in *. destruct (act m j) as [l|]; cbn [issues].
  - destruct Ha as [_ Ha]. destruct (code (at_ st j)) as [|x c] eqn:E; [tauto|]. cbn [code map sumZ]. lia.
  - destruct (code (at_ st j)) as [|x c] eqn:E; cbn [code map sumZ]; lia.
Qed.

Lemma old_inv_next p st m p' : old_inv p st -> legal st m -> tries Datatypes.unit (fun _ _ j i => (j <? i)%nat) p st m -> True ->
  old_inv p' (next st m).
Proof using occ_one occ_pos.
  intros (Hw & Hn & Hg & Hf & HU) Hm _ _. pose proof (legal_length _ _ _ _ _ _ _ _ Hm) as Hl.
  repeat split; [assumption|rewrite next_length; assumption| |now apply all_free_next|].
  - rewrite at_next by lia. now rewrite sched_step.
  - intros x Hx. apply HU. rewrite at_next in Hx by lia. unfold MachineRuns.step in Hx.
    destruct (act m w), (code (at_ st w)); cbn in *; auto.
Qed.

Lemma old_falls p st m p' : old_inv p st -> legal st m -> tries Datatypes.unit (fun _ _ j i => (j <? i)%nat) p st m -> True ->
  code (at_ st w) <> [] -> N + old_potential p' (next st m) <= old_potential p st.
Proof using occ_one occ_pos N_pos wi_unit wd_width.
  intros (Hw & Hn & Hg & Hf & HU) Hm Ht _ Hc. pose proof (legal_length _ _ _ _ _ _ _ _ Hm) as Hl.
  pose proof Hm as (Hall & _). destruct weights_pos as [Hwi Hwd].
  assert (forall j, (j < n)%nat -> able (at_ st j) (act m j)) as Hab by (intros; apply able_at; [assumption|lia]).
  assert (forall j, (j < n)%nat -> old_worth (next st m) j <= old_worth st j) as Hle.
  { intros j Hj. pose proof (old_worth_next st m j Hl ltac:(lia) (Hab j Hj)).
    destruct (issues (act m j)); [|lia]. destruct (code (at_ st j)) as [|x c]; [lia|]. pose proof (old_price_pos st j x). lia. }
  pose proof (Hab w Hw) as Hb. unfold old_potential. rewrite (at_next st m w Hl ltac:(lia)).
  pose proof (sumz_le n _ _ Hle) as Hsum.
  destruct (act m w) as [l|] eqn:Ea.
  - pose proof (own_issue unit occ lo hi occ_pos _ _ Hb). nia.
  - destruct (Nat.eq_dec (lat (at_ st w)) 0) as [E|E].
    2:{ pose proof (own_idle unit occ hi (at_ st w) Hc ltac:(lia)). nia. }
    pose proof (own_wait unit occ hi (at_ st w)). destruct (code (at_ st w)) as [|x s] eqn:Ec; [congruence|].
    assert (N + sumz_to n (old_worth (next st m)) <= sumz_to n (old_worth st)); [|nia].
    destruct (Ht w (unit x) ltac:(lia) (wants_unit _ x s E Ec) Ea) as [H0|H0]; rewrite Hg in H0.
    + unfold taken in H0. rewrite Hn in H0.
      match type of H0 with (_ <= sum_to n ?c)%nat => set (cnt := c) in H0 end.
      assert (wi (unit x) * Z.of_nat (sum_to n cnt) + sumz_to n (old_worth (next st m)) <= sumz_to n (old_worth st)).
      { apply sumz_give. intros j Hj. pose proof (old_worth_next st m j Hl ltac:(lia) (Hab j Hj)) as Hj'. pose proof (Hle j Hj).
        unfold cnt. rewrite (free_holding _ _ (HU x ltac:(now left)) (Hf j)). destruct (sees _ _ _) eqn:Es; [|lia].
        destruct (issues (act m j)) eqn:Ei; [|rewrite andb_false_r; lia].
        destruct (wants (unit x) (at_ st j)) eqn:Ew; [|rewrite !andb_false_r; lia].
        unfold MachineRuns.wants in Ew. destruct (code (at_ st j)) as [|y c] eqn:Ey; [now rewrite andb_false_r in Ew|].
        apply andb_true_iff in Ew. destruct Ew as [_ Ew]. apply Nat.eqb_eq in Ew.
        unfold old_price in Hj'. rewrite Ew, (occurs_In _ _ (HU x ltac:(now left))) in Hj'.
        unfold MachineRuns.sees in Es. specialize (Hwi (unit x)).
        destruct (Nat.eqb_spec (sched (at_ st j)) g); cbn [negb orb andb] in *.
        - destruct (j <? w)%nat; cbn [andb]; lia.
        - rewrite orb_false_r in Es. rewrite Es in Hj'. cbn [andb] in Hj'. lia. }
      specialize (wi_unit (unit x)). specialize (Hwi (unit x)). nia.
    + unfold used in H0. rewrite Hn in H0. match type of H0 with (_ <= sum_to n ?c)%nat => set (cnt := c) in H0 end.
      assert (wd * Z.of_nat (sum_to n cnt) + sumz_to n (old_worth (next st m)) <= sumz_to n (old_worth st)).
      { apply sumz_give. intros j Hj. pose proof (old_worth_next st m j Hl ltac:(lia) (Hab j Hj)) as Hj'. pose proof (Hle j Hj).
        unfold cnt. destruct (Nat.eqb_spec (sched (at_ st j)) g) as [Eg|]; cbn [andb]; [|lia].
        destruct (issues (act m j)) eqn:Ei; [|rewrite andb_false_r; lia].
        destruct (j <? w)%nat eqn:Ej; cbn [andb]; [|lia].
        pose proof (Hab j Hj) as Hj2. unfold MachineRuns.able in Hj2. destruct (act m j); [|discriminate].
        destruct (code (at_ st j)) as [|y c]; [tauto|]. unfold old_price in Hj'. rewrite Eg, Nat.eqb_refl, Ej in Hj'.
        destruct (occurs (unit y) U); lia. }
      nia.
Qed.
End Oldest.

(** Theorem B. Under oldest first only older warps of the scheduler keep w waiting, and warps of other schedulers on shared
    units, if the letters for the units of w have occupancy 1. *)
Theorem oldest_bound N wi wd st ms st' w g s : (0 < N)%Z -> (forall u, Z.of_nat (inst u) * wi u = N)%Z ->
  (Z.of_nat width * wd = N)%Z ->
  Forall (fun v => v = fresh (sched v) (code v)) st -> nth_error st w = Some (fresh g s) ->
  (forall x, In x s -> In (unit x) U) -> old_run st ms st' ->
  (Z.of_nat (finish w ms) <= Z.of_nat (length s + Lambda occ hi s)%nat + sumz_to (length st) (old_worth wi wd w g st) / N)%Z.
Proof using occ_one occ_pos.
  intros HN Hwi Hwd Hst Hw HU Hr. assert (w < length st) as Hlt by (apply nth_error_Some; congruence).
  assert (at_ st w = fresh g s) as Eat by (unfold at_; now apply nth_error_nth).
  assert (old_inv w g (length st) tt st) as HI.
  { repeat split; auto; [now rewrite Eat|now apply all_free_fresh|].
    intros x Hx. rewrite Eat in Hx. cbn [fresh code] in Hx. apply HU, Hx. }
  pose proof (pdescent Datatypes.unit (fun _ _ j i => j <? i) (fun _ _ _ _ => True) w N (old_inv w g (length st))
    (old_potential N wi wd w g (length st)) HN) as H.
  specialize (H ltac:(intros p1 st1 _; unfold old_potential; apply Z.add_nonneg_nonneg; [nia|]; apply sumz_pos;
    intros; eapply old_worth_pos; eauto)).
  specialize (H ltac:(intros p1 st1 (A & B & _); lia)).
  specialize (H ltac:(intros; eapply old_inv_next; eauto)).
  specialize (H ltac:(intros; eapply old_falls; eauto)).
  specialize (H tt st ms st' HI Hr). unfold old_potential in H.
  rewrite Eat, own_fresh in H.
  assert (Z.of_nat (finish w ms) - Z.of_nat (length s + Lambda occ hi s) <=
    sumz_to (length st) (old_worth wi wd w g st) / N)%Z; [|lia].
  apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.
End Policies.
