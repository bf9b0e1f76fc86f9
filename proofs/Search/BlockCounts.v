(** The counts of all blocks: what a cycle and the opening of a barrier do to them. *)
From Coq Require Import List Arith ZArith NArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Progress.
From Warpspan.Checker Require Import Instance.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Search Require Import Tree Sweep Cycles BlockCycles.
Local Open Scope nat_scope.

(** A group of a block: its kernel, cut at the barriers, and its warps. A group with fewer segments exits early. *)
Notation segments := (list string * N)%type.

(** The rows of a block, one for each interval between barriers. *)
Definition rows_of (b : list segments) : list (list group) :=
  map (fun k => map (fun g => (nth k (fst g) [], snd g)) b)
      (seq 0 (fold_right (fun g n => max (length (fst g)) n) 0 b)).

Definition block_places (rows : list (list group)) : list string := flat_map row_places rows.

(** All warps of a row at the start of their segments. *)
Definition row_start (r : list group) : list nat :=
  flat_map (fun g => N.to_nat (snd g) :: zeros (fst g)) r.

(** The state of a block at the start. Rows without a letter are passed at once. *)
Definition block_start (rows : list (list group)) : block :=
  match rows with r :: rows => release (expand r) (map expand rows) | [] => ([], []) end.

(** All warps have arrived at the end of their segments. *)
Fixpoint arrived (c : list nat) (ps : list string) : bool :=
  match c, ps with
  | S _ :: _, (_ :: _) :: _ => false
  | _ :: c, _ :: ps => arrived c ps
  | _, _ => true
  end.

(** The counts of a block after barriers have opened; with [enter] its warps are about to enter the first of the rows. *)
Fixpoint settle (rows : list (list group)) (enter : bool) (cs : list nat) : list nat :=
  match rows with
  | [] => []
  | r :: rows =>
    let ps := row_places r in
    let c := if enter then row_start r else firstn (length ps) cs in
    let rest := skipn (length ps) cs in
    match rows with
    | [] => c
    | _ :: _ =>
      if negb enter && forallb (Nat.eqb 0) c then c ++ settle rows false rest
      else if arrived c ps then zeros ps ++ settle rows true rest
      else c ++ rest
    end
  end.

Fixpoint settle_all (bs : list (list (list group))) (cs : list nat) : list nat :=
  match bs with
  | [] => []
  | rows :: bs => let n := length (block_places rows) in
    settle rows false (firstn n cs) ++ settle_all bs (skipn n cs)
  end.

Fixpoint bready (U : letter) (cs : list nat) (ps : list string) : nat :=
  match cs, ps with
  | n :: cs, s :: ps => (if wants U s then n else 0) + bready U cs ps
  | _, _ => 0
  end.

(** * The counts of a block *)

Inductive at_row : list (list group) -> block -> list nat -> Prop :=
| at_here r rows cur c : length c = length (row_places r) -> Permutation cur (warps_at c (row_places r)) ->
    at_row (r :: rows) (cur, map expand rows) (c ++ zeros (block_places rows))
| at_later r rows b cs : at_row rows b cs -> at_row (r :: rows) b (zeros (row_places r) ++ cs).

Lemma at_row_length rows b cs : at_row rows b cs -> length cs = length (block_places rows).
Proof.
  induction 1 as [r rows cur c Hl Hp|r rows b cs H IH]; cbn [block_places flat_map]; fold (block_places rows);
    rewrite !app_length, zeros_length; lia.
Qed.

Lemma block_cycle rows b cs : at_row rows b cs -> forall m iL wL iC wC, length m = length (fst b) ->
  issued L (fst b) m <= iL -> waiting L (fst b) m <= wL -> issued C (fst b) m <= iC -> waiting C (fst b) m <= wC ->
  exists cs', at_row rows (after (fst b) m, snd b) cs' /\
    forall cs2 ps2 cs2', bsucc cs2 ps2 0 (iL - issued L (fst b) m) (wL - waiting L (fst b) m)
        (iC - issued C (fst b) m) (wC - waiting C (fst b) m) cs2' ->
      bsucc (cs ++ cs2) (block_places rows ++ ps2) 0 iL wL iC wC (cs' ++ cs2').
Proof.
  induction 1 as [r rows cur c Hl Hp|r rows b cs H IH]; intros m iL wL iC wC Hm H1 H2 H3 H4.
  - cbn [fst snd] in *. destruct (combine_spec cur m Hm) as (Z1 & Z2 & Z3). rewrite <- Z1 in Hp.
    apply Permutation_sym, Permutation_map_inv in Hp. destruct Hp as (z & Hz & Hp). symmetry in Hz.
    assert (forall U, issues U z = issued U cur m /\ stays U z = waiting U cur m) as Hn.
    { intros U. rewrite <- (issues_perm U _ _ Hp), <- (stays_perm U _ _ Hp). apply Z3. }
    destruct (Hn L) as [N1 N2]. destruct (Hn C) as [N3 N4].
    destruct (row_succ r z c iL wL iC wC Hl Hz ltac:(unfold room; lia)) as (c' & Hl' & Hq & Hg).
    exists (c' ++ zeros (block_places rows)). split.
    + apply at_here; [lia|]. rewrite <- Z2. rewrite <- Hq. apply Permutation_map, Hp.
    + intros cs2 ps2 cs2' Hs. cbn [block_places flat_map]. fold (block_places rows). rewrite <- !app_assoc.
      apply Hg. apply zeros_succ. cbn [issues stays map list_sum fold_right]. rewrite !Nat.sub_0_r.
      rewrite N1, N2, N3, N4. exact Hs.
  - destruct (IH m iL wL iC wC Hm H1 H2 H3 H4) as (cs' & Ha & Hg).
    exists (zeros (row_places r) ++ cs'). split; [now apply at_later|].
    intros cs2 ps2 cs2' Hs. cbn [block_places flat_map]. fold (block_places rows). rewrite <- !app_assoc.
    apply zeros_succ. cbn [issues stays map list_sum fold_right]. rewrite !Nat.sub_0_r. now apply Hg.
Qed.

Lemma arrived_spec c : forall ps, length c = length ps -> arrived c ps = all_done (warps_at c ps).
Proof.
  induction c as [|n c IH]; intros [|s ps] H; try discriminate; [reflexivity|]. injection H as H.
  cbn [arrived warps_at]. unfold all_done in *. rewrite forallb_app, <- (IH ps H).
  destruct n as [|n]; [reflexivity|]. destruct s as [|X s]; [|reflexivity].
  cbn [repeat forallb]. clear. induction n as [|n IH]; [reflexivity|]. cbn [repeat forallb]. exact IH.
Qed.

Lemma all_done_perm st st' : Permutation st st' -> all_done st = all_done st'.
Proof.
  unfold all_done. induction 1; cbn [forallb]; try congruence.
  destruct x, y; reflexivity.
Qed.

Lemma all_zero_warps c : forallb (Nat.eqb 0) c = true -> forall ps : list string, warps_at c ps = [].
Proof.
  induction c as [|n c IH]; intros H ps; [reflexivity|]. cbn [forallb] in H. apply andb_true_iff in H.
  destruct H as [H0 H]. apply Nat.eqb_eq in H0. subst n. destruct ps; [reflexivity|]. cbn. now apply IH.
Qed.

Lemma all_zero_zeros {P} (ps : list P) : forallb (Nat.eqb 0) (zeros ps) = true.
Proof. induction ps; auto. Qed.

Lemma row_start_spec r : length (row_start r) = length (row_places r) /\ warps_at (row_start r) (row_places r) = expand r.
Proof.
  induction r as [|[s n] r [IH1 IH2]]; [auto|]. cbn [row_start row_places flat_map expand fst snd] in *.
  fold (row_start r) (row_places r) (expand r) in *.
  assert (length (N.to_nat n :: zeros s) = length (suffixes s)) as Hl.
  { cbn [length]. rewrite zeros_length. clear. induction s; cbn [suffixes length]; lia. }
  split; [rewrite !app_length; lia|]. rewrite warps_at_app by exact Hl. rewrite IH2. f_equal.
  destruct s as [|X s]; [cbn; apply app_nil_r|].
  change (repeat (X :: s) (N.to_nat n) ++ warps_at (zeros (X :: s)) (suffixes s) = repeat (X :: s) (N.to_nat n)).
  rewrite warps_at_zeros. apply app_nil_r.
Qed.

Lemma firstn_exact {A} (a b : list A) n : length a = n -> firstn n (a ++ b) = a.
Proof. intros <-. rewrite firstn_app, Nat.sub_diag, firstn_all. cbn. apply app_nil_r. Qed.

Lemma skipn_exact {A} (a b : list A) n : length a = n -> skipn n (a ++ b) = b.
Proof. intros <-. rewrite skipn_app, Nat.sub_diag, skipn_all. reflexivity. Qed.

(** Entering the first row. *)
Lemma settle_enter rows : forall r, at_row (r :: rows) (release (expand r) (map expand rows))
  (settle (r :: rows) true (zeros (block_places (r :: rows)))).
Proof.
  induction rows as [|q rows IH]; intros r; destruct (row_start_spec r) as [Hl Hw].
  - cbn [settle map release]. rewrite <- (app_nil_r (row_start r)). apply (at_here r [] _ _ Hl). now rewrite Hw.
  - cbn [block_places flat_map]. fold (block_places rows).
    change (flat_map row_places rows) with (block_places rows).
    cbn [map release]. rewrite <- Hw at 1. rewrite <- arrived_spec by exact Hl.
    remember (q :: rows) as rest eqn:E. cbn [settle].
    assert (zeros (row_places r ++ row_places q ++ block_places rows)
      = zeros (row_places r) ++ zeros (block_places rest)) as ->
      by (subst rest; unfold zeros; apply map_app).
    rewrite skipn_exact by apply zeros_length. cbn [negb andb].
    destruct (arrived (row_start r) (row_places r)) eqn:Ea; subst rest.
    + apply at_later. apply IH.
    + change (expand q :: map expand rows) with (map expand (q :: rows)). apply at_here; [exact Hl|]. now rewrite Hw.
Qed.

Lemma settle_spec rows b cs : at_row rows b cs -> fst b <> [] ->
  at_row rows (release (fst b) (snd b)) (settle rows false cs).
Proof.
  induction 1 as [r rows cur c Hl Hp|r rows b cs H IH]; intros Hne.
  - cbn [fst snd] in *. destruct rows as [|q rows].
    + cbn [settle map release]. rewrite firstn_exact by exact Hl. rewrite <- (app_nil_r c).
      now apply (at_here r []).
    + cbn [settle]. rewrite firstn_exact, skipn_exact by exact Hl. cbn [negb andb].
      destruct (forallb (Nat.eqb 0) c) eqn:Ez.
      { rewrite (all_zero_warps c Ez) in Hp. apply Permutation_sym, Permutation_nil in Hp. contradiction. }
      rewrite arrived_spec, <- (all_done_perm _ _ Hp) by exact Hl. cbn [map release].
      destruct (all_done cur) eqn:Ed.
      * apply at_later. apply settle_enter.
      * change (expand q :: map expand rows) with (map expand (q :: rows)). now apply at_here.
  - specialize (IH Hne). destruct rows as [|q rows]; [inversion H|]. remember (q :: rows) as rest eqn:E.
    cbn [settle]. rewrite firstn_exact, skipn_exact by apply zeros_length. cbn [negb andb].
    rewrite all_zero_zeros. subst rest. now apply at_later.
Qed.

(** * The counts of all blocks *)

Inductive counted : list (list (list group)) -> list block -> list nat -> Prop :=
| counted_nil : counted [] [] []
| counted_cons rows b cs bss bs css : at_row rows b cs -> fst b <> [] -> counted bss bs css ->
    counted (rows :: bss) (b :: bs) (cs ++ css).

Definition shut (bs : list block) (ms : list cycle) : list block :=
  map (fun p => (after (fst (fst p)) (snd p), snd (fst p))) (combine bs ms).

Lemma bafter_shut bs ms : bafter bs ms = map (fun b => release (fst b) (snd b)) (shut bs ms).
Proof. revert ms; induction bs as [|b bs IH]; intros [|m ms]; cbn; congruence || reflexivity || (rewrite IH; reflexivity). Qed.

Lemma all_cycle bss bs cs : counted bss bs cs -> forall ms iL wL iC wC, fits bs ms ->
  issued L (flat bs) (concat ms) <= iL -> waiting L (flat bs) (concat ms) <= wL ->
  issued C (flat bs) (concat ms) <= iC -> waiting C (flat bs) (concat ms) <= wC ->
  exists cs', counted bss (shut bs ms) cs' /\ bsucc cs (flat_map block_places bss) 0 iL wL iC wC cs'.
Proof.
  induction 1 as [|rows b cs bss bs css Ha Hne H IH]; intros ms iL wL iC wC Hf H1 H2 H3 H4.
  - inversion Hf; subst. exists []. split; constructor.
  - inversion Hf as [|? m ? ms' Hm Hf']; subst. cbn [flat flat_map concat] in *. fold (flat bs) in *.
    rewrite issued_app in H1, H3 by assumption. rewrite waiting_app in H2, H4 by assumption.
    destruct (block_cycle rows b cs Ha m iL wL iC wC Hm ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as (cs' & Ha' & Hg).
    destruct (IH ms' (iL - issued L (fst b) m) (wL - waiting L (fst b) m) (iC - issued C (fst b) m)
      (wC - waiting C (fst b) m) Hf' ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as (css' & Hc & Hs).
    exists (cs' ++ css'). split; [|now apply Hg].
    cbn [shut combine map fst snd]. constructor; auto.
    cbn [fst]. pose proof (after_length (fst b) m Hm). destruct (fst b), (after _ m); cbn in *; congruence || lia.
Qed.

Lemma settle_all_spec bss bs cs : counted bss bs cs ->
  exists bs', bs' = map (fun b => release (fst b) (snd b)) bs /\
  (Forall (fun b => fst (release (fst b) (snd b)) <> []) bs -> counted bss bs' (settle_all bss cs)).
Proof.
  induction 1 as [|rows b cs bss bs css Ha Hne H IH]; [exists []; split; [reflexivity|constructor]|].
  destruct IH as (bs' & -> & IH). eexists. split; [reflexivity|]. intros Hf. inversion Hf; subst.
  cbn [settle_all map]. pose proof (at_row_length _ _ _ Ha) as Hl.
  rewrite firstn_exact, skipn_exact by exact Hl. constructor; auto. now apply settle_spec.
Qed.

(** * What a cycle issues *)

Lemma issued_waiting U st m : length m = length st -> issued U st m + waiting U st m = wanting U st.
Proof.
  revert m; induction st as [|s st IH]; intros [|b m] H; try discriminate; [reflexivity|]. injection H as H.
  cbn [issued waiting wanting]. specialize (IH m H). destruct b, (wants U s); cbn [andb negb]; lia.
Qed.

Lemma wanting_perm U st st' : Permutation st st' -> wanting U st = wanting U st'.
Proof. induction 1; cbn [wanting]; lia. Qed.

Lemma wanting_app U st st' : wanting U (st ++ st') = wanting U st + wanting U st'.
Proof. induction st; cbn [app wanting]; lia. Qed.

Lemma bready_wanting U c : forall ps, wanting U (warps_at c ps) = bready U c ps.
Proof.
  induction c as [|n c IH]; intros [|s ps]; try reflexivity. cbn [warps_at bready].
  rewrite wanting_app, IH. f_equal. induction n as [|n IHn]; cbn [repeat wanting]; destruct (wants U s); lia.
Qed.

Lemma at_row_warps rows b cs : at_row rows b cs -> Permutation (fst b) (warps_at cs (block_places rows)).
Proof.
  induction 1 as [r rows cur c Hl Hp|r rows b cs H IH]; cbn [fst block_places flat_map]; fold (block_places rows).
  - rewrite warps_at_app, warps_at_zeros, app_nil_r by exact Hl. exact Hp.
  - rewrite warps_at_app, warps_at_zeros by apply zeros_length. exact IH.
Qed.

Lemma counted_warps bss bs cs : counted bss bs cs ->
  length cs = length (flat_map block_places bss) /\
  Permutation (flat bs) (warps_at cs (flat_map block_places bss)).
Proof.
  induction 1 as [|rows b cs bss bs css Ha Hne H (IH1 & IH2)]; [split; constructor|].
  cbn [flat_map flat]. fold (flat bs). pose proof (at_row_length _ _ _ Ha) as Hl.
  split; [rewrite !app_length; lia|]. rewrite warps_at_app by exact Hl.
  apply Permutation_app; [now apply at_row_warps|exact IH2].
Qed.

Lemma fits_length bs ms : fits bs ms -> length (concat ms) = length (flat bs).
Proof.
  induction 1 as [|b m bs ms H Hf IH]; [reflexivity|]. cbn [concat flat flat_map]. fold (flat bs).
  rewrite !app_length. lia.
Qed.

Lemma split_cycle bs : forall m : cycle, length m = length (flat bs) -> exists ms, fits bs ms /\ concat ms = m.
Proof.
  induction bs as [|b bs IH]; intros m H.
  - destruct m; [|discriminate]. exists []. split; [constructor|reflexivity].
  - cbn [flat flat_map] in H. fold (flat bs) in H. rewrite app_length in H.
    destruct (IH (skipn (length (fst b)) m)) as (ms & Hf & Hc); [rewrite skipn_length; lia|].
    exists (firstn (length (fst b)) m :: ms). split.
    + constructor; [rewrite firstn_length; lia|exact Hf].
    + cbn [concat]. rewrite Hc. apply firstn_skipn.
Qed.

Lemma nothing_wanted st : wanting L st + wanting C st = 0 -> all_done st = true.
Proof.
  unfold all_done. induction st as [|s st IH]; [reflexivity|]. cbn [wanting forallb]. intros H.
  rewrite IH by (destruct (wants L s), (wants C s); lia). destruct s as [|[] s]; cbn in H; [reflexivity|lia|lia].
Qed.

Lemma all_done_flat bs : all_done (flat bs) = true -> Forall (fun b => all_done (fst b) = true) bs.
Proof.
  induction bs as [|b bs IH]; [constructor|]. cbn [flat flat_map]. fold (flat bs). unfold all_done in *.
  rewrite forallb_app, andb_true_iff. intros [H1 H2]. constructor; auto.
Qed.

Lemma release_settled b : settled b -> release (fst b) (snd b) = b.
Proof.
  destruct b as [cur [|row later]]; [reflexivity|]. cbn [fst snd release]. intros H.
  destruct (all_done cur) eqn:E; [|reflexivity]. specialize (H E). discriminate.
Qed.

Lemma all_idle sigma bs mss bs' : brun sigma bs mss bs' -> Forall settled bs ->
  Forall (fun b => all_done (fst b) = true) bs -> makespan (map (@concat bool) mss) = 0.
Proof.
  induction 1 as [bs|bs ms mss bs' Hf [Ha _] Hr IH]; intros Hs Hd; [reflexivity|].
  assert (bafter bs ms = bs /\ existsb (fun b => b) (concat ms) = false) as [E1 E2].
  { clear Hr IH. apply (flat_able bs ms Hf) in Ha. clear Hf.
    induction Ha as [|b m bs ms Ha Ha' IH]; [split; reflexivity|].
    inversion Hs as [|? ? S1 S2]; subst. inversion Hd as [|? ? D1 D2]; subst. destruct (IH S2 D2) as [I1 I2].
    destruct (idle _ _ Ha D1) as [J1 J2]. cbn [bafter concat]. rewrite existsb_app, J1, J2, I1, I2.
    split; [f_equal; now apply release_settled|reflexivity]. }
  rewrite E1 in IH. specialize (IH Hs Hd). unfold makespan in *. cbn [map last_cycle]. rewrite IH, E2. reflexivity.
Qed.
