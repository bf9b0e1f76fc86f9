(** The sum over units of docs/relay.md, section 5: a followed warp issues, or it waits for a unit while the unit takes as many
    letters of others as it can. Blocks without barriers, entered at any point and followed to their end. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Relay Require Import GridRuns CompanyRuns CompanyCycle CompanyMoves MidwayRelay Cover Stretches Covered OddStrings.

Lemma div_less a s : 0 < s -> a / s <= S ((a - 1) / s).
Proof.
  intros Hs. destruct a as [|a]; [cbn; rewrite Nat.div_0_l by lia; lia|]. replace (S a - 1) with a by lia.
  transitivity ((a + 1 * s) / s); [apply Nat.div_le_mono; lia|rewrite Nat.div_add; lia].
Qed.

Section ByUnits.
Variable sigma : letter -> nat.
Variables (most : nat).
Hypothesis sigma_pos : forall U, 0 < sigma U.
Variable rule : list placed -> Prop.
Hypothesis rule_most : forall bs, rule bs -> crowd bs <= most.

(** What the letters for U cost, [f] of which are issued by followed warps, of [t] in all. *)
Definition on_unit (U : letter) (f t : nat) : nat := f + if sigma U <? most then (t - f) / sigma U else 0.

Lemma on_unit_mono U f t f' t' : f' <= f -> t' <= t -> on_unit U f' t' <= on_unit U f t.
Proof.
  intros Hf Ht. transitivity (on_unit U f' t).
  - unfold on_unit. destruct (sigma U <? most); [|lia]. pose proof (Nat.div_le_mono (t' - f') (t - f') (sigma U)). pose proof (sigma_pos U). lia.
  - clear Ht. induction Hf as [|f Hf IH]; [lia|]. etransitivity; [exact IH|]. unfold on_unit. destruct (sigma U <? most); [|lia].
    pose proof (div_less (t - f) (sigma U) (sigma_pos U)). replace (t - S f) with (t - f - 1) by lia. lia.
Qed.

Lemma on_unit_issue U f t f' t' : f' < f -> t' < t -> on_unit U f' t' < on_unit U f t.
Proof.
  intros Hf Ht. pose proof (on_unit_mono U (f - 1) (t - 1) f' t' ltac:(lia) ltac:(lia)). enough (on_unit U (f - 1) (t - 1) < on_unit U f t) by lia.
  unfold on_unit. destruct (sigma U <? most); [|lia]. replace (t - 1 - (f - 1)) with (t - f) by lia. lia.
Qed.

Lemma on_unit_wait U f t f' t' : sigma U < most -> f' <= f -> t' + sigma U <= t -> f' <= t' -> on_unit U f' t' < on_unit U f t.
Proof.
  intros Hm Hf Ht H. pose proof (on_unit_mono U f t f' t Hf ltac:(lia)). enough (on_unit U f' t' < on_unit U f' t) by lia.
  unfold on_unit. apply Nat.ltb_lt in Hm. rewrite Hm. pose proof (sigma_pos U).
  pose proof (Nat.div_le_mono (t' - f' + 1 * sigma U) (t - f') (sigma U) ltac:(lia) ltac:(lia)) as Hd.
  rewrite Nat.div_add in Hd by lia. lia.
Qed.

(** * The letters that followed warps can have left *)
Definition own (U : letter) (x : placed) : nat := list_max (map (count U) (fst (snd x))).
Fixpoint owns (U : letter) (F : nat -> bool) (bs : list placed) : nat :=
  match bs with [] => 0 | x :: bs => (if F 0 then own U x else 0) + owns U (fun k => F (S k)) bs end.
Definition all (U : letter) (bs : list placed) : nat := total U (strings bs).
Definition plain (x : placed) : Prop := snd (snd x) = [].
Notation cur f bs := (fst (snd (nth f bs nobody))).
Definition pot (F : nat -> bool) (bs : list placed) (f i : nat) : nat :=
  let g := fun U => on_unit U (count U (nth i (cur f bs) []) + owns U (off f F) bs) (all U bs) in g L + g C.

Lemma own_total U x : own U x <= total U (fst (snd x)).
Proof. unfold own, list_max. induction (fst (snd x)) as [|s l IH]; cbn [map fold_right total]; lia. Qed.

Lemma count_own U x i : count U (nth i (fst (snd x)) []) <= own U x.
Proof.
  unfold own, list_max. revert i; induction (fst (snd x)) as [|s l IH]; intros [|i]; cbn [map fold_right nth]; try (cbn; lia).
  specialize (IH i). lia.
Qed.

Lemma owns_total U F bs : owns U F bs <= all U bs.
Proof.
  revert F; induction bs as [|x bs IH]; intros F; [cbn; lia|]. unfold all, strings in *. cbn [owns flat_map]. rewrite total_app.
  specialize (IH (fun k => F (S k))). pose proof (own_total U x). destruct (F 0); lia.
Qed.

Lemma count_owns_total U F bs f i : F f = false -> count U (nth i (cur f bs) []) + owns U F bs <= all U bs.
Proof.
  revert F f; induction bs as [|x bs IH]; intros F f HF.
  - destruct f, i; cbn; lia.
  - unfold all, strings in *. cbn [owns flat_map]. rewrite total_app. destruct f as [|f]; cbn [nth].
    + rewrite HF. pose proof (owns_total U (fun k => F (S k)) bs) as H. unfold all, strings in H.
      pose proof (count_own U x i). pose proof (own_total U x). lia.
    + specialize (IH (fun k => F (S k)) f HF). pose proof (own_total U x). destruct (F 0); lia.
Qed.

Lemma owns_off U F bs f : f < length bs -> F f = true -> owns U (off f F) bs + own U (nth f bs nobody) = owns U F bs.
Proof.
  revert F f; induction bs as [|x bs IH]; intros F f Hf HF; cbn [length] in *; [lia|]. cbn [owns]. destruct f as [|f]; cbn [nth].
  - rewrite HF. assert (off 0 F 0 = false) as -> by (unfold off; apply andb_false_r).
    assert (owns U (fun k => off 0 F (S k)) bs = owns U (fun k => F (S k)) bs) as ->; [|lia].
    clear. assert (forall G H l, (forall k, G k = H k) -> owns U G l = owns U H l) as E.
    { intros G H l; revert G H; induction l as [|y l IH]; intros G H E; [reflexivity|]. cbn [owns]. rewrite (E 0). f_equal. apply IH. auto. }
    apply E. intros k. apply andb_true_r.
  - specialize (IH (fun k => F (S k)) f ltac:(lia) HF). assert (off (S f) F 0 = F 0) as -> by (unfold off; apply andb_true_r).
    change (fun k => off (S f) F (S k)) with (off f (fun k => F (S k))). lia.
Qed.

(** One cycle. *)
Lemma owns_next U F bs ms : speaks bs ms -> Forall plain bs -> owns U F (map opened (issues bs ms)) <= owns U F bs.
Proof.
  intros H; revert F; induction H as [|x m bs ms Hl H IH]; intros F Hp; [cbn; lia|]. inversion Hp as [|? ? Hx Hp']; subst.
  rewrite issues_cons. cbn [map owns]. specialize (IH (fun k => F (S k)) Hp'). enough (own U (opened (issue x m)) <= own U x) by (destruct (F 0); lia).
  destruct x as [[] [cu la]]; unfold plain, opened, issue, open, own in *; cbn [fst snd] in *; [subst la; cbn [release fst]|lia].
  clear. revert m; induction cu as [|s cu IH]; intros [|b m]; cbn [after map list_max fold_right]; unfold list_max in *; cbn [fold_right]; try lia.
  specialize (IH m). assert (count U (if b then tl s else s) <= count U s); [|lia]. destruct b; [|lia]. destruct s as [|V s]; [cbn; lia|].
  cbn [tl]. rewrite count_cons. lia.
Qed.

Lemma all_next U bs ms : speaks bs ms -> able (company bs) (concat ms) -> Forall plain bs ->
  all U (map opened (issues bs ms)) + issued U (company bs) (concat ms) = all U bs.
Proof.
  intros Hs Ha Hp. destruct (next_company bs ms Hs Hp) as (N1 & N2 & _). unfold all.
  destruct (split_strings L (map opened (issues bs ms))) as [_ _].
  assert (forall l, total U (strings l) = total U (company l) + total U (unstarted l)) as E.
  { clear. induction l as [|x l IH]; [reflexivity|]. unfold strings, company, unstarted in *. cbn [flat_map]. rewrite !total_app, IH.
    unfold warps. destruct (fst x); cbn; lia. }
  rewrite !E, N1, N2. pose proof (total_after U _ _ Ha). lia.
Qed.

Lemma wanting_crowd U bs : length (filter (wants U) (company bs)) <= crowd bs.
Proof.
  unfold crowd, company. induction bs as [|x bs IH]; [cbn; lia|]. cbn [flat_map]. rewrite filter_app, !app_length.
  enough (length (filter (wants U) (warps x)) <= length (if present x then warps x else [])) by lia.
  unfold present, warps. destruct (fst x); cbn [andb]; [|cbn; lia]. destruct (all_done (fst (snd x))) eqn:E; cbn [negb].
  - assert (filter (wants U) (fst (snd x)) = []) as ->; [|cbn; lia]. clear - E. induction (fst (snd x)) as [|s l IH]; [reflexivity|].
    cbn in E. destruct s; [|discriminate]. cbn [filter wants]. now apply IH.
  - clear. induction (fst (snd x)) as [|s l IH]; cbn [filter]; [lia|]. destruct (wants U s); cbn [length]; lia.
Qed.

(** Warp i of block f: whether it issues, and what that says of its unit. *)
Lemma warp_cycle bs ms f i X x : speaks bs ms -> legal sigma (company bs) (concat ms) -> Forall plain bs ->
  present (nth f bs nobody) = true -> nth i (cur f bs) [] = X :: x ->
  (nth i (cur f (map opened (issues bs ms))) [] = x /\ 1 <= issued X (company bs) (concat ms)) \/
  (nth i (cur f (map opened (issues bs ms))) [] = X :: x /\ issued X (company bs) (concat ms) = sigma X /\ sigma X < crowd bs).
Proof.
  intros Hs [Ha Hc] Hp Hf Hx.
  assert (exists b, nth i (cur f (map opened (issues bs ms))) [] = (if b : bool then x else X :: x) /\
    (if b then 1 <= issued X (company bs) (concat ms) else 1 <= waiting X (company bs) (concat ms))) as (b & E1 & E2).
  { clear Hc. assert (all_able bs ms) as Hab by now apply speaks_able. clear Ha Hs. revert f Hf Hx. induction Hab as [|y m bs ms Hy H IH]; intros f Hf Hx.
    - destruct f; discriminate.
    - inversion Hp as [|? ? Hpy Hp']; subst. rewrite issues_cons. unfold company. cbn [map flat_map concat]. fold (company bs).
      rewrite issued_app, waiting_app by now apply able_length. destruct f as [|f]; cbn [nth] in *.
      + unfold present in Hf. apply andb_prop in Hf. destruct Hf as [Hst _]. destruct y as [w [cu la]]. unfold plain in Hpy. cbn [fst snd] in *. subst w la.
        unfold warps in *. cbn [fst snd] in *. unfold opened, issue, open. cbn [fst snd release].
        exists (nth i m false). clear - Hy Hx. revert i Hx. induction Hy as [|s st b m Hb Hy IH]; intros i Hx; [destruct i; discriminate|].
        destruct i as [|i]; cbn [nth after issued waiting] in *.
        * subst s. destruct b; cbn [tl andb negb wants]; rewrite eqb_refl; split; auto; lia.
        * destruct (IH i Hx) as [I1 I2]. split; [exact I1|]. destruct (nth i m false); lia.
      + destruct (IH Hp' f Hf Hx) as (b & I1 & I2). exists b. split; [exact I1|]. destruct b; lia. }
  destruct b; [left; split; assumption|right]. split; [assumption|]. destruct (Hc X) as [_ H]. specialize (H ltac:(lia)). split; [assumption|].
  pose proof (wanting_crowd X bs) as Hw.
  assert (length (filter (wants X) (company bs)) = issued X (company bs) (concat ms) + waiting X (company bs) (concat ms)) as E; [|lia].
  clear - Ha. induction Ha as [|s st b m Hb Ha IH]; [reflexivity|]. cbn [filter issued waiting]. destruct (wants X s), b; cbn [andb negb length]; lia.
Qed.

Lemma plain_begin bs os : Forall plain bs -> Forall plain (begin bs os).
Proof. apply begin_later. Qed.

Lemma all_begin U bs os : all U (begin bs os) = all U bs.
Proof. unfold all. now rewrite begin_strings. Qed.

Lemma owns_begin U F bs os : owns U F (begin bs os) = owns U F bs.
Proof. revert F os; induction bs as [|[w x] bs IH]; intros F [|o os]; cbn [begin owns]; rewrite ?IH; reflexivity. Qed.

Lemma pot_begin F bs os f i : pot F (begin bs os) f i = pot F bs f i.
Proof. unfold pot. rewrite !owns_begin, !all_begin, begin_block. reflexivity. Qed.

Lemma pot_two F bs f i F' bs' f' i' X :
  (forall U, on_unit U (count U (nth i' (cur f' bs') []) + owns U (off f' F') bs') (all U bs') <=
    on_unit U (count U (nth i (cur f bs) []) + owns U (off f F) bs) (all U bs)) ->
  on_unit X (count X (nth i' (cur f' bs') []) + owns X (off f' F') bs') (all X bs') <
    on_unit X (count X (nth i (cur f bs) []) + owns X (off f F) bs) (all X bs) ->
  pot F' bs' f' i' < pot F bs f i.
Proof. intros H1 H2. unfold pot. pose proof (H1 L). pose proof (H1 C). destruct X; lia. Qed.

Lemma own_over U x : present x = false -> fst x = true -> own U x = 0.
Proof.
  unfold present, own. intros H E. rewrite E in H. cbn in H. apply negb_false_iff in H. induction (fst (snd x)) as [|s l IH]; [reflexivity|].
  cbn in H. destruct s; [|discriminate]. unfold list_max in *. cbn [map fold_right]. rewrite IH by exact H. reflexivity.
Qed.

Lemma relay_by_units F bs mss bs' : crun sigma rule bs mss bs' -> Forall plain bs -> throughout (covered F) bs mss -> mss <> [] ->
  forall f, F f = true -> present (nth f (at_start bs mss) nobody) = true ->
  exists i, nth i (cur f (at_start bs mss)) [] <> [] /\ length mss <= pot F (at_start bs mss) f i.
Proof.
  intros Hr Hp Hc. induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros Hne f Ff Hf; [congruence|]. clear Hne. cbn [at_start] in *.
  set (b0 := begin bs os) in *. cbn [throughout] in Hc. fold b0 in Hc. destruct Hc as [_ Hc].
  assert (Forall plain b0) as Hp0 by now apply plain_begin.
  set (ns := map opened (issues b0 ms)) in *.
  assert (Forall plain ns) as Hpn by (destruct (next_company b0 ms Hsp Hp0) as (_ & _ & H); exact H).
  specialize (IH Hpn Hc). pose proof (rule_most _ Hru) as Hm. destruct Hl as [Ha Hcc].
  assert (forall U, all U ns + issued U (company b0) (concat ms) = all U b0) as Hall by (intros U; now apply all_next).
  assert (forall U G, owns U G ns <= owns U G b0) as Hown by (intros U G; now apply owns_next).
  assert (forall U y, count U (tl y) <= count U y) as Htl by (intros U [|V y]; [cbn; lia|]; cbn [tl]; rewrite count_cons; lia).
  assert (forall i X x, nth i (cur f b0) [] = X :: x -> (nth i (cur f ns) [] = x \/ nth i (cur f ns) [] = X :: x) ->
    mss = [] -> length ((os, ms) :: mss) <= pot F b0 f i) as Hlast.
  { intros i X x Hx _ ->. cbn [length]. unfold pot. rewrite Hx.
    assert (1 <= count X (X :: x)) by (rewrite count_cons, eqb_refl; lia). unfold on_unit. destruct X; lia. }
  destruct (present_started _ Hf) as [Hst Hb].
  destruct (present (nth f ns nobody)) eqn:En.
  - (* it goes on *)
    destruct mss as [|[os' ms'] mss'].
    { destruct (not_done_nth _ Hb) as (i & _ & Hx). exists i. split; [assumption|]. destruct (nth i (cur f b0) []) as [|X x] eqn:E; [congruence|].
      destruct (warp_cycle b0 ms f i X x Hsp (conj Ha Hcc) Hp0 Hf E) as [[H _]|[H _]]; apply (Hlast i X x); auto. }
    destruct (IH ltac:(discriminate) f Ff) as (j & Hx & Ht).
    { cbn [at_start]. rewrite nth_begin; [assumption|]. now destruct (present_started _ En). }
    cbn [at_start] in Hx, Ht. rewrite begin_block in Hx. rewrite pot_begin in Ht. fold ns in Hx, Ht.
    exists j. destruct (nth j (cur f b0) []) as [|X x] eqn:E.
    { exfalso. apply Hx. clear - E Hsp Ha Hp0. assert (all_able b0 ms) as Hab by now apply speaks_able.
      unfold ns. clear Hsp Ha. revert f E. induction Hab as [|y m l ms Hy H IH]; intros f E; [destruct f, j; reflexivity|].
      inversion Hp0 as [|? ? Hpy Hp']; subst. rewrite issues_cons. destruct f as [|f]; cbn [map nth] in *; [|now apply IH].
      destruct y as [w [cu la]]. unfold plain in Hpy. cbn [fst snd] in *. subst la. unfold warps in Hy. cbn [fst snd] in Hy.
      unfold opened, issue, open. cbn [fst snd]. destruct w; cbn [fst snd release]; [|exact E].
      clear - Hy E. revert j E. induction Hy as [|s st b m Hb Hy IH]; intros [|j] E; cbn [after nth] in *; auto. subst s. now destruct b. }
    split; [discriminate|]. cbn [length]. enough (pot F ns f j < pot F b0 f j) by (cbn [length] in *; lia).
    destruct (warp_cycle b0 ms f j X x Hsp (conj Ha Hcc) Hp0 Hf E) as [[H1 H2]|(H1 & H2 & H3)]; fold ns in H1; apply (pot_two _ _ _ _ _ _ _ _ X); rewrite ?H1, ?E.
    + intros U. apply on_unit_mono; [|specialize (Hall U); lia]. pose proof (Hown U (off f F)). rewrite count_cons. lia.
    + apply on_unit_issue; [|specialize (Hall X); lia]. pose proof (Hown X (off f F)). rewrite count_cons, eqb_refl. lia.
    + intros U. apply on_unit_mono; [|specialize (Hall U); lia]. pose proof (Hown U (off f F)). lia.
    + apply on_unit_wait; [lia| |specialize (Hall X); lia|]; [pose proof (Hown X (off f F)); lia|].
      rewrite <- H1. apply count_owns_total. apply off_f.
  - (* it ends, and another one is followed *)
    destruct (not_done_nth _ Hb) as (i & _ & Hx). exists i. split; [assumption|].
    destruct (nth i (cur f b0) []) as [|X x] eqn:E; [congruence|].
    destruct mss as [|[os' ms'] mss'].
    { destruct (warp_cycle b0 ms f i X x Hsp (conj Ha Hcc) Hp0 Hf E) as [[H _]|[H _]]; apply (Hlast i X x); auto. }
    destruct Hc as [(g & Fg & Hg) _]. destruct (IH ltac:(discriminate) g Fg Hg) as (j & Hxj & Ht).
    cbn [at_start] in Hxj, Ht. rewrite begin_block in Hxj. rewrite pot_begin in Ht. fold ns in Hxj, Ht.
    cbn [length]. enough (pot F ns g j < pot F b0 f i) by (cbn [length] in *; lia).
    assert (fst (nth f ns nobody) = true) as Hfs by now apply started_next.
    assert (f < length ns) as Hfl.
    { destruct (Nat.lt_ge_cases f (length ns)); [assumption|]. rewrite nth_overflow in Hfs by assumption. discriminate. }
    assert (g < length ns) as Hgl.
    { destruct (Nat.lt_ge_cases g (length ns)); [assumption|]. rewrite (nth_overflow ns) in Hxj by assumption. destruct j; now elim Hxj. }
    assert (forall U, count U (nth j (cur g ns) []) + owns U (off g F) ns <= owns U (off f F) b0) as Hgo.
    { intros U. pose proof (owns_off U F ns g Hgl Fg). pose proof (owns_off U F ns f Hfl Ff). rewrite (own_over U (nth f ns nobody)) in * by assumption.
      pose proof (count_own U (nth g ns nobody) j). pose proof (Hown U (off f F)). lia. }
    destruct (warp_cycle b0 ms f i X x Hsp (conj Ha Hcc) Hp0 Hf E) as [[H1 H2]|(H1 & _)].
    + apply (pot_two _ _ _ _ _ _ _ _ X); rewrite ?E.
      * intros U. apply on_unit_mono; [|specialize (Hall U); lia]. specialize (Hgo U). rewrite count_cons. lia.
      * apply on_unit_issue; [|specialize (Hall X); lia]. specialize (Hgo X). rewrite count_cons, eqb_refl. lia.
    + exfalso. fold ns in H1. unfold present in En. rewrite Hfs in En. cbn in En. apply negb_false_iff in En.
      rewrite (all_done_nth i _ En) in H1. discriminate.
Qed.

(** So many cycles at most, where the warps of each block have at most [h U] letters for U, and q of the blocks are followed. *)
Lemma owns_cost U h F bs : Forall (fun x => own U x <= h) bs -> owns U F bs <= Z.to_nat (total_cost (length bs) (fun _ => 1%Z) F) * h.
Proof.
  intros H. assert (total_cost (length bs) (fun _ => 1%Z) F = Z.of_nat (length (filter F (seq 0 (length bs))))) as E.
  { unfold total_cost, Cover.over. generalize (seq 0 (length bs)). induction l as [|k l IH]; [reflexivity|]. cbn [map sumZ filter].
    rewrite IH. destruct (F k); cbn [length]; lia. }
  rewrite E, Nat2Z.id. clear E. revert F; induction H as [|x bs Hx H IH]; intros F; [cbn; lia|]. specialize (IH (fun k => F (S k))).
  cbn [owns length seq filter]. assert (length (filter F (seq 1 (length bs))) = length (filter (fun k => F (S k)) (seq 0 (length bs)))) as E.
  { rewrite <- seq_shift. clear. induction (seq 0 (length bs)) as [|k l IH]; [reflexivity|]. cbn [map filter]. destruct (F (S k)); cbn [length]; now rewrite IH. }
  destruct (F 0); cbn [length]; rewrite E; lia.
Qed.

Theorem followed_by_units F q h bs mss bs' : crun sigma rule bs mss bs' -> Forall plain bs -> covers (length bs) (in_cycle bs mss) F (length mss) ->
  (total_cost (length bs) (fun _ => 1%Z) F <= Z.of_nat q)%Z -> (forall U, Forall (fun x => own U x <= h U) bs) ->
  length mss <= on_unit L (q * h L) (all L bs) + on_unit C (q * h C) (all C bs).
Proof.
  intros Hr Hp HF HQ Hh. destruct mss as [|[os ms] mss]; [cbn; lia|].
  assert (throughout (covered F) bs ((os, ms) :: mss)) as HT.
  { apply throughout_states, Forall_forall. intros l Hl. apply In_nth with (d := []) in Hl.
    destruct Hl as (t & Ht & <-). rewrite states_length in Ht. destruct (HF t Ht) as (k & _ & H1 & H2). now exists k. }
  pose proof HT as [(f & Ff & Hf) _].
  destruct (relay_by_units F bs _ bs' Hr Hp HT ltac:(discriminate) f Ff Hf) as (i & _ & H). cbn [at_start] in H. rewrite pot_begin in H.
  etransitivity; [exact H|]. unfold pot.
  assert (f < length bs) as Hlt.
  { pose proof (state_length sigma rule bs _ bs' Hr (begin bs os) (or_introl eq_refl)) as E. rewrite <- E.
    destruct (Nat.lt_ge_cases f (length (begin bs os))); [assumption|]. rewrite nth_overflow in Hf by assumption. discriminate. }
  assert (forall U, count U (nth i (cur f bs) []) + owns U (off f F) bs <= q * h U) as E.
  { intros U. pose proof (owns_off U F bs f Hlt Ff). pose proof (count_own U (nth f bs nobody) i). pose proof (owns_cost U (h U) F bs (Hh U)).
    assert (Z.to_nat (total_cost (length bs) (fun _ => 1%Z) F) <= q) as Hq by lia. apply (Nat.mul_le_mono_r _ _ (h U)) in Hq. lia. }
  pose proof (on_unit_mono L _ (all L bs) _ (all L bs) (E L) ltac:(lia)). pose proof (on_unit_mono C _ (all C bs) _ (all C bs) (E C) ltac:(lia)). lia.
Qed.
End ByUnits.
