//! The protocol with some processes watched: one waits, and never comes to have what it waits for;
//! or an automaton goes along, and accepts what happens.

use quotient_core::Span;

use super::followed::{Followed, somebody};
use super::possible::can_be_taken;
use crate::compile::{Followable, Part, product};
use crate::model::{
    Action, Assigned, Bound, Chosen, Condition, Demand, Domain, Expr, Fairness, Initial, Mark,
    Nature, Person, Protocol, Step, Topology, Value, Variable,
};

/// The step in which a process begins to be watched.
pub(super) const WAITS: &str = "begins to wait";
/// The step in which a process is seen when it can take no step.
pub(super) const CANNOT: &str = "cannot step";
/// The same for a step of a process that is to be fair, and for one that no process takes.
pub(super) const CANNOT_TAKE: &str = "cannot take a step";
pub(super) const CANNOT_HAPPEN: &str = "cannot happen";
/// The step of the automaton where nothing can happen any more.
pub(super) const NOTHING: &str = "nothing happens";
/// A step that only makes sure that all letters are there.
/// (No step of a protocol has a name of several words.)
pub(super) const AGAIN: &str = "all letters again";

/// A protocol whose progress is asked for.
pub(super) struct Watched<'a> {
    protocol: &'a Protocol,
    asks: Asks<'a>,
    /// The mark of the first process that is watched.
    mark: usize,
    asked: Vec<Asked>,
    /// What else is known where steps read one by one.
    aid: Option<&'a Followable>,
}

/// What must not happen.
enum Asks<'a> {
    /// A process satisfies the first condition, and never the second since.
    Waits(&'a Expr, &'a Expr),
    /// An automaton accepts the run.
    Follows(Followed<'a>),
}

/// The steps of a name that must have their turn, beside each process.
///
/// In the loop it is remembered whether they had it or were seen impossible (for all time: that
/// they are never possible is guessed at the freeze, and no step is taken where it is not so).
struct Asked {
    name: String,
    /// Whether a process takes them: then each process remembers, else the globals do.
    owned: bool,
    /// The field or global that says that they had their turn.
    done: usize,
    /// For strong fairness: the one that says that they are never possible.
    never: Option<usize>,
}

impl Asked {
    /// All that must have their turn, in fields and globals from these on: first stands who is
    /// watched (and where the automaton is), then this, then whether a process took any step (and
    /// what the automaton saw).
    fn of(protocol: &Protocol, (mut field, mut global): (usize, usize)) -> Vec<Asked> {
        let mut all: Vec<Asked> = Vec::new();
        for step in protocol.steps.iter().filter(|step| step.is_owed()) {
            let owned = !step.people.is_empty();
            let of_its_process = owned && step.fairness == Fairness::OfItsProcess;
            if of_its_process || all.iter().any(|known| known.name == step.name) {
                continue;
            }
            let next = if owned { &mut field } else { &mut global };
            let done = *next;
            let strong = step.fairness == Fairness::Strong;
            *next += if strong { 2 } else { 1 };
            all.push(Asked {
                name: step.name.clone(),
                owned,
                done,
                never: strong.then_some(done + 1),
            });
        }
        all
    }

    /// That they are taken.
    fn had(&self) -> Action {
        match self.owned {
            true => Action::SetField(0, self.done, any_of(vec![1])),
            false => Action::SetGlobal(self.done, any_of(vec![1])),
        }
    }

    /// What the process with a number, or what the globals remember at a place.
    fn is(&self, who: usize, at: usize) -> Expr {
        match self.owned {
            true => Expr::Field(who, at),
            false => Expr::Global(at),
        }
    }

    /// What is remembered at the freeze: the values of each place.
    fn at_the_freeze(&self) -> Vec<Vec<Value>> {
        let mut all = vec![vec![0]];
        all.extend(self.never.map(|_| vec![0, 1]));
        all
    }

    /// Whether values say that they had their turn.
    fn is_done(&self, values: &[Value]) -> bool {
        let is = |at: usize| values.get(at) == Some(&1);
        is(self.done) || self.never.is_some_and(is)
    }
}

impl<'a> Watched<'a> {
    /// Nothing if it is not asked that something happens.
    pub(super) fn new(
        protocol: &'a Protocol,
        demand: &'a Demand,
        aid: Option<&'a Followable>,
    ) -> Option<Watched<'a>> {
        let (fields, globals) = (protocol.fields.len(), protocol.globals.len());
        let (asks, from) = match demand {
            Demand::LeadsTo(from, to) => (Asks::Waits(from, to), (fields + 1, globals)),
            Demand::Happens(happens) => {
                let from = (fields + happens.people, globals + 1);
                (Asks::Follows(Followed::new(protocol, happens, aid)), from)
            }
            Demand::Never(_) | Demand::NoDeadlock => return None,
        };
        Some(Watched {
            protocol,
            asks,
            mark: fields,
            asked: Asked::of(protocol, from),
            aid,
        })
    }

    /// Whether somebody only looks at somebody in a step.
    fn is_look(&self, step: &Step) -> bool {
        (self.aid).is_some_and(|aid| aid.looks.contains(&step.name))
    }

    /// The steps whose possibility is sure.
    fn sure(&self) -> &'a [Step] {
        (self.aid).map_or(&self.protocol.steps, |aid| &aid.sure)
    }

    /// That process 0 can take a step for sure, or look at somebody.
    fn can_go_on(&self) -> Expr {
        let steps = (self.aid).map_or(&self.protocol.steps, |aid| &aid.goes_on);
        let own = steps
            .iter()
            .filter(|step| step.is_owed() && !step.people.is_empty());
        let looks = self.aid.map(|aid| aid.can_look.clone());
        Expr::Or(
            own.map(|step| can_be_taken(self.protocol, step))
                .chain(looks)
                .collect(),
        )
    }

    /// The field that marks the first process that is watched.
    pub(super) fn first_mark(&self) -> usize {
        self.mark
    }

    pub(super) fn topology(&self) -> Topology {
        self.protocol.topology
    }

    /// How many processes are watched.
    pub(super) fn marks(&self) -> usize {
        match &self.asks {
            Asks::Waits(..) => 1,
            Asks::Follows(followed) => followed.people(),
        }
    }

    /// Whether a process is watched that waits.
    pub(super) fn waits(&self) -> bool {
        matches!(self.asks, Asks::Waits(..))
    }

    /// Whether more can happen than in the protocol.
    pub(super) fn is_approximate(&self) -> bool {
        self.aid.is_some()
    }

    /// Before the loop: some process that begins to wait is marked, and goes on without getting
    /// what it waits for.
    pub(super) fn before(&self) -> Protocol {
        let steps = self.protocol.steps.iter();
        let mut steps: Vec<Step> = steps.flat_map(|step| self.along(step, false)).collect();
        let mut globals = Vec::new();
        let initial = match &self.asks {
            Asks::Waits(from, to) => {
                // Any process may be the one that is tracked.
                let tracked = self.aid.map(|aid| Expr::Field(0, aid.tracked));
                let mut waits = vec![(*from).clone(), not((*to).clone()), Expr::Nobody(self.mark)];
                waits.extend(tracked);
                let waits = Expr::And(waits);
                let begin = vec![Action::SetMark(self.mark, Some(0))];
                steps.push(own_step(WAITS, waits, begin));
                Initial::Nobody
            }
            Asks::Follows(followed) => {
                steps.extend(followed.where_nothing_happens(None));
                globals.push(followed.phase_variable());
                Initial::AnyProcess
            }
        };
        globals.extend(self.remembered(false, |_| vec![0]));
        self.with(self.marked(initial), globals, steps)
    }

    /// In the loop: everybody also remembers whether they took a step or were seen unable to.
    pub(super) fn in_loop(&self) -> Protocol {
        let remembered = |owned| self.remembered(owned, |values| values);
        let done = self.mark + self.marks() + remembered(true).len();
        let is_done = || Action::SetField(0, done, any_of(vec![1]));
        let mut steps = Vec::new();
        for mut step in (self.protocol.steps.iter()).flat_map(|step| self.along(step, true)) {
            if self.is_look(&step) {
                steps.push(step);
                continue;
            }
            let had = self.asked.iter().filter(|one| one.name == step.name);
            let mut also: Vec<Action> = had.map(Asked::had).collect();
            if step.is_owed() && !step.people.is_empty() {
                also.push(is_done());
            }
            let kept = self.as_guessed(step.people.len());
            step.guard = Expr::And(vec![step.guard, kept]);
            step.alternatives
                .iter_mut()
                .for_each(|actions| actions.extend(also.iter().cloned()));
            steps.push(step);
        }
        let cannot = vec![
            not(Expr::Field(0, done)),
            not(self.can_go_on()),
            self.as_guessed(1),
        ];
        if self.protocol.has_processes {
            steps.push(own_step(CANNOT, Expr::And(cannot), vec![is_done()]));
        }
        for one in self.asked.iter().filter(|one| one.never.is_none()) {
            let cannot = vec![not(one.is(0, one.done)), not(self.possible(one))];
            let mut step = own_step(CANNOT_TAKE, Expr::And(cannot), vec![one.had()]);
            if !one.owned {
                step.name = CANNOT_HAPPEN.to_owned();
                step.people.clear();
            }
            steps.push(step);
        }
        // Never taken: whoever has any values at the freeze has not taken a step yet.
        let mut again = Vec::new();
        for one in &self.asked {
            for (at, values) in (one.done..).zip(one.at_the_freeze()) {
                again.push(match one.owned {
                    true => Action::SetField(0, at, any_of(values)),
                    false => Action::SetGlobal(at, any_of(values)),
                });
            }
        }
        let mut globals = remembered(false);
        if let Asks::Follows(followed) = &self.asks {
            let promises = self.protocol.globals.len() + 1 + globals.len();
            steps.extend(followed.where_nothing_happens(Some(promises)));
            globals.insert(0, followed.phase_variable());
            for promise in 0..followed.promises() {
                let name = format!("kept {promise}");
                globals.push(added(&name, Initial::Values(vec![0]), None));
                again.push(Action::SetGlobal(promises + promise, any_of(vec![0])));
            }
        }
        let mut fields = self.marked(Initial::AnyProcess);
        fields.extend(remembered(true));
        let mut step = own_step(AGAIN, Expr::TRUE, again);
        match self.protocol.has_processes {
            true => {
                fields.push(added("done", Initial::Values(vec![0]), None));
                step.alternatives[0].push(Action::SetField(0, done, any_of(vec![0])));
            }
            false => step.people.clear(),
        }
        steps.push(step);
        self.with(fields, globals, steps)
    }

    /// A step of the protocol with what becomes of those that are watched.
    fn along(&self, step: &Step, in_loop: bool) -> Vec<Step> {
        if self.is_look(step) {
            return vec![step.clone()];
        }
        match &self.asks {
            Asks::Waits(_, to) => vec![self.in_vain(step, to)],
            Asks::Follows(followed) => {
                let promises = || {
                    let remembered = self.remembered(false, |values| values);
                    self.protocol.globals.len() + 1 + remembered.len()
                };
                followed.along(step, in_loop.then(promises))
            }
        }
    }

    /// Variables for what is remembered, of processes or globals.
    fn remembered(&self, owned: bool, begins: impl Fn(Vec<Value>) -> Vec<Value>) -> Vec<Variable> {
        let asked = self.asked.iter().filter(|one| one.owned == owned);
        let each = asked.flat_map(|one| {
            let places = one.at_the_freeze().into_iter().enumerate();
            places.map(|(place, values)| {
                let what = if place == 0 { "had" } else { "never" };
                let name = format!("{what} {}", one.name);
                added(&name, Initial::Values(begins(values)), None)
            })
        });
        each.collect()
    }

    /// That steps of a name can be taken, by process 0 if one takes them.
    fn possible(&self, one: &Asked) -> Expr {
        let own = (self.sure().iter()).filter(|step| step.name == one.name);
        Expr::Or(own.map(|step| can_be_taken(self.protocol, step)).collect())
    }

    /// That nothing is possible that was guessed never to be, in a step with this many people.
    pub(super) fn as_guessed(&self, people: usize) -> Expr {
        let mut all = Vec::new();
        for one in &self.asked {
            let Some(never) = one.never else { continue };
            let wrong = Expr::And(vec![
                one.is(people, never),
                self.possible(one).shifted(0, people),
            ]);
            all.push(not(match one.owned {
                true => Expr::Quantified {
                    exists: true,
                    bound: Bound::default(),
                    body: Box::new(wrong),
                },
                false => wrong,
            }));
        }
        Expr::And(all)
    }

    /// What a part of a configuration before the loop may be at the freeze.
    pub(super) fn at_the_freeze(&self, part: &Part) -> Vec<Part> {
        let asked = |owned: bool| {
            let asked = self.asked.iter().filter(move |one| one.owned == owned);
            asked.flat_map(Asked::at_the_freeze)
        };
        match part {
            Part::Process(values) => {
                let more = product(asked(true)).into_iter();
                more.map(|more| Part::Process([values.as_slice(), &more, &[0]].concat()))
                    .collect()
            }
            Part::Globals(values) => {
                let own = &values[..self.own_globals().min(values.len())];
                let kept = vec![0; self.promises()];
                let more = product(asked(false)).into_iter();
                more.map(|more| Part::Globals([own, &more, &kept].concat()))
                    .collect()
            }
            other => vec![other.clone()],
        }
    }

    /// Whether a step behind the freeze is one of the run, not one that says who can take none.
    pub(super) fn is_of_the_run(step: &Step) -> bool {
        ![CANNOT, CANNOT_TAKE, CANNOT_HAPPEN].contains(&step.name.as_str())
    }

    /// Where it is guessed at the freeze that something is never possible again: whether each process
    /// has its own guess, and the field or global.
    pub(super) fn guessed(&self) -> impl Iterator<Item = (bool, usize)> {
        let asked = self.asked.iter();
        asked.filter_map(|one| Some((one.owned, one.never?)))
    }

    /// What a process remembers that comes to be behind the freeze: it had its turn, and nothing was
    /// guessed of it.
    pub(super) fn of_the_new(&self, field: usize) -> Value {
        let guess = self.guessed().any(|guessed| guessed == (true, field));
        Value::from(!guess)
    }

    /// That everybody had their turn behind the freeze, and it is still not so that is asked for: who is
    /// watched is there and waits, the automaton has kept its promises.
    pub(super) fn had_their_turn(&self) -> Expr {
        let is_done = |one: &Asked| {
            let places = std::iter::once(one.done).chain(one.never);
            Expr::Or(places.map(|at| one.is(0, at)).collect())
        };
        let asked = |owned: bool| self.asked.iter().filter(move |one| one.owned == owned);
        let mut all: Vec<Expr> = asked(false).map(is_done).collect();
        if self.protocol.has_processes {
            let done = self.mark + self.marks() + self.remembered(true, |values| values).len();
            let mut own = vec![Expr::Field(0, done)];
            own.extend(asked(true).map(is_done));
            all.push(not(somebody(not(Expr::And(own)))));
        }
        all.push(self.may_freeze());
        // The run goes on from here, and what was guessed is so for ever.
        all.push(self.as_guessed(0));
        if let Asks::Follows(_) = &self.asks {
            let marks = self.mark..self.mark + self.marks();
            all.extend(marks.map(|mark| not(Expr::Nobody(mark))));
            let remembered = self.remembered(false, |values| values).len();
            let promises = self.protocol.globals.len() + 1 + remembered;
            let kept = (promises..).take(self.promises());
            all.extend(kept.map(Expr::Global));
        }
        Expr::And(all)
    }

    /// Whether a part in the loop is as it was before, and all had their turn that it speaks of.
    pub(super) fn is_back(&self, now: &Part, then: &Part) -> bool {
        let had = |owned: bool, values: &[Value]| {
            let mut asked = self.asked.iter().filter(|one| one.owned == owned);
            asked.all(|one| one.is_done(values))
        };
        match (now, then) {
            (Part::Process(now), Part::Process(then)) => {
                now.last() == Some(&1) && now.starts_with(then) && had(true, now)
            }
            (Part::Globals(now), Part::Globals(then)) => {
                let own = self.own_globals();
                let kept = &now[now.len().saturating_sub(self.promises())..];
                now.get(..own) == then.get(..own)
                    && had(false, now)
                    && kept.iter().all(|kept| *kept == 1)
            }
            (now, then) => now == then,
        }
    }

    /// How many globals must be as they were.
    fn own_globals(&self) -> usize {
        self.protocol.globals.len() + usize::from(!self.waits())
    }

    /// How many promises the automaton must have kept in the loop.
    fn promises(&self) -> usize {
        match &self.asks {
            Asks::Waits(..) => 0,
            Asks::Follows(followed) => followed.promises(),
        }
    }

    /// Where the loop may begin: somebody is marked and does not have what it waits for; or the
    /// automaton is where it can stay.
    pub(super) fn may_freeze(&self) -> Expr {
        match &self.asks {
            Asks::Waits(_, to) => Expr::Quantified {
                exists: true,
                bound: Bound::default(),
                body: Box::new(Expr::And(vec![
                    Expr::Field(0, self.mark),
                    not((*to).clone()),
                ])),
            },
            Asks::Follows(followed) => followed.may_stay(),
        }
    }

    /// The step as long as the process that is watched does not have what it waits for.
    fn in_vain(&self, step: &Step, to: &Expr) -> Step {
        let people = step.people.len();
        let got_it = Expr::And(vec![Expr::Field(people, self.mark), to.shifted(0, people)]);
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

    fn marked(&self, initial: Initial) -> Vec<Variable> {
        let optional = self.waits();
        let mark = |number: usize| {
            let name = match number {
                0 => "waits".to_owned(),
                more => format!("waits {}", more + 1),
            };
            added(&name, initial.clone(), Some(Mark { optional }))
        };
        (0..self.marks()).map(mark).collect()
    }

    fn with(&self, fields: Vec<Variable>, globals: Vec<Variable>, steps: Vec<Step>) -> Protocol {
        let mut protocol = self.protocol.clone();
        protocol.fields.extend(fields);
        protocol.globals.extend(globals);
        protocol.steps = steps;
        protocol.properties.clear();
        if let (Some(aid), Asks::Follows(followed)) = (self.aid, &self.asks)
            && followed.people() > 0
        {
            let other = Expr::Quantified {
                exists: true,
                bound: Bound::default(),
                body: Box::new(Expr::And(vec![
                    Expr::Field(0, self.mark),
                    not(Expr::Field(0, aid.tracked)),
                ])),
            };
            protocol.initially.push(Condition::Holds(not(other)));
            protocol.initially_places.push(Span::default());
        }
        // Those who are watched are different.
        for second in 1..self.marks() {
            for first in 0..second {
                let marked = |number| Expr::Field(0, self.mark + number);
                let both = Expr::Quantified {
                    exists: true,
                    bound: Bound::default(),
                    body: Box::new(Expr::And(vec![marked(first), marked(second)])),
                };
                protocol.initially.push(Condition::Holds(not(both)));
                protocol.initially_places.push(Span::default());
            }
        }
        protocol
    }
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
        fairness: Fairness::default(),
        nature: Nature::default(),
    }
}

pub(super) fn added(name: &str, initial: Initial, mark: Option<Mark>) -> Variable {
    Variable {
        name: name.to_owned(),
        domain: Domain::Bool,
        initial,
        mark,
        auxiliary: true,
        span: Span::default(),
    }
}

pub(super) fn any_of(values: Vec<Value>) -> Assigned {
    Assigned {
        value: Chosen::AnyOf(values),
        span: Span::default(),
    }
}

pub(super) fn not(expr: Expr) -> Expr {
    Expr::Not(Box::new(expr))
}
