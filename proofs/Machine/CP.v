(** The bound CP, the critical path of machines (docs/machines.md, Theorem 1), safe for the whole class. In each cycle before w is done it issues, or it is
    kept back by an issue of its own, or it is ready and the others hold all instances or use all slots. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns.

Section CP.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

Notation wants := (wants unit).
Notation step := (step unit occ).
Notation next := (next unit occ).
Notation able := (able lo hi).
Notation sees := (sees shared).
Notation busy := (busy unit shared).
Notation run := (run unit inst occ lo hi shared width).
Notation run_front := (run_front unit inst occ lo hi shared width).
Notation legal_wait := (legal_wait unit inst lo hi shared width).
Notation descent := (descent unit inst occ lo hi shared width).

Hypothesis occ_pos : forall x, 1 <= occ x.

(** What w needs alone: each letter but the last takes max(hi, n) cycles, the last takes one. *)
Definition span (x : nat) : nat := Nat.max (hi x) (occ x).

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

(** Weights, times N: [wi u] stands for 1/m_u and [wd] for 1/d, or for 0 where the width never limits. *)
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.

Section Table.
Local Open Scope Z_scope.

(** The table, for a followed warp with letters for the units [s]: what a letter x of another warp, of scheduler g', is
    worth. [near] tells the followed warp's scheduler; with barriers, those of the warps that are followed in turn. *)
Definition occurs (u : nat) (s : list nat) : bool := existsb (Nat.eqb u) s.

Definition price (near : nat -> bool) (s : list nat) (g' x : nat) : Z :=
  let u := unit x in
  if near g' then
    if occurs u s then (Z.of_nat (occ x) - 1) * wi u + Z.max (wi u) wd else wd
  else if shared u && occurs u s then Z.of_nat (occ x) * wi u else 0.

Fixpoint sumZ (l : list Z) : Z := match l with [] => 0 | a :: l => a + sumZ l end.

(** What another warp's letters are worth. *)
Definition weight (near : nat -> bool) (s : list nat) (v : warp) : Z := sumZ (map (price near s (sched v)) (code v)).

(** What its held instances are still worth, besides. *)
Fixpoint debt (near : nat -> bool) (s : list nat) (g' : nat) (h : list (nat * nat)) : Z :=
  match h with
  | (u, r) :: h => (if (shared u || near g') && occurs u s then Z.of_nat r * wi u else 0) + debt near s g' h
  | [] => 0
  end.

Definition charge near s v := weight near s v + debt near s (sched v) (held v).

Lemma wi_pos u : 0 < wi u.
Proof. specialize (wi_unit u). nia. Qed.

Lemma price_pos near s g' u : 0 <= price near s g' u.
Proof.
  unfold price. pose proof (wi_pos (unit u)). pose proof wd_pos. pose proof (occ_pos u).
  destruct (near g'), (occurs (unit u) s), (shared (unit u)); cbn [andb]; nia.
Qed.

Lemma debt_pos near s g' h : 0 <= debt near s g' h.
Proof.
  induction h as [|(u, r) h IH]; cbn [debt]; [lia|]. pose proof (wi_pos u).
  destruct (_ && _); nia.
Qed.

Lemma charge_pos near s v : 0 <= charge near s v.
Proof.
  unfold charge, weight. pose proof (debt_pos near s (sched v) (held v)).
  assert (0 <= sumZ (map (price near s (sched v)) (code v))); [|lia].
  induction (code v) as [|u c IH]; cbn [map sumZ]; [lia|]. pose proof (price_pos near s (sched v) u). lia.
Qed.

Lemma debt_age near s g' u h : occurs u s = true ->
  debt near s g' (age h) + (if shared u || near g' then Z.of_nat (holding u h) * wi u else 0) <= debt near s g' h.
Proof.
  intros Hu. induction h as [|(x, r) h IH]; [cbn; destruct (shared u || near g'); lia|].
  cbn [age map fst snd debt holding] in *. fold (age h). pose proof (wi_pos x). pose proof (wi_pos u).
  destruct (Nat.eqb_spec x u) as [->|Hx]; cbn [andb].
  - rewrite Hu, andb_true_r in *. destruct (shared u || near g'); [|lia].
    rewrite Nat2Z.inj_add, Z.mul_add_distr_r. destruct (Nat.ltb_spec 0 r).
    + replace (Z.of_nat r) with (Z.of_nat (pred r) + 1) by lia. lia.
    + replace r with O by lia. exact IH.
  - cbn [Nat.add]. destruct ((shared x || near g') && occurs x s); nia.
Qed.

Lemma debt_age_le near s g' h : debt near s g' (age h) <= debt near s g' h.
Proof.
  induction h as [|(x, r) h IH]; cbn [age map fst snd debt]; [lia|]. fold (age h).
  pose proof (wi_pos x). destruct ((shared x || near g') && occurs x s); nia.
Qed.

(** Another warp's charge falls by 1/m for an instance that it holds or takes in this cycle, and by 1/d
    for a slot. *)
Lemma charge_busy near g s v a u : near g = true -> able v a -> occurs u s = true ->
  wi u * Z.of_nat (busy g u v a) + charge near s (step v a) <= charge near s v.
Proof.
  intros Hg Ha Hu. unfold charge, weight, busy, step, wants. pose proof (debt_age near s (sched v) u (held v) Hu) as Hd.
  pose proof (wi_pos u). pose proof (debt_pos near s (sched v) (held v)).
  assert (sees g u (sched v) = true -> shared u || near (sched v) = true) as Hs.
  { unfold sees. destruct (shared u); [reflexivity|]. cbn [orb]. intros E. apply Nat.eqb_eq in E. now rewrite E. }
  assert (wi u * Z.of_nat (if sees g u (sched v) then holding u (held v) else 0) + debt near s (sched v) (age (held v))
    <= debt near s (sched v) (held v)) as Hd' by (destruct (sees g u (sched v)); [rewrite Hs in Hd by reflexivity|]; destruct (_ || _); lia).
  destruct a as [l|]; cbn [issues andb].
  - destruct Ha as [Hl Hr]. rewrite Hl. cbn [Nat.eqb andb]. destruct (code v) as [|x c]; [tauto|].
    cbn [code held sched debt map sumZ].
    pose proof (occ_pos x). pose proof (wi_pos (unit x)).
    assert (price near s (sched v) x >=
      (if (shared (unit x) || near (sched v)) && occurs (unit x) s then Z.of_nat (pred (occ x)) * wi (unit x) else 0)
      + (if (unit x =? u)%nat && sees g u (sched v) then wi u else 0));
      [|destruct (unit x =? u)%nat, (sees g u (sched v)); cbn [andb] in *; lia].
    unfold price. cbv zeta. destruct (Nat.eqb_spec (unit x) u) as [->|_]; cbn [andb].
    + rewrite Hu, andb_true_r. destruct (sees g u (sched v)); [rewrite Hs by reflexivity|];
        destruct (near (sched v)), (shared u); cbn [andb orb] in *; try discriminate (Hs eq_refl); nia.
    + destruct (near (sched v)), (shared (unit x)), (occurs (unit x) s); cbn [andb orb]; nia.
  - cbn [code held sched]. destruct (sees g u (sched v)); lia.
Qed.

Lemma charge_slot near g s v a : near g = true -> able v a ->
  wd * Z.of_nat (slot g v a) + charge near s (step v a) <= charge near s v.
Proof.
  intros Hg Ha. unfold charge, weight, slot, step. pose proof (debt_age_le near s (sched v) (held v)) as Hd.
  destruct a as [l|]; cbn [issues]; rewrite ?andb_true_r, ?andb_false_r.
  - destruct Ha as [_ Hr]. destruct (code v) as [|x c]; [tauto|].
    cbn [code held sched debt map sumZ].
    pose proof (occ_pos x). pose proof (wi_pos (unit x)).
    assert (price near s (sched v) x >=
      (if (shared (unit x) || near (sched v)) && occurs (unit x) s then Z.of_nat (pred (occ x)) * wi (unit x) else 0)
      + (if (sched v =? g)%nat then wd else 0)); [|destruct (sched v =? g)%nat; lia].
    unfold price. cbv zeta. destruct (Nat.eqb_spec (sched v) g) as [->|_]; [rewrite Hg|];
      destruct (near (sched v)), (shared (unit x)), (occurs (unit x) s); cbn [andb orb]; nia.
  - cbn [code held sched]. lia.
Qed.

Definition charges near s vs := sumZ (map (charge near s) vs).

Lemma charges_busy near g s u vs m : near g = true -> Forall2 able vs m -> occurs u s = true ->
  wi u * Z.of_nat (total (busy g u) vs m) + charges near s (next vs m) <= charges near s vs.
Proof.
  intros Hg H Hu. unfold charges. induction H as [|v a vs m Ha H IH]; cbn [next map sumZ total]; [lia|].
  pose proof (charge_busy near g s v a u Hg Ha Hu). lia.
Qed.

Lemma charges_slot near g s vs m : near g = true -> Forall2 able vs m ->
  wd * Z.of_nat (total (slot g) vs m) + charges near s (next vs m) <= charges near s vs.
Proof.
  intros Hg H. unfold charges. induction H as [|v a vs m Ha H IH]; cbn [next map sumZ total]; [lia|].
  pose proof (charge_slot near g s v a Hg Ha). lia.
Qed.

Lemma charges_pos near s vs : 0 <= charges near s vs.
Proof.
  unfold charges. induction vs as [|v vs IH]; cbn [map sumZ]; [lia|]. pose proof (charge_pos near s v). lia.
Qed.

(** The warps of scheduler g. The width limits those of g, or there are no more of them than slots. *)
Definition crowd (g : nat) (st : list warp) : nat := length (filter (fun v => (sched v =? g)%nat) st).

Definition slots_worth (g : nat) (st : list warp) : Prop :=
  Z.of_nat width * wd = N \/ wd = 0 /\ (crowd g st <= width)%nat.

Lemma sched_step v a : sched (step v a) = sched v.
Proof. unfold MachineRuns.step. now destruct a, (code v). Qed.

Lemma crowd_next g st m : (crowd g (next st m) <= crowd g st)%nat.
Proof.
  unfold crowd. revert m; induction st as [|v st IH]; intros [|a m]; cbn [MachineRuns.next filter length]; try lia.
  rewrite sched_step. specialize (IH m). destruct (sched v =? g)%nat; cbn [length]; lia.
Qed.

Lemma slot_crowd g st m : (total (slot g) st m <= crowd g st)%nat.
Proof.
  unfold crowd. revert m; induction st as [|v st IH]; intros [|a m]; cbn [total filter length]; try lia.
  specialize (IH m). unfold slot at 1. destruct (sched v =? g)%nat, (issues a); cbn [andb length]; lia.
Qed.

Lemma slots_worth_next g st m : slots_worth g st -> slots_worth g (next st m).
Proof. intros [H|[H1 H2]]; [now left|right]. pose proof (crowd_next g st m). split; [assumption|lia]. Qed.

(** The followed warp's scheduler is the only one that is near. *)
Definition on (g g' : nat) : bool := (g' =? g)%nat.

(** CP from any state: [s] holds the units of all letters left to w. *)
Theorem cp_any_state s x vs ms st' : (forall y, In y (code x) -> occurs (unit y) s = true) ->
  slots_worth (sched x) (x :: vs) -> run (x :: vs) ms st' ->
  N * Z.of_nat (finish 0 ms) <= N * Z.of_nat (own x) + charges (on (sched x)) s vs.
Proof.
  intros Hs Hd Hr.
  apply (descent N (fun y ys f => sched y = sched x /\ (forall u, In u (code y) -> occurs (unit u) s = true)
    /\ slots_worth (sched x) (y :: ys) /\ f = N * Z.of_nat (own y) + charges (on (sched x)) s ys)) with x vs st'; auto.
  - intros y ys f (_ & _ & _ & ->). pose proof (charges_pos (on (sched x)) s ys). nia.
  - intros y ys a m f Hc (Hg & Hy & Hd' & ->) Hm. eexists. split; [split; [|split; [|split; [|reflexivity]]]|].
    + now rewrite sched_step.
    + intros u Hu. apply Hy. revert Hu. unfold step. destruct a, (code y); cbn; auto.
    + exact (slots_worth_next _ (y :: ys) (a :: m) Hd').
    + pose proof Hm as (Ha & _). apply Forall2_cons_iff in Ha. destruct Ha as [Ha1 Ha2].
      pose proof (charges_slot (on (sched x)) (sched x) s ys m (Nat.eqb_refl _) Ha2) as Hslot.
      destruct a as [l|].
      * pose proof (own_issue y l Ha1). nia.
      * destruct (Nat.eq_dec (Nat.max (lat y) (longest (held y))) 0) as [E|E].
        2:{ pose proof (own_idle y Hc ltac:(lia)). nia. }
        pose proof (own_wait y). destruct (code y) as [|u c] eqn:Ec; [congruence|].
        assert (wants (unit u) y = true) as Hw
          by (unfold MachineRuns.wants; rewrite Ec, Nat.eqb_refl; replace (lat y) with O by lia; reflexivity).
        destruct (legal_wait y ys m Hm (unit u) Hw ltac:(apply longest_holding; lia)) as [Hf|Hf]; rewrite Hg in Hf.
        -- pose proof (charges_busy (on (sched x)) (sched x) s (unit u) ys m (Nat.eqb_refl _) Ha2 (Hy u ltac:(now left))) as Hb.
           rewrite Hf in Hb. specialize (wi_unit (unit u)). nia.
        -- rewrite Hf in Hslot. destruct Hd' as [Hd'|[_ Hd']]; [nia|].
           pose proof (slot_crowd (sched x) ys m). unfold crowd in *. cbn [filter] in Hd'.
           rewrite Hg, Nat.eqb_refl in Hd'. cbn [length] in Hd'. lia.
Qed.

Lemma occurs_In u s : In u s -> occurs u s = true.
Proof. intros H. apply existsb_exists. exists u. split; [assumption|apply Nat.eqb_refl]. Qed.

Lemma crowd_front g w st : (w < length st)%nat -> crowd g (front w nobody st) = crowd g st.
Proof.
  unfold front, crowd. revert w; induction st as [|v st IH]; intros w Hw; cbn [length] in *; [lia|].
  destruct w as [|w]; cbn [nth others]; [reflexivity|]. specialize (IH w ltac:(lia)). cbn [filter] in *.
  destruct (sched v =? g)%nat, (sched (nth w st nobody) =? g)%nat; cbn [length] in *; lia.
Qed.

(** CP, from the start: finish(w) <= I_w + Lambda_w + floor(sum of the weights of the others' letters), where U holds the
    units of w: those of its string, or those of any path that w might take. *)
Theorem cp st ms st' w g s U : Forall (fun v => v = fresh (sched v) (code v)) st -> slots_worth g st ->
  run st ms st' -> nth_error st w = Some (fresh g s) -> (forall x, In x s -> In (unit x) U) ->
  Z.of_nat (finish w ms) <=
    Z.of_nat (length s + Lambda s) + sumZ (map (weight (on g) U) (others w st)) / N.
Proof.
  intros Hst Hd Hr Hw HU.
  assert (w < length st)%nat as Hlt by (apply nth_error_Some; congruence).
  destruct (run_front w st ms st' Hlt Hr) as (ms' & Hr' & <-).
  assert (slots_worth g (front w nobody st)) as Hd' by (unfold slots_worth in *; now rewrite crowd_front).
  unfold front in Hr', Hd'. rewrite (nth_error_nth _ _ _ Hw) in Hr', Hd'.
  pose proof (cp_any_state U (fresh g s) _ _ _ (fun x Hx => occurs_In _ U (HU x Hx)) Hd' Hr') as H. cbn [sched fresh] in H.
  assert (charges (on g) U (others w st) = sumZ (map (weight (on g) U) (others w st))) as E.
  { unfold charges. f_equal. apply map_ext_in. intros v Hv.
    rewrite (proj1 (Forall_forall _ _) (others_Forall _ w _ Hst) v Hv).
    unfold charge. cbn [held fresh debt]. lia. }
  assert (Z.of_nat (own (fresh g s)) = Z.of_nat (length s + Lambda s)) as E2.
  { rewrite <- alone_Lambda. unfold own, fresh. cbn [code lat held longest]. now destruct s. }
  rewrite E, E2 in H.
  assert (Z.of_nat (finish 0 ms') - Z.of_nat (length s + Lambda s) <=
    sumZ (map (weight (on g) U) (others w st)) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.
End Table.
End CP.
