//! The explicit format of Storm.

use quotient_core::{Diagnostic, Source, Span};
use quotient_markov::Kind;

use super::lines::{Line, is_number, lines, number};
use super::{Choice, Earned, Listed, MOST_MISTAKES, State, mistake};

/// Whether a text begins like one.
pub(super) fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with("//"));
    first.is_some_and(|line| line.starts_with("@type:"))
}

/// What the lines between two heads are about.
#[derive(PartialEq)]
enum Part {
    Other,
    Parameters,
    Rewards,
    States,
    Choices,
    Model,
}

pub(super) fn read(source: &Source) -> Result<Listed, Vec<Diagnostic>> {
    let mut reader = Reader {
        source,
        listed: Listed::new(Kind::Dtmc),
        claimed: None,
        choices: None,
        rates: Vec::new(),
        typed: false,
        wrong: Vec::new(),
    };
    let mut part = Part::Other;
    for line in lines(source, &['[', ']', ',']) {
        let first = line.word(0).unwrap_or_default();
        if first.starts_with("//") {
            continue;
        }
        match first.strip_prefix('@') {
            Some(head) => part = reader.head(head, &line),
            None => reader.line(&part, &line),
        }
        if reader.wrong.len() >= MOST_MISTAKES {
            break;
        }
    }
    reader.finish()
}

struct Reader<'s> {
    source: &'s Source,
    listed: Listed,
    claimed: Option<usize>,
    choices: Option<usize>,
    /// Rates at which states are left, as they are told, and where.
    rates: Vec<(usize, String, Span)>,
    /// Whether its type is told.
    typed: bool,
    wrong: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn say(&mut self, line: &Line<'_>, at: usize, message: &str) {
        let told = mistake(self.source, line.place(at), message);
        self.wrong.push(told);
    }

    fn head(&mut self, head: &str, line: &Line<'_>) -> Part {
        match head {
            "type:" => {
                if std::mem::replace(&mut self.typed, true) {
                    self.say(line, 0, "there is a second type");
                }
                match line.word(1).map(str::to_ascii_lowercase).as_deref() {
                    Some("dtmc") => self.listed.kind = Kind::Dtmc,
                    Some("ctmc") => self.listed.kind = Kind::Ctmc,
                    Some("mdp") => self.listed.kind = Kind::Mdp,
                    // `MA`, or in full.
                    Some("ma" | "markov") => {
                        self.listed.kind = Kind::Mdp;
                        self.listed.exits = Some(Vec::new());
                    }
                    _ => self.say(line, 1, "only DTMC, CTMC, MDP and MA can be read"),
                }
                Part::Other
            }
            "parameters" => Part::Parameters,
            "reward_models" => Part::Rewards,
            "nr_states" => Part::States,
            "nr_choices" => Part::Choices,
            "model" => Part::Model,
            _ => Part::Other,
        }
    }

    fn line(&mut self, part: &Part, line: &Line<'_>) {
        match part {
            Part::Parameters => self.say(line, 0, "models with parameters cannot be read"),
            Part::Rewards => {
                for (at, (name, _)) in line.words.iter().enumerate() {
                    let known = |one: &Earned| one.name.as_deref() == Some(*name);
                    if self.listed.rewards.iter().any(known) {
                        self.say(line, at, "there are two rewards of this name");
                    }
                    self.listed.rewards.push(Earned {
                        name: Some((*name).to_owned()),
                        ..Earned::default()
                    });
                }
            }
            Part::States => self.claimed = line.whole(0),
            Part::Choices => self.choices = line.whole(0),
            Part::Model => match line.word(0) {
                Some("state") => self.state(line),
                Some("action") => self.action(line),
                _ => self.branch(line),
            },
            Part::Other => {}
        }
    }

    /// `state 3 !rate [rewards] label label …`
    fn state(&mut self, line: &Line<'_>) {
        let number = self.listed.states.len();
        if line.whole(1) != Some(number) {
            self.say(line, 1, &format!("state {number} was expected here"));
        }
        self.listed.states.push(State::default());
        let mut at = 2;
        if let Some(rate) = line.word(at).and_then(|word| word.strip_prefix('!')) {
            match is_number(rate) {
                true => self.rates.push((number, rate.to_owned(), line.place(at))),
                false => self.say(line, at, "a rate was expected after `!`"),
            }
            at += 1;
        }
        let (after, earned) = self.earned(line, at);
        for (structure, value) in earned {
            if let Some(one) = self.listed.rewards.get_mut(structure) {
                one.states.push((number, value));
            }
        }
        for (label, _) in line.words.iter().skip(after) {
            match *label {
                "init" => self.listed.initial.push(number),
                "deadlock" => self.listed.states[number].deadlock = true,
                label => {
                    let known = self.listed.labels.iter().position(|one| one.0 == label);
                    let place = known.unwrap_or_else(|| {
                        self.listed.labels.push((label.to_owned(), Vec::new()));
                        self.listed.labels.len() - 1
                    });
                    let holders = &mut self.listed.labels[place].1;
                    if holders.last() != Some(&number) {
                        holders.push(number);
                    }
                }
            }
        }
    }

    /// Numbers in brackets, one for each reward structure; what is zero is left out.
    fn earned(&mut self, line: &Line<'_>, from: usize) -> (usize, Vec<(usize, String)>) {
        let mut found = Vec::new();
        if line.word(from) != Some("[") {
            return (from, found);
        }
        let mut at = from + 1;
        let mut structure = 0;
        while let Some(word) = line.word(at) {
            at += 1;
            match word {
                "]" => return (at, found),
                "," => structure += 1,
                word if is_number(word) && number(word) == 0.0 => {}
                word if is_number(word) => found.push((structure, word.to_owned())),
                _ => self.say(line, at - 1, "a number that is not negative was expected"),
            }
        }
        self.say(line, at, "this bracket does not end");
        (at, found)
    }

    /// `action name [rewards]`
    fn action(&mut self, line: &Line<'_>) {
        let number = self.listed.states.len();
        let Some(state) = self.listed.states.last_mut() else {
            return self.say(line, 0, "an action stands below its state");
        };
        let name = line
            .word(1)
            .filter(|name| *name != "[" && *name != "__NOLABEL__" && name.parse::<u64>().is_err());
        state.choices.push(Choice {
            action: name.map(str::to_owned),
            branches: Vec::new(),
        });
        let choice = state.choices.len() - 1;
        let from = if line.word(1) == Some("[") { 1 } else { 2 };
        let (_, earned) = self.earned(line, from);
        for (structure, value) in earned {
            if let Some(one) = self.listed.rewards.get_mut(structure) {
                one.choices.push((number - 1, choice, value));
            }
        }
    }

    /// `target : weight`
    fn branch(&mut self, line: &Line<'_>) {
        let (target, weight) = match &line.words[..] {
            [(target, _), (":", _), (weight, _)] => (target.parse().ok(), *weight),
            _ => (None, ""),
        };
        let Some(target) = target else {
            return self.say(line, 0, "`target : probability` was expected");
        };
        if !is_number(weight) {
            return self.say(line, 2, "a number that is not negative was expected");
        }
        let choice = self.listed.states.last_mut();
        match choice.and_then(|state| state.choices.last_mut()) {
            Some(choice) => choice.branches.push((target, weight.to_owned())),
            None => self.say(line, 0, "a branch stands below its action"),
        }
    }

    /// The rate of a state is the sum of those of its branches: probabilities that were written instead are
    /// another chain.
    fn check_rates(&mut self) {
        if self.listed.exits.is_some() {
            return self.delays();
        }
        if self.listed.kind != Kind::Ctmc {
            return;
        }
        for (state, told, place) in &self.rates {
            let branches = self.listed.states[*state].choices.iter();
            let branches = branches.flat_map(|choice| &choice.branches);
            let sum: f64 = branches.map(|(_, weight)| number(weight)).sum();
            let told = number(told);
            if (sum - told).abs() > 1e-6 * sum.max(told) && self.wrong.len() < MOST_MISTAKES {
                let message = format!("the rates of state {state} add up to {sum}, not to {told}");
                self.wrong.push(mistake(self.source, *place, message));
            }
        }
    }

    /// A state of a Markov automaton that has a rate is left by it, to where its probabilities say.
    fn delays(&mut self) {
        let mut exits = vec![None; self.listed.states.len()];
        for (state, told, place) in &self.rates {
            if number(told) == 0.0 {
                continue;
            }
            let choices = &self.listed.states[*state].choices;
            let sum = |choice: &Choice| -> f64 {
                let weights = choice.branches.iter();
                weights.map(|(_, weight)| number(weight)).sum()
            };
            let message = match &choices[..] {
                [one] if (sum(one) - 1.0).abs() <= 1e-5 => {
                    exits[*state] = Some(told.clone());
                    continue;
                }
                [one] => format!(
                    "the probabilities of state {state} add up to {}, not to 1",
                    sum(one)
                ),
                all => format!(
                    "state {state} has a rate and {} choices: it is left by its rate, or by choices",
                    all.len()
                ),
            };
            if self.wrong.len() < MOST_MISTAKES {
                self.wrong.push(mistake(self.source, *place, message));
            }
        }
        self.listed.exits = Some(exits);
    }

    fn finish(mut self) -> Result<Listed, Vec<Diagnostic>> {
        if self.wrong.is_empty() {
            self.check_rates();
        }
        let whole = Span::new(0, self.source.text().len().min(1));
        let states = self.listed.states.len();
        if self.claimed.is_some_and(|claimed| claimed != states) && self.wrong.is_empty() {
            let message = format!("there are {states} states, not as many as it says");
            self.wrong.push(mistake(self.source, whole, message));
        }
        let choices = self.listed.states.iter().map(|state| state.choices.len());
        let choices: usize = choices.sum();
        if self.choices.is_some_and(|claimed| claimed != choices) && self.wrong.is_empty() {
            let message = format!("there are {choices} choices, not as many as it says");
            self.wrong.push(mistake(self.source, whole, message));
        }
        if self.listed.initial.is_empty() && self.wrong.is_empty() && states > 0 {
            let message = "no state has the label `init`";
            self.wrong.push(mistake(self.source, whole, message));
        }
        super::tra::check_targets(&self.listed, self.source, &mut self.wrong);
        match self.wrong.is_empty() {
            true => Ok(self.listed),
            false => Err(self.wrong),
        }
    }
}
