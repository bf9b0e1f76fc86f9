(** The search on instances whose worst case is known from the exhaustive engine of the program (warpspan solve). Each is
    proved with its worst case and refused with one cycle less; the phase bound alone is larger for most of them. *)
From Warpspan Require Import Certificate.

Definition thetas (sL sC : nat) : list (Z * Z) :=
  let l := Z.of_nat sL in let c := Z.of_nat sC in [(1, l); (1, c); (l + c, 2 * l * c)]%Z.

Definition instances : list (nat * nat * list group * Z) := [
  (2, 2, [(kernel "LLLCL", 5%N)], 13%Z);
  (1, 2, [(kernel "CCCL", 1%N); (kernel "CLLC", 6%N)], 15%Z);
  (2, 3, [(kernel "CCLCCLL", 4%N); (kernel "LC", 2%N)], 11%Z);
  (2, 1, [(kernel "LCL", 1%N); (kernel "LL", 3%N); (kernel "LLLCLC", 3%N)], 15%Z);
  (4, 1, [(kernel "LCLCLC", 1%N); (kernel "CCLLC", 1%N); (kernel "CLL", 6%N)], 14%Z);
  (1, 4, [(kernel "LLLLLC", 1%N); (kernel "LCC", 5%N)], 12%Z);
  (2, 1, [(kernel "LCCLC", 1%N); (kernel "LL", 5%N)], 10%Z);
  (4, 1, [(kernel "LCLC", 2%N); (kernel "CCLLL", 4%N)], 15%Z);
  (2, 3, [(kernel "LCCC", 3%N); (kernel "CL", 3%N); (kernel "CCLLLCCC", 1%N)], 11%Z);
  (2, 3, [(kernel "LCLLCCCC", 5%N)], 17%Z);
  (2, 1, [(kernel "CC", 2%N); (kernel "LLCLLL", 4%N)], 13%Z);
  (2, 1, [(kernel "LCC", 1%N); (kernel "CLLLCL", 4%N)], 14%Z);
  (2, 2, [(kernel "LLL", 5%N)], 9%Z);
  (1, 2, [(kernel "CCCLLC", 2%N); (kernel "LLLLCC", 1%N)], 10%Z);
  (4, 1, [(kernel "LCCLLC", 5%N); (kernel "CLLLLLCL", 1%N)], 19%Z);
  (2, 1, [(kernel "LLLC", 6%N)], 13%Z);
  (1, 4, [(kernel "CCLLLLLC", 6%N)], 33%Z);
  (2, 1, [(kernel "CLLCCLL", 4%N)], 16%Z);
  (4, 1, [(kernel "CCC", 6%N)], 18%Z);
  (2, 2, [(kernel "CCCLC", 1%N); (kernel "LCCL", 5%N); (kernel "LLCCLCC", 1%N)], 12%Z);
  (1, 1, [(kernel "LL", 2%N); (kernel "LL", 3%N); (kernel "CC", 4%N)], 10%Z);
  (2, 1, [(kernel "LLCLC", 5%N); (kernel "CLCLL", 1%N)], 16%Z);
  (2, 1, [(kernel "CLCCLL", 5%N)], 18%Z);
  (2, 1, [(kernel "LCLLCCL", 1%N); (kernel "CLCCLLL", 3%N)], 17%Z);
  (2, 2, [(kernel "CC", 4%N); (kernel "CLC", 1%N)], 7%Z);
  (2, 1, [(kernel "LLCL", 5%N); (kernel "LLCLCCLC", 1%N); (kernel "CCC", 1%N)], 15%Z);
  (1, 4, [(kernel "CC", 5%N); (kernel "LLLLCL", 3%N)], 16%Z);
  (1, 3, [(kernel "LLCCCLCC", 3%N)], 13%Z);
  (2, 1, [(kernel "LLLLCLLL", 3%N)], 14%Z);
  (2, 2, [(kernel "CL", 2%N); (kernel "LCLLCCL", 1%N); (kernel "LCC", 3%N)], 10%Z);
  (1, 1, [(kernel "CCCCL", 4%N)], 17%Z);
  (1, 2, [(kernel "CCCCCLLC", 4%N)], 18%Z);
  (2, 3, [(kernel "LCCLCLCL", 6%N)], 16%Z);
  (2, 3, [(kernel "CCCLCC", 4%N)], 10%Z);
  (1, 2, [(kernel "CCCLLLLL", 6%N)], 37%Z);
  (1, 1, [(kernel "CCC", 2%N); (kernel "LLC", 4%N)], 10%Z)
].

Definition proved '(sL, sC, gs, T) : bool := search_check sL sC gs (thetas sL sC) T.

Example all_proved : forallb proved instances = true.
Proof. vm_compute. reflexivity. Qed.

Example none_with_less : existsb (fun '(sL, sC, gs, T) => proved (sL, sC, gs, T - 1)%Z) instances = false.
Proof. vm_compute. reflexivity. Qed.

(** The phase bound does not prove most of them. *)
Example phase_bound_larger :
  length (filter (fun '(sL, sC, gs, T) => negb (upper_check sL sC gs (thetas sL sC) T)) instances) = 29.
Proof. vm_compute. reflexivity. Qed.

(** A theta out of its range [1/sigma_fast, 1/sigma_slow] is passed over, also one with a denominator of 0 or less. Where
    none is left, nothing is proved. *)
Definition one : list group := [(kernel "LCCLCLLCC", 6%N)].

Example out_of_range : map (fun ts => search_check 1 2 one ts 29)
    [[(1, 1)]; [(1, 2)]; [(3, 4)]; [(2, 1); (1, 1)]; [(2, 1)]; [(1, 3)]; [(1, 0)]; [(-1, -1)]; []]%Z
  = [true; true; true; true; false; false; false; false; false].
Proof. vm_compute. reflexivity. Qed.

(** A unit that takes no warp is refused, and so is a bound below 0; no warp, and no letter, take no cycle. *)
Example degenerate :
  map (fun '(sL, sC, gs, T) => search_check sL sC gs [(1, 1)]%Z T) [
    (0, 2, one, 29%Z); (1, 0, one, 29%Z); (1, 2, one, (-1)%Z);
    (1, 2, [], 0%Z); (1, 2, [], (-1)%Z);
    (1, 2, [(kernel "", 3%N)], 0%Z);
    (1, 2, [(kernel "LCC", 0%N); (kernel "", 3%N); (kernel "C", 1%N)], 1%Z);
    (1, 2, [(kernel "LCC", 0%N); (kernel "", 3%N); (kernel "C", 1%N)], 0%Z)]
  = [false; false; false; true; false; true; true; false].
Proof. vm_compute. reflexivity. Qed.

(** A bound that is larger than needed is proved too. *)
Example larger : search_check 1 2 one [(1, 1)]%Z 31 = true.
Proof. vm_compute. reflexivity. Qed.

(** As a certificate states it. *)
Example certificate : bounded 1 2 one 29.
Proof. apply (search_sound 1 2 one [(1, 1)]%Z). vm_cast_no_check (eq_refl true). Qed.

(** Blocks with barriers: small blocks with several groups, empty segments and early exits, whose worst cases come from a
    program that tries all schedules warp by warp. *)
Definition blocks_of_warps : list (nat * nat * list (list (list string * N)) * Z) := [
(2, 2, [[([kernel "CLC"; kernel ""], 1%N); ([kernel "LCC"], 3%N)]; [([kernel "CCCL"; kernel "LC"], 3%N)]], 14%Z);
  (2, 3, [[([kernel "LLCC"; kernel ""], 1%N); ([kernel "LCL"; kernel "LLC"], 2%N)]], 9%Z);
  (2, 1, [[([kernel "CL"; kernel "LLCC"; kernel "CCL"], 2%N); ([kernel "CC"], 2%N)]; [([kernel ""], 3%N)]], 18%Z);
  (2, 1, [[([kernel "CCC"; kernel ""; kernel "LLL"], 2%N)]; [([kernel "LLC"; kernel "CCLL"; kernel "CLLL"], 1%N); ([kernel "LCLL"; kernel "LLC"; kernel "L"], 3%N)]], 24%Z);
  (2, 2, [[([kernel ""; kernel "LC"; kernel "CLCL"], 1%N)]; [([kernel ""; kernel "L"; kernel "LL"], 2%N)]], 9%Z);
  (2, 3, [[([kernel "LC"], 3%N)]; [([kernel "LCC"; kernel ""; kernel ""], 1%N); ([kernel ""], 1%N)]; [([kernel ""; kernel ""], 3%N)]], 4%Z);
  (2, 2, [[([kernel "LC"], 2%N)]; [([kernel "CCCL"; kernel "CL"], 1%N); ([kernel ""; kernel "LLL"; kernel "CC"], 3%N)]], 15%Z);
  (1, 1, [[([kernel "CC"], 2%N)]; [([kernel "LLL"; kernel "CLCL"], 2%N); ([kernel ""], 2%N)]; [([kernel "LC"; kernel ""; kernel "CLCL"], 3%N)]], 22%Z);
  (1, 3, [[([kernel ""; kernel ""], 3%N); ([kernel "LLLL"; kernel "CLLL"; kernel "L"], 2%N)]; [([kernel "CCC"; kernel "CL"; kernel "LCL"], 2%N); ([kernel "CLCL"; kernel "L"; kernel "CCL"], 1%N)]], 27%Z);
  (1, 2, [[([kernel "CL"], 2%N)]; [([kernel "LCLC"; kernel ""], 2%N); ([kernel ""; kernel "LLL"; kernel "C"], 1%N)]; [([kernel "L"; kernel "LCLL"], 2%N)]], 20%Z);
  (1, 2, [[([kernel ""; kernel ""; kernel ""], 2%N)]; [([kernel "CC"], 1%N)]], 2%Z);
  (2, 2, [[([kernel "CCL"; kernel "LC"], 3%N); ([kernel ""; kernel "LL"], 1%N)]; [([kernel "LLL"; kernel "CC"; kernel "C"], 2%N)]], 12%Z);
  (1, 3, [[([kernel "CL"], 1%N); ([kernel "LLLL"; kernel "C"], 3%N)]; [([kernel "L"; kernel "LLL"], 1%N); ([kernel "CL"; kernel "CCC"], 3%N)]], 21%Z);
  (2, 2, [[([kernel "CCLL"; kernel ""], 1%N); ([kernel "C"; kernel "C"; kernel "L"], 3%N)]; [([kernel "CLCL"], 1%N)]], 10%Z);
  (1, 3, [[([kernel ""], 2%N); ([kernel "L"; kernel "LCC"; kernel "CL"], 1%N)]], 6%Z);
  (2, 3, [[([kernel "LCC"], 2%N)]; [([kernel "CL"; kernel ""; kernel "C"], 2%N)]], 4%Z);
  (1, 2, [[([kernel "L"], 1%N); ([kernel "CLLL"], 1%N)]; [([kernel "CLL"], 1%N); ([kernel "CCL"; kernel ""], 1%N)]], 7%Z);
  (1, 3, [[([kernel "LC"], 1%N)]; [([kernel "CC"], 2%N); ([kernel "C"; kernel ""], 2%N)]], 3%Z);
  (1, 2, [[([kernel ""; kernel "C"], 1%N)]; [([kernel "CLC"; kernel "CL"], 2%N)]; [([kernel ""; kernel "CCCL"], 3%N)]], 13%Z);
  (2, 3, [[([kernel "C"; kernel "CLC"], 3%N); ([kernel "CL"; kernel "CCLL"], 1%N)]; [([kernel "LLC"], 1%N); ([kernel ""; kernel "LCCC"; kernel "LL"], 1%N)]], 11%Z);
  (1, 1, [[([kernel "LCCC"], 3%N)]; [([kernel ""; kernel "CC"], 1%N); ([kernel "LCCL"], 2%N)]], 17%Z);
  (2, 1, [[([kernel "C"], 3%N); ([kernel "CLC"; kernel "CCL"; kernel "LL"], 1%N)]], 11%Z);
  (2, 1, [[([kernel "C"; kernel "CC"], 3%N); ([kernel "C"; kernel "CL"; kernel "CCC"], 3%N)]; [([kernel ""; kernel ""; kernel "L"], 3%N)]], 25%Z);
  (2, 1, [[([kernel "L"; kernel ""], 2%N)]; [([kernel ""; kernel "LCCC"], 1%N)]; [([kernel "CCL"; kernel ""], 2%N); ([kernel "L"], 1%N)]], 8%Z);
  (2, 3, [[([kernel "LCLL"; kernel ""], 1%N); ([kernel ""; kernel "CCC"], 3%N)]; [([kernel "LL"], 3%N); ([kernel "LCCC"], 2%N)]], 12%Z);
  (2, 1, [[([kernel "LCLL"; kernel "CLC"], 3%N)]; [([kernel ""; kernel "LC"], 1%N); ([kernel "LC"; kernel ""], 2%N)]], 16%Z);
  (1, 1, [[([kernel "LCC"; kernel "C"; kernel "CLC"], 1%N)]; [([kernel "CC"; kernel ""], 1%N)]; [([kernel "LCL"; kernel "L"], 3%N)]], 16%Z);
  (2, 2, [[([kernel ""; kernel ""; kernel "LC"], 2%N); ([kernel "CCL"; kernel "L"], 2%N)]], 6%Z);
  (1, 2, [[([kernel "LL"; kernel ""], 2%N)]; [([kernel "L"; kernel "CL"], 3%N)]], 11%Z);
  (2, 1, [[([kernel "CC"; kernel "CCL"; kernel "CCLC"], 3%N)]; [([kernel "LC"], 2%N); ([kernel "L"], 3%N)]], 25%Z);
  (1, 1, [[([kernel ""], 3%N); ([kernel "L"], 2%N)]; [([kernel "CL"; kernel "CCL"; kernel "LCCC"], 3%N); ([kernel "CCCC"; kernel "CL"], 1%N)]], 26%Z);
  (2, 2, [[([kernel "LC"; kernel "CCL"; kernel "CLC"], 3%N)]; [([kernel "CCL"], 1%N)]; [([kernel "L"; kernel "LL"], 3%N)]], 17%Z);
  (1, 3, [[([kernel ""], 3%N)]; [([kernel "CCLC"; kernel "LC"], 1%N); ([kernel "C"; kernel "LL"], 1%N)]], 8%Z);
  (1, 3, [[([kernel "CC"], 3%N)]; [([kernel "CL"; kernel "LC"; kernel ""], 1%N)]], 6%Z);
  (2, 3, [[([kernel "LLLL"; kernel "CCC"; kernel "LLC"], 2%N)]; [([kernel "CCCL"], 2%N); ([kernel "CLC"], 1%N)]; [([kernel "LCL"], 2%N)]], 15%Z);
  (2, 1, [[([kernel "L"; kernel "LLC"; kernel "LLCC"], 3%N)]; [([kernel "CC"; kernel ""; kernel ""], 3%N)]], 17%Z);
  (1, 3, [[([kernel "C"; kernel "CCLC"; kernel "CCCC"], 1%N)]; [([kernel "CLC"; kernel ""; kernel "LC"], 2%N)]], 9%Z);
  (1, 1, [[([kernel "L"; kernel "LLLL"; kernel "CCC"], 1%N)]; [([kernel "LC"; kernel ""], 1%N)]; [([kernel "CL"; kernel "CL"], 2%N)]], 13%Z);
  (2, 2, [[([kernel "L"; kernel "CC"; kernel ""], 1%N)]; [([kernel ""], 1%N); ([kernel "LC"; kernel "L"], 1%N)]; [([kernel "LC"; kernel "CCC"], 2%N); ([kernel "CCLL"; kernel ""], 1%N)]], 9%Z);
  (2, 2, [[([kernel "L"; kernel "L"], 3%N); ([kernel "CCL"], 1%N)]; [([kernel "LCLL"; kernel "LLLL"], 3%N); ([kernel "CCCC"], 1%N)]; [([kernel ""], 2%N); ([kernel "LLL"; kernel "CC"; kernel ""], 1%N)]], 20%Z)
].

Example all_blocks_proved : forallb (fun '(sL, sC, bs, T) => block_search sL sC bs T) blocks_of_warps = true.
Proof. vm_compute. reflexivity. Qed.

Example no_blocks_with_less : existsb (fun '(sL, sC, bs, T) => block_search sL sC bs (T - 1)) blocks_of_warps = false.
Proof. vm_compute. reflexivity. Qed.

(** A barrier keeps two warps apart: {LC|, |LC} takes 4 cycles. *)
Definition apart : list (list (list string * N)) := [[([kernel "LC"; []], 1%N); ([[]; kernel "LC"], 1%N)]].
Example apart_takes : blocks_bounded 1 1 apart 4.
Proof. apply block_search_sound. vm_cast_no_check (eq_refl true). Qed.
Example apart_not_less : block_search 1 1 apart 3 = false.
Proof. vm_compute. reflexivity. Qed.

(** A block without warps, or without segments, is refused. *)
Example no_warps : map (fun b => block_search 1 1 [b] 9) [[([kernel "L"], 0%N)]; [([], 3%N)]; []] = [false; false; false].
Proof. vm_compute. reflexivity. Qed.
