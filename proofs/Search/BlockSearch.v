(** The search for blocks with barriers. It goes through every state that a schedule can reach, without a bound. *)
From Coq Require Import List Arith ZArith NArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Progress.
From Warpspan.Checker Require Import Instance.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Search Require Import Tree Sweep BlockCycles.
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

Definition expand_blocks (sL sC : nat) (bs : list (list (list group))) (ps : list string) (T : Z)
    (v : N) (rev_cs : list nat) (_ : unit) (ms : list tree) : list tree :=
  let cs := settle_all bs (rev_append rev_cs []) in
  let rL := bready L cs ps in let rC := bready C cs ps in
  let iL := min rL sL in let iC := min rC sC in
  if ((rL + rC =? 0) && (Z.of_N v <=? T + 1)%Z)%nat then ms
  else change (pred (iL + iC)) (bwalk cs ps O iL (rL - iL) iC (rC - iC) (N.succ v)) ms.

Definition block_search (sL sC : nat) (blocks : list (list segments)) (T : Z) : bool :=
  let bs := map rows_of blocks in
  let ps := flat_map block_places bs in
  let cs := flat_map (fun rows => settle rows true (zeros (block_places rows))) bs in
  let letters := fold_right (fun b n => fold_right (fun g n => length (concat (fst g)) * N.to_nat (snd g) + n) n b) 0 blocks in
  forallb (existsb (fun g : segments => negb (N.eqb (snd g) 0) && negb (length (fst g) =? 0))) blocks &&
  levels (fun _ _ => tt) (expand_blocks sL sC bs ps T) ps tt (2 + letters) [single 1 cs].

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

(** * The search *)
Section Sound.
Variables (sL sC : nat).
Let sigma := units sL sC.
Variable bss : list (list (list group)).
Let ps := flat_map block_places bss.
Variable T : Z.

Definition released : list block -> list block := map (fun b => release (fst b) (snd b)).

(** If cycle v is the next one, every schedule ends by T. The counts are those before barriers open. *)
Definition in_time (cs : list nat) (v : N) : Prop := forall bs mss bs', counted bss bs cs -> Forall wf bs ->
  brun sigma (released bs) mss bs' -> (Z.of_nat (makespan (map (@concat bool) mss)) + Z.of_N v <= T + 1)%Z.

Lemma in_time_earlier cs v v' : (v <= v')%N -> in_time cs v' -> in_time cs v.
Proof. intros H Hs bs mss bs' H1 H2 H3. specialize (Hs bs mss bs' H1 H2 H3). lia. Qed.

Lemma released_facts bs cs : counted bss bs cs -> Forall wf bs ->
  Forall wf (released bs) /\ Forall settled (released bs) /\ counted bss (released bs) (settle_all bss cs).
Proof.
  intros Hc Hw.
  assert (Forall (fun b => fst b <> []) bs) as Hne by (clear -Hc; induction Hc; constructor; auto).
  assert (forall b, wf b -> wf (release (fst b) (snd b)) /\ settled (release (fst b) (snd b)) /\
            length (fst (release (fst b) (snd b))) = length (fst b)) as Hr.
  { intros [cur later] H. destruct (release_wf cur later H) as (H1 & H2 & H3). auto. }
  destruct (settle_all_spec _ _ _ Hc) as (bs' & -> & Hs). unfold released.
  split; [|split].
  - clear -Hw Hr. induction Hw; cbn [map]; constructor; auto. now apply Hr.
  - clear -Hw Hr. induction Hw; cbn [map]; constructor; auto. now apply Hr.
  - apply Hs. clear -Hw Hr Hne. induction Hw as [|b bs Hb Hw IH]; constructor; inversion Hne; subst; auto.
    destruct (Hr b Hb) as (_ & _ & Hl). destruct (fst b); [congruence|].
    destruct (fst (release _ _)); [discriminate|congruence].
Qed.

Lemma shut_wf bs ms : fits bs ms -> Forall wf bs -> Forall wf (shut bs ms).
Proof.
  induction 1 as [|[cur later] m bs ms H Hf IH]; intros Hw; [constructor|]. inversion Hw; subst.
  cbn [shut combine map fst snd]. constructor; [|now apply IH]. unfold wf in *. cbn [fst snd] in *.
  now rewrite after_length.
Qed.

Lemma expand_good v rev_cs ms :
  let cs := rev_append rev_cs [] in
  length cs = length ps ->
  good ps in_time (expand_blocks sL sC bss ps T v rev_cs (gather (fun _ _ => tt) (warps_at cs ps) tt) ms) ->
  good ps in_time ms /\ in_time cs v.
Proof.
  intros cs Hlen. unfold expand_blocks. fold cs. cbv zeta. set (c := settle_all bss cs).
  assert (forall bs, counted bss bs cs -> Forall wf bs -> forall U, bready U c ps = wanting U (flat (released bs))) as Hready.
  { intros bs Hc Hw U. destruct (released_facts bs cs Hc Hw) as (_ & _ & Hc').
    destruct (counted_warps _ _ _ Hc') as (_ & Hp). rewrite (wanting_perm U _ _ Hp). symmetry. apply bready_wanting. }
  destruct (_ && _) eqn:Hb.
  - intros Hg. split; [assumption|]. intros bs mss bs' Hc Hw Hr. apply andb_true_iff in Hb. destruct Hb as [Hb1 Hb2].
    apply Nat.eqb_eq in Hb1. apply Z.leb_le in Hb2. rewrite !(Hready bs Hc Hw) in Hb1.
    destruct (released_facts bs cs Hc Hw) as (_ & Hs & _).
    rewrite (all_idle sigma _ _ _ Hr Hs (all_done_flat _ (nothing_wanted _ Hb1))). lia.
  - match goal with |- good _ _ (change ?i ?f ms) -> _ => set (n := i); set (g := f) end.
    intros Hg.
    assert (forall m, within m (g m)) as Hin by (intros m; apply bwalk_within).
    split; [revert Hg; apply (good_within ps in_time in_time_earlier); now apply change_within|].
    assert (forall bs, counted bss bs cs -> Forall wf bs -> forall m, fits (released bs) m ->
      legal sigma (flat (released bs)) (concat m) -> forall mss bs', brun sigma (bafter (released bs) m) mss bs' ->
      (Z.of_nat (makespan (map (@concat bool) mss)) + Z.of_N (N.succ v) <= T + 1)%Z) as Hnext.
    { intros bs Hc Hw m Hf [_ Hm] mss bs' Hr. destruct (released_facts bs cs Hc Hw) as (Hw' & _ & Hc').
      assert (forall U, issued U (flat (released bs)) (concat m) + waiting U (flat (released bs)) (concat m) = bready U c ps) as HU.
      { intros U. rewrite (Hready bs Hc Hw). apply issued_waiting. now apply fits_length. }
      pose proof (Hm L) as ML. pose proof (Hm C) as MC. pose proof (HU L) as UL. pose proof (HU C) as UC.
      change (sigma L) with sL in ML. change (sigma C) with sC in MC. fold c in Hc'.
      destruct (all_cycle bss _ _ Hc' m (min (bready L c ps) sL) (bready L c ps - min (bready L c ps) sL)
        (min (bready C c ps) sC) (bready C c ps - min (bready C c ps) sC) Hf
        ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as (cs' & Hc2 & Hs).
      pose proof (change_find g (N.succ v) cs' ltac:(intros; now apply bwalk_find) n ms) as Hfind.
      specialize (Hg n cs' (proj1 (counted_warps _ _ _ Hc2)) ltac:(lia)).
      apply (in_time_earlier _ _ _ Hfind Hg (shut (released bs) m) mss bs'); auto.
      - now apply shut_wf.
      - unfold released at 1. rewrite <- bafter_shut. exact Hr. }
    intros bs mss bs' Hc Hw Hr. specialize (Hnext bs Hc Hw). remember (released bs) as rbs eqn:E.
    destruct Hr as [rbs|rbs m mss bs' Hf Hm Hr].
    + destruct (split_cycle rbs (greedy (sigma L) (sigma C) (flat rbs))) as (m & Hf & Hm).
      { apply able_length, greedy_able. }
      pose proof (Hnext m Hf ltac:(rewrite Hm; apply greedy_legal) [] _ (brun_nil _ _)) as H.
      change (makespan (map (@concat bool) [])) with 0 in *. lia.
    + specialize (Hnext m Hf Hm mss bs' Hr). unfold makespan in *. cbn [map last_cycle].
      destruct (Nat.ltb_spec 0 (last_cycle (existsb (fun b => b)) (map (@concat bool) mss))); [lia|].
      destruct (existsb _ (concat m)); lia.
Qed.
End Sound.

(** * The start *)

(** No schedule of the blocks takes more than T cycles. *)
Definition blocks_bounded (sL sC : nat) (blocks : list (list segments)) (T : Z) : Prop :=
  forall mss bs', brun (units sL sC) (map (fun b => block_start (rows_of b)) blocks) mss bs' ->
    (Z.of_nat (makespan (map (@concat bool) mss)) <= T)%Z.

Definition warps_of (b : list segments) : nat := fold_right (fun g n => N.to_nat (snd g) + n) 0 b.

Lemma rows_length b r : In r (rows_of b) -> length (expand r) = warps_of b.
Proof.
  unfold rows_of. intros H. apply in_map_iff in H. destruct H as (k & <- & _).
  induction b as [|g b IH]; [reflexivity|]. cbn [map expand flat_map fst snd warps_of fold_right].
  fold (expand (map (fun g => (nth k (fst g) [], snd g)) b)). fold (warps_of b).
  rewrite app_length, repeat_length, IH. reflexivity.
Qed.

Lemma start_counted b : existsb (fun g : segments => negb (N.eqb (snd g) 0) && negb (length (fst g) =? 0)) b = true ->
  let rows := rows_of b in
  at_row rows (block_start rows) (settle rows true (zeros (block_places rows))) /\
  fst (block_start rows) <> [] /\ wf (block_start rows) /\ settled (block_start rows).
Proof.
  intros H rows. apply existsb_exists in H. destruct H as (g & Hin & Hg). apply andb_true_iff in Hg.
  rewrite !negb_true_iff, N.eqb_neq, Nat.eqb_neq in Hg. destruct Hg as [Hn Hl].
  assert (0 < warps_of b) as Hpos.
  { clear Hl rows. induction b as [|h b IH]; [easy|]. cbn [warps_of fold_right]. destruct Hin as [->|Hin]; [lia|].
    specialize (IH Hin). unfold warps_of in IH. lia. }
  assert (rows <> []) as Hrows.
  { subst rows. unfold rows_of. intros E. apply map_eq_nil in E.
    assert (forall l : list segments, In g l -> length (fst g) <= fold_right (fun g n => max (length (fst g)) n) 0 l) as Hm.
    { induction l as [|h l IH]; [easy|]. cbn [fold_right]. intros [->|Hi]; [lia|]. specialize (IH Hi). lia. }
    specialize (Hm b Hin). destruct (fold_right _ 0 b); [lia|discriminate]. }
  assert (forall r, In r rows -> length (expand r) = warps_of b) as Hlen by (apply rows_length).
  clearbody rows. destruct rows as [|r rows]; [congruence|]. cbn [block_start].
  pose proof (Hlen r (or_introl eq_refl)) as Hr.
  destruct (release_wf (expand r) (map expand rows)) as (W1 & W2 & W3).
  { apply Forall_forall. intros row Hrow. apply in_map_iff in Hrow. destruct Hrow as (q & <- & Hq).
    rewrite Hr. apply Hlen. now right. }
  split; [apply settle_enter|]. split; [|auto]. intros E. rewrite E in W2. cbn [length] in W2. lia.
Qed.

(** If the search ends with no state left, no schedule of the blocks takes more than T cycles. *)
Theorem block_search_sound sL sC blocks T : block_search sL sC blocks T = true -> blocks_bounded sL sC blocks T.
Proof.
  unfold block_search. cbv zeta. rewrite andb_true_iff. intros [Hne H] mss bs' Hr.
  apply (levels_good _ _ _ _ _ (expand_good sL sC (map rows_of blocks) T)) in H.
  set (cs := flat_map (fun rows => settle rows true (zeros (block_places rows))) (map rows_of blocks)) in H.
  set (starts := map (fun b => block_start (rows_of b)) blocks) in Hr.
  assert (counted (map rows_of blocks) starts cs /\ Forall wf starts /\ Forall settled starts) as (Hc & Hw & Hs).
  { subst cs starts. clear -Hne. induction blocks as [|b blocks IH]; [repeat constructor|].
    cbn [forallb] in Hne. apply andb_true_iff in Hne. destruct Hne as [Hb Hne]. destruct (IH Hne) as (I1 & I2 & I3).
    destruct (start_counted b Hb) as (S1 & S2 & S3 & S4). cbn [map flat_map]. repeat split; constructor; auto. }
  assert (released starts = starts) as E.
  { unfold released. clear -Hs. induction Hs; cbn [map]; [reflexivity|]. rewrite release_settled by assumption. congruence. }
  pose proof (single_find 1 cs) as Hf.
  specialize (H 0 cs (proj1 (counted_warps _ _ _ Hc))). cbn [nth] in H. specialize (H ltac:(lia) starts mss bs' Hc Hw).
  rewrite E in H. specialize (H Hr). lia.
Qed.
