(** Warps at the same place of the same kernel are interchangeable. So a state is told by counts, how many warps are at each
    place, and a legal cycle by how many of them issue. [walk] puts every state that one cycle can lead to into a tree. *)
From Coq Require Import List Arith NArith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Checker Require Import Instance.
From Warpspan.Search Require Import Tree Sweep.
Local Open Scope nat_scope.

(** For one theta: what a warp here earns with the label L and with C before it, and the rest of its own time, see Rest.v. *)
Inductive weight : Set := Weight (earnsL earnsC ownL ownC : Z).

(** A place: what a warp here has still to issue, the unit of its next letter, and whether that letter is its last. *)
Record place : Set := Place { letters : string; unit_of : letter; last : bool; weights : list weight }.

(** Each place is followed by the place that a warp goes to, but for the last of a kernel. Finished warps are left out. *)
Inductive table : list place -> Prop :=
| table_nil : table []
| table_last p ps : letters p = [unit_of p] -> last p = true -> table ps -> table (p :: ps)
| table_more p q ps : letters p = unit_of p :: letters q -> letters q <> [] -> last p = false ->
    table (q :: ps) -> table (p :: q :: ps).

Definition rest (s : string) : state := match s with [] => [] | _ => [s] end.
Definition live (st : state) : state := flat_map rest st.

(** The state [st] has these counts. *)
Definition counted (ps : list place) (st : state) (cs : list nat) : Prop :=
  length cs = length ps /\ Permutation (live st) (map letters (warps_at cs ps)).

(** How many warps want unit U. *)
Fixpoint ready (U : letter) (cs : list nat) (ps : list place) : nat :=
  match cs, ps with
  | n :: cs, p :: ps => (if eqb U (unit_of p) then n else 0) + ready U cs ps
  | _, _ => 0
  end.

(** The states after one cycle in which iL warps issue L and wL wait for it, and iC and wC for C: at a place with n warps,
    k issue. [carry] warps have come from the place before. Each state gets the time v. *)
Fixpoint walk (cs : list nat) (ps : list place) (carry iL wL iC wC : nat) (v : N) (m : tree) {struct cs} : tree :=
  match cs, ps with
  | n :: cs, p :: ps =>
    match n with
    | O => past carry (next (walk cs ps O iL wL iC wC v)) m
    | S _ =>
      match unit_of p with
      | L => let most := min n iL in
             past (carry + (n - most)) (choices (most - (n - wL))
               (fun k => walk cs ps (if last p then O else k) (iL - k) (wL - (n - k)) iC wC v) most) m
      | C => let most := min n iC in
             past (carry + (n - most)) (choices (most - (n - wC))
               (fun k => walk cs ps (if last p then O else k) iL wL (iC - k) (wC - (n - k)) v) most) m
      end
    end
  | _, _ => put v m
  end.

(** The same as a relation. *)
Inductive succ : list nat -> list place -> nat -> nat -> nat -> nat -> nat -> list nat -> Prop :=
| succ_end ps carry iL wL iC wC : succ [] ps carry iL wL iC wC []
| succ_L n k cs p ps carry iL wL iC wC cs' : unit_of p = L -> k <= n -> k <= iL -> n - k <= wL ->
    succ cs ps (if last p then 0 else k) (iL - k) (wL - (n - k)) iC wC cs' ->
    succ (n :: cs) (p :: ps) carry iL wL iC wC (carry + (n - k) :: cs')
| succ_C n k cs p ps carry iL wL iC wC cs' : unit_of p = C -> k <= n -> k <= iC -> n - k <= wC ->
    succ cs ps (if last p then 0 else k) iL wL (iC - k) (wC - (n - k)) cs' ->
    succ (n :: cs) (p :: ps) carry iL wL iC wC (carry + (n - k) :: cs').

Lemma walk_within v : forall cs ps carry iL wL iC wC m, within m (walk cs ps carry iL wL iC wC v m).
Proof.
  induction cs as [|n cs IH]; intros ps carry iL wL iC wC m; cbn [walk]; [apply put_within|].
  destruct ps as [|p ps]; [apply put_within|]. destruct n as [|n].
  - apply past_within. intros m'. apply next_within. intros. apply IH.
  - destruct (unit_of p); apply past_within; intros m'; apply choices_within; intros; apply IH.
Qed.

Lemma walk_find v cs ps carry iL wL iC wC cs' : succ cs ps carry iL wL iC wC cs' ->
  forall m, (v <= find (walk cs ps carry iL wL iC wC v m) cs')%N.
Proof.
  assert (forall j n f c, (forall m, (v <= find (f m) c)%N) -> n = j ->
    forall m, (v <= find (past j (next f) m) (n :: c))%N) as idle.
  { intros j n f c Hf -> m. pose proof (past_find (next f) v 0 c (next_find f v c Hf) j m) as H.
    now rewrite Nat.add_0_r in H. }
  assert (forall j n k i w f c, k <= n -> k <= i -> n - k <= w -> (forall m, (v <= find (f k m) c)%N) ->
    forall m, (v <= find (past (j + (n - min n i)) (choices (min n i - (n - w)) f (min n i)) m)
                      ((j + (n - k))%nat :: c))%N) as some.
  { intros j n k i w f c Hn Hi Hw Hf m.
    replace (j + (n - k)) with (j + (n - min n i) + (min n i - k)) by lia.
    apply past_find. intros m'. apply choices_find; [lia|]. intros m2.
    replace (min n i - (min n i - k)) with k by lia. apply Hf. }
  induction 1 as [|n k cs p ps carry iL wL iC wC cs' HU Hn Hi Hw _ IH
                  |n k cs p ps carry iL wL iC wC cs' HU Hn Hi Hw _ IH]; intros m; [apply put_find| |];
    cbn [walk]; (destruct n as [|n]; [apply idle; [|lia]|rewrite HU; apply some; auto]).
  - assert (k = 0) as -> by lia. rewrite !Nat.sub_0_r in IH. now destruct (last p).
  - assert (k = 0) as -> by lia. rewrite !Nat.sub_0_r in IH. now destruct (last p).
Qed.

(** * Every legal cycle is one of these

    Warps with their part of a cycle, in any order. *)

Fixpoint zip (st : state) (m : cycle) : list (string * bool) :=
  match st, m with
  | [] :: st, _ :: m => zip st m
  | s :: st, b :: m => (s, b) :: zip st m
  | _, _ => []
  end.

Definition issues U (z : list (string * bool)) : nat :=
  list_sum (map (fun p => if snd p && wants U (fst p) then 1 else 0) z).
Definition stays U (z : list (string * bool)) : nat :=
  list_sum (map (fun p => if negb (snd p) && wants U (fst p) then 1 else 0) z).
Definition moved (z : list (string * bool)) : state :=
  flat_map (fun p : string * bool => rest (if snd p then tl (fst p) else fst p)) z.

Lemma zip_spec st m : able st m ->
  map fst (zip st m) = live st /\ live (after st m) = moved (zip st m) /\
  forall U, issues U (zip st m) = issued U st m /\ stays U (zip st m) = waiting U st m.
Proof.
  induction 1 as [|s st b m Hb H (IH1 & IH2 & IH3)]; [repeat split|].
  destruct s as [|V s].
  - assert (b = false) as -> by (destruct b; [now elim Hb|reflexivity]).
    cbn [zip live flat_map rest after moved issued waiting wants andb negb app Nat.add]. auto.
  - cbn [zip]. split; [cbn; now rewrite IH1|]. split.
    + cbn [after live flat_map moved fst snd]. f_equal. apply IH2.
    + intros U. specialize (IH3 U). unfold issues, stays in *. cbn [map fst snd issued waiting].
      destruct IH3 as [<- <-]. split; reflexivity.
Qed.

Lemma list_sum_perm l l' : Permutation l l' -> list_sum l = list_sum l'.
Proof. unfold list_sum. induction 1; cbn [fold_right] in *; lia. Qed.

Lemma issues_perm U z z' : Permutation z z' -> issues U z = issues U z'.
Proof. intros H. apply list_sum_perm, Permutation_map, H. Qed.

Lemma stays_perm U z z' : Permutation z z' -> stays U z = stays U z'.
Proof. intros H. apply list_sum_perm, Permutation_map, H. Qed.

Lemma moved_perm z z' : Permutation z z' -> Permutation (moved z) (moved z').
Proof. intros H. apply Permutation_flat_map, H. Qed.

Lemma issues_app U z z' : issues U (z ++ z') = issues U z + issues U z'.
Proof. unfold issues. now rewrite map_app, list_sum_app. Qed.

Lemma stays_app U z z' : stays U (z ++ z') = stays U z + stays U z'.
Proof. unfold stays. now rewrite map_app, list_sum_app. Qed.

Lemma moved_app z z' : moved (z ++ z') = moved z ++ moved z'.
Proof. apply flat_map_app. Qed.

(** n warps at one place: k of them issue. *)
Lemma one_place U r n : forall z, map fst z = repeat (U :: r) n -> exists k, k <= n /\
  (forall V, issues V z = if eqb V U then k else 0) /\
  (forall V, stays V z = if eqb V U then n - k else 0) /\
  Permutation (moved z) (repeat (U :: r) (n - k) ++ flat_map rest (repeat r k)).
Proof.
  induction n as [|n IH]; intros [|[s b] z]; cbn [map repeat]; try discriminate.
  - intros _. exists 0. repeat split; auto; intros V; now destruct (eqb V U).
  - intros [= -> Hz]. destruct (IH z Hz) as (k & Hk & Hi & Hs & Hp).
    change ((U :: r, b) :: z) with ([(U :: r, b)] ++ z).
    destruct b; [exists (S k)|exists k]; (split; [lia|split; [|split]]).
    + intros V. rewrite issues_app, Hi. unfold issues, list_sum. cbn [map fst snd fold_right andb wants].
      destruct (eqb V U); lia.
    + intros V. rewrite stays_app, Hs. unfold stays. cbn. now destruct (eqb V U).
    + rewrite moved_app. cbn [moved flat_map fst snd tl repeat Nat.sub].
      rewrite app_nil_r, Permutation_app_comm, Hp, <- app_assoc. apply Permutation_app_head, Permutation_app_comm.
    + intros V. rewrite issues_app, Hi. unfold issues. cbn. now destruct (eqb V U).
    + intros V. rewrite stays_app, Hs. unfold stays, list_sum. cbn [map fst snd fold_right andb negb wants].
      destruct (eqb V U); lia.
    + rewrite moved_app. replace (S n - k) with (S (n - k)) by lia.
      cbn [moved flat_map fst snd repeat app rest]. now constructor.
Qed.

Definition here (ps : list place) : string := match ps with p :: _ => letters p | [] => [] end.

Lemma flat_map_rest s n : s <> [] -> flat_map rest (repeat s n) = repeat s n.
Proof. intros Hs. destruct s; [congruence|]. induction n; cbn; congruence. Qed.

Lemma flat_map_rest_nil n : flat_map rest (repeat [] n) = [].
Proof. induction n; auto. Qed.

Lemma map_letters_repeat p n : map letters (repeat p n) = repeat (letters p) n.
Proof. induction n; cbn; congruence. Qed.

(** What [table] says of its first place. *)
Definition leads (p : place) (ps : list place) : Prop := exists r, letters p = unit_of p :: r /\
  ((r = [] /\ last p = true) \/ (r <> [] /\ r = here ps /\ last p = false /\ ps <> [])).

Lemma table_leads (P : list place -> Prop) :
  P [] -> (forall p ps, leads p ps -> P ps -> P (p :: ps)) -> forall ps, table ps -> P ps.
Proof.
  intros H0 Hs. induction 1 as [|p ps Hp Hf Ht IH|p q ps Hp Hq Hf Ht IH]; [assumption| |]; apply Hs; auto.
  - exists []. auto.
  - exists (letters q). split; [assumption|]. right. repeat split; auto. discriminate.
Qed.

Lemma every_succ ps : table ps -> forall z cs carry iL wL iC wC,
  length cs = length ps -> (ps = [] -> carry = 0) -> map fst z = map letters (warps_at cs ps) ->
  issues L z <= iL -> stays L z <= wL -> issues C z <= iC -> stays C z <= wC ->
  exists cs', succ cs ps carry iL wL iC wC cs' /\ length cs' = length ps /\
    Permutation (repeat (here ps) carry ++ moved z) (map letters (warps_at cs' ps)).
Proof.
  intros Ht. pattern ps. apply table_leads; [| |exact Ht]; clear ps Ht.
  - intros z [|n cs] carry iL wL iC wC Hlen H0 Hz _ _ _ _; [|easy].
    rewrite (H0 eq_refl). destruct z; [|discriminate]. exists []. repeat split; constructor.
  - intros p ps (r & Hp & Hr) IH z [|n cs] carry iL wL iC wC Hlen _ Hz HiL HwL HiC HwC; [easy|].
    cbn [warps_at] in Hz. rewrite map_app, map_letters_repeat in Hz.
    apply map_eq_app in Hz. destruct Hz as (z1 & z2 & -> & H1 & H2). rewrite Hp in H1.
    destruct (one_place _ _ _ _ H1) as (k & Hk & Hi & Hs & Hm).
    rewrite issues_app, Hi in HiL, HiC. rewrite stays_app, Hs in HwL, HwC.
    assert (flat_map rest (repeat r k) = repeat (here ps) (if last p then 0 else k)) as Hcarry.
    { destruct Hr as [(-> & ->)|(Hr & -> & -> & _)]; [apply flat_map_rest_nil|now apply flat_map_rest]. }
    assert (ps = [] -> (if last p then 0 else k) = 0) as Hc0.
    { destruct Hr as [(_ & ->)|(_ & _ & -> & Hq)]; [auto|intros; contradiction]. }
    cbn [length] in Hlen. injection Hlen as Hlen.
    assert (forall cs', Permutation (repeat (here ps) (if last p then 0 else k) ++ moved z2) (map letters (warps_at cs' ps)) ->
      Permutation (repeat (here (p :: ps)) carry ++ moved (z1 ++ z2))
        (map letters (warps_at (carry + (n - k) :: cs') (p :: ps)))) as Hperm.
    { intros cs' Hq. cbn [here warps_at].
      rewrite map_app, map_letters_repeat, Hp, repeat_app, moved_app, Hm, Hcarry, <- !app_assoc.
      do 2 apply Permutation_app_head. exact Hq. }
    destruct (unit_of p) eqn:HU; cbn [eqb] in *.
    + destruct (IH z2 cs (if last p then 0 else k) (iL - k) (wL - (n - k)) iC wC Hlen Hc0 H2
        ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as (cs' & Hsucc & Hl & Hq).
      exists (carry + (n - k) :: cs'). split; [apply succ_L; auto; lia|]. split; [cbn; lia|auto].
    + destruct (IH z2 cs (if last p then 0 else k) iL wL (iC - k) (wC - (n - k)) Hlen Hc0 H2
        ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as (cs' & Hsucc & Hl & Hq).
      exists (carry + (n - k) :: cs'). split; [apply succ_C; auto; lia|]. split; [cbn; lia|auto].
Qed.

Lemma ready_spec ps : table ps -> forall z cs U, length cs = length ps -> map fst z = map letters (warps_at cs ps) ->
  issues U z + stays U z = ready U cs ps.
Proof.
  intros Ht. pattern ps. apply table_leads; [| |exact Ht]; clear ps Ht.
  - intros z [|n cs] U Hlen Hz; [|easy]. destruct z; [|discriminate]. reflexivity.
  - intros p ps (r & Hp & _) IH z [|n cs] U Hlen Hz; [easy|].
    cbn [warps_at] in Hz. rewrite map_app, map_letters_repeat in Hz.
    apply map_eq_app in Hz. destruct Hz as (z1 & z2 & -> & H1 & H2). rewrite Hp in H1.
    destruct (one_place _ _ _ _ H1) as (k & Hk & Hi & Hs & _).
    rewrite issues_app, stays_app, Hi, Hs. cbn [ready]. injection Hlen as Hlen.
    rewrite <- (IH z2 cs U Hlen H2). destruct (eqb U (unit_of p)); lia.
Qed.

(** Every legal cycle leads to one of the states of [succ]. *)
Theorem every_cycle sL sC ps st cs m : table ps -> counted ps st cs -> legal (units sL sC) st m ->
  let rL := ready L cs ps in let rC := ready C cs ps in
  let iL := min rL sL in let iC := min rC sC in
  exists cs', succ cs ps 0 iL (rL - iL) iC (rC - iC) cs' /\ counted ps (after st m) cs'.
Proof.
  intros Ht [Hlen Hperm] [Ha Hc] rL rC iL iC.
  destruct (zip_spec st m Ha) as (Z1 & Z2 & Z3). rewrite <- Z1 in Hperm.
  apply Permutation_sym, Permutation_map_inv in Hperm. destruct Hperm as (z & Hz & Hp). symmetry in Hz.
  assert (forall U, issues U z = issued U st m /\ stays U z = waiting U st m) as Hn.
  { intros U. rewrite <- (issues_perm U _ _ Hp), <- (stays_perm U _ _ Hp). apply Z3. }
  assert (forall U, issued U st m + waiting U st m = ready U cs ps) as Hr.
  { intros U. destruct (Hn U) as [<- <-]. now apply ready_spec. }
  pose proof (Hc L) as HL. pose proof (Hc C) as HC. pose proof (Hr L) as RL. pose proof (Hr C) as RC.
  cbn [units] in HL, HC. destruct (Hn L) as [NL1 NL2]. destruct (Hn C) as [NC1 NC2].
  destruct (every_succ ps Ht z cs 0 iL (rL - iL) iC (rC - iC)) as (cs' & Hs & Hl & Hq);
    auto; try (subst iL iC rL rC; lia).
  exists cs'. split; [assumption|]. split; [assumption|]. rewrite Z2, (moved_perm _ _ Hp). exact Hq.
Qed.
