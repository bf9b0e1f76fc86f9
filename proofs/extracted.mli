
val negb : bool -> bool

type nat =
| O
| S of nat

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> nat

val app : 'a1 list -> 'a1 list -> 'a1 list

type comparison =
| Eq
| Lt
| Gt

val compOpp : comparison -> comparison

val add : nat -> nat -> nat

val max : nat -> nat -> nat

module Nat :
 sig
  val eqb : nat -> nat -> bool

  val leb : nat -> nat -> bool

  val ltb : nat -> nat -> bool

  val divmod : nat -> nat -> nat -> nat -> nat * nat

  val div : nat -> nat -> nat
 end

val hd : 'a1 -> 'a1 list -> 'a1

val tl : 'a1 list -> 'a1 list

val nth : nat -> 'a1 list -> 'a1 -> 'a1

val nth_error : 'a1 list -> nat -> 'a1 option

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val repeat : 'a1 -> nat -> 'a1 list

type positive =
| XI of positive
| XO of positive
| XH

type n =
| N0
| Npos of positive

type z =
| Z0
| Zpos of positive
| Zneg of positive

module Pos :
 sig
  val succ : positive -> positive

  val add : positive -> positive -> positive

  val add_carry : positive -> positive -> positive

  val pred_double : positive -> positive

  val mul : positive -> positive -> positive

  val compare_cont : comparison -> positive -> positive -> comparison

  val compare : positive -> positive -> comparison

  val eqb : positive -> positive -> bool

  val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1

  val to_nat : positive -> nat

  val of_succ_nat : nat -> positive
 end

module N :
 sig
  val succ : n -> n

  val compare : n -> n -> comparison

  val eqb : n -> n -> bool

  val leb : n -> n -> bool

  val to_nat : n -> nat
 end

module Z :
 sig
  val double : z -> z

  val succ_double : z -> z

  val pred_double : z -> z

  val pos_sub : positive -> positive -> z

  val add : z -> z -> z

  val opp : z -> z

  val sub : z -> z -> z

  val mul : z -> z -> z

  val compare : z -> z -> comparison

  val leb : z -> z -> bool

  val ltb : z -> z -> bool

  val eqb : z -> z -> bool

  val max : z -> z -> z

  val min : z -> z -> z

  val of_nat : nat -> z

  val of_N : n -> z

  val pos_div_eucl : positive -> z -> z * z

  val div_eucl : z -> z -> z * z

  val div : z -> z -> z
 end

type letter =
| L
| C

val other : letter -> letter

val eqb0 : letter -> letter -> bool

val wants : letter -> letter list -> bool

val issued : letter -> letter list list -> bool list -> nat

val waiting : letter -> letter list list -> bool list -> nat

val after : letter list list -> bool list -> letter list list

val last_cycle : (bool list -> bool) -> bool list list -> nat

val makespan : bool list list -> nat

val sum : nat list -> nat

val earn : (letter -> z) -> letter -> letter -> z

val double0 : letter -> letter list -> bool

val changes : letter list -> nat

val switches : (letter -> z) -> letter list -> z

val first_run : letter list -> z

val expand : (letter list * n) list -> letter list list

val units : nat -> nat -> letter -> nat

val well_formed : nat -> nat -> (letter list * n) list -> bool

val zlength : letter list -> z

val warps : (letter list * n) list -> z

val most_changes : (letter list * n) list -> nat

val zcount : letter -> letter list -> z

val ztotal : letter -> (letter list * n) list -> z

val kappa : letter -> z -> (letter -> z) -> letter -> z

val row_step :
  (letter -> z) -> (letter -> z) -> letter -> z -> z -> (z * z) list ->
  (z * z) list

val row : (letter -> z) -> (letter -> z) -> nat -> letter list -> (z * z) list

val pick : letter -> (z * z) -> z

val add_rows : z -> (z * z) list -> (z * z) list -> (z * z) list

val wt : nat -> nat -> z -> letter -> z

val valid : nat -> nat -> z -> z -> bool

val rows :
  nat -> nat -> z -> z -> nat -> (letter list * n) list -> ((letter
  list * n) * (z * z) list) list

val total_row : nat -> ((letter list * n) * (z * z) list) list -> (z * z) list

val twice : nat -> nat -> letter list -> z

val zdoubles : nat -> nat -> (letter list * n) list -> z

val c_of : nat -> nat -> z -> z -> z -> letter list -> z

val phase_of :
  nat -> nat -> z -> z -> z -> (z * z) list -> ((letter list * n) * (z * z)
  list) -> z

val phases : nat -> nat -> z -> z -> (letter list * n) list -> z list

val zwaits : nat -> nat -> z -> z -> letter -> letter list -> z

val crit_of : nat -> nat -> z -> z -> z -> (letter list * n) -> z

val crits : nat -> nat -> (letter list * n) list -> z list

val zip_min : z list -> z list -> z list

val scaled : nat -> nat -> (z * z) -> z

val finishes : nat -> nat -> (letter list * n) list -> (z * z) list -> z list

val upper_bound : nat -> nat -> (letter list * n) list -> (z * z) list -> z

val upper_check :
  nat -> nat -> (letter list * n) list -> (z * z) list -> z -> bool

val finish_check :
  nat -> nat -> (letter list * n) list -> (z * z) list -> nat -> z -> bool

val mask : nat -> n -> n list -> bool list

val ableb : letter list list -> bool list -> bool

val legalb : nat -> nat -> letter list list -> bool list -> bool

val replay : nat -> nat -> letter list list -> bool list list -> bool

val lower_check :
  nat -> nat -> (letter list * n) list -> n list list -> z -> bool

val blocks : letter list -> nat list

val ceil2 : nat -> nat

val a : letter list -> nat

val path_step : letter -> z -> letter list -> z list -> z list

val suffixes : letter list -> letter list list

val path_row : letter list -> letter list -> z * z list

val longest_path : letter list -> letter list -> z

val exact_value : (letter list * n) list -> z option

val exact_check : (letter list * n) list -> z -> bool
