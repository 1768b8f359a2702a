//! Where formulas of CTL hold, state by state.

use quotient_logic::{Binary, Formula, Interval, Kind as Says, Unary};

use super::Searched;
use crate::program::{NodeId, Program};
use crate::syntax::SpecificationKind;

/// A searched model with its fair states.
pub(crate) struct Branching<'a> {
    program: &'a Program,
    pub(super) searched: &'a Searched,
    predecessors: Vec<Vec<usize>>,
    justice: Vec<Just<'a>>,
    /// The states from which a fair path begins.
    pub(crate) fair: Vec<bool>,
    /// States of which it is not known what follows, and whether something that would have to follow
    /// is taken to do so. None where all is known.
    open: Option<(Vec<bool>, bool)>,
}

/// Where a fairness condition is met.
enum Just<'a> {
    /// In these states.
    States(Vec<bool>),
    /// In some steps: from each state to these.
    Steps(&'a [Vec<usize>]),
}

impl<'a> Branching<'a> {
    /// All states must be known. Nothing if a fairness condition is about inputs and the steps
    /// where it is met are not known.
    pub(crate) fn new(program: &'a Program, searched: &'a Searched) -> Option<Branching<'a>> {
        Branching::with_open(program, searched, None)
    }

    /// The same where only some states were looked at: what follows the others is taken to be
    /// whatever helps (`assumed`), or to be nothing. So sets have too many states, or too few. From some states a
    /// fair path is known to begin.
    pub(super) fn of_part(
        program: &'a Program,
        searched: &'a Searched,
        (looked_at, lively): (&[bool], &[bool]),
        assumed: bool,
    ) -> Option<Branching<'a>> {
        let open = (not(looked_at.to_vec()), assumed);
        let mut branching = Branching::with_open(program, searched, Some(open))?;
        let everywhere = vec![true; lively.len()];
        branching.fair = branching.until(&everywhere, &either(&branching.fair, lively));
        Some(branching)
    }

    fn with_open(
        program: &'a Program,
        searched: &'a Searched,
        open: Option<(Vec<bool>, bool)>,
    ) -> Option<Branching<'a>> {
        let mut predecessors = vec![Vec::new(); searched.states.len()];
        for (from, after) in searched.successors.iter().enumerate() {
            for &to in after {
                predecessors[to].push(from);
            }
        }
        let mut branching = Branching {
            program,
            searched,
            predecessors,
            justice: Vec::new(),
            fair: Vec::new(),
            open,
        };
        for (number, &node) in program.justice().iter().enumerate() {
            let just = match program.nodes.mentions_input(node) {
                true => Just::Steps(searched.just.get(number)?.as_ref()?),
                false => Just::States(branching.atom(node)),
            };
            branching.justice.push(just);
        }
        branching.fair = branching.forever(&vec![true; searched.states.len()]);
        Some(branching)
    }

    /// Whether a specification holds in the initial states that count; `None` if this cannot be
    /// told here.
    pub(crate) fn holds(&self, formula: &Formula<NodeId>, kind: SpecificationKind) -> Option<bool> {
        let values = self.values(&in_branching_time(self.program, formula, kind)?)?;
        let mut counted = (0..self.searched.initial).filter(|&state| self.fair[state]);
        Some(counted.all(|state| values[state]))
    }

    pub(super) fn atom(&self, node: NodeId) -> Vec<bool> {
        let states = self.searched.states.iter();
        states
            .map(|state| self.program.is_true(node, state, None))
            .collect()
    }

    /// The states with a successor in the set.
    pub(super) fn before(&self, set: &[bool]) -> Vec<bool> {
        let successors = self.searched.successors.iter();
        let before = successors.map(|after| after.iter().any(|&next| set[next]));
        self.with_assumed(before.collect())
    }

    /// What has to do with successors, for states whose successors are not known.
    fn with_assumed(&self, mut set: Vec<bool>) -> Vec<bool> {
        if let Some((open, assumed)) = &self.open {
            let open = set.iter_mut().zip(open).filter(|(_, open)| **open);
            open.for_each(|(value, _)| *value = *assumed);
        }
        set
    }

    /// The states from which `through` leads to `target`.
    pub(super) fn until(&self, through: &[bool], target: &[bool]) -> Vec<bool> {
        let mut all = target.to_vec();
        if let Some((unknown, true)) = &self.open {
            all = either(&all, &both(unknown, through));
        }
        let mut open: Vec<usize> = (0..all.len()).filter(|&state| all[state]).collect();
        while let Some(state) = open.pop() {
            for &before in &self.predecessors[state] {
                if through[before] && !all[before] {
                    all[before] = true;
                    open.push(before);
                }
            }
        }
        all
    }

    /// The states from which a fair path stays in the set for ever (Emerson and Lei 1986).
    pub(super) fn forever(&self, set: &[bool]) -> Vec<bool> {
        let mut all = set.to_vec();
        loop {
            let mut less = both(&all, &self.before(&all));
            for just in &self.justice {
                let reaches = match just {
                    Just::States(just) => self.before(&self.until(&less, &both(&less, just))),
                    Just::Steps(after) => {
                        let meets = |after: &Vec<usize>| after.iter().any(|&to| less[to]);
                        let meets = self.with_assumed(after.iter().map(meets).collect());
                        self.until(&less, &both(&less, &meets))
                    }
                };
                less = both(&less, &reaches);
            }
            if less == all {
                return all;
            }
            all = less;
        }
    }

    pub(super) fn values(&self, formula: &Formula<NodeId>) -> Option<Vec<bool>> {
        let count = self.searched.states.len();
        Some(match &formula.kind {
            Says::Constant(value) => vec![*value; count],
            Says::Atom(node) => self.atom(*node),
            Says::Unary(Unary::Not, operand) => not(self.values(operand)?),
            Says::Unary(Unary::Exists, path) => self.path(path, true)?,
            Says::Unary(Unary::ForAll, path) => self.path(path, false)?,
            Says::Binary(operator, left, right) => {
                let (a, b) = (self.values(left)?, self.values(right)?);
                let value: fn(bool, bool) -> bool = match operator {
                    Binary::And => |a, b| a && b,
                    Binary::Or => |a, b| a || b,
                    Binary::Xor => |a, b| a != b,
                    Binary::Implies => |a, b| !a || b,
                    Binary::Iff => |a, b| a == b,
                    _ => return None,
                };
                a.iter().zip(&b).map(|(&a, &b)| value(a, b)).collect()
            }
            Says::Unary(..) | Says::Placeholder(_) => return None,
        })
    }

    /// What is said about some path, or about all: then no path does the opposite.
    fn path(&self, path: &Formula<NodeId>, exists: bool) -> Option<Vec<bool>> {
        let everywhere = vec![true; self.searched.states.len()];
        let operand = |formula: &Formula<NodeId>| {
            let values = self.values(formula)?;
            Some(if exists { values } else { not(values) })
        };
        let found = match (&path.kind, exists) {
            (Says::Unary(Unary::Next, a), _) => self.before(&both(&operand(a)?, &self.fair)),
            (Says::Unary(Unary::Finally(None), a), true)
            | (Says::Unary(Unary::Globally(None), a), false) => {
                self.until(&everywhere, &both(&operand(a)?, &self.fair))
            }
            (Says::Unary(Unary::Finally(None) | Unary::Globally(None), a), _) => {
                self.forever(&operand(a)?)
            }
            (Says::Unary(Unary::Finally(Some(steps)), a), true)
            | (Says::Unary(Unary::Globally(Some(steps)), a), false) => {
                let target = both(&operand(a)?, &self.fair);
                self.until_within(&everywhere, &target, *steps)
            }
            (Says::Unary(Unary::Finally(Some(steps)) | Unary::Globally(Some(steps)), a), _) => {
                self.stays_within(&operand(a)?, *steps)
            }
            (Says::Binary(Binary::Until(Some(steps)), a, b), true) => {
                let target = both(&operand(b)?, &self.fair);
                self.until_within(&operand(a)?, &target, *steps)
            }
            (Says::Binary(Binary::Until(Some(steps)), a, b), false) => {
                let always = Formula::binary(Binary::Until(None), (**a).clone(), (**b).clone());
                let always = self.path(&always, false)?;
                let (a, b) = (self.values(a)?, self.values(b)?);
                return Some(self.all_until_within(&a, &b, always, *steps));
            }
            (Says::Binary(Binary::Until(None), a, b), true) => {
                self.until(&operand(a)?, &both(&operand(b)?, &self.fair))
            }
            (Says::Binary(Binary::Until(None), a, b), false) => {
                let (a, b) = (operand(a)?, operand(b)?);
                let neither = both(&both(&a, &b), &self.fair);
                let ends = self.until(&b, &neither);
                let stays = self.forever(&b);
                ends.iter().zip(&stays).map(|(&e, &s)| e || s).collect()
            }
            _ => return None,
        };
        Some(if exists { found } else { not(found) })
    }

    /// Some path comes to the target (where fair paths begin) in one of these steps, and goes
    /// through `through` before.
    pub(super) fn until_within(
        &self,
        through: &[bool],
        target: &[bool],
        steps: Interval,
    ) -> Vec<bool> {
        let onward = |later: &[bool]| both(through, &self.before(later));
        let last = match steps.to {
            None => self.until(through, target),
            Some(to) if to < steps.from => return vec![false; target.len()],
            Some(to) => again(target.to_vec(), to - steps.from, |later| {
                either(target, &onward(later))
            }),
        };
        again(last, steps.from, onward)
    }

    /// Some fair path is in the set in all of these steps.
    pub(super) fn stays_within(&self, set: &[bool], steps: Interval) -> Vec<bool> {
        let last = match steps.to {
            None => self.forever(set),
            Some(to) if to < steps.from => return self.fair.clone(),
            Some(to) => again(both(set, &self.fair), to - steps.from, |later| {
                both(set, &self.before(later))
            }),
        };
        again(last, steps.from, |later| self.before(later))
    }

    /// Every fair path comes to the target in one of these steps, and goes through `through`
    /// before; `always` tells where it does so at any time.
    fn all_until_within(
        &self,
        through: &[bool],
        target: &[bool],
        always: Vec<bool>,
        steps: Interval,
    ) -> Vec<bool> {
        let unfair = not(self.fair.clone());
        let onward = |later: &[bool]| {
            let escapes = both(&not(later.to_vec()), &self.fair);
            either(&unfair, &both(through, &not(self.before(&escapes))))
        };
        let last = match steps.to {
            None => always,
            Some(to) if to < steps.from => return unfair,
            Some(to) => again(either(target, &unfair), to - steps.from, |later| {
                either(target, &onward(later))
            }),
        };
        again(last, steps.from, onward)
    }
}

/// A step backward taken so many times, or until nothing changes any more.
fn again(mut set: Vec<bool>, times: u32, step: impl Fn(&[bool]) -> Vec<bool>) -> Vec<bool> {
    for _ in 0..times {
        let before = step(&set);
        if before == set {
            break;
        }
        set = before;
    }
    set
}

/// A specification as a formula of CTL, if it is one or says the same as one.
pub(crate) fn in_branching_time(
    program: &Program,
    formula: &Formula<NodeId>,
    kind: SpecificationKind,
) -> Option<Formula<NodeId>> {
    match kind {
        SpecificationKind::Ctl => Some(formula.clone()),
        // Strong fairness is not looked at here.
        SpecificationKind::Ltl if program.compassion().is_empty() => on_all_paths(formula),
        SpecificationKind::Ltl | SpecificationKind::Invariant => None,
    }
}

/// The same in CTL, for the formulas of LTL where putting `A` before every temporal operator
/// changes nothing (the deterministic fragment, after Maidl 2000: a choice between two parts is
/// one that the state at hand makes).
fn on_all_paths(formula: &Formula<NodeId>) -> Option<Formula<NodeId>> {
    use crate::shape::is_propositional as plain;
    if plain(formula) {
        return Some(formula.clone());
    }
    let all = |path: Formula<NodeId>| Formula::unary(Unary::ForAll, path);
    Some(match &formula.kind {
        Says::Binary(Binary::And, left, right) => {
            Formula::binary(Binary::And, on_all_paths(left)?, on_all_paths(right)?)
        }
        Says::Binary(Binary::Or, left, right) if plain(left) || plain(right) => {
            Formula::binary(Binary::Or, on_all_paths(left)?, on_all_paths(right)?)
        }
        Says::Binary(Binary::Implies, left, right) if plain(left) => {
            Formula::binary(Binary::Implies, (**left).clone(), on_all_paths(right)?)
        }
        Says::Unary(operator @ (Unary::Next | Unary::Globally(None)), operand) => {
            all(Formula::unary(*operator, on_all_paths(operand)?))
        }
        Says::Unary(Unary::Finally(None), operand) if plain(operand) => all(formula.clone()),
        Says::Binary(Binary::Until(None), left, right) if plain(left) && plain(right) => {
            all(formula.clone())
        }
        _ => return None,
    })
}

pub(super) fn not(set: Vec<bool>) -> Vec<bool> {
    set.into_iter().map(|value| !value).collect()
}

pub(super) fn either(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| a || b).collect()
}

pub(super) fn both(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| a && b).collect()
}
