//! `n / 2` is a fraction and not rounded. Where it stands alone that is what one expects; in a sum such
//! as `n / 2 + 1`, which other languages round, it is worth a word where the two readings differ.

use quotient_core::{Diagnostic, Span};

use super::Resolver;
use crate::fractions::{Fraction, computed};
use crate::model::{Arithmetic, Comparison};
use crate::syntax::tree::{Action, Condition, Demand, Expression, Kind, Operator};

/// The readings are compared with up to so many processes.
const LARGEST: i64 = 12;
/// Definitions are looked into so deeply.
const DEEPEST: u32 = 20;
/// More unknown numbers are not tried together.
const MOST_UNKNOWN: usize = 3;

/// Numbers that a comparison hangs on.
struct Numbers<'e> {
    /// How many processes there are.
    size: i64,
    /// Parameters and counts, by what they are, with their numbers.
    unknown: Vec<(&'e Kind, i64)>,
    /// Whether what is divided is rounded down.
    rounded: bool,
}

impl Resolver<'_> {
    /// Warns of comparisons that would be others if division were rounded down.
    pub(super) fn warn_of_fractions(&mut self) {
        let file = self.file;
        let mut all: Vec<&Expression> = file.assumptions.iter().collect();
        all.extend(file.initially.iter().filter_map(said));
        for property in &file.properties {
            match &property.demand {
                Demand::Never(condition) => all.extend(said(condition)),
                Demand::Always(expression)
                | Demand::Temporal {
                    formula: expression,
                    ..
                } => all.push(expression),
                Demand::LeadsTo { from, to, .. } => all.extend([from, to]),
                Demand::NoDeadlock => {}
            }
        }
        for step in &file.steps {
            all.extend(&step.guard);
            for action in step.alternatives.iter().flatten() {
                if let Action::Broadcast { only, .. } = action {
                    all.extend(only);
                }
            }
        }
        all.extend(file.macros.iter().map(|definition| &definition.body));
        let mut places = Vec::new();
        all.iter().for_each(|one| {
            one.visit(&mut |part| {
                places.extend(
                    self.is_read_twice(part)
                        .map(|(place, divided)| (place, divided.span)),
                )
            })
        });
        for (span, divided) in places {
            let text = &self.source.text()[divided.range()];
            let message = format!("`{text}` is a fraction here, and is not rounded");
            self.warnings.push(
                Diagnostic::warning("not-rounded", message)
                    .at(self.source, span, "")
                    .note("if it were rounded down, this would say something else")
                    .help("more than half of all is `2 * count(…) > n`, at least half `2 * count(…) >= n`"),
            );
        }
    }

    /// The place of a comparison and what is divided in it, if rounding makes a difference.
    fn is_read_twice<'e>(&'e self, expression: &'e Expression) -> Option<(Span, &'e Expression)> {
        let Kind::Binary(operator, left, right) = &expression.kind else {
            return None;
        };
        let comparison = match operator {
            Operator::Equal => Comparison::Equal,
            Operator::Different => Comparison::Different,
            Operator::Less => Comparison::Less,
            Operator::LessOrEqual => Comparison::LessOrEqual,
            Operator::Greater => Comparison::Greater,
            Operator::GreaterOrEqual => Comparison::GreaterOrEqual,
            _ => return None,
        };
        let divided = divided_in(left).or_else(|| divided_in(right))?;
        let mut unknown = Vec::new();
        self.unknown_numbers(left, &mut unknown, 0)?;
        self.unknown_numbers(right, &mut unknown, 0)?;
        if unknown.len() > MOST_UNKNOWN {
            return None;
        }
        for size in 1..=LARGEST {
            let tried = (size + 1).checked_pow(u32::try_from(unknown.len()).ok()?)?;
            for mut number in 0..tried {
                let unknown = unknown.iter().map(|kind| {
                    let this = number % (size + 1);
                    number /= size + 1;
                    (*kind, this)
                });
                let mut numbers = Numbers {
                    size,
                    unknown: unknown.collect(),
                    rounded: false,
                };
                let exactly = self.holds_with(comparison, left, right, &numbers)?;
                numbers.rounded = true;
                if exactly != self.holds_with(comparison, left, right, &numbers)? {
                    return Some((expression.span, divided));
                }
            }
        }
        None
    }

    /// The parameters and counts of a number; nothing if it hangs on something else.
    fn unknown_numbers<'e>(
        &'e self,
        expression: &'e Expression,
        all: &mut Vec<&'e Kind>,
        depth: u32,
    ) -> Option<()> {
        match &expression.kind {
            Kind::Number(_) => Some(()),
            Kind::Name(name) if name == "n" => Some(()),
            Kind::Name(name) if self.is_parameter(name) => {
                let same = |known: &&Kind| matches!(known, Kind::Name(other) if other == name);
                if !all.iter().any(same) {
                    all.push(&expression.kind);
                }
                Some(())
            }
            Kind::Name(name) => self.unknown_numbers(self.defined(name, depth)?, all, depth + 1),
            Kind::Count { .. } => {
                all.push(&expression.kind);
                Some(())
            }
            Kind::Negate(inner) => self.unknown_numbers(inner, all, depth),
            Kind::Binary(_, left, right) => {
                self.unknown_numbers(left, all, depth)?;
                self.unknown_numbers(right, all, depth)
            }
            _ => None,
        }
    }

    fn is_parameter(&self, name: &str) -> bool {
        self.file.parameters.iter().any(|known| known.text == name)
    }

    /// What a definition without parameters stands for.
    fn defined(&self, name: &str, depth: u32) -> Option<&Expression> {
        let mut known = self.file.macros.iter();
        let known = known.find(|known| known.name.text == name && known.parameters.is_empty());
        known.filter(|_| depth < DEEPEST).map(|known| &known.body)
    }

    fn holds_with(
        &self,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
        numbers: &Numbers<'_>,
    ) -> Option<bool> {
        let (one, by) = self.number_of(left, numbers, 0)?;
        let (two, with) = self.number_of(right, numbers, 0)?;
        let difference = one.checked_mul(with)?.checked_sub(two.checked_mul(by)?)?;
        Some(comparison.holds(i32::try_from(difference.signum()).ok()?, 0))
    }

    fn number_of(
        &self,
        expression: &Expression,
        numbers: &Numbers<'_>,
        depth: u32,
    ) -> Option<Fraction> {
        let arithmetic = match &expression.kind {
            Kind::Number(number) => return Some((*number, 1)),
            Kind::Name(name) if name == "n" => return Some((numbers.size, 1)),
            Kind::Name(name) if self.is_parameter(name) => {
                let mut unknown = numbers.unknown.iter();
                let same = |known: &Kind| matches!(known, Kind::Name(other) if other == name);
                return unknown
                    .find(|(known, _)| same(known))
                    .map(|(_, number)| (*number, 1));
            }
            Kind::Name(name) => {
                return self.number_of(self.defined(name, depth)?, numbers, depth + 1);
            }
            kind @ Kind::Count { .. } => {
                let mut unknown = numbers.unknown.iter();
                let same = |known: &Kind| std::ptr::eq(known, kind);
                return unknown
                    .find(|(known, _)| same(known))
                    .map(|(_, number)| (*number, 1));
            }
            Kind::Negate(inner) => {
                let (one, by) = self.number_of(inner, numbers, depth)?;
                return Some((one.checked_neg()?, by));
            }
            Kind::Binary(Operator::Add, ..) => Arithmetic::Add,
            Kind::Binary(Operator::Subtract, ..) => Arithmetic::Subtract,
            Kind::Binary(Operator::Multiply, ..) => Arithmetic::Multiply,
            Kind::Binary(Operator::Divide, ..) => Arithmetic::Divide,
            Kind::Binary(Operator::Modulo, ..) => Arithmetic::Modulo,
            _ => return None,
        };
        let Kind::Binary(_, left, right) = &expression.kind else {
            return None;
        };
        let left = self.number_of(left, numbers, depth)?;
        let (one, by) = computed(arithmetic, left, self.number_of(right, numbers, depth)?)?;
        match numbers.rounded && arithmetic == Arithmetic::Divide {
            true => Some((one.div_euclid(by), 1)),
            false => Some((one, by)),
        }
    }
}

/// What a condition says, unless it is about letters.
fn said(condition: &Condition) -> Option<&Expression> {
    match condition {
        Condition::Holds(expression) => Some(expression),
        Condition::Word(..) | Condition::Import(..) => None,
    }
}

/// What is divided within a sum; what stands alone on its side is read as it stands.
fn divided_in(side: &Expression) -> Option<&Expression> {
    let mut found = None;
    if let Kind::Binary(Operator::Add | Operator::Subtract, left, right) = &side.kind {
        for part in [left, right] {
            part.visit(&mut |inner| {
                if let Kind::Binary(Operator::Divide, ..) = inner.kind {
                    found = found.or(Some(inner));
                }
            });
        }
    }
    found
}

impl Expression {
    /// Shows all that an expression consists of, itself included.
    fn visit<'e>(&'e self, show: &mut dyn FnMut(&'e Expression)) {
        show(self);
        match &self.kind {
            Kind::Number(_)
            | Kind::Name(_)
            | Kind::Field(..)
            | Kind::Pair(..)
            | Kind::Matches(..) => {}
            Kind::Call(_, all) | Kind::Set(all) => all.iter().for_each(|one| one.visit(show)),
            Kind::Not(inner) | Kind::Negate(inner) | Kind::Temporal(_, inner) => inner.visit(show),
            Kind::Binary(_, left, right) => {
                left.visit(show);
                right.visit(show);
            }
            Kind::If(condition, yes, no) => {
                [condition, yes, no]
                    .into_iter()
                    .for_each(|part| part.visit(show));
            }
            Kind::Quantified { body, .. } | Kind::Count { body, .. } => body.visit(show),
        }
    }
}
