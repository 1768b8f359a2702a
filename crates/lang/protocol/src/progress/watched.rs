//! The protocol with one process watched: it waits, and never comes to have what it waits for.

use quotient_core::Span;

use crate::compile::product;
use crate::model::{
    Action, Assigned, Bound, Chosen, Demand, Domain, Expr, Initial, Mark, Person, Protocol, Step,
    Value, Variable,
};

/// The step in which a process begins to be watched.
pub(super) const WAITS: &str = "begins to wait";
/// The step in which a process is seen when it can take no step.
pub(super) const CANNOT: &str = "cannot step";
/// A step that only makes sure that all letters are there.
pub(super) const AGAIN: &str = "again";

/// A protocol whose progress is asked for.
pub(super) struct Watched<'a> {
    protocol: &'a Protocol,
    from: &'a Expr,
    to: &'a Expr,
    /// The mark of the process that is watched.
    mark: usize,
}

impl<'a> Watched<'a> {
    pub(super) fn new(protocol: &'a Protocol, from: &'a Expr, to: &'a Expr) -> Watched<'a> {
        Watched {
            protocol,
            from,
            to,
            mark: protocol.fields.len(),
        }
    }

    /// Before the loop: some process that begins to wait is marked, and goes on without getting
    /// what it waits for.
    pub(super) fn before(&self) -> Protocol {
        let mut steps: Vec<Step> = (self.protocol.steps.iter())
            .map(|step| self.in_vain(step))
            .collect();
        let waits = Expr::And(vec![
            self.from.clone(),
            not(self.to.clone()),
            Expr::Nobody(self.mark),
        ]);
        let begin = vec![Action::SetMark(self.mark, Some(0))];
        steps.push(own_step(WAITS, waits, begin));
        self.with(vec![self.marked(Initial::Nobody)], steps)
    }

    /// In the loop: everybody also remembers whether they took a step or were seen unable to.
    pub(super) fn in_loop(&self) -> Protocol {
        let done = self.mark + 1;
        let is_done = || Action::SetField(0, done, any_of(vec![1]));
        let mut steps = Vec::new();
        for step in &self.protocol.steps {
            let mut step = self.in_vain(step);
            if !step.people.is_empty() {
                step.alternatives
                    .iter_mut()
                    .for_each(|actions| actions.push(is_done()));
            }
            steps.push(step);
        }
        let own = self
            .protocol
            .steps
            .iter()
            .filter(|step| !step.people.is_empty());
        let can = Expr::Or(own.map(can_be_taken).collect());
        let cannot = Expr::And(vec![not(Expr::Field(0, done)), not(can)]);
        steps.push(own_step(CANNOT, cannot, vec![is_done()]));
        // Never taken: whoever has any values at the freeze has not taken a step yet.
        let again = Action::SetField(0, done, any_of(vec![0]));
        steps.push(own_step(AGAIN, Expr::TRUE, vec![again]));
        let fields = vec![
            self.marked(Initial::AnyProcess),
            added("done", Initial::Values(vec![0]), None),
        ];
        self.with(fields, steps)
    }

    /// Somebody is marked and does not have what it waits for.
    pub(super) fn somebody_waits(&self) -> Expr {
        Expr::Quantified {
            exists: true,
            bound: Bound::default(),
            body: Box::new(Expr::And(vec![
                Expr::Field(0, self.mark),
                not(self.to.clone()),
            ])),
        }
    }

    /// The step as long as the process that is watched does not have what it waits for.
    fn in_vain(&self, step: &Step) -> Step {
        let people = step.people.len();
        let got_it = Expr::And(vec![
            Expr::Field(people, self.mark),
            self.to.shifted(0, people),
        ]);
        let somebody_got_it = Expr::Quantified {
            exists: true,
            bound: Bound::default(),
            body: Box::new(got_it),
        };
        Step {
            guard: Expr::And(vec![step.guard.clone(), not(somebody_got_it)]),
            ..step.clone()
        }
    }

    fn marked(&self, initial: Initial) -> Variable {
        added("waits", initial, Some(Mark { optional: true }))
    }

    fn with(&self, fields: Vec<Variable>, steps: Vec<Step>) -> Protocol {
        let mut protocol = self.protocol.clone();
        protocol.fields.extend(fields);
        protocol.steps = steps;
        protocol.properties.clear();
        protocol
    }
}

/// That there are witnesses and values with which the step can be taken.
fn can_be_taken(step: &Step) -> Expr {
    let domains = step.choices.iter().map(|(_, domain)| domain.values());
    let choices = product(domains);
    let guards = choices.iter().map(|choice| step.guard.with_choices(choice));
    let mut can = Expr::Or(guards.collect());
    for _ in 1..step.people.len() {
        can = Expr::Quantified {
            exists: true,
            bound: Bound::default(),
            body: Box::new(can),
        };
    }
    can
}

fn own_step(name: &str, guard: Expr, actions: Vec<Action>) -> Step {
    Step {
        name: name.to_owned(),
        span: Span::default(),
        people: vec![Person {
            name: "self".to_owned(),
        }],
        choices: Vec::new(),
        guard,
        readings: Vec::new(),
        alternatives: vec![actions],
        import: None,
    }
}

fn added(name: &str, initial: Initial, mark: Option<Mark>) -> Variable {
    Variable {
        name: name.to_owned(),
        domain: Domain::Bool,
        initial,
        mark,
        auxiliary: true,
        span: Span::default(),
    }
}

fn any_of(values: Vec<Value>) -> Assigned {
    Assigned {
        value: Chosen::AnyOf(values),
        span: Span::default(),
    }
}

fn not(expr: Expr) -> Expr {
    Expr::Not(Box::new(expr))
}

impl Protocol {
    /// The conditions of a property that says what must happen.
    pub(crate) fn leads_to(&self, property: &str) -> Option<(&Expr, &Expr)> {
        let found = self
            .properties
            .iter()
            .find(|known| known.name == property)?;
        match &found.demand {
            Demand::LeadsTo(from, to) => Some((from, to)),
            _ => None,
        }
    }

    /// Why progress cannot be asked for, if it cannot.
    pub(crate) fn no_progress_because(&self) -> Option<&'static str> {
        let actions = || (self.steps.iter()).flat_map(|step| step.alternatives.iter().flatten());
        if self.reads_one_by_one() {
            return Some("a step reads one by one, and may look too late to see what it waits for");
        }
        if self.imports_steps() {
            return Some("a step comes from a file, which does not say who takes it");
        }
        if !self.channels.is_empty() {
            return Some("stacks, queues and logs grow, so that runs need not repeat");
        }
        if actions().any(|action| matches!(action, Action::Create(..) | Action::Remove(_))) {
            return Some("processes are created or removed, so that runs need not repeat");
        }
        None
    }
}
