(** Odd strings (docs/relay.md, section 5): at sigma 1, with two slots or more and without barriers, only one of the blocks costs
    more than its a, if no maximal alternating piece of the string has even length. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Exact Require Import Blocks.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Relay Require Import GridRuns CompanyRuns CompanyCycle CompanyMoves MidwayRelay Stretches Covered QueueRuns Multiprocessors EqualBlocks.

(** All pieces are of odd length. *)
Definition odd (s : string) : Prop := Forall (fun l => Nat.odd l = true) (blocks s).

(** Each letter that is not X is followed by an X. *)
Fixpoint sep (X : letter) (s : string) : bool :=
  match s with [] => true | U :: s => (eqb U X || wants X s) && sep X s end.

Lemma odd_S l : Nat.odd (S l) = negb (Nat.odd l).
Proof. rewrite Nat.odd_succ, <- Nat.negb_odd. reflexivity. Qed.

Lemma ceil2_S l : ceil2 (S l) = if Nat.odd l then ceil2 l else S (ceil2 l).
Proof.
  unfold ceil2. pose proof (Nat.div_mod (l + 1) 2 ltac:(lia)) as E. pose proof (Nat.mod_upper_bound (l + 1) 2 ltac:(lia)).
  pose proof (Nat.div_mod (S l + 1) 2 ltac:(lia)) as E'. pose proof (Nat.mod_upper_bound (S l + 1) 2 ltac:(lia)).
  destruct (Nat.odd l) eqn:O.
  - apply Nat.odd_spec in O. destruct O as [k ->]. replace (2 * k + 1 + 1) with ((k + 1) * 2) by lia.
    replace (S (2 * k + 1) + 1) with (1 + (k + 1) * 2) by lia. rewrite Nat.div_add, Nat.div_mul by lia. cbn. lia.
  - assert (Nat.even l = true) as O' by (rewrite <- Nat.negb_odd, O; reflexivity). apply Nat.even_spec in O'. destruct O' as [k ->].
    replace (2 * k + 1) with (1 + k * 2) by lia. replace (S (2 * k) + 1) with ((k + 1) * 2) by lia.
    rewrite Nat.div_add, Nat.div_mul by lia. cbn. lia.
Qed.

Lemma count_cons U V s : count U (V :: s) = (if eqb U V then 1 else 0) + count U s.
Proof. unfold count. cbn [filter]. destruct (eqb U V); reflexivity. Qed.

Lemma pieces U s l ls : blocks (U :: s) = l :: ls -> Forall (fun l => Nat.odd l = true) ls ->
  let X := if Nat.odd l then U else other U in sep X (U :: s) = true /\ a (U :: s) = count X (U :: s).
Proof.
  revert U l ls; induction s as [|V s IH]; intros U l ls E H.
  - injection E as <- <-. cbn. destruct U; split; reflexivity.
  - destruct (blocks_cons V s) as (l' & ls' & E'). specialize (IH V _ _ E').
    assert (blocks (U :: V :: s) = if wants (other U) (V :: s) then S (S l') :: ls' else 1 :: S l' :: ls') as E2
      by (change (blocks (U :: V :: s)) with (match blocks (V :: s) with
            | l :: ls => if wants (other U) (V :: s) then S l :: ls else 1 :: l :: ls | [] => [1] end); now rewrite E').
    rewrite E2 in E. assert (a (V :: s) = ceil2 (S l') + sum (map ceil2 ls')) as EA by (unfold a; now rewrite E').
    unfold a at 1. rewrite E2. clear E2 E'. destruct (wants (other U) (V :: s)) eqn:Hw; cbn [wants] in Hw.
    + injection E as <- <-. destruct (IH H) as [I1 I2]. cbv zeta. rewrite (odd_S (S l')). cbn [map sum]. rewrite (ceil2_S (S l')).
      destruct (Nat.odd (S l')) eqn:O; cbn [negb].
      * assert (V = other U) as -> by (destruct U, V; try discriminate; reflexivity). cbv zeta in *.
        rewrite count_cons. split; [|destruct (eqb_other U) as [E1 E2]; destruct U; cbn in *; lia].
        cbn [sep] in *. rewrite I1. cbn [wants]. destruct U; reflexivity.
      * assert (other V = U) as EV by (destruct U, V; try discriminate; reflexivity). rewrite EV in *. cbv zeta in *.
        rewrite (count_cons U U), eqb_refl. split; [|lia]. change (sep U (U :: V :: s)) with ((eqb U U || wants U (V :: s)) && sep U (V :: s)).
        rewrite I1, eqb_refl. reflexivity.
    + injection E as <- <-. inversion H as [|? ? H1 H2]; subst. destruct (IH H2) as [I1 I2]. cbv zeta in *. rewrite H1 in *.
      assert (V = U) as -> by (destruct U, V; try discriminate; reflexivity). change (Nat.odd 1) with true. cbv iota.
      rewrite (count_cons U U), eqb_refl. cbn [map sum]. change (ceil2 1) with 1. split; [|lia].
      change (sep U (U :: U :: s)) with ((eqb U U || wants U (U :: s)) && sep U (U :: s)). rewrite I1, eqb_refl. reflexivity.
Qed.

(** An odd string begins with a letter X that follows each other letter, and its a is the number of X's. *)
Lemma odd_sep U s : odd (U :: s) -> sep U (U :: s) = true /\ a (U :: s) = count U (U :: s).
Proof.
  unfold odd. destruct (blocks_cons U s) as (l & ls & E). intros H. rewrite E in H. inversion H as [|? ? H1 H2]; subst.
  destruct (pieces U s _ _ E H2) as [I1 I2]. cbv zeta in *. now rewrite H1 in *.
Qed.

Lemma count_both U s : count U s + count (other U) s = length s.
Proof. induction s as [|V s IH]; [reflexivity|]. rewrite !count_cons. cbn [length]. destruct U, V; cbn in *; lia. Qed.

Section OddStrings.
Variable sigma : letter -> nat.
Hypothesis sigma_one : forall U, sigma U = 1.
Variable X : letter.
Notation Y := (other X).

(** How many warps want Y, and the most Y's that one has left. *)
Definition wanting (st : state) : nat := length (filter (wants Y) st).
Definition most_Y (st : state) : nat := list_max (map (count Y) st).

Lemma wanting_split st m : able st m -> wanting st = issued Y st m + waiting Y st m.
Proof.
  unfold wanting. induction 1 as [|s st b m Hb H IH]; [reflexivity|]. cbn [filter issued waiting].
  destruct (wants Y s), b; cbn [length andb negb]; lia.
Qed.

Lemma wanting_after st m : able st m -> Forall (fun s => sep X s = true) st ->
  wanting (after st m) <= waiting Y st m + issued X st m /\ Forall (fun s => sep X s = true) (after st m).
Proof.
  unfold wanting. induction 1 as [|s st b m Hb H IH]; intros Hs; [split; [cbn; lia|constructor]|].
  inversion Hs as [|? ? Hs1 Hs2]; subst. destruct (IH Hs2) as [I1 I2]. cbn [after filter issued waiting].
  destruct s as [|U s]; [destruct b; [now elim Hb|]; cbn [tl wants andb negb]; split; [lia|now constructor]|].
  cbn [sep] in Hs1. apply andb_prop in Hs1. destruct Hs1 as [J1 J2]. destruct b; cbn [tl andb negb].
  - split; [|now constructor]. destruct (letter_cases X U) as [->| ->].
    + cbn [wants]. rewrite eqb_refl. destruct (wants Y s); cbn [length]; lia.
    + assert (eqb Y X = false) as E by (destruct X; reflexivity). rewrite E in J1. cbn [orb] in J1.
      assert (wants Y s = false) as -> by (destruct s as [|V s]; [reflexivity|]; cbn [wants] in *; destruct X, V; cbn in *; congruence). lia.
  - split; [destruct (wants Y (U :: s)); cbn [length]; lia|]. constructor; [|assumption]. cbn [sep]. now rewrite J1, J2.
Qed.

Lemma most_Y_le st m : able st m -> most_Y (after st m) <= most_Y st.
Proof.
  unfold most_Y. induction 1 as [|s st b m Hb H IH]; [cbn; lia|]. cbn [after map list_max fold_right].
  unfold list_max in *. cbn [fold_right]. assert (count Y (if b then tl s else s) <= count Y s); [|lia].
  destruct b; [|lia]. destruct s as [|U s]; [cbn; lia|]. cbn [tl]. rewrite count_cons. lia.
Qed.

(** If all warps that have letters left want Y and issue, the most Y's fall. *)
Lemma most_Y_falls st m : able st m -> issued X st m = 0 -> waiting X st m = 0 -> waiting Y st m = 0 ->
  forall k, most_Y st <= S k -> most_Y (after st m) <= k.
Proof.
  unfold most_Y, list_max. induction 1 as [|s st b m Hb H IH]; intros H1 H2 H3 k Hk; [cbn; lia|].
  cbn [issued waiting after map fold_right] in *. specialize (IH ltac:(lia) ltac:(lia) ltac:(lia) k ltac:(lia)).
  enough (count Y (if b then tl s else s) <= k) by lia. destruct s as [|U s]; [destruct b; cbn; lia|].
  rewrite count_cons in Hk. cbn [wants] in *. destruct b; cbn [andb negb tl] in *.
  - destruct (letter_cases X U) as [->| ->]; [rewrite eqb_refl in H1; lia|]. rewrite eqb_refl in Hk. lia.
  - destruct (letter_cases X U) as [->| ->]; rewrite eqb_refl in *; lia.
Qed.

(** * All blocks of a multiprocessor *)
Definition strings (bs : list placed) : state := flat_map (fun x => fst (snd x)) bs.
Definition unstarted (bs : list placed) : state := flat_map (fun x : placed => if fst x then [] else fst (snd x)) bs.
Definition worth_X (bs : list placed) : nat := total X (strings bs).
Definition value (bs : list placed) : nat := worth_X bs + most_Y (strings bs).

Lemma total_app U s t : total U (s ++ t) = total U s + total U t.
Proof. induction s as [|x s IH]; [reflexivity|]. cbn. rewrite IH. lia. Qed.

Lemma most_app s t : most_Y (s ++ t) = max (most_Y s) (most_Y t).
Proof. unfold most_Y. now rewrite map_app, list_max_app. Qed.

Lemma split_strings bs : total X (strings bs) = total X (company bs) + total X (unstarted bs) /\
  most_Y (strings bs) = max (most_Y (company bs)) (most_Y (unstarted bs)).
Proof.
  induction bs as [|x bs [I1 I2]]; [split; reflexivity|]. unfold strings, company, unstarted in *. cbn [flat_map].
  rewrite !total_app, !most_app, I1, I2. unfold warps. destruct (fst x); cbn; split; lia.
Qed.

Lemma next_company bs ms : speaks bs ms -> Forall (fun x => snd (snd x) = []) bs ->
  company (map opened (issues bs ms)) = after (company bs) (concat ms) /\
  unstarted (map opened (issues bs ms)) = unstarted bs /\ Forall (fun x => snd (snd x) = []) (map opened (issues bs ms)).
Proof.
  induction 1 as [|x m bs ms Hl H IH]; intros Hs; [repeat split; constructor|]. inversion Hs as [|? ? Hx Hs']; subst.
  destruct (IH Hs') as (I1 & I2 & I3). rewrite issues_cons. cbn [map]. unfold company, unstarted in *. cbn [flat_map concat].
  rewrite after_app by assumption. destruct x as [[] [cur la]]; cbn [fst snd] in *; subst la;
    unfold opened, issue, warps, open in *; cbn [fst snd release] in *.
  - rewrite I1, I2. repeat split. constructor; [reflexivity|exact I3].
  - destruct m; [|discriminate]. rewrite I1, I2. repeat split. constructor; [reflexivity|exact I3].
Qed.

Lemma begin_strings bs os : strings (begin bs os) = strings bs.
Proof. unfold strings. revert os; induction bs as [|[w x] bs IH]; intros [|o os]; cbn [begin flat_map]; rewrite ?IH; reflexivity. Qed.

Lemma begin_later bs os : Forall (fun x => snd (snd x) = []) bs -> Forall (fun x : placed => snd (snd x) = []) (begin bs os).
Proof. intros H; revert os; induction H as [|[w x] bs Hx H IH]; intros [|o os]; cbn [begin]; constructor; auto. Qed.

(** Blocks that have not started begin with X, so those that start want no Y. *)
Lemma begin_wanting bs os : Forall (fun s => wants Y s = false) (unstarted bs) ->
  wanting (company (begin bs os)) = wanting (company bs) /\ Forall (fun s => wants Y s = false) (unstarted (begin bs os)).
Proof.
  unfold wanting, company, unstarted. revert os; induction bs as [|[w x] bs IH]; intros os H; [split; [now destruct os|destruct os; constructor]|].
  destruct os as [|o os]; [now split|]. cbn [begin flat_map] in *. apply Forall_app in H. destruct H as [H1 H2]. destruct (IH os H2) as [I1 I2].
  rewrite !filter_app, !app_length, I1. unfold warps. cbn [fst snd] in *. split.
  - destruct w, o; cbn [orb]; try reflexivity. enough (filter (wants Y) (fst x) = []) as -> by reflexivity.
    clear - H1. induction H1 as [|s l Hs H IH]; [reflexivity|]. cbn [filter]. now rewrite Hs.
  - apply Forall_app. split; [|exact I2]. destruct w, o; cbn [orb]; auto.
Qed.

Lemma present_want bs : (forall U, length (filter (wants U) (company bs)) <= (if eqb U X then 0 else 1)) -> length (filter present bs) <= 1.
Proof.
  intros H. pose proof (H X) as HX. pose proof (H Y) as HY. rewrite eqb_refl in HX. assert (eqb Y X = false) as E by (destruct X; reflexivity). rewrite E in HY. clear H.
  etransitivity; [|exact HY]. clear HY. unfold company in *. induction bs as [|x bs IH]; [cbn; lia|].
  cbn [flat_map filter] in *. rewrite filter_app, app_length in *. specialize (IH ltac:(lia)).
  destruct (present x) eqn:Ep; [|lia]. unfold present, warps in *. destruct (fst x); [|discriminate]. cbn [andb] in Ep.
  apply negb_true_iff in Ep. destruct (not_done_nth _ Ep) as (i & Hi & Hn). cbn [length].
  assert (length (filter (wants X) (fst (snd x))) = 0) as HX1 by lia.
  enough (0 < length (filter (wants Y) (fst (snd x)))) by lia. clear - Hi Hn HX1.
  pose proof (nth_In _ [] Hi) as Hin. destruct (nth i (fst (snd x)) []) as [|U u]; [congruence|].
  destruct (filter (wants Y) (fst (snd x))) eqn:EY; [|cbn; lia]. exfalso.
  destruct (letter_cases X U) as [->| ->].
  - assert (In (X :: u) (filter (wants X) (fst (snd x)))) as Hf by (apply filter_In; split; [assumption|apply eqb_refl]).
    destruct (filter (wants X) (fst (snd x))); [easy|cbn in HX1; lia].
  - assert (In (Y :: u) (filter (wants Y) (fst (snd x)))) as Hf by (apply filter_In; split; [assumption|apply eqb_refl]).
    rewrite EY in Hf. easy.
Qed.

(** One cycle. A cycle without an X is one in which only one block is present, whose warps issue Y's. *)
Lemma odd_cycle bs ms : speaks bs ms -> legal sigma (company bs) (concat ms) -> Forall (fun x => snd (snd x) = []) bs ->
  Forall (fun s => sep X s = true) (strings bs) -> wanting (company bs) <= 1 -> let ns := map opened (issues bs ms) in
  Forall (fun x => snd (snd x) = []) ns /\ Forall (fun s => sep X s = true) (strings ns) /\ unstarted ns = unstarted bs /\
  wanting (company ns) <= 1 /\ issued X (company bs) (concat ms) + worth_X ns = worth_X bs /\
  (issued X (company bs) (concat ms) = 0 -> waiting X (company bs) (concat ms) = 0 /\ waiting Y (company bs) (concat ms) = 0 /\
    length (filter present bs) <= 1).
Proof.
  intros Hsp [Ha Hc] Hno Hsep Hw ns. destruct (next_company bs ms Hsp Hno) as (N1 & N2 & N3). fold ns in N1, N2, N3.
  assert (Forall (fun s => sep X s = true) (company bs) /\ Forall (fun s => sep X s = true) (unstarted bs)) as [Sc Su].
  { clear - Hsep. unfold strings, company, unstarted in *. induction bs as [|x l IH]; [split; constructor|]. cbn [flat_map] in *.
    apply Forall_app in Hsep. destruct Hsep as [S1 S2]. destruct (IH S2) as [I1 I2].
    split; apply Forall_app; split; auto; unfold warps; destruct (fst x); auto. }
  destruct (wanting_after _ _ Ha Sc) as [V1 V2]. pose proof (wanting_split _ _ Ha) as V3.
  destruct (Hc X) as [X1 X2]. destruct (Hc Y) as [Y1 Y2]. rewrite sigma_one in *.
  assert (waiting Y (company bs) (concat ms) = 0) as Y0.
  { destruct (Nat.eq_dec (waiting Y (company bs) (concat ms)) 0); [assumption|]. specialize (Y2 ltac:(lia)). lia. }
  split; [exact N3|]. split; [|split; [exact N2|split; [rewrite N1; lia|split]]].
  - enough (Forall (fun s => sep X s = true) (company ns) /\ Forall (fun s => sep X s = true) (unstarted ns)) as [S1 S2].
    { clear - S1 S2. unfold strings, company, unstarted in *. induction ns as [|x l IH]; [constructor|]. cbn [flat_map] in *.
      apply Forall_app in S1. apply Forall_app in S2. apply Forall_app. split; [|now apply IH]. unfold warps in *. destruct (fst x); tauto. }
    rewrite N1, N2. now split.
  - unfold worth_X. destruct (split_strings bs) as [E1 _]. destruct (split_strings ns) as [E3 _]. rewrite E1, E3, N1, N2.
    pose proof (total_after X _ _ Ha). lia.
  - intros E0. assert (waiting X (company bs) (concat ms) = 0) as X0.
    { destruct (Nat.eq_dec (waiting X (company bs) (concat ms)) 0); [assumption|]. specialize (X2 ltac:(lia)). lia. }
    split; [exact X0|]. split; [exact Y0|]. apply present_want. intros U. destruct (letter_cases X U) as [->| ->].
    + rewrite eqb_refl. enough (length (filter (wants X) (company bs)) = 0) by lia.
      clear - E0 X0 Ha. revert E0 X0. induction Ha as [|s st b m Hb H IH]; [reflexivity|]. cbn [issued waiting filter]. intros H1 H2.
      destruct (wants X s), b; cbn [andb negb length] in *; try lia; apply IH; lia.
    + assert (eqb Y X = false) as -> by (destruct X; reflexivity). exact Hw.
Qed.

(** While two blocks are present, every cycle issues an X. *)
Lemma full_run R bs mss bs' : 2 <= R -> crun sigma (fun l => length (filter present l) = R) bs mss bs' ->
  Forall (fun x => snd (snd x) = []) bs -> Forall (fun s => sep X s = true) (strings bs) ->
  Forall (fun s => wants Y s = false) (unstarted bs) -> wanting (company bs) <= 1 -> length mss <= worth_X bs.
Proof.
  intros HR Hr; induction Hr as [bs|bs os ms mss bs' Hs Hsp Hl Hr IH]; intros Hno Hsep Hun Hw; [cbn; lia|].
  destruct (begin_wanting bs os Hun) as [W1 W2]. rewrite <- W1 in Hw. rewrite <- (begin_strings bs os) in Hsep.
  assert (worth_X bs = worth_X (begin bs os)) as -> by (unfold worth_X; now rewrite begin_strings).
  destruct (odd_cycle _ _ Hsp Hl (begin_later bs os Hno) Hsep Hw) as (O1 & O2 & O3 & O4 & O5 & O6).
  specialize (IH O1 O2 ltac:(now rewrite O3) O4). cbn [length].
  destruct (Nat.eq_dec (issued X (company (begin bs os)) (concat ms)) 0) as [E0|E0]; [destruct (O6 E0) as (_ & _ & H)|]; lia.
Qed.

Lemma odd_run R bs mss bs' : 2 <= R -> crun sigma (slots R) bs mss bs' -> Forall (fun l => length (filter present l) <> 0) (states bs mss) ->
  Forall (fun x => snd (snd x) = []) bs -> Forall (fun s => sep X s = true) (strings bs) ->
  Forall (fun s => wants Y s = false) (unstarted bs) -> wanting (company bs) <= 1 ->
  length mss <= value bs.
Proof.
  intros HR Hr; induction Hr as [bs|bs os ms mss bs' [Hs1 Hs2] Hsp Hl Hr IH]; intros Hp Hno Hsep Hun Hw; [cbn; lia|].
  cbn [states] in Hp. inversion Hp as [|? ? Hp1 Hp2]; subst. destruct (begin_wanting bs os Hun) as [W1 W2].
  pose proof (begin_later bs os Hno) as Hno'. rewrite <- W1 in Hw. rewrite <- (begin_strings bs os) in Hsep.
  assert (value bs = value (begin bs os)) as EV by (unfold value, worth_X; now rewrite begin_strings). rewrite EV. clear EV W1 Hun Hno.
  set (b0 := begin bs os) in *. destruct (odd_cycle _ _ Hsp Hl Hno' Hsep Hw) as (O1 & O2 & O3 & O4 & O5 & O6). cbv zeta in *.
  destruct (next_company b0 ms Hsp Hno') as (N1 & N2 & _). set (ns := map opened (issues b0 ms)) in *. pose proof (proj1 Hl) as Ha.
  specialize (IH Hp2 O1 O2 ltac:(now rewrite O3) O4).
  cbn [length]. unfold value in *. pose proof (most_Y_le _ _ Ha) as HM.
  destruct (split_strings b0) as [_ E2]. destruct (split_strings ns) as [_ E4]. rewrite N1, N2 in E4.
  destruct (Nat.eq_dec (issued X (company b0) (concat ms)) 0) as [E0|E0]; [|lia].
  (* only one warp is there, and it issues a Y *)
  destruct (O6 E0) as (X0 & Y0 & Hone).
  assert (length (filter (wants X) (company b0)) = 0) as WX.
  { clear - E0 X0 Ha. revert E0 X0. induction Ha as [|s st b m Hb H IH]; [reflexivity|]. cbn [issued waiting filter]. intros H1 H2.
    destruct (wants X s), b; cbn [andb negb length] in *; try lia; apply IH; lia. }
  assert (unstarted b0 = []) as EU.
  { assert (~ Exists (fun x => fst x = false) b0) as Hn by (intros He; specialize (Hs2 He); lia).
    clear - Hn. unfold unstarted. induction b0 as [|x l IH]; [reflexivity|]. cbn [flat_map]. rewrite IH by (intros He; apply Hn; now right).
    destruct (fst x) eqn:Ef; [reflexivity|]. exfalso. apply Hn. now left. }
  rewrite EU in *. change (most_Y []) with 0 in *.
  assert (1 <= most_Y (company b0)) as HM1.
  { assert (1 <= wanting (company b0)) as Hw1.
    { destruct (Nat.eq_dec (wanting (company b0)) 0) as [Ew|]; [|lia]. exfalso. apply Hp1.
      enough (length (filter present b0) <= 0) by lia. unfold wanting in Ew. clear - WX Ew. unfold company in *.
      induction b0 as [|x l IH]; [cbn; lia|]. cbn [flat_map filter] in *. rewrite filter_app, app_length in *. specialize (IH ltac:(lia) ltac:(lia)).
      destruct (present x) eqn:Ep; [|lia]. exfalso. unfold present, warps in *. destruct (fst x); [|discriminate]. cbn [andb] in Ep.
      apply negb_true_iff in Ep. destruct (not_done_nth _ Ep) as (i & Hi & Hn). pose proof (nth_In _ [] Hi) as Hin.
      destruct (nth i (fst (snd x)) []) as [|U u]; [congruence|].
      assert (In (U :: u) (filter (wants U) (fst (snd x)))) as Hf by (apply filter_In; split; [assumption|apply eqb_refl]).
      destruct (letter_cases X U) as [->| ->]; [destruct (filter (wants X) (fst (snd x)))|destruct (filter (wants Y) (fst (snd x)))]; try easy; cbn in *; lia. }
    unfold wanting, most_Y in *. clear - Hw1. induction (company b0) as [|s l IH]; [cbn in Hw1; lia|]. cbn [filter] in Hw1.
    unfold list_max in *. cbn [map fold_right]. destruct (wants Y s) eqn:E; [|specialize (IH Hw1); lia].
    destruct s as [|V s]; [discriminate|]. cbn [wants] in E. rewrite count_cons, E. lia. }
  pose proof (most_Y_falls _ _ Ha E0 X0 Y0 (most_Y (company b0) - 1) ltac:(lia)). lia.
Qed.
End OddStrings.

(** Equal blocks at their start. *)
Lemma odd_start X s b n : s <> [] -> 0 < b -> wants X s = true -> let bs := repeat (false, one_block s b) n in
  worth_X X bs = n * b * count X s /\ most_Y X (strings bs) <= count (other X) s /\ Forall (fun x => snd (snd x) = []) bs /\
  (sep X s = true -> Forall (fun u => sep X u = true) (strings bs)) /\ Forall (fun u => wants (other X) u = false) (unstarted bs) /\
  wanting X (company bs) = 0 /\ Forall (CompanyMoves.sound (fun _ => True)) bs.
Proof.
  intros Hs Hb Hw bs. assert (strings bs = repeat s (n * b) /\ unstarted bs = repeat s (n * b) /\ company bs = []) as (E1 & E2 & E3).
  { clear. unfold strings, unstarted, company, bs. induction n as [|n [I1 [I2 I3]]]; [repeat split|]. cbn [repeat flat_map fst snd].
    rewrite I1, I2, I3. cbn [Nat.mul]. rewrite repeat_app. repeat split. }
  assert (forall P : string -> Prop, P s -> Forall P (repeat s (n * b))) as Hall.
  { intros P HP. apply Forall_forall. intros x Hx. apply repeat_spec in Hx. now subst. }
  unfold worth_X. rewrite E1, E2, E3. split; [apply total_repeat|]. split; [|split; [|split; [|split; [|split]]]].
  - unfold most_Y, list_max. clear. induction (n * b) as [|k IH]; cbn [repeat map fold_right]; lia.
  - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. now subst.
  - intros H. now apply Hall.
  - apply Hall. destruct s as [|U u]; [reflexivity|]. cbn [wants] in *. destruct X, U; auto; discriminate.
  - reflexivity.
  - apply Forall_forall. intros x Hx. apply repeat_spec in Hx. subst. unfold CompanyMoves.sound, one_block, wf, settled. cbn [fst snd].
    repeat split; auto; [destruct b; [lia|discriminate]|apply Forall_forall; auto].
Qed.

(** n equal blocks of b warps that run an odd string, on a multiprocessor of their own with at least two at once: T <= n b a + (I - a). *)
Theorem odd_strings sigma s b R n T : (forall U, sigma U = 1) -> odd s -> s <> [] -> 0 < b -> 2 <= R ->
  alone sigma (one_block s b) R n T -> T <= n * b * a s + (length s - a s).
Proof.
  intros H1 Ho Hs Hb HR (mss & bs' & B & Hr & <- & HB). destruct s as [|X u]; [congruence|].
  destruct (odd_sep X u Ho) as [Hsep Ha]. rewrite Ha. pose proof (count_both X (X :: u)) as Hboth. set (s := X :: u) in *.
  destruct mss as [|om mss]; [cbn; lia|].
  destruct (odd_start X s b n Hs Hb ltac:(apply eqb_refl)) as (S1 & S2 & S3 & S4 & S5 & S6 & Hsd). specialize (S4 Hsep).
  pose proof (odd_run sigma H1 X R _ _ _ HR Hr) as H. unfold value in H. rewrite S1 in H.
  enough (length (om :: mss) <= n * b * count X s + most_Y X (strings (repeat (false, one_block s b) n))) by lia. apply H; clear H; auto; [|lia].
  apply Forall_forall. intros l Hl. pose proof (crun_rule _ _ _ _ _ Hr) as HS. apply throughout_states in HS. rewrite Forall_forall in HS.
  destruct (HS l Hl) as [_ Hq]. apply In_nth with (d := []) in Hl. destruct Hl as (t & Ht & El). rewrite states_length in Ht.
  destruct (fst (nth B l nobody)) eqn:Ef.
  - pose proof (present_between sigma (fun _ => True) ltac:(auto) _ B _ _ _ Hr Hsd t (length (om :: mss) - 1) ltac:(lia)) as Hpb.
    rewrite El in Hpb. specialize (Hpb Ef HB). unfold in_cycle in Hpb. rewrite El in Hpb.
    assert (In (nth B l nobody) (filter present l)) as Hin.
    { apply filter_In. split; [|assumption]. apply nth_In. destruct (Nat.lt_ge_cases B (length l)); [assumption|].
      rewrite nth_overflow in Ef by assumption. discriminate. }
    destruct (filter present l); [easy|discriminate].
  - rewrite Hq; [lia|]. apply Exists_exists. exists (nth B l nobody). split; [|assumption]. apply nth_In.
    pose proof (last_lt sigma _ B _ _ _ Hr HB ltac:(discriminate)) as HBl. rewrite <- El, (state_length sigma _ _ _ _ Hr); [assumption|].
    apply nth_In. now rewrite states_length.
Qed.

(** The same while no slot is free: T <= n b a. *)
Theorem odd_strings_full sigma s b R n T : (forall U, sigma U = 1) -> odd s -> s <> [] -> 0 < b -> 2 <= R ->
  packed sigma (one_block s b) R n T -> T <= n * b * a s.
Proof.
  intros H1 Ho Hs Hb HR (mss & bs' & Hr & <-). destruct s as [|X u]; [congruence|]. destruct (odd_sep X u Ho) as [Hsep Ha]. rewrite Ha.
  destruct (odd_start X (X :: u) b n Hs Hb ltac:(apply eqb_refl)) as (S1 & _ & S3 & S4 & S5 & S6 & _). rewrite <- S1.
  apply (full_run sigma H1 X R _ _ _ HR Hr); auto. lia.
Qed.
