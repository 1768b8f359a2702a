//! Formulas of linear time as automata.
//!
//! Couvreur's construction (FM 1999): a state is a set of formulas that the rest of the run must
//! fulfil. A transition says what must be true now, what is left for later, and which `until`s
//! were put off; a run is accepted if none is put off for ever. Formulas are simplified first
//! (Etessami and Holzmann, CONCUR 2000: what is eventual or universal by itself needs no `F` or
//! `G` before it), transitions that others subsume are dropped, and states with the same
//! transitions are one.

use std::collections::HashMap;

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};

/// The most states and transitions of an automaton.
const MOST_STATES: usize = 20_000;
const MOST_TRANSITIONS: usize = 200_000;

/// An automaton over infinite words of sets of atoms.
#[derive(Debug, Clone, Default)]
pub struct Automaton {
    /// The transitions of each state; the first state is where it begins.
    pub states: Vec<Vec<Transition>>,
    /// All marks: a run is accepted if it has each of them infinitely often.
    pub marks: u64,
}

/// A transition of an automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transition {
    /// Atoms that must be true, as bits.
    pub yes: u64,
    /// Atoms that must be false.
    pub no: u64,
    /// The state that it leads to.
    pub next: u32,
    /// The marks that it has.
    pub marks: u64,
}

impl Transition {
    /// Whether these values of atoms let it through.
    pub fn allows(&self, values: u64) -> bool {
        values & self.yes == self.yes && values & self.no == 0
    }
}

type Id = u32;

const TRUE: Id = 0;
const FALSE: Id = 1;

/// A formula with its operands by number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Node {
    Constant(bool),
    Literal(u32, bool),
    /// Sorted, each once.
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// What must be true now, what is left for later (sorted), and which untils are put off.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Way {
    yes: u64,
    no: u64,
    later: Vec<Id>,
    put_off: u64,
}

impl Way {
    fn none() -> Way {
        Way {
            yes: 0,
            no: 0,
            later: Vec::new(),
            put_off: 0,
        }
    }

    fn later(id: Id, put_off: u64) -> Way {
        Way {
            later: match id {
                TRUE => Vec::new(),
                _ => vec![id],
            },
            put_off,
            ..Way::none()
        }
    }

    /// Both, if they do not contradict each other.
    fn and(&self, other: &Way) -> Option<Way> {
        let (yes, no) = (self.yes | other.yes, self.no | other.no);
        if yes & no != 0 {
            return None;
        }
        let mut later = [&self.later[..], &other.later[..]].concat();
        later.sort_unstable();
        later.dedup();
        Some(Way {
            yes,
            no,
            later,
            put_off: self.put_off | other.put_off,
        })
    }

    /// Whether it asks for no more than another, which can be left out beside it.
    fn subsumes(&self, other: &Way) -> bool {
        self.yes & !other.yes == 0
            && self.no & !other.no == 0
            && self.put_off & !other.put_off == 0
            && self.later.len() <= other.later.len()
            && self
                .later
                .iter()
                .all(|id| other.later.binary_search(id).is_ok())
    }
}

/// The automaton of the runs that fulfil a formula of linear time over atoms below 64.
pub fn automaton(formula: &Formula<u32>, budget: &Budget) -> Result<Automaton, Stop> {
    let mut builder = Builder::default();
    builder.intern(Node::Constant(true), true, true);
    builder.intern(Node::Constant(false), true, true);
    let formula = formula.simplified().negation_normal_form();
    let root = builder.read(&formula)?;
    builder.build(root, budget)
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Id>,
    /// Whether a formula holds as soon as it holds later, and stays true once it is.
    eventual: Vec<bool>,
    universal: Vec<bool>,
    untils: Vec<Id>,
    ways: HashMap<Id, Vec<Way>>,
}

impl Builder {
    fn intern(&mut self, node: Node, eventual: bool, universal: bool) -> Id {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = self.nodes.len() as Id;
        self.numbers.insert(node.clone(), id);
        self.nodes.push(node);
        self.eventual.push(eventual);
        self.universal.push(universal);
        id
    }

    fn of(&self, id: Id) -> (bool, bool) {
        (self.eventual[id as usize], self.universal[id as usize])
    }

    fn read(&mut self, formula: &Formula<u32>) -> Result<Id, Stop> {
        let unfit = || Err(Stop::exhausted("the formula is not one of linear time"));
        Ok(match &formula.kind {
            Kind::Constant(true) => TRUE,
            Kind::Constant(false) => FALSE,
            Kind::Atom(atom) if *atom < 64 => self.intern(Node::Literal(*atom, true), false, false),
            Kind::Atom(_) => return Err(Stop::bound("the number of atoms", 64)),
            Kind::Unary(Unary::Not, inner) => match inner.kind {
                Kind::Atom(atom) if atom < 64 => {
                    self.intern(Node::Literal(atom, false), false, false)
                }
                _ => return unfit(),
            },
            Kind::Unary(operator, inner) => {
                let inner = self.read(inner)?;
                match operator {
                    Unary::Next => self.next(inner),
                    Unary::Finally(None) => self.until(TRUE, inner),
                    Unary::Globally(None) => self.release(FALSE, inner),
                    _ => return unfit(),
                }
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.read(left)?, self.read(right)?);
                match operator {
                    Binary::And => self.and(vec![left, right]),
                    Binary::Or => self.or(vec![left, right]),
                    Binary::Until(None) => self.until(left, right),
                    Binary::Release => self.release(left, right),
                    Binary::WeakUntil => {
                        let either = self.or(vec![left, right]);
                        self.release(right, either)
                    }
                    _ => return unfit(),
                }
            }
            Kind::Placeholder(_) => return unfit(),
        })
    }

    fn and(&mut self, parts: Vec<Id>) -> Id {
        self.many(parts, true)
    }

    fn or(&mut self, parts: Vec<Id>) -> Id {
        self.many(parts, false)
    }

    /// A conjunction or a disjunction: flat, without repetitions and contradictions.
    fn many(&mut self, parts: Vec<Id>, all: bool) -> Id {
        let (unit, zero) = match all {
            true => (TRUE, FALSE),
            false => (FALSE, TRUE),
        };
        let mut flat = Vec::new();
        for part in parts {
            match (&self.nodes[part as usize], all) {
                (Node::And(inner), true) | (Node::Or(inner), false) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.retain(|&id| id != unit);
        flat.sort_unstable();
        flat.dedup();
        let opposite = |builder: &Builder, id: Id| match builder.nodes[id as usize] {
            Node::Literal(atom, value) => {
                builder.numbers.get(&Node::Literal(atom, !value)).copied()
            }
            _ => None,
        };
        let contradicts = |id: &Id| {
            let other = opposite(self, *id);
            other.is_some_and(|other| flat.binary_search(&other).is_ok())
        };
        if flat.contains(&zero) || flat.iter().any(contradicts) {
            return zero;
        }
        let eventual = flat.iter().all(|&id| self.of(id).0);
        let universal = flat.iter().all(|&id| self.of(id).1);
        match flat[..] {
            [] => unit,
            [one] => one,
            _ => self.intern(
                match all {
                    true => Node::And(flat),
                    false => Node::Or(flat),
                },
                eventual,
                universal,
            ),
        }
    }

    fn next(&mut self, inner: Id) -> Id {
        let (eventual, universal) = self.of(inner);
        if eventual && universal {
            return inner;
        }
        self.intern(Node::Next(inner), eventual, universal)
    }

    fn until(&mut self, left: Id, right: Id) -> Id {
        if self.of(right).0 || left == right || left == FALSE {
            return right;
        }
        // F (a | b) is F a | F b; F X a is X F a.
        if left == TRUE {
            match self.nodes[right as usize].clone() {
                Node::Or(parts) => {
                    let parts = parts
                        .into_iter()
                        .map(|part| self.until(TRUE, part))
                        .collect();
                    return self.or(parts);
                }
                Node::Next(inner) => {
                    let inner = self.until(TRUE, inner);
                    return self.next(inner);
                }
                _ => {}
            }
        }
        let eventual = left == TRUE;
        let universal = self.of(left).1 && self.of(right).1;
        let id = self.intern(Node::Until(left, right), eventual, universal);
        if !self.untils.contains(&id) {
            self.untils.push(id);
        }
        id
    }

    fn release(&mut self, left: Id, right: Id) -> Id {
        if self.of(right).1 || left == right || left == TRUE {
            return right;
        }
        if left == FALSE {
            match self.nodes[right as usize].clone() {
                Node::And(parts) => {
                    let parts = parts.into_iter().map(|part| self.release(FALSE, part));
                    let parts = parts.collect();
                    return self.and(parts);
                }
                Node::Next(inner) => {
                    let inner = self.release(FALSE, inner);
                    return self.next(inner);
                }
                _ => {}
            }
        }
        let eventual = self.of(left).0 && self.of(right).0;
        self.intern(Node::Release(left, right), eventual, left == FALSE)
    }

    fn mark(&self, until: Id) -> u64 {
        let at = self.untils.iter().position(|&id| id == until);
        at.map_or(0, |at| 1 << at)
    }

    /// The ways to fulfil a formula.
    fn ways(&mut self, id: Id, budget: &Budget) -> Result<Vec<Way>, Stop> {
        if let Some(known) = self.ways.get(&id) {
            return Ok(known.clone());
        }
        let ways = match self.nodes[id as usize].clone() {
            Node::Constant(true) => vec![Way::none()],
            Node::Constant(false) => Vec::new(),
            Node::Literal(atom, value) => {
                let bit = 1 << atom;
                vec![Way {
                    yes: if value { bit } else { 0 },
                    no: if value { 0 } else { bit },
                    ..Way::none()
                }]
            }
            Node::And(parts) => self.all_of(&parts, budget)?,
            Node::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.ways(part, budget)?);
                }
                thin(all)
            }
            Node::Next(inner) => vec![Way::later(inner, 0)],
            Node::Until(left, right) => {
                let mut all = self.ways(right, budget)?;
                let wait = [Way::later(id, self.mark(id))];
                all.extend(both(&self.ways(left, budget)?, &wait, budget)?);
                thin(all)
            }
            Node::Release(left, right) => {
                let mut either = self.ways(left, budget)?;
                either.push(Way::later(id, 0));
                both(&self.ways(right, budget)?, &either, budget)?
            }
        };
        self.ways.insert(id, ways.clone());
        Ok(ways)
    }

    fn all_of(&mut self, parts: &[Id], budget: &Budget) -> Result<Vec<Way>, Stop> {
        let mut all = vec![Way::none()];
        for &part in parts {
            all = both(&all, &self.ways(part, budget)?, budget)?;
        }
        Ok(all)
    }

    fn build(&mut self, root: Id, budget: &Budget) -> Result<Automaton, Stop> {
        if self.untils.len() > 63 {
            return Err(Stop::bound("the number of `until`s", 63));
        }
        let all_marks = (1_u64 << self.untils.len()) - 1;
        let mut numbers: HashMap<Vec<Id>, u32> = HashMap::new();
        let mut todo: Vec<Vec<Id>> = Vec::new();
        let mut number = |set: Vec<Id>, todo: &mut Vec<Vec<Id>>| {
            let next = numbers.len() as u32;
            *numbers.entry(set).or_insert_with_key(|set| {
                todo.push(set.clone());
                next
            })
        };
        number(vec![root], &mut todo);
        let mut states: Vec<Vec<Transition>> = Vec::new();
        let mut total = 0;
        while let Some(set) = todo.get(states.len()).cloned() {
            budget.charge(1)?;
            let ways = self.all_of(&set, budget)?;
            total += ways.len();
            if states.len() > MOST_STATES || total > MOST_TRANSITIONS {
                return Err(Stop::bound("the size of the automaton", MOST_STATES as u64));
            }
            let transition = |way: Way| Transition {
                yes: way.yes,
                no: way.no,
                next: number(way.later, &mut todo),
                marks: all_marks & !way.put_off,
            };
            states.push(ways.into_iter().map(transition).collect());
        }
        Ok(merged(states, all_marks))
    }
}

/// One way of each.
fn both(left: &[Way], right: &[Way], budget: &Budget) -> Result<Vec<Way>, Stop> {
    budget.charge(1)?;
    if left.len().saturating_mul(right.len()) > MOST_TRANSITIONS {
        return Err(Stop::bound("the size of the automaton", MOST_STATES as u64));
    }
    let pairs = left
        .iter()
        .flat_map(|one| right.iter().filter_map(|other| one.and(other)));
    Ok(thin(pairs.collect()))
}

/// Without ways that others subsume.
fn thin(mut ways: Vec<Way>) -> Vec<Way> {
    ways.sort();
    ways.dedup();
    if ways.len() > 2_000 {
        return ways;
    }
    let mut kept: Vec<Way> = Vec::new();
    for way in ways {
        if kept.iter().any(|one| one.subsumes(&way)) {
            continue;
        }
        kept.retain(|one| !way.subsumes(one));
        kept.push(way);
    }
    kept
}

/// States with the same transitions become one, until there are none.
fn merged(mut states: Vec<Vec<Transition>>, marks: u64) -> Automaton {
    loop {
        let mut first: HashMap<Vec<Transition>, u32> = HashMap::new();
        let mut kept: Vec<Vec<Transition>> = Vec::new();
        let mut number = Vec::with_capacity(states.len());
        for state in &states {
            let next = kept.len() as u32;
            let at = *first.entry(state.clone()).or_insert_with(|| {
                kept.push(state.clone());
                next
            });
            number.push(at);
        }
        if kept.len() == states.len() {
            return Automaton { states, marks };
        }
        for transitions in &mut kept {
            for transition in transitions.iter_mut() {
                transition.next = number[transition.next as usize];
            }
            transitions.sort_unstable();
            transitions.dedup();
        }
        states = kept;
    }
}
