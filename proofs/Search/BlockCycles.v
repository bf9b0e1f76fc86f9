(** The same for blocks with barriers: the counts of one cycle. Warps are interchangeable if they are of one block and have
    the same string left in the segment at hand. A warp that waits at a barrier is counted too, at a place with nothing left;
    so the segment that a block is in can be told from its counts. *)
From Coq Require Import List Arith NArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Checker Require Import Instance.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Search Require Import Tree Sweep Cycles.
Local Open Scope nat_scope.

(** A place is what a warp there has left of its segment. [bwalk] is [walk] of Cycles.v, where a warp stays when nothing is
    left. *)
Fixpoint bwalk (cs : list nat) (ps : list string) (carry iL wL iC wC : nat) (v : N) (m : tree) {struct cs} : tree :=
  match cs, ps with
  | n :: cs, s :: ps =>
    match n, s with
    | S _, L :: _ =>
      let most := min n iL in
      past (carry + (n - most)) (choices (most - (n - wL))
        (fun k => bwalk cs ps k (iL - k) (wL - (n - k)) iC wC v) most) m
    | S _, C :: _ =>
      let most := min n iC in
      past (carry + (n - most)) (choices (most - (n - wC))
        (fun k => bwalk cs ps k iL wL (iC - k) (wC - (n - k)) v) most) m
    | _, _ => past (carry + n) (next (bwalk cs ps O iL wL iC wC v)) m
    end
  | _, _ => put v m
  end.

Inductive bsucc : list nat -> list string -> nat -> nat -> nat -> nat -> nat -> list nat -> Prop :=
| bsucc_end ps carry iL wL iC wC : bsucc [] ps carry iL wL iC wC []
| bsucc_idle n cs s ps carry iL wL iC wC cs' : n = 0 \/ s = [] ->
    bsucc cs ps 0 iL wL iC wC cs' -> bsucc (n :: cs) (s :: ps) carry iL wL iC wC (carry + n :: cs')
| bsucc_L n k cs r ps carry iL wL iC wC cs' : k <= n -> k <= iL -> n - k <= wL ->
    bsucc cs ps k (iL - k) (wL - (n - k)) iC wC cs' ->
    bsucc (n :: cs) ((L :: r) :: ps) carry iL wL iC wC (carry + (n - k) :: cs')
| bsucc_C n k cs r ps carry iL wL iC wC cs' : k <= n -> k <= iC -> n - k <= wC ->
    bsucc cs ps k iL wL (iC - k) (wC - (n - k)) cs' ->
    bsucc (n :: cs) ((C :: r) :: ps) carry iL wL iC wC (carry + (n - k) :: cs').

Lemma bwalk_within v : forall cs ps carry iL wL iC wC m, within m (bwalk cs ps carry iL wL iC wC v m).
Proof.
  induction cs as [|n cs IH]; intros ps carry iL wL iC wC m; cbn [bwalk]; [apply put_within|].
  destruct ps as [|s ps]; [apply put_within|].
  destruct n as [|n]; [|destruct s as [|[] s]]; apply past_within; intros m';
    try (apply next_within; intros; apply IH); apply choices_within; intros; apply IH.
Qed.

Lemma bwalk_find v cs ps carry iL wL iC wC cs' : bsucc cs ps carry iL wL iC wC cs' ->
  forall m, (v <= find (bwalk cs ps carry iL wL iC wC v m) cs')%N.
Proof.
  assert (forall j f c, (forall m, (v <= find (f m) c)%N) ->
    forall m, (v <= find (past j (next f) m) (j :: c))%N) as idle.
  { intros j f c Hf m. pose proof (past_find (next f) v 0 c (next_find f v c Hf) j m) as H.
    now rewrite Nat.add_0_r in H. }
  assert (forall j n k i w f c, k <= n -> k <= i -> n - k <= w -> (forall m, (v <= find (f k m) c)%N) ->
    forall m, (v <= find (past (j + (n - min n i)) (choices (min n i - (n - w)) f (min n i)) m)
                      ((j + (n - k))%nat :: c))%N) as some.
  { intros j n k i w f c Hn Hi Hw Hf m.
    replace (j + (n - k)) with (j + (n - min n i) + (min n i - k)) by lia.
    apply past_find. intros m'. apply choices_find; [lia|]. intros m2.
    replace (min n i - (min n i - k)) with k by lia. apply Hf. }
  induction 1 as [|n cs s ps carry iL wL iC wC cs' Hs _ IH
                  |n k cs r ps carry iL wL iC wC cs' Hn Hi Hw _ IH
                  |n k cs r ps carry iL wL iC wC cs' Hn Hi Hw _ IH]; intros m; [apply put_find| | |]; cbn [bwalk].
  - destruct n as [|n]; [now apply idle|]. destruct Hs as [Hs| ->]; [discriminate|]. now apply idle.
  - destruct n as [|n]; [|apply some; auto].
    assert (k = 0) as -> by lia. rewrite !Nat.sub_0_r in IH. cbn [Nat.sub]. now apply idle.
  - destruct n as [|n]; [|apply some; auto].
    assert (k = 0) as -> by lia. rewrite !Nat.sub_0_r in IH. cbn [Nat.sub]. now apply idle.
Qed.

(** * Warps with their part of a cycle, in any order *)

Notation part := (string * bool)%type.
Definition stepped (z : list part) : state := map (fun p : part => if snd p then tl (fst p) else fst p) z.

Lemma combine_spec st m : length m = length st ->
  map fst (combine st m) = st /\ stepped (combine st m) = after st m /\
  forall U, issues U (combine st m) = issued U st m /\ stays U (combine st m) = waiting U st m.
Proof.
  revert m; induction st as [|s st IH]; intros [|b m] H; try discriminate; [repeat split|].
  injection H as H. destruct (IH m H) as (H1 & H2 & H3). cbn [combine map fst stepped snd after].
  split; [now rewrite H1|]. split; [f_equal; exact H2|]. intros U. specialize (H3 U). unfold issues, stays in *.
  cbn [map fst snd issued waiting]. destruct H3 as [<- <-]. split; reflexivity.
Qed.

Lemma stepped_app z z' : stepped (z ++ z') = stepped z ++ stepped z'.
Proof. apply map_app. Qed.

Lemma arrived_place n : forall z, map fst z = repeat [] n ->
  (forall U, issues U z = 0 /\ stays U z = 0) /\ stepped z = repeat [] n.
Proof.
  induction n as [|n IH]; intros [|[s b] z]; cbn [map repeat]; try discriminate; [repeat split|].
  intros [= -> Hz]. destruct (IH z Hz) as [H1 H2]. split.
  - intros U. destruct (H1 U) as [E1 E2]. unfold issues, stays, list_sum in *. cbn [map fst snd fold_right wants].
    rewrite !andb_false_r. auto.
  - cbn [stepped map fst snd tl]. unfold stepped in H2. rewrite H2. now destruct b.
Qed.

Lemma one_block_place U r n : forall z, map fst z = repeat (U :: r) n -> exists k, k <= n /\
  (forall V, issues V z = if eqb V U then k else 0) /\
  (forall V, stays V z = if eqb V U then n - k else 0) /\
  Permutation (stepped z) (repeat (U :: r) (n - k) ++ repeat r k).
Proof.
  induction n as [|n IH]; intros [|[s b] z]; cbn [map repeat]; try discriminate.
  - intros _. exists 0. repeat split; auto; intros V; now destruct (eqb V U).
  - intros [= -> Hz]. destruct (IH z Hz) as (k & Hk & Hi & Hs & Hp).
    change ((U :: r, b) :: z) with ([(U :: r, b)] ++ z).
    destruct b; [exists (S k)|exists k]; (split; [lia|split; [|split]]).
    + intros V. rewrite issues_app, Hi. unfold issues, list_sum. cbn [map fst snd fold_right andb wants].
      destruct (eqb V U); lia.
    + intros V. rewrite stays_app, Hs. unfold stays. cbn. now destruct (eqb V U).
    + rewrite stepped_app. cbn [stepped map fst snd tl repeat Nat.sub app]. rewrite Hp. apply Permutation_middle.
    + intros V. rewrite issues_app, Hi. unfold issues. cbn. now destruct (eqb V U).
    + intros V. rewrite stays_app, Hs. unfold stays, list_sum. cbn [map fst snd fold_right andb negb wants].
      destruct (eqb V U); lia.
    + rewrite stepped_app. replace (S n - k) with (S (n - k)) by lia.
      cbn [stepped map fst snd repeat app]. now constructor.
Qed.

(** * One segment, a row of segments *)

(** The places of a segment: what can be left of it. *)
Fixpoint suffixes (s : string) : list string := match s with [] => [[]] | _ :: s' => s :: suffixes s' end.

(** A row has for each group of the block a segment and its warps. *)
Definition row_places (r : list group) : list string := flat_map (fun g => suffixes (fst g)) r.

Definition zeros {P} (ps : list P) : list nat := map (fun _ => O) ps.

(** What issues and waits in z is within what issues and waits in all. *)
Definition room (z : list part) (iL wL iC wC : nat) : Prop :=
  issues L z <= iL /\ stays L z <= wL /\ issues C z <= iC /\ stays C z <= wC.

(** Some more places after these, with what z leaves. *)
Definition goes_on (z : list part) (c : list nat) (ps : list string) (carry iL wL iC wC : nat) (c' : list nat) : Prop :=
  forall cs2 ps2 cs2', bsucc cs2 ps2 0 (iL - issues L z) (wL - stays L z) (iC - issues C z) (wC - stays C z) cs2' ->
    bsucc (c ++ cs2) (ps ++ ps2) carry iL wL iC wC (c' ++ cs2').

Lemma segment_succ s : forall z c carry iL wL iC wC,
  length c = length (suffixes s) -> map fst z = warps_at c (suffixes s) -> room z iL wL iC wC ->
  exists c', length c' = length c /\ Permutation (repeat s carry ++ stepped z) (warps_at c' (suffixes s)) /\
    goes_on z c (suffixes s) carry iL wL iC wC c'.
Proof.
  induction s as [|U s IH]; intros z [|n c] carry iL wL iC wC Hlen Hz (R1 & R2 & R3 & R4); try discriminate.
  - destruct c; [|discriminate]. cbn [suffixes warps_at] in Hz. rewrite app_nil_r in Hz.
    destruct (arrived_place n z Hz) as [Hn Hs]. destruct (Hn L) as [N1 N2]. destruct (Hn C) as [N3 N4].
    exists [carry + n]. split; [reflexivity|]. split.
    + cbn [suffixes warps_at]. rewrite Hs, repeat_app, app_nil_r. reflexivity.
    + intros cs2 ps2 cs2' H. rewrite N1, N2, N3, N4, !Nat.sub_0_r in H. cbn [suffixes app].
      apply bsucc_idle; auto.
  - cbn [suffixes warps_at] in Hz. apply map_eq_app in Hz. destruct Hz as (z1 & z2 & -> & H1 & H2).
    destruct (one_block_place _ _ _ _ H1) as (k & Hk & Hi & Hs & Hp).
    cbn [suffixes length] in Hlen. injection Hlen as Hlen.
    rewrite issues_app, Hi in R1, R3. rewrite stays_app, Hs in R2, R4.
    assert (forall c', Permutation (repeat s k ++ stepped z2) (warps_at c' (suffixes s)) ->
      Permutation (repeat (U :: s) carry ++ stepped (z1 ++ z2))
        (warps_at (carry + (n - k) :: c') (suffixes (U :: s)))) as Hperm.
    { intros c' Hq. cbn [suffixes warps_at]. rewrite stepped_app, Hp, repeat_app, <- !app_assoc.
      do 2 apply Permutation_app_head. exact Hq. }
    destruct U; cbn [eqb] in *.
    + destruct (IH z2 c k (iL - k) (wL - (n - k)) iC wC Hlen H2 ltac:(unfold room; lia)) as (c' & Hl & Hq & Hg).
      exists (carry + (n - k) :: c'). split; [cbn; lia|]. split; [auto|].
      intros cs2 ps2 cs2' H. cbn [suffixes app]. apply bsucc_L; try lia. apply Hg. revert H.
      rewrite !issues_app, !stays_app, !Hi, !Hs. cbn [eqb Nat.add]. now rewrite !Nat.sub_add_distr.
    + destruct (IH z2 c k iL wL (iC - k) (wC - (n - k)) Hlen H2 ltac:(unfold room; lia)) as (c' & Hl & Hq & Hg).
      exists (carry + (n - k) :: c'). split; [cbn; lia|]. split; [auto|].
      intros cs2 ps2 cs2' H. cbn [suffixes app]. apply bsucc_C; try lia. apply Hg. revert H.
      rewrite !issues_app, !stays_app, !Hi, !Hs. cbn [eqb Nat.add]. now rewrite !Nat.sub_add_distr.
Qed.

(** Two lists of places after one another. *)
Lemma split_counts (c : list nat) (l1 l2 : list string) : length c = length (l1 ++ l2) ->
  exists c1 c2, c = c1 ++ c2 /\ length c1 = length l1 /\ length c2 = length l2.
Proof.
  intros H. rewrite app_length in H. exists (firstn (length l1) c), (skipn (length l1) c).
  rewrite firstn_skipn, firstn_length, skipn_length. repeat split; lia.
Qed.

Lemma goes_on_app z1 z2 c1 c2 ps1 ps2 carry iL wL iC wC c1' c2' :
  goes_on z1 c1 ps1 carry iL wL iC wC c1' ->
  goes_on z2 c2 ps2 0 (iL - issues L z1) (wL - stays L z1) (iC - issues C z1) (wC - stays C z1) c2' ->
  goes_on (z1 ++ z2) (c1 ++ c2) (ps1 ++ ps2) carry iL wL iC wC (c1' ++ c2').
Proof.
  intros H1 H2 cs3 ps3 cs3' H. rewrite <- !app_assoc. apply H1, H2. revert H.
  rewrite !issues_app, !stays_app. now rewrite !Nat.sub_add_distr.
Qed.

Lemma row_succ r : forall z c iL wL iC wC,
  length c = length (row_places r) -> map fst z = warps_at c (row_places r) -> room z iL wL iC wC ->
  exists c', length c' = length c /\ Permutation (stepped z) (warps_at c' (row_places r)) /\
    goes_on z c (row_places r) 0 iL wL iC wC c'.
Proof.
  induction r as [|g r IH]; intros z c iL wL iC wC Hlen Hz HR.
  - destruct c; [|discriminate]. destruct z; [|discriminate]. exists []. split; [reflexivity|]. split; [constructor|].
    intros cs2 ps2 cs2' H. cbn [row_places flat_map app]. revert H. cbn [issues stays map list_sum fold_right].
    now rewrite !Nat.sub_0_r.
  - cbn [row_places flat_map] in *. fold (row_places r) in *.
    destruct (split_counts _ _ _ Hlen) as (c1 & c2 & -> & L1 & L2).
    rewrite warps_at_app in Hz by assumption. apply map_eq_app in Hz. destruct Hz as (z1 & z2 & -> & H1 & H2).
    unfold room in HR. rewrite !issues_app, !stays_app in HR.
    destruct (segment_succ (fst g) z1 c1 0 iL wL iC wC L1 H1 ltac:(unfold room; lia)) as (c1' & E1 & P1 & G1).
    destruct (IH z2 c2 (iL - issues L z1) (wL - stays L z1) (iC - issues C z1) (wC - stays C z1) L2 H2
      ltac:(unfold room; lia)) as (c2' & E2 & P2 & G2).
    exists (c1' ++ c2'). split; [rewrite !app_length; lia|]. split.
    + rewrite stepped_app, warps_at_app by lia. cbn [repeat app] in P1. now apply Permutation_app.
    + now apply goes_on_app.
Qed.

(** Places without warps. *)
Lemma zeros_length {P} (ps : list P) : length (zeros ps) = length ps.
Proof. apply map_length. Qed.

Lemma warps_at_zeros {P Q} (qs : list Q) : forall ps : list P, warps_at (zeros qs) ps = [].
Proof. induction qs as [|q qs IH]; intros [|p ps]; cbn; auto. Qed.

Lemma zeros_succ ps iL wL iC wC : goes_on [] (zeros ps) ps 0 iL wL iC wC (zeros ps).
Proof.
  intros cs2 ps2 cs2'. cbn [issues stays map list_sum fold_right]. rewrite !Nat.sub_0_r. intros H.
  induction ps as [|p ps IH]; [exact H|]. cbn [zeros map app]. apply (bsucc_idle 0 _ p _ 0); auto.
Qed.
