//! Going through expressions.

use super::{Bound, Expr, Value, Who};

impl Expr {
    /// Looks at the expression and at all its parts.
    pub(crate) fn walk(&self, look: &mut impl FnMut(&Expr)) {
        look(self);
        match self {
            Expr::Not(inner) => inner.walk(look),
            Expr::And(all) | Expr::Or(all) => all.iter().for_each(|part| part.walk(look)),
            Expr::Compare(_, left, right)
            | Expr::Arithmetic(_, left, right)
            | Expr::Sums(_, left, right) => {
                left.walk(look);
                right.walk(look);
            }
            Expr::If(condition, yes, no) => {
                [condition, yes, no]
                    .into_iter()
                    .for_each(|part| part.walk(look));
            }
            Expr::Quantified { body, .. }
            | Expr::Count { body, .. }
            | Expr::HowMany { body, .. } => body.walk(look),
            Expr::Threshold {
                body, threshold, ..
            } => {
                body.walk(look);
                threshold.walk(look);
            }
            Expr::Constant(_)
            | Expr::Global(_)
            | Expr::Field(..)
            | Expr::Pair(..)
            | Expr::Choice(_)
            | Expr::Size
            | Expr::Same(..)
            | Expr::Before(..)
            | Expr::Next(..)
            | Expr::First(_)
            | Expr::Last(_)
            | Expr::Nobody(_)
            | Expr::Empty(_)
            | Expr::Matches(..) => {}
        }
    }

    /// Whether some part of the expression is one that is looked for.
    pub(crate) fn mentions(&self, wanted: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |part| found |= wanted(part));
        found
    }

    /// Whether it speaks of all or some processes.
    pub(crate) fn has_quantifier(&self) -> bool {
        self.mentions(&|part| {
            matches!(
                part,
                Expr::Quantified { .. }
                    | Expr::Count { .. }
                    | Expr::Threshold { .. }
                    | Expr::HowMany { .. }
            )
        })
    }

    /// Whether it uses a value that the step chooses.
    pub(crate) fn has_choice(&self) -> bool {
        self.mentions(&|part| matches!(part, Expr::Choice(_)))
    }

    /// The processes that an expression without quantifiers speaks of.
    pub(crate) fn people(&self) -> impl Iterator<Item = Who> {
        let mut people = Vec::new();
        self.walk(&mut |part| match part {
            Expr::Field(who, _) | Expr::First(who) | Expr::Last(who) => people.push(*who),
            Expr::Same(left, right)
            | Expr::Before(left, right)
            | Expr::Next(left, right)
            | Expr::Pair(left, right, _) => {
                people.extend([*left, *right]);
            }
            _ => {}
        });
        people.into_iter()
    }

    /// The same expression one or more quantifiers deeper: processes from number `from` on get
    /// numbers that are higher by `by`.
    pub(crate) fn shifted(&self, from: Who, by: usize) -> Expr {
        self.renumbered(&|who| if who >= from { who + by } else { who })
    }

    /// The same expression with other numbers for the processes.
    pub(crate) fn renumbered(&self, who: &dyn Fn(Who) -> Who) -> Expr {
        self.rewritten(who, &Expr::Choice)
    }

    /// The same expression with the values that the step chose.
    pub(crate) fn with_choices(&self, values: &[Value]) -> Expr {
        self.rewritten(&|who| who, &|choice| Expr::Constant(values[choice]))
    }

    /// The same expression with other leaves: variables, and that nobody carries a mark.
    pub(crate) fn with_leaves(&self, leaf: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        let boxed = |expr: &Expr| Box::new(expr.with_leaves(leaf));
        let each = |all: &[Expr]| all.iter().map(|expr| expr.with_leaves(leaf)).collect();
        if let Some(other) = leaf(self) {
            return other;
        }
        let mut same = self.clone();
        match &mut same {
            Expr::Not(inner) => *inner = boxed(inner),
            Expr::And(all) | Expr::Or(all) => *all = each(all),
            Expr::Compare(_, left, right)
            | Expr::Arithmetic(_, left, right)
            | Expr::Sums(_, left, right) => (*left, *right) = (boxed(left), boxed(right)),
            Expr::If(condition, yes, no) => {
                (*condition, *yes, *no) = (boxed(condition), boxed(yes), boxed(no));
            }
            Expr::Quantified { body, .. }
            | Expr::Count { body, .. }
            | Expr::HowMany { body, .. } => *body = boxed(body),
            Expr::Threshold {
                body, threshold, ..
            } => (*body, *threshold) = (boxed(body), boxed(threshold)),
            _ => {}
        }
        same
    }

    fn rewritten(&self, who: &dyn Fn(Who) -> Who, choice: &dyn Fn(usize) -> Expr) -> Expr {
        let boxed = |expr: &Expr| Box::new(expr.rewritten(who, choice));
        let each = |all: &[Expr]| all.iter().map(|expr| expr.rewritten(who, choice)).collect();
        match self {
            Expr::Choice(number) => choice(*number),
            Expr::Field(owner, field) => Expr::Field(who(*owner), *field),
            Expr::Pair(owner, other, pair) => Expr::Pair(who(*owner), who(*other), *pair),
            Expr::Threshold {
                bound,
                body,
                comparison,
                threshold,
            } => Expr::Threshold {
                bound: bound.renumbered(who),
                body: boxed(body),
                comparison: *comparison,
                threshold: threshold.clone(),
            },
            Expr::Not(inner) => Expr::Not(boxed(inner)),
            Expr::And(all) => Expr::And(each(all)),
            Expr::Or(all) => Expr::Or(each(all)),
            Expr::Compare(comparison, left, right) => {
                Expr::Compare(*comparison, boxed(left), boxed(right))
            }
            Expr::Arithmetic(arithmetic, left, right) => {
                Expr::Arithmetic(*arithmetic, boxed(left), boxed(right))
            }
            Expr::If(condition, yes, no) => Expr::If(boxed(condition), boxed(yes), boxed(no)),
            Expr::Same(left, right) => Expr::Same(who(*left), who(*right)),
            Expr::Before(left, right) => Expr::Before(who(*left), who(*right)),
            Expr::Next(left, right) => Expr::Next(who(*left), who(*right)),
            Expr::First(one) => Expr::First(who(*one)),
            Expr::Last(one) => Expr::Last(who(*one)),
            Expr::Quantified {
                exists,
                bound,
                body,
            } => Expr::Quantified {
                exists: *exists,
                bound: bound.renumbered(who),
                body: boxed(body),
            },
            Expr::Count {
                bound,
                body,
                comparison,
                number,
            } => Expr::Count {
                bound: bound.renumbered(who),
                body: boxed(body),
                comparison: *comparison,
                number: *number,
            },
            Expr::HowMany { bound, body } => Expr::HowMany {
                bound: bound.renumbered(who),
                body: boxed(body),
            },
            Expr::Sums(comparison, left, right) => {
                Expr::Sums(*comparison, boxed(left), boxed(right))
            }
            Expr::Constant(_)
            | Expr::Global(_)
            | Expr::Size
            | Expr::Nobody(_)
            | Expr::Empty(_)
            | Expr::Matches(..) => self.clone(),
        }
    }
}

impl Bound {
    pub(crate) fn renumbered(&self, who: &dyn Fn(Who) -> Who) -> Bound {
        Bound {
            different_from: self.different_from.iter().copied().map(who).collect(),
            left_of: self.left_of.map(who),
            right_of: self.right_of.map(who),
        }
    }
}
