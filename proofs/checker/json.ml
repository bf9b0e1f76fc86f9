(* As much of JSON as a certificate needs: objects, arrays, strings without escapes, whole numbers, true, false and null. *)
type t = Object of (string * t) list | Array of t list | String of string | Int of int | Bool of bool | Null

exception Bad of int * string

let parse text =
  let n = String.length text and at = ref 0 in
  let fail what = raise (Bad (!at, what)) in
  let rec space () = if !at < n && String.contains " \t\r\n" text.[!at] then (incr at; space ()) in
  let next () = space (); if !at < n then text.[!at] else fail "the file ends too early" in
  let expect c = if next () = c then incr at else fail (Printf.sprintf "expected '%c'" c) in
  let word w v =
    let l = String.length w in
    if !at + l <= n && String.sub text !at l = w then (at := !at + l; v) else fail "not a value" in
  let string () =
    expect '"';
    let from = !at in
    while !at < n && text.[!at] <> '"' do
      if text.[!at] = '\\' || text.[!at] < ' ' then fail "escapes are not read";
      incr at
    done;
    if !at >= n then fail "a string does not end";
    incr at;
    String.sub text from (!at - 1 - from) in
  let number () =
    let from = !at in
    if text.[!at] = '-' then incr at;
    while !at < n && text.[!at] >= '0' && text.[!at] <= '9' do incr at done;
    match int_of_string_opt (String.sub text from (!at - from)) with
    | Some i when !at = n || not (String.contains ".eE" text.[!at]) -> Int i
    | _ -> fail "not a whole number" in
  let rec items : 'a. char -> (unit -> 'a) -> 'a list = fun close item ->
    if next () = close then (incr at; [])
    else
      let rec more () =
        let first = item () in
        if next () = ',' then (incr at; first :: more ()) else (expect close; [ first ]) in
      more ()
  and value () =
    match next () with
    | '{' ->
        incr at;
        let entry () = space (); let key = string () in expect ':'; (key, value ()) in
        let entries = items '}' entry in
        let keys = List.sort compare (List.map fst entries) in
        let rec twice = function a :: (b :: _ as l) -> if a = b then fail ("twice: " ^ a) else twice l | _ -> () in
        twice keys;
        Object entries
    | '[' -> incr at; Array (items ']' value)
    | '"' -> String (string ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | '-' | '0' .. '9' -> number ()
    | _ -> fail "not a value" in
  let v = value () in
  space ();
  if !at < n then fail "text after the end";
  v
