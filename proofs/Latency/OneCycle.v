(** Theorem L, first part: prices of letters, marks of latent warps, and what a cycle does to one warp and to all of them. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters Setting.
Import Setting.Names.
Local Open Scope Z_scope.

Section OneCycle.
Context {the : setting}.
Let N_pos : 0 < N := N_pos.
Let p_range : 0 <= p <= N := p_range.

(** A latent warp is marked. [Paid c]: it issued c, and what that earned has been taken off. [Kept c]: it
    issued c while the followed warp, last on c, was not waiting; what it earned is still to be taken off.
    [Free]: it issued a neutral letter. *)
Inductive mark := Free | Kept (c : nat) | Paid (c : nat).

Definition mval (A : nat) (k : mark) (s : list nat) : Z :=
  match k with
  | Free => best s
  | Kept c => R A (c :: s) - p
  | Paid c => if (c =? A)%nat then R c (c :: s) - w c else best s
  end.

Definition val (A : nat) (k : mark) (v : warp) : Z :=
  if (sched v =? g)%nat then if (lat v =? 0)%nat then R A (code v) else mval A k (code v)
  else far (code v).

(** The marks after a cycle in which issues on the unit [o] are kept. *)
Definition keeps (o : option nat) (c : nat) : bool :=
  match o with Some u => (u =? c)%nat | None => false end.

Definition remark (o : option nat) (k : mark) (v : warp) (a : action) : mark :=
  match a, code v with
  | Some _, c :: _ => if neutral c then Free else if keeps o c then Kept c else Paid c
  | _, _ => k
  end.

Fixpoint marks (o : option nat) (ks : list mark) (vs : list warp) (m : actions) : list mark :=
  match ks, vs, m with
  | k :: ks, v :: vs, a :: m => remark o k v a :: marks o ks vs m
  | _, _, _ => []
  end.

Fixpoint earned (A : nat) (ks : list mark) (vs : list warp) : Z :=
  match ks, vs with k :: ks, v :: vs => val A k v + earned A ks vs | _, _ => 0 end.

(** What the warps of this scheduler issue. *)
Fixpoint issued (vs : list warp) (m : actions) : list nat :=
  match vs, m with
  | v :: vs, a :: m =>
    match a, code v with
    | Some _, c :: _ => if (sched v =? g)%nat then c :: issued vs m else issued vs m
    | _, _ => issued vs m
    end
  | _, _ => []
  end.

Lemma wi_pos u : 0 < wi u.
Proof. pose proof (wi_unit u). nia. Qed.

Lemma w_pos u : 0 < w u.
Proof. pose proof (wi_pos u). pose proof (wi_le_w u). lia. Qed.

Lemma R_le_mval A k s : R A s <= mval A k s.
Proof.
  destruct k as [|c|c]; cbn [mval].
  - apply R_le_best.
  - pose proof (R_more neutral w p p_le_w A c s). pose proof (R_le_best neutral w p A s). lia.
  - destruct (Nat.eqb_spec c A) as [->|]; [|apply R_le_best].
    pose proof (R_own neutral w p A s). lia.
Qed.

Lemma val_age A k v : (sched v =? g)%nat = true ->
  val A k (step v None) <= if (lat v =? 0)%nat then R A (code v) else mval A k (code v).
Proof.
  intros E. unfold val, step, MachineRuns.step. cbn [sched lat code]. rewrite E.
  destruct (Nat.eqb_spec (lat v) 0) as [->|]; [reflexivity|].
  destruct (pred (lat v) =? 0)%nat; [apply R_le_mval|reflexivity].
Qed.

Lemma val_issued A k v l c s : (sched v =? g)%nat = true -> code v = c :: s ->
  val A k (step v (Some l)) <= mval A k s.
Proof.
  intros E Ec. unfold val, step, MachineRuns.step. rewrite Ec. cbn [sched lat code]. rewrite E.
  destruct (_ =? 0)%nat; [apply R_le_mval|reflexivity].
Qed.

(** What a warp of this scheduler that is ready loses by an issue. *)
Lemma mval_remark A o l c s v k : code v = c :: s ->
  mval A (remark o k v (Some l)) s + (if keeps o A && (c =? A)%nat then p else fall A c) <= R A (c :: s).
Proof.
  intros Ec. unfold remark. rewrite Ec. unfold fall. pose proof (p_le_w c).
  destruct (neutral c) eqn:En; cbn [mval orb].
  - rewrite R_neutral by assumption. destruct (_ && _); lia.
  - destruct (Nat.eqb_spec c A) as [->|Hc]; rewrite ?andb_true_r, ?andb_false_r.
    + destruct (keeps o A); cbn [mval]; rewrite ?Nat.eqb_refl; lia.
    + rewrite R_other by assumption. destruct (keeps o c); cbn [mval].
      * rewrite R_other by assumption. lia.
      * apply Nat.eqb_neq in Hc. rewrite Hc. lia.
Qed.

Lemma far_pos s : 0 <= far s.
Proof.
  unfold far. induction s as [|u s IH]; cbn [map sumZ]; [lia|]. pose proof (wi_pos u).
  destruct (_ && _); lia.
Qed.

Lemma val_far A k v a : able v a -> (sched v =? g)%nat = false -> forall u,
  val A k (step v a) + wi u * Z.of_nat (if counts u && (shared u && issues a && wants u v) then 1 else 0)
    <= far (code v).
Proof.
  intros Ha Eg u. unfold val. replace (sched (step v a)) with (sched v) by
    (unfold step, MachineRuns.step; destruct a, (code v); reflexivity). rewrite Eg.
  unfold step, MachineRuns.step, wants. destruct a as [l|].
  - destruct Ha as [-> Hr]. destruct (code v) as [|c s]; [tauto|]. cbn [code issues Nat.eqb andb].
    unfold far. cbn [map sumZ]. pose proof (wi_pos c). rewrite andb_true_r.
    destruct (Nat.eqb_spec c u) as [->|]; rewrite ?andb_true_r, ?andb_false_r;
      [destruct (shared u), (counts u)|destruct (_ && _)]; cbn [andb]; lia.
  - cbn [issues]. destruct (counts u), (shared u), (code v); cbn [andb code]; lia.
Qed.

Lemma val_before A k v : val A k v =
  if (sched v =? g)%nat then if (lat v =? 0)%nat then R A (code v) else mval A k (code v) else far (code v).
Proof. reflexivity. Qed.

(** ** One warp, one cycle *)

(** No label gains. *)
Lemma val_mono A o k v a : able v a -> val A (remark o k v a) (step v a) <= val A k v.
Proof.
  intros Ha. rewrite (val_before A k v). destruct (sched v =? g)%nat eqn:Eg.
  - destruct a as [l|].
    + destruct Ha as [Hl Hr]. rewrite Hl. cbn [Nat.eqb]. destruct (code v) as [|c s] eqn:Ec; [tauto|].
      pose proof (val_issued A (remark o k v (Some l)) v l c s Eg Ec).
      pose proof (mval_remark A o l c s v k Ec). pose proof (p_le_w c). unfold fall in *.
      pose proof (w_pos c).
      destruct (keeps o A && (c =? A)%nat), (neutral c || (c =? A)%nat); lia.
    + apply val_age, Eg.
  - pose proof (val_far A (remark o k v a) v a Ha Eg 0%nat) as H. pose proof (wi_pos 0).
    destruct (counts 0 && (shared 0 && issues a && wants 0 v)); lia.
Qed.

(** An issue on u takes 1/sigma_u off the labels u, or off all if u is neutral. *)
Lemma val_busy A u o k v a : able v a -> longest (held v) = 0%nat -> counts u = true ->
  keeps o A = false -> (u = A \/ neutral u = true) ->
  wi u * Z.of_nat (busy g u v a) + val A (remark o k v a) (step v a) <= val A k v.
Proof.
  intros Ha Hh Hu Ho HA. unfold busy, MachineRuns.busy, sees. rewrite longest_holding by assumption.
  pose proof (val_mono A o k v a Ha) as Hm. rewrite (val_before A k v) in *.
  destruct (sched v =? g)%nat eqn:Eg.
  - rewrite orb_true_r. destruct a as [l|]; cbn [issues andb]; [|lia].
    destruct Ha as [Hl Hr]. unfold MachineRuns.wants. rewrite Hl in *. cbn [Nat.eqb andb] in *.
    destruct (code v) as [|c s] eqn:Ec; [tauto|]. destruct (Nat.eqb_spec c u) as [->|]; [|lia].
    pose proof (val_issued A (remark o k v (Some l)) v l u s Eg Ec).
    pose proof (mval_remark A o l u s v k Ec) as Hr'. rewrite Ho in Hr'. cbn [andb] in Hr'.
    assert (fall A u = w u) as E
      by (unfold fall; destruct HA as [->| ->]; [rewrite Nat.eqb_refl, orb_true_r|]; reflexivity).
    pose proof (wi_le_w u). lia.
  - rewrite orb_false_r. pose proof (val_far A (remark o k v a) v a Ha Eg u) as H. rewrite Hu in H. cbn [andb] in H.
    destruct (shared u); cbn [andb] in *; lia.
Qed.

(** If it wants Y only to issue, then its value with Y comes down to that with U, but for a mark
    [Paid U]; an issue on U leaves p or 1/sigma_U over. *)
Definition paid (u j : nat) (k : mark) (v : warp) : nat :=
  if (sched v =? g)%nat && (j <=? lat v)%nat && match k with Paid c => (c =? u)%nat | _ => false end then 1 else 0.

Definition only (U : nat) (k : mark) : Prop := match k with Kept c => c = U | _ => True end.

Lemma val_cross U Y o k v a : able v a -> longest (held v) = 0%nat -> counts U = true -> neutral U = false ->
  Y <> U -> blocked g Y v a = 0%nat -> only U k -> (keeps o Y = false) ->
  Z.min p (wi U) * Z.of_nat (busy g U v a) + val Y (remark o k v a) (step v a)
    <= val U k v + (w U - p) * Z.of_nat (paid U 1 k v).
Proof.
  intros Ha Hh HU HnU HZ Hb Hk Ho. unfold busy, MachineRuns.busy, sees, paid. rewrite longest_holding by assumption.
  rewrite (val_before U k v). pose proof (wi_pos U). pose proof (p_le_w U) as HpU.
  destruct (sched v =? g)%nat eqn:Eg; cbn [andb].
  - rewrite orb_true_r. destruct a as [l|]; cbn [issues andb remark].
    + (* it issues *)
      destruct Ha as [Hl Hr]. rewrite Hl. cbn [Nat.eqb Nat.leb andb].
      destruct (code v) as [|c s] eqn:Ec; [tauto|].
      pose proof (val_issued Y (remark o k v (Some l)) v l c s Eg Ec) as Hv.
      unfold remark in *. rewrite Ec in *.
      assert (val Y (if neutral c then Free else if keeps o c then Kept c else Paid c) (step v (Some l)) + p
              <= R U (c :: s)); [|destruct (wants U v); cbn [Nat.add]; lia].
      pose proof (R_more neutral w p p_le_w U c s).
      destruct (neutral c) eqn:En; cbn [mval] in Hv; [lia|].
      destruct (Nat.eqb_spec c Y) as [->|HcZ].
      * rewrite Ho in *. cbn [mval] in Hv. rewrite Nat.eqb_refl in Hv.
        pose proof (R_own_le neutral w p p_le_w Y s). lia.
      * destruct (keeps o c); cbn [mval] in Hv.
        -- rewrite R_other in Hv by assumption. lia.
        -- apply Nat.eqb_neq in HcZ. rewrite HcZ in Hv. lia.
    + (* it does not *)
      pose proof (val_age Y k v Eg) as Hv. destruct (Nat.eqb_spec (lat v) 0) as [Hl|Hl].
      * rewrite Hl. cbn [Nat.leb andb].
        assert (R Y (code v) <= R U (code v)); [|lia]. apply R_not_wanted; [exact p_le_w|].
        unfold MachineRuns.blocked, wants in Hb. rewrite Eg, Hl in Hb. cbn [Nat.eqb andb issues negb] in Hb.
        destruct (code v) as [|c s]; [trivial|]. intros ->. rewrite Nat.eqb_refl in Hb. discriminate.
      * replace (1 <=? lat v)%nat with true by (symmetry; apply Nat.leb_le; lia). cbn [andb].
        pose proof (R_more neutral w p p_le_w U U (code v)) as HUU.
        destruct k as [|c|c]; cbn [mval only] in *; [lia| |].
        -- subst c. rewrite (R_other _ _ _ Y) in Hv by auto. lia.
        -- destruct (Nat.eqb_spec c U) as [->|HcU].
           ++ assert ((U =? Y)%nat = false) as E by (apply Nat.eqb_neq; auto). rewrite E in Hv. lia.
           ++ destruct (Nat.eqb_spec c Y) as [->|]; [|lia].
              pose proof (R_own_le neutral w p p_le_w Y (code v)). lia.
  - rewrite orb_false_r. pose proof (val_far Y (remark o k v a) v a Ha Eg U) as H1. rewrite HU in H1. cbn [andb] in H1.
    destruct (shared U); cbn [andb] in *; [|lia]. destruct (issues a && wants U v); lia.
Qed.

(** ** All warps, one cycle *)

Lemma earned_mono A o ks vs m : Forall2 able vs m -> length ks = length vs ->
  earned A (marks o ks vs m) (next vs m) <= earned A ks vs.
Proof.
  intros H; revert ks; induction H as [|v a vs m Ha H IH]; intros [|k ks] Hl; cbn [length] in Hl; try lia;
    [reflexivity|]. cbn [marks MachineRuns.next earned]. specialize (IH ks ltac:(lia)).
  pose proof (val_mono A o k v a Ha). lia.
Qed.

Lemma earned_busy A u o ks vs m : Forall2 able vs m -> length ks = length vs ->
  Forall (fun v => longest (held v) = 0%nat) vs -> counts u = true ->
  keeps o A = false -> (u = A \/ neutral u = true) ->
  wi u * Z.of_nat (total (busy g u) vs m) + earned A (marks o ks vs m) (next vs m) <= earned A ks vs.
Proof.
  intros H; revert ks; induction H as [|v a vs m Ha H IH]; intros [|k ks] Hl Hh Hu Ho HA; cbn [length] in Hl;
    try lia; [cbn; lia|]. cbn [marks MachineRuns.next earned total]. inversion Hh as [|? ? Hh1 Hh2]; subst.
  specialize (IH ks ltac:(lia) Hh2 Hu Ho HA).
  pose proof (val_busy A u o k v a Ha Hh1 Hu Ho HA). lia.
Qed.

Fixpoint sum2 (f : mark -> warp -> nat) (ks : list mark) (vs : list warp) : nat :=
  match ks, vs with k :: ks, v :: vs => (f k v + sum2 f ks vs)%nat | _, _ => O end.

Lemma earned_cross U Y o ks vs m : Forall2 able vs m -> length ks = length vs ->
  Forall (fun v => longest (held v) = 0%nat) vs -> counts U = true -> neutral U = false ->
  Y <> U -> total (blocked g Y) vs m = 0%nat -> Forall (only U) ks -> keeps o Y = false ->
  Z.min p (wi U) * Z.of_nat (total (busy g U) vs m) + earned Y (marks o ks vs m) (next vs m)
    <= earned U ks vs + (w U - p) * Z.of_nat (sum2 (paid U 1) ks vs).
Proof.
  intros H; revert ks; induction H as [|v a vs m Ha H IH]; intros [|k ks] Hl Hh HU Hn HY Hb Hk Ho;
    cbn [length] in Hl; try lia; [cbn; lia|]. cbn [marks MachineRuns.next earned total sum2] in *.
  inversion Hh as [|? ? Hh1 Hh2]; subst. inversion Hk as [|? ? Hk1 Hk2]; subst.
  specialize (IH ks ltac:(lia) Hh2 HU Hn HY ltac:(lia) Hk2 Ho).
  pose proof (val_cross U Y o k v a Ha Hh1 HU Hn HY ltac:(lia) Hk1 Ho). lia.
Qed.

Lemma earned_slots A o ks vs m : Forall2 able vs m -> length ks = length vs -> keeps o A = false ->
  falls A (issued vs m) + earned A (marks o ks vs m) (next vs m) <= earned A ks vs.
Proof.
  intros H; revert ks; induction H as [|v a vs m Ha H IH]; intros [|k ks] Hl Ho; cbn [length] in Hl;
    try lia; [cbn; lia|]. cbn [marks MachineRuns.next earned issued]. specialize (IH ks ltac:(lia) Ho).
  pose proof (val_mono A o k v a Ha) as Hm.
  destruct a as [l|]; [|lia]. destruct Ha as [Hl' Hr]. destruct (code v) as [|c s] eqn:Ec; [tauto|].
  destruct (sched v =? g)%nat eqn:Eg; [|lia].
  pose proof (val_issued A (remark o k v (Some l)) v l c s Eg Ec).
  pose proof (mval_remark A o l c s v k Ec) as Hr'. rewrite Ho in Hr'. cbn [andb] in Hr'.
  unfold falls in *. cbn [map sumZ]. rewrite (val_before A k v), Eg, Hl', Ec. cbn [Nat.eqb]. lia.
Qed.

Lemma earned_pos A ks vs : 0 <= earned A ks vs.
Proof.
  revert vs; induction ks as [|k ks IH]; intros [|v vs]; cbn [earned]; try lia. specialize (IH vs).
  assert (0 <= val A k v); [|lia]. unfold val. pose proof (far_pos (code v)).
  pose proof (R_pos neutral w p (proj1 p_range) p_le_w A (code v)). pose proof (R_le_mval A k (code v)).
  destruct (sched v =? g)%nat, (lat v =? 0)%nat; lia.
Qed.

Lemma issued_length vs m : Forall2 able vs m -> length (issued vs m) = total (slot g) vs m.
Proof.
  induction 1 as [|v a vs m Ha H IH]; [reflexivity|]. cbn [issued total]. unfold slot at 1.
  destruct a as [l|]; cbn [issues]; rewrite ?andb_true_r, ?andb_false_r; [|lia].
  destruct Ha as [_ Hr]. destruct (code v); [tauto|]. destruct (sched v =? g)%nat; cbn [length]; lia.
Qed.

Lemma issued_times u vs m : Forall2 able vs m -> (times u (issued vs m) <= total (busy g u) vs m)%nat.
Proof.
  induction 1 as [|v a vs m Ha H IH]; [reflexivity|]. cbn [issued total]. unfold MachineRuns.busy at 1, sees, wants.
  destruct a as [l|]; [|destruct (_ || _); lia]. destruct Ha as [-> Hr]. destruct (code v) as [|c s]; [tauto|].
  cbn [issues Nat.eqb andb]. destruct (sched v =? g)%nat; rewrite ?orb_true_r; [cbn [times]|destruct (_ || _)];
    destruct (c =? u)%nat; lia.
Qed.

End OneCycle.
