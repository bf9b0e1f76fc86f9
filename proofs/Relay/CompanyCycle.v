(** One cycle of blocks that share a multiprocessor, some of which are to be followed later, seen from the warp that is
    followed now. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions CompanyRuns KeptBlocks.
Local Open Scope Z_scope.

Section CompanyCycle.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.
Variable ends : letter -> bool.
Hypothesis ends_some : ends L || ends C = true.

Notation earns := (earns worth kappa None).
Notation earned := (earned worth kappa None).
Notation A := (A worth kappa).
Notation val := (val worth kappa).
Notation fee := (fee N worth kappa c ends).
Notation kept := (kept N worth kappa c ends).
Notation loss := (loss worth kappa).
Notation falls := (falls sigma N worth kappa c).
Notation worth_range := (worth_range sigma N worth kappa N_pos worth_unit kappa_pos kappa_le).
Notation earned_others := (earned_others worth kappa None).

(** What a block adds to T; [k]: it is to be followed later. *)
Definition value (k : bool) (U : letter) (x : placed) : Z :=
  if fst x then (if k then kept U (snd x) else val U (snd x)) else A (snd x) + (if k then fee (snd x) else 0).

(** T: the sum over all blocks, those to be followed later being told by F. *)
Fixpoint sum_of (F : nat -> bool) (bs : list placed) (U : letter) : Z :=
  match bs with [] => 0 | x :: bs => value (F O) U x + sum_of (fun k => F (S k)) bs U end.

Lemma sum_ext F G bs U : (forall k, F k = G k) -> sum_of F bs U = sum_of G bs U.
Proof. revert F G; induction bs as [|x bs IH]; intros F G H; [reflexivity|]. cbn [sum_of]. rewrite (H O). f_equal. auto. Qed.

(** F without f. *)
Definition off (f : nat) (F : nat -> bool) : nat -> bool := fun k => F k && negb (k =? f)%nat.

(** * Bookkeeping of a cycle

    Of some warps: how many issue, wait and have two letters in a row, and what they are worth before and after. *)
Record account (iss wt dbl : letter -> nat) (v v' : letter -> Z) : Prop := {
  same : forall U, worth U * Z.of_nat (iss U) + v' U <= v U;
  cross : forall X, wt (other X) = 0%nat ->
    v' (other X) + Z.of_nat (iss X) * (worth X - kappa X) <= v X + loss X iss dbl }.

Lemma account_plus i w d v v' i2 w2 d2 v2 v2' : account i w d v v' -> account i2 w2 d2 v2 v2' ->
  account (fun U => i U + i2 U)%nat (fun U => w U + w2 U)%nat (fun U => d U + d2 U)%nat
    (fun U => v U + v2 U) (fun U => v' U + v2' U).
Proof.
  intros [S1 C1] [S2 C2]. constructor.
  - intros U. specialize (S1 U). specialize (S2 U). lia.
  - intros X Hw. specialize (C1 X ltac:(lia)). specialize (C2 X ltac:(lia)). unfold KeptBlocks.loss in *.
    set (e := Z.max 0 (kappa X - worth (other X))) in *. assert (0 <= e) by (unfold e; lia).
    assert (Z.of_nat (min (i (other X)) (d (other X))) * e + Z.of_nat (min (i2 (other X)) (d2 (other X))) * e
      <= Z.of_nat (min (i (other X) + i2 (other X)) (d (other X) + d2 (other X))) * e); [|lia].
    rewrite <- Z.mul_add_distr_r. apply Z.mul_le_mono_nonneg_r; lia.
Qed.

Lemma account_eq i w d v v' i2 w2 d2 v2 v2' : account i w d v v' ->
  (forall U, i2 U = i U) -> (forall U, w2 U = w U) -> (forall U, d2 U = d U) ->
  (forall U, v2 U = v U) -> (forall U, v2' U = v' U) -> account i2 w2 d2 v2 v2'.
Proof.
  intros [S1 C1] Ei Ew Ed Ev Ev'. constructor.
  - intros U. rewrite Ei, Ev, Ev'. apply S1.
  - intros X. rewrite Ew, Ev, Ev', Ei. unfold KeptBlocks.loss. rewrite Ei, Ed. apply C1.
Qed.

Lemma account_warps vs m e : able vs m ->
  account (fun U => issued U vs m) (fun U => waiting U vs m) (fun U => doubles U vs)
    (fun U => earned U vs + e) (fun U => earned U (after vs m) + e).
Proof.
  intros Ha. constructor.
  - intros U. pose proof (earned_after worth kappa kappa_pos kappa_le None U _ _ Ha). lia.
  - intros X Hw. pose proof (earned_cross_min worth kappa kappa_pos kappa_le X _ _ Ha Hw). lia.
Qed.

Lemma account_block k x m : able (warps x) m ->
  account (fun U => issued U (warps x) m) (fun U => waiting U (warps x) m) (fun U => doubles U (warps x))
    (fun U => value k U x) (fun U => value k U (issue x m)).
Proof.
  destruct x as [[] [cur later]]; unfold warps, value, issue; cbn [fst snd]; intros Ha.
  - destruct k.
    + constructor.
      * intros U. exact (kept_same sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos ends ends_some U cur later m Ha).
      * intros X Hw. exact (kept_cross sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos ends ends_some X cur later m Ha Hw).
    + unfold Totals.val. cbn [fst snd]. now apply account_warps.
  - inversion Ha; subst. constructor.
    + intros U. cbn. lia.
    + intros X _. unfold KeptBlocks.loss. cbn. lia.
Qed.

Definition all_able (bs : list placed) (ms : list cycle) : Prop := Forall2 (fun x m => able (warps x) m) bs ms.

Lemma speaks_able bs ms : speaks bs ms -> able (company bs) (concat ms) -> all_able bs ms.
Proof.
  induction 1 as [|x m bs ms Hl H IH]; [constructor|]. cbn [company flat_map concat]. fold (company bs).
  rewrite able_app_iff by assumption. intros [H1 H2]. constructor; [assumption|]. now apply IH.
Qed.

Lemma account_all bs ms : all_able bs ms -> forall F,
  account (fun U => issued U (company bs) (concat ms)) (fun U => waiting U (company bs) (concat ms))
    (fun U => doubles U (company bs)) (sum_of F bs) (sum_of F (issues bs ms)).
Proof.
  induction 1 as [|x m bs ms Ha H IH]; intros F.
  - constructor; [intros U; cbn; lia|]. intros X _. unfold KeptBlocks.loss. cbn. lia.
  - eapply account_eq; [exact (account_plus _ _ _ _ _ _ _ _ _ _ (account_block (F O) x m Ha) (IH (fun k => F (S k))))|..];
      intros U; cbn [company flat_map concat]; fold (company bs).
    + rewrite issued_app by now apply able_length. reflexivity.
    + rewrite waiting_app by now apply able_length. reflexivity.
    + now rewrite doubles_app.
    + reflexivity.
    + reflexivity.
Qed.

Lemma issues_cons x m bs ms : issues (x :: bs) (m :: ms) = issue x m :: issues bs ms.
Proof. reflexivity. Qed.

(** The warps of the blocks that are present. *)
Definition crowd (bs : list placed) : nat := length (flat_map (fun x => if present x then warps x else []) bs).

Lemma doubles_done U cur : all_done cur = true -> doubles U cur = O.
Proof.
  induction cur as [|s cur IH]; [reflexivity|]. cbn [all_done forallb]. destruct s; [|discriminate].
  intros H. cbn [doubles double]. rewrite IH; [reflexivity|exact H].
Qed.

Lemma doubles_crowd U bs : (doubles U (company bs) <= crowd bs)%nat.
Proof.
  induction bs as [|x bs IH]; [cbn; lia|]. unfold crowd in *. cbn [company flat_map]. fold (company bs).
  rewrite doubles_app, app_length. unfold present at 1. unfold warps at 1 2. destruct (fst x); cbn [andb].
  - destruct (all_done (fst (snd x))) eqn:E; cbn [negb].
    + rewrite (doubles_done U _ E). cbn [length]. lia.
    + pose proof (doubles_le U (fst (snd x))). lia.
  - cbn [doubles]. lia.
Qed.

Notation cur f bs := (fst (snd (nth f bs nobody))).

(** The same without warp i of block f, which is present. *)
Lemma account_at i : forall f bs ms F, all_able bs ms -> present (nth f bs nobody) = true -> F f = false ->
  (i < length (cur f bs))%nat ->
  let u := nth i (cur f bs) [] in let b := nth i (nth f ms []) false in let u' := if b then tl u else u in
  exists iss wt dbl,
    account iss wt dbl (fun U => sum_of F bs U - earns U u) (fun U => sum_of F (issues bs ms) U - earns U u') /\
    (forall U, issued U (company bs) (concat ms) = (iss U + if b && wants U u then 1 else 0)%nat) /\
    (forall U, waiting U (company bs) (concat ms) = (wt U + if negb b && wants U u then 1 else 0)%nat) /\
    (forall U, (S (dbl U) <= crowd bs)%nat) /\ (forall U, (dbl U <= doubles U (company bs))%nat) /\
    nth i (cur f (issues bs ms)) [] = u'.
Proof.
  induction f as [|f IH]; intros bs ms F Hab Hp HF Hi u b u'; destruct Hab as [|x m bs ms Ha H]; try discriminate.
  - cbn [nth] in *. unfold present in Hp. apply andb_prop in Hp. destruct Hp as [Hs Hd]. destruct x as [st [cu la]].
    cbn [fst snd] in *. subst st. unfold warps in Ha. cbn [fst snd] in Ha.
    pose proof (able_length _ _ Ha) as Hl.
    pose proof (able_others i cu m Hi Ha) as Ho.
    pose proof (account_plus _ _ _ _ _ _ _ _ _ _
      (account_warps _ _ (future worth kappa la) Ho) (account_all bs ms H (fun k => F (S k)))) as HA.
    assert (nth i (after cu m) [] = u') as Eu by (rewrite after_nth by assumption; reflexivity).
    eexists _, _, _. split; [eapply account_eq; [exact HA|..]; intros U; try reflexivity|].
    + cbn [sum_of]. rewrite HF. unfold value. cbn [fst snd]. unfold Totals.val. cbn [fst snd].
      rewrite (earned_others U cu i Hi). fold u. lia.
    + rewrite issues_cons. cbn [sum_of]. rewrite HF. unfold value, issue. cbn [fst snd]. unfold Totals.val.
      cbn [fst snd]. rewrite (earned_others U (after cu m) i) by (rewrite after_length; lia).
      rewrite Eu, after_others by assumption. lia.
    + cbn [company flat_map concat]. fold (company bs). unfold warps. cbn [fst snd]. repeat split.
      * intros U. rewrite issued_app by assumption. rewrite (issued_others U i cu m Hi Hl). fold b u. lia.
      * intros U. rewrite waiting_app by assumption. rewrite (waiting_others U i cu m Hi Hl). fold b u. lia.
      * intros U. pose proof (doubles_crowd U bs). pose proof (doubles_le U (others i cu)).
        rewrite others_length in * by assumption. unfold crowd in *. cbn [flat_map]. unfold present at 1. cbn [fst snd andb].
        rewrite Hd. cbn [negb]. rewrite app_length. unfold warps at 1. cbn [fst snd]. lia.
      * intros U. rewrite doubles_app. pose proof (doubles_others U i cu). lia.
      * exact Eu.
  - cbn [nth] in *. destruct (IH bs ms (fun k => F (S k)) H Hp HF Hi) as (iss & wt & dbl & HA & H1 & H2 & H3 & H4 & H5).
    clear IH. fold u b in HA, H1, H2, H5. fold u' in HA, H5.
    pose proof (account_plus _ _ _ _ _ _ _ _ _ _ (account_block (F O) x m Ha) HA) as HB.
    eexists _, _, _. split; [eapply account_eq; [exact HB|..]; intros U; try reflexivity|].
    + cbn [sum_of]. fold u. lia.
    + rewrite issues_cons. cbn [sum_of]. lia.
    + cbn [company flat_map concat]. fold (company bs). repeat split.
      * intros U. rewrite issued_app by now apply able_length. rewrite H1. lia.
      * intros U. rewrite waiting_app by now apply able_length. rewrite H2. lia.
      * intros U. specialize (H3 U). pose proof (doubles_crowd U [x]) as Hx. unfold crowd in *. cbn [flat_map] in *.
        cbn [company flat_map] in Hx. rewrite !app_nil_r in Hx. rewrite app_length. lia.
      * intros U. rewrite doubles_app. specialize (H4 U). lia.
      * exact H5.
Qed.

(** One legal cycle. *)
Lemma company_falls f i bs ms F X x : speaks bs ms -> legal sigma (company bs) (concat ms) ->
  present (nth f bs nobody) = true -> F f = false -> nth i (cur f bs) [] = X :: x ->
  (forall Y, Z.of_nat (min (sigma (other Y) - 1) (crowd bs - 1)) * (kappa Y - worth (other Y)) <= c Y
    \/ doubles (other Y) (company bs) = O) ->
  falls (sum_of F bs) (sum_of F (issues bs ms)) X x (nth i (nth f ms []) false) /\
  nth i (cur f (issues bs ms)) [] = if nth i (nth f ms []) false then x else X :: x.
Proof.
  intros Hf [Ha Hc] Hp HF E He.
  assert (i < length (cur f bs))%nat as Hi.
  { destruct (Nat.lt_ge_cases i (length (cur f bs))); [assumption|]. rewrite nth_overflow in E by assumption. discriminate. }
  destruct (account_at i f bs ms F (speaks_able _ _ Hf Ha) Hp HF Hi) as (iss & wt & dbl & [HS HC] & H1 & H2 & H3 & H4 & H5).
  rewrite E in *. cbn [tl] in *. split; [|exact H5].
  set (b := nth i (nth f ms []) false) in *. unfold FollowedCycle.falls. cbv zeta. cbn [wants] in *.
  pose proof (Hc X) as [_ HX]. pose proof (Hc (other X)) as [HYc HY]. rewrite H1, H2 in *.
  destruct (eqb_other X) as [EO EO']. rewrite EO in *. rewrite eqb_refl in *. rewrite !andb_false_r in *.
  rewrite !andb_true_r in *. pose proof (worth_unit X) as UX. pose proof (worth_unit (other X)) as UY.
  pose proof (kappa_le X). pose proof (kappa_pos X). pose proof (c_pos X). pose proof (worth_range X).
  assert (b = false -> iss X = sigma X) as Hfull.
  { intros Eb. rewrite Eb in *. cbn [negb] in *. lia. }
  pose proof (HS X) as SX. pose proof (HS (other X)) as SY. split.
  - destruct b; [nia|]. rewrite (Hfull eq_refl) in SX. lia.
  - destruct (Nat.eq_dec (iss (other X)) (sigma (other X))) as [Ef|Ef].
    + rewrite Ef in SY. lia.
    + assert (wt (other X) = 0%nat) as Hw by lia. specialize (HC X Hw). unfold KeptBlocks.loss in HC.
      assert (Z.of_nat (min (iss (other X)) (dbl (other X))) * Z.max 0 (kappa X - worth (other X)) <= c X) as Hloss.
      { specialize (H3 (other X)). specialize (H4 (other X)). destruct (He X) as [Hle|Hz].
        - assert (Z.of_nat (min (iss (other X)) (dbl (other X)))
            <= Z.of_nat (min (sigma (other X) - 1) (crowd bs - 1))) by lia.
          destruct (Z.le_gt_cases (kappa X - worth (other X)) 0); [nia|].
          rewrite Z.max_r by lia. nia.
        - replace (min (iss (other X)) (dbl (other X))) with O by lia. lia. }
      destruct b; [nia|]. rewrite (Hfull eq_refl) in HC. unfold head. lia.
Qed.

(** The blocks that have not started. *)
Definition ahead (bs : list placed) : Z := sumZ (map (fun x : placed => if fst x then 0 else A (snd x)) bs).
End CompanyCycle.
