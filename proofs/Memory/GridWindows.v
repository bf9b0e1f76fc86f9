(** Windows of a bounded length, as in Windows.v, for grids (servers.md): what Grid.v and SeveralGrid.v say of any servers, they say of one
    server that only counts the stalled cycles before the last one. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains CPBarriers.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP Followed Grid SeveralGrid FollowedWindows.

(** A server of rate 1 that takes one in each stalled cycle, of what it has from the start. *)
Definition counted (c : gcycle) : gcycle := GCycle (doings c) (fun _ => if gstalled c then 1 else 0).
Definition recounted (cs : list gcycle) (c : gcycle) : list gcycle := map counted (cs ++ [gcalm c]).

Section GridWindows.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation gnext := (gnext unit occ).
Notation grun := (grun unit inst occ lo hi shared width).
Notation at_time := (at_time unit occ).
Notation gasked_in := (gasked_in unit occ asks).
Notation one := (fun _ : nat => 1).
Notation none := (fun _ _ : nat => 0).

Lemma asked_none j st m : asked none j st m = 0.
Proof.
  unfold asked. revert m; induction st as [|v st IH]; intros [|a m]; cbn [total]; try reflexivity. rewrite IH.
  unfold asked_by. now destruct a, (code v).
Qed.

Lemma to_ask_none j st : to_ask none j st = 0.
Proof.
  assert (forall s : list nat, list_sum (map (none j) s) = 0) as H0 by (induction s as [|x s IH]; [reflexivity|exact IH]).
  unfold to_ask. induction st as [|v st IH]; [reflexivity|].
  change (list_sum (map (none j) (code v)) + list_sum (map (fun v => list_sum (map (none j) (code v))) st) = 0). rewrite H0. exact IH.
Qed.

Lemma run_counted st pool cs st' pool' : grun J rate asks st pool cs st' pool' -> forall p, (forall j, gstalls cs <= p j) ->
  exists pool1, grun 1 one none st p (map counted cs) st' pool1.
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros p Hp; [exists p; constructor|].
  cbn [gstalls] in Hp. set (k := if gstalled c then 1 else 0) in *.
  destruct (IH (pool_after p (fun j => asked none j (map core st) (map act (doings c))) (fun _ => k))) as (pool1 & H1).
  { intros j. unfold pool_after. specialize (Hp j). lia. }
  exists pool1. cbn [map]. constructor; [|exact H1]. destruct Hm as (Hl & Hlg & _). split; [exact Hl|]. split; [exact Hlg|].
  unfold counted. cbn [doings gtook]. fold k. split.
  - intros j _. specialize (Hp j). unfold k in *. destruct (gstalled c); lia.
  - intros E. exists 0. split; [lia|]. unfold k. unfold gstalled in *. cbn [doings] in E. now rewrite E.
Qed.

Lemma run_recounted st pool cs c st' pool' : grun J rate asks st pool (cs ++ [c]) st' pool' ->
  exists st1 pool1, grun 1 one none st (fun _ => gstalls cs) (recounted cs c) st1 pool1.
Proof.
  intros H. destruct (grun_calm unit inst occ lo hi shared width J rate asks _ _ _ _ _ _ H) as (st1 & pool1 & H1).
  destruct (run_counted _ _ _ _ _ H1 (fun _ => gstalls cs)) as (pool2 & H2).
  { intros _. rewrite gstalls_app. cbn [gstalls]. rewrite gstalled_gcalm. lia. }
  exists st1, pool2. exact H2.
Qed.

Lemma recounted_length cs c : length (recounted cs c) = length (cs ++ [c]).
Proof. unfold recounted. now rewrite map_length, !app_length. Qed.

Lemma recounted_at_time cs c : forall st t, t <= length cs -> at_time st (recounted cs c) t = at_time st (cs ++ [c]) t.
Proof.
  unfold recounted. induction cs as [|d cs IH]; intros st [|t] H; cbn [length app map Grid.at_time] in *; try reflexivity; [lia|]. apply IH. lia.
Qed.

Lemma recounted_here cs c i : forall t, here (nth i (during (recounted cs c) t) still) = here (nth i (during (cs ++ [c]) t) still).
Proof.
  unfold during, recounted. induction cs as [|d cs IH]; intros [|t]; cbn [app map nth]; try reflexivity; [|apply IH].
  cbn [counted gcalm doings]. change still with (melt still) at 1. now rewrite map_nth.
Qed.

(** A latency that is not frozen in the last cycle is over no later. *)
Lemma lives_melt st ds i : length ds = length st -> Forall2 (able lo hi) (views st ds) (map act ds) ->
  lives (gnext st (map melt ds)) i -> lives (gnext st ds) i.
Proof.
  intros Hl Hab. pose proof (able_at_index lo hi shared width rate asks i st ds Hab Hl) as Ha. revert Ha.
  assert (nth i (map melt ds) still = melt (nth i ds still)) as En by (change still with (melt still) at 1; apply map_nth).
  unfold lives. rewrite !gnext_nth by (rewrite ?map_length; exact Hl). rewrite En. generalize (nth i ds still). intros d.
  unfold gstep, fstep, step, able, melt. cbn [core act ice].
  destruct (act d) as [l|], (code (core (nth i st idle_warp))) as [|x c]; intros Ha; try tauto;
    destruct (ice d); cbn [code lat]; intros [H|H]; auto; right; lia.
Qed.

Lemma recounted_lives st pool cs c st' pool' s i : grun J rate asks st pool (cs ++ [c]) st' pool' -> s <= length (cs ++ [c]) ->
  lives (at_time st (recounted cs c) s) i -> lives (at_time st (cs ++ [c]) s) i.
Proof.
  intros Hr Hs. rewrite app_length in Hs. cbn [length] in Hs. destruct (le_lt_dec s (length cs)); [now rewrite recounted_at_time|].
  replace s with (S (length cs)) by lia. clear Hs l s. unfold recounted. revert st pool Hr.
  induction cs as [|d cs IH]; intros st pool Hr; cbn [app] in Hr; inversion Hr as [|? ? ? ? ? ? Hm Hr']; subst; cbn [app map length Grid.at_time].
  - apply lives_melt; [apply Hm|]. destruct Hm as (_ & (Ha & _) & _). exact Ha.
  - now apply (IH _ _ Hr').
Qed.

(** The term of that server. *)
Lemma counted_term k st : memory_term 1 one (fun j => k + to_ask none j st) = k.
Proof. unfold memory_term. cbn [sum_below]. rewrite to_ask_none, Nat.div_1_r. lia. Qed.

Lemma window_closes (X : Z) st pool cs c st' pool' R0 Q : grun J rate asks st pool (cs ++ [c]) st' pool' ->
  (forall j, j < J -> pool j + gasked_in j st (firstn R0 (cs ++ [c])) <= Q j) -> (X + Z.of_nat (memory_term J rate Q) <= Z.of_nat R0)%Z ->
  (Z.of_nat (length (cs ++ [c])) <= X + Z.of_nat (gstalls cs))%Z -> length (cs ++ [c]) <= R0.
Proof.
  intros Hr HQ HR HX. destruct (le_lt_dec (length (cs ++ [c])) R0) as [H|H]; [exact H|exfalso]. rewrite app_length in *. cbn [length] in *.
  assert (firstn R0 (cs ++ [c]) = firstn R0 cs) as Ef.
  { rewrite firstn_app. replace (R0 - length cs) with 0 by lia. cbn [firstn]. apply app_nil_r. }
  rewrite Ef in HQ. destruct (grun_prefix unit inst occ lo hi shared width J rate asks st pool (firstn R0 cs) (skipn R0 cs ++ [c]) st' pool') as (st2 & pool2 & Hr2).
  { rewrite app_assoc, firstn_skipn. exact Hr. }
  pose proof (gstalled_in_window unit inst occ lo hi shared width J rate asks rate_pos _ _ _ _ _ Hr2) as Hk.
  assert (memory_term J rate (fun j => pool j + gasked_in j st (firstn R0 cs)) <= memory_term J rate Q) as Hm.
  { apply sum_below_le. intros j Hj. specialize (rate_pos j Hj). apply Nat.div_le_mono; [lia|]. now apply HQ. }
  assert (gstalls cs = gstalls (firstn R0 cs) + gstalls (skipn R0 cs)) as Es by (rewrite <- gstalls_app, firstn_skipn; reflexivity).
  pose proof (gstalls_le (skipn R0 cs)) as Hsk. rewrite skipn_length in Hsk. lia.
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.
Variables (A F : nat) (om : Z).
Notation small near U := (small unit occ hi shared wi wd near U A F om).
Local Open Scope Z_scope.

(** P(x): every R0 that is no less than P(x) and the memory term of what is there or comes in the first R0 cycles. *)
Theorem grid_window (block : nat -> nat) near U st pool cs st' pool' B R (place : nat -> nat) (on : nat -> nat -> bool) w R0 (Q : nat -> nat) :
  let mine i := (place (block i) <? R)%nat in
  let x := length (filter (fun b => (place b <? R)%nat) (seq 0 B)) in
  let warps := length (filter mine (seq 0 (length st))) in
  grun J rate asks st pool cs st' pool' -> (forall i, (i < length st)%nat -> small near U (mine i) (core (nth i st idle_warp))) -> om <= N * Z.of_nat A ->
  (forall i, (i < length st)%nat -> mine i = true -> near (sched (core (nth i st idle_warp))) = true /\
    forall y, In y (code (core (nth i st idle_warp))) -> occurs (unit y) U = true) ->
  (Z.of_nat width * wd = N \/ wd = 0 /\ forall g, (crowd g (map core st) <= width)%nat) ->
  (0 < R)%nat -> (w < length st)%nat -> mine w = true -> (forall i, (i < length st)%nat -> (block i < B)%nat) ->
  (forall t i, (t < length cs)%nat -> (i < length st)%nat -> here (nth i (during cs t) still) = on t (block i)) ->
  (forall t b, on t b = true -> on (S t) b = true) ->
  (forall t, (t < length cs)%nat -> on t (block w) = false -> forall p, (p < R)%nat ->
     exists i, (i < length st)%nat /\ place (block i) = p /\ on t (block i) = true /\ lives (at_time st cs t) i) ->
  code (core (nth w (at_time st cs (length cs - 1)) idle_warp)) <> [] ->
  (forall j, (j < J)%nat -> (pool j + gasked_in j st (firstn R0 cs) <= Q j)%nat) ->
  let K := S ((x - 1) / R) in
  Z.of_nat ((K - 1) * A + F) + (Z.of_nat warps - Z.of_nat K) * om / N + Z.of_nat (memory_term J rate Q) <= Z.of_nat R0 ->
  (length cs <= R0)%nat.
Proof.
  intros mine x warps Hr Hsm Hom Hcov Hwide HR Hw Hmw Hblk Hpres Hmon Hfull Hlast HQ K HX.
  destruct cs as [|c0 cs0] using rev_ind; [cbn [length]; lia|]. clear IHcs0.
  destruct (run_recounted st pool cs0 c0 st' pool' Hr) as (st1 & pool1 & H1).
  pose proof (recounted_length cs0 c0) as Hlen. rewrite app_length in Hlen. cbn [length] in Hlen.
  apply (window_closes (Z.of_nat ((K - 1) * A + F) + (Z.of_nat warps - Z.of_nat K) * om / N) st pool cs0 c0 st' pool' R0 Q Hr HQ HX).
  pose proof (grid unit inst occ lo hi shared width 1 one none (fun _ _ => le_n 1) occ_pos block N wi wd N_pos wi_unit wd_pos wd_le near U A F om
    st (fun _ => gstalls cs0) (recounted cs0 c0) st1 pool1 B R place on w H1 Hsm Hom Hcov Hwide HR Hw Hmw Hblk) as G. cbv beta zeta in G.
  rewrite counted_term, Hlen in G. rewrite app_length in *. cbn [length] in *. apply G; [|exact Hmon| |].
  - intros t i Ht Hi. rewrite recounted_here. now apply Hpres.
  - intros t Ht Hon p Hp. rewrite recounted_at_time by lia. now apply Hfull.
  - rewrite recounted_at_time by lia. exact Hlast.
Qed.

(** The second branch, h + L + Q(y). *)
Theorem several_window h near1 U1 near2 U2 st pool cs st' pool' (block : nat -> nat) B R (place2 : nat -> nat) (on : nat -> nat -> bool) s
    (there : nat -> bool) w R0 (Q : nat -> nat) :
  (forall x, (occ x <= lo x + h)%nat) ->
  let mine i := (place2 (block i) <? R)%nat in
  let y := length (filter (fun b => (place2 b <? R)%nat) (seq 0 B)) in
  let warps := length (filter mine (seq 0 (length st))) in
  grun J rate asks st pool cs st' pool' ->
  (forall i, (i < length st)%nat -> small near2 U2 (mine i) (core (nth i st idle_warp))) ->
  (forall i, (i < length st)%nat -> small near1 U1 true (core (nth i st idle_warp))) ->
  om <= N * Z.of_nat A ->
  (forall i, (i < length st)%nat -> mine i = true -> near2 (sched (core (nth i st idle_warp))) = true /\
    forall y, In y (code (core (nth i st idle_warp))) -> occurs (unit y) U2 = true) ->
  near1 (sched (core (nth w st idle_warp))) = true -> (forall y, In y (code (core (nth w st idle_warp))) -> occurs (unit y) U1 = true) ->
  (Z.of_nat width * wd = N \/ wd = 0 /\ forall g, (crowd g (map core st) <= width)%nat) ->
  (0 < R)%nat -> (w < length st)%nat -> there w = true -> (forall i, (i < length st)%nat -> (block i < B)%nat) ->
  (forall t i, (t < length cs)%nat -> (i < length st)%nat -> here (nth i (during cs t) still) = on t (block i)) ->
  (forall t, (t < length cs)%nat -> (t < s)%nat -> forall p, (p < R)%nat ->
     exists i, (i < length st)%nat /\ place2 (block i) = p /\ on t (block i) = true /\ lives (at_time st cs t) i) ->
  (forall t, (t < length cs)%nat -> (s <= t)%nat -> on t (block w) = true) ->
  (forall i, (i < length st)%nat -> there i = false -> weight unit occ shared wi wd near1 U1 (core (nth i st idle_warp)) <= 0 \/
     ((s <= length cs)%nat -> ~ lives (at_time st cs s) i)) ->
  code (core (nth w (at_time st cs (length cs - 1)) idle_warp)) <> [] ->
  (forall j, (j < J)%nat -> (pool j + gasked_in j st (firstn R0 cs) <= Q j)%nat) ->
  let k := (y / R)%nat in
  Z.of_nat h + (Z.of_nat F + (Z.of_nat (length (filter there (seq 0 (length st)))) - 1) * om / N) +
    (Z.of_nat (k * A) + (Z.of_nat warps - Z.of_nat k) * om / N) + Z.of_nat (memory_term J rate Q) <= Z.of_nat R0 ->
  (length cs <= R0)%nat.
Proof.
  intros Hh mine y warps Hr Hsm2 Hsm1 Hom Hcov2 Hn1 HU1 Hwide HR Hw Htw Hblk Hpres Hfull Hafter Hthere Hlast HQ k HX.
  destruct cs as [|c0 cs0] using rev_ind; [cbn [length]; lia|]. clear IHcs0.
  destruct (run_recounted st pool cs0 c0 st' pool' Hr) as (st1 & pool1 & H1).
  pose proof (recounted_length cs0 c0) as Hlen. rewrite app_length in Hlen. cbn [length] in Hlen.
  apply (window_closes (Z.of_nat h + (Z.of_nat F + (Z.of_nat (length (filter there (seq 0 (length st)))) - 1) * om / N) +
    (Z.of_nat (k * A) + (Z.of_nat warps - Z.of_nat k) * om / N)) st pool cs0 c0 st' pool' R0 Q Hr HQ HX).
  pose proof (several unit inst occ lo hi shared width 1 one none (fun _ _ => le_n 1) occ_pos h Hh N wi wd N_pos wi_unit wd_pos wd_le A F om
    near1 U1 near2 U2 st (fun _ => gstalls cs0) (recounted cs0 c0) st1 pool1 block B R place2 on s there w H1
    Hsm2 Hsm1 Hom Hcov2 Hn1 HU1 Hwide HR Hw Htw Hblk) as G. cbv beta zeta in G.
  rewrite counted_term, Hlen in G. rewrite app_length in *. cbn [length] in *. apply G.
  - intros t i Ht Hi. rewrite recounted_here. now apply Hpres.
  - intros t Ht Hs p Hp. rewrite recounted_at_time by lia. apply Hfull; [lia|lia|assumption].
  - intros t Ht Hs. apply Hafter; lia.
  - intros i Hi Ht. destruct (Hthere i Hi Ht) as [H|H]; [now left|right]. intros Hs Hl. apply H; [exact Hs|].
    apply (recounted_lives _ _ _ _ _ _ s i Hr); [rewrite app_length; cbn [length]; lia|exact Hl].
  - rewrite recounted_at_time by lia. exact Hlast.
Qed.
End GridWindows.
