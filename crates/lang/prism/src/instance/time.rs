//! Time that passes, for models with clocks: digital clocks.
//!
//! A probabilistic timed automaton whose conditions on clocks are closed (`<=`, `>=`, `=`) and
//! compare one clock with a whole number has the same best and worst chances of reaching a state,
//! and the same expected rewards, if clocks count whole units of time only (Kwiatkowska, Norman,
//! Parker, Sproston 2006). So a clock becomes a variable that stops one behind the greatest number
//! that it is ever compared with, and there is one more command, which lets time pass by one unit
//! for all clocks at once, as long as all invariants still hold then.

use quotient_core::{Diagnostic, Source, Span};

use super::{Command, Earned, Instance, Item, Ready, Structure, Texts, Update, Value};
use crate::evidence::is_state_formula;
use crate::instance::Term;
use crate::syntax::{Ahead, Body, Filter, Join, Name, Node, System, Tree, Until, Vector};

/// How time passes.
#[derive(Debug)]
pub(crate) struct Time {
    /// The action that is a unit of time, from 1; 0 as long as it is not known.
    action: u32,
    /// What it is called.
    name: String,
    /// The greatest number that each variable is compared with, if it is a clock.
    most: Vec<Option<i64>>,
    /// What must hold in every state.
    pub(crate) invariants: Vec<(Term, Span)>,
    /// The reward structure that earns one for each unit of time.
    pub(crate) structure: usize,
}

/// A clock that counts further than this makes a model too large anyway.
const LONGEST: i64 = 1 << 24;

impl Instance {
    /// Adds the command that lets time pass, and finds how far clocks must count.
    pub(super) fn let_time_pass(
        &mut self,
        texts: &Texts,
        ready: &[Ready<'_>],
        system: &mut Option<System>,
        mistakes: &mut Vec<Diagnostic>,
    ) {
        let mut invariants = Vec::new();
        for module in ready {
            if let Some(tree) = &module.module.invariant
                && let Some(term) = self.condition(tree, Some(&module.renaming), mistakes)
            {
                invariants.push((term, tree.span));
            }
        }
        let clocks = self.variables.iter();
        let mut most: Vec<Option<i64>> = clocks.map(|one| one.clock.then_some(0)).collect();
        if let Err(wrong) = self.find_most(&invariants, &mut most) {
            mistakes.extend(wrong);
            return;
        }
        self.look_at_formulas(texts, &mut most);
        for (variable, most) in self.variables.iter_mut().zip(&most) {
            if let Some(most) = most {
                variable.high = most + 1;
            }
        }
        let mut name = "time".to_owned();
        while self.commands.iter().any(|one| one.action == name) {
            name.push('_');
        }
        let span = ready.first().map_or(Span::new(0, 0), |module| module.span);
        let later = invariants.iter().map(|(term, _)| self.later(term));
        let guard = later
            .reduce(|left, right| Term::Two(Join::And, Box::new(left), Box::new(right)))
            .unwrap_or(Term::Value(Value::Truth(true)));
        let ticks = most.iter().enumerate().filter_map(|(variable, most)| {
            let next = self.later(&Term::Variable(variable, false));
            let most = Term::Value(Value::Whole((*most)? + 1));
            Some((variable, Term::Call(Name::Min, vec![next, most])))
        });
        let update = Update {
            weight: Term::Value(Value::Whole(1)),
            assignments: ticks.collect(),
            span,
        };
        let module = self.modules.len();
        self.modules.push((name.clone(), span));
        self.commands.push(Command {
            rated: false,
            module,
            action: name.clone(),
            guard,
            updates: vec![update],
            span,
        });
        *system = system.take().map(|system| match system {
            System::Vectors(mut vectors) => {
                vectors.push(Vector {
                    parts: vec![(module, name.clone())],
                    result: name.clone(),
                });
                System::Vectors(vectors)
            }
            other => {
                let time = System::Module(name.clone(), span);
                System::On(Box::new(other), Vec::new(), Box::new(time))
            }
        });
        self.time = Some(Time {
            action: 0,
            name,
            most,
            invariants,
            structure: 0,
        });
    }

    /// Finds the numbers that commands and invariants compare clocks with.
    fn find_most(
        &self,
        invariants: &[(Term, Span)],
        most: &mut [Option<i64>],
    ) -> Result<(), Vec<Diagnostic>> {
        let mut mistakes = Vec::new();
        let mut keep = |found: Result<(), String>, span: Span| {
            if let Err(message) = found {
                mistakes.push(refused(message, &self.source, span));
            }
        };
        for (term, span) in invariants {
            keep(self.closed(term, true, most), *span);
        }
        for command in &self.commands {
            keep(self.closed(&command.guard, true, most), command.span);
            for update in &command.updates {
                keep(self.without_clocks(&update.weight), update.span);
                for (variable, value) in &update.assignments {
                    let found = match (&mut most[*variable], value) {
                        (Some(most), Term::Value(value)) => set_to(most, value),
                        (Some(_), _) => Err("a clock is set to a whole number".to_owned()),
                        (None, value) => self.without_clocks(value),
                    };
                    keep(found, update.span);
                }
            }
        }
        if most.iter().flatten().any(|&most| most >= LONGEST) {
            let message = format!("a clock is compared with more than {LONGEST}");
            keep(Err(message), Span::new(0, 0));
        }
        match mistakes.is_empty() {
            true => Ok(()),
            false => Err(mistakes),
        }
    }

    /// Labels and properties compare clocks, too. What cannot be checked is told by those who ask.
    fn look_at_formulas(&self, texts: &Texts, most: &mut [Option<i64>]) {
        let of_model = texts.model.labels.iter().map(|one| (one, &texts.source));
        let of_file = texts.properties.labels.iter();
        let of_file = of_file.map(|one| (one, &texts.properties_source));
        let mut look = |tree: &Tree, source: &Source| {
            let mut more = most.to_vec();
            if self.closed_formula(tree, source, true, &mut more).is_ok() {
                let fits = more.iter().flatten().all(|&most| most < LONGEST);
                if fits {
                    most.clone_from_slice(&more);
                }
            }
        };
        for (label, source) in of_model.chain(of_file) {
            look(&label.tree, source);
        }
        for property in &texts.properties.properties {
            look(&property.tree, &texts.properties_source);
        }
    }

    /// State rewards are earned per unit of time; steps are those that are not time.
    pub(super) fn earn_by_time(&mut self, mistakes: &mut Vec<Diagnostic>) {
        let Some(time) = &self.time else { return };
        let at = self.actions.iter().position(|one| *one == time.name);
        let action = at.map_or(u32::MAX, |at| at as u32 + 1);
        for structure in &self.rewards {
            for item in &structure.items {
                for term in [&item.guard, &item.value] {
                    if let Err(message) = self.without_clocks(term) {
                        mistakes.push(refused(message, &self.source, item.span));
                    }
                }
            }
        }
        let others = (0..=self.actions.len() as u32).filter(|&one| one != action);
        let others: Vec<u32> = others.collect();
        for structure in &mut self.rewards {
            let items = std::mem::take(&mut structure.items);
            for item in items {
                match item.earns {
                    Earned::State => structure.items.push(Item {
                        earns: Earned::Action(action),
                        ..item
                    }),
                    Earned::Step => structure.items.extend(others.iter().map(|&one| Item {
                        earns: Earned::Action(one),
                        ..item.clone()
                    })),
                    _ => structure.items.push(item),
                }
            }
        }
        let span = self.commands.last().map_or(Span::new(0, 0), |one| one.span);
        self.rewards.push(Structure {
            name: None,
            items: vec![Item {
                earns: Earned::Action(action),
                guard: Term::Value(Value::Truth(true)),
                value: Term::Value(Value::Whole(1)),
                span,
            }],
        });
        let structure = self.rewards.len() - 1;
        if let Some(time) = &mut self.time {
            time.action = action;
            time.structure = structure;
        }
    }

    /// Whether a property can be asked about a model with clocks.
    pub(crate) fn fits_time(&self, tree: &Tree, source: &Source) -> Result<(), Diagnostic> {
        let Some(time) = &self.time else {
            return Ok(());
        };
        let mut most = time.most.clone();
        let found = self.closed_formula(tree, source, true, &mut most);
        found.map_err(|(message, span)| refused(message, source, span))?;
        if most != time.most {
            let message = "a clock is compared with a greater number than anywhere in the files";
            return Err(refused(message.to_owned(), source, tree.span)
                .help("write this property into the file of properties"));
        }
        Ok(())
    }

    /// Whether all conditions on clocks are closed; notes the numbers they are compared with.
    fn closed_formula(
        &self,
        tree: &Tree,
        source: &Source,
        positive: bool,
        most: &mut [Option<i64>],
    ) -> Result<(), (String, Span)> {
        let span = tree.span;
        if crate::check::is_plain(tree) {
            let term = self.names.term(tree, source, None);
            let term = term.map_err(|error| (error.message, span))?;
            let found = match term.sort() {
                crate::syntax::Sort::Truth => self.closed(&term, positive, most),
                _ => self.without_clocks(&term),
            };
            return found.map_err(|message| (message, span));
        }
        let untimed = |what: &str| Err((format!("{what} cannot be checked with clocks"), span));
        let labelled = match &tree.node {
            Node::Label(name) => self.labels.iter().find(|(one, ..)| one == name),
            _ => None,
        };
        if let Some((_, term, _)) = labelled {
            let found = self.closed(term, positive, most);
            return found.map_err(|message| (message, span));
        }
        let mut part =
            |tree: &Tree, positive: bool| self.closed_formula(tree, source, positive, most);
        match &tree.node {
            Node::Refused(_) => Ok(()),
            Node::Label(name) if matches!(name.as_str(), "init" | "deadlock") => Ok(()),
            // When numbers are gathered, labels are looked at by themselves.
            Node::Label(_) if self.time.is_none() => Ok(()),
            Node::Label(_) => untimed("another property"),
            Node::Not(of) => part(of, !positive),
            Node::Two(Join::Implies, left, right) => {
                part(left, !positive)?;
                part(right, positive)
            }
            Node::Two(_, left, right) => {
                part(left, positive)?;
                part(right, positive)
            }
            Node::Negative(of) => part(of, positive),
            Node::If(one, two, three) => {
                part(one, positive)?;
                part(one, !positive)?;
                part(two, positive)?;
                part(three, positive)
            }
            Node::Filter(filter) => {
                let Filter { of, states, .. } = &**filter;
                part(of, positive)?;
                states.iter().try_for_each(|states| part(states, true))
            }
            Node::Chance(chance) => match &chance.body {
                Body::Formula(path) if chance.given.is_none() => part(path, true),
                _ => untimed("such a question"),
            },
            Node::Quantified(..) => untimed("`E` and `A`"),
            Node::Ahead(Ahead::Next, ..) => untimed("`X`"),
            Node::Ahead(Ahead::Finally, _, of) if is_state_formula(of) => part(of, true),
            Node::Ahead(Ahead::Globally, _, of) if is_state_formula(of) => part(of, false),
            Node::Until(Until::Strong, _, left, right)
                if is_state_formula(left) && is_state_formula(right) =>
            {
                part(left, true)?;
                part(right, true)
            }
            _ => untimed("such a path"),
        }
    }

    /// Whether conditions on clocks are closed, or their opposite is (not positive).
    fn closed(&self, term: &Term, positive: bool, most: &mut [Option<i64>]) -> Result<(), String> {
        if self.without_clocks(term).is_ok() {
            return Ok(());
        }
        match term {
            Term::Not(of) => self.closed(of, !positive, most),
            Term::Two(Join::And | Join::Or, left, right) => {
                self.closed(left, positive, most)?;
                self.closed(right, positive, most)
            }
            Term::Two(Join::Implies, left, right) => {
                self.closed(left, !positive, most)?;
                self.closed(right, positive, most)
            }
            Term::If(condition, one, other) => {
                self.without_clocks(condition)?;
                self.closed(one, positive, most)?;
                self.closed(other, positive, most)
            }
            Term::Two(how, left, right) => {
                let (clock, how, number) = match (self.clock(left), self.clock(right)) {
                    (Some(clock), None) => (clock, *how, right),
                    (None, Some(clock)) => (clock, turned(*how), left),
                    _ => return Err("a clock is compared with a number".to_owned()),
                };
                self.without_clocks(number)?;
                let closed = matches!(how, Join::AtMost | Join::AtLeast | Join::Equal);
                if closed != positive {
                    return Err(CLOSED.to_owned());
                }
                let (low, high) = self
                    .range(number)
                    .ok_or("a clock is compared with a whole number".to_owned())?;
                let further = low.abs().max(high.abs());
                most[clock] = most[clock].map(|most| most.max(further));
                Ok(())
            }
            _ => Err("clocks are only compared with numbers".to_owned()),
        }
    }

    fn clock(&self, term: &Term) -> Option<usize> {
        match term {
            Term::Variable(variable, _) if self.variables[*variable].clock => Some(*variable),
            _ => None,
        }
    }

    fn without_clocks(&self, term: &Term) -> Result<(), String> {
        let mut parts = vec![term];
        while let Some(term) = parts.pop() {
            match term {
                Term::Value(_) => {}
                Term::Variable(..) if self.clock(term).is_some() => {
                    return Err("clocks are only compared with numbers".to_owned());
                }
                Term::Variable(..) => {}
                Term::Not(of) | Term::Negative(of) => parts.push(of),
                Term::Two(_, left, right) => parts.extend([&**left, &**right]),
                Term::If(one, two, three) => parts.extend([&**one, &**two, &**three]),
                Term::Call(_, all) => parts.extend(all),
            }
        }
        Ok(())
    }

    /// The least and greatest whole number that a term can be, by the ranges of variables.
    fn range(&self, term: &Term) -> Option<(i64, i64)> {
        let corners = |left: (i64, i64), right: (i64, i64), with: fn(i64, i64) -> Option<i64>| {
            let pairs = [
                (left.0, right.0),
                (left.0, right.1),
                (left.1, right.0),
                (left.1, right.1),
            ];
            let all: Option<Vec<i64>> = pairs.into_iter().map(|(a, b)| with(a, b)).collect();
            let all = all?;
            Some((*all.iter().min()?, *all.iter().max()?))
        };
        match term {
            Term::Value(value) => {
                let number = value.number();
                let fits = number.fract() == 0.0 && number.abs() < 1e15;
                fits.then_some((number as i64, number as i64))
            }
            Term::Variable(variable, false) => {
                let variable = &self.variables[*variable];
                Some((variable.low, variable.high))
            }
            Term::Negative(of) => {
                let (low, high) = self.range(of)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            Term::Two(how, left, right) => {
                let (left, right) = (self.range(left)?, self.range(right)?);
                match how {
                    Join::Plus => corners(left, right, i64::checked_add),
                    Join::Minus => corners(left, right, i64::checked_sub),
                    Join::Times => corners(left, right, i64::checked_mul),
                    _ => None,
                }
            }
            Term::If(_, one, other) => {
                let (one, other) = (self.range(one)?, self.range(other)?);
                Some((one.0.min(other.0), one.1.max(other.1)))
            }
            Term::Call(Name::Min | Name::Max, parts) => {
                let all: Option<Vec<(i64, i64)>> =
                    parts.iter().map(|part| self.range(part)).collect();
                let all = all?;
                let low = all.iter().map(|one| one.0).min()?;
                Some((low, all.iter().map(|one| one.1).max()?))
            }
            _ => None,
        }
    }

    /// A condition, one unit of time later.
    fn later(&self, term: &Term) -> Term {
        let part = |term: &Term| Box::new(self.later(term));
        match term {
            Term::Variable(..) if self.clock(term).is_some() => {
                let one = Term::Value(Value::Whole(1));
                Term::Two(Join::Plus, Box::new(term.clone()), Box::new(one))
            }
            Term::Value(_) | Term::Variable(..) => term.clone(),
            Term::Not(of) => Term::Not(part(of)),
            Term::Negative(of) => Term::Negative(part(of)),
            Term::Two(how, left, right) => Term::Two(*how, part(left), part(right)),
            Term::If(one, two, three) => Term::If(part(one), part(two), part(three)),
            Term::Call(name, parts) => {
                Term::Call(*name, parts.iter().map(|one| self.later(one)).collect())
            }
        }
    }
}

fn set_to(most: &mut i64, value: &Value) -> Result<(), String> {
    let number = value.number();
    if number.fract() != 0.0 || !(0.0..LONGEST as f64).contains(&number) {
        return Err("a clock is set to a whole number, mostly zero".to_owned());
    }
    *most = (*most).max(number as i64);
    Ok(())
}

/// The same comparison, read from the right.
fn turned(how: Join) -> Join {
    match how {
        Join::Less => Join::Greater,
        Join::AtMost => Join::AtLeast,
        Join::Greater => Join::Less,
        Join::AtLeast => Join::AtMost,
        other => other,
    }
}

const CLOSED: &str = "conditions on clocks are closed: `<=`, `>=` and `=`";

fn refused(message: String, source: &Source, span: Span) -> Diagnostic {
    let strict = message == CLOSED;
    let error = Diagnostic::error("clock", message).at(source, span, "");
    match strict {
        true => error.help(
            "digital clocks have whole numbers alone, so `x<3` is neither `x<=3` nor `x<=2`: write \
             that of the two which is meant",
        ),
        false => error,
    }
}
