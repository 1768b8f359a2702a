//! Regular expressions against a naive matcher, and back from automata.

mod support;

use quotient_automata::testing::{self, Random, words_up_to};
use quotient_automata::{Alphabet, Expression, Letter, Nfa};
use quotient_core::{Budget, Diagnostic, Source, Stop};
use support::*;

fn parse(text: &str, alphabet: &Alphabet) -> Result<Expression, Diagnostic> {
    Expression::parse(&Source::new("expression", text), alphabet)
}

fn nfa(text: &str, alphabet: &Alphabet) -> Nfa {
    parse(text, alphabet).unwrap().to_nfa(&budget()).unwrap()
}

/// An expression as the tests see it.
enum Tree {
    Class(Vec<u32>, bool),
    Empty,
    Sequence(Box<Tree>, Box<Tree>),
    Either(Box<Tree>, Box<Tree>),
    Both(Box<Tree>, Box<Tree>),
    Not(Box<Tree>),
    Times(Box<Tree>, usize, Option<usize>),
}

impl Tree {
    fn random(random: &mut Random, letters: u32, depth: u32) -> Tree {
        let mut inner = || Box::new(Tree::random(random, letters, depth - 1));
        let (kind, first, second) = match depth {
            0 => (8, None, None),
            _ => {
                let (first, second) = (inner(), inner());
                (random.below(10), Some(first), Some(second))
            }
        };
        match (kind, first, second) {
            (0 | 1, Some(a), Some(b)) => Tree::Sequence(a, b),
            (2 | 3, Some(a), Some(b)) => Tree::Either(a, b),
            (4, Some(a), Some(b)) => Tree::Both(a, b),
            (5, Some(a), _) => Tree::Not(a),
            (6 | 7, Some(a), _) => {
                let bounds = [
                    (0, None),
                    (1, None),
                    (0, Some(1)),
                    (2, Some(3)),
                    (2, None),
                    (0, Some(2)),
                ];
                let (least, most) = bounds[random.below(6) as usize];
                Tree::Times(a, least, most)
            }
            (9, ..) => Tree::Empty,
            _ => {
                let members = (0..letters).filter(|_| random.percent(40)).collect();
                Tree::Class(members, random.percent(30))
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Tree::Class(members, negated) => {
                let names: Vec<String> = members.iter().map(|i| format!("a{i}")).collect();
                match (&names[..], negated) {
                    ([name], false) => name.clone(),
                    ([], true) => ".".to_owned(),
                    (_, false) => format!("[{}]", names.join(" ")),
                    (_, true) => format!("[^ {}]", names.join(" ")),
                }
            }
            Tree::Empty => "ε".to_owned(),
            Tree::Sequence(a, b) => format!("({}) ({})", a.text(), b.text()),
            Tree::Either(a, b) => format!("({} | {})", a.text(), b.text()),
            Tree::Both(a, b) => format!("(({}) & ({}))", a.text(), b.text()),
            Tree::Not(a) => format!("~({})", a.text()),
            Tree::Times(a, least, most) => {
                let most = most.map_or(String::new(), |most| most.to_string());
                format!("({}){{{least},{most}}}", a.text())
            }
        }
    }

    fn matches(&self, word: &[Letter]) -> bool {
        match self {
            Tree::Class(members, negated) => {
                word.len() == 1 && members.contains(&word[0].0) != *negated
            }
            Tree::Empty => word.is_empty(),
            Tree::Sequence(a, b) => {
                (0..=word.len()).any(|i| a.matches(&word[..i]) && b.matches(&word[i..]))
            }
            Tree::Either(a, b) => a.matches(word) || b.matches(word),
            Tree::Both(a, b) => a.matches(word) && b.matches(word),
            Tree::Not(a) => !a.matches(word),
            Tree::Times(a, least, most) => {
                // More pieces than letters add only empty ones.
                let most = most.unwrap_or(least + word.len());
                (*least..=most).any(|count| a.matches_times(word, count))
            }
        }
    }

    fn matches_times(&self, word: &[Letter], count: usize) -> bool {
        match count {
            0 => word.is_empty(),
            _ => (0..=word.len())
                .any(|i| self.matches(&word[..i]) && self.matches_times(&word[i..], count - 1)),
        }
    }
}

#[test]
fn expressions_match_what_they_say() {
    for letters in [1, 2, 3] {
        let alphabet = testing::alphabet(letters);
        let words = words_up_to(&alphabet, 4);
        for seed in 0..80 {
            let tree = Tree::random(&mut Random::new(seed), letters as u32, 3);
            let text = tree.text();
            let expression = parse(&text, &alphabet).unwrap();
            let nfa = expression.to_nfa(&budget()).unwrap();
            for word in &words {
                let shown = alphabet.show(word);
                assert_eq!(nfa.accepts(word), tree.matches(word), "{text} on {shown}");
            }
            let printed = expression.to_string();
            assert_eq!(
                canonical(
                    &parse(&printed, &alphabet)
                        .unwrap()
                        .to_nfa(&budget())
                        .unwrap()
                ),
                canonical(&nfa),
                "{text} printed as {printed}"
            );
        }
    }
}

#[test]
fn an_automaton_as_an_expression_reads_back() {
    on_random_automata(60, |nfa, _| {
        let expression = Expression::of(nfa, 100_000, &budget()).unwrap().unwrap();
        let again = parse(&expression.to_string(), nfa.alphabet()).unwrap();
        assert_eq!(
            canonical(&again.to_nfa(&budget()).unwrap()),
            canonical(nfa),
            "{expression}"
        );
    });
}

#[test]
fn expressions_of_simple_languages_are_simple() {
    let alphabet = Alphabet::new(["a", "b", "c"]).unwrap();
    for simple in [
        "[]",
        "ε",
        "a",
        "[a b]",
        ".",
        ".*",
        "a*",
        "a+",
        "a?",
        "a b c",
        "a* b",
        "a b*",
        "[a c]* b .*",
        "a | b c",
        "(a b)*",
        "c* a c*",
        "a (b | c a)",
        "(a b)+",
    ] {
        let expression = Expression::of(&nfa(simple, &alphabet), 1000, &budget()).unwrap();
        assert_eq!(expression.unwrap().to_string(), simple);
    }
}

#[test]
fn signs_bind_as_documented() {
    let alphabet = Alphabet::new(["a", "b"]).unwrap();
    for (short, explicit) in [
        ("a b*", "a (b*)"),
        ("a b | b a", "(a b) | (b a)"),
        ("a & b | b", "(a & b) | b"),
        ("a b & a .", "(a b) & (a .)"),
        ("~a b", "(~a) b"),
        ("~a*", "~(a*)"),
        ("~~a", "a"),
        ("a{2}{3}", "a a a a a a"),
        ("a{,2}", "() | a | a a"),
        ("a{2,}", "a a a*"),
        ("[^a b]", "[]"),
        ("[^]", "."),
        ("\"a\" 'b'", "a b"),
    ] {
        let (a, b) = (nfa(short, &alphabet), nfa(explicit, &alphabet));
        assert_eq!(a.distinguishing_word(&b, &budget()), Ok(None), "{short}");
    }
}

#[test]
fn letters_with_odd_names_are_quoted() {
    let alphabet = Alphabet::new(["a b", "*", "say \"\\\"", "ε", "x/y", "."]).unwrap();
    let one_each = Nfa::all(&alphabet).up_to_length(1, &budget()).unwrap();
    for word in one_each.words(1, &budget()).unwrap() {
        let mut builder = Nfa::builder(&alphabet)
            .initial(0)
            .accepting(word.len() as u32);
        for (i, &letter) in word.iter().enumerate() {
            let letters = quotient_automata::Predicate::of(&alphabet, [letter]);
            builder = builder.edge(i as u32, &letters, i as u32 + 1);
        }
        let single = builder.build();
        let text = Expression::of(&single, 10, &budget())
            .unwrap()
            .unwrap()
            .to_string();
        let again = nfa(&text, &alphabet);
        assert_eq!(
            again.distinguishing_word(&single, &budget()),
            Ok(None),
            "{text}"
        );
    }
}

/// The first line, place and help of the error.
fn error(text: &str) -> String {
    let alphabet = Alphabet::new(["a", "b", "token"]).unwrap();
    let diagnostic = parse(text, &alphabet).unwrap_err();
    let label = &diagnostic.labels[0];
    let mut shown = format!(
        "{diagnostic} [{}: {}]",
        &text[label.span.range()],
        label.text
    );
    for help in &diagnostic.help {
        shown.push_str(&format!(" ({help})"));
    }
    shown
}

#[test]
fn errors_point_and_say_what_was_expected() {
    let shown: Vec<String> = [
        "a | ", "a)", "(a", "[a", "[a | b]", "*", "tokken", "a ab", "\"a", "a{2,1}", "a{1001}",
        "a{x}", "a{}", "a{2", "a & & b", "~", "]", "a ^ b", "a , b", "",
    ]
    .map(error)
    .to_vec();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn deep_or_huge_expressions_are_refused() {
    let alphabet = Alphabet::new(["a"]).unwrap();
    let code = |text: String| parse(&text, &alphabet).unwrap_err().code;
    assert_eq!(code("(".repeat(100_000)), "expression-depth");
    assert_eq!(code("~".repeat(100_000)), "expression-depth");
    assert_eq!(code(format!("a{}", "{2}".repeat(500))), "expression-depth");
    assert_eq!(code("a{1000}{1000}{1000}".to_owned()), "expression-size");
    assert!(parse(&format!("a{}", "*".repeat(100_000)), &alphabet).is_err());
    assert!(parse(&"a ".repeat(10_000), &alphabet).is_ok());
}

#[test]
fn no_text_makes_the_parser_panic() {
    let alphabet = Alphabet::new(["a", "b"]).unwrap();
    let pieces = [
        "a", "b", " ", "[", "]", "^", ".", "~", "&", "|", "*", "+", "?", "{", "}", "(", ")", ",",
        "2", "\"", "'", "\\", "ε", "é", "{2,3}", "(a)",
    ];
    let budget = Budget::unlimited();
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let text: String = (0..random.below(14))
            .map(|_| pieces[random.below(pieces.len() as u32) as usize])
            .collect();
        match parse(&text, &alphabet) {
            Ok(expression) => {
                let limited = budget.child_with_work(20_000);
                match expression.to_nfa(&limited) {
                    Ok(_) | Err(Stop::Work) => {}
                    Err(other) => panic!("{text}: {other}"),
                }
            }
            Err(diagnostic) => {
                let span = diagnostic.labels[0].span;
                assert!(text.get(span.range()).is_some(), "{text}: {span:?}");
            }
        }
    }
}

#[test]
fn an_expression_over_the_limit_is_not_given() {
    let alphabet = testing::alphabet(2);
    let large = testing::tabakov_vardi(&mut Random::new(3), &alphabet, 12, 1.3, 0.4);
    assert_eq!(Expression::of(&large, 10, &budget()), Ok(None));
}

#[test]
fn what_is_not_a_word_of_many_letters_is_small() {
    let count = 3_000;
    let alphabet = testing::alphabet(count);
    let names: Vec<&str> = alphabet.letters().map(|one| alphabet.name(one)).collect();
    let word = names.join(" ");
    let outside = nfa(&format!("~({word})"), &alphabet);
    assert!(outside.len() <= 2 * count && outside.edges().len() <= 10 * count);
    let inside: Vec<Letter> = alphabet.letters().collect();
    assert!(!outside.accepts(&inside));
    for change in [0, 1, count / 2, count - 1] {
        let shorter = [&inside[..change], &inside[change + 1..]].concat();
        let longer = [
            &inside[..change],
            &inside[change..=change],
            &inside[change..],
        ]
        .concat();
        let mut other = inside.clone();
        other[change] = inside[(change + 7) % count];
        for word in [&inside[..change], &shorter[..], &longer[..], &other[..]] {
            assert!(outside.accepts(word), "{change}");
        }
    }
    let twice = nfa(&format!("~(~({word}))"), &alphabet);
    assert!(
        twice
            .is_equivalent_to(&nfa(&word, &alphabet), &budget())
            .unwrap()
    );
}
