(** The bound CP, the critical path of machines (docs/machines.md, Theorem 1), safe for the whole class. In each cycle before w is done it issues, or it is
    kept back by an issue of its own, or it is ready and the others hold all instances or use all slots. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns.

Section CP.
Variables (inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

Notation step := (step occ).
Notation next := (next occ).
Notation able := (able lo hi).
Notation sees := (sees shared).
Notation busy := (busy shared).
Notation run := (run inst occ lo hi shared width).
Notation run_front := (run_front inst occ lo hi shared width).
Notation legal_wait := (legal_wait inst lo hi shared width).
Notation descent := (descent inst occ lo hi shared width).

Hypothesis occ_pos : forall u, 1 <= occ u.

(** What w needs alone: each letter but the last takes max(hi, n) cycles, the last takes one. *)
Definition span (u : nat) : nat := Nat.max (hi u) (occ u).

Fixpoint alone (s : list nat) : nat :=
  match s with [] => 0 | u :: s => match s with [] => 1 | _ => span u + alone s end end.

(** Lambda in docs/machines.md: what w waits for itself; [alone] is I + Lambda. *)
Fixpoint Lambda (s : list nat) : nat :=
  match s with [] => 0 | u :: s => match s with [] => 0 | _ => (span u - 1) + Lambda s end end.

Lemma alone_Lambda s : alone s = length s + Lambda s.
Proof.
  induction s as [|u [|v s] IH]; [reflexivity..|].
  change (alone (u :: v :: s)) with (span u + alone (v :: s)). rewrite IH.
  change (Lambda (u :: v :: s)) with (span u - 1 + Lambda (v :: s)).
  assert (1 <= span u) by (unfold span; specialize (occ_pos u); lia). cbn [length]. lia.
Qed.

(** How long w is still kept back by its own issues. *)
Fixpoint longest (h : list (nat * nat)) : nat :=
  match h with (_, r) :: h => Nat.max r (longest h) | [] => 0 end.

Definition own (x : warp) : nat :=
  match code x with [] => 0 | s => Nat.max (lat x) (longest (held x)) + alone s end.

Lemma longest_age h : longest (age h) = pred (longest h).
Proof. induction h as [|(x, r) h IH]; [reflexivity|]. cbn [age map longest fst snd] in *. unfold age in IH. lia. Qed.

Lemma longest_holding u h : longest h = 0 -> holding u h = 0.
Proof.
  induction h as [|(x, r) h IH]; [reflexivity|]. cbn [longest holding]. intros H. rewrite IH by lia.
  replace r with 0 by lia. now rewrite andb_false_r.
Qed.

(** An issue takes 1 off [own]; so does a cycle in which w is not ready, or holds an instance. *)
Lemma own_issue x l : able x (Some l) -> 1 + own (step x (Some l)) <= own x.
Proof using occ_pos.
  intros [Hl Hr]. unfold own, step. destruct (code x) as [|u s]; [destruct Hr|]. cbn [code lat held].
  destruct s as [|v s]; [cbn [alone]; lia|].
  change (alone (u :: v :: s)) with (span u + alone (v :: s)). cbn [longest]. rewrite longest_age.
  pose proof (occ_pos u). unfold span. lia.
Qed.

Lemma own_idle x : code x <> [] -> 0 < lat x \/ 0 < longest (held x) -> 1 + own (step x None) <= own x.
Proof.
  intros Hc H. unfold own, step. destruct (code x) as [|u s] eqn:E; [congruence|].
  cbn [code lat held]. rewrite longest_age. lia.
Qed.

Lemma own_wait x : own (step x None) <= own x.
Proof.
  unfold own, step. destruct (code x) as [|u s] eqn:E; [cbn; lia|]. cbn [code lat held]. rewrite longest_age. lia.
Qed.

(** Weights, times N: [wi u] stands for 1/m_u and [wd] for 1/d. *)
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_unit : (Z.of_nat width * wd = N)%Z.

Section Table.
Local Open Scope Z_scope.

(** The table, for a followed warp of scheduler g with letters [s]: what a letter u of another warp, of
    scheduler g', is worth. *)
Definition occurs (u : nat) (s : list nat) : bool := existsb (Nat.eqb u) s.

Definition price (g : nat) (s : list nat) (g' u : nat) : Z :=
  if (g' =? g)%nat then
    if occurs u s then (Z.of_nat (occ u) - 1) * wi u + Z.max (wi u) wd else wd
  else if shared u && occurs u s then Z.of_nat (occ u) * wi u else 0.

Fixpoint sumZ (l : list Z) : Z := match l with [] => 0 | a :: l => a + sumZ l end.

(** What another warp's letters are worth. *)
Definition weight (g : nat) (s : list nat) (v : warp) : Z := sumZ (map (price g s (sched v)) (code v)).

(** What its held instances are still worth, besides. *)
Fixpoint debt (g : nat) (s : list nat) (g' : nat) (h : list (nat * nat)) : Z :=
  match h with
  | (u, r) :: h => (if sees g u g' && occurs u s then Z.of_nat r * wi u else 0) + debt g s g' h
  | [] => 0
  end.

Definition charge g s v := weight g s v + debt g s (sched v) (held v).

Lemma wi_pos u : 0 < wi u.
Proof. specialize (wi_unit u). nia. Qed.

Lemma wd_pos : 0 < wd.
Proof. nia. Qed.

Lemma price_pos g s g' u : 0 <= price g s g' u.
Proof.
  unfold price. pose proof (wi_pos u). pose proof wd_pos. pose proof (occ_pos u).
  destruct (g' =? g)%nat, (occurs u s), (shared u); cbn [andb]; nia.
Qed.

Lemma debt_pos g s g' h : 0 <= debt g s g' h.
Proof.
  induction h as [|(u, r) h IH]; cbn [debt]; [lia|]. pose proof (wi_pos u).
  destruct (_ && _); nia.
Qed.

Lemma charge_pos g s v : 0 <= charge g s v.
Proof.
  unfold charge, weight. pose proof (debt_pos g s (sched v) (held v)).
  assert (0 <= sumZ (map (price g s (sched v)) (code v))); [|lia].
  induction (code v) as [|u c IH]; cbn [map sumZ]; [lia|]. pose proof (price_pos g s (sched v) u). lia.
Qed.

Lemma debt_age g s g' u h : occurs u s = true ->
  debt g s g' (age h) + (if sees g u g' then Z.of_nat (holding u h) * wi u else 0) <= debt g s g' h.
Proof.
  intros Hu. induction h as [|(x, r) h IH]; [cbn; destruct (sees g u g'); lia|].
  cbn [age map fst snd debt holding] in *. fold (age h). pose proof (wi_pos x). pose proof (wi_pos u).
  destruct (Nat.eqb_spec x u) as [->|Hx]; cbn [andb].
  - rewrite Hu, andb_true_r in *. destruct (sees g u g'); [|lia].
    rewrite Nat2Z.inj_add, Z.mul_add_distr_r. destruct (Nat.ltb_spec 0 r).
    + replace (Z.of_nat r) with (Z.of_nat (pred r) + 1) by lia. lia.
    + replace r with O by lia. exact IH.
  - cbn [Nat.add]. destruct (sees g x g' && occurs x s); nia.
Qed.

Lemma debt_age_le g s g' h : debt g s g' (age h) <= debt g s g' h.
Proof.
  induction h as [|(x, r) h IH]; cbn [age map fst snd debt]; [lia|]. fold (age h).
  pose proof (wi_pos x). destruct (sees g x g' && occurs x s); nia.
Qed.

(** Another warp's charge falls by 1/m for an instance that it holds or takes in this cycle, and by 1/d
    for a slot. *)
Lemma charge_busy g s v a u : able v a -> occurs u s = true ->
  wi u * Z.of_nat (busy g u v a) + charge g s (step v a) <= charge g s v.
Proof.
  intros Ha Hu. unfold charge, weight, busy, step, wants. pose proof (debt_age g s (sched v) u (held v) Hu) as Hd.
  pose proof (wi_pos u). pose proof (debt_pos g s (sched v) (held v)). pose proof wd_pos.
  destruct a as [l|]; cbn [issues andb].
  - destruct Ha as [Hl Hr]. rewrite Hl. cbn [Nat.eqb andb]. destruct (code v) as [|x c]; [tauto|].
    cbn [code held sched debt map sumZ].
    pose proof (occ_pos x). pose proof (wi_pos x).
    assert (price g s (sched v) x >= (if sees g x (sched v) && occurs x s then Z.of_nat (pred (occ x)) * wi x else 0)
      + (if (x =? u)%nat && sees g u (sched v) then wi u else 0)); [|destruct (x =? u)%nat, (sees g u (sched v)); cbn [andb] in *; lia].
    unfold price, sees. destruct (Nat.eqb_spec x u) as [->|_]; cbn [andb].
    + rewrite Hu, andb_true_r. destruct (sched v =? g)%nat, (shared u); cbn [andb orb]; nia.
    + destruct (sched v =? g)%nat, (shared x), (occurs x s); cbn [andb orb]; nia.
  - cbn [code held sched]. destruct (sees g u (sched v)); lia.
Qed.

Lemma charge_slot g s v a : able v a ->
  wd * Z.of_nat (slot g v a) + charge g s (step v a) <= charge g s v.
Proof.
  intros Ha. unfold charge, weight, slot, step. pose proof (debt_age_le g s (sched v) (held v)) as Hd.
  pose proof wd_pos.
  destruct a as [l|]; cbn [issues]; rewrite ?andb_true_r, ?andb_false_r.
  - destruct Ha as [_ Hr]. destruct (code v) as [|x c]; [tauto|].
    cbn [code held sched debt map sumZ].
    pose proof (occ_pos x). pose proof (wi_pos x).
    assert (price g s (sched v) x >= (if sees g x (sched v) && occurs x s then Z.of_nat (pred (occ x)) * wi x else 0)
      + (if (sched v =? g)%nat then wd else 0)); [|destruct (sched v =? g)%nat; lia].
    unfold price, sees.
    destruct (sched v =? g)%nat, (shared x), (occurs x s); cbn [andb orb]; nia.
  - cbn [code held sched]. lia.
Qed.

Definition charges g s vs := sumZ (map (charge g s) vs).

Lemma charges_busy g s u vs m : Forall2 able vs m -> occurs u s = true ->
  wi u * Z.of_nat (total (busy g u) vs m) + charges g s (next vs m) <= charges g s vs.
Proof.
  intros H Hu. unfold charges. induction H as [|v a vs m Ha H IH]; cbn [next map sumZ total]; [lia|].
  pose proof (charge_busy g s v a u Ha Hu). lia.
Qed.

Lemma charges_slot g s vs m : Forall2 able vs m ->
  wd * Z.of_nat (total (slot g) vs m) + charges g s (next vs m) <= charges g s vs.
Proof.
  intros H. unfold charges. induction H as [|v a vs m Ha H IH]; cbn [next map sumZ total]; [lia|].
  pose proof (charge_slot g s v a Ha). lia.
Qed.

Lemma charges_pos g s vs : 0 <= charges g s vs.
Proof.
  unfold charges. induction vs as [|v vs IH]; cbn [map sumZ]; [lia|]. pose proof (charge_pos g s v). lia.
Qed.

(** CP from any state: [s] is any string in which all letters left to w occur. *)
Theorem cp_any_state s x vs ms st' : (forall u, In u (code x) -> occurs u s = true) ->
  run (x :: vs) ms st' ->
  N * Z.of_nat (finish 0 ms) <= N * Z.of_nat (own x) + charges (sched x) s vs.
Proof.
  intros Hs Hr.
  apply (descent N (fun y ys f => sched y = sched x /\ (forall u, In u (code y) -> occurs u s = true)
    /\ f = N * Z.of_nat (own y) + charges (sched x) s ys)) with x vs st'; auto.
  - intros y ys f (_ & _ & ->). pose proof (charges_pos (sched x) s ys). nia.
  - intros y ys a m f Hc (Hg & Hy & ->) Hm. eexists. split; [split; [|split; [|reflexivity]]|].
    + unfold step. destruct a, (code y); assumption.
    + intros u Hu. apply Hy. revert Hu. unfold step. destruct a, (code y); cbn; auto.
    + pose proof Hm as (Ha & _). apply Forall2_cons_iff in Ha. destruct Ha as [Ha1 Ha2].
      pose proof (charges_slot (sched x) s ys m Ha2) as Hslot. pose proof wd_pos.
      destruct a as [l|].
      * pose proof (own_issue y l Ha1). nia.
      * destruct (Nat.eq_dec (Nat.max (lat y) (longest (held y))) 0) as [E|E].
        2:{ pose proof (own_idle y Hc ltac:(lia)). nia. }
        pose proof (own_wait y). destruct (code y) as [|u c] eqn:Ec; [congruence|].
        assert (wants u y = true) as Hw
          by (unfold wants; rewrite Ec, Nat.eqb_refl; replace (lat y) with O by lia; reflexivity).
        destruct (legal_wait y ys m Hm u Hw ltac:(apply longest_holding; lia)) as [Hf|Hf]; rewrite Hg in Hf.
        -- pose proof (charges_busy (sched x) s u ys m Ha2 (Hy u ltac:(now left))) as Hb.
           rewrite Hf in Hb. specialize (wi_unit u). nia.
        -- rewrite Hf in Hslot. nia.
Qed.

Lemma occurs_In u s : In u s -> occurs u s = true.
Proof. intros H. apply existsb_exists. exists u. split; [assumption|apply Nat.eqb_refl]. Qed.

(** CP, from the start: finish(w) <= I_w + Lambda_w + floor(sum of the weights of the others' letters). *)
Theorem cp st ms st' w g s : Forall (fun v => v = fresh (sched v) (code v)) st ->
  run st ms st' -> nth_error st w = Some (fresh g s) ->
  Z.of_nat (finish w ms) <=
    Z.of_nat (length s + Lambda s) + sumZ (map (weight g s) (others w st)) / N.
Proof.
  intros Hst Hr Hw.
  assert (w < length st)%nat as Hlt by (apply nth_error_Some; congruence).
  destruct (run_front w st ms st' Hlt Hr) as (ms' & Hr' & <-). unfold front in Hr'.
  rewrite (nth_error_nth _ _ _ Hw) in Hr'.
  pose proof (cp_any_state s (fresh g s) _ _ _ (fun u => occurs_In u s) Hr') as H. cbn [sched fresh] in H.
  assert (charges g s (others w st) = sumZ (map (weight g s) (others w st))) as E.
  { unfold charges. f_equal. apply map_ext_in. intros v Hv.
    rewrite (proj1 (Forall_forall _ _) (others_Forall _ w _ Hst) v Hv).
    unfold charge. cbn [held fresh debt]. lia. }
  assert (Z.of_nat (own (fresh g s)) = Z.of_nat (length s + Lambda s)) as E2.
  { rewrite <- alone_Lambda. unfold own, fresh. cbn [code lat held longest]. now destruct s. }
  rewrite E, E2 in H.
  assert (Z.of_nat (finish 0 ms') - Z.of_nat (length s + Lambda s) <=
    sumZ (map (weight g s) (others w st)) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.
End Table.
End CP.
