//! Properties evaluated once more, on the model of the naive builder, for evidence that has parts.
//!
//! Every operator whose number needs a proof takes the next part of the evidence, which is checked
//! as if it stood alone. Numbers with a bound on steps or time are computed again. What stands
//! around them, comparisons, filters, arithmetic and operators inside of each other, is evaluated
//! here with pairs of bounds; a condition is known to hold, known not to, or neither.

mod after;
mod chance;
mod filter;
mod number;
mod quantile;
mod several;
mod total;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection, Source, Span};
use quotient_markov::{StateId, above, below};

pub(crate) use filter::Settled;

use crate::check::{Simple, is_plain, simple_path};
use crate::evidence::where_holds;
use crate::instance::{Instance, Term, Texts};
use crate::naive::{self, Naive};
use crate::parts::Part;
use crate::syntax::{Join, Name, Node, Sort, Tree};

/// Lower and upper bounds of all states.
type Numbers = (Vec<f64>, Vec<f64>);

/// What a formula is worth in each state.
#[derive(Debug, Clone)]
pub(crate) enum Worth {
    /// Where it surely holds, and where it may hold.
    Truth(Bits, Bits),
    /// Not less than the first, not more than the second.
    Number(Vec<f64>, Vec<f64>),
}

/// All that a property is evaluated with.
pub(crate) struct Again<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) instance: &'a Instance,
    /// The text that the property stands in.
    pub(crate) source: &'a Source,
    /// The model without rewards.
    pub(crate) naive: &'a Naive,
    /// The model with rewards, by their number.
    pub(crate) earning: &'a RefCell<BTreeMap<usize, Rc<Naive>>>,
    /// Those parts of the evidence that were not used yet.
    pub(crate) parts: &'a RefCell<VecDeque<Part>>,
    pub(crate) budget: &'a Budget,
}

pub(crate) fn not_for() -> Rejection {
    Rejection::unreadable("such evidence is not for properties of this kind")
}

/// A set of states turned round.
fn not(mut set: Bits) -> Bits {
    set.toggle_range(..);
    set
}

impl Again<'_> {
    fn states(&self) -> usize {
        self.naive.states.len()
    }

    fn all(&self) -> Bits {
        not(Bits::with_capacity(self.states()))
    }

    /// The next part of the evidence.
    fn part(&self) -> Result<Part, Rejection> {
        let part = self.parts.borrow_mut().pop_front();
        part.ok_or_else(|| Rejection::wrong("the evidence has too few parts"))
    }

    /// What a formula is worth in each state.
    pub(crate) fn evaluate(&self, tree: &Tree) -> Result<Worth, Rejection> {
        self.budget.charge(self.states() as u64 / 8 + 1)?;
        if is_plain(tree) {
            let term = self.instance.names.term(tree, self.source, None);
            return self.plain(&term.map_err(|error| Rejection::unreadable(error.to_string()))?);
        }
        match &tree.node {
            Node::Label(name) => self.label(name, tree.span),
            Node::Not(of) => {
                let (surely, maybe) = self.truth(of)?;
                Ok(Worth::Truth(not(maybe), not(surely)))
            }
            Node::Negative(of) => {
                let (low, high) = self.number(of)?;
                let turned = |all: &[f64]| all.iter().map(|one| -one).collect();
                Ok(Worth::Number(turned(&high), turned(&low)))
            }
            Node::Two(join @ (Join::And | Join::Or | Join::Implies | Join::Iff), left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Ok(joined(*join, left, right))
            }
            Node::Two(join, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                number::combined(*join, &left, &right)
            }
            Node::If(condition, one, other) => {
                let condition = self.truth(condition)?;
                let (one, other) = (self.evaluate(one)?, self.evaluate(other)?);
                chosen(condition, one, other)
            }
            Node::Chance(chance) => self.chance(chance, tree.span),
            Node::Quantified(some, path) => self.quantified(*some, path),
            Node::Filter(filter) => Ok(self.filter(filter)?.everywhere(self.states())),
            Node::Call(name, parts) => self.called(*name, parts),
            _ => Err(not_for()),
        }
    }

    /// A function of numbers, each between its ends.
    fn called(&self, name: Name, parts: &[Tree]) -> Result<Worth, Rejection> {
        let numbers = parts.iter().map(|part| self.number(part));
        let numbers = numbers.collect::<Result<Vec<Numbers>, Rejection>>()?;
        number::called(name, &numbers).ok_or_else(not_for)
    }

    fn plain(&self, term: &Term) -> Result<Worth, Rejection> {
        if term.sort() == Sort::Truth {
            let set = where_holds(self.naive, term)?;
            return Ok(Worth::Truth(set.clone(), set));
        }
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for state in &self.naive.states {
            let value = naive::exact(term, state)?;
            lower.push(below(&value));
            upper.push(above(&value));
        }
        Ok(Worth::Number(lower, upper))
    }

    fn label(&self, name: &str, span: Span) -> Result<Worth, Rejection> {
        let of_model = |one: &str| self.instance.labels.iter().any(|(other, ..)| other == one);
        if name == "init" || name == "deadlock" || of_model(name) {
            let label = Tree {
                node: Node::Label(name.to_owned()),
                span,
            };
            let set = crate::evidence::set(self.instance, self.naive, &label, self.source)?;
            return Ok(Worth::Truth(set.clone(), set));
        }
        let other = self.texts.property_before(name, self.source, span);
        let other = other.ok_or_else(|| {
            Rejection::unreadable(format!("\"{name}\" is no label and no property before"))
        })?;
        let inner = Again {
            source: &self.texts.properties_source,
            ..*self
        };
        inner.evaluate(&other.tree)
    }

    fn truth(&self, tree: &Tree) -> Result<(Bits, Bits), Rejection> {
        match self.evaluate(tree)? {
            Worth::Truth(surely, maybe) => Ok((surely, maybe)),
            Worth::Number(..) => Err(Rejection::unreadable("a number stands for a condition")),
        }
    }

    fn number(&self, tree: &Tree) -> Result<Numbers, Rejection> {
        match self.evaluate(tree)? {
            Worth::Number(lower, upper) => Ok((lower, upper)),
            Worth::Truth(..) => Err(Rejection::unreadable("a condition stands for a number")),
        }
    }

    /// The states in which a formula holds, if that is known of all.
    fn set(&self, tree: &Tree) -> Result<Bits, Rejection> {
        let (surely, maybe) = self.truth(tree)?;
        match surely == maybe {
            true => Ok(surely),
            false => Err(Rejection::wrong(
                "the bounds of a part do not settle a condition of the property",
            )),
        }
    }

    /// `E [ … ]` and `A [ … ]`, by looking at the graph.
    fn quantified(&self, some: bool, path: &Tree) -> Result<Worth, Rejection> {
        let (kind, left, right, opposite) = simple_path(path).ok_or_else(not_for)?;
        let left = left.map_or_else(|| Ok(self.all()), |left| self.set(left))?;
        let mut right = self.set(right)?;
        if opposite {
            right = not(right);
        }
        let set = match kind {
            Simple::Next => self.leading_to(some != opposite, &right),
            Simple::Until => self.grown(some != opposite, &left, &right)?,
        };
        let set = if opposite { not(set) } else { set };
        Ok(Worth::Truth(set.clone(), set))
    }

    /// The states of which some branch, or every one, leads into a set.
    fn leading_to(&self, some: bool, set: &Bits) -> Bits {
        let model = &self.naive.model;
        let mut found = Bits::with_capacity(self.states());
        for state in 0..self.states() {
            let mut targets = model
                .branches_from(StateId::from_index(state))
                .map(|branch| model.targets[branch]);
            let leads = match some {
                true => targets.any(|to| set.contains(to.index())),
                false => targets.all(|to| set.contains(to.index())),
            };
            found.set(state, leads);
        }
        found
    }

    /// The states from which some path, or every one, goes through the first to the second.
    fn grown(&self, some: bool, through: &Bits, goal: &Bits) -> Result<Bits, Rejection> {
        let mut found = goal.clone();
        loop {
            self.budget.charge(self.states() as u64)?;
            let mut more = self.leading_to(some, &found);
            more.intersect_with(through);
            more.union_with(&found);
            if more == found {
                return Ok(found);
            }
            found = more;
        }
    }
}

type Truth = (Bits, Bits);

fn joined(join: Join, left: Truth, right: Truth) -> Worth {
    let turned = |(surely, maybe): Truth| (not(maybe), not(surely));
    let both = |one: &Truth, other: &Truth| {
        let (mut surely, mut maybe) = one.clone();
        surely.intersect_with(&other.0);
        maybe.intersect_with(&other.1);
        (surely, maybe)
    };
    let either = |one: Truth, other: Truth| turned(both(&turned(one), &turned(other)));
    let (surely, maybe) = match join {
        Join::And => both(&left, &right),
        Join::Or => either(left, right),
        Join::Implies => either(turned(left), right),
        _ => {
            let none = both(&turned(left.clone()), &turned(right.clone()));
            either(both(&left, &right), none)
        }
    };
    Worth::Truth(surely, maybe)
}

fn chosen((surely, maybe): Truth, one: Worth, other: Worth) -> Result<Worth, Rejection> {
    match (one, other) {
        (Worth::Truth(a, b), Worth::Truth(c, d)) => {
            let pick = |yes: &Bits, no: &Bits, with: &Bits| {
                // Where the condition holds the one, elsewhere the other.
                let (mut then, mut or) = (yes.clone(), no.clone());
                then.intersect_with(with);
                or.difference_with(with);
                then.union_with(&or);
                then
            };
            let (mut least, mut most) = (pick(&a, &c, &surely), pick(&b, &d, &surely));
            least.intersect_with(&pick(&a, &c, &maybe));
            most.union_with(&pick(&b, &d, &maybe));
            Ok(Worth::Truth(least, most))
        }
        (Worth::Number(a, b), Worth::Number(c, d)) => {
            let (mut lower, mut upper) = (Vec::new(), Vec::new());
            for state in 0..a.len() {
                let (low, high) = match (surely.contains(state), maybe.contains(state)) {
                    (true, _) => (a[state], b[state]),
                    (_, false) => (c[state], d[state]),
                    _ => (a[state].min(c[state]), b[state].max(d[state])),
                };
                lower.push(low);
                upper.push(high);
            }
            Ok(Worth::Number(lower, upper))
        }
        _ => Err(Rejection::unreadable("a number and a condition are mixed")),
    }
}
