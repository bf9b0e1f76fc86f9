(** What the relay theorem assumes of the blocks, and that it stays true from cycle to cycle. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals.
Local Open Scope Z_scope.

Section Assumptions.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.

Notation head := (head sigma kappa).
Notation enough := (enough sigma worth kappa c).
Notation chain := (chain N worth kappa c).
Notation chain_pos := (chain_pos N worth kappa c c_pos).

(** * What is assumed of the blocks

    At most [room] blocks at once, none with more than [warps] warps. [P] holds of all segments and of what
    is left of them; [ends X]: a segment may end with X; [begins X]: a block may begin with X. *)
Variables (room warps : nat) (P : string -> Prop) (ends begins : letter -> bool) (d : Z).
Hypothesis P_tl : forall s, P s -> P (tl s).
Hypothesis P_ends : forall X s, P (X :: s) -> ends X = true \/ count (other X) s <> 0%nat.
Hypothesis ends_some : ends L || ends C = true.
Hypothesis c_enough : forall X,
  Z.of_nat (min (sigma (other X) - 1) (room * warps - 1)) * (kappa X - worth (other X)) <= c X
  \/ forall s, P s -> double (other X) s = false.
Hypothesis k_sum : forall X, ends X = false -> worth X + worth (other X) <= kappa X + kappa (other X) + N.
Hypothesis d_pos : 0 <= d.
Hypothesis d_enough : forall X, ends X = true -> begins (other X) = true ->
  head X + worth X - kappa (other X) <= N + d.

Definition every (b : block) : Prop := Forall P (fst b) /\ Forall (Forall P) (snd b).
Definition good (b : block) : Prop := wf b /\ (length (fst b) <= warps)%nat /\ every b.
Definition fresh (b : block) : Prop :=
  good b /\ busy b /\ Forall (fun s => match s with X :: _ => begins X = true | [] => True end) (fst b).

Record inv (slots pending : list block) : Prop := {
  inv_room : length slots = room;
  inv_good : Forall good slots;
  inv_settled : Forall settled slots;
  inv_fresh : Forall fresh pending }.

(** What it costs to follow a block: its chain after the worst letter that may come before it. *)
Definition fee (b : block) : Z :=
  Z.max (if ends L then chain [L] (fst b :: snd b) else 0) (if ends C then chain [C] (fst b :: snd b) else 0).

Lemma fee_ge X b : ends X = true -> chain [X] (fst b :: snd b) <= fee b.
Proof. intros E. unfold fee. destruct X; rewrite E; lia. Qed.

Lemma fee_pos b : 0 <= fee b.
Proof.
  clear - c_pos. unfold fee. pose proof (chain_pos [L] (fst b :: snd b)).
  pose proof (chain_pos [C] (fst b :: snd b)). destruct (ends L), (ends C); lia.
Qed.

Lemma ends_other X : ends X = false -> ends (other X) = true.
Proof. intros E. destruct X; cbn [other]; rewrite E in ends_some; rewrite ?orb_false_r in ends_some; exact ends_some. Qed.

Lemma every_release cur later : every (cur, later) -> every (release cur later).
Proof.
  revert cur; induction later as [|row later IH]; intros cur [H1 H2]; cbn [release fst snd] in *; [now split|].
  destruct (all_done cur); [|now split]. inversion H2; subst. now apply IH.
Qed.

Lemma P_after cur m : Forall P cur -> Forall P (after cur m).
Proof.
  intros H; revert m; induction H as [|s cur Hs H IH]; intros [|b m]; cbn [after]; constructor; auto.
  destruct b; [now apply P_tl|assumption].
Qed.

Lemma good_step b m : length m = length (fst b) -> good b ->
  good (open (after (fst b) m, snd b)) /\ settled (open (after (fst b) m, snd b)).
Proof.
  intros Hl (W & Hw & E1 & E2). unfold open. cbn [fst snd].
  assert (Forall (fun row => length row = length (after (fst b) m)) (snd b)) as W'
    by (rewrite after_length by assumption; exact W).
  destruct (release_wf _ _ W') as (W1 & L1 & S1). repeat split; try assumption.
  - rewrite L1, after_length; assumption.
  - apply every_release. split; [now apply P_after|exact E2].
  - apply every_release. split; [now apply P_after|exact E2].
Qed.

Lemma busy_settled b : busy b -> settled b.
Proof. unfold busy, settled. congruence. Qed.

Lemma inv_next slots pending ms os pending' : inv slots pending -> fits slots ms ->
  Forall2 may_start (map open (closed slots ms)) os -> Permutation pending (flat_map listed os ++ pending') ->
  inv (next slots ms os) pending'.
Proof.
  intros [I1 I2 I3 I4] Hf Hs Hp. pose proof (closed_length _ _ Hf) as Hc.
  assert (length os = length slots) as Hl by (apply Forall2_same in Hs; rewrite map_length in Hs; lia).
  rewrite Hp in I4. apply Forall_app in I4. destruct I4 as [F1 F2].
  assert (Forall (fun b => good b /\ settled b) (next slots ms os)) as G.
  { clear - Hf I2 F1 P_tl Hl. unfold next, closed in *. revert os Hl F1.
    induction Hf as [|b m slots ms Hm Hf IH]; intros [|o os] Hl F; cbn [length] in *; try lia; [constructor|].
    inversion I2; subst. cbn [combine map fst snd]. unfold start. cbn [combine map fst snd].
    cbn [flat_map] in F. apply Forall_app in F. destruct F as [F1 F2]. constructor.
    - destruct o as [b'|]; cbn [take].
      + cbn [listed] in F1. inversion F1 as [|? ? Hfr]; subst. destruct Hfr as (G1 & G2 & _).
        split; [assumption|now apply busy_settled].
      + now apply good_step.
    - apply IH; auto. }
  constructor.
  - unfold next. rewrite start_length; rewrite map_length; lia.
  - eapply Forall_impl; [|exact G]. now intros b [H1 H2].
  - eapply Forall_impl; [|exact G]. now intros b [H1 H2].
  - assumption.
Qed.

Lemma flat_size slots : Forall good slots -> (length (flat slots) <= length slots * warps)%nat.
Proof.
  induction 1 as [|b slots (_ & Hw & _) H IH]; [cbn; lia|].
  cbn [flat flat_map length]. fold (flat slots). rewrite app_length. lia.
Qed.

Lemma flat_P slots : Forall good slots -> Forall P (flat slots).
Proof.
  induction 1 as [|b slots (_ & _ & E & _) H IH]; [constructor|].
  cbn [flat flat_map]. fold (flat slots). apply Forall_app. now split.
Qed.

Lemma inv_enough slots pending : inv slots pending ->
  forall f, (f < length (flat slots))%nat -> enough (others f (flat slots)).
Proof.
  intros [I1 I2 _ _] f Hf X. pose proof (flat_size slots I2) as Hs. rewrite I1 in Hs.
  pose proof (doubles_le (other X) (others f (flat slots))) as Hd. rewrite others_length in Hd by assumption.
  pose proof (c_pos X). destruct (c_enough X) as [He|He].
  - assert (Z.of_nat (min (sigma (other X) - 1) (doubles (other X) (others f (flat slots)))) <=
            Z.of_nat (min (sigma (other X) - 1) (room * warps - 1))) by lia.
    destruct (Z.le_gt_cases (kappa X - worth (other X)) 0); nia.
  - assert (doubles (other X) (others f (flat slots)) = O) as ->; [|lia].
    pose proof (others_Forall P f _ (flat_P slots I2)) as HP. clear - He HP.
    induction HP as [|s vs Hs HP IH]; [reflexivity|]. cbn [doubles]. now rewrite He, IH.
Qed.
End Assumptions.
