(** Theorem L, fourth part: the potential. It falls by at least 1 in every cycle until the followed warp is done. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters Setting OneCycle LatentWarps LatencyModes.
Import Setting.Names.
Local Open Scope Z_scope.

Section LatencyPotential.
Context {the : setting}.
Let N_pos : 0 < N := N_pos.
Let p_range : 0 <= p <= N := p_range.

(** The followed warp waits: v falls by N. *)
Lemma step_wait x ks vs m v U s : lat x = 0%nat -> code x = U :: s ->
  base x ks vs -> mode x ks vs v -> legal (x :: vs) (None :: m) ->
  exists ks', base (step x None) ks' (next vs m) /\ mode (step x None) ks' (next vs m) (v - N).
Proof.
  intros Hl Hc B M Hm. exists (marks None ks vs m). split; [now apply base_step|].
  pose proof B as (B1 & B2 & B3 & B4 & B5 & B6).
  destruct (seen x ks vs None m B Hm) as (Ha1 & Ha2 & Hb & Hs & _). cbn [issues andb] in *.
  pose proof (legal_wait itself inst lo hi shared width x vs m Hm U) as Hw.
  rewrite (wants_cons U U x s Hl Hc), Nat.eqb_refl in Hw.
  specialize (Hw eq_refl ltac:(now apply longest_holding)). rewrite B1 in Hw.
  assert (counts U = true) as HU by (apply B5; rewrite Hc; now left).
  unfold mode in *. rewrite Hl, Hc in M. unfold MachineRuns.step. rewrite Hc. cbn [lat code]. rewrite Hl. cbn [pred].
  destruct M as [Mk M]. split; [now apply marks_settled|].
  assert (forall A, label A = true -> total (slot g) vs m = width ->
    N + earned A (marks None ks vs m) (next vs m) <= earned A ks vs) as Hslots.
  { intros A HA Hf. pose proof (earned_slots A None ks vs m Ha2 B4 eq_refl).
    enough (N <= falls A (issued vs m)) by lia. apply slots_wait; auto.
    - now rewrite issued_length.
    - intros u. specialize (Hb u). lia. }
  assert (forall A, U = A \/ neutral U = true -> total (busy g U) vs m = inst U ->
    N + earned A (marks None ks vs m) (next vs m) <= earned A ks vs) as Hfull.
  { intros A HA Hf. pose proof (earned_busy A U None ks vs m Ha2 B4 B3 HU eq_refl HA) as H.
    rewrite Hf in H. pose proof (wi_unit U). lia. }
  destruct (neutral U) eqn:En.
  - intros A HA. specialize (M A HA). destruct Hw as [Hw|Hw]; [specialize (Hfull A ltac:(auto) Hw)|
      specialize (Hslots A HA Hw)]; lia.
  - destruct M as [M1 M2]. pose proof (labels U HU En) as HUl. split.
    + destruct Hw as [Hw|Hw]; [specialize (Hfull U ltac:(auto) Hw)|specialize (Hslots U HUl Hw)]; lia.
    + intros A HA HAU. specialize (M2 A HA HAU). destruct Hw as [Hw|Hw]; [|specialize (Hslots A HA Hw); lia].
      assert (wants A x = false) as Hx by (rewrite (wants_cons A U x s Hl Hc); apply Nat.eqb_neq; auto).
      pose proof (B6 U 1%nat ltac:(lia)) as Hfl. pose proof (paid_le_flying U 1 ks vs).
      pose proof (lo_hi U).
      destruct (cross U A None x ks vs None m (hi U) B Hm En HU HA HAU Hx (settled_only U ks Mk) eq_refl
        ltac:(now left) ltac:(lia) ltac:(lia)) as [H1|H1]; cbn [issues] in H1; [lia|].
      rewrite Hw in H1. pose proof (wi_unit U). pose proof (wi_pos U).
      assert (p <= Z.min p (wi U) * Z.of_nat (inst U)).
      { assert (0 < Z.of_nat (inst U)) by (pose proof N_pos; nia).
        destruct (Z.min_spec p (wi U)) as [[_ ->]|[_ ->]]; nia. }
      lia.
Qed.

(** It issues U, and is ready again l cycles later: v rises by hi - l. *)
Lemma step_issue x ks vs m v U s l : lat x = 0%nat -> code x = U :: s -> s <> [] ->
  base x ks vs -> mode x ks vs v -> legal (x :: vs) (Some l :: m) ->
  exists ks', base (step x (Some l)) ks' (next vs m) /\
    mode (step x (Some l)) ks' (next vs m) (v + N * Z.of_nat (hi U - l)).
Proof.
  intros Hl Hc Hs0 B M Hm. pose proof B as (B1 & B2 & B3 & B4 & B5 & B6). pose proof d_range.
  destruct (seen x ks vs (Some l) m B Hm) as (Ha1 & Ha2 & Hb & Hs & _).
  unfold mode in M. rewrite Hl, Hc in M. destruct M as [Mk M].
  assert (code (step x (Some l)) = s) as Ec by (unfold MachineRuns.step; now rewrite Hc).
  assert (lat (step x (Some l)) = pred l) as El by (unfold MachineRuns.step; now rewrite Hc).
  destruct Ha1 as [_ Hr]. rewrite Hc in Hr. pose proof (lo_hi U).
  destruct (neutral U) eqn:En.
  - apply loose with (marks None ks vs m); [now apply base_step|congruence|].
    intros A HA. specialize (M A HA). pose proof (earned_mono A None ks vs m Ha2 B4). nia.
  - destruct M as [M1 M2].
    assert (counts U = true) as HU by (apply B5; rewrite Hc; now left).
    pose proof (earned_mono U (Some U) ks vs m Ha2 B4) as H1.
    assert (forall A, label A = true -> A <> U ->
      earned A (marks (Some U) ks vs m) (next vs m) <= v + d * Z.of_nat (hi U - 1)) as H2.
    { intros A HA HAU. specialize (M2 A HA HAU).
      assert (wants A x = false) as Hx by (rewrite (wants_cons A U x s Hl Hc); apply Nat.eqb_neq; auto).
      assert (wants U x = true) as Hx' by (rewrite (wants_cons U U x s Hl Hc); apply Nat.eqb_refl).
      assert (keeps (Some U) A = false) as Ho by (cbn; apply Nat.eqb_neq; auto).
      pose proof (B6 U 1%nat ltac:(lia)). pose proof (paid_le_flying U 1 ks vs).
      pose proof (wi_pos U). pose proof (p_range).
      replace (Z.of_nat (hi U)) with (Z.of_nat (hi U - 1) + 1) in M2 by lia.
      destruct (cross U A (Some U) x ks vs (Some l) m (hi U) B Hm En HU HA HAU Hx (settled_only U ks Mk) Ho
        ltac:(now right) ltac:(lia) ltac:(lia)) as [Hy|Hy]; cbn [issues] in Hy; [lia|].
      assert (0 <= Z.min p (wi U) * Z.of_nat (total (busy g U) vs m)) by nia.
      replace (Z.of_nat (hi U)) with (Z.of_nat (hi U - 1) + 1) in Hy by lia. lia. }
    destruct (Nat.eq_dec l 1) as [E1|E1].
    + (* ready in the next cycle *)
      apply loose with (marks (Some U) ks vs m); [now apply base_step|congruence|].
      intros A HA. subst l. destruct (Nat.eq_dec A U) as [->|HAU]; [nia|]. specialize (H2 A HA HAU). nia.
    + exists (marks (Some U) ks vs m). split; [now apply base_step|].
      unfold mode. rewrite El. destruct l as [|[|l]]; [lia|lia|]. cbn [pred]. right.
      exists U, (hi U - S (S l))%nat. repeat split; auto.
      * apply marks_only, settled_only, Mk.
      * lia.
      * intros A HA HAU. specialize (H2 A HA HAU).
        replace (S l + (hi U - S (S l)))%nat with (hi U - 1)%nat by lia. lia.
      * intros j Hj. pose proof (paid_step U j ks vs m Hj Ha2 B4). specialize (B6 U (S j) ltac:(lia)).
        pose proof (paid_le_flying U (S j) ks vs).
        replace (S l + (hi U - S (S l)) - j)%nat with (hi U - S j)%nat by lia. lia.
Qed.

(** It is latent: v does not rise. *)
Lemma step_latent x ks vs m v : (0 < lat x)%nat -> code x <> [] ->
  base x ks vs -> mode x ks vs v -> legal (x :: vs) (None :: m) ->
  exists ks', base (step x None) ks' (next vs m) /\ mode (step x None) ks' (next vs m) v.
Proof.
  intros Hl Hc B M Hm. pose proof B as (B1 & B2 & B3 & B4 & B5 & B6). pose proof d_range.
  destruct (seen x ks vs None m B Hm) as (Ha1 & Ha2 & Hb & Hs & _).
  assert (code (step x None) = code x) as Ec by (unfold MachineRuns.step; now destruct (code x)).
  assert (lat (step x None) = pred (lat x)) as El by (unfold MachineRuns.step; now destruct (code x)).
  assert (forall u, wants u x = false) as Hx.
  { intros u. unfold MachineRuns.wants. destruct (Nat.eqb_spec (lat x) 0); [lia|reflexivity]. }
  unfold mode in M. destruct (lat x) as [|r] eqn:Er; [lia|]. cbn [pred] in El.
  destruct M as [[Mk M]|(U & b & En & HU & Mk & M1 & M2 & M3)].
  - apply loose with (marks None ks vs m); [now apply base_step|congruence|].
    intros A HA. specialize (M A HA). pose proof (earned_mono A None ks vs m Ha2 B4). lia.
  - pose proof (earned_mono U (Some U) ks vs m Ha2 B4) as H1.
    assert (forall A, label A = true -> A <> U ->
      earned A (marks (Some U) ks vs m) (next vs m) + N * Z.of_nat b <= v + d * Z.of_nat (r + b)) as H2.
    { intros A HA HAU. specialize (M2 A HA HAU).
      assert (keeps (Some U) A = false) as Ho by (cbn; apply Nat.eqb_neq; auto).
      pose proof (M3 1%nat ltac:(lia)). pose proof (wi_pos U).
      replace (Z.of_nat (S r + b)) with (Z.of_nat (r + b) + 1) in M2 by lia.
      destruct (cross U A (Some U) x ks vs None m (S r + b) B Hm En HU HA HAU (Hx A) Mk Ho
        ltac:(now left) ltac:(lia) ltac:(lia)) as [Hy|Hy]; cbn [issues] in Hy; [lia|].
      assert (0 <= Z.min p (wi U) * Z.of_nat (total (busy g U) vs m)) by nia.
      replace (Z.of_nat (S r + b)) with (Z.of_nat (r + b) + 1) in Hy by lia. lia. }
    destruct r as [|r].
    + (* ready in the next cycle *)
      apply loose with (marks (Some U) ks vs m); [now apply base_step|congruence|].
      intros A HA. destruct (Nat.eq_dec A U) as [->|HAU]; [nia|]. specialize (H2 A HA HAU). nia.
    + exists (marks (Some U) ks vs m). split; [now apply base_step|].
      unfold mode. rewrite El. right. exists U, b. repeat split; auto.
      * now apply marks_only.
      * lia.
      * intros j Hj. pose proof (paid_step U j ks vs m Hj Ha2 B4). specialize (M3 (S j) ltac:(lia)).
        replace (S r + b - j)%nat with (S (S r) + b - S j)%nat by lia. lia.
Qed.

Definition tied (x : warp) (vs : list warp) (f : Z) : Prop :=
  0 <= f /\ (code x = [] \/ exists ks v, f = N * Z.of_nat (own x) + v /\ base x ks vs /\ mode x ks vs v).

Lemma one_step x vs a m f : code x <> [] -> tied x vs f -> legal (x :: vs) (a :: m) ->
  exists f', tied (step x a) (next vs m) f' /\ N + f' <= f.
Proof.
  intros Hc [_ [H|(ks & v & -> & B & M)]] Hm; [congruence|]. pose proof N_pos.
  pose proof (mode_pos _ _ _ _ M) as Hv.
  assert (forall ks' v', N + (N * Z.of_nat (own (step x a)) + v') <= N * Z.of_nat (own x) + v ->
    base (step x a) ks' (next vs m) -> mode (step x a) ks' (next vs m) v' ->
    exists f', tied (step x a) (next vs m) f' /\ N + f' <= N * Z.of_nat (own x) + v) as Hdone.
  { intros ks' v' Hle B' M'. exists (N * Z.of_nat (own (step x a)) + v'). split; [|assumption].
    pose proof (mode_pos _ _ _ _ M'). split; [nia|]. right. exists ks', v'. auto. }
  assert (forall u, 1 <= occ u)%nat as Hocc by reflexivity.
  destruct (seen x ks vs a m B Hm) as (Ha1 & _). pose proof B as (_ & B2 & _).
  destruct (code x) as [|U s] eqn:Ec; [congruence|]. destruct a as [l|].
  - destruct Ha1 as [Hl Hr]. rewrite Ec in Hr. pose proof (lo_hi U).
    pose proof (own_issue itself occ lo hi Hocc x l ltac:(split; [assumption|rewrite Ec; assumption])) as Ho.
    destruct s as [|u s].
    + (* its last letter *)
      exists (N * Z.of_nat (own x) + v - N). split; [|lia].
      split; [nia|left]. unfold MachineRuns.step. now rewrite Ec.
    + destruct (step_issue x ks vs m v U (u :: s) l Hl Ec ltac:(discriminate) B M Hm) as (ks' & B' & M').
      apply (Hdone ks' (v + N * Z.of_nat (hi U - l))); auto.
      assert (own (step x (Some l)) + 1 + (hi U - l) <= own x)%nat; [|nia].
      unfold CP.own, MachineRuns.step. rewrite Ec. cbn [code lat held longest].
      change (alone occ hi (U :: u :: s)) with (span occ hi U + alone occ hi (u :: s))%nat.
      rewrite longest_age, B2, Hl, occ_one. unfold span. rewrite occ_one. lia.
  - destruct (Nat.eq_dec (lat x) 0) as [Hl|Hl].
    + destruct (step_wait x ks vs m v U s Hl Ec B M Hm) as (ks' & B' & M').
      apply (Hdone ks' (v - N)); auto. pose proof (own_wait itself occ hi x). nia.
    + destruct (step_latent x ks vs m v ltac:(lia) ltac:(congruence) B M Hm) as (ks' & B' & M').
      apply (Hdone ks' v); auto.
      pose proof (own_idle itself occ hi x ltac:(congruence) ltac:(lia)). nia.
Qed.

(** What the others are worth at the start. *)
Lemma earned_start A vs : earned A (map (fun _ => Free) vs) vs <= sumZ (map worth vs).
Proof.
  induction vs as [|v vs IH]; cbn [map earned sumZ]; [lia|].
  assert (val A Free v <= worth v); [|lia]. unfold val, worth. cbn [mval].
  destruct (sched v =? g)%nat, (lat v =? 0)%nat; try lia. apply R_le_best.
Qed.

Lemma flying_start u j vs : sum2 (flying u j) (map (fun _ => Free) vs) vs = O.
Proof.
  induction vs as [|v vs IH]; [reflexivity|]. cbn [map sum2]. rewrite IH. unfold flying.
  now rewrite andb_false_r.
Qed.

(** The bound, from any state in which no instance is held. *)
Theorem theorem_L_any_state x vs ms st' : sched x = g -> (forall u, In u (code x) -> counts u = true) ->
  longest (held x) = 0%nat -> Forall (fun v => longest (held v) = 0%nat) vs -> run (x :: vs) ms st' ->
  N * Z.of_nat (finish 0 ms) <= N * Z.of_nat (own x) + sumZ (map worth vs).
Proof.
  intros Hg Hx Hh Hvs Hr.
  apply (descent itself inst occ lo hi shared width N tied N_pos) with x vs st'; auto.
  - intros y ys f [H _]. exact H.
  - intros y ys a m f. apply one_step.
  - assert (0 <= sumZ (map worth vs)) as H0.
    { pose proof (earned_start 0 vs). pose proof (earned_pos 0 (map (fun _ => Free) vs) vs). lia. }
    split; [nia|]. destruct (code x) as [|U s] eqn:Ec; [now left|right].
    destruct (loose x (map (fun _ => Free) vs) vs (sumZ (map worth vs))) as (ks & B & M).
    + split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [now rewrite map_length|].
      split; [now rewrite Ec|]. intros u j _.
      rewrite flying_start. apply Nat.le_0_l.
    + congruence.
    + intros A _. apply earned_start.
    + exists ks, (sumZ (map worth vs)). auto.
Qed.

(** The bound from the start. *)
Lemma theorem_L_prices st ms st' i s : Forall (fun v => v = fresh (sched v) (code v)) st ->
  run st ms st' -> nth_error st i = Some (fresh g s) -> (forall u, In u s -> counts u = true) ->
  Z.of_nat (finish i ms) <=
    Z.of_nat (length s + Lambda occ hi s) + sumZ (map worth (others i st)) / N.
Proof.
  intros Hst Hr Hi Hs.
  assert (i < length st)%nat as Hlt by (apply nth_error_Some; congruence).
  destruct (run_front itself inst occ lo hi shared width i st ms st' Hlt Hr) as (ms' & Hr' & <-).
  unfold front in Hr'. rewrite (nth_error_nth _ _ _ Hi) in Hr'.
  pose proof (fun H => theorem_L_any_state (fresh g s) (others i st) ms' _ eq_refl Hs eq_refl H Hr') as H.
  assert (Forall (fun v => longest (held v) = 0%nat) (others i st)) as Ho.
  { apply others_Forall. revert Hst. apply Forall_impl. intros v ->. reflexivity. }
  specialize (H Ho).
  assert (own (fresh g s) = length s + Lambda occ hi s)%nat as E.
  { rewrite <- alone_Lambda by (intros u; rewrite occ_one; lia). unfold CP.own, fresh.
    cbn [code lat held longest]. now destruct s. }
  rewrite E in H.
  assert (Z.of_nat (finish 0 ms') - Z.of_nat (length s + Lambda occ hi s) <= sumZ (map worth (others i st)) / N);
    [|lia]. apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.

End LatencyPotential.
