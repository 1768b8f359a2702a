//! Automata and transducers: rules of names to rules of numbers.

use quotient_core::Diagnostic;
use rustc_hash::FxHashMap;

use super::draft::{Draft, MOST_RULES, close_silent};
use super::names::Resolve;
use super::raw::{RawMachine, RawTerm};
use crate::build::Build;
use crate::{Node, Piece, Rule, State, Term, TransducerRule};

impl<'a> Resolve<'a> {
    pub(super) fn automaton(&mut self, raw: &'a RawMachine) -> Draft {
        let (numbers, mut draft) = self.states(raw, true);
        let mut silent: Vec<(State, State)> = Vec::new();
        for (left, right) in &raw.rules {
            let name = self.text(right.nodes[0].0);
            if right.nodes.len() > 1 {
                let message = "a rule of an automaton leads to a state alone".to_owned();
                self.mistake("syntax", message, right.span, "expected a state");
                continue;
            }
            let Some(&target) = numbers.get(name) else {
                self.no_state(name, right.span, &numbers);
                continue;
            };
            let top = self.text(left.nodes[0].0);
            if let (1, Some(&from)) = (left.nodes.len(), numbers.get(top))
                && !self.constants.contains(top)
            {
                silent.push((from, target));
                continue;
            }
            self.left_side(left, target, &numbers, &mut draft.build);
        }
        if !close_silent(&mut draft.build, &silent) {
            let message = format!("rules between states make more than {MOST_RULES} others");
            let help = "write the symbols on the left: `f(q) -> p`";
            let error = Diagnostic::error("too-large", message);
            let error = error.at(self.source, raw.span, "in this automaton");
            self.mistakes.push(error.help(help));
        }
        draft
    }

    /// Adds the rules for a left side, which may be more than one symbol deep.
    fn left_side(
        &mut self,
        left: &RawTerm,
        target: State,
        numbers: &FxHashMap<&str, State>,
        build: &mut Build,
    ) {
        let mut values: Vec<Option<State>> = Vec::new();
        for (place, &(span, arity)) in left.nodes.iter().enumerate().rev() {
            let name = self.text(span);
            let mut children = values.split_off(values.len() - arity as usize);
            children.reverse();
            if let (true, 0, Some(&state)) = (place > 0, arity, numbers.get(name)) {
                values.push(Some(state));
                continue;
            }
            if place > 0 && arity == 0 && !self.constants.contains(name) {
                self.no_state(name, span, numbers);
                values.push(None);
                continue;
            }
            let state = match place {
                0 => target,
                _ => build.state(),
            };
            let symbol = self.symbol(name, arity, span);
            let children: Option<Box<[State]>> = children.into_iter().collect();
            if let Some(children) = children {
                build.rules.push(Rule {
                    symbol,
                    children,
                    target: state,
                });
            }
            values.push(Some(state));
        }
    }

    pub(super) fn transducer(&mut self, raw: &'a RawMachine) -> Draft {
        let (numbers, mut draft) = self.states(raw, false);
        for (left, right) in &raw.rules {
            if let Some(rule) = self.transducer_rule(left, right, &numbers) {
                draft.output.push(rule);
            }
        }
        draft
    }

    fn transducer_rule(
        &mut self,
        left: &RawTerm,
        right: &RawTerm,
        numbers: &FxHashMap<&str, State>,
    ) -> Option<TransducerRule> {
        let (to, below) = right.nodes[0];
        let Some(&target) = numbers.get(self.text(to)) else {
            self.no_state(self.text(to), to, numbers);
            return None;
        };
        // The children of the left side: states, each perhaps with a variable.
        let (top, arity) = left.nodes[0];
        let begins = left.children();
        let is_silent = arity == 1
            && left.nodes.len() == 2
            && numbers.contains_key(self.text(top))
            && !numbers.contains_key(self.text(left.nodes[1].0));
        let mut children = Vec::new();
        let mut variables: Vec<&str> = Vec::new();
        let given = if is_silent { vec![0] } else { begins };
        for at in given {
            let (span, inner) = left.nodes[at];
            let Some(&state) = numbers.get(self.text(span)) else {
                self.no_state(self.text(span), span, numbers);
                return None;
            };
            let has_variable = inner == 1 && left.nodes[at + 1].1 == 0;
            if inner > 0 && !has_variable {
                let message = "a child is a state with a variable, as in `q(x)`".to_owned();
                self.mistake("syntax", message, span, "this one has more below it");
                return None;
            }
            variables.push(if has_variable {
                let (place, _) = left.nodes[at + 1];
                let name = self.text(place);
                if self.constants.contains(name) {
                    self.two_things(name, "a constant in `Ops` and a variable", place);
                    return None;
                }
                name
            } else {
                ""
            });
            children.push(state);
        }
        let label = self.text(top);
        let slash = label.char_indices().skip(1).find(|(_, sign)| *sign == '/');
        let (symbol, output) = match (is_silent, below) {
            (true, 0) | (false, 2..) | (true, 2..) => {
                let message = "the right side is a state with what is written, as in `q(f(x))`";
                self.mistake("syntax", message.to_owned(), right.span, "this is not");
                return None;
            }
            (true, _) => (None, self.written(right, &variables)?),
            (false, 1) => {
                let symbol = self.symbol(label, arity, top);
                (Some(symbol), self.written(right, &variables)?)
            }
            (false, _) => {
                let (from, to) = match slash {
                    Some((at, _)) => (&label[..at], &label[at + 1..]),
                    None => (label, label),
                };
                let (from, to) = (self.symbol(from, arity, top), self.symbol(to, arity, top));
                (Some(from), Term::shallow(to, arity as usize))
            }
        };
        Some(TransducerRule {
            symbol,
            children: children.into(),
            target,
            output,
        })
    }

    /// What a rule writes: the term below the state on its right side.
    fn written(&mut self, right: &RawTerm, variables: &[&str]) -> Option<Term> {
        let mut pieces = Vec::new();
        for &(span, arity) in &right.nodes[1..] {
            let name = self.text(span);
            let variable = variables
                .iter()
                .position(|one| !one.is_empty() && *one == name);
            pieces.push(match variable {
                Some(place) if arity == 0 => Piece::Variable(place as u32),
                _ => {
                    let symbol = self.symbol(name, arity, span);
                    Piece::Node(Node { symbol, arity })
                }
            });
        }
        let term = Term::new(pieces)?;
        if !term.is_linear() {
            let message = "a variable is written twice".to_owned();
            self.mistake(
                "copying",
                message,
                right.span,
                "sets would not stay regular",
            );
            return None;
        }
        Some(term)
    }
}
