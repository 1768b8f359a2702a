//! Runs that somebody makes, in words.

use std::cell::RefCell;
use std::collections::BTreeMap;

use quotient_core::{Context, Trouble};
use quotient_language::{Cell, Choice, Layout, Random, Simulation, Status, Step, Trace};
use quotient_netlist::words::{Evaluator, Model, NodeId, Sort, State, Value, Word};

use crate::trace::shown;

/// With more bits to choose than this, not all combinations are listed.
const MOST_LISTED: u32 = 6;
/// The most combinations that are listed one by one.
const MOST_CHOICES: usize = 90;
/// The most states that are shown.
const MOST_COLUMNS: usize = 100;

/// What is chosen for a step, by the place of the node. What is not named is zero.
type Chosen = BTreeMap<usize, Value>;

/// A run of a model, calculated by the evaluator of words: also where arrays are too large for bits.
///
/// If states may start with anything, the first choice is theirs. Then each step is a choice of
/// inputs, and of states that may become anything.
pub(crate) struct Walk {
    model: Model,
    /// What was chosen so far, first for the start.
    log: Vec<Chosen>,
    /// All that is known of the step before this one.
    before: Option<Vec<Value>>,
    /// States of this step that nothing says what they are, as they were chosen.
    pending: Chosen,
    /// The states of each step, and what led there.
    rows: Vec<(Option<String>, Vec<String>)>,
    /// The signals that were on in the last step, in lines.
    notes: Vec<String>,
    /// What a condition says of inputs.
    fixed: Chosen,
    /// A choice that somebody spelled out: it is offered, although it may not be listed.
    wanted: RefCell<Option<Chosen>>,
}

impl Walk {
    pub(crate) fn new(model: Model) -> Walk {
        let mut walk = Walk {
            model,
            log: Vec::new(),
            before: None,
            pending: Chosen::new(),
            rows: Vec::new(),
            notes: Vec::new(),
            fixed: Chosen::new(),
            wanted: RefCell::new(None),
        };
        if walk.free().is_empty() {
            walk.begin(Chosen::new());
        }
        walk
    }

    /// Whether states at the start have been chosen.
    fn has_begun(&self) -> bool {
        !self.rows.is_empty()
    }

    /// What is to be chosen now: node, name and sort.
    fn free(&self) -> Vec<(NodeId, &str, Sort)> {
        let begun = self.has_begun();
        self.named_words(begun, |state| match begun {
            true => state.next.is_none(),
            false => state.start.is_none(),
        })
    }

    /// What is to be chosen in some step.
    fn ever_free(&self) -> Vec<(NodeId, &str, Sort)> {
        self.named_words(true, |state| state.next.is_none() || state.start.is_none())
    }

    fn named_words(
        &self,
        inputs: bool,
        which: impl Fn(&State) -> bool,
    ) -> Vec<(NodeId, &str, Sort)> {
        let states = self.model.states().iter().filter(|&state| which(state));
        let states = states.map(|state| (state.node, state.name.as_str()));
        let inputs = self.model.inputs().iter().filter(|_| inputs);
        let inputs = inputs.map(|(node, name)| (*node, name.as_str()));
        let all = inputs.chain(states);
        all.map(|(node, name)| (node, name, self.model.sort(node)))
            .collect()
    }

    /// This step with these inputs.
    fn with(&self, chosen: &Chosen) -> Option<Evaluator<'_>> {
        let is_state = |node: NodeId| self.model.states().iter().any(|one| one.node == node);
        let mut choose = |node: NodeId, sort: Sort| {
            let from = if is_state(node) {
                &self.pending
            } else {
                chosen
            };
            let value = from.get(&node.index()).cloned();
            value.unwrap_or_else(|| Value::zero(sort))
        };
        match &self.before {
            None => Some(Evaluator::new(&self.model, &mut choose)),
            Some(values) => {
                let mut here = Evaluator::resumed(&self.model, values.clone())?;
                here.step(&mut choose);
                Some(here)
            }
        }
    }

    /// Whether the model has this step, and its constraints allow it.
    fn is_allowed(&self, chosen: &Chosen) -> bool {
        if !self.has_begun() {
            return true;
        }
        self.with(chosen).is_some_and(|here| {
            let mut constraints = self.model.constraints.iter();
            let starts = self.before.is_some() || here.is_start();
            starts && constraints.all(|one| here.operand(one.signal).is_on())
        })
    }

    fn begin(&mut self, chosen: Chosen) {
        self.pending = chosen;
        self.look(None);
    }

    /// Notes the states of the step that begins.
    fn look(&mut self, action: Option<String>) {
        let row = match self.with(&Chosen::new()) {
            Some(here) => self.cells(&here),
            None => Vec::new(),
        };
        self.rows.push((action, row));
    }

    fn cells(&self, here: &Evaluator<'_>) -> Vec<String> {
        let states = self.model.states().iter().take(MOST_COLUMNS);
        states.map(|state| shown(here.value(state.node))).collect()
    }

    fn go(&mut self, mut chosen: Chosen) {
        self.wanted.take();
        self.log.push(chosen.clone());
        if !self.has_begun() {
            return self.begin(chosen);
        }
        let action = self.named(&chosen);
        let Some(here) = self.with(&chosen) else {
            return;
        };
        // Starts may be calculated from inputs, which are known only now.
        let (row, notes) = (self.cells(&here), self.told(&here));
        let values = here.into_values();
        if let Some(last) = self.rows.last_mut() {
            last.1 = row;
        }
        self.notes = notes;
        for (node, _) in self.model.inputs() {
            chosen.remove(&node.index());
        }
        self.pending = chosen;
        self.before = Some(values);
        self.look(Some(action));
    }

    /// What is not zero, by name.
    fn named(&self, chosen: &Chosen) -> String {
        let free = self.free();
        let one = |&(node, name, sort): &(NodeId, &str, Sort)| {
            let value = chosen.get(&node.index())?;
            match (sort, *value == Value::zero(sort)) {
                (_, true) => None,
                (Sort::Bits(1), _) => Some(name.to_owned()),
                (Sort::Array(..), _) => Some(format!("{name}=all {}", word_shown(value.word()))),
                _ => Some(format!("{name}={}", shown(value))),
            }
        };
        let named: Vec<String> = free.iter().filter_map(one).collect();
        match named.is_empty() {
            true if free.is_empty() => "step".to_owned(),
            true => "all 0".to_owned(),
            false => named.join(" "),
        }
    }

    /// What may be chosen, as far as it is listed: all, or none, each alone, and all at once; last what
    /// somebody spelled out.
    fn listed(&self) -> Vec<Chosen> {
        let free = self.free();
        let open = free.iter();
        let open: Vec<(usize, Sort)> = open
            .map(|&(node, _, sort)| (node.index(), sort))
            .filter(|(node, _)| !self.fixed.contains_key(node))
            .collect();
        let mut all = combinations(&open);
        for one in &mut all {
            let fixed = self.fixed.iter();
            let fixed = fixed.filter(|(node, _)| free.iter().any(|one| one.0.index() == **node));
            one.extend(fixed.map(|(node, value)| (*node, value.clone())));
        }
        if let Some(wanted) = self.wanted.borrow().clone()
            && !all.contains(&wanted)
        {
            all.push(wanted);
        }
        all.retain(|one| self.is_allowed(one));
        all
    }

    /// Whether more could be chosen than is listed.
    fn has_more(&self) -> bool {
        let free = self.free();
        let open = free
            .iter()
            .filter(|one| !self.fixed.contains_key(&one.0.index()));
        width(open.map(|&(.., sort)| sort)) > MOST_LISTED
    }

    /// `push din=5`: what it says of some words; an error names what does not fit.
    fn read(&self, text: &str, free: &[(NodeId, &str, Sort)]) -> Result<Chosen, String> {
        let mut chosen = Chosen::new();
        if text.trim() == "all 0" {
            return Ok(chosen);
        }
        for part in text.split([' ', ',', '&']).filter(|part| !part.is_empty()) {
            let (name, digits) = part.split_once('=').unwrap_or((part, "1"));
            let named = free.iter().find(|one| one.1 == name);
            let Some(&(node, _, Sort::Bits(width))) = named else {
                return Err(format!("there is no `{name}` to choose now"));
            };
            let word = number(digits, width)
                .ok_or_else(|| format!("`{digits}` is no value of {width} bits, for `{name}`"))?;
            chosen.insert(node.index(), Value::Word(word));
        }
        Ok(chosen)
    }

    /// Signals that are on, and outputs, in lines.
    fn told(&self, here: &Evaluator<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let bad = self.model.bad.iter().enumerate();
        let bad = bad.filter(|(_, asked)| here.operand(asked.signal).is_on());
        let bad: Vec<String> = bad
            .map(|(number, asked)| asked.name.clone().unwrap_or_else(|| format!("b{number}")))
            .collect();
        if !bad.is_empty() {
            lines.push(format!("bad in the last step: {}", bad.join(" ")));
        }
        let outputs = self.model.outputs.iter().enumerate().take(MOST_COLUMNS);
        let outputs: Vec<String> = outputs
            .map(|(number, asked)| {
                let name = asked.name.clone().unwrap_or_else(|| format!("o{number}"));
                format!("{name}={}", shown(&here.operand(asked.signal)))
            })
            .collect();
        if !outputs.is_empty() {
            lines.push(format!("outputs of the last step: {}", outputs.join(" ")));
        }
        lines
    }
}

/// How many bits there are to choose; arrays have too many to list.
fn width(sorts: impl Iterator<Item = Sort>) -> u32 {
    sorts.fold(0, |sum: u32, sort| match sort {
        Sort::Bits(width) => sum.saturating_add(width),
        Sort::Array(..) => u32::MAX,
    })
}

/// All combinations, or a few: nothing, each word alone as 1 and with all bits, and all of them.
fn combinations(open: &[(usize, Sort)]) -> Vec<Chosen> {
    let words = open.iter().filter_map(|&(node, sort)| match sort {
        Sort::Bits(width) => Some((node, width)),
        Sort::Array(..) => None,
    });
    let words: Vec<(usize, u32)> = words.collect();
    if width(open.iter().map(|&(_, sort)| sort)) <= MOST_LISTED {
        let mut all = vec![Chosen::new()];
        // The last word varies slowest, as the highest bit does.
        for &(node, width) in &words {
            let values = 0..1u128 << width;
            let more = values.flat_map(|number| {
                let value = Value::Word(Word::from_number(number, width));
                all.iter().map(move |one| {
                    let mut one = one.clone();
                    one.insert(node, value.clone());
                    one
                })
            });
            all = more.collect();
        }
        return all;
    }
    let full = |width: u32| Value::Word(Word(vec![true; width as usize]));
    let mut some = vec![Chosen::new()];
    for &(node, width) in words.iter().take(MOST_CHOICES / 2) {
        let one = Value::Word(Word::from_number(1, width));
        some.push(Chosen::from([(node, one)]));
        if width > 1 {
            some.push(Chosen::from([(node, full(width))]));
        }
    }
    let everything = words.iter().map(|&(node, width)| (node, full(width)));
    some.push(everything.collect());
    some
}

/// A number: decimal, `0x…` or `0b…`.
fn number(digits: &str, width: u32) -> Option<Word> {
    let (digits, base) = match digits.as_bytes() {
        [b'0', b'x', ..] => (&digits[2..], 16),
        [b'0', b'b', ..] => (&digits[2..], 2),
        _ => (digits, 10),
    };
    Word::from_digits(digits, base, width)
}

fn word_shown(word: &Word) -> String {
    shown(&Value::Word(word.clone()))
}

fn any_word(width: u32, random: &mut Random) -> Word {
    Word((0..width).map(|_| random.below(2) == 1).collect())
}

impl Simulation for Walk {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let choice = |chosen: &Chosen| Choice {
            action: self.named(chosen),
            ..Choice::default()
        };
        Ok(self.listed().iter().map(choice).collect())
    }

    fn take(&mut self, choice: usize, _: &Context) -> Result<(), Trouble> {
        let Some(chosen) = self.listed().into_iter().nth(choice) else {
            return Err(Trouble::usage("there is no such choice"));
        };
        self.go(chosen);
        Ok(())
    }

    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        for _ in 0..50 {
            cx.budget.charge(self.model.nodes().len() as u64)?;
            let mut chosen = Chosen::new();
            for (node, _, sort) in self.free() {
                let value = match (self.fixed.get(&node.index()), sort) {
                    (Some(value), _) => value.clone(),
                    (None, Sort::Bits(width)) => Value::Word(any_word(width, random)),
                    (None, Sort::Array(_, element)) => {
                        Value::Array(any_word(element, random), BTreeMap::new())
                    }
                };
                chosen.insert(node.index(), value);
            }
            if self.is_allowed(&chosen) {
                self.go(chosen);
                return Ok(true);
            }
        }
        let number = self.listed().len();
        if number == 0 {
            return Ok(false);
        }
        self.take(random.below(number), cx)?;
        Ok(true)
    }

    fn undo(&mut self) -> bool {
        let mut log = std::mem::take(&mut self.log);
        let undone = log.pop().is_some();
        if undone {
            let model = std::mem::take(&mut self.model);
            let fixed = std::mem::take(&mut self.fixed);
            *self = Walk::new(model);
            log.into_iter().for_each(|chosen| self.go(chosen));
            self.fixed = fixed;
        }
        undone
    }

    fn trace(&self) -> Trace {
        let states = self.model.states();
        let layout = match states.len() {
            0..=12 => Layout::Grid,
            _ => Layout::States,
        };
        let names = states.iter().take(MOST_COLUMNS);
        let mut trace = Trace::new(layout, names.map(|state| state.name.clone()));
        for (action, row) in &self.rows {
            let cells = row.iter().map(Cell::new);
            trace.steps.push(match action {
                None => Step::start(cells),
                Some(action) => Step::of(action.clone(), cells),
            });
        }
        if states.len() > MOST_COLUMNS {
            let line = format!("{} more states are not shown", states.len() - MOST_COLUMNS);
            trace.ending.push(line);
        }
        trace.mark_changes()
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        let more = self.has_more();
        Ok(Status {
            deadlock: !more && self.listed().is_empty(),
            notes: self.notes.clone(),
            whereabouts: Vec::new(),
            more,
        })
    }

    fn refusal(&self, action: &str) -> Vec<String> {
        match self.read(action, &self.free()) {
            Err(why) => vec![why, "values are given as in `push din=5`".to_owned()],
            Ok(_) => vec!["the constraints do not allow it".to_owned()],
        }
    }

    /// What is spelled out is offered from then on, be it listed or not.
    fn spelled(&self, action: &str) -> String {
        let Ok(chosen) = self.read(action, &self.free()) else {
            return action.trim().to_owned();
        };
        let named = self.named(&chosen);
        let same = |one: &Chosen| self.named(one) == named;
        self.wanted.take();
        if !self.listed().iter().any(same) {
            self.wanted.replace(Some(chosen));
        }
        named
    }

    /// `din=5`: such words are no longer chosen.
    fn constrain(&mut self, condition: Option<&str>) -> Result<(), Trouble> {
        let fixed = match condition {
            None => Ok(Chosen::new()),
            Some(text) => self.read(text, &self.ever_free()),
        };
        self.fixed = fixed.map_err(Trouble::usage)?;
        Ok(())
    }
}
