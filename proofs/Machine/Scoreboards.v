(** Scoreboards (docs/own.md): a letter waits for the results of those earlier letters that it names, whatever stands between.
    The time that a warp takes by itself is then E, the longest chain of delays, and CP holds with E for I + Lambda. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.

(** A warp whose results are still to come: token t is set for r cycles more for each (t, r) in [due]. The warp's [lat] tells
    for how long its next letter must wait whatever it needs. *)
Record swarp := SWarp { body : warp; due : list (nat * nat) }.

(** For how many cycles more one of [ts] is set, or an instance of one of these units held. *)
Fixpoint until (ts : list nat) (h : list (nat * nat)) : nat :=
  match h with (t, r) :: h => if occurs t ts then Nat.max r (until ts h) else until ts h | [] => 0 end.

Section Scoreboards.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

(** Letter x: its [stall], after which the next letter may be issued, or none if the next one waits for its latency; the tokens
    that it sets until its latency is over; and those that must not be set when it is issued. *)
Variables (stall : nat -> option nat) (sets needs : nat -> list nat).

(** The warp as MachineRuns.v knows it: its next letter is ready when no token that it needs is set. *)
Definition view (x : swarp) : warp :=
  let v := body x in
  match code v with
  | [] => v
  | y :: _ => Warp (sched v) (code v) (Nat.max (lat v) (until (needs y) (due x))) (held v)
  end.

Definition sstep (x : swarp) (a : action) : swarp :=
  let v := body x in
  match a, code v with
  | Some l, y :: s =>
    SWarp (Warp (sched v) s (pred (match stall y with Some k => k | None => l end)) ((unit y, pred (occ y)) :: age (held v)))
          (map (fun t => (t, pred l)) (sets y) ++ age (due x))
  | _, s => SWarp (Warp (sched v) s (pred (lat v)) (age (held v))) (age (due x))
  end.

Fixpoint snext (st : list swarp) (m : actions) : list swarp :=
  match st, m with x :: st, a :: m => sstep x a :: snext st m | _, _ => [] end.

Inductive srun : list swarp -> list actions -> list swarp -> Prop :=
| srun_nil st : srun st [] st
| srun_cons st m ms st' : legal unit inst lo hi shared width (map view st) m -> srun (snext st m) ms st' ->
    srun st (m :: ms) st'.

Definition sfresh (g : nat) (s : list nat) : swarp := SWarp (fresh g s) [].

(** * E

    [reach t due held s] is the last cycle in which a warp alone issues, if it may issue after t cycles, tokens and instances
    are free after those in [due] and [held], all latencies are the longest, and no two of its own letters hold instances of
    one unit at once. *)
Definition gap (x : nat) : nat := match stall x with Some k => k | None => hi x end.

Definition idle (t : nat) (due held : list (nat * nat)) (y : nat) : nat :=
  Nat.max t (Nat.max (until (needs y) due) (until [unit y] held)).

Fixpoint reach (t : nat) (due held : list (nat * nat)) (s : list nat) : nat :=
  match s with
  | [] => 0
  | y :: s =>
    let c := idle t due held y in
    match s with
    | [] => S c
    | _ => reach (c + gap y) (map (fun k => (k, c + hi y)) (sets y) ++ due) ((unit y, c + occ y) :: held) s
    end
  end.

Definition E (s : list nat) : nat := reach 0 [] [] s.

(** ** Earlier is no worse *)

Definition under (k : nat) : list (nat * nat) -> list (nat * nat) -> Prop :=
  Forall2 (fun e e' => fst e = fst e' /\ snd e <= snd e' - k).

Lemma until_under k ts h h' : under k h h' -> until ts h <= until ts h' - k.
Proof.
  intros H; induction H as [|[x r] [x' r'] h h' [H1 H2] H IH]; cbn [until fst snd] in *; [lia|]. subst x'.
  destruct (occurs x ts); lia.
Qed.

Lemma under_age h : under 1 (age h) h.
Proof. induction h as [|[x r] h IH]; constructor; auto. cbn [fst snd]. split; [reflexivity|lia]. Qed.

Lemma under_refl h : under 0 h h.
Proof. induction h; constructor; auto. split; [reflexivity|lia]. Qed.

Lemma under_weaken k k' h h' : k' <= k -> under k h h' -> under k' h h'.
Proof. intros Hk H; induction H as [|e e' h h' [H1 H2] H IH]; constructor; auto. split; [assumption|lia]. Qed.

Lemma under_app k a a' b b' : under k a a' -> under k b b' -> under k (a ++ b) (a' ++ b').
Proof. apply Forall2_app. Qed.

Lemma under_map k (f f' : nat) (l : list nat) : f <= f' - k -> under k (map (fun t => (t, f)) l) (map (fun t => (t, f')) l).
Proof. intros H. induction l; constructor; auto. Qed.

Hypothesis gap_pos : forall x, 1 <= gap x.

Lemma reach_under k y s : forall t t' due due' held held', t <= t' - k -> under k due due' -> under k held held' ->
  k <= idle t' due' held' y -> reach t due held (y :: s) + k <= reach t' due' held' (y :: s).
Proof.
  revert y; induction s as [|x s IH]; intros y t t' due' due'' held' held'' Ht Hd Hh Hk.
  - cbn [reach]. unfold idle in *. pose proof (until_under k (needs y) _ _ Hd). pose proof (until_under k [unit y] _ _ Hh). lia.
  - assert (idle t due' held' y + k <= idle t' due'' held'' y) as Hi.
    { unfold idle in *. pose proof (until_under k (needs y) _ _ Hd). pose proof (until_under k [unit y] _ _ Hh). lia. }
    change (reach t due' held' (y :: x :: s)) with (reach (idle t due' held' y + gap y)
      (map (fun k => (k, idle t due' held' y + hi y)) (sets y) ++ due') ((unit y, idle t due' held' y + occ y) :: held') (x :: s)).
    change (reach t' due'' held'' (y :: x :: s)) with (reach (idle t' due'' held'' y + gap y)
      (map (fun k => (k, idle t' due'' held'' y + hi y)) (sets y) ++ due'') ((unit y, idle t' due'' held'' y + occ y) :: held'') (x :: s)).
    apply IH.
    + lia.
    + apply under_app; [|assumption]. apply under_map. lia.
    + constructor; [|assumption]. cbn [fst snd]. split; [reflexivity|lia].
    + unfold idle at 1. lia.
Qed.

(** No chain is longer than all its letters, each with the longest of stall, latency and occupancy. *)
Definition slowest (x : nat) : nat := Nat.max (gap x) (Nat.max (hi x) (occ x)).

Lemma until_le B ts h : Forall (fun e => snd e <= B) h -> until ts h <= B.
Proof. intros H; induction H as [|[x r] h Hr H IH]; cbn [until snd] in *; [lia|]. destruct (occurs x ts); lia. Qed.

Lemma reach_le s : forall B t due held, t <= B -> Forall (fun e => snd e <= B) due -> Forall (fun e => snd e <= B) held ->
  reach t due held s <= B + match s with [] => 0 | _ => 1 + list_sum (map slowest (removelast s)) end.
Proof.
  induction s as [|y s IH]; intros B t due' held' Ht Hd Hh; [cbn; lia|].
  assert (idle t due' held' y <= B) as Hi.
  { unfold idle. pose proof (until_le B (needs y) _ Hd). pose proof (until_le B [unit y] _ Hh). lia. }
  destruct s as [|x s]; [cbn [reach removelast map list_sum fold_right]; lia|].
  change (reach t due' held' (y :: x :: s)) with (reach (idle t due' held' y + gap y)
    (map (fun k => (k, idle t due' held' y + hi y)) (sets y) ++ due') ((unit y, idle t due' held' y + occ y) :: held') (x :: s)).
  assert (forall h, Forall (fun e : nat * nat => snd e <= B) h -> Forall (fun e => snd e <= B + slowest y) h) as Hw.
  { intros h. apply Forall_impl. intros e. lia. }
  specialize (IH (B + slowest y) (idle t due' held' y + gap y)
    (map (fun k => (k, idle t due' held' y + hi y)) (sets y) ++ due') ((unit y, idle t due' held' y + occ y) :: held')).
  change (removelast (y :: x :: s)) with (y :: removelast (x :: s)). cbn [map list_sum fold_right].
  fold (list_sum (map slowest (removelast (x :: s)))).
  enough (reach (idle t due' held' y + gap y) (map (fun k => (k, idle t due' held' y + hi y)) (sets y) ++ due')
    ((unit y, idle t due' held' y + occ y) :: held') (x :: s) <=
    B + slowest y + (1 + list_sum (map slowest (removelast (x :: s))))) by lia.
  apply IH.
  - unfold slowest. lia.
  - apply Forall_app. split; [|now apply Hw]. apply Forall_map, Forall_forall. intros k _. cbn [snd]. unfold slowest. lia.
  - constructor; [cbn [snd]; unfold slowest; lia|now apply Hw].
Qed.

Lemma E_le s : E s <= match s with [] => 0 | _ => 1 + list_sum (map slowest (removelast s)) end.
Proof. apply (reach_le s 0 0 [] []); [lia|constructor|constructor]. Qed.

(** ** One cycle of the followed warp *)

Definition own (x : swarp) : nat := reach (lat (body x)) (due x) (held (body x)) (code (body x)).

Lemma own_issue x l : able lo hi (view x) (Some l) -> 1 + own (sstep x (Some l)) <= own x.
Proof.
  intros [Hl Hr]. unfold own, sstep, view in *. destruct (code (body x)) as [|y s] eqn:Ec; [rewrite Ec in Hr; tauto|].
  cbn [code lat held body due] in *. set (c := idle (lat (body x)) (due x) (held (body x)) y).
  destruct s as [|z s]; [cbn [reach]; lia|].
  change (reach (lat (body x)) (due x) (held (body x)) (y :: z :: s)) with
    (reach (c + gap y) (map (fun k => (k, c + hi y)) (sets y) ++ due x) ((unit y, c + occ y) :: held (body x)) (z :: s)).
  rewrite Nat.add_comm. pose proof (gap_pos y) as Hg. apply reach_under.
  - unfold gap. destruct (stall y); lia.
  - apply under_app; [apply under_map; lia|apply under_age].
  - constructor; [cbn [fst snd]; split; [reflexivity|lia]|apply under_age].
  - unfold idle at 1. lia.
Qed.

Lemma own_wait x : own (sstep x None) <= own x /\
  (forall y s, code (body x) = y :: s -> 0 < idle (lat (body x)) (due x) (held (body x)) y -> 1 + own (sstep x None) <= own x).
Proof.
  unfold own, sstep. cbn [body code lat held due]. split.
  - destruct (code (body x)) as [|y s]; [reflexivity|].
    rewrite <- (Nat.add_0_r (reach (pred _) _ _ _)).
    apply reach_under; [lia|eapply under_weaken, under_age; lia|eapply under_weaken, under_age; lia|lia].
  - intros y s -> H. rewrite Nat.add_comm. apply reach_under; [lia|apply under_age|apply under_age|assumption].
Qed.

(** * CP with E *)
Local Open Scope Z_scope.
Hypothesis occ_pos : forall x, (1 <= occ x)%nat.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : 0 < N.
Hypothesis wi_unit : forall u, Z.of_nat (inst u) * wi u = N.
Hypothesis wd_pos : 0 <= wd.

Notation charge := (charge unit occ shared wi wd).
Notation charges := (charges unit occ shared wi wd).
Notation charges_pos := (charges_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos).
Notation slots_worth := (slots_worth width N wd).

Lemma view_charge near s x : charge near s (view x) = charge near s (body x).
Proof. unfold view. destruct (code (body x)) eqn:Ec; [reflexivity|]. unfold CP.charge, CP.weight. cbn [code held sched]. now rewrite Ec. Qed.

Lemma sstep_charge near s x a : charge near s (view (sstep x a)) = charge near s (step unit occ (view x) a).
Proof.
  rewrite view_charge. unfold sstep, view, step. destruct a as [l|], (code (body x)) as [|y c] eqn:Ec;
    cbn [body]; rewrite ?Ec; cbn [code sched held lat]; unfold CP.charge, CP.weight; cbn [code sched held]; reflexivity.
Qed.

Lemma snext_charges near s st m : map (charge near s) (map view (snext st m)) = map (charge near s) (next unit occ (map view st) m).
Proof.
  revert m; induction st as [|x st IH]; intros [|a m]; try reflexivity. cbn [snext map next]. now rewrite sstep_charge, IH.
Qed.

Lemma view_sched x : sched (view x) = sched (body x).
Proof. unfold view. now destruct (code (body x)). Qed.

Lemma snext_crowd g st m : (crowd g (map view (snext st m)) <= crowd g (map view st))%nat.
Proof.
  unfold crowd. revert m; induction st as [|x st IH]; intros [|a m]; cbn [snext map filter length]; try lia.
  assert (sched (view (sstep x a)) = sched (view x)) as ->.
  { rewrite !view_sched. unfold sstep. now destruct a, (code (body x)). }
  specialize (IH m). destruct (sched (view x) =? g)%nat; cbn [length]; lia.
Qed.

Lemma map_others {A B} (f : A -> B) i l : map f (others i l) = others i (map f l).
Proof. revert i; induction l as [|a l IH]; intros [|i]; cbn [others map]; auto. now rewrite IH. Qed.

Lemma snext_nth i st m : length m = length st -> nth i (snext st m) (sfresh 0 []) = sstep (nth i st (sfresh 0 [])) (nth i m None).
Proof.
  revert i m; induction st as [|x st IH]; intros i [|a m] H; cbn [length] in *; try lia; [now destruct i|].
  destruct i as [|i]; cbn [snext nth]; [reflexivity|]. apply IH. lia.
Qed.

Lemma snext_length st m : length m = length st -> length (snext st m) = length st.
Proof. revert m; induction st; destruct m; cbn; intros; try lia. rewrite IHst; lia. Qed.

Lemma able_at w st m : legal unit inst lo hi shared width (map view st) m -> (w < length st)%nat ->
  able lo hi (view (nth w st (sfresh 0 []))) (nth w m None).
Proof.
  intros [H _] Hw. apply (able_front lo hi w) in H; [|now rewrite map_length]. unfold front in H.
  apply Forall2_cons_iff in H. destruct H as [H _]. change nobody with (view (sfresh 0 [])) in H. now rewrite map_nth in H.
Qed.

Lemma ended w st ms st' : srun st ms st' -> (w < length st)%nat -> code (body (nth w st (sfresh 0 []))) = [] -> finish w ms = O.
Proof.
  intros H; induction H as [st|st m ms st' Hm H IH]; intros Hw Hc; [reflexivity|].
  pose proof (legal_length _ _ _ _ _ _ _ _ Hm) as Hl. rewrite map_length in Hl.
  pose proof (able_at w st m Hm Hw) as Ha. unfold finish in *. cbn [last_cycle]. rewrite IH.
  - cbn [Nat.ltb Nat.leb]. destruct (nth w m None) as [l|]; [|reflexivity]. destruct Ha as [_ Ha]. unfold view in Ha.
    rewrite Hc in Ha. cbn in Ha. now rewrite Hc in Ha.
  - now rewrite snext_length.
  - rewrite snext_nth by assumption. unfold sstep. rewrite Hc. now destruct (nth w m None).
Qed.

(** CP from any state: U holds the units of all letters left to warp w. *)
Theorem scoreboards_any_state U w st ms st' : srun st ms st' -> (w < length st)%nat ->
  let x := nth w st (sfresh 0 []) in
  (forall y, In y (code (body x)) -> occurs (unit y) U = true) -> slots_worth (sched (body x)) (map view st) ->
  N * Z.of_nat (finish w ms) <= N * Z.of_nat (own x) + charges (on (sched (body x))) U (map view (others w st)).
Proof.
  intros H; induction H as [st|st m ms st' Hm H IH]; intros Hw x Hx Hd.
  { pose proof (charges_pos (on (sched (body x))) U (map view (others w st))). cbn. lia. }
  pose proof (legal_length _ _ _ _ _ _ _ _ Hm) as Hl. rewrite map_length in Hl.
  assert (length m = length st) as Hl' by lia. set (a := nth w m None).
  specialize (IH ltac:(now rewrite snext_length)). cbv zeta in IH. rewrite snext_nth in IH by assumption. fold x a in IH.
  assert (sched (body (sstep x a)) = sched (body x)) as Es by (unfold sstep; now destruct a, (code (body x))).
  rewrite Es in IH. set (g := sched (body x)) in *.
  assert (N * Z.of_nat (finish w ms) <= N * Z.of_nat (own (sstep x a)) + charges (on g) U (map view (others w (snext st m)))) as IH'.
  { apply IH.
    - intros y Hy. apply Hx. revert Hy. unfold sstep. destruct a, (code (body x)); cbn [body code In]; auto.
    - destruct Hd as [Hd|[H1 H2]]; [now left|right]. split; [assumption|]. pose proof (snext_crowd g st m). lia. }
  clear IH.
  assert (nth w (map view st) nobody = view x) as Ev.
  { unfold x. change nobody with (view (sfresh 0 [])). apply map_nth. }
  pose proof (legal_front unit inst lo hi shared width w (map view st) m ltac:(now rewrite map_length) Hm) as Hf.
  unfold front in Hf. rewrite Ev in Hf. fold a in Hf.
  set (vs := others w (map view st)) in *. set (ms' := others w m) in *.
  assert (charges (on g) U (map view (others w (snext st m))) = charges (on g) U (next unit occ vs ms')) as Ec.
  { pose proof (next_front unit occ w (map view st) m ltac:(now rewrite map_length) ltac:(now rewrite map_length)) as Hn.
    unfold front in Hn. cbn [next] in Hn. injection Hn as _ Hn. fold vs ms' in Hn.
    unfold CP.charges. f_equal. rewrite Hn, !map_others. f_equal. apply snext_charges. }
  rewrite Ec in IH'.
  assert (charges (on g) U vs = charges (on g) U (map view (others w st))) as Ec'.
  { unfold vs. now rewrite map_others. }
  rewrite <- Ec'.
  pose proof Hf as (Hab & _). apply Forall2_cons_iff in Hab. destruct Hab as [Ha1 Ha2].
  pose proof (charges_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (on g) g U vs ms' (Nat.eqb_refl g) Ha2) as Hslot.
  assert (code (body x) <> [] -> N + (N * Z.of_nat (own (sstep x a)) + charges (on g) U (next unit occ vs ms')) <=
    N * Z.of_nat (own x) + charges (on g) U vs) as Hstep.
  { intros Hc. destruct a as [l|] eqn:Ea.
    - pose proof (own_issue x l Ha1). nia.
    - destruct (own_wait x) as [Ho1 Ho2]. destruct (code (body x)) as [|y c] eqn:Ec0; [congruence|].
      specialize (Ho2 y c eq_refl). destruct (Nat.eq_dec (idle (lat (body x)) (due x) (held (body x)) y) 0) as [E0|E0];
        [|specialize (Ho2 ltac:(lia)); nia].
      unfold idle in E0.
      assert (wants unit (unit y) (view x) = true) as Hwant.
      { unfold wants, view. rewrite Ec0. cbn [lat code]. rewrite Nat.eqb_refl, andb_true_r. apply Nat.eqb_eq. lia. }
      assert (holding (unit y) (held (view x)) = O) as Hh.
      { assert (held (view x) = held (body x)) as -> by (unfold view; now rewrite Ec0).
        assert (until [unit y] (held (body x)) = O) as E1 by lia. clear - E1.
        induction (held (body x)) as [|[u r] h IH]; [reflexivity|]. cbn [until holding occurs existsb] in *.
        rewrite orb_false_r in E1. destruct (u =? unit y)%nat; cbn [andb]; [|now apply IH].
        rewrite IH by lia. destruct (Nat.ltb_spec 0 r); lia. }
      destruct (legal_wait unit inst lo hi shared width (view x) vs ms' Hf (unit y) Hwant Hh) as [Hb|Hb];
        rewrite view_sched in Hb; fold g in Hb.
      + pose proof (charges_busy unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos (on g) g U (unit y) vs ms'
          (Nat.eqb_refl g) Ha2 (Hx y ltac:(now left))) as Hb'. rewrite Hb in Hb'. pose proof (wi_unit (unit y)). nia.
      + rewrite Hb in Hslot. destruct Hd as [Hd|[_ Hd]]; [nia|].
        pose proof (slot_crowd g vs ms') as Hcr.
        pose proof (crowd_front g w (map view st) ltac:(now rewrite map_length)) as Hcf. unfold front in Hcf. fold vs in Hcf.
        rewrite Ev in Hcf. unfold crowd in Hcf at 1. cbn [filter] in Hcf. rewrite view_sched in Hcf. fold g in Hcf.
        rewrite Nat.eqb_refl in Hcf. cbn [length] in Hcf. unfold crowd in *. lia. }
  pose proof (charges_pos (on g) U vs). pose proof (charges_pos (on g) U (next unit occ vs ms')).
  unfold finish in *. cbn [last_cycle]. set (F := last_cycle (fun m => issues (nth w m None)) ms) in *. fold a.
  destruct (Nat.ltb_spec 0 F) as [HF|HF].
  - destruct (code (body x)) eqn:Ec0; [|specialize (Hstep ltac:(discriminate)); nia].
    assert (F = O); [|lia]. refine (ended w _ ms st' H ltac:(now rewrite snext_length) _).
    rewrite snext_nth by assumption. fold x. unfold sstep. rewrite Ec0. now destruct (nth w m None).
  - destruct (issues a) eqn:Ei; [|nia]. destruct a as [l|]; [|discriminate].
    assert (code (body x) <> []) as Hc; [|specialize (Hstep Hc); nia].
    destruct Ha1 as [_ Hr]. unfold view in Hr. destruct (code (body x)) eqn:Ec0; [rewrite Ec0 in Hr; tauto|discriminate].
Qed.

(** CP with scoreboards: finish(w) <= E_w + floor(sum of the weights of the others' letters), where U holds the units of w: those of
    its string, or those of any path that w might take. *)
Theorem scoreboards st ms st' w g s U : Forall (fun x => x = sfresh (sched (body x)) (code (body x))) st ->
  slots_worth g (map body st) -> srun st ms st' -> nth_error st w = Some (sfresh g s) -> (forall y, In y s -> In (unit y) U) ->
  Z.of_nat (finish w ms) <= Z.of_nat (E s) + sumZ (map (weight unit occ shared wi wd (on g) U) (map body (others w st))) / N.
Proof.
  intros Hst Hd Hr Hw HU.
  assert (w < length st)%nat as Hlt by (apply nth_error_Some; congruence).
  assert (map view st = map body st) as Ev.
  { apply map_ext_in. intros x Hx. rewrite (proj1 (Forall_forall _ _) Hst x Hx). unfold view. cbn [body sfresh code fresh due until].
    now destruct (code (body x)). }
  pose proof (scoreboards_any_state U w st ms st' Hr Hlt) as H. cbv zeta in H.
  rewrite (nth_error_nth _ _ _ Hw), map_others, Ev in H. cbn [sfresh body fresh code sched] in H.
  specialize (H (fun y Hy => occurs_In _ U (HU y Hy)) Hd).
  assert (own (sfresh g s) = E s) as Eo by reflexivity. rewrite Eo in H.
  assert (charges (on g) U (others w (map body st)) = sumZ (map (weight unit occ shared wi wd (on g) U) (map body (others w st)))) as Ec.
  { rewrite map_others. unfold CP.charges. f_equal. apply map_ext_in. intros v Hv.
    rewrite <- map_others in Hv. apply in_map_iff in Hv. destruct Hv as (x & <- & Hx).
    rewrite (proj1 (Forall_forall _ _) (others_Forall _ w _ Hst) x Hx). unfold CP.charge. cbn [sfresh body fresh held debt]. lia. }
  rewrite Ec in H.
  assert (Z.of_nat (finish w ms) - Z.of_nat (E s) <=
    sumZ (map (weight unit occ shared wi wd (on g) U) (map body (others w st))) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.
End Scoreboards.

(** The machines of MachineRuns.v are those in which every letter makes the next one wait for its latency and none names any;
    there E is at most I + Lambda ([E_le]). *)
Lemma plain_machine unit inst occ lo hi shared width st ms st' : run unit inst occ lo hi shared width st ms st' ->
  srun unit inst occ lo hi shared width (fun _ => None) (fun _ => []) (fun _ => [])
    (map (fun v => SWarp v []) st) ms (map (fun v => SWarp v []) st').
Proof.
  assert (forall l, map (view (fun _ => [])) (map (fun v => SWarp v []) l) = l) as Ev.
  { intros l. rewrite map_map. transitivity (map (fun v => v) l); [apply map_ext|apply map_id]. intros [g s t h]. unfold view. cbn [body code due until].
    destruct s; cbn [lat sched held]; [reflexivity|]. now rewrite Nat.max_0_r. }
  assert (forall l m, map (fun v => SWarp v []) (next unit occ l m) =
    snext unit occ (fun _ => None) (fun _ => []) (map (fun v => SWarp v []) l) m) as En.
  { induction l as [|v l IH]; intros [|a m]; try reflexivity. cbn [map next snext]. rewrite IH. f_equal.
    unfold sstep, step. cbn [body due]. now destruct a, (code v). }
  intros H; induction H as [st|st m ms st' Hm H IH]; econstructor; [now rewrite Ev|]. now rewrite <- En.
Qed.

(** Two independent letters of a unit with two instances and occupancy 3 give 4, not 2: see docs/machines.md. *)
Example second_letter_waits : E (fun _ => 0) (fun _ => 3) (fun _ => 1) (fun _ => Some 1) (fun _ => []) (fun _ => []) [0; 0] = 4.
Proof. reflexivity. Qed.

(** A load of latency 10 whose result the third letter needs: the second one does not wait for it. *)
Example load_and_use : E (fun x => x) (fun _ => 1) (fun x => match x with 0 => 10 | _ => 1 end) (fun _ => Some 1)
  (fun x => match x with 0 => [7] | _ => [] end) (fun x => match x with 2 => [7] | _ => [] end) [0; 1; 2] = 11.
Proof. reflexivity. Qed.
