(** Chains of warps, one of a block for each segment, and what one cycle does to what a chain and the others have left
    (docs/machines.md, barriers). *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks.

(** * Holds of the chain and holds of others

    [kept z h o]: of the instances in h those in o were taken by letters outside the chain, and the chain's are all given back
    after z cycles. *)
Inductive kept (z : nat) : list (nat * nat) -> list (nat * nat) -> Prop :=
| kept_nil : kept z [] []
| kept_both e h o : kept z h o -> kept z (e :: h) (e :: o)
| kept_own u r h o : r <= z -> kept z h o -> kept z ((u, r) :: h) o.

Lemma kept_refl z h : kept z h h.
Proof. induction h; constructor; auto. Qed.

Lemma kept_more z z' h o : z <= z' -> kept z h o -> kept z' h o.
Proof. intros Hz H; induction H; constructor; auto; lia. Qed.

Lemma kept_age z h o : kept z h o -> kept (pred z) (age h) (age o).
Proof.
  intros H; induction H as [|[u r] h o H IH|u r h o Hr H IH]; cbn [age map fst snd]; [constructor|..].
  - now apply kept_both.
  - apply kept_own; [lia|exact IH].
Qed.

Lemma kept_holding u h o : kept 0 h o -> holding u h = holding u o.
Proof.
  intros H; induction H as [|[x r] h o H IH|x r h o Hr H IH]; cbn [holding]; [reflexivity|now rewrite IH|].
  replace r with 0 by lia. now rewrite andb_false_r, IH.
Qed.

(** * Chains *)

(** The letters of warp i's later segments that the chain leaves out; the chain has one warp for each row of segments. *)
Fixpoint outside (i : nat) (rows : list (list nat)) (chain : list nat) : list nat :=
  match rows, chain with
  | s :: rows, w :: chain => (if w =? i then [] else s) ++ outside i rows chain
  | s :: rows, [] => s ++ outside i rows []
  | [], _ => []
  end.

(** The chain's own segments, from row k on. *)
Fixpoint picks (st : list bwarp) (k : nat) (chain : list nat) : list (list nat) :=
  match chain with
  | w :: chain => nth k (later (at_ w st)) [] :: picks st (S k) chain
  | [] => []
  end.

Lemma outside_free i rows chain : ~ In i chain -> outside i rows chain = concat rows.
Proof.
  revert chain; induction rows as [|s rows IH]; intros [|w chain] H; cbn [outside concat]; auto.
  - now rewrite IH.
  - cbn [In] in H. destruct (Nat.eqb_spec w i); [tauto|]. now rewrite IH by tauto.
Qed.

Section Chains.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation span := (span occ hi).
Notation alone := (alone occ hi).
Notation brun := (brun unit inst occ lo hi shared width).
Notation legal := (legal unit inst lo hi shared width).
Notation bstep := (bstep unit occ).
Notation step := (step unit occ).
Notation able := (able lo hi).

(** What the chain takes by itself: a segment takes max(hi, n) cycles for each letter, but the last letter of the last row
    takes one cycle. *)
Definition spans (s : list nat) : nat := list_sum (map span s).

Fixpoint rows_alone (rows : list (list nat)) : nat :=
  match rows with
  | [] => 0
  | s :: rows => match rows with [] => alone s | _ => spans s + rows_alone rows end
  end.

(** The same with part of the first segment done: v is the warp at hand, and z tells for how long the chain still holds
    instances. *)
Definition chain_own (v : warp) (z : nat) (rest : list (list nat)) : nat :=
  match rest with
  | [] => match code v with [] => 0 | s => Nat.max (lat v) z + alone s end
  | _ => Nat.max (lat v) z + spans (code v) + rows_alone rest
  end.

Lemma span_pos x : 1 <= span x.
Proof. unfold CP.span. specialize (occ_pos x). lia. Qed.

Lemma alone_pos x s : 1 <= alone (x :: s).
Proof. cbn. destruct s; [lia|]. pose proof (span_pos x). lia. Qed.

Lemma alone_cons x s : alone (x :: s) <= span x + alone s /\ (s <> [] -> alone (x :: s) = span x + alone s).
Proof. pose proof (span_pos x). destruct s; cbn; [split; [lia|congruence]|]. split; [lia|reflexivity]. Qed.

(** The head of the chain is still to be waited for. *)
Definition alive (v : warp) (chain : list nat) : Prop := code v <> [] \/ chain <> [] /\ 0 < lat v.

Lemma picks_length st k chain : length (picks st k chain) = length chain.
Proof. revert k; induction chain; intros k; cbn [picks length]; auto. Qed.

Lemma chain_own_issue v z rest l : able v (Some l) ->
  let z' := Nat.max (pred z) (match code v with x :: _ => pred (occ x) | [] => 0 end) in
  1 + chain_own (step v (Some l)) z' rest <= chain_own v z rest.
Proof.
  intros [Hl Hr] z'. subst z'. unfold chain_own, MachineRuns.step. destruct (code v) as [|x s]; [tauto|]. cbn [code lat].
  pose proof (span_pos x). pose proof (occ_pos x).
  assert (Nat.max (pred l) (Nat.max (pred z) (pred (occ x))) + 1 <= Nat.max (lat v) z + span x) as H1.
  { unfold CP.span. lia. }
  destruct rest as [|t rest].
  - destruct s as [|y s]; [pose proof (alone_pos x []); lia|].
    rewrite (proj2 (alone_cons x (y :: s))) by discriminate. lia.
  - unfold spans. cbn [map list_sum fold_right]. fold (list_sum (map span s)). lia.
Qed.

Lemma chain_own_idle v z rest chain : alive v chain -> length rest = length chain -> 0 < Nat.max (lat v) z ->
  1 + chain_own (step v None) (pred z) rest <= chain_own v z rest.
Proof.
  intros Ha Hl Hz. unfold chain_own, MachineRuns.step. cbn [code lat]. destruct rest as [|t rest].
  - destruct chain; [|discriminate]. destruct Ha as [Ha|[Ha _]]; [|congruence].
    destruct (code v); [congruence|]. cbn [code]. lia.
  - assert (match code v with [] => 0 | _ => 0 end = 0) by (now destruct (code v)). destruct (code v); cbn [code]; lia.
Qed.

Lemma chain_own_wait v z rest : chain_own (step v None) (pred z) rest <= chain_own v z rest.
Proof.
  unfold chain_own, MachineRuns.step. destruct (code v) eqn:E; cbn [code lat]; rewrite ?E; destruct rest; lia.
Qed.

Local Open Scope Z_scope.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : 0 < N.
Hypothesis wi_unit : forall u, Z.of_nat (inst u) * wi u = N.
Hypothesis wd_pos : 0 <= wd.

Notation charge := (charge unit occ shared wi wd).
Notation charges := (charges unit occ shared wi wd).
Notation charges_pos := (charges_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos).

(** The width limits, or no scheduler has more warps than slots. *)
Definition width_worth (st : list bwarp) : Prop :=
  Z.of_nat width * wd = N \/ wd = 0 /\ forall g, (crowd g (map core st) <= width)%nat.

(** The warps with the letters and the instances that are the chain's left out: w is the chain's warp at hand, and [os] has
    for each warp the instances that were taken outside the chain. *)
Fixpoint shadows (w : nat) (chain : list nat) (i : nat) (st : list bwarp) (os : list (list (nat * nat))) : list warp :=
  match st, os with
  | x :: st, o :: os =>
    Warp (sched (core x)) ((if (w =? i)%nat then [] else code (core x)) ++ outside i (later x) chain) (lat (core x)) o ::
    shadows w chain (S i) st os
  | _, _ => []
  end.

Definition all_kept (z : nat) (st : list bwarp) (os : list (list (nat * nat))) : Prop :=
  Forall2 (fun x o => kept z (held (core x)) o) st os.

(** ** One cycle *)

Fixpoint taken (w i : nat) (st : list bwarp) (m : actions) (os : list (list (nat * nat))) : list (list (nat * nat)) :=
  match st, m, os with
  | x :: st, a :: m, o :: os =>
    match a, code (core x) with
    | Some _, y :: _ => if (w =? i)%nat then age o else (unit y, pred (occ y)) :: age o
    | _, _ => age o
    end :: taken w (S i) st m os
  | _, _, _ => []
  end.

Section OneWarp.
Variables (near : nat -> bool) (g : nat) (s : list nat) (v : warp) (own : bool) (more : list nat) (o : list (nat * nat)).
Hypothesis Hg : near g = true.
Let shadow := Warp (sched v) ((if own then [] else code v) ++ more) (lat v) o.
Let shadow' a := Warp (sched (step v a)) ((if own then [] else code (step v a)) ++ more) (lat (step v a))
  match a, code v with
  | Some _, y :: _ => if own then age o else (unit y, pred (occ y)) :: age o
  | _, _ => age o
  end.
Let act (a : action) : action := if own then None else a.

Lemma shadow_step a : able v a -> charge near s (shadow' a) = charge near s (step shadow (act a)) /\ able shadow (act a).
Proof.
  intros Ha. unfold shadow', shadow, act, MachineRuns.step. destruct own.
  - split; [|exact I]. destruct a as [l|], (code v) as [|y c]; cbn [code sched held lat app];
      try destruct more; reflexivity.
  - destruct a as [l|].
    + destruct Ha as [Hl Hr]. destruct (code v) as [|y c]; [tauto|]. cbn [code sched held lat app].
      split; [reflexivity|]. split; assumption.
    + split; [|exact I]. destruct (code v) as [|y c]; cbn [code sched held lat app]; try destruct more; reflexivity.
Qed.

Lemma shadow_slot a : able v a -> (own = true -> a = None) ->
  wd * Z.of_nat (slot g v a) + charge near s (shadow' a) <= charge near s shadow.
Proof.
  intros Ha Hown. destruct (shadow_step a Ha) as [-> Ha'].
  pose proof (charge_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near g s shadow (act a) Hg Ha') as H.
  assert (slot g shadow (act a) = slot g v a) as E; [|now rewrite E in H].
  unfold slot, act, shadow. cbn [sched]. destruct own; [rewrite Hown by reflexivity|]; reflexivity.
Qed.

Lemma shadow_mono a : able v a -> charge near s (shadow' a) <= charge near s shadow.
Proof.
  intros Ha. destruct (shadow_step a Ha) as [-> Ha'].
  pose proof (charge_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near g s shadow (act a) Hg Ha'). nia.
Qed.

Lemma shadow_busy a u : able v a -> (own = true -> a = None) -> occurs u s = true -> kept 0 (held v) o ->
  wi u * Z.of_nat (busy unit shared g u v a) + charge near s (shadow' a) <= charge near s shadow.
Proof.
  intros Ha Hown Hu Hk. destruct (shadow_step a Ha) as [-> Ha'].
  pose proof (charge_busy unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near g s shadow (act a) u Hg Ha' Hu) as H.
  assert (busy unit shared g u shadow (act a) = busy unit shared g u v a) as E; [|now rewrite E in H].
  unfold busy, shadow. cbn [sched held]. rewrite (kept_holding u _ _ Hk). destruct (sees shared g u (sched v)); [|reflexivity].
  f_equal. unfold act. destruct own; [rewrite Hown by reflexivity; reflexivity|].
  destruct a as [l|]; [|reflexivity]. destruct Ha as [Hl Hr]. unfold wants. cbn [lat code]. destruct (code v); [tauto|reflexivity].
Qed.
End OneWarp.

Section Cycle.
Variables (near : nat -> bool) (g : nat) (s : list nat) (w : nat) (chain : list nat).
Hypothesis Hg : near g = true.
Notation before i st os := (charges near s (shadows w chain i st os)).
Notation later_on i st m os := (charges near s (shadows w chain i (bstep st m) (taken w i st m os))).

Lemma cycle_mono z i st m os : Forall2 able (map core st) m -> all_kept z st os ->
  later_on i st m os <= before i st os.
Proof.
  intros Ha Hk. revert i m Ha; induction Hk as [|x o st os Hx Hk IH]; intros i m Ha; [destruct m; cbn; lia|].
  cbn [map] in Ha. inversion Ha as [|? a ? m' Ha1 Ha2]; subst. specialize (IH (S i) m' Ha2).
  cbn [MachineBlocks.bstep taken shadows core MachineBlocks.later block]. unfold CP.charges in *. cbn [map CP.sumZ].
  pose proof (shadow_mono near g s (core x) (w =? i)%nat (outside i (later x) chain) o Hg a Ha1) as H. cbv zeta beta in H. lia.
Qed.

Lemma cycle_slot z i st m os : Forall2 able (map core st) m -> all_kept z st os ->
  (forall j, i + j = w -> nth j m None = None)%nat ->
  wd * Z.of_nat (total (slot g) (map core st) m) + later_on i st m os <= before i st os.
Proof.
  intros Ha Hk. revert i m Ha; induction Hk as [|x o st os Hx Hk IH]; intros i m Ha Hw; [destruct m; cbn; lia|].
  cbn [map] in Ha. inversion Ha as [|? a ? m' Ha1 Ha2]; subst.
  specialize (IH (S i) m' Ha2 ltac:(intros j Hj; apply (Hw (S j)); lia)).
  cbn [MachineBlocks.bstep taken shadows core MachineBlocks.later block map total]. unfold CP.charges in *. cbn [map CP.sumZ].
  pose proof (shadow_slot near g s (core x) (w =? i)%nat (outside i (later x) chain) o Hg a Ha1
    ltac:(intros E; apply Nat.eqb_eq in E; apply (Hw O); lia)) as H. cbv zeta beta in H. lia.
Qed.

Lemma cycle_busy u i st m os : Forall2 able (map core st) m -> all_kept 0 st os -> occurs u s = true ->
  (forall j, i + j = w -> nth j m None = None)%nat ->
  wi u * Z.of_nat (total (busy unit shared g u) (map core st) m) + later_on i st m os <= before i st os.
Proof.
  intros Ha Hk Hu. revert i m Ha; induction Hk as [|x o st os Hx Hk IH]; intros i m Ha Hw; [destruct m; cbn; lia|].
  cbn [map] in Ha. inversion Ha as [|? a ? m' Ha1 Ha2]; subst.
  specialize (IH (S i) m' Ha2 ltac:(intros j Hj; apply (Hw (S j)); lia)).
  cbn [MachineBlocks.bstep taken shadows core MachineBlocks.later block map total]. unfold CP.charges in *. cbn [map CP.sumZ].
  pose proof (shadow_busy near g s (core x) (w =? i)%nat (outside i (later x) chain) o Hg a u Ha1
    ltac:(intros E; apply Nat.eqb_eq in E; apply (Hw O); lia) Hu Hx) as H. cbv zeta beta in H. lia.
Qed.
End Cycle.

Lemma taken_kept w z z' i st m os : Forall2 able (map core st) m -> all_kept z st os -> (pred z <= z')%nat ->
  (forall j x, i + j = w -> nth j m None <> None -> hd_error (code (core (at_ j st))) = Some x -> pred (occ x) <= z')%nat ->
  all_kept z' (bstep st m) (taken w i st m os).
Proof.
  intros Ha Hk Hz. revert i m Ha; induction Hk as [|x o st os Hx Hk IH]; intros i m Ha Hw; [destruct m; constructor|].
  cbn [map] in Ha. inversion Ha as [|? a ? m' Ha1 Ha2]; subst.
  cbn [MachineBlocks.bstep taken]. constructor.
  - cbn [core]. apply kept_age in Hx. apply (kept_more _ z') in Hx; [|assumption].
    unfold MachineRuns.step. destruct a as [l|], (code (core x)) as [|y c] eqn:Ec; cbn [held]; auto.
    destruct (Nat.eqb_spec w i) as [E|]; [|now apply kept_both]. apply kept_own; [|assumption].
    apply (Hw O); [lia|discriminate|]. unfold at_. cbn [nth]. now rewrite Ec.
  - apply IH; [assumption|]. intros j y Hj. apply (Hw (S j)). lia.
Qed.
End Chains.
