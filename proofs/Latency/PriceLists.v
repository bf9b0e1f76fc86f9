(** Theorem L, fifth part: the two lists of prices meet what is assumed of prices. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters Setting LatencyPotential.
Local Open Scope Z_scope.

(** * The two price lists *)

Section Lists.
Variables (inst lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Hypothesis lo_hi : forall u, (1 <= lo u <= hi u)%nat.
Variables (N : Z) (wi : nat -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis wi_unit : forall u, Z.of_nat (inst u) * wi u = N.

Lemma wi_pos' u : 0 < wi u.
Proof. pose proof (wi_unit u). nia. Qed.

Lemma times_le_length u l : (times u l <= length l)%nat.
Proof. induction l as [|x l IH]; cbn [times length]; [lia|]. destruct (x =? u)%nat; lia. Qed.

(** ** Uniform: omega = max(1/sigma, 1/d), p = 1/d, no neutral letters *)
Section Uniform.
Variable wd : Z.
Hypothesis wd_unit : Z.of_nat width * wd = N.

Definition omega_uniform (u : nat) : Z := Z.max (wi u) wd.

(** What another warp is worth to a warp of scheduler g with the string s; or [s] holds the letters of that string. *)
Definition worth_uniform (g : nat) (s : list nat) : warp -> Z :=
  worth shared wi omega_uniform wd (fun _ => false) (fun u => occurs u s) g.

Lemma falls_uniform A l : wd * Z.of_nat (length l) <= falls omega_uniform wd (fun _ => false) A l.
Proof.
  unfold falls. induction l as [|u l IH]; cbn [map sumZ length]; [lia|].
  assert (wd <= fall omega_uniform wd (fun _ => false) A u); [|lia].
  unfold fall, omega_uniform. destruct (_ || _); lia.
Qed.

Lemma units_uniform st ms st' i g s Us : Forall (fun v => v = fresh (sched v) (code v)) st ->
  run itself inst occ lo hi shared width st ms st' -> nth_error st i = Some (fresh g s) -> (forall u, In u s -> In u Us) ->
  Z.of_nat (finish i ms) <=
    Z.of_nat (length s + Lambda occ hi s) + sumZ (map (worth_uniform g Us) (others i st)) / N.
Proof.
  intros Hst Hr Hi HU. destruct s as [|u0 s0] eqn:Es.
  - (* nothing to issue *)
    assert (i < length st)%nat as Hlt by (apply nth_error_Some; congruence).
    destruct (run_front itself inst occ lo hi shared width i st ms st' Hlt Hr) as (ms' & Hr' & <-).
    unfold front in Hr'. rewrite (nth_error_nth _ _ _ Hi) in Hr'.
    rewrite (finish_done itself inst occ lo hi shared width (fresh g []) (others i st) ms' _ eq_refl Hr').
    cbn [length Lambda Nat.add]. rewrite Z.add_0_l. apply Z.div_pos; [|assumption].
    clear Hr'. generalize (others i st) as vs. induction vs as [|v vs IH]; cbn [map sumZ]; [lia|].
    assert (0 <= worth_uniform g Us v); [|lia]. unfold worth_uniform, worth.
    assert (0 < wd) by nia.
    destruct (sched v =? g)%nat; [apply best_pos; [lia|intros; unfold omega_uniform; lia]|].
    unfold far. induction (code v) as [|u c IHc]; cbn [map sumZ]; [lia|]. pose proof (wi_pos' u).
    destruct (_ && _); lia.
  - rewrite <- Es in *. assert (0 < wd) by nia. assert (0 < Z.of_nat width) by nia.
    unshelve eapply (theorem_L_prices (the := Build_setting inst lo hi shared width lo_hi g N wi omega_uniform wd
      (fun _ => false) N_pos wi_unit _ _ _ _ (fun u => occurs u Us) (fun u => occurs u Us) _ _ _ _ _)) with (st' := st'); auto.
    + nia.
    + intros u. unfold omega_uniform. lia.
    + intros u. unfold omega_uniform. lia.
    + intros u _. unfold omega_uniform, cap. pose proof (wi_unit u). pose proof (wi_pos' u).
      assert (wd <= N) by nia. assert (0 < Z.of_nat (inst u)) by nia.
      assert (1 <= Z.of_nat (Nat.min (inst u) width)) as Hm by lia.
      assert (Z.of_nat (Nat.min (inst u) width) <= Z.of_nat (inst u)) as Hm' by lia.
      set (c := Z.of_nat (Nat.min (inst u) width)) in *. clearbody c.
      destruct (Z.max_spec (wi u) wd) as [[_ ->]|[? ->]]; [rewrite Z.sub_diag; lia|].
      rewrite Z.mul_sub_distr_l. assert (c * wi u <= N) by nia. assert (1 * wd <= c * wd) by nia. lia.
    + exists u0. apply occurs_In, HU. rewrite Es. now left.
    + intros l A _ Hl _. pose proof (falls_uniform A l) as H1. rewrite Hl in H1. lia.
    + intros l U A _ _ _ Hl _ _. pose proof (falls_uniform A l) as H1.
      assert (Z.of_nat (length l) = Z.of_nat width - 1) as E by lia. rewrite E in H1. lia.
    + intros u Hu. now apply occurs_In, HU.
Qed.
End Uniform.

(** ** Neutral: R is a set of units with sum of sigma at most d; the others are neutral *)
Section Neutral.
Variable Rs : list nat.
Definition total_inst (l : list nat) : nat := list_sum (map inst l).
Hypothesis Rs_fit : (total_inst Rs <= width)%nat.

(** r = d + 1 - sum of sigma; d if R is empty. *)
Definition room : nat := match Rs with [] => width | _ => S width - total_inst Rs end.
Variable wr : Z.
Hypothesis wr_unit : Z.of_nat room * wr = N.

Definition neutral_R (u : nat) : bool := negb (occurs u Rs).
Definition omega_neutral (u : nat) : Z := if occurs u Rs then wi u else Z.max (wi u) wr.
Definition label_R (s : list nat) (u : nat) : bool :=
  match Rs with
  | [] => occurs u s
  | _ => occurs u Rs && (occurs u s || negb (existsb (fun c => occurs c Rs) s))
  end.

Definition worth_neutral (g : nat) (s : list nat) : warp -> Z :=
  worth shared wi omega_neutral 0 neutral_R (fun u => occurs u s) g.

(** Every letter is neutral or one of R. *)
Lemma parts l : (length l <= length (filter neutral_R l) + list_sum (map (fun c => times c l) Rs))%nat.
Proof.
  induction l as [|x l IH]; [cbn [length filter]; lia|]. cbn [length filter times].
  assert (forall R0, list_sum (map (fun c => (if (x =? c)%nat then 1 else 0) + times c l)%nat R0)
    >= (if occurs x R0 then 1 else 0) + list_sum (map (fun c => times c l) R0))%nat as H.
  { clear. induction R0 as [|c R0 IH]; cbn [map]; [cbn; lia|]. cbn [list_sum fold_right] in *.
    change (occurs x (c :: R0)) with ((x =? c)%nat || occurs x R0).
    unfold list_sum in *. cbn [fold_right]. destruct (x =? c)%nat, (occurs x R0); cbn [orb] in *; lia. }
  specialize (H Rs). unfold neutral_R at 1. destruct (occurs x Rs); cbn [negb length]; lia.
Qed.

Lemma squeeze (f h : nat -> nat) (R0 : list nat) : (forall c, f c <= h c)%nat ->
  (list_sum (map h R0) <= list_sum (map f R0))%nat -> forall c, In c R0 -> f c = h c.
Proof.
  intros Hle. unfold list_sum. induction R0 as [|x R0 IH]; cbn [map fold_right In]; [tauto|].
  intros H c [->|Hc].
  - assert (fold_right Nat.add 0 (map f R0) <= fold_right Nat.add 0 (map h R0))%nat.
    { clear - Hle. induction R0 as [|y R0 IH]; cbn [map fold_right]; [lia|]. specialize (Hle y). lia. }
    specialize (Hle c). lia.
  - specialize (Hle x). apply IH; [lia|assumption].
Qed.

Lemma omega_neutral_pos u : 0 <= omega_neutral u.
Proof. unfold omega_neutral. pose proof (wi_pos' u). destruct (occurs u Rs); lia. Qed.

Lemma falls_neutral A l : wr * Z.of_nat (length (filter neutral_R l)) <= falls omega_neutral 0 neutral_R A l.
Proof.
  unfold falls. induction l as [|u l IH]; cbn [map sumZ filter length]; [lia|].
  unfold fall at 1. pose proof (omega_neutral_pos u).
  destruct (neutral_R u) eqn:E; cbn [orb length].
  - assert (wr <= omega_neutral u); [|lia]. unfold omega_neutral, neutral_R in *.
    destruct (occurs u Rs); [discriminate|lia].
  - destruct (u =? A)%nat; lia.
Qed.

Lemma falls_own A l : occurs A Rs = true -> wi A * Z.of_nat (times A l) <= falls omega_neutral 0 neutral_R A l.
Proof.
  intros HA. unfold falls. induction l as [|u l IH]; cbn [map sumZ times]; [lia|].
  unfold fall at 1. pose proof (omega_neutral_pos u). destruct (Nat.eqb_spec u A) as [->|].
  - rewrite orb_true_r. unfold omega_neutral at 1. rewrite HA. lia.
  - rewrite orb_false_r. cbn [Nat.add]. destruct (neutral_R u); lia.
Qed.

Lemma occurs_iff u s : occurs u s = true <-> In u s.
Proof.
  split; [|apply occurs_In]. intros H. apply existsb_exists in H. destruct H as (x & Hx & E).
  apply Nat.eqb_eq in E. now subst.
Qed.

Lemma units_neutral st ms st' i g s : Forall (fun v => v = fresh (sched v) (code v)) st ->
  run itself inst occ lo hi shared width st ms st' -> nth_error st i = Some (fresh g s) -> s <> [] ->
  Z.of_nat (finish i ms) <=
    Z.of_nat (length s + Lambda occ hi s) + sumZ (map (worth_neutral g s) (others i st)) / N.
Proof.
  intros Hst Hr Hi Hs. assert (0 < wr) as Hwr by nia.
  unshelve eapply (theorem_L_prices (the := Build_setting inst lo hi shared width lo_hi g N wi omega_neutral 0 neutral_R
    N_pos wi_unit _ _ _ _ (label_R s) (fun u => occurs u s) _ _ _ _ _)) with (st' := st'); auto.
  - lia.
  - exact omega_neutral_pos.
  - intros u. unfold omega_neutral. destruct (occurs u Rs); lia.
  - intros u Hu. unfold neutral_R in Hu. apply negb_false_iff in Hu. unfold omega_neutral, cap. rewrite Hu.
    pose proof (wi_unit u). pose proof (wi_pos' u). nia.
  - intros u Hs' Hu. unfold neutral_R in Hu. apply negb_false_iff in Hu. unfold label_R.
    destruct Rs; [discriminate|]. now rewrite Hu, Hs'.
  - (* the labels occur in s, unless no unit of R does *)
    intros U u HUs HU Hu. unfold neutral_R in HU. apply negb_false_iff in HU. unfold label_R in Hu.
    assert (existsb (fun c => occurs c Rs) s = true) as E
      by (apply existsb_exists; exists U; split; [now apply occurs_iff|assumption]).
    rewrite E in Hu. destruct Rs; [assumption|]. apply andb_true_iff in Hu. rewrite orb_false_r in Hu. tauto.
  - unfold label_R. destruct Rs as [|c R0].
    + destruct s as [|u s]; [congruence|]. exists u. cbn. now rewrite Nat.eqb_refl.
    + destruct (existsb (fun c0 => occurs c0 (c :: R0)) s) eqn:E.
      * apply existsb_exists in E. destruct E as (u & Hu & E). exists u.
        now rewrite E, (occurs_In u s Hu).
      * exists c. rewrite orb_true_r. cbn. now rewrite Nat.eqb_refl.
  - (* all slots used while w waits *)
    intros l A HA Hl Ht. pose proof (parts l) as Hp. pose proof (falls_neutral A l) as Hn.
    destruct (Nat.le_gt_cases room (length (filter neutral_R l))) as [H|H]; [nia|].
    assert (Rs <> []) as HR.
    { unfold room in H. destruct Rs; [|discriminate]. cbn in Hp. unfold list_sum in Hp. cbn in Hp. lia. }
    assert (occurs A Rs = true) as HA'
      by (unfold label_R in HA; destruct Rs; [congruence|]; apply andb_true_iff in HA; tauto).
    pose proof (falls_own A l HA') as Ho.
    rewrite (squeeze (fun c => times c l) inst Rs) in Ho; [pose proof (wi_unit A); lia|exact Ht| |now apply occurs_iff].
    unfold room, total_inst in *. destruct Rs; [congruence|]. lia.
  - (* all but one, and w issues U *)
    intros l U A HU HA HAU Hl Ht HtU. pose proof (parts l) as Hp. pose proof (falls_neutral A l) as Hn.
    destruct (Nat.le_gt_cases room (length (filter neutral_R l))) as [H|H]; [nia|].
    unfold neutral_R in HU. apply negb_false_iff in HU.
    assert (Rs <> []) as HR by (intros E; rewrite E in HU; discriminate).
    assert (occurs A Rs = true) as HA'
      by (unfold label_R in HA; destruct Rs; [congruence|]; apply andb_true_iff in HA; tauto).
    pose proof (falls_own A l HA') as Ho.
    assert (times A l = inst A) as E; [|rewrite E in Ho; pose proof (wi_unit A); lia].
    assert (forall c, In c Rs -> (times c l + if (U =? c)%nat then 1 else 0) = inst c)%nat as Hq.
    { apply (squeeze (fun c => times c l + if (U =? c)%nat then 1 else 0)%nat inst Rs).
      - intros c. specialize (Ht c). destruct (Nat.eqb_spec U c) as [->|]; lia.
      - assert (list_sum (map (fun c => times c l) Rs) + 1
          <= list_sum (map (fun c => times c l + if (U =? c)%nat then 1 else 0) Rs))%nat.
        { clear - HU. unfold list_sum. induction Rs as [|c R0 IH]; [discriminate|]. cbn [map fold_right].
          change (occurs U (c :: R0)) with ((U =? c)%nat || occurs U R0) in HU.
          assert (fold_right Nat.add 0 (map (fun c => times c l) R0) <=
            fold_right Nat.add 0 (map (fun c => times c l + if (U =? c)%nat then 1 else 0) R0))%nat.
          { clear. induction R0 as [|c R0 IH]; cbn [map fold_right]; lia. }
          destruct (U =? c)%nat; cbn [orb] in HU; [lia|]. specialize (IH HU). lia. }
        unfold room, total_inst in *. destruct Rs; [congruence|]. lia. }
    specialize (Hq A (proj1 (occurs_iff A Rs) HA')).
    destruct (Nat.eqb_spec U A) as [->|]; [congruence|]. lia.
  - intros u Hu. now apply occurs_In.
Qed.
End Neutral.
End Lists.
