//! Results over bits stay results over bits.

use quotient_automata::Nfa;
use quotient_automata::catalogue::{self, Input, Operands, Outcome};
use quotient_automata::formats::{
    Document, Format, LETTERS_LIKE_BITS, LETTERS_OF_BITS, Limits, Named, Reading, Role,
    different_alphabets, read_all, share_bits, write,
};
use quotient_automata::testing::Random;
use quotient_core::{Budget, Source, Trouble};

use crate::support::document;

fn together(texts: &[&str]) -> Vec<Document> {
    let source = |text: &&str| (Source::new("file", *text), Reading::default());
    let sources: Vec<_> = texts.iter().map(source).collect();
    read_all(&sources, &Budget::unlimited()).unwrap()
}

fn written(nfa: &Nfa, format: Format) -> quotient_automata::formats::Written {
    let named = Named::new("result", Role::Unspecified, nfa.clone());
    write(&[named], format, &Limits::default(), &Budget::unlimited()).unwrap()
}

fn intersection(left: &str, right: &str) -> Nfa {
    let both = together(&[left, right]);
    both[0]
        .automaton()
        .unwrap()
        .intersection(both[1].automaton().unwrap(), &Budget::unlimited())
        .unwrap()
}

fn edge(formula: &str) -> String {
    format!("@NFA-bits\n%Alphabet-auto\n%Initial q\n%Final r\nq {formula} r\n")
}

#[test]
fn an_intersection_that_was_written_still_meets_a_third_file() {
    let result = written(&intersection(&edge("a1"), &edge("a1 & a2")), Format::Mata);
    assert!(result.warnings.is_empty());
    assert!(!intersection(&result.text, &edge("a2")).is_empty_language());
    assert!(intersection(&result.text, &edge("!a2")).is_empty_language());
}

#[test]
fn files_read_one_by_one_share_bits_as_if_read_together() {
    let texts = [edge("a1 | a3"), edge("a1 & a2"), edge("!a3")];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = together(&texts);
    let explicit = "@NFA-explicit\n%Initial q\n%Final r\nq a1 r\n";
    let mut apart: Vec<Document> = [texts[0], explicit, texts[1], texts[2]]
        .map(document)
        .into();
    let mut all: Vec<&mut Document> = apart.iter_mut().collect();
    share_bits(&mut all, &Limits::default(), &Budget::unlimited()).unwrap();
    let explicit = apart.remove(1);
    assert_eq!(explicit.alphabet.names().collect::<Vec<_>>(), ["a1"]);
    for (one, other) in apart.iter().zip(&together) {
        assert_eq!(one.alphabet, other.alphabet);
        let (one, other) = (one.automaton().unwrap(), other.automaton().unwrap());
        assert_eq!(one.is_equivalent_to(other, &Budget::unlimited()), Ok(true));
    }
}

#[test]
fn vectors_without_names_are_written_as_patterns() {
    let text = "@NFA-BDD\n%Symbol-Vars 2\n%Initial q\n%Final r\n%Transitions\nq 1x r\n";
    let complement = document(text)
        .automaton()
        .unwrap()
        .complement(&Budget::unlimited())
        .unwrap()
        .to_nfa();
    let result = written(&complement, Format::Mata).text;
    assert!(result.starts_with("@NFA-BDD\n"), "{result}");
    let other = text.replace("1x", "x1");
    assert!(!intersection(&result, &other).is_empty_language());
    assert!(intersection(&result, text).is_empty_language());
}

#[test]
fn formats_without_bits_say_that_bits_are_lost() {
    let nfa = document(&edge("a1")).automaton().unwrap().clone();
    for format in [Format::Timbuk, Format::Fsa, Format::Json] {
        let named = Named::new("result", Role::Initial, nfa.clone());
        let Ok(written) = write(&[named], format, &Limits::default(), &Budget::unlimited()) else {
            continue;
        };
        let codes: Vec<&str> = written
            .warnings
            .iter()
            .map(|warning| warning.code)
            .collect();
        assert!(codes.contains(&"lost-bits"), "{format:?}: {codes:?}");
    }
}

#[test]
fn letters_of_bits_are_never_joined_with_others() {
    let code = |left: &Document, right: &Document| {
        different_alphabets(("a", &left.alphabet), ("b", &right.alphabet)).map(|why| why.code)
    };
    let (one, two) = (document(&edge("a1")), document(&edge("a1 & a2")));
    let explicit = document("@NFA-explicit\n%Initial q\n%Final r\nq a1 r\n");
    assert_eq!(code(&one, &two), Some(LETTERS_OF_BITS));
    assert_eq!(code(&one, &explicit), Some(LETTERS_OF_BITS));
    let names = |of: &Document| document(&written(of.automaton().unwrap(), Format::Timbuk).text);
    assert_eq!(code(&names(&one), &names(&two)), Some(LETTERS_LIKE_BITS));
    assert_eq!(code(&names(&one), &explicit), Some("different-alphabets"));
}

const BITS: u32 = 4;

fn formula(random: &mut Random, depth: u32) -> String {
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 if random.below(4) == 0 => ["\\true", "\\false"][random.below(2) as usize].to_owned(),
        0 | 1 => format!("a{}", random.below(BITS)),
        2 => format!("!({})", formula(random, depth - 1)),
        operator => {
            let operator = if operator < 5 { '&' } else { '|' };
            let (left, right) = (formula(random, depth - 1), formula(random, depth - 1));
            format!("({left} {operator} {right})")
        }
    }
}

/// An automaton with three states, over bits and with all vectors as letters.
fn automaton(random: &mut Random) -> (String, String) {
    let mut bits = "@NFA-bits\n%Initial q0\n%Final q2\n".to_owned();
    let vectors: Vec<String> = (0..1 << BITS).map(|vector| format!("v{vector}")).collect();
    let mut explicit = format!(
        "@NFA-explicit\n%Alphabet {}\n%Initial q0\n%Final q2\n",
        vectors.join(" ")
    );
    for _ in 0..1 + random.below(4) {
        let (source, target) = (random.below(3), random.below(3));
        let formula = formula(random, 3);
        bits += &format!("q{source} {formula} q{target}\n");
        let holds = document(&edge(&formula));
        for vector in 0..1u32 << BITS {
            let literals: Vec<String> = (0..BITS)
                .map(|bit| format!("{}a{bit}", if vector >> bit & 1 == 1 { "" } else { "!" }))
                .collect();
            let one = edge(&literals.join(" & "));
            if !intersection(holds.source.text(), &one).is_empty_language() {
                explicit += &format!("q{source} v{vector} q{target}\n");
            }
        }
    }
    (bits, explicit)
}

#[test]
fn results_over_bits_are_those_over_all_vectors() {
    let budget = Budget::unlimited();
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let automata: Vec<(String, String)> = (0..3).map(|_| automaton(&mut random)).collect();
        let explicit: Vec<&str> = automata.iter().map(|(_, text)| text.as_str()).collect();
        let explicit = together(&explicit);
        let [a, b, c] = [0, 1, 2].map(|at: usize| explicit[at].automaton().unwrap());
        let naive = a.intersection(b, &budget).unwrap();
        let first = intersection(&automata[0].0, &automata[1].0);
        let kept = written(&first, Format::Mata).text;
        assert_eq!(
            intersection(&kept, &automata[2].0).is_empty_language(),
            naive.intersection(c, &budget).unwrap().is_empty_language(),
            "seed {seed}"
        );
        // And after a complement, which needs all vectors.
        let complement = document(&kept).automaton().unwrap().complement(&budget);
        let complement = written(&complement.unwrap().to_nfa(), Format::Mata).text;
        let naive = naive.complement(&budget).unwrap().to_nfa();
        let naive = naive.intersection(c, &budget).unwrap();
        assert_eq!(
            intersection(&complement, &automata[2].0).is_empty_language(),
            naive.is_empty_language(),
            "seed {seed}"
        );
    }
}

/// Runs an operation of the catalogue on files, with a setting.
fn run(name: &str, files: &[(&str, &str)], setting: &str) -> Result<Outcome, Trouble> {
    let budget = Budget::unlimited();
    let operation = catalogue::named(name).unwrap();
    let read = |(name, text): &(&str, &str)| {
        Input::read(
            &Source::new(*name, *text),
            None,
            &Reading::default(),
            &budget,
        )
    };
    let operands = Operands {
        machines: files.iter().map(read).collect::<Result<_, _>>()?,
        settings: vec![(setting.to_owned(), String::new())],
        ..Operands::default()
    };
    let given = operation.prepare(operands, &Limits::default(), &budget)?;
    Ok(operation.run(&given, &budget)?)
}

#[test]
fn no_advice_about_bits_leads_to_a_wrong_answer() {
    let (one, two, three) = (edge("a1"), edge("a1 & a2"), edge("a2"));
    let both = written(&intersection(&one, &two), Format::Mata).text;
    let files = [("c12.mata", both.as_str()), ("b3.mata", three.as_str())];
    let Ok(Outcome::Truth(truth)) = run("disjoint", &files, "join-alphabets") else {
        panic!("no answer");
    };
    assert!(!truth.yes, "{}", truth.because);
    // As letters, the two cannot be compared; nobody is told to join them.
    let names = written(&intersection(&one, &two), Format::Timbuk).text;
    let files = [("c12.tmb", names.as_str()), ("b3.mata", three.as_str())];
    let Err(Trouble::Invalid(mistakes)) = run("disjoint", &files, "join-alphabets") else {
        panic!("an answer");
    };
    assert_eq!(mistakes[0].code, LETTERS_OF_BITS);
    assert!(mistakes[0].help.iter().all(|help| !help.contains("join")));
}
