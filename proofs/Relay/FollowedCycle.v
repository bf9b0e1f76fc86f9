(** One cycle in which a warp is followed, told by T: what all warps earn together, the followed one included. T does not
    know who is followed, so a relay from one block to the next only changes the followed warp. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns.
Local Open Scope Z_scope.

Section FollowedCycle.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.

Notation warp i p slots := (nth i (fst (nth p slots (([], []) : block))) []).
Notation switches_pos := (switches_pos c c_pos).
Notation earns := (earns worth kappa None).
Notation rate := (rate worth kappa).
Notation earned := (earned worth kappa None).
Notation head := (head sigma kappa).
Notation enough := (enough sigma worth kappa c).
Notation earned_others := (earned_others worth kappa None).
Notation earns_le_length := (earns_le_length sigma N worth kappa N_pos worth_unit kappa_pos kappa_le None).
Notation rate_le_length := (rate_le_length sigma N worth kappa N_pos worth_unit kappa_pos kappa_le).
Notation worth_range := (worth_range sigma N worth kappa N_pos worth_unit kappa_pos kappa_le).
Notation head_range := (head_range sigma N worth kappa worth_unit kappa_pos kappa_le).
Notation cycle_same := (cycle_same sigma N worth kappa N_pos worth_unit kappa_pos kappa_le None).
Notation cycle_other := (cycle_other sigma N worth kappa c worth_unit kappa_pos kappa_le c_pos None).
Notation chain := (chain N worth kappa c).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation chain_issue := (chain_issue N worth kappa c c_pos).
Notation chain_switch := (chain_switch sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos).

(** * One cycle

    [T X]: what all warps, started or not, the followed one included, earn if they have the label X.
    [held]: the potential while the warp x is followed, [later] being the segments of its block to come.
    [free]: the potential after a followed warp that wanted X is left. *)
Definition held (T : letter -> Z) (x : string) (later : list state) : Z :=
  N * Z.of_nat (length x) + chain x later +
  match x with [] => 0 | X :: _ => Z.max (T X - earns X x) (T (other X) - earns (other X) x - c X - head X) end.

Definition free (g : Z) (T : letter -> Z) (X : letter) : Z := Z.max (T X) (T (other X) - c X - g).

(** What a cycle does to T if a warp x is followed that wants X; b: it issues. *)
Definition falls (T T' : letter -> Z) (X : letter) (x : string) (b : bool) : Prop :=
  let x' := if b then x else X :: x in
  (if b then 0 else N) + T' X - earns X x' <= T X - earns X (X :: x) /\
  T' (other X) - earns (other X) x' <=
    Z.max (T (other X) - earns (other X) (X :: x) - N) (T X - earns X (X :: x) + c X - (if b then 0 else N - head X)).

(** The potential falls by N in each cycle while the warp is not done with its segment, .. *)
Lemma step_on T T' X x (b : bool) later : Forall (fun row => row <> []) later ->
  falls T T' X x b -> (if b then x else X :: x) <> [] ->
  N + held T' (if b then x else X :: x) later <= held T (X :: x) later.
Proof.
  intros Hrows [HX HY] Hx. pose proof (head_range X). unfold held. destruct b.
  - destruct x as [|U x]; [congruence|]. pose proof (c_pos X). destruct (letter_cases X U) as [->| ->].
    + pose proof (chain_issue X (X :: x) later). cbn [length] in *. lia.
    + pose proof (chain_switch X x later Hrows).
      pose proof (head_range (other X)). pose proof (c_pos (other X)).
      rewrite other_other. cbn [length] in *. lia.
  - cbn [length] in *. lia.
Qed.

(** .. and in that in which it issues its last letter. *)
Lemma step_off T T' X later : falls T T' X [] true ->
  N + chain [X] later + free 0 T' X <= held T [X] later.
Proof. intros [HX HY]. pose proof (head_range X). unfold held, free. cbn [length Labellings.earns] in *. lia. Qed.

(** To follow u next costs E: its length less the rate that it had in T before it began, and a switch. *)
Lemma enter g T T' X u later E : 0 <= g <= head X -> (wants (other X) u = true -> g = 0) -> u <> [] ->
  Forall (fun row => row <> []) later ->
  (forall U, T' U - earns U u + N * Z.of_nat (length u) + chain (X :: u) later <= T U + E) ->
  held T' u later <= free g T X + E.
Proof.
  intros Hg Hg0 Hu Hrows HT. destruct u as [|Z u]; [congruence|]. unfold held, free. pose proof (c_pos X).
  pose proof (HT X). pose proof (HT (other X)). destruct (letter_cases X Z) as [->| ->].
  - pose proof (chain_issue X (X :: u) later). lia.
  - cbn [wants] in Hg0. rewrite eqb_refl in Hg0. rewrite (Hg0 eq_refl) in *. rewrite other_other.
    pose proof (chain_switch X u later Hrows).
    pose proof (head_range (other X)). pose proof (c_pos (other X)). lia.
Qed.

(** A warp may be left half-way. If it has a letter Y still to come, nothing is lost .. *)
Lemma has_other_R X x : count (other X) x <> 0%nat -> kappa (other X) + kappa X + N >= worth X + worth (other X) ->
  earns X x + worth X - kappa (other X) <= N * Z.of_nat (length x).
Proof.
  intros Hc Hk. induction x as [|U x IH]; [now elim Hc|]. cbn [Labellings.earns length].
  pose proof (earns_le_length X x). pose proof (earns_le_length (other X) x). pose proof (kappa_pos (other X)).
  pose proof (worth_range X).
  pose proof (worth_range (other X)).
  unfold earn. destruct (letter_cases X U) as [->| ->].
  - rewrite eqb_refl. destruct (eqb_other X) as [-> E].
    unfold count in Hc. cbn [filter] in Hc. rewrite (proj1 (eqb_other X)) in Hc. specialize (IH Hc).
    pose proof (kappa_pos X). lia.
  - rewrite eqb_refl. destruct (eqb_other X) as [_ ->]. lia.
Qed.

Lemma switches_other X x : count (other X) x <> 0%nat -> c X <= switches c (X :: x).
Proof.
  revert X; induction x as [|U x IH]; intros X Hc; [now elim Hc|].
  change (switches c (X :: U :: x)) with ((if eqb (other X) U then c X else 0) + switches c (U :: x)).
  pose proof (switches_pos (U :: x)). destruct (letter_cases X U) as [->| ->].
  - unfold count in Hc. cbn [filter] in Hc. rewrite (proj1 (eqb_other X)) in *. specialize (IH X Hc). lia.
  - rewrite eqb_refl. lia.
Qed.

Lemma switches_app x y : switches c x <= switches c (x ++ y).
Proof.
  induction x as [|X x IH]; [apply (switches_pos)|].
  cbn [app switches]. pose proof (c_pos X). destruct x as [|Z x]; cbn [app wants] in *; [|lia].
  destruct (wants (other X) y); cbn in *; lia.
Qed.

Lemma chain_switches x later : Forall (fun row => row <> []) later -> switches c x <= chain x later.
Proof.
  intros H; revert x; induction H as [|row later Hr H IH]; intros x; cbn [chain]; [lia|].
  destruct row as [|s row]; [congruence|]. cbn [map fold_right].
  pose proof (rate_le_length s). specialize (IH (x ++ s)).
  pose proof (switches_app x s). lia.
Qed.

Lemma leave_full T X x later : Forall (fun row => row <> []) later ->
  count (other X) x <> 0%nat -> kappa (other X) + kappa X + N >= worth X + worth (other X) ->
  free 0 T (other X) <= held T (X :: x) later.
Proof.
  intros Hrows Hc Hk. unfold free, held. pose proof (has_other_R X x Hc Hk). pose proof (switches_other X x Hc).
  pose proof (chain_switches (X :: x) later Hrows). pose proof (head_range X). pose proof (earns_le_length X (X :: x)).
  pose proof (c_pos (other X)). pose proof (c_pos X). rewrite other_other.
  assert (earns (other X) (X :: x) + head X <= N * Z.of_nat (length (X :: x))); [|lia].
  cbn [Labellings.earns length]. unfold earn. rewrite other_other, eqb_refl. destruct (eqb_other X) as [-> _].
  pose proof (earns_le_length (other X) x). lia.
Qed.

(** .. if not, at most d, and only if a unit other than X is wanted next. *)
Lemma leave T X x later d : 0 <= d -> head X + worth X - kappa (other X) <= N + d ->
  free 0 T X <= held T (X :: x) later + d.
Proof.
  intros Hd0 Hd. unfold free, held. pose proof (chain_pos (X :: x) later).
  pose proof (head_range X). pose proof (earns_le_length X (X :: x)). pose proof (c_pos X).
  assert (earns (other X) (X :: x) + head X <= N * Z.of_nat (length (X :: x)) + d); [|lia].
  cbn [Labellings.earns length]. unfold earn. rewrite other_other, eqb_refl. destruct (eqb_other X) as [-> _].
  pose proof (earns_le_length (other X) x). pose proof (earns_le_length X x). lia.
Qed.

Lemma leave_same T X x later : free (head X) T X <= held T (X :: x) later.
Proof.
  unfold free, held. pose proof (chain_pos (X :: x) later).
  pose proof (earns_le_length X (X :: x)). pose proof (earns_le_length (other X) (X :: x)). lia.
Qed.

(** A cycle in which no warp is followed. *)
Lemma gap g T T' X : (forall U, T' U <= T U) -> free g T' X <= free g T X.
Proof. intros H. unfold free. pose proof (H X). pose proof (H (other X)). lia. Qed.

Lemma held_mono T T' x later : (forall U, T' U <= T U) -> held T' x later <= held T x later.
Proof.
  intros H. unfold held. destruct x as [|X x]; [lia|]. pose proof (H X). pose proof (H (other X)). lia.
Qed.

(** * A legal cycle makes T fall so *)

Lemma cycle_falls st m f X x : legal sigma st m -> (f < length st)%nat -> nth f st [] = X :: x ->
  enough (others f st) ->
  falls (fun U => earned U st) (fun U => earned U (after st m)) X x (nth f m false).
Proof.
  intros Hm Hf E He. pose proof (legal_front sigma f st m Hf Hm) as Hm'.
  assert (length m = length st) as Hl by (destruct Hm as [Ha _]; now apply able_length in Ha).
  pose proof (after_front f st m Hf Hl) as Ha. unfold front in *. rewrite E in *. cbn [after] in Ha.
  injection Ha as Hx Hvs. unfold falls. cbv beta zeta.
  assert (forall U, earned U (after st m) = earns U (if nth f m false then x else X :: x) + earned U (others f (after st m))) as EA.
  { intros U. rewrite (earned_others U (after st m) f) by (rewrite after_length; lia). rewrite <- Hx.
    destruct (nth f m false); reflexivity. }
  rewrite !EA. rewrite !(earned_others _ st f Hf), E. rewrite <- Hvs. clear EA Hx Hvs.
  pose proof (cycle_same X x _ _ _ Hm') as HX. pose proof (cycle_other X x _ _ _ He Hm') as HY.
  destruct (nth f m false); cbn [more option_map] in *; lia.
Qed.
End FollowedCycle.
