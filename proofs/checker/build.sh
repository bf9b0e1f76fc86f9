#!/usr/bin/env bash
# Builds proofs/checker/checker, a program that checks certificates in JSON with code extracted from the proofs. Needs what
# proofs/check.sh compiled, and ocamlopt (Debian and Ubuntu: ocaml-nox, which the package coq brings along).
set -euo pipefail
cd "$(dirname "$0")"
[ -e ../Certificate.vo ] || { echo "proofs/checker/build.sh: run proofs/check.sh first" >&2; exit 1; }
coqc -q -Q .. Warpspan Extract.v >/dev/null
ocamlopt -w -a -c extracted.mli extracted.ml
ocamlopt extracted.cmx json.ml main.ml -o checker
rm -f ./*.cm[iox] ./*.o extracted.ml extracted.mli Extract.vo Extract.vok Extract.vos Extract.glob .Extract.aux
