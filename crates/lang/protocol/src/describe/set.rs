//! A set of configurations in the words of the source: its automaton and an expression.

use quotient_automata::{Dfa, Expression, Nfa, Predicate, State};
use quotient_core::{Budget, Stop};
use serde::Serialize;

use crate::compile::Part;
use crate::{Compiled, Protocol};

/// A set of configurations that is small enough to be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InWords {
    /// A regular expression over the names of the classes, if there is a short one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// The same over letters, so that it can be read back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters: Option<String>,
    /// The sets of letters that the expression and the moves name.
    pub classes: Vec<Class>,
    /// How many states the smallest automaton has; they are numbered from 0, where it begins.
    pub states: usize,
    /// The states in which a configuration may end.
    pub accepting: Vec<usize>,
    /// The moves of the automaton.
    pub moves: Vec<Move>,
    /// How many of the classes the expression names; they come first.
    #[serde(skip)]
    in_expression: usize,
}

/// A set of letters with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Class {
    /// The letter itself if it is only one with a short name, else a capital.
    pub name: String,
    /// What the letters have in common.
    pub condition: String,
    /// The letters by name.
    pub letters: Vec<String>,
}

/// A move of the automaton with any letter of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Where it leaves.
    pub from: usize,
    /// Where it arrives.
    pub to: usize,
    /// The class, by its number.
    pub class: usize,
}

/// Larger sets are not told in words.
const MOST_STATES: usize = 16;
/// The most letters, classes and signs of an expression.
const LONGEST_EXPRESSION: usize = 40;
/// A letter with a longer name is explained rather than named.
const SHORT: usize = 16;

impl Protocol {
    /// Tells a set of configurations in the words of the source; nothing if it is too large.
    /// Words that are no configurations are left out, so the set may be an invariant that an
    /// engine found.
    ///
    /// ```
    /// use quotient_core::{Budget, Source};
    /// use quotient_protocol::Protocol;
    /// let text = "
    ///     process { location idle, critical }
    ///     step enter: when at = idle and forall other p: p.at = idle then at := critical
    /// ";
    /// let budget = Budget::unlimited();
    /// let protocol = Protocol::parse(&Source::new("lock.protocol", text))?;
    /// let compiled = protocol.compile(&budget)?;
    /// let start = protocol.in_words(&compiled, compiled.initial(), &budget)?.unwrap();
    /// assert_eq!(start.expression.as_deref(), Some("idle+"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_words(
        &self,
        compiled: &Compiled,
        set: &Nfa,
        budget: &Budget,
    ) -> Result<Option<InWords>, Stop> {
        let set = set.intersection(compiled.configurations(), budget)?;
        let dfa = set.canonical(budget)?;
        if dfa.len() > MOST_STATES {
            return Ok(None);
        }
        let mut classes = Classes::new(self, compiled);
        let expression = Expression::of(&set, LONGEST_EXPRESSION, budget)?;
        let shown = expression
            .as_ref()
            .map(|expression| expression.written_with(|letters| classes.named(letters)));
        let in_expression = classes.all.len();
        let moves = moves(&dfa, &mut classes);
        let all = (0..dfa.len()).filter(|&state| dfa.is_accepting(State(state as u32)));
        let accepting = all.collect();
        if classes.too_long {
            return Ok(None);
        }
        Ok(Some(InWords {
            expression: shown,
            letters: expression.map(|expression| expression.to_string()),
            classes: classes.all,
            states: dfa.len(),
            accepting,
            moves,
            in_expression,
        }))
    }
}

/// One move for each pair of states that a letter connects.
fn moves(dfa: &Dfa, classes: &mut Classes<'_>) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in 0..dfa.len() {
        let row = dfa.row(State(from as u32));
        for to in 0..dfa.len() {
            let mut letters = Predicate::none(dfa.alphabet());
            for (class, &next) in row.iter().enumerate() {
                if next as usize == to {
                    letters.or_assign(dfa.minterms().members(class as u32));
                }
            }
            if !letters.is_empty() {
                let class = classes.number(&letters);
                moves.push(Move { from, to, class });
            }
        }
    }
    moves
}

/// The sets of letters named so far.
struct Classes<'a> {
    protocol: &'a Protocol,
    compiled: &'a Compiled,
    sets: Vec<Predicate>,
    all: Vec<Class>,
    capitals: usize,
    /// Whether a condition was too long to be written.
    too_long: bool,
}

impl<'a> Classes<'a> {
    fn new(protocol: &'a Protocol, compiled: &'a Compiled) -> Self {
        Classes {
            protocol,
            compiled,
            sets: Vec::new(),
            all: Vec::new(),
            capitals: 0,
            too_long: false,
        }
    }

    fn named(&mut self, letters: &Predicate) -> String {
        let number = self.number(letters);
        self.all[number].name.clone()
    }

    fn number(&mut self, letters: &Predicate) -> usize {
        if let Some(known) = self.sets.iter().position(|set| set == letters) {
            return known;
        }
        let alphabet = self.compiled.alphabet();
        let names: Vec<String> = letters
            .letters()
            .map(|l| alphabet.name(l).to_owned())
            .collect();
        let condition = self.protocol.condition(self.compiled, letters);
        self.too_long |= condition.is_none();
        let name = match names.as_slice() {
            [only] if only.chars().count() <= SHORT && self.speaks_for_itself(letters) => {
                only.clone()
            }
            _ => self.capital(),
        };
        self.sets.push(letters.clone());
        self.all.push(Class {
            name,
            condition: condition.unwrap_or_default(),
            letters: names,
        });
        self.all.len() - 1
    }

    /// Whether a single letter is one value that the source names.
    fn speaks_for_itself(&self, letters: &Predicate) -> bool {
        let part = letters
            .first()
            .map(|letter| self.compiled.letters.part(letter));
        match part {
            Some(Part::Globals(values)) => values.len() == 1,
            Some(Part::Process(values)) => values.len() == 1,
            Some(Part::Separator(_) | Part::Content(..)) => true,
            None => false,
        }
    }

    /// `A`, …, `Z`, `A1`, … that is no letter itself.
    fn capital(&mut self) -> String {
        loop {
            let (round, place) = (self.capitals / 26, self.capitals % 26);
            self.capitals += 1;
            let mut name = char::from(b'A' + place as u8).to_string();
            if round > 0 {
                name += &round.to_string();
            }
            if self.compiled.alphabet().letter(&name).is_none() {
                return name;
            }
        }
    }
}

impl InWords {
    /// What the classes of the expression mean, by name; letters speak for themselves.
    pub fn expression_legend(&self) -> Vec<(&str, &str)> {
        legend(&self.classes[..self.in_expression])
    }

    /// The automaton, a line for each state.
    pub fn automaton_text(&self) -> Vec<String> {
        let line = |state: usize| {
            let moves = self.moves.iter().filter(|m| m.from == state);
            let moves: Vec<String> = moves
                .map(|m| format!("{} to {}", self.classes[m.class].name, m.to))
                .collect();
            let ends = match self.accepting.contains(&state) {
                true => " (may end)",
                false => "",
            };
            let text = format!("{state}{ends}: {}", moves.join(", "));
            text.trim_end_matches([':', ' ']).to_owned()
        };
        (0..self.states).map(line).collect()
    }

    /// What all classes mean, by name; letters speak for themselves.
    pub fn legend(&self) -> Vec<(&str, &str)> {
        legend(&self.classes)
    }
}

fn legend(classes: &[Class]) -> Vec<(&str, &str)> {
    let capitals = classes
        .iter()
        .filter(|class| class.letters != [class.name.as_str()]);
    capitals
        .map(|class| (class.name.as_str(), class.condition.as_str()))
        .collect()
}
