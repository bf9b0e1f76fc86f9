(** A barrier opens: what a chain pays after it, a chain with one more warp pays before it (docs/machines.md, barriers). *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains.

(** * A barrier opens: what is outside the chain stays the same *)

(** Positions of a chain are those of warps of block q. *)
Definition fits (q : nat) (chain : list nat) (i : nat) (l : list bwarp) : Prop :=
  forall j, j < length l -> In (i + j) chain -> block (nth j l nowhere) = q.

Lemma fits_tail q chain i x l : fits q chain i (x :: l) -> fits q chain (S i) l.
Proof. intros H j Hj Hi. apply (H (S j)); [cbn; lia|]. now replace (i + S j) with (S i + j) by lia. Qed.

Lemma fits_head q chain i x l : fits q chain i (x :: l) -> block x <> q -> ~ In i chain.
Proof. intros H Hx Hi. apply Hx, (H 0); [cbn; lia|]. now rewrite Nat.add_0_r. Qed.

Lemma shadows_pop (f : nat -> bool) q y w chain : f q = true -> forall l i os,
  (forall x, In x l -> f (block x) = true -> code (core x) = []) -> fits q (y :: w :: chain) i l ->
  shadows y (w :: chain) i l os = shadows w chain i (map (fun x => if f (block x) then advance x else x) l) os.
Proof.
  intros Hq. induction l as [|x l IH]; intros i os Hf Hc; [reflexivity|]. destruct os as [|o os]; [reflexivity|].
  cbn [map shadows]. rewrite (IH (S i) os (fun x Hx => Hf x (or_intror Hx)) (fits_tail _ _ _ _ _ Hc)). f_equal.
  destruct (f (block x)) eqn:E.
  - rewrite (Hf x (or_introl eq_refl) E). unfold advance. destruct x as [b v [|s r]]; cbn [later core block sched code lat held] in *.
    + rewrite (Hf _ (or_introl eq_refl) E : code v = []). now destruct (y =? i)%nat, (w =? i)%nat.
    + now destruct (y =? i)%nat.
  - assert (block x <> q) as Hx by congruence. pose proof (fits_head _ _ _ _ _ Hc Hx) as Hi. cbn [In] in Hi.
    destruct (Nat.eqb_spec y i), (Nat.eqb_spec w i); try tauto. rewrite !outside_free by (cbn [In]; tauto). reflexivity.
Qed.

Lemma shadows_still (f : nat -> bool) q w chain : forall l i os,
  (forall x, In x l -> f (block x) = true -> code (core x) = []) ->
  (forall x, In x l -> block x = q -> f q = true -> later x = []) -> fits q (w :: chain) i l ->
  shadows w chain i l os = shadows w chain i (map (fun x => if f (block x) then advance x else x) l) os.
Proof.
  induction l as [|x l IH]; intros i os Hf Hq Hc; [reflexivity|]. destruct os as [|o os]; [reflexivity|].
  cbn [map shadows]. rewrite (IH (S i) os (fun x Hx => Hf x (or_intror Hx)) (fun x Hx => Hq x (or_intror Hx))
    (fits_tail _ _ _ _ _ Hc)). f_equal.
  destruct (f (block x)) eqn:E; [|reflexivity].
  pose proof (Hf x (or_introl eq_refl) E) as Hcode. unfold advance. destruct x as [b v [|s r]]; [reflexivity|].
  cbn [later core block sched code lat held] in *. rewrite Hcode.
  assert (b <> q) as Hx by (intros ->; specialize (Hq _ (or_introl eq_refl) eq_refl E); discriminate).
  pose proof (fits_head _ _ _ _ _ Hc Hx) as Hi. cbn [In] in Hi.
  destruct (Nat.eqb_spec w i); [tauto|]. rewrite !outside_free by tauto. reflexivity.
Qed.

Lemma member_fits q st chain : Forall (member q st) chain -> fits q chain 0 st.
Proof. intros H j Hj Hi. rewrite Forall_forall in H. now destruct (H j Hi). Qed.

Lemma through_code st x : In x st -> all_through (block x) st = true -> code (core x) = [] /\ lat (core x) = 0.
Proof.
  intros Hx H. pose proof (proj1 (all_through_spec _ _) H x Hx eq_refl) as Ht. unfold through in Ht.
  apply andb_true_iff in Ht. destruct Ht as [H1 H2]. apply Nat.eqb_eq in H1. destruct (code (core x)); [auto|discriminate].
Qed.

Lemma member_in q st i : member q st i -> In (at_ i st) st.
Proof. intros [Hi _]. now apply nth_In. Qed.

Lemma rows_zero q st : rows q st = 0 -> forall x, In x st -> block x = q -> later x = [].
Proof.
  induction st as [|y st IH]; intros H x Hx Hb; cbn [rows In] in *; [tauto|]. destruct Hx as [->|Hx].
  - rewrite Hb, Nat.eqb_refl in H. destruct (later x); [reflexivity|]. cbn [length] in H. lia.
  - apply IH; auto. destruct (block y =? q)%nat; lia.
Qed.

Lemma open_member_through q st i : member q st i -> all_through q st = true -> at_ i (open st) = advance (at_ i st).
Proof. intros [Hi Hb] H. now rewrite open_at, Hb, H. Qed.

Lemma picks_open q st k chain : Forall (member q st) chain -> all_through q st = true ->
  picks (open st) k chain = picks st (S k) chain.
Proof.
  intros H Ht. revert k; induction H as [|w chain Hw H IH]; intros k; [reflexivity|]. cbn [picks]. rewrite IH. f_equal.
  rewrite (open_member_through q) by assumption. unfold advance. destruct (later (at_ w st)) eqn:E; [|reflexivity].
  rewrite E. now destruct k.
Qed.

Lemma picks_same st st' k chain : (forall w, In w chain -> later (at_ w st') = later (at_ w st)) ->
  picks st' k chain = picks st k chain.
Proof.
  revert k; induction chain as [|w chain IH]; intros k H; [reflexivity|]. cbn [picks].
  rewrite (H w) by now left. rewrite IH; [reflexivity|]. intros v Hv. apply H. now right.
Qed.

Lemma open_still q st i : member q st i -> all_through q st = false \/ rows q st = 0 -> at_ i (open st) = at_ i st.
Proof.
  intros Hm H. pose proof Hm as [Hi Hb]. rewrite open_at, Hb by assumption. destruct H as [->|H]; [reflexivity|].
  destruct (all_through q st); [|reflexivity]. unfold advance.
  now rewrite (rows_zero q st H _ (member_in _ _ _ Hm) Hb).
Qed.

Section ChainOpenings.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation alone := (alone occ hi).
Notation rows_alone := (rows_alone occ hi).
Notation chain_own := (chain_own occ hi).
Notation spans := (spans occ hi).
Notation brun := (brun unit inst occ lo hi shared width).
Notation legal := (legal unit inst lo hi shared width).
Notation bstep := (bstep unit occ).
Notation step := (step unit occ).
Notation able := (able lo hi).

Local Open Scope Z_scope.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : 0 < N.
Hypothesis wi_unit : forall u, Z.of_nat (inst u) * wi u = N.
Hypothesis wd_pos : 0 <= wd.

Notation charges := (charges unit occ shared wi wd).
Notation charges_pos := (charges_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos).
Notation width_worth := (width_worth width N wd).

(** The prices count the units and the schedulers of the chain from here on. *)
Definition covers (near : nat -> bool) (s : list nat) (st : list bwarp) (w : nat) (chain : list nat) : Prop :=
  (forall y, In y (w :: chain) -> near (sched (core (at_ y st))) = true) /\
  (forall x, In x (code (core (at_ w st)) ++ concat (picks st 0 chain)) -> occurs (unit x) s = true).

(** F cycles are paid by the chain and the letters outside it. *)
Definition pays (F : nat) (st : list bwarp) (w : nat) (chain : list nat) : Prop :=
  forall near s z os, covers near s st w chain -> all_kept z st os ->
  N * Z.of_nat F <= N * Z.of_nat (chain_own (core (at_ w st)) z (picks st 0 chain)) + charges near s (shadows w chain 0 st os).

Definition in_block (q : nat) (st : list bwarp) (w : nat) (chain : list nat) : Prop :=
  Forall (member q st) (w :: chain) /\ length chain = rows q st.

(** A chain whose head is still waited for, or that may have any head. *)
Definition good (q F : nat) (st : list bwarp) : Prop :=
  exists w chain, in_block q st w chain /\ alive (core (at_ w st)) chain /\ pays F st w chain.
Definition free (q F : nat) (st : list bwarp) : Prop :=
  all_through q st = true /\ rows q st <> O /\
  exists chain, forall w, member q st w -> in_block q st w chain /\ pays F st w chain.

Lemma in_block_open q st w chain : in_block q (open st) w chain -> Forall (member q st) (w :: chain).
Proof.
  intros [H _]. revert H. apply Forall_impl. intros i. apply member_same. apply open_blocks.
Qed.

Lemma open_pop q F st y w chain : member q st y -> all_through q st = true -> rows q st <> O ->
  in_block q (open st) w chain -> pays F (open st) w chain -> in_block q st y (w :: chain) /\ pays F st y (w :: chain).
Proof.
  intros Hy Ht Hr Hb Hp. pose proof (in_block_open _ _ _ _ Hb) as Hm. destruct Hb as [_ Hl].
  rewrite rows_open, Ht in Hl. split; [split; [now constructor|cbn [length]; lia]|].
  intros near s z os [Hn Hu] Hk. inversion Hm as [|? ? Hw Hch]; subst.
  pose proof (through_code st (at_ y st) (member_in _ _ _ Hy)) as Hy'. rewrite (proj2 Hy) in Hy'. destruct (Hy' Ht) as [Hyc Hyl].
  pose proof (through_code st (at_ w st) (member_in _ _ _ Hw)) as Hw'. rewrite (proj2 Hw) in Hw'. destruct (Hw' Ht) as [Hwc Hwl].
  assert (code (core (at_ w (open st))) = nth 0 (later (at_ w st)) [] /\ lat (core (at_ w (open st))) = O) as [Ec El].
  { rewrite (open_member_through q) by assumption. unfold advance. destruct (later (at_ w st)); [now rewrite Hwc|auto]. }
  assert (picks (open st) 0 chain = picks st 1 chain) as Ep by (now apply (picks_open q)).
  specialize (Hp near s z os). unfold covers in Hp. rewrite Ec, Ep in Hp.
  assert (charges near s (shadows y (w :: chain) 0 st os) = charges near s (shadows w chain 0 (open st) os)) as Es.
  { unfold open. rewrite (shadows_pop (fun b => all_through b st) q); [reflexivity|exact Ht| |].
    - intros x Hx E. now apply (through_code st x Hx).
    - apply member_fits. now constructor. }
  rewrite Es. etransitivity; [apply Hp|].
  - split.
    + intros v Hv. specialize (Hn v (or_intror Hv)). rewrite <- Hn. f_equal.
      apply (map_at (fun x => sched (core x))), open_scheds.
    + intros x Hx. apply Hu. rewrite Hyc. exact Hx.
  - unfold open. clear - Hk. assert (forall f : bwarp -> bool, all_kept z (map (fun x => if f x then advance x else x) st) os) as H.
    { intros f. induction Hk as [|x o st os Hx Hk IH]; [constructor|]. constructor; [|exact IH].
      destruct (f x); [|exact Hx]. unfold advance. destruct (later x); exact Hx. }
    exact (H (fun x => all_through (block x) st)).
  - unfold Chains.chain_own at 1 2. rewrite Ec, El, Hyc, Hyl. cbn [picks]. fold (picks st 1 chain).
    cbn [Chains.rows_alone]. change (spans []) with O.
    destruct (picks st 1 chain) as [|t r]; [destruct (nth 0 (later (at_ w st)) []); cbn [CP.alone]; lia|].
    lia.
Qed.

Lemma open_same q F st w chain : all_through q st = false \/ rows q st = O ->
  in_block q (open st) w chain -> alive (core (at_ w (open st))) chain -> pays F (open st) w chain -> good q F st.
Proof.
  intros Hq Hb Ha Hp. exists w, chain. pose proof (in_block_open _ _ _ _ Hb) as Hm. destruct Hb as [_ Hl].
  assert (rows q (open st) = rows q st) as Er by (rewrite rows_open; destruct Hq as [-> | ->]; [reflexivity|now destruct (all_through q st)]).
  inversion Hm as [|? ? Hw Hch]; subst. rewrite (open_still q) in Ha by assumption.
  split; [split; [assumption|congruence]|]. split; [assumption|].
  intros near s z os [Hn Hu] Hk.
  assert (picks (open st) 0 chain = picks st 0 chain) as Ep.
  { apply picks_same. intros v Hv. rewrite (open_still q); [reflexivity| |assumption]. now apply (proj1 (Forall_forall _ _) Hch). }
  specialize (Hp near s z os). unfold covers in Hp. rewrite Ep, (open_still q) in Hp by assumption.
  assert (charges near s (shadows w chain 0 st os) = charges near s (shadows w chain 0 (open st) os)) as ->; [|apply Hp].
  - unfold open. rewrite (shadows_still (fun b => all_through b st) q); [reflexivity| | |now apply member_fits].
    + intros x Hx E. now apply (through_code st x Hx).
    + intros x Hx Eb E. destruct Hq as [Hq|Hq]; [congruence|]. now apply (rows_zero q st).
  - split; [|exact Hu]. intros v Hv. specialize (Hn v Hv). rewrite <- Hn. f_equal.
    apply (map_at (fun x => sched (core x))), open_scheds.
  - unfold open. clear - Hk. assert (forall f : bwarp -> bool, all_kept z (map (fun x => if f x then advance x else x) st) os) as H.
    { intros f. induction Hk as [|x o st os Hx Hk IH]; [constructor|]. constructor; [|exact IH].
      destruct (f x); [|exact Hx]. unfold advance. destruct (later x); exact Hx. }
    exact (H (fun x => all_through (block x) st)).
Qed.

Lemma open_back q F st : (exists i, member q st i) -> good q F (open st) \/ free q F (open st) -> good q F st \/ free q F st.
Proof.
  intros (i & Hi) H.
  assert (exists w chain, in_block q (open st) w chain /\ pays F (open st) w chain /\
    (alive (core (at_ w (open st))) chain \/ all_through q (open st) = true /\ rows q (open st) <> O)) as (w & chain & Hb & Hp & Ha).
  { destruct H as [(w & chain & H1 & H2 & H3)|(H1 & H2 & H3)].
    - exists w, chain. auto.
    - destruct H3 as (chain & H3). destruct (H3 i) as [H4 H5]; [revert Hi; apply member_same; symmetry; apply open_blocks|].
      exists i, chain. auto. }
  destruct (all_through q st) eqn:Et.
  - destruct (Nat.eq_dec (rows q st) 0) as [Er|Er].
    + left. destruct Ha as [Ha|[_ Ha]]; [now apply open_same with w chain; auto|].
      rewrite rows_open, Et, Er in Ha. now elim Ha.
    + right. split; [assumption|]. split; [assumption|]. exists (w :: chain). intros y Hy. now apply open_pop.
  - left. destruct Ha as [Ha|[Ha _]]; [now apply open_same with w chain; auto|].
    rewrite open_not_through in Ha by assumption. discriminate.
Qed.

Lemma settle_back q F n st : (exists i, member q st i) ->
  good q F (Nat.iter n open st) \/ free q F (Nat.iter n open st) -> good q F st \/ free q F st.
Proof.
  intros Hi. induction n as [|n IH]; [auto|]. change (Nat.iter (S n) open st) with (open (Nat.iter n open st)).
  intros H. apply IH, open_back, H. destruct Hi as (i & Hi). exists i. revert Hi. apply member_same.
  symmetry. apply iter_blocks.
Qed.
End ChainOpenings.
