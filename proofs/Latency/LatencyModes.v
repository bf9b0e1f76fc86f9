(** Theorem L, third part: what the waits to come are no less than, and what a legal cycle gives. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters Setting OneCycle LatentWarps.
Import Setting.Names.
Local Open Scope Z_scope.

Section LatencyModes.
Context {the : setting}.
Let N_pos : 0 < N := N_pos.
Let p_range : 0 <= p <= N := p_range.

(** * The potential *)

Definition base (x : warp) (ks : list mark) (vs : list warp) : Prop :=
  sched x = g /\ longest (held x) = 0%nat /\ Forall (fun v => longest (held v) = 0%nat) vs /\
  length ks = length vs /\ (forall u, In u (code x) -> counts u = true) /\
  (forall u j, (1 <= j)%nat -> (sum2 (flying u j) ks vs <= cap u * (hi u - j))%nat).

(** What v, the waits still to come times N, is no less than. The followed warp is ready for U, or latent,
    its last letter neutral or U; then it was ready b cycles too early. *)
Definition mode (x : warp) (ks : list mark) (vs : list warp) (v : Z) : Prop :=
  match lat x, code x with
  | O, [] => False
  | O, U :: _ =>
    Forall settled ks /\
    if neutral U then forall A, label A = true -> earned A ks vs <= v
    else earned U ks vs <= v /\
         forall A, label A = true -> A <> U -> earned A ks vs <= v + d * Z.of_nat (hi U)
  | r, _ =>
    (Forall settled ks /\ forall A, label A = true -> earned A ks vs <= v) \/
    exists U b, neutral U = false /\ counts U = true /\ Forall (only U) ks /\
      earned U ks vs + N * Z.of_nat b <= v /\
      (forall A, label A = true -> A <> U ->
         earned A ks vs + N * Z.of_nat b <= v + d * Z.of_nat (r + b)) /\
      (forall j, (1 <= j)%nat -> (sum2 (paid U j) ks vs <= cap U * (r + b - j))%nat)
  end.

Lemma d_range : 0 <= d <= N.
Proof. pose proof p_range. lia. Qed.

Lemma mode_pos x ks vs v : mode x ks vs v -> 0 <= v.
Proof.
  unfold mode. destruct some_label as [A HA]. intros H. pose proof N_pos.
  destruct (lat x) as [|r], (code x) as [|U s]; try tauto.
  - destruct H as [_ H]. destruct (neutral U).
    + specialize (H A HA). pose proof (earned_pos A ks vs). lia.
    + pose proof (earned_pos U ks vs). lia.
  - destruct H as [[_ H]|(U & b & _ & _ & _ & H & _)].
    + specialize (H A HA). pose proof (earned_pos A ks vs). lia.
    + pose proof (earned_pos U ks vs). nia.
  - destruct H as [[_ H]|(V & b & _ & _ & _ & H & _)].
    + specialize (H A HA). pose proof (earned_pos A ks vs). lia.
    + pose proof (earned_pos V ks vs). nia.
Qed.

(** No label above v is enough. *)
Lemma loose x ks vs v : base x ks vs -> code x <> [] ->
  (forall A, label A = true -> earned A ks vs <= v) ->
  exists ks', base x ks' vs /\ mode x ks' vs v.
Proof.
  intros (B1 & B2 & B3 & B4 & B5 & B6) Hc H. exists (map settle ks). split.
  - repeat split; auto; [now rewrite map_length|]. intros u j Hj. rewrite flying_settle. auto.
  - assert (forall A, label A = true -> earned A (map settle ks) vs <= v) as H'.
    { intros A HA. specialize (H A HA). pose proof (earned_settle A ks vs). lia. }
    pose proof (settled_settle ks). pose proof d_range.
    unfold mode. destruct (lat x) as [|r], (code x) as [|U s]; try congruence; [|left; auto].
    split; [assumption|]. destruct (neutral U) eqn:En; [assumption|].
    split; [apply H', labels; [apply B5; now left|assumption]|].
    intros A HA _. specialize (H' A HA). nia.
Qed.

(** What a legal cycle gives. *)
Lemma seen x ks vs a m : base x ks vs -> legal (x :: vs) (a :: m) ->
  able x a /\ Forall2 able vs m /\
  (forall u, (times u (issued vs m) + (if issues a && wants u x then 1 else 0) <= inst u)%nat) /\
  (length (issued vs m) + (if issues a then 1 else 0) <= width)%nat /\
  (forall u, wants u x = false -> (0 < total (blocked g u) vs m)%nat ->
     total (busy g u) vs m = inst u \/ (length (issued vs m) + (if issues a then 1 else 0) = width)%nat).
Proof.
  intros (B1 & B2 & _) (Ha & Hb & Hs & Hw). apply Forall2_cons_iff in Ha. destruct Ha as [Ha1 Ha2].
  assert (forall u, busy g u x a = if issues a && wants u x then 1 else 0)%nat as Ex.
  { intros u. unfold MachineRuns.busy, sees. now rewrite B1, Nat.eqb_refl, orb_true_r, longest_holding. }
  assert (slot g x a = if issues a then 1 else 0)%nat as Es.
  { unfold slot. now rewrite B1, Nat.eqb_refl. }
  rewrite (issued_length vs m Ha2). cbn [total] in *. repeat split; auto.
  - intros u. specialize (Hb g u). cbn [total] in Hb. rewrite Ex in Hb. pose proof (issued_times u vs m Ha2). lia.
  - specialize (Hs g). cbn [total] in Hs. lia.
  - intros u Hu H. specialize (Hw g u). cbn [total] in Hw. rewrite Ex, Hu, andb_false_r in Hw.
    unfold MachineRuns.blocked at 1 in Hw. rewrite Hu, andb_false_r in Hw. cbn [andb Nat.add] in Hw.
    destruct (Hw ltac:(lia)); lia.
Qed.

Lemma base_step o x ks vs a m : base x ks vs -> legal (x :: vs) (a :: m) ->
  base (step x a) (marks o ks vs m) (next vs m).
Proof.
  intros B Hm. destruct (seen x ks vs a m B Hm) as (Ha1 & Ha2 & Hb & Hs & _).
  destruct B as (B1 & B2 & B3 & B4 & B5 & B6).
  assert (forall v a, longest (held v) = 0%nat -> longest (held (step v a)) = 0%nat) as Hh.
  { intros v a' Hv. unfold MachineRuns.step. destruct a', (code v); cbn [held longest];
      rewrite longest_age, ?occ_one; lia. }
  split; [|split; [|split; [|split; [|split]]]].
  - unfold MachineRuns.step. destruct a, (code x); assumption.
  - auto.
  - clear - Hh B3 Ha2. induction Ha2 as [|v a vs m Ha Ha2 IH]; cbn [MachineRuns.next]; constructor;
      inversion B3; subst; auto.
  - now apply marks_length.
  - intros u Hu. apply B5. revert Hu. unfold MachineRuns.step. destruct a, (code x); cbn; auto.
  - intros u j Hj. pose proof (flying_step u j o ks vs m Hj Ha2 B4) as Hf.
    specialize (B6 u (S j) ltac:(lia)). specialize (Hb u).
    assert (times u (issued vs m) <= cap u)%nat as Hc.
    { unfold cap. assert (times u (issued vs m) <= length (issued vs m))%nat; [|lia].
      clear. induction (issued vs m) as [|x l IH]; cbn [times length]; [lia|]. destruct (x =? u)%nat; lia. }
    destruct (Nat.ltb_spec j (hi u)).
    + replace (hi u - j)%nat with (S (hi u - S j)) by lia. rewrite Nat.mul_succ_r. lia.
    + replace (hi u - S j)%nat with O in B6 by lia. lia.
Qed.

(** The label Y beside U: it falls by d, or comes down to U. [e] is the distance to the next change. *)
Lemma cross U Y o x ks vs a m e : base x ks vs -> legal (x :: vs) (a :: m) ->
  neutral U = false -> counts U = true -> label Y = true -> Y <> U -> wants Y x = false ->
  Forall (only U) ks -> keeps o Y = false ->
  (a = None \/ wants U x = true) ->
  (sum2 (paid U 1) ks vs <= cap U * (e - 1))%nat -> (1 <= e)%nat ->
  (if issues a then d else N) + earned Y (marks o ks vs m) (next vs m) <= earned Y ks vs \/
  Z.min p (wi U) * Z.of_nat (total (busy g U) vs m) + earned Y (marks o ks vs m) (next vs m)
    <= earned U ks vs + d * Z.of_nat e - d.
Proof.
  intros B Hm Hn HU HY HYU Hx Hk Ho Ha He He1. pose proof B as (B1 & B2 & B3 & B4 & B5 & B6). pose proof d_range.
  destruct (seen x ks vs a m B Hm) as (Ha1 & Ha2 & Hb & Hs & Hc). specialize (Hc Y Hx).
  destruct (Nat.eq_dec (total (blocked g Y) vs m) 0) as [E|E].
  - right. pose proof (earned_cross U Y o ks vs m Ha2 B4 B3 HU Hn HYU E Hk Ho) as H1.
    pose proof (cap_cost U Hn) as H2. pose proof (p_le_w U).
    replace (Z.of_nat e) with (Z.of_nat (e - 1) + 1) by lia.
    assert ((w U - p) * Z.of_nat (sum2 (paid U 1) ks vs) <= d * Z.of_nat (e - 1)); [|lia].
    assert (Z.of_nat (sum2 (paid U 1) ks vs) <= Z.of_nat (cap U) * Z.of_nat (e - 1)) by lia.
    assert ((w U - p) * Z.of_nat (sum2 (paid U 1) ks vs) <= (w U - p) * (Z.of_nat (cap U) * Z.of_nat (e - 1))) by nia.
    nia.
  - left. destruct (Hc ltac:(lia)) as [Hf|Hf].
    + pose proof (earned_busy Y Y o ks vs m Ha2 B4 B3 (labels_count U Y HU Hn HY) Ho (or_introl eq_refl)) as H1.
      rewrite Hf in H1. pose proof (wi_unit Y). destruct (issues a); lia.
    + pose proof (earned_slots Y o ks vs m Ha2 B4 Ho) as H1.
      destruct a as [l|]; cbn [issues andb] in *.
      * destruct Ha as [Ha|Ha]; [discriminate|].
        enough (d <= falls Y (issued vs m)) by lia. apply slots_issue with U; auto; [lia| |].
        -- intros u. specialize (Hb u). lia.
        -- specialize (Hb U). rewrite Ha in Hb. lia.
      * enough (N <= falls Y (issued vs m)) by lia. apply slots_wait; auto; [lia|].
        intros u. specialize (Hb u). lia.
Qed.

Lemma wants_cons u U x s : lat x = 0%nat -> code x = U :: s -> wants u x = (U =? u)%nat.
Proof. intros Hl Hc. unfold MachineRuns.wants. now rewrite Hl, Hc. Qed.

End LatencyModes.
