//! What there is to know about a machine, for people and for programs.

use quotient_core::Budget;
use quotient_language::{Block, Json, Shown};
use serde_json::json;

use crate::formats::{Machine, Named, Role};
use crate::{Alphabet, Expression, Nfa, Predicate, Transducer, Word};

/// What there is to know about a machine: its size, whether it is deterministic, its first words.
///
/// ```
/// use quotient_automata::facts::Facts;
/// use quotient_automata::formats::{Named, Role};
/// use quotient_automata::{Alphabet, Transducer};
/// use quotient_core::Budget;
/// let alphabet = Alphabet::new(["a"])?;
/// let copy = Named::new("copy", Role::Transition, Transducer::identity(&alphabet));
/// let facts = Facts::of(&copy, &Budget::unlimited());
/// assert_eq!(facts.json()["lengthPreserving"], true);
/// assert!(!facts.blocks().is_empty());
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
#[derive(Debug)]
pub struct Facts<'a> {
    named: &'a Named,
    initial: usize,
    accepting: usize,
    more: Vec<Fact>,
}

/// A fact by name: for people, for programs.
type Fact = (&'static str, String, Json);

/// How many words are shown, and how long it may take to find them.
const SAMPLES: usize = 5;
const SAMPLE_WORK: u64 = 200_000;

impl<'a> Facts<'a> {
    /// Finds them out; where that takes long, fewer of them.
    pub fn of(named: &'a Named, budget: &Budget) -> Facts<'a> {
        let budget = budget.child_with_work(SAMPLE_WORK);
        let (initial, accepting, more) = match &named.machine {
            Machine::Automaton(nfa) => (
                nfa.initial().len(),
                nfa.accepting().count_ones(..),
                automaton_facts(nfa, &budget),
            ),
            Machine::Transducer(transducer) => (
                transducer.initial().len(),
                transducer.accepting().count_ones(..),
                transducer_facts(transducer, &budget),
            ),
        };
        Facts {
            named,
            initial,
            accepting,
            more,
        }
    }

    /// For people: a head and facts.
    pub fn blocks(&self) -> Vec<Block> {
        let (kind, states, edges) = sizes(&self.named.machine);
        let role = role_name(self.named.role).map(|role| format!(" ({role})"));
        let head = format!("{kind} {}{}", self.named.name, role.unwrap_or_default());
        let states = format!(
            "{states} ({} initial, {} accepting)",
            self.initial, self.accepting
        );
        let mut blocks = vec![
            Block::Head(head),
            Block::Fact("states".to_owned(), states),
            Block::Fact("edges".to_owned(), edges.to_string()),
        ];
        for (name, text, _) in &self.more {
            let name = match *name {
                "epsilon" => "ε-moves",
                "lengthPreserving" => "same lengths",
                other => other,
            };
            blocks.push(Block::Fact(name.to_owned(), text.clone()));
        }
        blocks
    }

    /// For programs.
    pub fn json(&self) -> Json {
        let mut object = summary_json(self.named);
        object["role"] = json!(role_name(self.named.role));
        object["initial"] = json!(self.initial);
        object["accepting"] = json!(self.accepting);
        for (name, _, value) in &self.more {
            object[*name] = value.clone();
        }
        object
    }
}

/// Machines over one alphabet under a title: what `show` says about a file of them. The result
/// for programs has the fields `format`, `alphabet` and `machines`.
pub fn shown(
    title: &str,
    format: &str,
    alphabet: &Alphabet,
    machines: &[Named],
    budget: &Budget,
) -> Shown {
    let mut shown = Shown::titled(format!("{title}: {format}")).fact("alphabet", letters(alphabet));
    let mut objects = Vec::new();
    for named in machines {
        let facts = Facts::of(named, budget);
        shown.blocks.push(Block::Blank);
        shown.blocks.extend(facts.blocks());
        objects.push(facts.json());
    }
    shown.result(json!({
        "format": format,
        "alphabet": alphabet.names().collect::<Vec<_>>(),
        "machines": objects,
    }))
}

/// The number of letters, and their names if they are few.
pub fn letters(alphabet: &Alphabet) -> String {
    // About five lines.
    const ROOM: usize = 320;
    let mut used = 0;
    let few = alphabet.names().take_while(|name| {
        used += name.chars().count() + 1;
        used <= ROOM
    });
    let mut names: Vec<&str> = few.collect();
    if alphabet.len() > names.len() {
        names.push("…");
    }
    match alphabet.is_empty() {
        true => "0 letters".to_owned(),
        false => format!("{}: {}", count(alphabet.len(), "letter"), names.join(" ")),
    }
}

/// A machine in a line: `automaton, 2 states, 3 edges, 4 letters`.
pub fn summary(named: &Named) -> String {
    let (kind, states, edges) = sizes(&named.machine);
    let letters = named.machine.alphabet().len();
    format!(
        "{kind}, {}, {}, {}",
        count(states, "state"),
        count(edges, "edge"),
        count(letters, "letter")
    )
}

/// The same for programs.
pub fn summary_json(named: &Named) -> Json {
    let (kind, states, edges) = sizes(&named.machine);
    json!({
        "name": named.name,
        "kind": kind,
        "states": states,
        "edges": edges,
        "letters": named.machine.alphabet().len(),
    })
}

/// The part that a machine plays in a problem, in words; nothing if the file does not say.
pub fn role_name(role: Role) -> Option<&'static str> {
    match role {
        Role::Unspecified => None,
        Role::Initial => Some("initial set"),
        Role::Transition => Some("step"),
        Role::Bad => Some("bad set"),
        Role::Goal => Some("goal"),
        Role::FirstPlayer => Some("moves of the first player"),
        Role::SecondPlayer => Some("moves of the second player"),
    }
}

/// A number of things: `1 state`, `2 states`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The kind, the number of states and that of edges.
fn sizes(machine: &Machine) -> (&'static str, usize, usize) {
    match machine {
        Machine::Automaton(nfa) => ("automaton", nfa.len(), nfa.edges().len()),
        Machine::Transducer(transducer) => {
            ("transducer", transducer.len(), transducer.edges().len())
        }
    }
}

fn automaton_facts(nfa: &Nfa, budget: &Budget) -> Vec<Fact> {
    let mut facts = vec![
        yes_or_no("deterministic", is_deterministic(nfa)),
        yes_or_no("epsilon", nfa.has_epsilon()),
        yes_or_no("empty", nfa.is_empty_language()),
    ];
    let words: Vec<String> = shortest_words(nfa, budget)
        .iter()
        .map(|word| nfa.alphabet().show(word))
        .collect();
    // Worth showing only if it can be taken in at a glance.
    if let Ok(Some(expression)) = Expression::of(nfa, 16, budget) {
        let text = expression.to_string();
        facts.push(("expression", text.clone(), json!(text)));
    }
    facts.push(("words", lines(&words), json!(words)));
    facts
}

fn transducer_facts(transducer: &Transducer, budget: &Budget) -> Vec<Fact> {
    let alphabet = transducer.alphabet();
    let show = |(from, to): &(Word, Word)| [alphabet.show(from), alphabet.show(to)];
    let pairs: Vec<[String; 2]> = smallest_pairs(transducer, budget)
        .iter()
        .map(show)
        .collect();
    let arrow = |[from, to]: &[String; 2]| format!("{from} → {to}");
    let arrows: Vec<String> = pairs.iter().map(arrow).collect();
    vec![
        yes_or_no("lengthPreserving", transducer.is_length_preserving()),
        yes_or_no("empty", transducer.domain().is_empty_language()),
        ("pairs", lines(&arrows), json!(pairs)),
    ]
}

fn lines(texts: &[String]) -> String {
    match texts.is_empty() {
        true => "none".to_owned(),
        false => texts.join("\n"),
    }
}

fn yes_or_no(name: &'static str, fact: bool) -> Fact {
    let text = if fact { "yes" } else { "no" };
    (name, text.to_owned(), json!(fact))
}

/// One initial state, no ε, and no letter that leads to two states.
fn is_deterministic(nfa: &Nfa) -> bool {
    nfa.initial().len() == 1
        && !nfa.has_epsilon()
        && nfa.states().all(|state| {
            let mut seen = Predicate::none(nfa.alphabet());
            nfa.edges_from(state).iter().all(|edge| {
                let letters = nfa.label(edge).as_ref();
                let fresh = letters.is_some_and(|letters| !letters.intersects(&seen));
                letters
                    .into_iter()
                    .for_each(|letters| seen.or_assign(letters));
                fresh
            })
        })
}

/// A few words, shortest first; fewer if it takes too long.
fn shortest_words(nfa: &Nfa, budget: &Budget) -> Vec<Word> {
    let Some(shortest) = nfa.shortest_word() else {
        return Vec::new();
    };
    let length = shortest.len();
    nfa.words(length + nfa.len() + SAMPLES, budget)
        .map(|words| words.take(SAMPLES).collect())
        .ok()
        .filter(|words: &Vec<_>| !words.is_empty())
        .unwrap_or_else(|| vec![shortest])
}

/// A few related pairs, shortest first.
fn smallest_pairs(transducer: &Transducer, budget: &Budget) -> Vec<(Word, Word)> {
    let mut found = Vec::new();
    for length in 0..=transducer.len() + 2 {
        match transducer.pairs_up_to(length, budget) {
            Ok(pairs) => found = pairs.into_iter().collect(),
            Err(_) => break,
        }
        if found.len() >= SAMPLES {
            break;
        }
    }
    found.sort_by_key(|(from, to): &(Vec<_>, Vec<_>)| from.len() + to.len());
    found.truncate(SAMPLES);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Named {
        let alphabet = Alphabet::new(["T", "N"]).unwrap();
        let (t, n) = (alphabet.set(["T"]).unwrap(), alphabet.set(["N"]).unwrap());
        let nfa = Nfa::builder(&alphabet)
            .initial(0)
            .edge(0, &t, 1)
            .edge(1, &n, 1)
            .accepting(1)
            .build();
        Named::new("tokens", Role::Initial, nfa)
    }

    #[test]
    fn an_automaton_is_told_by_size_and_words() {
        let named = tokens();
        let facts = Facts::of(&named, &Budget::unlimited());
        let blocks = facts.blocks();
        assert_eq!(
            blocks[0],
            Block::Head("automaton tokens (initial set)".into())
        );
        let words = Block::Fact("words".into(), "T\nT N\nT N N\nT N N N\nT N N N N".into());
        assert_eq!(blocks.last(), Some(&words));
        assert_eq!(facts.json()["deterministic"], true);
        assert_eq!(summary(&named), "automaton, 2 states, 2 edges, 2 letters");
    }

    #[test]
    fn two_edges_with_a_common_letter_are_not_deterministic() {
        let alphabet = Alphabet::new(["T", "N"]).unwrap();
        let all = Predicate::all(&alphabet);
        let t = alphabet.set(["T"]).unwrap();
        let nfa = Nfa::builder(&alphabet)
            .initial(0)
            .edge(0, &all, 0)
            .edge(0, &t, 1)
            .accepting(1)
            .build();
        let named = Named::new("x", Role::Unspecified, nfa);
        let facts = Facts::of(&named, &Budget::unlimited());
        assert_eq!(facts.json()["deterministic"], false);
    }

    #[test]
    fn long_alphabets_are_cut() {
        let names: Vec<String> = (0..1000).map(|number| format!("letter{number}")).collect();
        let text = letters(&Alphabet::new(names).unwrap());
        assert!(text.starts_with("1000 letters: letter0 letter1 ") && text.ends_with('…'));
        assert!(text.len() < 400);
    }
}
