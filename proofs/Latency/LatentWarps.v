(** Theorem L, second part: how many warps are latent, and for how long. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters Setting OneCycle.
Import Setting.Names.
Local Open Scope Z_scope.

Section LatentWarps.
Context {the : setting}.
Let N_pos : 0 < N := N_pos.
Let p_range : 0 <= p <= N := p_range.

(** ** Latent warps *)

Definition flying (u j : nat) (k : mark) (v : warp) : nat :=
  if (sched v =? g)%nat && (j <=? lat v)%nat && match k with Paid c | Kept c => (c =? u)%nat | Free => false end
  then 1 else 0.

Lemma flying_step u j o ks vs m : (1 <= j)%nat -> Forall2 able vs m -> length ks = length vs ->
  (sum2 (flying u j) (marks o ks vs m) (next vs m)
    <= sum2 (flying u (S j)) ks vs + if (j <? hi u)%nat then times u (issued vs m) else 0)%nat.
Proof.
  intros Hj H; revert ks; induction H as [|v a vs m Ha H IH]; intros [|k ks] Hl; cbn [length] in Hl;
    try lia; [cbn; lia|]. cbn [marks MachineRuns.next sum2 issued]. specialize (IH ks ltac:(lia)).
  destruct a as [l|].
  - destruct Ha as [Hl' Hr]. unfold remark, MachineRuns.step. unfold flying at 1 3. rewrite Hl'.
    cbn [Nat.leb]. rewrite andb_false_r. cbn [andb]. destruct (code v) as [|c s]; [tauto|]. cbn [sched lat].
    destruct (sched v =? g)%nat; cbn [andb times].
    + destruct (Nat.leb_spec j (pred l)); cbn [andb]; [|destruct (j <? hi u)%nat; lia].
      destruct (neutral c); [destruct (j <? hi u)%nat; lia|].
      destruct (Nat.eqb_spec c u) as [->|].
      * destruct (Nat.ltb_spec j (hi u)); [|lia]. destruct (keeps o u); rewrite Nat.eqb_refl; lia.
      * apply Nat.eqb_neq in n. destruct (keeps o c); rewrite n; destruct (j <? hi u)%nat; lia.
    + destruct (j <? hi u)%nat; lia.
  - unfold remark, MachineRuns.step. unfold flying at 1 3. cbn [sched lat].
    assert ((j <=? pred (lat v)) = (S j <=? lat v))%nat as ->.
    { destruct (Nat.leb_spec j (pred (lat v))), (Nat.leb_spec (S j) (lat v)); lia. }
    destruct (code v); lia.
Qed.

Lemma paid_step U j ks vs m : (1 <= j)%nat -> Forall2 able vs m -> length ks = length vs ->
  (sum2 (paid U j) (marks (Some U) ks vs m) (next vs m) <= sum2 (paid U (S j)) ks vs)%nat.
Proof.
  intros Hj H; revert ks; induction H as [|v a vs m Ha H IH]; intros [|k ks] Hl; cbn [length] in Hl;
    try lia; [cbn; lia|]. cbn [marks MachineRuns.next sum2]. specialize (IH ks ltac:(lia)).
  destruct a as [l|].
  - destruct Ha as [Hl' Hr]. unfold remark, MachineRuns.step, keeps. unfold paid at 1 3. rewrite Hl'.
    cbn [Nat.leb]. rewrite andb_false_r. cbn [andb]. destruct (code v) as [|c s]; [tauto|]. cbn [sched lat].
    destruct (neutral c); [rewrite andb_false_r; lia|]. rewrite (Nat.eqb_sym U c).
    destruct (c =? U)%nat eqn:E; rewrite ?E, andb_false_r; lia.
  - unfold remark, MachineRuns.step. unfold paid at 1 3. cbn [sched lat].
    assert ((j <=? pred (lat v)) = (S j <=? lat v))%nat as ->.
    { destruct (Nat.leb_spec j (pred (lat v))), (Nat.leb_spec (S j) (lat v)); lia. }
    destruct (code v); lia.
Qed.

Lemma paid_le_flying u j ks vs : (sum2 (paid u j) ks vs <= sum2 (flying u j) ks vs)%nat.
Proof.
  revert vs; induction ks as [|k ks IH]; intros [|v vs]; cbn [sum2]; try lia. specialize (IH vs).
  unfold paid at 1, flying at 1. destruct (_ && (j <=? lat v)%nat), k; cbn [andb]; lia.
Qed.

(** When the followed warp is ready, what was kept is taken off. *)
Definition settle (k : mark) : mark := match k with Kept c => Paid c | k => k end.
Definition settled (k : mark) : Prop := match k with Kept _ => False | _ => True end.

Lemma earned_settle A ks vs : earned A (map settle ks) vs <= earned A ks vs.
Proof.
  revert vs; induction ks as [|k ks IH]; intros [|v vs]; cbn [map earned]; try lia. specialize (IH vs).
  assert (val A (settle k) v <= val A k v); [|lia]. unfold val. destruct (sched v =? g)%nat, (lat v =? 0)%nat; try lia.
  destruct k as [|c|c]; cbn [settle mval]; try lia.
  pose proof (R_more neutral w p p_le_w A c (code v)). pose proof (p_le_w c).
  destruct (Nat.eqb_spec c A) as [->|]; lia.
Qed.

Lemma flying_settle u j ks vs : sum2 (flying u j) (map settle ks) vs = sum2 (flying u j) ks vs.
Proof.
  revert vs; induction ks as [|k ks IH]; intros [|v vs]; cbn [map sum2]; try reflexivity. rewrite IH.
  now destruct k.
Qed.

Lemma settled_settle ks : Forall settled (map settle ks).
Proof. induction ks as [|[] ks IH]; cbn; constructor; auto; exact I. Qed.

Lemma settled_only U ks : Forall settled ks -> Forall (only U) ks.
Proof. intros H; induction H as [|[] ks Hk H IH]; constructor; auto; cbn in *; tauto. Qed.

Lemma marks_settled ks vs m : Forall settled ks -> Forall settled (marks None ks vs m).
Proof.
  intros H; revert vs m; induction H as [|k ks Hk H IH]; intros [|v vs] [|a m]; cbn [marks]; constructor; auto.
  unfold remark. destruct a; [|assumption]. destruct (code v); [assumption|]. destruct (neutral _); exact I.
Qed.

Lemma marks_only U ks vs m : Forall (only U) ks -> Forall (only U) (marks (Some U) ks vs m).
Proof.
  intros H; revert vs m; induction H as [|k ks Hk H IH]; intros [|v vs] [|a m]; cbn [marks]; constructor; auto.
  unfold remark. destruct a; [|assumption]. destruct (code v) as [|c s]; [assumption|].
  destruct (neutral c); [exact I|]. cbn [keeps]. destruct (Nat.eqb_spec U c) as [->|]; reflexivity.
Qed.

Lemma marks_length o ks vs m : length ks = length vs -> Forall2 able vs m ->
  length (marks o ks vs m) = length (next vs m).
Proof.
  intros Hl H; revert ks Hl; induction H; intros [|k ks] Hl; cbn [length marks MachineRuns.next] in *; try lia.
  rewrite IHForall2; lia.
Qed.

End LatentWarps.
