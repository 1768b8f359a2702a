//! Formulas about runs, evaluated on sets of markings.

use quotient_core::{Stop, Verdict};
use quotient_explicit::Set;
use quotient_logic::{Binary, Formula as Time, Kind, Unary};

use crate::again;
use crate::diagram::Markings;
use crate::diagram_linear;
use crate::formula::Temporal;

/// The verdict about a formula, if it is one of branching time, or of linear time with an automaton
/// that is not too large. A formula of linear time is true if it is true with "on all runs" before
/// each of its operators; where that says nothing, the automaton decides.
pub(crate) fn over_time(
    markings: &mut Markings<'_>,
    one: &Temporal,
) -> Result<Option<Verdict>, Stop> {
    if let Some(condition) = again::condition(one) {
        let where_ = markings.place_of(condition)?;
        if where_.is_empty() {
            return Ok(Some(Verdict::Violated));
        }
        if markings.home()? == markings.all {
            return Ok(Some(Verdict::Holds));
        }
    }
    let stuck = markings.stuck()?;
    let mut atoms = Vec::with_capacity(one.atoms.len());
    for atom in &one.atoms {
        atoms.push(markings.place_of(atom)?);
    }
    let mut evaluation = Evaluation {
        markings,
        atoms,
        stuck,
        stays: one.linear,
    };
    let first = evaluation.markings.first.clone();
    if !one.linear {
        let Some(set) = evaluation.branching(&one.formula)? else {
            return Ok(None);
        };
        return Ok(Some(match evaluation.markings.sets.contains(set, &first) {
            true => Verdict::Holds,
            false => Verdict::Violated,
        }));
    }
    let formula = one.formula.negation_normal_form();
    if let Some(set) = evaluation.linear(&formula)? {
        let surely = evaluation.markings.sets.contains(set, &first);
        match (surely, is_same(&formula)) {
            (true, _) => return Ok(Some(Verdict::Holds)),
            (false, true) => return Ok(Some(Verdict::Violated)),
            (false, false) => {}
        }
    }
    let Evaluation { atoms, .. } = evaluation;
    let holds = diagram_linear::holds(markings, one, &atoms, stuck)?;
    Ok(holds.map(|holds| match holds {
        true => Verdict::Holds,
        false => Verdict::Violated,
    }))
}

/// Whether the stronger formula says the same: a marking where it fails begins a run that breaks
/// the weaker one. (Where an operand may fail later, no other one may save the run by then.)
fn is_same(formula: &Time<u32>) -> bool {
    match &formula.kind {
        _ if is_condition(formula) => true,
        Kind::Unary(Unary::Next | Unary::Globally(None), inner) => is_same(inner),
        Kind::Unary(Unary::Finally(None), inner) => is_condition(inner),
        Kind::Binary(operator, left, right) => match operator {
            Binary::And => is_same(left) && is_same(right),
            Binary::Or => {
                is_condition(left) && is_same(right) || is_same(left) && is_condition(right)
            }
            Binary::Until(None) | Binary::WeakUntil => is_same(left) && is_condition(right),
            Binary::Release => is_condition(left) && is_same(right),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a formula is about the marking now.
fn is_condition(formula: &Time<u32>) -> bool {
    match &formula.kind {
        Kind::Constant(_) | Kind::Atom(_) => true,
        Kind::Unary(Unary::Not, inner) => is_condition(inner),
        Kind::Binary(Binary::And | Binary::Or, left, right) => {
            is_condition(left) && is_condition(right)
        }
        _ => false,
    }
}

struct Evaluation<'m, 'a> {
    markings: &'m mut Markings<'a>,
    atoms: Vec<Set>,
    stuck: Set,
    /// Whether a run that is stuck stays for ever where it is, or ends.
    stays: bool,
}

/// A set, or nothing where the formula is not of the kind wanted.
type Found = Result<Option<Set>, Stop>;

impl Evaluation<'_, '_> {
    fn not(&mut self, set: Set) -> Result<Set, Stop> {
        let all = self.markings.all;
        self.markings.sets.difference(all, set)
    }

    fn both(&mut self, one: Set, other: Set) -> Result<Set, Stop> {
        self.markings.sets.intersection(one, other)
    }

    fn either(&mut self, one: Set, other: Set) -> Result<Set, Stop> {
        self.markings.sets.union(one, other)
    }

    fn state(&mut self, formula: &Time<u32>) -> Found {
        Ok(match &formula.kind {
            Kind::Constant(true) => Some(self.markings.all),
            Kind::Constant(false) => Some(Set::EMPTY),
            Kind::Atom(atom) => self.atoms.get(*atom as usize).copied(),
            _ => None,
        })
    }

    fn branching(&mut self, formula: &Time<u32>) -> Found {
        match &formula.kind {
            Kind::Unary(Unary::Not, inner) => match self.branching(inner)? {
                Some(inner) => self.not(inner).map(Some),
                None => Ok(None),
            },
            Kind::Unary(quantifier @ (Unary::ForAll | Unary::Exists), path) => {
                let all = *quantifier == Unary::ForAll;
                match &path.kind {
                    Kind::Unary(operator, inner) => match self.branching(inner)? {
                        Some(inner) => self.unary(*operator, all, inner),
                        None => Ok(None),
                    },
                    Kind::Binary(operator, left, right) => {
                        let left = self.branching(left)?;
                        match left.zip(self.branching(right)?) {
                            Some((left, right)) => self.binary(*operator, all, left, right),
                            None => Ok(None),
                        }
                    }
                    _ => Ok(None),
                }
            }
            Kind::Binary(operator, left, right) => {
                let left = self.branching(left)?;
                match (operator, left.zip(self.branching(right)?)) {
                    (Binary::And, Some((left, right))) => self.both(left, right).map(Some),
                    (Binary::Or, Some((left, right))) => self.either(left, right).map(Some),
                    (Binary::Implies, Some((left, right))) => {
                        let not = self.not(left)?;
                        self.either(not, right).map(Some)
                    }
                    _ => Ok(None),
                }
            }
            _ => self.state(formula),
        }
    }

    /// A formula of linear time without negations before operators, with "on all runs" before
    /// each operator.
    fn linear(&mut self, formula: &Time<u32>) -> Found {
        match &formula.kind {
            Kind::Unary(Unary::Not, inner) => match self.state(inner)? {
                Some(inner) => self.not(inner).map(Some),
                None => Ok(None),
            },
            Kind::Unary(operator, inner) => match self.linear(inner)? {
                Some(inner) => self.unary(*operator, true, inner),
                None => Ok(None),
            },
            Kind::Binary(operator, left, right) => {
                let left = self.linear(left)?;
                match (operator, left.zip(self.linear(right)?)) {
                    (Binary::And, Some((left, right))) => self.both(left, right).map(Some),
                    (Binary::Or, Some((left, right))) => self.either(left, right).map(Some),
                    (_, Some((left, right))) => self.binary(*operator, true, left, right),
                    _ => Ok(None),
                }
            }
            _ => self.state(formula),
        }
    }

    fn unary(&mut self, operator: Unary, all: bool, inner: Set) -> Found {
        let everything = self.markings.all;
        match (operator, all) {
            (Unary::Next, false) => self.next(inner).map(Some),
            (Unary::Next, true) => {
                let not = self.not(inner)?;
                let some = self.next(not)?;
                self.not(some).map(Some)
            }
            (Unary::Finally(None), false) => self.until(everything, inner).map(Some),
            (Unary::Globally(None), false) => self.always(inner).map(Some),
            (Unary::Finally(None), true) => {
                let not = self.not(inner)?;
                let never = self.always(not)?;
                self.not(never).map(Some)
            }
            (Unary::Globally(None), true) => {
                let not = self.not(inner)?;
                let broken = self.until(everything, not)?;
                self.not(broken).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn binary(&mut self, operator: Binary, all: bool, left: Set, right: Set) -> Found {
        match (operator, all) {
            (Binary::Until(None), false) => self.until(left, right).map(Some),
            (Binary::Until(None), true) => {
                let (not_left, not_right) = (self.not(left)?, self.not(right)?);
                let neither = self.both(not_left, not_right)?;
                let broken = self.until(not_right, neither)?;
                let never = self.always(not_right)?;
                let fails = self.either(broken, never)?;
                self.not(fails).map(Some)
            }
            // Broken if what must stay true ends before it is released.
            (Binary::Release, true) => {
                let (not_left, not_right) = (self.not(left)?, self.not(right)?);
                let broken = self.until(not_left, not_right)?;
                self.not(broken).map(Some)
            }
            (Binary::WeakUntil, true) => {
                let (not_left, not_right) = (self.not(left)?, self.not(right)?);
                let neither = self.both(not_left, not_right)?;
                let broken = self.until(not_right, neither)?;
                self.not(broken).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The markings with a successor in a set.
    fn next(&mut self, set: Set) -> Result<Set, Stop> {
        let mut found = match self.stays {
            true => self.both(self.stuck, set)?,
            false => Set::EMPTY,
        };
        let all = self.markings.all;
        for one in 0..self.markings.checker.net.transitions.len() {
            let before = self.markings.sets.before(one, set, all)?;
            found = self.either(found, before)?;
        }
        Ok(found)
    }

    /// The markings from which some run stays in one set until it gets to the other.
    fn until(&mut self, left: Set, right: Set) -> Result<Set, Stop> {
        self.markings.budget().poll()?;
        self.markings.sets.leading(right, left)
    }

    /// The markings from which some run stays in a set.
    fn always(&mut self, inner: Set) -> Result<Set, Stop> {
        let ended = self.both(self.stuck, inner)?;
        let mut set = inner;
        loop {
            self.markings.budget().poll()?;
            let mut staying = ended;
            for one in 0..self.markings.checker.net.transitions.len() {
                let sources = self.markings.sets.before(one, set, set)?;
                staying = self.either(staying, sources)?;
            }
            if staying == set {
                return Ok(set);
            }
            set = staying;
        }
    }
}
