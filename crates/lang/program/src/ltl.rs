//! Linear temporal logic over atoms of programs, its meaning on a lasso, and automata.

use crate::program::Atom;

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Ltl {
    Constant(bool),
    Atom(Atom),
    Not(Box<Ltl>),
    And(Box<Ltl>, Box<Ltl>),
    Or(Box<Ltl>, Box<Ltl>),
    Next(Box<Ltl>),
    Until(Box<Ltl>, Box<Ltl>),
    Release(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    /// Some time.
    pub(crate) fn finally(self) -> Ltl {
        Ltl::Until(Box::new(Ltl::Constant(true)), Box::new(self))
    }

    /// Always.
    pub(crate) fn globally(self) -> Ltl {
        Ltl::Release(Box::new(Ltl::Constant(false)), Box::new(self))
    }

    /// The same with negations only before atoms; of the negation if `negate`.
    pub(crate) fn normal(&self, negate: bool) -> Ltl {
        let pair =
            |one: &Ltl, other: &Ltl| (Box::new(one.normal(negate)), Box::new(other.normal(negate)));
        match self {
            Ltl::Constant(value) => Ltl::Constant(*value != negate),
            Ltl::Atom(_) if negate => Ltl::Not(Box::new(self.clone())),
            Ltl::Atom(_) => self.clone(),
            Ltl::Not(inner) => inner.normal(!negate),
            Ltl::And(one, other) | Ltl::Or(one, other) => {
                let (one, other) = pair(one, other);
                match matches!(self, Ltl::And(..)) != negate {
                    true => Ltl::And(one, other),
                    false => Ltl::Or(one, other),
                }
            }
            Ltl::Next(inner) => Ltl::Next(Box::new(inner.normal(negate))),
            Ltl::Until(one, other) | Ltl::Release(one, other) => {
                let (one, other) = pair(one, other);
                match matches!(self, Ltl::Until(..)) != negate {
                    true => Ltl::Until(one, other),
                    false => Ltl::Release(one, other),
                }
            }
        }
    }

    /// Whether it is about one state.
    pub(crate) fn is_state(&self) -> bool {
        match self {
            Ltl::Constant(_) | Ltl::Atom(_) => true,
            Ltl::Not(inner) => inner.is_state(),
            Ltl::And(one, other) | Ltl::Or(one, other) => one.is_state() && other.is_state(),
            _ => false,
        }
    }

    /// Of `G f` with `f` about one state, that.
    pub(crate) fn invariant(&self) -> Option<&Ltl> {
        match self {
            Ltl::Release(never, inner) if **never == Ltl::Constant(false) && inner.is_state() => {
                Some(inner)
            }
            _ => None,
        }
    }

    /// Of `G F f` with `f` about one state, that.
    pub(crate) fn recurrent(&self) -> Option<&Ltl> {
        match self {
            Ltl::Release(never, inner) if **never == Ltl::Constant(false) => match &**inner {
                Ltl::Until(ever, inner) if **ever == Ltl::Constant(true) && inner.is_state() => {
                    Some(inner)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether steps that change nothing it speaks of could matter.
    pub(crate) fn has_next(&self) -> bool {
        match self {
            Ltl::Next(_) => true,
            Ltl::Constant(_) | Ltl::Atom(_) => false,
            Ltl::Not(inner) => inner.has_next(),
            Ltl::And(a, b) | Ltl::Or(a, b) | Ltl::Until(a, b) | Ltl::Release(a, b) => {
                a.has_next() || b.has_next()
            }
        }
    }

    /// Its atoms.
    pub(crate) fn atoms(&self) -> Vec<Atom> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<Atom>) {
        match self {
            Ltl::Atom(atom) if !found.contains(atom) => found.push(atom.clone()),
            Ltl::Constant(_) | Ltl::Atom(_) => {}
            Ltl::Not(inner) | Ltl::Next(inner) => inner.collect(found),
            Ltl::And(a, b) | Ltl::Or(a, b) | Ltl::Until(a, b) | Ltl::Release(a, b) => {
                a.collect(found);
                b.collect(found);
            }
        }
    }

    /// Whether a run satisfies it: `steps` states, after the last of which comes `back` again.
    pub(crate) fn on_lasso(
        &self,
        steps: usize,
        back: usize,
        holds: &dyn Fn(&Atom, usize) -> bool,
    ) -> Vec<bool> {
        let next = |at: usize| if at + 1 < steps { at + 1 } else { back };
        match self {
            Ltl::Constant(value) => vec![*value; steps],
            Ltl::Atom(atom) => (0..steps).map(|at| holds(atom, at)).collect(),
            Ltl::Not(inner) => inner
                .on_lasso(steps, back, holds)
                .into_iter()
                .map(|value| !value)
                .collect(),
            Ltl::Next(inner) => {
                let inner = inner.on_lasso(steps, back, holds);
                (0..steps).map(|at| inner[next(at)]).collect()
            }
            Ltl::And(a, b) | Ltl::Or(a, b) => {
                let (a, b) = (
                    a.on_lasso(steps, back, holds),
                    b.on_lasso(steps, back, holds),
                );
                let both = matches!(self, Ltl::And(..));
                a.iter()
                    .zip(&b)
                    .map(|(a, b)| if both { *a && *b } else { *a || *b })
                    .collect()
            }
            Ltl::Until(a, b) | Ltl::Release(a, b) => {
                let (a, b) = (
                    a.on_lasso(steps, back, holds),
                    b.on_lasso(steps, back, holds),
                );
                let until = matches!(self, Ltl::Until(..));
                // The least solution of an until, the greatest of a release, in twice the steps.
                let mut value = vec![!until; steps];
                for _ in 0..2 {
                    for at in (0..steps).rev() {
                        let later = value[next(at)];
                        value[at] = if until {
                            b[at] || (a[at] && later)
                        } else {
                            b[at] && (a[at] || later)
                        };
                    }
                }
                value
            }
        }
    }
}

/// A generalised Büchi automaton whose promises are kept on transitions.
#[derive(Debug, Clone)]
pub(crate) struct Automaton {
    /// The atoms that its literals are about.
    pub(crate) atoms: Vec<Atom>,
    /// The transitions of each state; the first state is the initial one.
    pub(crate) transitions: Vec<Vec<Transition>>,
    /// How many promises must be kept again and again.
    pub(crate) promises: usize,
}

/// A transition of an automaton.
#[derive(Debug, Clone)]
pub(crate) struct Transition {
    /// Atoms by number, and whether they must be true or false.
    pub(crate) literals: Vec<(usize, bool)>,
    pub(crate) to: usize,
    /// The promises that are not put off here.
    pub(crate) kept: Vec<bool>,
}

/// The most states of an automaton.
const MOST_STATES: usize = 2000;

/// The automaton of a formula in normal form, unless it is too large: states are sets of what is
/// still owed.
pub(crate) fn automaton(formula: &Ltl) -> Option<Automaton> {
    let atoms = formula.atoms();
    let mut untils = Vec::new();
    collect_untils(formula, &mut untils);
    let mut states: Vec<Vec<Ltl>> = vec![vec![formula.clone()]];
    let mut transitions: Vec<Vec<Transition>> = Vec::new();
    while transitions.len() < states.len() {
        let owed = states[transitions.len()].clone();
        let mut found: Vec<Cover> = Vec::new();
        cover(owed, Cover::default(), &mut found);
        let mut rows: Vec<Transition> = Vec::new();
        for mut one in found {
            one.next.sort();
            one.next.dedup();
            one.literals.sort();
            one.literals.dedup();
            let to = states
                .iter()
                .position(|state| *state == one.next)
                .unwrap_or_else(|| {
                    states.push(one.next.clone());
                    states.len() - 1
                });
            let number = |atom: &Atom| {
                atoms
                    .iter()
                    .position(|other| other == atom)
                    .unwrap_or_default()
            };
            let literals = one
                .literals
                .iter()
                .map(|(atom, value)| (number(atom), *value))
                .collect();
            let kept = untils
                .iter()
                .map(|until| !one.put_off.contains(until))
                .collect();
            rows.push(Transition { literals, to, kept });
        }
        transitions.push(rows);
        if states.len() > MOST_STATES {
            return None;
        }
    }
    Some(Automaton {
        atoms,
        transitions,
        promises: untils.len(),
    })
}

fn collect_untils(formula: &Ltl, found: &mut Vec<Ltl>) {
    match formula {
        Ltl::Until(a, b) | Ltl::Release(a, b) | Ltl::And(a, b) | Ltl::Or(a, b) => {
            if matches!(formula, Ltl::Until(..)) && !found.contains(formula) {
                found.push(formula.clone());
            }
            collect_untils(a, found);
            collect_untils(b, found);
        }
        Ltl::Not(inner) | Ltl::Next(inner) => collect_untils(inner, found),
        _ => {}
    }
}

/// One way to pay what is owed now.
#[derive(Debug, Clone, Default)]
struct Cover {
    literals: Vec<(Atom, bool)>,
    next: Vec<Ltl>,
    put_off: Vec<Ltl>,
}

fn cover(mut owed: Vec<Ltl>, mut so_far: Cover, found: &mut Vec<Cover>) {
    while let Some(formula) = owed.pop() {
        match formula {
            Ltl::Constant(true) => {}
            Ltl::Constant(false) => return,
            Ltl::Atom(atom) => {
                if so_far.literals.contains(&(atom.clone(), false)) {
                    return;
                }
                so_far.literals.push((atom, true));
            }
            Ltl::Not(inner) => {
                if let Ltl::Atom(atom) = *inner {
                    if so_far.literals.contains(&(atom.clone(), true)) {
                        return;
                    }
                    so_far.literals.push((atom, false));
                }
            }
            Ltl::And(a, b) => owed.extend([*a, *b]),
            Ltl::Next(inner) => so_far.next.push(*inner),
            Ltl::Or(a, b) => {
                let mut other = owed.clone();
                other.push(*b);
                cover(other, so_far.clone(), found);
                owed.push(*a);
            }
            Ltl::Until(ref a, ref b) => {
                let mut now = owed.clone();
                now.push((**b).clone());
                cover(now, so_far.clone(), found);
                owed.push((**a).clone());
                so_far.next.push(formula.clone());
                so_far.put_off.push(formula);
            }
            Ltl::Release(ref a, ref b) => {
                let mut now = owed.clone();
                now.extend([(**a).clone(), (**b).clone()]);
                cover(now, so_far.clone(), found);
                owed.push((**b).clone());
                so_far.next.push(formula.clone());
            }
        }
    }
    found.push(so_far);
}
