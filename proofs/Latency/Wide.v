(** Theorem L where no scheduler has more warps than slots, so that the width never limits: 1/d may be taken as 0. Such a schedule
    is one for any larger width as well, and with the width 1/d becomes as small as one likes. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters Setting PriceLists UnitLetters TheoremL.

Section Wide.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool).

Lemma crowd_all g u st m : total (slot g) st m + total (blocked unit g u) st m <= crowd g st.
Proof.
  unfold crowd. revert m; induction st as [|v st IH]; intros [|a m]; cbn [total filter length]; try lia.
  specialize (IH m). unfold slot at 1, blocked at 1. destruct (sched v =? g), (issues a), (wants unit u v); cbn [andb negb length]; lia.
Qed.

Lemma run_wider d d' st ms st' : d <= d' -> (forall g, crowd g st <= d) ->
  run unit inst occ lo hi shared d st ms st' -> run unit inst occ lo hi shared d' st ms st'.
Proof.
  intros Hd Hc H; revert Hc; induction H as [st|st m ms st' (Ha & Hb & Hs & Hw) H IH]; intros Hc; [constructor|]. econstructor.
  - split; [assumption|]. split; [assumption|]. split; [intros g; specialize (Hs g); lia|].
    intros g u Hbl. left. destruct (Hw g u Hbl) as [Hf|Hf]; [assumption|].
    pose proof (crowd_all g u st m). specialize (Hc g). lia.
  - apply IH. intros g. pose proof (crowd_next unit occ g st m). specialize (Hc g). lia.
Qed.

Local Open Scope Z_scope.
Variables (longest_of : nat -> nat) (N : Z) (wi : nat -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis wi_unit : forall u, Z.of_nat (inst u) * wi u = N.
Notation none := (fun _ : nat => false).

(** Prices for the width k, times N k, and those without a price for slots. *)
Lemma best_wide k s : N <= k ->
  best none (omega_uniform (fun u => wi u * k) N) N s <= k * best none (omega_uniform wi 0) 0 s + N * Z.of_nat (length s).
Proof.
  intros Hk. assert (forall u, 0 < wi u) as Hwi by (intros u; pose proof (wi_unit u); nia).
  assert (forall u, omega_uniform (fun u => wi u * k) N u = k * omega_uniform wi 0 u) as Ho.
  { intros u. unfold omega_uniform. specialize (Hwi u). rewrite !Z.max_l by nia. lia. }
  assert (forall A, R none (omega_uniform (fun u => wi u * k) N) N A s <= k * R none (omega_uniform wi 0) 0 A s + N * Z.of_nat (length s) /\
    best none (omega_uniform (fun u => wi u * k) N) N s <= k * best none (omega_uniform wi 0) 0 s + N * Z.of_nat (length s)) as H;
    [|apply (H O)].
  induction s as [|c s IH]; intros A; [cbn; lia|].
  assert (best none (omega_uniform (fun u => wi u * k) N) N (c :: s) <=
    k * best none (omega_uniform wi 0) 0 (c :: s) + N * Z.of_nat (length (c :: s))) as Hb.
  { rewrite !best_cons, Ho by reflexivity. destruct (IH c) as [H1 H2]. cbn [length].
    rewrite Nat2Z.inj_succ. set (b := best _ _ 0 s) in *. set (r := R _ _ 0 c s) in *. set (o := omega_uniform wi 0 c) in *.
    assert (k * (0 + b) <= k * Z.max (0 + b) (o + r)) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (k * (o + r) <= k * Z.max (0 + b) (o + r)) by (apply Z.mul_le_mono_nonneg_l; lia).
    apply Z.max_lub; nia. }
  split; [|assumption]. destruct (Nat.eq_dec c A) as [->|Hc].
  - rewrite !R_same. exact Hb.
  - rewrite !R_other by auto. destruct (IH A) as [_ H2]. cbn [length]. rewrite Nat2Z.inj_succ. lia.
Qed.

Lemma far_wide k U s : far shared (fun u => wi u * k) (fun u => occurs u U) s = k * far shared wi (fun u => occurs u U) s.
Proof. unfold far. induction s as [|u s IH]; cbn [map sumZ]; [lia|]. rewrite IH. destruct (_ && _); lia. Qed.

Definition letters (vs : list warp) : Z := sumZ (map (fun v => Z.of_nat (length (code v))) vs).

Lemma letters_pos vs : 0 <= letters vs.
Proof. unfold letters. induction vs as [|v vs IH]; cbn [map sumZ]; lia. Qed.

Lemma worth_wide k g U vs : N <= k ->
  sumZ (map (fun v => worth_uniform shared (fun u => wi u * k) N g U (as_units unit v)) vs) <=
  k * sumZ (map (fun v => worth_uniform shared wi 0 g U (as_units unit v)) vs) + N * letters vs.
Proof.
  intros Hk. unfold letters. induction vs as [|v vs IH]; cbn [map sumZ]; [lia|].
  enough (worth_uniform shared (fun u => wi u * k) N g U (as_units unit v) <=
    k * worth_uniform shared wi 0 g U (as_units unit v) + N * Z.of_nat (length (code v))) by lia.
  unfold worth_uniform, worth. cbn [as_units sched code]. destruct (sched v =? g)%nat.
  - pose proof (best_wide k (map unit (code v)) Hk) as H. rewrite map_length in H. exact H.
  - rewrite far_wide. nia.
Qed.

(** The uniform prices without a price for slots. They are the neutral ones as well, with all units in R. *)
Theorem theorem_L_wide width st ms st' i g s U : (forall g, (crowd g st <= width)%nat) ->
  all_short unit occ lo hi longest_of st -> Forall (fun v => v = fresh (sched v) (code v)) st ->
  run unit inst occ lo hi shared width st ms st' -> nth_error st i = Some (fresh g s) -> (forall x, In x s -> In (unit x) U) ->
  Z.of_nat (finish i ms) <= Z.of_nat (length s + Lambda_H unit longest_of s) +
    sumZ (map (fun v => worth_uniform shared wi 0 g U (as_units unit v)) (others i st)) / N.
Proof.
  intros Hc Hs Hst Hr Hi HU. set (S0 := sumZ (map (fun v => worth_uniform shared wi 0 g U (as_units unit v)) (others i st))).
  set (T := letters (others i st)).
  assert (0 <= T) as HT by apply letters_pos.
  set (k := Z.of_nat width + N * (T + 1)). assert (N <= k /\ N * T < k /\ (width <= Z.to_nat k)%nat) as (H1 & H2 & H3) by (unfold k; nia).
  assert (0 < k) as Hk by lia.
  pose proof (theorem_L_uniform unit inst occ lo hi shared (Z.to_nat k) longest_of (N * k) (fun u => wi u * k) ltac:(nia)
    ltac:(intros u; pose proof (wi_unit u); nia) N st ms st' i g s U ltac:(rewrite Z2Nat.id; lia) Hs Hst
    (run_wider width (Z.to_nat k) st ms st' H3 Hc Hr) Hi HU) as H.
  pose proof (worth_wide k g U (others i st) H1) as Hw. fold S0 T in Hw.
  set (X := sumZ (map (fun v => worth_uniform shared (fun u => wi u * k) N g U (as_units unit v)) (others i st))) in *.
  enough (X / (N * k) <= S0 / N) by lia.
  assert (X < (N * k) * (S0 / N + 1)); [|enough (X / (N * k) < S0 / N + 1) by lia; apply Z.div_lt_upper_bound; nia].
  pose proof (Z.mul_succ_div_gt S0 N N_pos) as Hd. assert (S0 <= N * (S0 / N) + N - 1) by nia. nia.
Qed.
End Wide.
