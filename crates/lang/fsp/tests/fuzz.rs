//! Broken texts: an error with a place, never a panic, never without end.

mod common;

use common::random::{Random, process};
use quotient_core::{Budget, Source, Trouble};
use quotient_fsp::{Model, Options};

/// Words that mean something in FSP, to be put where they do not belong.
const WORDS: [&str; 48] = [
    "const",
    "range",
    "set",
    "property",
    "progress",
    "fluent",
    "assert",
    "menu",
    "minimal",
    "if",
    "then",
    "else",
    "when",
    "forall",
    "exists",
    "rigid",
    "initially",
    "->",
    "||",
    "|",
    "::",
    ":",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "[]",
    "<>",
    "..",
    ".",
    ",",
    ";",
    "+",
    "/",
    "\\",
    "@",
    "'",
    "#",
    "<<",
    ">>",
    "P",
    "STOP",
    "a",
    "0",
    "99999999",
    "\u{1f600}",
];

fn mutate(text: &str, random: &mut Random) -> String {
    let mut pieces: Vec<String> = split(text);
    for _ in 0..1 + random.below(4) {
        let at = random.below(pieces.len());
        match random.below(5) {
            0 => {
                pieces.remove(at);
            }
            1 => pieces.insert(at, random.pick(&WORDS).to_string()),
            2 => pieces[at] = random.pick(&WORDS).to_string(),
            3 => {
                let other = random.below(pieces.len());
                pieces.swap(at, other);
            }
            _ => {
                let copy = pieces[at].clone();
                pieces.insert(at, copy);
            }
        }
        if pieces.is_empty() {
            break;
        }
    }
    let mut text = pieces.join("");
    if random.chance(10) {
        let mut cut = random.below(text.len() + 1);
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        text.truncate(cut);
    }
    text
}

/// Words, symbols and blanks.
fn split(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last_word = false;
    for letter in text.chars() {
        let word = letter.is_alphanumeric() || letter == '_';
        match pieces.last_mut() {
            Some(piece) if word && last_word => piece.push(letter),
            _ => pieces.push(letter.to_string()),
        }
        last_word = word;
    }
    pieces
}

fn survives(text: &str) {
    let source = Source::new("fuzz.lts", text);
    let inside = |diagnostic: &quotient_core::Diagnostic| {
        for label in &diagnostic.labels {
            assert!(label.span.end <= text.len(), "{diagnostic}\n{text}");
            assert!(text.is_char_boundary(label.span.start), "{diagnostic}");
            assert!(text.is_char_boundary(label.span.end), "{diagnostic}");
        }
    };
    let model = match Model::read(&source) {
        Ok(model) => model,
        Err(diagnostics) => return diagnostics.iter().for_each(inside),
    };
    let budget = Budget::unlimited().child_with_work(20_000);
    match model.compile(&Options::default(), &budget) {
        Ok(compiled) => {
            compiled.warnings.iter().for_each(inside);
            let mut system = compiled.system;
            for assertion in model.assertions() {
                let options = Options::default();
                if let Err(Trouble::Invalid(diagnostics)) =
                    model.assertion(assertion, &options, &mut system, &budget)
                {
                    diagnostics.iter().for_each(inside);
                }
            }
        }
        Err(Trouble::Invalid(diagnostics)) => diagnostics.iter().for_each(inside),
        Err(Trouble::Stopped(_)) => {}
    }
}

#[test]
fn mutated_examples_survive() {
    let mut random = Random(4);
    for (_, text) in common::examples() {
        for _ in 0..60 {
            survives(&mutate(&text, &mut random));
        }
    }
}

#[test]
fn mutated_random_processes_survive() {
    let mut random = Random(5);
    for _ in 0..400 {
        let text = process(&mut random);
        survives(&mutate(&text, &mut random));
    }
}

#[test]
fn words_in_any_order_survive() {
    let mut random = Random(6);
    for _ in 0..2000 {
        let count = random.below(30);
        let words: Vec<&str> = (0..count).map(|_| random.pick(&WORDS)).collect();
        survives(&words.join(" "));
    }
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    let deep = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(100_000), close.repeat(100_000))
    };
    survives(&format!("P = {}.", deep("(a -> ", "STOP", ")")));
    survives(&format!("const N = {}", deep("(", "1", ")")));
    survives(&format!("const N = {}1", "-".repeat(100_000)));
    survives(&format!("const N = 1{}", " + 1".repeat(100_000)));
    survives(&format!("P = (a{} -> P).", ".b".repeat(100_000)));
    survives(&format!("set S = {}", deep("{", "a", "}")));
    survives(&format!("assert A = {}a", "[]".repeat(100_000)));
    survives(&format!("assert A = a{}", " && a".repeat(100_000)));
    survives(&format!("||C = {}.", deep("(", "P", ")")));
    survives(&format!("P = {}STOP.", "if 1 then ".repeat(100_000)));
    // Deep by two ways at once.
    let brackets = |inner: &str| format!("{}{inner}{}", "(".repeat(95), ")".repeat(95));
    survives(&format!(
        "P = (a -> P). ||C(N=0) = {}.",
        brackets("P || C(N+1)")
    ));
    let mut chain = "1".to_string();
    for _ in 0..90 {
        chain = format!("({chain}{})", "+1".repeat(900));
    }
    survives(&format!("const N = {chain}"));
    let mut deep = String::new();
    for number in 0..45 {
        let next = number + 1;
        deep += &format!("assert A{number} = A{next}{} ", " && a".repeat(900));
    }
    survives(&format!("P = (a -> P). {deep} assert A45 = a"));
    let long_label = format!("a{}", ".b".repeat(60));
    let mut steps = String::new();
    for number in 0..195 {
        let next = number + 1;
        steps += &format!("P{number} = ({long_label} -> P{next}; END). ");
    }
    survives(&format!("{steps} P195 = (a -> END). ||S = P0."));
    // Long but flat: fine.
    survives(&format!("P = ({}P).", "a -> ".repeat(20_000)));
    survives(&format!("P = (a -> P{}).", " | a -> P".repeat(20_000)));
}

#[test]
fn growth_without_end_is_stopped() {
    survives("range R = 0..2000000000 P = (a[R][R][R] -> P).");
    survives("P = Q[0], Q[i:0..2000000000] = (a -> Q[i+1]).");
    survives("set S = {a[0..2000000000]} P = (S -> P).");
    survives("P = (a -> P). ||C(N=0) = (P || C(N+1)). ||D = C.");
    survives("P = (a -> P). ||C = (P || D). ||D = (P || C).");
    survives("P = Q; END. Q = P; END.");
    survives(
        "A = (a -> END). B = A;A;A;A;END. C = B;B;B;B;END. D = C;C;C;C;END.
        E = D;D;D;D;END. F = E;E;E;E;END. G = F;F;F;F;END. H = G;G;G;G;END. I = H;H;H;H;END.
        J = I;I;I;I;END. K = J;J;J;J;END. L = K;K;K;K;END. M = L;L;L;L;END. ||S = M.",
    );
    survives("assert A = B assert B = A P = (a -> P).");
    survives("P = (a -> P). assert A = forall [i:0..9][j:0..9][k:0..9][l:0..9][m:0..9] a[i+j+k]");
    survives("const N = #{a[0..2000000000]} P = (a -> P).");
    survives("P = (a -> P). ||S = (forall [i:0..2000000000] P).");
    let doubled: String = (0..40)
        .map(|level| format!("||C{} = (C{level} || l:C{level}). ", level + 1))
        .collect();
    survives(&format!("P = (a -> P). ||C0 = P. {doubled}"));
    survives("P = (a -> P). progress G[i:0..2000000000] = {a[i]}");
    survives("P = (a -> P)/{forall [i:0..100000] {b[i]/a[i]}}.");
}
