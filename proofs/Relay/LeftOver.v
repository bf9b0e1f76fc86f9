(** Equal blocks that are left over when none waits any more (docs/relay.md, section 6: L). From any states they take no longer than
    the phase bound allows for such blocks at their start, with its limit on the changes of label. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Relay Require Import CompanyRuns CompanyCycle MidwayRelay Stretches Covered QueueRuns Multiprocessors EqualBlocks OddStrings.
Local Open Scope Z_scope.

(** * What is left of equal warps *)

Definition ending (s x : string) : Prop := exists y, s = y ++ x.

Lemma double_ending U s x : ending s x -> double U x = true -> double U s = true.
Proof.
  intros [y ->] H. induction y as [|V y IH]; [exact H|]. cbn [app double]. rewrite IH. apply orb_true_r.
Qed.

Lemma doubles_ending U s vs n : Forall (ending s) vs -> (length vs <= n)%nat -> (doubles U vs <= doubles U (repeat s n))%nat.
Proof.
  intros H; revert n; induction H as [|x vs Hx H IH]; intros n Hn; [cbn; lia|]. cbn [length] in Hn. destruct n as [|n]; [lia|].
  specialize (IH n ltac:(lia)). cbn [repeat doubles]. pose proof (double_ending U s x Hx).
  destruct (double U x); [rewrite (H0 eq_refl)|]; lia.
Qed.

Section LeftOver.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.
Notation earns := (earns worth kappa).
Notation earned := (earned worth kappa).
Notation waits := (waits N worth kappa c).
Notation enough := (enough sigma worth kappa c).

(** The bound for a warp x beside the warps vs, from any state: [phase_bound_any_state]. *)
Definition value (x : string) (vs : state) : Z := N * Z.of_nat (length x) + waits x vs.

Lemma earns_ending b X s x : ending s x -> earns b X x <= earns b X s.
Proof.
  intros [y ->]. induction y as [|U y IH]; [apply Z.le_refl|]. cbn [app].
  pose proof (longer worth kappa kappa_pos kappa_le b X U (y ++ x)). lia.
Qed.

Lemma earned_ending b X s vs n : Forall (ending s) vs -> (length vs <= n)%nat -> earned b X vs <= earned b X (repeat s n).
Proof.
  intros H; revert n; induction H as [|x vs Hx H IH]; intros n Hn.
  - apply (earned_pos worth kappa kappa_pos kappa_le).
  - cbn [length] in Hn. destruct n as [|n]; [lia|]. specialize (IH n ltac:(lia)). cbn [repeat Earnings.earned].
    pose proof (earns_ending b X s x Hx). lia.
Qed.

(** More company, or a letter more, and the bound is no smaller. *)
Lemma value_company x vs vs' : (forall b X, earned b X vs <= earned b X vs') -> value x vs <= value x vs'.
Proof.
  intros H. unfold value, Potential.waits. destruct x as [|X x]; [lia|]. destruct (changes (X :: x)) as [|r].
  - pose proof (H (Some O) X). lia.
  - pose proof (H (Some (S r)) X). pose proof (H (Some r) (other X)). lia.
Qed.

Lemma value_longer X x vs : value x vs <= value (X :: x) vs.
Proof.
  pose proof (waits_pos N worth kappa c kappa_pos kappa_le c_pos (X :: x) vs) as H0. unfold value.
  destruct x as [|U x]; [cbn [length]; change (waits [] vs) with 0; lia|].
  change (length (X :: U :: x)) with (S (length (U :: x))). rewrite Nat2Z.inj_succ, Z.mul_succ_r. clear H0.
  assert (0 <= N * first_run (U :: x)) as Hf by (pose proof (first_run_pos (U :: x)); nia).
  pose proof (c_pos X). pose proof (c_pos (other X)). unfold Potential.waits.
  change (changes (X :: U :: x)) with ((if eqb (other X) U then 1 else 0) + changes (U :: x))%nat.
  change (switches c (X :: U :: x)) with ((if eqb (other X) U then c X else 0) + switches c (U :: x)).
  change (first_run (X :: U :: x)) with (1 + (if eqb X U then first_run (U :: x) else 0)).
  destruct (letter_cases X U) as [->| ->].
  - destruct (eqb_other X) as [-> _]. rewrite eqb_refl, Z.mul_add_distr_l. cbn [Nat.add].
    destruct (changes (X :: x)) as [|r]; lia.
  - destruct (eqb_other X) as [_ ->]. rewrite eqb_refl, other_other, Z.mul_add_distr_l. cbn [Nat.add].
    destruct (changes (other X :: x)) as [|r]; [lia|].
    pose proof (earned_more worth kappa (Some r) X vs). pose proof (earned_more worth kappa (Some (S r)) X vs).
    cbn [more option_map] in *. lia.
Qed.

Lemma value_ending s x vs n : ending s x -> Forall (ending s) vs -> (length vs <= n)%nat -> value x vs <= value s (repeat s n).
Proof.
  intros [y Hy] H Hn. transitivity (value x (repeat s n)).
  - apply value_company. intros b X. now apply earned_ending.
  - rewrite Hy at 2. generalize (repeat s n). intros us. clear Hy H Hn. induction y as [|X y IH]; [apply Z.le_refl|].
    cbn [app]. pose proof (value_longer X (y ++ x) us). lia.
Qed.

(** * As long as a warp has letters left, its bound falls *)

Lemma over_stays j st ms st' : run sigma st ms st' -> nth j st [] = [] -> nth j st' [] = [].
Proof.
  induction 1 as [|st m ms st' [Ha _] Hr IH]; [auto|]. intros E. apply IH. clear - Ha E. revert j E.
  induction Ha as [|s st b m Hb Ha IH]; intros [|j] E; cbn [after nth] in *; auto. subst s. now destruct b.
Qed.

Lemma value_falls j st ms st' : run sigma st ms st' -> (j < length st)%nat -> enough (others j st) -> nth j st' [] <> [] ->
  N * Z.of_nat (length ms) + value (nth j st' []) (others j st') <= value (nth j st []) (others j st).
Proof.
  induction 1 as [st|st m ms st' Hm Hr IH]; intros Hj He Hn; [cbn [length]; lia|].
  assert (nth j st [] <> []) as Hx.
  { intros E. apply Hn. apply (over_stays j st (m :: ms) st'); [|exact E]. now constructor. }
  pose proof (able_length _ _ (proj1 Hm)) as Hl. pose proof (after_front j st m Hj Hl) as Ef.
  pose proof (legal_front sigma j st m Hj Hm) as Hf. unfold front in Ef, Hf. cbn [after] in Ef. injection Ef as E1 E2.
  pose proof (waits_step sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos _ _ _ _ Hx He Hf) as H.
  rewrite E1, E2 in H. specialize (IH ltac:(rewrite after_length; assumption)).
  assert (enough (others j (after st m))) as He'.
  { rewrite <- E2. apply (enough_fewer sigma worth kappa c c_pos (after (others j st) (others j m)) (others j st)); [|exact He].
    intros U. apply doubles_after. }
  specialize (IH He' Hn). cbn [length]. rewrite Nat2Z.inj_succ, Z.mul_succ_r. unfold value in *. rewrite <- E1 in *.
  destruct (nth j m false); [|lia]. destruct (nth j st []) as [|X x]; [congruence|]. cbn [tl length] in *. lia.
Qed.

(** * Blocks that have all started, as one state *)

Definition going (x : placed) : Prop := fst x = true /\ snd (snd x) = [].

Lemma begin_going bs os : Forall going bs -> begin bs os = bs.
Proof.
  intros H; revert os; induction H as [|[w x] bs [Hw _] H IH]; intros [|o os]; cbn [begin]; auto. cbn [fst] in Hw. subst w.
  now rewrite IH.
Qed.

Lemma going_next bs ms : speaks bs ms -> Forall going bs -> Forall going (map opened (issues bs ms)).
Proof.
  induction 1 as [|x m bs ms Hl H IH]; intros Hg; [constructor|]. inversion Hg as [|? ? [G1 G2] Hg']; subst.
  rewrite issues_cons. cbn [map]. constructor; [|now apply IH]. unfold going, opened, issue, open. rewrite G1. cbn [fst snd]. now rewrite G2.
Qed.

Lemma to_cycle rule bs mss bs' t : crun sigma rule bs mss bs' -> Forall going bs -> (t < length mss)%nat ->
  exists ms, length ms = t /\ run sigma (company bs) ms (company (nth t (states bs mss) [])) /\
    length (company (nth t (states bs mss) [])) = length (company bs).
Proof.
  intros Hr; revert t; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros t Hg Ht; [cbn in Ht; lia|].
  cbn [states]. rewrite (begin_going bs os Hg) in *. destruct t as [|t]; [exists []; cbn [nth]; repeat split; constructor|].
  assert (Forall (fun x : placed => snd (snd x) = []) bs) as Hno by (eapply Forall_impl; [|exact Hg]; intros x [_ H]; exact H).
  destruct (next_company bs ms Hsp Hno) as (N1 & _ & _).
  destruct (IH t (going_next _ _ Hsp Hg) ltac:(cbn [length] in Ht; lia)) as (ns & L & R & E). rewrite N1 in R, E. cbn [nth].
  exists (concat ms :: ns). cbn [length]. split; [now rewrite L|]. split; [now constructor|].
  rewrite E. apply after_length. exact (able_length _ _ (proj1 Hl)).
Qed.

Lemma present_warp B (l : list placed) : present (nth B l nobody) = true ->
  exists j, (j < length (company l))%nat /\ nth j (company l) [] <> [].
Proof.
  intros H. assert (exists x, In x (company l) /\ x <> []) as (x & Hx & Hne).
  { unfold present in H. apply andb_prop in H. destruct H as [Hs Hd]. apply negb_true_iff in Hd.
    destruct (not_done_nth _ Hd) as (i & Hi & Hn). exists (nth i (fst (snd (nth B l nobody))) []). split; [|exact Hn].
    unfold company. apply in_flat_map. exists (nth B l nobody). split.
    - apply nth_In. destruct (Nat.lt_ge_cases B (length l)); [assumption|]. rewrite nth_overflow in Hs by assumption. discriminate.
    - unfold warps. rewrite Hs. now apply nth_In. }
  destruct (In_nth _ _ [] Hx) as (j & Hj & E). exists j. split; [exact Hj|]. now rewrite E.
Qed.

(** At most r blocks of b warps that run what is left of s, in any states, and none that waits, times N: the phase bound of r such
    blocks at their start, with at most as many changes of label as s has changes of letter. (Without that limit the bound is larger.) *)
Theorem left_over_phases s b r T : s <> [] -> (0 < b)%nat -> (0 < r)%nat -> enough (repeat s (r * b - 1)) -> left_over sigma (part s b) r T ->
  N * Z.of_nat T <= N * Z.of_nat (length s) + waits s (repeat s (r * b - 1)).
Proof.
  intros Hs Hb Hr0 He (bs & mss & bs' & B & Hr & Hn & Hg & <- & HB). fold (value s (repeat s (r * b - 1))).
  destruct (Nat.eq_dec (length mss) 0) as [->|H0].
  { unfold value. pose proof (waits_pos N worth kappa c kappa_pos kappa_le c_pos s (repeat s (r * b - 1))). nia. }
  set (bs0 := map (pair true) bs) in *.
  assert (Forall going bs0 /\ Forall (ending s) (company bs0) /\ (length (company bs0) <= length bs * b)%nat) as (G1 & G2 & G3).
  { unfold bs0. clear - Hg. induction Hg as [|x l [_ (E1 & E2 & E3)] Hg (I1 & I2 & I3)]; [repeat split; constructor|].
    unfold company in *. cbn [map flat_map]. rewrite app_length. change (warps (true, x)) with (fst x).
    split; [constructor; [split; [reflexivity|exact E1]|exact I1]|]. split; [apply Forall_app; now split|]. cbn [length]. lia. }
  destruct (to_cycle _ _ _ _ (length mss - 1) Hr G1 ltac:(lia)) as (ms & L & R & El). fold bs0 in R, El.
  unfold in_cycle in HB. fold bs0 in HB. destruct (present_warp B _ HB) as (j & Hj & Hne). rewrite El in Hj.
  assert (Forall (ending s) (others j (company bs0))) as Ho by now apply others_Forall.
  assert (length (others j (company bs0)) <= r * b - 1)%nat as Hlo.
  { rewrite others_length by assumption. apply (Nat.mul_le_mono_r _ _ b) in Hn. lia. }
  assert (enough (others j (company bs0))) as He'.
  { apply (enough_fewer sigma worth kappa c c_pos _ (repeat s (r * b - 1))); [|exact He]. intros U. now apply doubles_ending. }
  pose proof (value_falls j _ _ _ R Hj He' Hne) as H. rewrite L in H.
  assert (ending s (nth j (company bs0) [])) as Hej by (rewrite Forall_forall in G2; apply G2; now apply nth_In).
  pose proof (value_ending s _ _ _ Hej Ho Hlo) as H2.
  assert (N <= value (nth j (company (nth (length mss - 1) (states bs0 mss) [])) []) (others j (company (nth (length mss - 1) (states bs0 mss) [])))) as H3.
  { unfold value. match goal with |- N <= N * Z.of_nat (length ?x) + waits _ ?v =>
      pose proof (waits_pos N worth kappa c kappa_pos kappa_le c_pos x v); assert (1 <= Z.of_nat (length x)) by (destruct x; [congruence|cbn [length]; lia]) end. nia. }
  nia.
Qed.
End LeftOver.
