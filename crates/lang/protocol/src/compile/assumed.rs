//! What is assumed of every configuration, asked by the steps themselves.
//!
//! `assume count(p: p.crashed) <= 1` says that no step leads to where two have crashed. So a step that
//! lets a process crash asks that no other one has: what is assumed of the configuration behind a
//! step is said of the one before it. Then nothing has to be assumed any more, and a protocol fits
//! where assumptions do not.

use std::borrow::Cow;

use quotient_core::Span;

use crate::model::{
    Action, Assigned, Bound, Chosen, Comparison, Condition, Expr, Fairness, Protocol, Step, Value,
    Who,
};

/// The most processes that one step may change at a time.
const MOST_CHANGED: usize = 3;

impl Protocol {
    /// The protocol whose steps ask for what is assumed of every configuration. What steps cannot
    /// ask for stays assumed.
    pub(crate) fn with_assumptions_asked(&self) -> Cow<'_, Protocol> {
        if self.constraints.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut protocol = self.clone();
        for constraint in std::mem::take(&mut protocol.constraints) {
            match protocol.steps_asking_for(&constraint) {
                Some(steps) => {
                    protocol.steps = steps;
                    let begins = Condition::Holds(constraint);
                    protocol.initially.push(begins);
                    protocol.initially_places.push(Span::default());
                }
                None => protocol.constraints.push(constraint),
            }
        }
        Cow::Owned(protocol)
    }

    /// The steps with what makes an assumption true behind them.
    fn steps_asking_for(&self, assumed: &Expr) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        for step in &self.steps {
            if step.import.is_some() {
                return None;
            }
            let ways = step.alternatives.iter();
            let asked = ways.map(|way| Behind::new(step, way).asked(assumed));
            let asked: Vec<Option<Expr>> = asked.collect::<Result<_, Untold>>().ok()?;
            let with = |asked: &Option<Expr>, alternatives: &[Vec<Action>]| {
                let mut step = step.clone();
                step.alternatives = alternatives.to_vec();
                if let Some(asked) = asked {
                    step.guard = Expr::And(vec![step.guard, asked.clone()]);
                }
                step
            };
            match asked.windows(2).all(|two| two[0] == two[1]) {
                true => steps.push(with(asked.first().unwrap_or(&None), &step.alternatives)),
                // Each alternative is a step of its own, of the same name; fairness is said of all.
                false if step.fairness == Fairness::OfItsProcess => {
                    let each = asked.iter().zip(step.alternatives.chunks(1));
                    steps.extend(each.map(|(asked, way)| with(asked, way)));
                }
                false => return None,
            }
        }
        Some(steps)
    }
}

/// That the configuration behind a step cannot be told by that before it.
struct Untold;

/// What an alternative of a step makes of a configuration.
struct Behind<'a> {
    step: &'a Step,
    actions: &'a [Action],
}

impl<'a> Behind<'a> {
    fn new(step: &'a Step, actions: &'a [Action]) -> Behind<'a> {
        Behind { step, actions }
    }

    /// What must be true before the step for an assumption to be true behind it; nothing if the step
    /// has nothing to do with it.
    fn asked(&self, assumed: &Expr) -> Result<Option<Expr>, Untold> {
        let behind = self.behind(assumed)?;
        Ok(Some(behind).filter(|_| self.touches(assumed)))
    }

    /// Whether the step changes what an assumption that can be told asks for.
    fn touches(&self, assumed: &Expr) -> bool {
        match assumed {
            Expr::Not(inner) => self.touches(inner),
            Expr::And(all) | Expr::Or(all) => all.iter().any(|part| self.touches(part)),
            Expr::Count { body, .. } => {
                (self.changed(body)).map_or(true, |changed| !changed.is_empty())
            }
            _ => false,
        }
    }

    fn behind(&self, assumed: &Expr) -> Result<Expr, Untold> {
        match assumed {
            Expr::Not(inner) => Ok(Expr::Not(Box::new(self.behind(inner)?))),
            Expr::And(all) => Ok(Expr::And(self.each(all)?)),
            Expr::Or(all) => Ok(Expr::Or(self.each(all)?)),
            Expr::Constant(_) => Ok(assumed.clone()),
            Expr::Count {
                bound,
                body,
                comparison,
                number,
            } if *bound == Bound::default() => self.counted(body, *comparison, *number),
            _ => Err(Untold),
        }
    }

    fn each(&self, all: &[Expr]) -> Result<Vec<Expr>, Untold> {
        all.iter().map(|part| self.behind(part)).collect()
    }

    /// How many satisfy a condition behind the step: those whom it does not change, and those whom
    /// it does, each with its new values.
    fn counted(&self, body: &Expr, comparison: Comparison, number: Value) -> Result<Expr, Untold> {
        let told = body.is_plain() && !body.mentions(&|part| matches!(part, Expr::Pair(..)));
        if !told {
            return Err(Untold);
        }
        let changed = self.changed(body)?;
        if changed.len() > MOST_CHANGED || !self.are_different(&changed) {
            return Err(Untold);
        }
        let own = self.step.people.len();
        let among_others = |less: Value| Expr::Count {
            bound: Bound {
                different_from: changed.clone(),
                ..Bound::default()
            },
            body: Box::new(body.renumbered(&|_| own)),
            comparison,
            number: number - less,
        };
        let news: Vec<Expr> = changed
            .iter()
            .map(|who| self.anew(body, *who))
            .collect::<Result<_, _>>()?;
        let mut any = Vec::new();
        for mask in 0..1usize << changed.len() {
            let holds = |at: usize| mask >> at & 1 == 1;
            // What is known anyway is left out.
            let known = |(at, new): (usize, &Expr)| match new {
                Expr::Constant(value) => Some((*value != 0) == holds(at)),
                _ => None,
            };
            if news.iter().enumerate().any(|one| known(one) == Some(false)) {
                continue;
            }
            let signed = |(at, new): (usize, &Expr)| match (known((at, new)), holds(at)) {
                (Some(_), _) => None,
                (None, true) => Some(new.clone()),
                (None, false) => Some(Expr::Not(Box::new(new.clone()))),
            };
            let mut all: Vec<Expr> = news.iter().enumerate().filter_map(signed).collect();
            let satisfied = (0..changed.len()).filter(|at| holds(*at)).count();
            all.push(among_others(
                Value::try_from(satisfied).map_err(|_| Untold)?,
            ));
            any.push(match all.len() {
                1 => all.remove(0),
                _ => Expr::And(all),
            });
        }
        Ok(match any.len() {
            1 => any.remove(0),
            _ => Expr::Or(any),
        })
    }

    /// Whose part in a condition the step changes, if it changes nothing else about it.
    fn changed(&self, body: &Expr) -> Result<Vec<Who>, Untold> {
        let asks = |field: usize| body.mentions(&|part| *part == Expr::Field(0, field));
        let mut changed: Vec<Who> = Vec::new();
        for action in self.actions {
            match action {
                Action::SetField(who, field, _) if asks(*field) => changed.push(*who),
                Action::Remove(who) => changed.push(*who),
                Action::SetGlobal(global, _)
                    if body.mentions(&|part| *part == Expr::Global(*global)) =>
                {
                    return Err(Untold);
                }
                Action::SetMark(mark, _) if asks(*mark) => return Err(Untold),
                Action::Broadcast(broadcast)
                    if broadcast.assignments.iter().any(|(field, _)| asks(*field)) =>
                {
                    return Err(Untold);
                }
                // Whoever is new must not count.
                Action::Create(_, values) if may_hold(body, values) => return Err(Untold),
                _ => {}
            }
        }
        changed.sort_unstable();
        changed.dedup();
        Ok(changed)
    }

    /// Whether the step says that these are different processes.
    fn are_different(&self, people: &[Who]) -> bool {
        let rest = |at: usize| people[at + 1..].iter();
        let apart = |one: Who, two: Who| self.step.tells_apart(one, two);
        (0..people.len()).all(|at| rest(at).all(|other| apart(people[at], *other)))
    }

    /// A condition on one process, with the values that it has behind the step.
    fn anew(&self, body: &Expr, who: Who) -> Result<Expr, Untold> {
        let mut fields: Vec<(usize, Expr)> = Vec::new();
        for action in self.actions {
            match action {
                Action::Remove(gone) if *gone == who => return Ok(Expr::Constant(0)),
                Action::SetField(owner, field, assigned) if *owner == who => {
                    let new = exactly(assigned).ok_or(Untold)?;
                    fields.retain(|(known, _)| known != field);
                    fields.push((*field, new));
                }
                _ => {}
            }
        }
        Ok(simple(replaced(body, who, &fields)))
    }
}

/// The value that is assigned, if there is no choice.
fn exactly(assigned: &Assigned) -> Option<Expr> {
    match &assigned.value {
        Chosen::Exactly(expr) => Some(expr.clone()),
        Chosen::AnyOf(values) => match values[..] {
            [value] => Some(Expr::Constant(value)),
            _ => None,
        },
    }
}

/// Whether one that begins with some of these values may satisfy a condition; it may if that is not
/// plain to see.
fn may_hold(body: &Expr, values: &[Assigned]) -> bool {
    let known = values.iter().enumerate();
    let known = known.filter_map(|(field, assigned)| Some((field, exactly(assigned)?)));
    let known: Vec<(usize, Expr)> = known.collect();
    simple(replaced(body, 0, &known)) != Expr::Constant(0)
}

/// A plain condition on process 0, said of another one with some values of its own.
fn replaced(expr: &Expr, who: Who, fields: &[(usize, Expr)]) -> Expr {
    let inner = |expr: &Expr| Box::new(replaced(expr, who, fields));
    let each = |all: &[Expr]| all.iter().map(|part| replaced(part, who, fields)).collect();
    match expr {
        Expr::Field(_, field) => match fields.iter().find(|(known, _)| known == field) {
            Some((_, new)) => new.clone(),
            None => Expr::Field(who, *field),
        },
        Expr::Not(one) => Expr::Not(inner(one)),
        Expr::And(all) => Expr::And(each(all)),
        Expr::Or(all) => Expr::Or(each(all)),
        Expr::Compare(comparison, left, right) => {
            Expr::Compare(*comparison, inner(left), inner(right))
        }
        Expr::Arithmetic(arithmetic, left, right) => {
            Expr::Arithmetic(*arithmetic, inner(left), inner(right))
        }
        Expr::If(condition, yes, no) => Expr::If(inner(condition), inner(yes), inner(no)),
        other => other.clone(),
    }
}

/// A constant, where an expression is one.
fn simple(expr: Expr) -> Expr {
    let known = super::evaluate::Known {
        globals: None,
        people: Vec::new(),
        choices: &[],
    };
    match known.value(&expr) {
        Some(value) => Expr::Constant(value),
        None => expr,
    }
}
