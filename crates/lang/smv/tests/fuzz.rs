//! No text makes the reader panic or hang.

mod random;

use quotient_core::{Budget, Source};
use quotient_smv::{Compiled, File};
use random::Random;

const SEEDS: [&str; 4] = [
    "MODULE main VAR s : {idle, busy}; p : process user(s, f); a : array 0..2 of word[3];
     FROZENVAR f : -2..5; IVAR i : boolean; DEFINE d := next(s) = idle & a[1] >= 0ub3_101;
     ASSIGN init(s) := idle; next(s) := case i : {idle, busy}; s = busy : idle; TRUE : s; esac;
     INIT f in 0..3 INVAR f != 4; TRANS d | !next(s = busy) FAIRNESS running COMPASSION (i, s = busy)
     SPEC AG (s = idle -> E [s = idle U !EX s = busy]) LTLSPEC G F (s = busy S X i)
     INVARSPEC NAME n := f > -3;
     MODULE user(x, y) VAR z : 0..3; ASSIGN next(z) := z mod 2 + 1; ISA base
     MODULE base CONSTANTS red, green; DEFINE e := self.z * 2 / 3;",
    "MODULE main VAR w : signed word[8]; v : unsigned word[8]; t : array 1..2 of array 0..1 of boolean;
     DEFINE table := [[1, 2], [3, 4]]; g := table[toint(v) mod 2][1]; m := max(g, abs(-3));
     INIT (w >> 2) + signed(v[7:0]) = (extend(-0sd4_3, 4) xor resize(w, 8))
     TRANS (count(t[1][0], t[2][1]) union 3 in {0, m}) <-> bool(word1(t[1][1]))
     CTLSPEC ABG 0..4 t[1][0] LTLSPEC F [1,3] (H t[2][0] V Z w[3:1] = 0uo_7)",
    "MODULE main VAR c : cell(d.out, TRUE); d : cell(c.out, FALSE);
     MODULE cell(in1, token) VAR out : boolean; ASSIGN init(out) := token;
     next(out) := (in1 | !out) union out; /-- block --/ -- line
     SPEC AG EF (out xnor in1); PSLSPEC forall i in {0:1} : never {out; in1[*1:2] | token[->2]} |=> next_event(out)[2](in1); COMPUTE MIN [out, in1]",
    "MODULE main VAR AG : 0..2; x-1 : boolean; y$# : {a, 1, -5};
     ASSIGN AG := x-1 ? 1 : 2 ; next(x-1) := y$# = a ? TRUE : {TRUE, FALSE};
     SPEC A [ TRUE BU 2..3 AG > 1 ] & EBF 1..2 !(AG = 1)",
];

#[test]
fn seeds_are_read() {
    for seed in SEEDS {
        let file = File::read(&Source::new("seed.smv", seed));
        assert!(file.is_ok(), "{seed}\n{}", file.unwrap_err()[0]);
    }
}

const PIECES: [&str; 40] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ":",
    ":=",
    "..",
    ".",
    ",",
    "->",
    "!",
    "-",
    "case",
    "esac",
    "TRUE",
    "next(",
    "MODULE",
    "VAR",
    "ASSIGN",
    "SPEC",
    "LTLSPEC",
    "union",
    "in",
    "mod",
    "U",
    "AG",
    "?",
    "99999999999999999999",
    "0ud65_1",
    "/--",
    "--/",
    "--",
    "é",
    "\u{0}",
    "self",
    "running",
    "array 0..99999999 of boolean",
];

fn mutate(random: &mut Random, text: &str) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..random.pick(&[1, 1, 1, 2, 4]) {
        let at = random.below(text.len() + 1);
        let length = random.below(9).min(text.len() - at);
        match random.below(4) {
            0 => drop(text.drain(at..at + length)),
            1 => {
                let piece = random.pick(&PIECES);
                let padded = format!(" {piece} ");
                text.splice(at..at + length / 4, padded.chars());
            }
            2 => {
                let copy: Vec<char> = text[at..at + length].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, copy);
            }
            _ => {
                let other = SEEDS[random.below(SEEDS.len())]
                    .chars()
                    .skip(random.below(300));
                let some: Vec<char> = other.take(30).collect();
                text.splice(at..at, some);
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn mutated_models_are_read_or_refused() {
    let mut random = Random(7);
    let (mut read, mut refused) = (0, 0);
    for round in 0..4000 {
        let seed = SEEDS[round % SEEDS.len()];
        let text = mutate(&mut random, seed);
        let source = Source::new("fuzz.smv", text.as_str());
        match File::read(&source) {
            Ok(mut file) => {
                read += 1;
                let _ = file.formula(
                    &Source::new("formula", mutate(&mut random, "AG (x = 1 -> ?{s})")),
                    None,
                );
                let _ = Compiled::new(file.program(), &Budget::unlimited());
            }
            Err(errors) => {
                refused += 1;
                assert!(!errors.is_empty(), "{text}");
                for error in errors {
                    for label in &error.labels {
                        assert!(text.get(label.span.range()).is_some(), "{text}\n{error}");
                    }
                }
            }
        }
    }
    assert!(read > 50 && refused > 50, "{read} read, {refused} refused");
}

#[test]
fn random_bytes_are_refused() {
    let mut random = Random(11);
    for _ in 0..500 {
        let bytes: Vec<u8> = (0..random.below(80))
            .map(|_| random.number() as u8)
            .collect();
        let text = format!("MODULE main {}", String::from_utf8_lossy(&bytes));
        let _ = File::read(&Source::new("bytes.smv", text));
    }
}

#[test]
fn exponentially_many_instances_are_refused() {
    let mut text = String::from("MODULE main VAR a : m0; b : m0;\n");
    for level in 0..40 {
        text += &format!("MODULE m{level} VAR a : m{n}; b : m{n};\n", n = level + 1);
    }
    text += "MODULE m40 VAR x : boolean; INIT missing";
    let errors = File::read(&Source::new("many.smv", text)).unwrap_err();
    assert!(
        errors
            .iter()
            .any(|error| error.code == "smv-too-many-instances")
    );
}
