//! `P`, `R` and `S`, once more.

use std::rc::Rc;

use quotient_bits::Bits;
use quotient_certify::{Bounds, Chances, Limited, certify_bounds};
use quotient_core::{Rejection, Span, Trouble};
use quotient_markov::{Kind, above, below, whole};

use super::{Again, Numbers, Worth, after, not, not_for, number};
use crate::average;
use crate::check::{is_linear, is_path};
use crate::counted::{self, Counter};
use crate::evidence::direction;
use crate::fractions;
use crate::given;
use crate::instance::Term;
use crate::limited::{self, Asked};
use crate::limited_exact;
use crate::linear;
use crate::naive::{self, Naive};
use crate::parts::Part;
use crate::syntax::{Ahead, Asks, Body, Bound, Chance, Join, Node, Tree, Until};

impl Again<'_> {
    pub(super) fn chance(&self, chance: &Chance, span: Span) -> Result<Worth, Rejection> {
        let least = direction(chance, self.instance.kind)?;
        let fractions = matches!(self.parts.borrow().front(), Some(Part::Fractions(_)));
        if fractions && chance.relation.is_some() {
            return self.by_fractions(chance, span);
        }
        let found = self.values(chance, least, span)?;
        let Some((join, limit)) = &chance.relation else {
            return Ok(Worth::Number(found.0, found.1));
        };
        let limit = match self.instance.names.term(limit, self.source, None) {
            Ok(Term::Value(value)) => value.exact(),
            _ => None,
        };
        let limit = limit.ok_or_else(|| Rejection::unreadable("the bound has no value"))?;
        let many = self.states();
        let limits = (vec![below(&limit); many], vec![above(&limit); many]);
        let worth = number::combined(*join, &found, &limits)?;
        match &worth {
            Worth::Truth(surely, maybe) if surely != maybe => {
                Ok(self.exactly_where(chance, span).unwrap_or(worth))
            }
            _ => Ok(worth),
        }
    }

    /// Where a bound is met exactly, by the fractions that the next part gives.
    fn by_fractions(&self, chance: &Chance, span: Span) -> Result<Worth, Rejection> {
        let Part::Fractions(written) = self.part()? else {
            return Err(of_another_kind());
        };
        let tree = Tree {
            node: Node::Chance(Box::new(chance.clone())),
            span,
        };
        let asked = (&tree, self.source);
        let (values, _) = fractions::checked(self.instance, asked, &written, self.budget)?;
        let mut set = Bits::with_capacity(values.len());
        for (state, value) in values.iter().enumerate() {
            let value = std::slice::from_ref(value);
            let kept = limited_exact::kept(self.instance, chance, self.source, value);
            let none = || Rejection::unreadable("the bound has no value");
            set.set(state, kept.ok_or_else(none)?);
        }
        Ok(Worth::Truth(set.clone(), set))
    }

    /// Where a bound is met exactly by a number with a bound on steps, fractions tell.
    fn exactly_where(&self, chance: &Chance, span: Span) -> Option<Worth> {
        if self.states() > limited_exact::MOST_STATES {
            return None;
        }
        let tree = Tree {
            node: Node::Chance(Box::new(chance.clone())),
            span,
        };
        let set = limited_exact::where_kept(self.instance, &tree, self.source, self.budget)?;
        Some(Worth::Truth(set.clone(), set))
    }

    fn values(&self, chance: &Chance, least: bool, span: Span) -> Result<Numbers, Rejection> {
        if let Some(given) = &chance.given {
            return self.conditional(chance, given, least, span);
        }
        match (chance.asks, &chance.body) {
            (Asks::Probability, Body::Formula(path)) => self.path(path, least),
            (Asks::Steady, Body::Formula(condition)) => {
                let holds = self.set(condition)?;
                self.average(self.naive, Some(&holds), least)
            }
            (Asks::Reward, body) => {
                let found = (self.instance).structure(chance.structure.as_ref(), self.source, span);
                let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
                let naive = self.earning(found.map_err(wrong)?)?;
                self.reward(&naive, body, least)
            }
            _ => Err(not_for()),
        }
    }

    /// The model with what one structure of rewards earns.
    pub(super) fn earning(&self, structure: usize) -> Result<Rc<Naive>, Rejection> {
        if let Some(known) = self.earning.borrow().get(&structure) {
            return Ok(known.clone());
        }
        let built = Rc::new(naive::build(self.instance, Some(structure), self.budget)?);
        self.earning.borrow_mut().insert(structure, built.clone());
        Ok(built)
    }

    /// The chance of a path among the runs of a chain that fulfil another one.
    fn conditional(
        &self,
        chance: &Chance,
        given: &Tree,
        least: bool,
        span: Span,
    ) -> Result<Numbers, Rejection> {
        let (Asks::Probability, Body::Formula(path)) = (chance.asks, &chance.body) else {
            return Err(not_for());
        };
        if self.instance.kind == Kind::Mdp {
            return self.conditional_choices(path, given, least);
        }
        let both = Tree {
            node: Node::Two(Join::And, Box::new(path.clone()), Box::new(given.clone())),
            span,
        };
        let both = self.linear(&both, false)?;
        let all = self.path(given, false)?;
        let Worth::Number(lower, upper) = number::combined(Join::Divide, &both, &all)? else {
            return Err(not_for());
        };
        let within = |numbers: Vec<f64>| numbers.iter().map(|one| one.clamp(0.0, 1.0)).collect();
        Ok((within(lower), within(upper)))
    }

    /// The same for a decision process, from its initial state: of reaching something among the
    /// runs that reach something else.
    fn conditional_choices(
        &self,
        path: &Tree,
        given: &Tree,
        least: bool,
    ) -> Result<Numbers, Rejection> {
        let ((goal, turned), (condition, never)) = (self.reached(path)?, self.reached(given)?);
        if never {
            return Err(not_for());
        }
        let least = least != turned;
        let (model, most) = (&self.naive.model, crate::evidence::MOST_STATES);
        let watched = given::beside(model, [&goal, &condition], most, self.budget)?;
        let possible = match &watched {
            // All states beside what was seen can be reached.
            Some(watched) => watched.taken[1].ones().next().is_some(),
            None => {
                let possible = self.grown(true, &self.all(), &condition.right)?;
                let mut initial = model.initial.iter();
                initial.all(|&start| possible.contains(start.index()))
            }
        };
        let start = match model.initial[..] {
            [start] if possible => start.index(),
            _ => return Err(Rejection::wrong("no run fulfils the condition")),
        };
        let (inner, sets) = match &watched {
            Some(watched) => (&watched.model, (&watched.taken[0], &watched.taken[1])),
            None => (model, (&goal.right, &condition.right)),
        };
        let product = given::product(inner, sets, least, most, self.budget)?;
        let Part::Given(written) = self.part()? else {
            return Err(of_another_kind());
        };
        let bounds = product.shown(&written, false, self.budget)?;
        let first = product.first[0] as usize;
        let mut found = (bounds.lower[first], bounds.upper[first].min(1.0));
        if least != turned {
            let turned = opposite((vec![found.0], vec![found.1]));
            found = (turned.0[0], turned.1[0]);
        }
        // Of other states nothing is known.
        let mut numbers = (vec![0.0; self.states()], vec![1.0; self.states()]);
        (numbers.0[start], numbers.1[start]) = found;
        Ok(numbers)
    }

    /// The chance of a path of any shape, by the automaton of what it says.
    fn linear(&self, path: &Tree, least: bool) -> Result<Numbers, Rejection> {
        let said = linear::spoken(path, self.instance, self.source).ok_or_else(not_for)?;
        let conditions = said.conditions.iter().map(|condition| self.set(condition));
        let conditions = conditions.collect::<Result<Vec<Bits>, Rejection>>()?;
        // The least chance is what the greatest of the opposite leaves.
        let formula = match least {
            true => !said.formula,
            false => said.formula,
        };
        let most = crate::evidence::MOST_STATES;
        let model = &self.naive.model;
        let product = linear::product(model, &formula, &conditions, most, self.budget)?;
        let Part::Linear(written) = self.part()? else {
            return Err(of_another_kind());
        };
        let bounds = product.shown(&written, false, self.budget)?;
        let at_first = |numbers: &[f64]| -> Vec<f64> {
            let of = |&first: &u32| numbers[first as usize].min(1.0);
            product.first.iter().map(of).collect()
        };
        let found = (at_first(&bounds.lower), at_first(&bounds.upper));
        Ok(match least {
            true => opposite(found),
            false => found,
        })
    }

    fn path(&self, path: &Tree, least: bool) -> Result<Numbers, Rejection> {
        match &path.node {
            _ if is_linear(path) => self.linear(path, least),
            Node::Within(within) => {
                let left = within.left.as_ref();
                let left = left.map_or_else(|| Ok(self.all()), |left| self.set(left))?;
                let right = self.set(&within.right)?;
                let mut limits = Vec::new();
                for limit in &within.limits {
                    let structure = Some(&limit.structure);
                    let found = self.instance.structure(structure, self.source, path.span);
                    let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
                    let structure = found.map_err(wrong)?;
                    limits.push((structure, &limit.amount, limit.strictly, limit.upper));
                }
                self.counted((&left, &right), &limits, least)
            }
            Node::Not(of) => Ok(opposite(self.path(of, !least)?)),
            Node::Ahead(Ahead::Next, None, of) => {
                let goal = self.set(of)?;
                self.within(&self.all(), &goal, None, least)
            }
            Node::Ahead(Ahead::Finally, bound, of) => {
                let goal = self.set(of)?;
                self.until(&self.all(), &goal, bound.as_deref(), least)
            }
            Node::Ahead(Ahead::Globally, bound, of) => {
                let bad = not(self.set(of)?);
                let found = self.until(&self.all(), &bad, bound.as_deref(), !least)?;
                Ok(opposite(found))
            }
            Node::Until(kind, bound, left, right) => {
                let (left, right) = (self.set(left)?, self.set(right)?);
                let bound = bound.as_deref();
                match kind {
                    Until::Strong => self.until(&left, &right, bound, least),
                    // Not: both fail, after the first alone has held.
                    Until::Weak => {
                        let (mut stays, mut fails) = (left.clone(), not(left));
                        stays.difference_with(&right);
                        fails.difference_with(&right);
                        Ok(opposite(self.until(&stays, &fails, bound, !least)?))
                    }
                    // Not: the second fails, and the first has never held before.
                    Until::Release => {
                        let (free, fails) = (not(left), not(right));
                        Ok(opposite(self.until(&free, &fails, bound, !least)?))
                    }
                }
            }
            _ => Err(not_for()),
        }
    }

    fn until(
        &self,
        allowed: &Bits,
        goal: &Bits,
        bound: Option<&Bound>,
        least: bool,
    ) -> Result<Numbers, Rejection> {
        let reaching = Chances::Reaching { allowed, goal };
        let Some(bound) = bound else {
            return self.shown(self.naive, &reaching, least);
        };
        if let (Some(time), Some(high)) = (&self.instance.time, &bound.high) {
            if bound.low.is_some() || bound.high_strict {
                return Err(not_for());
            }
            let limits = [(time.structure, high, false, true)];
            return self.counted((allowed, goal), &limits, least);
        }
        if !limited::counts(self.instance) {
            return Err(not_for());
        }
        if bound.high.is_some() {
            return self.within(allowed, goal, Some(bound), least);
        }
        if self.instance.markovian {
            return Err(not_for());
        }
        // From some moment on it is the path without a bound.
        let later = self.shown(self.naive, &reaching, least)?;
        let timed = self.instance.kind == Kind::Ctmc;
        let at = self.asked(least).from(bound, timed)?;
        after::before(self.naive, later, allowed, at, least, self.budget)
    }

    /// The chance of a path with bounds on what is earned, from the initial states: structures of
    /// rewards, amounts, whether strictly, and whether they are upper bounds.
    fn counted(
        &self,
        sets: (&Bits, &Bits),
        limits: &[(usize, &Tree, bool, bool)],
        least: bool,
    ) -> Result<Numbers, Rejection> {
        if self.instance.kind == Kind::Ctmc || self.instance.markovian {
            return Err(not_for());
        }
        let mut counters = Vec::new();
        for &(structure, amount, strictly, upper) in limits {
            let amount = match self.instance.names.term(amount, self.source, None) {
                Ok(Term::Value(value)) => value.exact(),
                _ => None,
            };
            let amount = amount.ok_or_else(|| Rejection::unreadable("the bound has no value"))?;
            let earning = self.earning(structure)?;
            let counter = Counter::new(&earning.earned, &amount, strictly, upper);
            let counter = counter.flatten();
            counters.push(counter.ok_or_else(|| {
                Rejection::unreadable("what is earned, or its bound, cannot be counted")
            })?);
        }
        let (model, most) = (&self.naive.model, crate::evidence::MOST_STATES);
        let product = counted::product(model, &counters, sets, most, self.budget)?;
        let Part::Counted(written) = self.part()? else {
            return Err(of_another_kind());
        };
        let bounds = product.shown(&written, least, self.budget)?;
        // Of states that nothing begins in nothing is known.
        let mut found = (vec![0.0; self.states()], vec![1.0; self.states()]);
        for (&state, &first) in model.initial.iter().zip(&product.first) {
            found.0[state.index()] = bounds.lower[first as usize];
            found.1[state.index()] = bounds.upper[first as usize].min(1.0);
        }
        Ok(found)
    }

    pub(super) fn asked(&self, least: bool) -> Asked<'_> {
        Asked {
            instance: self.instance,
            source: self.source,
            naive: self.naive,
            least,
            claimed: None,
            budget: self.budget,
        }
    }

    /// The same with an upper bound, or in the next step.
    fn within(
        &self,
        allowed: &Bits,
        goal: &Bits,
        bound: Option<&Bound>,
        least: bool,
    ) -> Result<Numbers, Rejection> {
        if !limited::counts(self.instance) {
            return Err(not_for());
        }
        let timed = self.instance.is_timed();
        let (from, to) = match bound {
            Some(bound) => self.asked(least).window(bound, timed)?,
            None => ((1.0, 1.0), (1.0, 1.0)),
        };
        let question = Limited::Reaching {
            allowed,
            goal,
            from,
            to,
        };
        // The next state comes by one step, whatever the time.
        let stepwise = bound.is_none();
        let found = self.asked(least).recomputed(&question, stepwise, false)?;
        Ok((found.lower, found.upper))
    }

    fn reward(&self, naive: &Naive, body: &Body, least: bool) -> Result<Numbers, Rejection> {
        let earned = &naive.earned;
        match body {
            Body::Formula(path) => match &path.node {
                Node::Ahead(Ahead::Finally, None, goal) if !is_path(goal) => {
                    let goal = &self.set(goal)?;
                    self.shown(naive, &Chances::Earning { earned, goal }, least)
                }
                _ => self.earned_until(naive, path, least),
            },
            Body::Until(_) | Body::At(_) if limited::counts(self.instance) => {
                let asked = Asked {
                    naive,
                    ..self.asked(least)
                };
                let found = asked.earned_again(body)?;
                Ok((found.lower, found.upper))
            }
            Body::LongRun => self.average(naive, None, least),
            Body::Total => self.total(naive, least),
            _ => Err(not_for()),
        }
    }

    /// What is earned until a path formula is fulfilled, on the model beside what is left of it.
    fn earned_until(&self, naive: &Naive, path: &Tree, least: bool) -> Result<Numbers, Rejection> {
        if self.instance.time.is_some() || self.instance.markovian {
            return Err(not_for());
        }
        let said = linear::spoken(path, self.instance, self.source).ok_or_else(not_for)?;
        let conditions = said.conditions.iter().map(|condition| self.set(condition));
        let conditions = conditions.collect::<Result<Vec<Bits>, Rejection>>()?;
        let most = crate::evidence::MOST_STATES;
        let found = linear::prefixed(&naive.model, &said.formula, &conditions, most, self.budget)?;
        let found = found.ok_or_else(not_for)?;
        let Part::Prefix(written) = self.part()? else {
            return Err(of_another_kind());
        };
        let bounds: Bounds = written.bounds()?;
        let (product, earned) = (&found.product, &found.earned(&naive.earned, &whole(0)));
        let goal = &product.goal;
        let chances = Chances::Earning { earned, goal };
        certify_bounds(&product.model, &chances, least, &bounds, self.budget)?;
        let at_first = |numbers: &[f64]| -> Vec<f64> {
            let of = |&first: &u32| numbers[first as usize];
            product.first.iter().map(of).collect()
        };
        Ok((at_first(&bounds.lower), at_first(&bounds.upper)))
    }

    /// What the next part of the evidence shows.
    pub(super) fn shown(
        &self,
        naive: &Naive,
        chances: &Chances<'_>,
        least: bool,
    ) -> Result<Numbers, Rejection> {
        let Part::Bounds(written) = self.part()? else {
            return Err(of_another_kind());
        };
        let bounds: Bounds = written.bounds()?;
        certify_bounds(&naive.model, chances, least, &bounds, self.budget)?;
        Ok((bounds.lower, bounds.upper))
    }

    fn average(
        &self,
        naive: &Naive,
        holds: Option<&Bits>,
        least: bool,
    ) -> Result<Numbers, Rejection> {
        let (Part::Average(written), true) = (self.part()?, average::shows(self.instance)) else {
            return Err(of_another_kind());
        };
        let bounds = average::checked((self.instance, naive), holds, &written, least, self.budget)?;
        Ok((bounds.lower, bounds.upper))
    }
}

fn of_another_kind() -> Rejection {
    Rejection::wrong("a part of the evidence is of another kind")
}

/// One less each, rounded outwards.
fn opposite((lower, upper): Numbers) -> Numbers {
    let turned = |number: &f64, outwards: fn(f64) -> f64| {
        crate::evidence::turned(*number, outwards).clamp(0.0, 1.0)
    };
    (
        upper
            .iter()
            .map(|one| turned(one, f64::next_down))
            .collect(),
        lower.iter().map(|one| turned(one, f64::next_up)).collect(),
    )
}
