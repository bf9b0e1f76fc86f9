(** The model of Semantics.v is the machine with one scheduler, occupancy 1, latency 1 and width sigma_L + sigma_C: every
    schedule of the model is one of that machine. So the class is not empty, and its bounds hold of the model. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Semantics Facts.
From Warpspan.Machine Require Import MachineRuns CP.
Import Semantics(letter, L, C, issued, waiting, after, eqb).
Import Facts(eqb_refl).
Notation wanted := Semantics.wants.

Definition num (U : letter) : nat := match U with L => 0 | C => 1 end.
Definition act (b : bool) : action := if b then Some 1 else None.

Section Embed.
Variable sigma : letter -> nat.

Definition one (_ : nat) : nat := 1.
Definition inst_of (u : nat) : nat := match u with 0 => sigma L | 1 => sigma C | _ => 1 end.
Notation itself := (fun u : nat => u).
Notation mlegal := (legal itself inst_of one one (fun _ => false) (sigma L + sigma C)).
Notation mrun := (run itself inst_of one one one (fun _ => false) (sigma L + sigma C)).

(** The same warp in both. *)
Definition same (s : list letter) (v : warp) : Prop :=
  sched v = 0 /\ code v = map num s /\ lat v = 0 /\ longest (held v) = 0.

Lemma same_fresh s : same s (fresh 0 (map num s)).
Proof. repeat split. Qed.

Lemma same_step s v b : same s v -> (b = true -> s <> []) ->
  same (if b then tl s else s) (step itself one v (act b)).
Proof.
  intros (H1 & H2 & H3 & H4) Hb. unfold step, act. destruct b.
  - destruct s as [|U s]; [now elim Hb|]. rewrite H2. cbn [map tl]. repeat split; cbn [sched lat held longest]; auto.
    rewrite longest_age, H4. reflexivity.
  - rewrite H2. destruct s; cbn [map]; repeat split; cbn [sched lat held code]; auto; rewrite ?H3, ?longest_age, ?H4; auto.
Qed.

Lemma same_wants s v U : same s v -> wants itself (num U) v = wanted U s.
Proof.
  intros (H1 & H2 & H3 & H4). unfold wants. rewrite H2, H3. destruct s as [|V s]; [reflexivity|].
  destruct U, V; reflexivity.
Qed.

Lemma same_wants_no s v u : same s v -> 1 < u -> wants itself u v = false.
Proof.
  intros (H1 & H2 & H3 & H4) Hu. unfold wants. rewrite H2, H3. destruct s as [|V s]; [reflexivity|]. cbn.
  destruct u as [|[|u]]; [lia|lia|]. now destruct V.
Qed.

Lemma able_same st m : Semantics.able st m -> forall vs, Forall2 same st vs ->
  Forall2 (able one one) vs (map act m) /\
  Forall2 same (after st m) (next itself one vs (map act m)) /\
  (forall U, total (busy itself (fun _ => false) 0 (num U)) vs (map act m) = issued U st m) /\
  (forall g u, 0 < g \/ 1 < u -> total (busy itself (fun _ => false) g u) vs (map act m) = 0) /\
  total (slot 0) vs (map act m) = issued L st m + issued C st m /\
  (forall g, 0 < g -> total (slot g) vs (map act m) = 0) /\
  (forall U, total (blocked itself 0 (num U)) vs (map act m) = waiting U st m) /\
  (forall g u, 0 < g \/ 1 < u -> total (blocked itself g u) vs (map act m) = 0).
Proof.
  induction 1 as [|s st b m Hb H IH]; intros vs Hs; inversion Hs as [|? v ? vs' Hv Hvs]; subst.
  - cbn. repeat split; constructor.
  - destruct (IH vs' Hvs) as (A1 & A2 & A3 & A4 & A5 & A6 & A7 & A8). clear IH.
    pose proof (same_step s v b Hv Hb) as Hst. pose proof Hv as (H1 & H2 & H3 & H4).
    assert (issues (act b) = b) as Ea by now destruct b.
    cbn [map next after total]. split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]].
    + constructor; [|assumption]. unfold act. destruct b; [|exact I]. split; [assumption|]. rewrite H2.
      destruct s; [now elim Hb|]. cbn. unfold one. lia.
    + constructor; assumption.
    + intros U. rewrite A3. cbn [issued]. f_equal. unfold busy, sees. rewrite H1, Ea, (same_wants s v U Hv), longest_holding; auto.
    + intros g u Hgu. rewrite A4 by assumption. unfold busy, sees. rewrite H1, longest_holding by assumption.
      destruct Hgu as [Hg|Hu]; [destruct g; [lia|reflexivity]|].
      rewrite (same_wants_no s v u Hv Hu), andb_false_r. destruct (_ || _); reflexivity.
    + rewrite A5. cbn [issued]. unfold slot. rewrite H1, Ea. cbn [Nat.eqb andb].
      destruct b; [|cbn; lia]. destruct s as [|[] s]; [now elim Hb|cbn; lia|cbn; lia].
    + intros g Hg. rewrite A6 by assumption. unfold slot. rewrite H1. destruct g; [lia|reflexivity].
    + intros U. rewrite A7. cbn [waiting]. f_equal. unfold blocked. rewrite H1, Ea, (same_wants s v U Hv).
      cbn [Nat.eqb andb]. now rewrite andb_comm.
    + intros g u Hgu. rewrite A8 by assumption. unfold blocked. rewrite H1.
      destruct Hgu as [Hg|Hu]; [destruct g; [lia|reflexivity]|].
      rewrite (same_wants_no s v u Hv Hu), andb_false_r. reflexivity.
Qed.

Lemma legal_same st m vs : Semantics.legal sigma st m -> Forall2 same st vs -> mlegal vs (map act m).
Proof.
  intros [Ha Hc] Hs. destruct (able_same st m Ha vs Hs) as (A1 & _ & A3 & A4 & A5 & A6 & A7 & A8).
  pose proof (Hc L) as HL. pose proof (Hc C) as HC.
  pose proof (A3 L) as BL. pose proof (A3 C) as BC. pose proof (A7 L) as WL. pose proof (A7 C) as WC.
  cbn [num] in BL, BC, WL, WC.
  split; [assumption|]. split; [|split].
  - intros g u. destruct g; [|rewrite A4; lia]. destruct u as [|[|u]]; [| |rewrite A4; lia].
    + rewrite BL. apply HL.
    + rewrite BC. apply HC.
  - intros g. destruct g; [rewrite A5|rewrite A6]; lia.
  - intros g u. destruct g; [|rewrite A8; lia]. destruct u as [|[|u]]; [| |rewrite A8; lia].
    + rewrite WL, BL. intros Hw. left. now apply HL.
    + rewrite WC, BC. intros Hw. left. now apply HC.
Qed.

(** Every schedule of the model is a schedule of the machine, with the same finishes. *)
Theorem model_in_class st ms st' vs : Semantics.run sigma st ms st' -> Forall2 same st vs ->
  exists vs', mrun vs (map (map act) ms) vs' /\ Forall2 same st' vs' /\
    forall i, finish i (map (map act) ms) = Semantics.finish i ms.
Proof.
  intros H; revert vs; induction H as [st|st m ms st' Hm H IH]; intros vs Hs.
  - exists vs. repeat split; auto. constructor.
  - destruct (able_same st m (proj1 Hm) vs Hs) as (_ & A2 & _).
    destruct (IH _ A2) as (vs' & R1 & R2 & R3). exists vs'. split; [|split; [assumption|]].
    + cbn [map]. econstructor; [eapply legal_same; eassumption|assumption].
    + intros i. specialize (R3 i). unfold finish, Semantics.finish in *. cbn [map last_cycle Semantics.last_cycle].
      rewrite R3. change (@None nat) with (act false). rewrite map_nth.
      destruct (nth i m false); reflexivity.
Qed.
End Embed.
