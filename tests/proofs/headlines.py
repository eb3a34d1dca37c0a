#!/usr/bin/env python3
"""The laws of the theorems by hand are those of the exports: headlines.py EXPORTS LIBRARY WORK [--coqc COQC]

EXPORTS is what check-properties --all --coq wrote. Coq proves that gain, bias, width, number of keys, and angle of each
law that docs/proofs.md has theorems about are those in the statements that were written from the encoding files.
Exports of fire apply the theorems about it."""

import argparse
import pathlib
import re
import subprocess
import sys

# name, law, angle
LAWS = [
    ("rope", "rope", "rope_angle 64 base"),
    ("alibi", "alibi m", None),
    ("ape", "ape lambda delta beta gamma", "ape_angle 64 base alpha0 delta beta gamma"),
    ("nope", "nope", None),
    ("kerple_log", "kerple_log p a", None),
    ("kerple_power", "kerple_power a p", None),
    ("sliding_window", "sliding_window W", "rope_angle 64 base"),
    ("t5", "t5 (fun k => values (INR k))", None),
    ("yarn", "rotary (yarn_gain factor)", "yarn_angle 64 base factor train beta_fast beta_slow"),
]
HEAD = """From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Entropy Asymptotics Steps Additive BoundedScores Rope Alibi Ape Library.
Import ListNotations.
Open Scope R_scope.
Definition same (l m : law) : Prop :=
  forall L n, gain l L n = gain m L n /\\ bias l L n = bias m L n /\\ width l n = width m n /\\ last l L = last m L.

Lemma power_positive x p : 0 < x -> power x p = Rpower x p.
Proof. intros h. unfold power. destruct (Req_EM_T x 0); [lra|reflexivity]. Qed.
Lemma floor_of_bucket n : (16 <= n)%nat ->
  floor (16 * ln (INR n * (1 / 16)) / ln 8) = INR (Z.to_nat (Int_part (16 * ln (INR n / 16) / ln 8))).
Proof.
  intros h. replace (INR n * (1 / 16)) with (INR n / 16) by field. unfold floor.
  apply le_INR in h. rewrite (INR_IZR_INZ 16) in h. simpl in h.
  assert (0 < ln 8) by (apply ln_positive; lra). assert (0 <= ln (INR n / 16)) by (apply ln_nonneg; lra).
  assert (g := floor_nonneg (16 * ln (INR n / 16) / ln 8) ltac:(apply Rdiv_le_0_compat; lra)).
  unfold floor in g. apply le_IZR in g.
  rewrite (INR_IZR_INZ (Z.to_nat _)), Z2Nat.id by exact g. reflexivity.
Qed.
Ltac exponents := rewrite ?(INR_IZR_INZ 64), ?power_positive by lra; simpl IZR;
  repeat match goal with |- context [Rpower ?b (- 2 * INR ?j / 64)] =>
  replace (- 2 * INR j / 64) with (- (1 / 32) * INR j) by field end.
Ltac alike := repeat split; try reflexivity; cbn [gain bias width last plain windowed]; try (unfold Rdiv; ring).

"""
PROOFS = {  # of the law, and of the angle
    "ape": (
        "cbn [gain bias ape plain]; unfold ape_bias; alike.",
        "unfold ape_angle; exponents. "
        "match goal with |- context [Definitions.H ?b ?k] => assert (0 <= Definitions.H b k) by apply H_nonneg end. "
        "change (ape_bias delta beta gamma) with "
        "(fun n => - delta * INR n - beta * ln (1 + INR n) - gamma * sqrt (INR n)) in *. field. lra.",
    ),
    "kerple_power": (
        "alike. cbn [kerple_power bias additive plain]; unfold power_bias. destruct n as [|n].\n"
        "- change (INR 0) with 0. unfold power. destruct (Req_EM_T 0 0); [destruct (Req_EM_T p 0)|]; lra.\n"
        "- rewrite power_positive by (apply lt_0_INR; lia). reflexivity.",
        "",
    ),
    "t5": (
        "alike. cbn [t5 bias additive plain]. unfold t5_bucket. assert (i := pos_INR n).\n"
        "destruct (Nat.ltb_spec n 16) as [h|h].\n"
        "- apply lt_INR in h. rewrite (INR_IZR_INZ 16) in h. simpl in h. destruct (Rlt_dec (INR n) 16); "
        "[reflexivity | lra].\n"
        "- assert (k := h). apply le_INR in h. rewrite (INR_IZR_INZ 16) in h. simpl in h. "
        "destruct (Rlt_dec (INR n) 16); [lra |].\n"
        "  destruct (Nat.ltb_spec n 128) as [g|g]; [apply lt_INR in g | apply le_INR in g]; "
        "rewrite (INR_IZR_INZ 128) in g; simpl in g;\n"
        "    destruct (Rlt_dec (INR n) 128); try lra.\n"
        "  + rewrite plus_INR, floor_of_bucket, (INR_IZR_INZ 16) by exact k. reflexivity.\n"
        "  + rewrite (INR_IZR_INZ 31). reflexivity.",
        "",
    ),
    "yarn": (
        "alike. cbn [rotary gain plain]. unfold yarn_gain. f_equal. field.",
        "unfold yarn_angle; cbv zeta; exponents. f_equal.\n"
        "destruct (Nat.eqb_spec j 0) as [h|h]; destruct (Req_EM_T (INR j) 0) as [g|g].\n- reflexivity.\n"
        "- rewrite h in g. elim g. reflexivity.\n"
        "- elim (not_0_INR j h g).\n"
        "- replace (64 - 1) with 63 by ring. match goal with |- context [- (64 * ?x / ?y)] => "
        "replace (- (64 * x / y)) with (-64 * x / y) by (unfold Rdiv; ring) end.\n"
        "  repeat match goal with |- context [if ?D then _ else _] => destruct D end; unfold Rdiv; ring.",
    ),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exports", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--coqc", default="coqc")
    arguments = parser.parse_args()
    text = HEAD
    for name, law, angle in LAWS:
        export = (arguments.exports / f"{name}__gps__norm.v").read_text()
        before, claim = re.search(r"^Theorem \w+ :(.*?)\n  ((?!let ).*?)\nProof", export, re.S | re.M).groups()
        theirs, turned = re.search(r"gps_norm 64 \((.*?)\) (identity|\(rotation 32 \((?:.*)\)\))", claim, re.S).groups()
        first, second = PROOFS.get(name, ("alike.", "unfold rope_angle; exponents; reflexivity."))
        text += f"Goal{before}\n  same ({law}) ({theirs}).\nProof. intros. intros L n. {first}\nQed.\n"
        if angle:
            their_angle = turned.removeprefix("(rotation 32 (").removesuffix("))")
            text += (
                f"Goal{before} forall L n j, (j < 32)%nat ->\n  {angle} L n j = ({their_angle}) L n j.\n"
                f"Proof. intros. {second}\nQed.\n"
            )
    arguments.work.mkdir(parents=True, exist_ok=True)
    (arguments.work / "headlines.v").write_text(text)
    done = subprocess.run(
        [arguments.coqc, "-q", "-w", "-ambiguous-paths", "-R", arguments.library.resolve(), "Gpe", "headlines.v"],
        cwd=arguments.work,
        check=False,
    )
    print(f"{len(LAWS)} laws are those of the encoding files" if done.returncode == 0 else "refused")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
