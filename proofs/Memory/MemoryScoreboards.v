(** Scoreboards with memory servers (servers.md): a warp may have several results outstanding, and each latency may be frozen by
    itself. E stands for I + Lambda, and the memory term is added once. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP Scoreboards.
From Warpspan.Memory Require Import Servers MemoryRuns.

(** What is frozen of a warp: the wait of its next letter, and each of its results (in the order of [due], those that are set in
    this cycle first; what the list does not tell is not frozen). *)
Record ice := Ice { wait : bool; results : list bool }.

Record scycle := SCycle { sacts : actions; sfrozen : list ice; stook : nat -> nat }.

Definition melted (i : ice) : bool := negb (wait i) && forallb negb (results i).
Definition sstalled (c : scycle) : bool := negb (forallb melted (sfrozen c)).

Fixpoint sstalls (cs : list scycle) : nat :=
  match cs with [] => 0 | c :: cs => sstalls cs + if sstalled c then 1 else 0 end.

Fixpoint age_unless (fs : list bool) (h : list (nat * nat)) : list (nat * nat) :=
  match h, fs with
  | e :: h, true :: fs => e :: age_unless fs h
  | e :: h, false :: fs => (fst e, pred (snd e)) :: age_unless fs h
  | _, _ => age h
  end.

Section MemoryScoreboards.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (stall : nat -> option nat) (sets needs : nat -> list nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).

Notation view := (view needs).
Notation sstep := (sstep unit occ stall sets).
Notation snext := (snext unit occ stall sets).
Notation own := (Scoreboards.own unit occ hi stall sets needs).
Notation legal := (legal unit inst lo hi shared width).
Notation E := (Scoreboards.E unit occ hi stall sets needs).
Notation nobody := (sfresh 0 []).

(** As [sstep] of Scoreboards.v, but what is frozen does not fall. *)
Definition fsstep (x : swarp) (a : action) (i : ice) : swarp :=
  let v := body x in
  match a, code v with
  | Some l, y :: s =>
    let t := match stall y with Some k => k | None => l end in
    SWarp (Warp (sched v) s (if wait i then t else pred t) ((unit y, pred (occ y)) :: age (held v)))
          (age_unless (results i) (map (fun t => (t, l)) (sets y) ++ due x))
  | _, s => SWarp (Warp (sched v) s (if wait i then lat v else pred (lat v)) (age (held v))) (age_unless (results i) (due x))
  end.

Fixpoint fsnext (st : list swarp) (m : actions) (fs : list ice) : list swarp :=
  match st, m, fs with x :: st, a :: m, i :: fs => fsstep x a i :: fsnext st m fs | _, _, _ => [] end.

Definition mslegal (st : list swarp) (pool : nat -> nat) (c : scycle) : Prop :=
  legal (map view st) (sacts c) /\ length (sfrozen c) = length st /\
  serves J rate pool (fun j => asked asks j (map body st) (sacts c)) (stook c) (sstalled c).

Inductive msrun : list swarp -> (nat -> nat) -> list scycle -> list swarp -> (nat -> nat) -> Prop :=
| msrun_nil st pool : msrun st pool [] st pool
| msrun_cons st pool c cs st' pool' : mslegal st pool c ->
    msrun (fsnext st (sacts c) (sfrozen c)) (pool_after pool (fun j => asked asks j (map body st) (sacts c)) (stook c)) cs st' pool' ->
    msrun st pool (c :: cs) st' pool'.

(** * One cycle of the followed warp *)

Lemma age_unless_none fs h : forallb negb fs = true -> age_unless fs h = age h.
Proof.
  revert fs; induction h as [|e h IH]; intros [|f fs] H; cbn [age_unless]; auto. cbn [forallb] in H.
  apply andb_true_iff in H. destruct H as [H1 H2]. destruct f; [discriminate|]. now rewrite IH.
Qed.

Lemma age_app a b : age (a ++ b) = age a ++ age b.
Proof. apply map_app. Qed.

Lemma fsstep_melted x a i : melted i = true -> fsstep x a i = sstep x a.
Proof.
  unfold melted. intros H. apply andb_true_iff in H. destruct H as [H1 H2]. apply negb_true_iff in H1.
  unfold fsstep, Scoreboards.sstep. rewrite H1. destruct a as [l|], (code (body x)) as [|y s]; rewrite age_unless_none by assumption;
    try reflexivity. f_equal. rewrite age_app. f_equal. unfold age. rewrite map_map. reflexivity.
Qed.

Lemma under_age_unless fs h h' : under 0 h h' -> under 0 (age_unless fs h) h'.
Proof.
  intros H. revert fs; induction H as [|e e' h h' [H1 H2] H IH]; intros fs; [destruct fs; constructor|].
  assert (under 0 (age h) h') as H0.
  { clear - H. induction H as [|e e' h h' [H1 H2] H IH]; constructor; auto. cbn [fst snd]. split; [assumption|lia]. }
  destruct fs as [|[|] fs]; cbn [age_unless age map]; constructor; auto; try apply IH; cbn [fst snd]; split; auto; lia.
Qed.

Hypothesis gap_pos : forall x, 1 <= gap hi stall x.
Hypothesis occ_pos : forall x, 1 <= occ x.

Lemma own_frozen x a i : able lo hi (view x) a -> own (fsstep x a i) <= own x.
Proof.
  intros Ha. unfold Scoreboards.own, fsstep. destruct a as [l|].
  - destruct Ha as [_ Hr]. unfold Scoreboards.view in Hr. destruct (code (body x)) as [|y s] eqn:Ec; [rewrite Ec in Hr; tauto|].
    cbn [code] in Hr. cbn [body code lat held due].
    destruct s as [|z s]; [cbn [reach]; lia|]. set (c := idle unit needs (lat (body x)) (due x) (held (body x)) y).
    change (reach unit occ hi stall sets needs (lat (body x)) (due x) (held (body x)) (y :: z :: s)) with
      (reach unit occ hi stall sets needs (c + gap hi stall y) (map (fun k => (k, c + hi y)) (sets y) ++ due x)
        ((unit y, c + occ y) :: held (body x)) (z :: s)).
    rewrite <- (Nat.add_0_r (reach _ _ _ _ _ _ (if wait i then _ else _) _ _ _)). apply reach_under.
    + unfold gap. destruct (wait i), (stall y); lia.
    + apply under_age_unless, under_app; [apply under_map; lia|apply under_refl].
    + constructor; [cbn [fst snd]; split; [reflexivity|lia]|]. eapply under_weaken, under_age. lia.
    + lia.
  - cbn [body code lat held due]. destruct (code (body x)) as [|y s]; [cbn [reach]; lia|]. cbn [body code lat held due].
    rewrite <- (Nat.add_0_r (reach _ _ _ _ _ _ (if wait i then _ else _) _ _ _)). apply reach_under.
    + destruct (wait i); lia.
    + apply under_age_unless, under_refl.
    + eapply under_weaken, under_age. lia.
    + lia.
Qed.

(** * Lists of warps *)

Lemma fsnext_melted st m fs : length fs = length st -> length m = length st -> forallb melted fs = true -> fsnext st m fs = snext st m.
Proof.
  revert m fs; induction st as [|x st IH]; intros [|a m] [|i fs] Hf Hm H; cbn [length] in *; try lia; [reflexivity|].
  cbn [forallb] in H. apply andb_true_iff in H. destruct H as [H1 H2]. cbn [fsnext Scoreboards.snext].
  now rewrite fsstep_melted, IH by (auto; lia).
Qed.

Lemma fsnext_length st m fs : length m = length st -> length fs = length st -> length (fsnext st m fs) = length st.
Proof.
  revert m fs; induction st as [|x st IH]; intros [|a m] [|i fs] Hm Hf; cbn [length fsnext] in *; try lia. rewrite IH; lia.
Qed.

Lemma fsnext_nth w st m fs : length m = length st -> length fs = length st ->
  nth w (fsnext st m fs) nobody = fsstep (nth w st nobody) (nth w m None) (nth w fs (Ice false [])).
Proof.
  revert w m fs; induction st as [|x st IH]; intros w [|a m] [|i fs] Hm Hf; cbn [length] in *; try lia; [now destruct w|].
  destruct w as [|w]; cbn [fsnext nth]; [reflexivity|]. apply IH; lia.
Qed.

Lemma fsnext_others w st m fs : length m = length st -> length fs = length st ->
  others w (fsnext st m fs) = fsnext (others w st) (others w m) (others w fs).
Proof.
  revert w m fs; induction st as [|x st IH]; intros w [|a m] [|i fs] Hm Hf; cbn [length] in *; try lia; [now destruct w|].
  destruct w as [|w]; cbn [fsnext others]; [reflexivity|]. now rewrite IH by lia.
Qed.

Lemma body_fsstep x a i : code (body (fsstep x a i)) = code (step unit occ (body x) a) /\ sched (body (fsstep x a i)) = sched (body x) /\
  held (body (fsstep x a i)) = held (step unit occ (body x) a).
Proof. unfold fsstep, step. now destruct a, (code (body x)). Qed.

Lemma to_ask_fsnext j st m fs : Forall2 (able lo hi) (map view st) m -> length fs = length st ->
  to_ask asks j (map body st) = asked asks j (map body st) m + to_ask asks j (map body (fsnext st m fs)).
Proof.
  unfold to_ask, asked. revert m fs; induction st as [|x st IH]; intros m fs H Hl; cbn [map] in H; inversion H as [|? a ? m' Ha Hm];
    subst; [reflexivity|]. destruct fs as [|i fs]; cbn [length] in Hl; [lia|]. specialize (IH m' fs Hm ltac:(lia)).
  cbn [total fsnext]. set (q := fun v => list_sum (map (asks j) (code v))) in *.
  change (q (body x) + list_sum (map q (map body st)) = asked_by asks j (body x) a + total (asked_by asks j) (map body st) m' +
    (q (body (fsstep x a i)) + list_sum (map q (map body (fsnext st m' fs))))).
  assert (list_sum (map (asks j) (code (body x))) = asked_by asks j (body x) a + list_sum (map (asks j) (code (body (fsstep x a i))))) as E0.
  { unfold asked_by, fsstep. destruct a as [l|], (code (body x)) as [|y s] eqn:Ec; cbn [body code map list_sum fold_right]; reflexivity. }
  fold (q (body x)) in E0. fold (q (body (fsstep x a i))) in E0. lia.
Qed.

Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.

Theorem sstalled_cycles st pool cs st' pool' : msrun st pool cs st' pool' ->
  sstalls cs <= memory_term J rate (fun j => pool j + to_ask asks j (map body st)).
Proof.
  intros H. apply paid_bound; [assumption|].
  induction H as [st pool|st pool c cs st' pool' Hm H IH]; [apply paid_none|]. cbn [sstalls].
  destruct Hm as ((Ha & _) & Hl & Hs).
  apply (paid_step J rate _ _ _ _ (fun j => to_ask asks j (map body st)) _ _ Hs) in IH; [exact IH|].
  intros j _. rewrite (to_ask_fsnext j st (sacts c) (sfrozen c) Ha Hl). lia.
Qed.

Lemma ended w st pool cs st' pool' : msrun st pool cs st' pool' -> w < length st -> code (body (nth w st nobody)) = [] ->
  finish w (map sacts cs) = 0.
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros Hw Hc; [reflexivity|].
  destruct Hm as (Hl & Hf & _). pose proof (legal_length _ _ _ _ _ _ _ _ Hl) as Hlen. rewrite map_length in Hlen.
  pose proof (able_at unit inst lo hi shared width needs w st (sacts c) Hl Hw) as Hw'.
  unfold finish in *. cbn [map last_cycle]. rewrite IH.
  - cbn [Nat.ltb Nat.leb]. destruct (nth w (sacts c) None) as [l|]; [|reflexivity]. destruct Hw' as [_ Hw'].
    unfold Scoreboards.view in Hw'. rewrite Hc in Hw'. now rewrite Hc in Hw'.
  - rewrite fsnext_length; lia.
  - rewrite fsnext_nth by lia. rewrite (proj1 (body_fsstep _ _ _)). unfold step. rewrite Hc. now destruct (nth w (sacts c) None).
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.

Notation charge := (charge unit occ shared wi wd).
Notation charges := (charges unit occ shared wi wd).
Notation charges_pos := (charges_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos).
Notation slots_worth := (slots_worth width N wd).

Lemma fsnext_charges near s st m fs : length m = length st -> length fs = length st ->
  charges near s (map view (fsnext st m fs)) = charges near s (next unit occ (map view st) m).
Proof.
  unfold CP.charges. intros Hm Hf. f_equal. revert m fs Hm Hf; induction st as [|x st IH]; intros [|a m] [|i fs] Hm Hf;
    cbn [length] in *; try lia; [reflexivity|]. cbn [fsnext map next]. rewrite IH by lia. f_equal.
  rewrite <- (sstep_charge unit occ shared stall sets needs wi wd near s x a), !view_charge. unfold CP.charge, CP.weight, fsstep, Scoreboards.sstep.
  now destruct a, (code (body x)).
Qed.

Lemma crowd_fsnext g st m fs : crowd g (map view (fsnext st m fs)) <= crowd g (map view st).
Proof.
  unfold crowd. revert m fs; induction st as [|x st IH]; intros [|a m] [|i fs]; cbn [fsnext map filter length]; try lia.
  rewrite !view_sched. rewrite (proj1 (proj2 (body_fsstep x a i))). specialize (IH m fs). destruct (sched (body x) =? g)%nat; cbn [length]; lia.
Qed.

Local Open Scope Z_scope.

(** A cycle that is not stalled pays for itself, as in Scoreboards.v. *)
Lemma scoreboard_cycle s x vs a m : let g := sched (body x) in
  (forall y, In y (code (body x)) -> occurs (unit y) s = true) -> slots_worth g (view x :: vs) ->
  code (body x) <> [] -> legal (view x :: vs) (a :: m) ->
  N + (N * Z.of_nat (own (sstep x a)) + charges (on g) s (next unit occ vs m)) <= N * Z.of_nat (own x) + charges (on g) s vs.
Proof.
  intros g Hs Hd Hc Hm. pose proof Hm as (Hab & _). apply Forall2_cons_iff in Hab. destruct Hab as [Ha1 Ha2].
  pose proof (charges_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (on g) g s vs m (Nat.eqb_refl g) Ha2) as Hslot.
  destruct a as [l|].
  - pose proof (own_issue unit inst occ lo hi shared width stall sets needs gap_pos x l Ha1). nia.
  - destruct (own_wait unit occ hi stall sets needs x) as [Ho1 Ho2]. destruct (code (body x)) as [|y c] eqn:Ec0; [congruence|].
    specialize (Ho2 y c eq_refl). destruct (Nat.eq_dec (idle unit needs (lat (body x)) (due x) (held (body x)) y) 0) as [E0|E0];
      [|specialize (Ho2 ltac:(lia)); nia].
    unfold idle in E0.
    assert (wants unit (unit y) (view x) = true) as Hwant.
    { unfold wants, Scoreboards.view. rewrite Ec0. cbn [lat code]. rewrite Nat.eqb_refl, andb_true_r. apply Nat.eqb_eq. lia. }
    assert (holding (unit y) (held (view x)) = O) as Hh.
    { assert (held (view x) = held (body x)) as -> by (unfold Scoreboards.view; now rewrite Ec0).
      assert (until [unit y] (held (body x)) = O) as E1 by lia. clear - E1.
      induction (held (body x)) as [|[u r] h IH]; [reflexivity|]. cbn [until holding occurs existsb] in *.
      rewrite orb_false_r in E1. destruct (u =? unit y)%nat; cbn [andb]; [|now apply IH].
      rewrite IH by lia. destruct (Nat.ltb_spec 0 r); lia. }
    destruct (legal_wait unit inst lo hi shared width (view x) vs m Hm (unit y) Hwant Hh) as [Hb|Hb];
      rewrite view_sched in Hb; fold g in Hb.
    + pose proof (charges_busy unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (on g) g s (unit y) vs m
        (Nat.eqb_refl g) Ha2 (Hs y ltac:(now left))) as Hb'. rewrite Hb in Hb'. pose proof (wi_unit (unit y)). nia.
    + rewrite Hb in Hslot. destruct Hd as [Hd|[_ Hd]]; [nia|].
      pose proof (slot_crowd g vs m) as Hcr. unfold crowd in *. cbn [filter] in Hd. rewrite view_sched in Hd. fold g in Hd.
      rewrite Nat.eqb_refl in Hd. cbn [length] in Hd. lia.
Qed.

Theorem memory_scoreboards_any_state U w st pool cs st' pool' : msrun st pool cs st' pool' -> (w < length st)%nat ->
  let x := nth w st nobody in
  (forall y, In y (code (body x)) -> occurs (unit y) U = true) -> slots_worth (sched (body x)) (map view st) ->
  N * Z.of_nat (finish w (map sacts cs) - sstalls cs) <=
    N * Z.of_nat (own x) + charges (on (sched (body x))) U (map view (others w st)).
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros Hw x Hx Hd.
  { pose proof (charges_pos (on (sched (body x))) U (map view (others w st))). cbn. lia. }
  pose proof Hm as (Hleg & Hfl & _). pose proof (legal_length _ _ _ _ _ _ _ _ Hleg) as Hml. rewrite map_length in Hml.
  set (m := sacts c) in *. set (fs := sfrozen c) in *. set (a := nth w m None). set (i := nth w fs (Ice false [])).
  specialize (IH ltac:(now rewrite fsnext_length)). cbv zeta in IH. rewrite fsnext_nth in IH by assumption. fold x a i in IH.
  destruct (body_fsstep x a i) as (Bc & Bs & _). rewrite Bc, Bs in IH. set (g := sched (body x)) in *.
  assert (N * Z.of_nat (finish w (map sacts cs) - sstalls cs) <=
    N * Z.of_nat (own (fsstep x a i)) + charges (on g) U (map view (others w (fsnext st m fs)))) as IH'.
  { apply IH.
    - intros y Hy. apply Hx. revert Hy. unfold step. destruct a, (code (body x)); cbn [code In]; auto.
    - destruct Hd as [Hd|[H1 H2]]; [now left|right]. split; [assumption|]. pose proof (crowd_fsnext g st m fs). lia. }
  clear IH. rename IH' into IH.
  assert (nth w (map view st) MachineRuns.nobody = view x) as Ev.
  { unfold x. change MachineRuns.nobody with (view nobody). apply map_nth. }
  pose proof (legal_front unit inst lo hi shared width w (map view st) m ltac:(now rewrite map_length) Hleg) as Hfr.
  unfold front in Hfr. rewrite Ev in Hfr. fold a in Hfr. rewrite <- map_others in Hfr.
  set (xs := others w st) in *. set (ms := others w m) in *.
  assert (length ms = length xs /\ length (others w fs) = length xs) as [Hl1 Hl2]
    by (unfold ms, xs; rewrite !others_length; lia).
  rewrite fsnext_others in IH by assumption. fold xs ms in IH. rewrite fsnext_charges in IH by assumption.
  pose proof Hfr as (Hab & _). apply Forall2_cons_iff in Hab. destruct Hab as [Ha1 Ha2].
  pose proof (charges_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (on g) g U (map view xs) ms
    (Nat.eqb_refl g) Ha2) as Hslot.
  pose proof (own_frozen x a i Ha1) as Hown.
  assert (slots_worth g (view x :: map view xs)) as Hd'.
  { destruct Hd as [Hd|[H1 H2]]; [now left|right]. split; [assumption|].
    pose proof (crowd_front g w (map view st) ltac:(now rewrite map_length)) as Hcf. unfold front in Hcf. rewrite Ev, <- map_others in Hcf.
    fold xs in Hcf. lia. }
  pose proof (charges_pos (on g) U (map view xs)). pose proof (charges_pos (on g) U (next unit occ (map view xs) ms)).
  unfold finish in *. cbn [map last_cycle sstalls]. fold m.
  set (F := last_cycle (fun m => issues (nth w m None)) (map sacts cs)) in *. fold a.
  destruct (sstalled c) eqn:Est.
  - assert (((if (0 <? F)%nat then S F else if issues a then 1 else 0) - (sstalls cs + 1) <= F - sstalls cs)%nat) as Hle
      by (destruct (Nat.ltb_spec 0 F); [lia|destruct (issues a); lia]).
    nia.
  - unfold sstalled in Est. apply negb_false_iff in Est. fold fs in Est.
    assert (melted i = true) as Ei.
    { unfold i. clear - Est. revert w. induction fs as [|b l IH]; intros [|w]; cbn [nth]; auto; cbn [forallb] in Est;
        apply andb_true_iff in Est; [tauto|]. now apply IH. }
    rewrite fsstep_melted in IH by assumption.
    destruct (code (body x)) as [|y s0] eqn:Ec.
    + assert (F = O) as EF.
      { refine (ended w _ _ cs st' pool' H ltac:(now rewrite fsnext_length) _).
        rewrite fsnext_nth by assumption. fold x. rewrite (proj1 (body_fsstep _ _ _)). unfold step. rewrite Ec. now destruct (nth w _ None). }
      assert (issues a = false) as Ei'.
      { destruct a as [l|]; [|reflexivity]. destruct Ha1 as [_ Ha1]. unfold Scoreboards.view in Ha1. rewrite Ec in Ha1. now rewrite Ec in Ha1. }
      rewrite EF, Ei'. cbn [Nat.ltb Nat.leb Nat.sub]. lia.
    + rewrite <- Ec in Hx. pose proof (scoreboard_cycle U x (map view xs) a ms Hx Hd' ltac:(congruence) Hfr) as Hstep. cbv zeta in Hstep. fold g in Hstep.
      assert (((if (0 <? F)%nat then S F else if issues a then 1 else 0) - (sstalls cs + 0) <= 1 + (F - sstalls cs))%nat) as Hle
        by (destruct (Nat.ltb_spec 0 F); [lia|destruct (issues a); lia]).
      nia.
Qed.

(** Theorem M with scoreboards: finish(w) <= E_w + floor(sum of the weights of the others' letters)
    + sum over the servers of floor(Q_j / beta_j). *)
Theorem memory_scoreboards st pool cs st' pool' w g s U : Forall (fun x => x = sfresh (sched (body x)) (code (body x))) st ->
  slots_worth g (map body st) -> msrun st pool cs st' pool' -> nth_error st w = Some (sfresh g s) ->
  (forall y, In y s -> In (unit y) U) ->
  Z.of_nat (finish w (map sacts cs)) <=
    Z.of_nat (E s) + sumZ (map (weight unit occ shared wi wd (on g) U) (map body (others w st))) / N
    + Z.of_nat (memory_term J rate (fun j => pool j + to_ask asks j (map body st))%nat).
Proof.
  intros Hst Hd Hr Hw HU.
  assert (w < length st)%nat as Hlt by (apply nth_error_Some; congruence).
  pose proof (sstalled_cycles _ _ _ _ _ Hr) as Hk.
  assert (map view st = map body st) as Ev.
  { apply map_ext_in. intros x Hx. rewrite (proj1 (Forall_forall _ _) Hst x Hx). unfold Scoreboards.view. cbn [body sfresh code fresh due until].
    now destruct (code (body x)). }
  pose proof (memory_scoreboards_any_state U w _ _ _ _ _ Hr Hlt) as H. cbv zeta in H.
  rewrite (nth_error_nth _ _ _ Hw), map_others, Ev in H. cbn [sfresh body fresh code sched] in H.
  specialize (H (fun y Hy => occurs_In _ U (HU y Hy)) Hd).
  assert (own (sfresh g s) = E s) as Eo by reflexivity. rewrite Eo in H.
  assert (charges (on g) U (others w (map body st)) = sumZ (map (weight unit occ shared wi wd (on g) U) (map body (others w st)))) as Ec.
  { rewrite map_others. unfold CP.charges. f_equal. apply map_ext_in. intros v Hv.
    rewrite <- map_others in Hv. apply in_map_iff in Hv. destruct Hv as (x & <- & Hx).
    rewrite (proj1 (Forall_forall _ _) (others_Forall _ w _ Hst) x Hx). unfold CP.charge. cbn [sfresh body fresh held debt]. lia. }
  rewrite Ec in H.
  assert (Z.of_nat (finish w (map sacts cs) - sstalls cs) - Z.of_nat (E s) <=
    sumZ (map (weight unit occ shared wi wd (on g) U) (map body (others w st))) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.
End MemoryScoreboards.
