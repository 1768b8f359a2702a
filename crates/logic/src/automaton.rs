//! Linear temporal formulas as automata on infinite words, and their meaning on a run that
//! repeats.
//!
//! The states of the automaton are sets of what is still owed; a transition pays all of it, or puts
//! it off to the next state. An *until* must not be put off for ever (Couvreur 1999; the idea of
//! promises on transitions instead of states keeps the automata small).

use crate::{Binary, Formula, Kind, Unary};

/// A generalised Büchi automaton, whose promises must be kept again and again by transitions.
/// State 0 is the initial one. It has no state from which no run is accepted, but for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton<A> {
    /// The atoms that its literals are about.
    pub atoms: Vec<A>,
    /// How many states there are.
    pub states: usize,
    /// The transitions of all states.
    pub transitions: Vec<Transition>,
    /// How many promises there are.
    pub promises: usize,
}

/// A transition of an automaton, taken at a state of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// Where it leads from.
    pub from: usize,
    /// Where it leads to.
    pub to: usize,
    /// Atoms by number, and whether they are true or false of the state of the run; sorted.
    pub literals: Vec<(usize, bool)>,
    /// For each promise whether it is kept here, that is: not put off.
    pub kept: Vec<bool>,
}

/// So many ways to pay what is owed are tried in all, as a multiple of the number of states.
const WAYS_FOR_EACH_STATE: usize = 200;

impl<A: Clone + Eq> Formula<A> {
    /// The automaton that accepts the runs of which the formula is true; nothing if the formula
    /// is not one of linear time without past and without intervals, or needs more than so many
    /// states.
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_logic::parse_names;
    /// let source = Source::new("property", "F (a & G !b)");
    /// let automaton = parse_names(&source).unwrap().automaton(10).unwrap();
    /// assert_eq!((automaton.states, automaton.transitions.len()), (2, 3));
    /// ```
    pub fn automaton(&self, most_states: usize) -> Option<Automaton<A>> {
        let mut plain = Plain {
            atoms: Vec::new(),
            nodes: Vec::new(),
        };
        let root = plain.add(&self.negation_normal_form())?;
        let is_until = |node: &usize| matches!(plain.nodes[*node], Node::Until(..));
        let untils: Vec<usize> = (0..plain.nodes.len()).filter(is_until).collect();
        let mut left = most_states.saturating_mul(WAYS_FOR_EACH_STATE);
        let mut states: Vec<Vec<usize>> = vec![vec![root]];
        let (mut done, mut transitions) = (0, Vec::new());
        while done < states.len() {
            let mut ways = Vec::new();
            plain.pay(states[done].clone(), Way::default(), &mut ways, &mut left)?;
            for way in ways {
                let to = states.iter().position(|state| *state == way.next);
                let to = to.unwrap_or_else(|| {
                    states.push(way.next.clone());
                    states.len() - 1
                });
                if states.len() > most_states {
                    return None;
                }
                let kept = untils.iter().map(|until| !way.put_off.contains(until));
                transitions.push(Transition {
                    from: done,
                    to,
                    literals: way.literals,
                    kept: kept.collect(),
                });
            }
            done += 1;
        }
        let mut automaton = Automaton {
            atoms: plain.atoms,
            states: states.len(),
            transitions,
            promises: untils.len(),
        };
        automaton.simplify();
        Some(automaton)
    }

    /// Whether the formula is true at each state of a run: of `steps` states, after the last of
    /// which comes number `back` again. Nothing if it is not one of linear time without past and
    /// without intervals, or if there is no such state.
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_logic::parse_names;
    /// let formula = parse_names(&Source::new("property", "G F a")).unwrap();
    /// let at = |number: usize| move |_: &String, state: usize| state == number;
    /// assert_eq!(formula.on_lasso(3, 1, &at(2)).unwrap()[0], true);
    /// assert_eq!(formula.on_lasso(3, 1, &at(0)).unwrap()[0], false);
    /// ```
    pub fn on_lasso(
        &self,
        steps: usize,
        back: usize,
        holds: &dyn Fn(&A, usize) -> bool,
    ) -> Option<Vec<bool>> {
        if back >= steps {
            return None;
        }
        let next = |at: usize| if at + 1 < steps { at + 1 } else { back };
        let of = |formula: &Formula<A>| formula.on_lasso(steps, back, holds);
        let each = |value: &dyn Fn(usize) -> bool| (0..steps).map(value).collect::<Vec<bool>>();
        // The least solution where a thing must come, else the greatest: twice round is enough.
        let solved = |least: bool, now: &dyn Fn(usize, bool) -> bool| {
            let mut value = vec![!least; steps];
            for at in (0..steps).rev().chain((0..steps).rev()) {
                value[at] = now(at, value[next(at)]);
            }
            value
        };
        Some(match &self.kind {
            Kind::Constant(value) => vec![*value; steps],
            Kind::Atom(atom) => each(&|at| holds(atom, at)),
            Kind::Placeholder(_) => return None,
            Kind::Unary(operator, inner) => {
                let inner = of(inner)?;
                match operator {
                    Unary::Not => each(&|at| !inner[at]),
                    Unary::Next => each(&|at| inner[next(at)]),
                    Unary::Finally(None) => solved(true, &|at, later| inner[at] || later),
                    Unary::Globally(None) => solved(false, &|at, later| inner[at] && later),
                    _ => return None,
                }
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (of(left)?, of(right)?);
                match operator {
                    Binary::And => each(&|at| left[at] && right[at]),
                    Binary::Or => each(&|at| left[at] || right[at]),
                    Binary::Xor => each(&|at| left[at] != right[at]),
                    Binary::Implies => each(&|at| !left[at] || right[at]),
                    Binary::Iff => each(&|at| left[at] == right[at]),
                    Binary::Until(None) => {
                        solved(true, &|at, later| right[at] || left[at] && later)
                    }
                    Binary::Release => solved(false, &|at, later| right[at] && (left[at] || later)),
                    Binary::WeakUntil => solved(false, &|at, later| right[at] || left[at] && later),
                    _ => return None,
                }
            }
        })
    }
}

impl<A> Automaton<A> {
    /// For each state the number of the part in which a run can stay for ever and keep all
    /// promises, if it is in one: states that reach each other by transitions that together keep
    /// all.
    pub fn recurrent(&self) -> Vec<Option<usize>> {
        let reaches = self.reaches();
        let together = |one: usize, two: usize| {
            one == two && reaches[one][one] || reaches[one][two] && reaches[two][one]
        };
        let first = |state: usize| (0..self.states).find(|&other| together(other, state));
        let keeps_all = |part: usize| {
            let inside = |transition: &&Transition| {
                first(transition.from) == Some(part) && first(transition.to) == Some(part)
            };
            let inside: Vec<&Transition> = self.transitions.iter().filter(inside).collect();
            let kept = |promise: usize| inside.iter().any(|one| one.kept[promise]);
            !inside.is_empty() && (0..self.promises).all(kept)
        };
        let parts = (0..self.states).map(first);
        parts
            .map(|part| part.filter(|&part| keeps_all(part)))
            .collect()
    }

    /// Which states can be reached from which by one transition or more.
    fn reaches(&self) -> Vec<Vec<bool>> {
        let mut reaches = vec![vec![false; self.states]; self.states];
        for transition in &self.transitions {
            reaches[transition.from][transition.to] = true;
        }
        for through in 0..self.states {
            let further = reaches[through].clone();
            for from in &mut reaches {
                if from[through] {
                    from.iter_mut()
                        .zip(&further)
                        .for_each(|(one, more)| *one |= more);
                }
            }
        }
        reaches
    }

    /// Leaves away what no accepted run uses, what another transition does as well, and all but
    /// one of states with the same transitions.
    fn simplify(&mut self) {
        let (recurrent, reaches) = (self.recurrent(), self.reaches());
        let accepts = |state: usize| {
            recurrent[state].is_some()
                || (0..self.states).any(|end| reaches[state][end] && recurrent[end].is_some())
        };
        let useful: Vec<bool> = (0..self.states).map(accepts).collect();
        self.transitions
            .retain(|transition| useful[transition.from] && useful[transition.to]);
        loop {
            self.leave_out_weaker();
            let row = |state: usize| -> Vec<(&Vec<(usize, bool)>, usize, &Vec<bool>)> {
                let own = self.transitions.iter().filter(|one| one.from == state);
                let mut row: Vec<_> = own.map(|one| (&one.literals, one.to, &one.kept)).collect();
                row.sort();
                row
            };
            let twin = (1..self.states).find_map(|state| {
                let own = row(state);
                let twin = (0..state).find(|&other| row(other) == own)?;
                (!own.is_empty()).then_some((state, twin))
            });
            let Some((state, twin)) = twin else { break };
            self.transitions.retain(|one| one.from != state);
            for one in self.transitions.iter_mut().filter(|one| one.to == state) {
                one.to = twin;
            }
        }
        let reaches = self.reaches();
        let used: Vec<usize> = (0..self.states)
            .filter(|&state| state == 0 || reaches[0][state])
            .collect();
        let number = |state: usize| used.iter().position(|&known| known == state);
        let renumbered = self.transitions.iter().filter_map(|one| {
            Some(Transition {
                from: number(one.from)?,
                to: number(one.to)?,
                ..one.clone()
            })
        });
        self.transitions = renumbered.collect();
        self.states = used.len();
    }

    fn leave_out_weaker(&mut self) {
        let weaker = |one: &Transition, other: &Transition| {
            (one.from, one.to) == (other.from, other.to)
                && other.literals.iter().all(|all| one.literals.contains(all))
                && one
                    .kept
                    .iter()
                    .zip(&other.kept)
                    .all(|(one, other)| one <= other)
        };
        let mut all: Vec<Transition> = Vec::new();
        for one in &self.transitions {
            if !all.iter().any(|other| weaker(one, other)) {
                all.retain(|other| !weaker(other, one));
                all.push(one.clone());
            }
        }
        self.transitions = all;
    }
}

/// A formula as a list of nodes, equal ones once.
struct Plain<A> {
    atoms: Vec<A>,
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Constant(bool),
    Literal(usize, bool),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
}

/// One way to pay what is owed.
#[derive(Debug, Clone, Default)]
struct Way {
    literals: Vec<(usize, bool)>,
    next: Vec<usize>,
    put_off: Vec<usize>,
}

impl<A: Clone + Eq> Plain<A> {
    fn node(&mut self, node: Node) -> usize {
        let known = self.nodes.iter().position(|known| *known == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// The number of a formula in negation normal form.
    fn add(&mut self, formula: &Formula<A>) -> Option<usize> {
        let node = match &formula.kind {
            Kind::Constant(value) => Node::Constant(*value),
            Kind::Atom(atom) => self.literal(atom, true),
            Kind::Unary(Unary::Not, inner) => match &inner.kind {
                Kind::Atom(atom) => self.literal(atom, false),
                _ => return None,
            },
            Kind::Unary(Unary::Next, inner) => Node::Next(self.add(inner)?),
            Kind::Unary(Unary::Finally(None), inner) => {
                let inner = self.add(inner)?;
                Node::Until(self.node(Node::Constant(true)), inner)
            }
            Kind::Unary(Unary::Globally(None), inner) => {
                let inner = self.add(inner)?;
                Node::Release(self.node(Node::Constant(false)), inner)
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.add(left)?, self.add(right)?);
                match operator {
                    Binary::And => Node::And(left, right),
                    Binary::Or => Node::Or(left, right),
                    Binary::Until(None) => Node::Until(left, right),
                    Binary::Release => Node::Release(left, right),
                    Binary::WeakUntil => Node::Release(right, self.node(Node::Or(left, right))),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(self.node(node))
    }

    fn literal(&mut self, atom: &A, positive: bool) -> Node {
        let known = self.atoms.iter().position(|known| known == atom);
        let number = known.unwrap_or_else(|| {
            self.atoms.push(atom.clone());
            self.atoms.len() - 1
        });
        Node::Literal(number, positive)
    }

    /// All ways to pay what is owed; nothing if there are too many.
    fn pay(
        &self,
        mut owed: Vec<usize>,
        mut way: Way,
        ways: &mut Vec<Way>,
        left: &mut usize,
    ) -> Option<()> {
        *left = left.checked_sub(1)?;
        while let Some(number) = owed.pop() {
            match self.nodes[number] {
                Node::Constant(true) => {}
                Node::Constant(false) => return Some(()),
                Node::Literal(atom, value) => {
                    if way.literals.contains(&(atom, !value)) {
                        return Some(());
                    }
                    way.literals.push((atom, value));
                }
                Node::And(one, two) => owed.extend([one, two]),
                Node::Next(inner) => way.next.push(inner),
                Node::Or(one, two) => {
                    self.pay([owed.as_slice(), &[two]].concat(), way.clone(), ways, left)?;
                    owed.push(one);
                }
                Node::Until(before, end) => {
                    self.pay([owed.as_slice(), &[end]].concat(), way.clone(), ways, left)?;
                    owed.push(before);
                    way.next.push(number);
                    way.put_off.push(number);
                }
                Node::Release(end, before) => {
                    let now = [owed.as_slice(), &[end, before]].concat();
                    self.pay(now, way.clone(), ways, left)?;
                    owed.push(before);
                    way.next.push(number);
                }
            }
        }
        way.next.sort_unstable();
        way.next.dedup();
        way.literals.sort_unstable();
        way.literals.dedup();
        ways.push(way);
        Some(())
    }
}
