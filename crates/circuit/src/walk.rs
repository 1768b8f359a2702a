//! Runs of a circuit, step by step.

use quotient_core::{Context, Trouble};
use quotient_language::{Cell, Choice, Layout, Random, Simulation, Status, Step, Trace};
use quotient_netlist::{Circuit, Literal};

/// With more inputs than this, not all combinations are listed.
const MOST_LISTED: usize = 6;

/// A run of a circuit that somebody makes. The first choice is that of the latches with any
/// value at the start, if there are some; then each step is a choice of inputs.
///
/// ```
/// use quotient_circuit::Walk;
/// use quotient_core::Context;
/// use quotient_language::Simulation;
/// let mut circuit = quotient_netlist::Circuit::new();
/// let latch = circuit.latch(Some(false));
/// circuit.connect(latch, !latch);
/// let mut walk = Walk::new(circuit);
/// walk.take(0, &Context::default()).unwrap();
/// assert_eq!(walk.trace().steps[1].cells[0].text, "1");
/// ```
#[derive(Debug, Clone)]
pub struct Walk {
    circuit: Circuit,
    /// Latches before each step that was taken, and the inputs of it.
    taken: Vec<(Vec<bool>, Vec<bool>)>,
    /// The latches now; nothing before the start is chosen.
    now: Option<Vec<bool>>,
    free: Vec<usize>,
}

impl Walk {
    /// A run that begins.
    pub fn new(circuit: Circuit) -> Walk {
        let latches = circuit.latches().iter().enumerate();
        let free: Vec<usize> = latches
            .filter(|(_, latch)| latch.start.is_none())
            .map(|(number, _)| number)
            .collect();
        let mut walk = Walk {
            circuit,
            taken: Vec::new(),
            now: None,
            free,
        };
        if walk.free.is_empty() {
            walk.now = Some(walk.start(&[]));
        }
        walk
    }

    fn start(&self, chosen: &[bool]) -> Vec<bool> {
        let latches = self.circuit.latches().iter();
        let mut start: Vec<bool> = latches.map(|latch| latch.start.unwrap_or(false)).collect();
        for (&latch, &value) in self.free.iter().zip(chosen) {
            start[latch] = value;
        }
        start
    }

    /// Combinations of so many bits: all of them, or none, each alone, and all at once.
    fn combinations(count: usize) -> Vec<Vec<bool>> {
        if count <= MOST_LISTED {
            let bits = |number: usize| (0..count).map(|at| number >> at & 1 == 1).collect();
            return (0..1usize << count).map(bits).collect();
        }
        let alone = |one: usize| (0..count).map(|at| at == one).collect();
        let mut some: Vec<Vec<bool>> = vec![vec![false; count]];
        some.extend((0..count.min(90)).map(alone));
        some.push(vec![true; count]);
        some
    }

    /// The inputs that the constraints allow now.
    fn allowed(&self) -> Vec<Vec<bool>> {
        let Some(now) = &self.now else {
            return Walk::combinations(self.free.len());
        };
        let mut all = Walk::combinations(self.circuit.inputs().len());
        all.retain(|inputs| self.is_allowed(now, inputs));
        all
    }

    fn is_allowed(&self, latches: &[bool], inputs: &[bool]) -> bool {
        let state = self.state(latches, inputs);
        let constraints = &self.circuit.constraints;
        constraints.iter().all(|&one| state.is_on(one))
    }

    fn state(&self, latches: &[bool], inputs: &[bool]) -> quotient_netlist::State {
        let words = |bits: &[bool]| bits.iter().map(|&bit| u64::from(bit)).collect::<Vec<_>>();
        self.circuit.evaluate(&words(latches), &words(inputs))
    }

    fn go(&mut self, chosen: Vec<bool>) {
        let Some(now) = self.now.take() else {
            self.now = Some(self.start(&chosen));
            return;
        };
        let state = self.state(&now, &chosen);
        let latches = self.circuit.latches().iter();
        self.now = Some(latches.map(|latch| state.is_on(latch.next)).collect());
        self.taken.push((now, chosen));
    }

    /// What is on, by name.
    fn named(&self, chosen: &[bool]) -> String {
        let name = |number: usize| match self.now {
            Some(_) => self.circuit.input_name(number),
            None => self.circuit.latch_name(self.free[number]),
        };
        let on: Vec<String> = (0..chosen.len())
            .filter(|&at| chosen[at])
            .map(name)
            .collect();
        match on.is_empty() {
            true if chosen.is_empty() => "step".to_owned(),
            true => "all off".to_owned(),
            false => on.join(" "),
        }
    }

    fn cells(&self, latches: &[bool]) -> Vec<Cell> {
        let cell = |&value: &bool| Cell::new(if value { "1" } else { "0" });
        latches.iter().map(cell).collect()
    }

    /// Which of the questions' signals are on in a step, as lines.
    fn shown(&self, latches: &[bool], inputs: &[bool]) -> Vec<String> {
        let state = self.state(latches, inputs);
        let on = |signals: &[Literal], names: &[Option<String>], letter: char| -> Vec<String> {
            let numbers = (0..signals.len()).filter(|&at| state.is_on(signals[at]));
            let own = |number: usize| names.get(number).cloned().flatten();
            let named = |number| own(number).filter(|name| !name.is_empty());
            numbers
                .map(|number| named(number).unwrap_or_else(|| format!("{letter}{number}")))
                .collect()
        };
        let mut lines = Vec::new();
        let bad = on(&self.circuit.bad, &self.circuit.bad_names, 'b');
        if !bad.is_empty() {
            lines.push(format!("bad in the last step: {}", bad.join(" ")));
        }
        let outputs = on(&self.circuit.outputs, &self.circuit.output_names, 'o');
        if !outputs.is_empty() {
            lines.push(format!(
                "outputs on in the last step: {}",
                outputs.join(" ")
            ));
        }
        lines
    }
}

impl Simulation for Walk {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let choice = |chosen: &Vec<bool>| Choice {
            action: self.named(chosen),
            ..Choice::default()
        };
        Ok(self.allowed().iter().map(choice).collect())
    }

    fn take(&mut self, choice: usize, _: &Context) -> Result<(), Trouble> {
        let allowed = self.allowed();
        let Some(chosen) = allowed.into_iter().nth(choice) else {
            return Err(Trouble::usage("there is no such choice"));
        };
        self.go(chosen);
        Ok(())
    }

    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        let count = match &self.now {
            Some(_) => self.circuit.inputs().len(),
            None => self.free.len(),
        };
        for _ in 0..50 {
            let chosen: Vec<bool> = (0..count).map(|_| random.below(2) == 1).collect();
            let fits = match &self.now {
                Some(now) => self.is_allowed(now, &chosen),
                None => true,
            };
            if fits {
                self.go(chosen);
                return Ok(true);
            }
        }
        let number = self.choices(cx)?.len();
        if number == 0 {
            return Ok(false);
        }
        self.take(random.below(number), cx)?;
        Ok(true)
    }

    fn undo(&mut self) -> bool {
        if let Some((before, _)) = self.taken.pop() {
            self.now = Some(before);
            return true;
        }
        let chosen = !self.free.is_empty() && self.now.is_some();
        if chosen {
            self.now = None;
        }
        chosen
    }

    fn trace(&self) -> Trace {
        let count = self.circuit.latches().len();
        let names = (0..count).map(|number| self.circuit.latch_name(number));
        let layout = if count <= 16 {
            Layout::Grid
        } else {
            Layout::States
        };
        let mut trace = Trace::new(layout, names);
        let mut action: Option<String> = None;
        let ends = self.now.iter().map(|now| (now, None));
        let steps = self.taken.iter();
        let steps = steps.map(|(latches, inputs)| (latches, Some(inputs)));
        for (latches, inputs) in steps.chain(ends) {
            let cells = self.cells(latches);
            trace.steps.push(match action.take() {
                None => Step::start(cells),
                Some(action) => Step::of(action, cells),
            });
            action = inputs.map(|inputs| self.named(inputs));
        }
        trace.mark_changes()
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        let count = match &self.now {
            Some(_) => self.circuit.inputs().len(),
            None => self.free.len(),
        };
        let notes = match self.taken.last() {
            Some((latches, inputs)) => self.shown(latches, inputs),
            None => Vec::new(),
        };
        let more = count > MOST_LISTED;
        Ok(Status {
            deadlock: !more && self.choices(cx)?.is_empty(),
            notes,
            whereabouts: Vec::new(),
            more,
        })
    }
}
