//! What can be seen without running: loops that take no time, variables that are shared.

use std::collections::BTreeSet;

use quotient_core::{Diagnostic, Source};

use crate::kernel::{Kind, Node, Term, Variable, VariableId, What};
use crate::value::Value;

/// Statements may nest as deep as this.
const DEEPEST: usize = 500;
/// Traps may nest as deep as this: each is a completion code.
const DEEPEST_TRAPS: usize = 120;

/// A set of completion codes: 0 ends, 1 pauses, 2 and more leave traps.
pub(crate) type Codes = u128;

/// The code of parallel branches is the greatest of theirs.
pub(crate) fn greatest(left: Codes, right: Codes) -> Codes {
    if left == 0 || right == 0 {
        return 0;
    }
    let least = left.trailing_zeros().max(right.trailing_zeros());
    (left | right) & (Codes::MAX << least)
}

/// What a trap makes of the codes of its body.
pub(crate) fn caught(codes: Codes) -> Codes {
    let done = u128::from(codes & 0b101 != 0);
    done | (codes & 0b10) | ((codes >> 3) << 2)
}

/// Whether nothing nests so deeply that a walk over it could run out of stack.
pub(crate) fn is_shallow(body: &Node) -> bool {
    let mut stack = vec![(body, 1, 0)];
    while let Some((node, depth, traps)) = stack.pop() {
        let traps = traps + usize::from(matches!(node.kind, Kind::Trap(_)));
        if depth > DEEPEST || traps > DEEPEST_TRAPS {
            return false;
        }
        stack.extend(
            node.children()
                .into_iter()
                .map(|one| (one, depth + 1, traps)),
        );
    }
    true
}

/// All that is wrong.
pub(crate) fn check(source: &Source, body: &Node, variables: &[Variable]) -> Vec<Diagnostic> {
    let mut checker = Checker {
        source,
        variables,
        mistakes: Vec::new(),
    };
    checker.codes(body);
    checker.uses(body);
    checker.mistakes
}

struct Checker<'a> {
    source: &'a Source,
    variables: &'a [Variable],
    mistakes: Vec<Diagnostic>,
}

/// Variables that are read and that are written.
#[derive(Default)]
struct Uses {
    read: BTreeSet<VariableId>,
    written: BTreeSet<VariableId>,
}

impl Checker<'_> {
    /// The codes with which a statement can come back in the instant that starts it.
    fn codes(&mut self, node: &Node) -> Codes {
        match &node.kind {
            Kind::Pause => 0b10,
            Kind::Exit(level) => 1 << (level + 2),
            Kind::Present(_, one, other) | Kind::Test(_, one, other) => {
                self.codes(one) | self.codes(other)
            }
            Kind::Suspend(_, body) | Kind::Signal(_, body) | Kind::Variable(_, body) => {
                self.codes(body)
            }
            Kind::Sequence(steps) => {
                let mut codes = 1;
                for step in steps {
                    let step = self.codes(step);
                    if codes & 1 != 0 {
                        codes = (codes & !1) | step;
                    }
                }
                codes
            }
            Kind::Parallel(branches) => {
                let mut all = 1;
                for branch in branches {
                    let branch = self.codes(branch);
                    all = greatest(all, branch);
                }
                all
            }
            Kind::Trap(body) => caught(self.codes(body)),
            Kind::Loop(body) => {
                let codes = self.codes(body);
                self.takes_time(node, codes, "a loop");
                codes & !1
            }
            Kind::Repeat(repeat) => {
                let codes = self.codes(&repeat.body);
                self.takes_time(node, codes, "a repetition");
                let once = repeat.positive || is_positive(&repeat.times);
                (codes & !1) | u128::from(!once)
            }
            _ => 1,
        }
    }

    fn takes_time(&mut self, node: &Node, codes: Codes, what: &str) {
        if codes & 1 != 0 {
            let message = format!("the body of {what} may end in the instant that starts it");
            let mistake = Diagnostic::error("instantaneous-loop", message)
                .at(
                    self.source,
                    node.span,
                    "this would go round for ever at once",
                )
                .help("put a `pause` or `await` on every way through the body");
            self.mistakes.push(mistake);
        }
    }

    /// Variables that parallel branches share must only be read.
    fn uses(&mut self, node: &Node) -> Uses {
        let mut uses = Uses::default();
        for term in node.terms() {
            reads(term, &mut uses.read);
        }
        match &node.kind {
            Kind::Assign(variable, _) => {
                uses.written.insert(*variable);
            }
            Kind::Host(_, written) => uses.written.extend(written),
            Kind::Parallel(branches) => {
                for branch in branches {
                    let other = self.uses(branch);
                    let clash = (other.written.iter())
                        .find(|one| uses.read.contains(one) || uses.written.contains(one))
                        .or_else(|| other.read.iter().find(|one| uses.written.contains(one)));
                    if let Some(&variable) = clash {
                        let variable = &self.variables[variable];
                        let message = format!(
                            "parallel branches share the variable `{}`, and one writes it",
                            variable.name
                        );
                        let mistake = Diagnostic::error("shared-variable", message)
                            .at(self.source, variable.span, "declared here")
                            .at(self.source, branch.span, "used here and in a branch before")
                            .help("use a signal with a value");
                        self.mistakes.push(mistake);
                    }
                    uses.read.extend(other.read);
                    uses.written.extend(other.written);
                }
                return uses;
            }
            _ => {}
        }
        for child in node.children() {
            let other = self.uses(child);
            uses.read.extend(other.read);
            uses.written.extend(other.written);
        }
        uses
    }
}

/// The variables that an expression reads.
pub(crate) fn reads(term: &Term, all: &mut BTreeSet<VariableId>) {
    if let What::Variable(variable) = term.what {
        all.insert(variable);
    }
    for part in term.parts() {
        reads(part, all);
    }
}

/// Whether a number of times is surely at least one.
fn is_positive(times: &Term) -> bool {
    use num_traits::Signed;
    matches!(&times.what, What::Constant(Value::Number(number)) if number.is_positive())
}
