//! Rewriting rules and equations, with their variables.

use super::names::Resolve;
use super::raw::RawTerm;
use crate::{Equation, Node, Piece, RewriteRule, Term};

impl Resolve<'_> {
    pub(super) fn system(&mut self, rules: &[(RawTerm, RawTerm)]) -> Vec<RewriteRule> {
        let mut all = Vec::new();
        for (left, right) in rules {
            let (Some(from), Some(to)) = (self.term(left), self.term(right)) else {
                continue;
            };
            if matches!(from.pieces()[0], Piece::Variable(_)) {
                let message = "a variable alone is no left side".to_owned();
                self.mistake("rewriting", message, left.span, "it fits everywhere");
            }
            let known: Vec<u32> = from.variables().collect();
            if to.variables().any(|one| !known.contains(&one)) {
                let message = "the right side has a variable that the left side has not".to_owned();
                self.mistake("rewriting", message, right.span, "what would it be?");
            }
            all.push(RewriteRule {
                left: from,
                right: to,
            });
        }
        all
    }

    pub(super) fn equations(&mut self, equations: &[(RawTerm, RawTerm)]) -> Vec<Equation> {
        let mut all = Vec::new();
        for (left, right) in equations {
            if let (Some(left), Some(right)) = (self.term(left), self.term(right)) {
                all.push(Equation { left, right });
            }
        }
        all
    }

    fn term(&mut self, raw: &RawTerm) -> Option<Term> {
        let mut pieces = Vec::new();
        for &(span, arity) in &raw.nodes {
            let name = self.text(span);
            pieces.push(match self.variables.get(name) {
                Some(&variable) if arity == 0 => Piece::Variable(variable),
                _ => {
                    let symbol = self.symbol(name, arity, span);
                    Piece::Node(Node { symbol, arity })
                }
            });
        }
        Term::new(pieces)
    }
}
