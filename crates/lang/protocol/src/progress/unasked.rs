//! Why it cannot be asked that something happens, where it cannot.

use crate::model::{Action, ChannelKind, Condition, Demand, Expr, Protocol};

impl Protocol {
    /// Whether a step sets a variable of another process that says whether it reads one by one:
    /// then it may forget without taking a step.
    fn readings_may_be_disturbed(&self) -> bool {
        let goes_by = |field: usize| {
            let is = |part: &Expr| matches!(part, Expr::Field(_, known) if *known == field);
            self.readings().any(|reading| reading.own.mentions(&is))
        };
        let disturbs = |action: &Action| match action {
            Action::SetField(who, field, _) => *who != 0 && goes_by(*field),
            Action::Broadcast(broadcast) => {
                let mut fields = broadcast.assignments.iter();
                fields.any(|(field, _)| goes_by(*field))
            }
            _ => false,
        };
        let mut actions = (self.steps.iter()).flat_map(|step| step.alternatives.iter().flatten());
        actions.any(disturbs)
    }

    /// Why no loop can be looked for, if none can.
    pub(crate) fn no_progress_because(&self, demand: &Demand) -> Option<&'static str> {
        let why = self.no_rounds_because(demand);
        if why.is_some() {
            return why;
        }
        if !self.channels.is_empty() {
            return Some("stacks, queues and logs grow, so that runs need not repeat");
        }
        if self.creates() || self.removes() {
            return Some("processes are created or removed, so that runs need not repeat");
        }
        None
    }

    /// Why this cannot be asked for at all, if it cannot.
    pub(crate) fn no_rounds_because(&self, demand: &Demand) -> Option<&'static str> {
        if self.reads_one_by_one() && demand.speaks_of_the_next_step() {
            return Some(
                "a look takes time, so that `next` means nothing where steps read one by one",
            );
        }
        if self.readings_may_be_disturbed() {
            return Some("others may set what a process goes by while it reads one by one");
        }
        if self.imports_steps() {
            return Some("a step comes from a file, which does not say who takes it");
        }
        // Letters also say who is watched.
        let by_words = |condition: &Condition| !matches!(condition, Condition::Holds(_));
        if matches!(demand, Demand::Happens(_)) && self.initially.iter().any(by_words) {
            return Some("what it begins with is said by words or a file");
        }
        let counts = |expr: &&Expr| {
            expr.mentions(&|part| matches!(part, Expr::Threshold { .. } | Expr::Sums(..)))
        };
        if demand.conditions_of_progress().iter().any(counts) {
            return Some("it compares a count with the number of processes");
        }
        self.no_formula_because(demand)
    }

    /// Why no automaton can go along with what is lost and who is created, if none can.
    fn no_formula_because(&self, demand: &Demand) -> Option<&'static str> {
        let Demand::Happens(happens) = demand else {
            return None;
        };
        if happens.people > 0 && self.creates() {
            return Some(
                "processes are created, of which a formula about each process would have to begin \
                 later (`leads to` can be asked)",
            );
        }
        let lossy = |channel: usize| self.channels[channel].kind == ChannelKind::LossyQueue;
        if !(0..self.channels.len()).any(lossy) {
            return None;
        }
        let speaks = |part: &Expr| match part {
            Expr::Empty(channel) | Expr::Matches(channel, ..) => lossy(*channel),
            _ => false,
        };
        let speaks = demand
            .conditions_of_progress()
            .iter()
            .any(|one| one.mentions(&speaks));
        (speaks || demand.speaks_of_the_next_step()).then_some(
            "a formula speaks of the next step, or of what a lossy queue has in it, where losing \
             something is a step, too (`leads to` can be asked)",
        )
    }

    fn actions(&self) -> impl Iterator<Item = &Action> {
        (self.steps.iter()).flat_map(|step| step.alternatives.iter().flatten())
    }

    /// Whether processes are created.
    pub(crate) fn creates(&self) -> bool {
        self.actions()
            .any(|action| matches!(action, Action::Create(..)))
    }

    /// Whether there may be no end of configurations of one instance.
    pub(crate) fn may_grow(&self) -> bool {
        self.creates() || !self.channels.is_empty()
    }

    /// Whether processes are removed.
    pub(crate) fn removes(&self) -> bool {
        self.actions()
            .any(|action| matches!(action, Action::Remove(_)))
    }
}
