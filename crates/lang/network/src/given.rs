//! Levels that are given from outside: of variables that are fixed, and where runs start.

use std::collections::{BTreeMap, HashMap, HashSet};

use quotient_core::Diagnostic;

use crate::network::{Network, Update};

/// Boolean variables with their values.
pub(crate) type Pins = Vec<(usize, bool)>;

/// What stands for the start of the file among levels that are given.
const FROM_FILE: &str = "file";

/// A variable as files speak of it: with two levels or with more.
pub(crate) struct Unit {
    pub(crate) name: String,
    /// The Boolean variables for its levels from 1 on.
    pub(crate) variables: Vec<usize>,
}

impl Unit {
    /// Its level in a state.
    pub(crate) fn level(&self, state: &[bool]) -> usize {
        self.variables.iter().filter(|&&at| state[at]).count()
    }

    /// What gives it a level.
    pub(crate) fn pins(&self, level: usize) -> Pins {
        let variables = self.variables.iter().enumerate();
        variables.map(|(place, &at)| (at, place < level)).collect()
    }

    /// The levels that some values of variables leave it.
    pub(crate) fn levels_with(&self, pins: &HashSet<(usize, bool)>) -> Vec<usize> {
        let fits = |level: &usize| {
            let own = self.pins(*level);
            own.iter().all(|&(at, value)| !pins.contains(&(at, !value)))
        };
        (0..=self.variables.len()).filter(fits).collect()
    }
}

impl Network {
    /// All variables as files speak of them, in their order.
    pub(crate) fn units(&self) -> Vec<Unit> {
        let mut group: Vec<Option<usize>> = vec![None; self.names.len()];
        for (number, all) in self.levels.iter().enumerate() {
            all.iter().for_each(|&at| group[at] = Some(number));
        }
        let mut units = Vec::new();
        for (at, name) in self.names.iter().enumerate() {
            let all = group[at].map(|number| &self.levels[number]);
            match all {
                None => units.push(Unit {
                    name: name.clone(),
                    variables: vec![at],
                }),
                Some(all) if all[0] == at => units.push(Unit {
                    name: name.strip_suffix("_1").unwrap_or(name).to_owned(),
                    variables: all.clone(),
                }),
                Some(_) => {}
            }
        }
        units
    }

    /// The values of Boolean variables that give a variable a level.
    fn at_level(&self, units: &[Unit], name: &str, level: &str) -> Result<Pins, Diagnostic> {
        let Some(unit) = units.iter().find(|unit| unit.name == name) else {
            return Err(self.no_such(units, name));
        };
        let most = unit.variables.len();
        let fitting = level.parse().ok().filter(|level: &usize| *level <= most);
        fitting.map(|level| unit.pins(level)).ok_or_else(|| {
            let message = format!("`{name}` has no level `{level}`");
            let which = match most {
                1 => "it is 0 or 1".to_owned(),
                _ => format!("its levels are 0 to {most}"),
            };
            Diagnostic::error("no-such-level", message).help(which)
        })
    }

    /// What is told of a name that no variable has.
    fn no_such(&self, units: &[Unit], name: &str) -> Diagnostic {
        let message = format!("there is no variable `{name}`");
        let error = Diagnostic::error("unknown-variable", message);
        let at = self.names.iter().position(|own| own == name);
        let whole = at.and_then(|at| units.iter().find(|unit| unit.variables.contains(&at)));
        match whole {
            Some(whole) => error.help(format!(
                "it is a level of `{0}`: write `{0}=` and the level",
                whole.name
            )),
            None => error.did_you_mean(name, units.iter().map(|unit| unit.name.as_str())),
        }
    }

    /// The network in which some variables have a level and keep it: what was knocked out, or is expressed without
    /// end. There are no other states than those in which they have it.
    pub(crate) fn with_fixed(mut self, given: &[(&str, &str)]) -> Result<Network, Vec<Diagnostic>> {
        let units = self.units();
        let mut wrong = Vec::new();
        for (name, level) in given {
            match self.at_level(&units, name, level) {
                Ok(pins) => self.fixed.extend(pins),
                Err(mistake) => wrong.push(mistake),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let fixed = std::mem::take(&mut self.fixed);
        for &(at, value) in &fixed {
            self.updates[at] = Update::Constant(value);
        }
        let is_fixed = |at: usize| fixed.iter().any(|pin| pin.0 == at);
        self.inputs.retain(|&at| !is_fixed(at));
        self.fixed = fixed;
        let questions = std::mem::take(&mut self.questions);
        let confined = questions.into_iter().map(|mut question| {
            question.formula = self.confined(question.formula);
            question
        });
        self.questions = confined.collect();
        Ok(self)
    }

    /// The network with questions about the states that start so: a list of `NAME=LEVEL`, and `file` for what
    /// the file says about the start. What is not named is open.
    pub(crate) fn with_start(mut self, given: &[String]) -> Result<Network, Vec<Diagnostic>> {
        let units = self.units();
        let mut wrong = Vec::new();
        let mut start: BTreeMap<usize, bool> = BTreeMap::new();
        let mut seen: HashMap<&str, &str> = HashMap::new();
        let pieces = given.iter().flat_map(|text| text.split(','));
        let (from_file, named): (Vec<&str>, Vec<&str>) =
            pieces.map(str::trim).partition(|piece| *piece == FROM_FILE);
        if !from_file.is_empty() {
            if self.initial.is_empty() {
                let message = "the file says nothing about the start";
                let error = Diagnostic::error("no-start", message);
                wrong.push(error.help("name levels, as in `--start a=1,b=0`"));
            }
            // What is fixed starts at its level, whatever the file says.
            start.extend(self.initial.iter().copied());
            start.extend(self.fixed.iter().copied());
        }
        for piece in named {
            let Some((name, level)) = piece.split_once('=') else {
                let message = format!("`--start {piece}` gives no level");
                let error = Diagnostic::error("usage", message);
                wrong.push(error.help("write NAME=LEVEL, as in `--start a=1`, or `file`"));
                continue;
            };
            let (name, level) = (name.trim(), level.trim());
            if seen.insert(name, level).is_some_and(|other| other != level) {
                let message = format!("`--start` gives `{name}` two levels");
                wrong.push(Diagnostic::error("usage", message).help("give one of them"));
            }
            match self.at_level(&units, name, level) {
                Ok(pins)
                    if pins
                        .iter()
                        .any(|&(at, value)| self.fixed.contains(&(at, !value))) =>
                {
                    let message = format!("`{name}` is fixed, and cannot start at {level}");
                    wrong.push(Diagnostic::error("usage", message));
                }
                Ok(pins) => start.extend(pins),
                Err(mistake) => wrong.push(mistake),
            }
        }
        self.start = start.into_iter().collect();
        match wrong.is_empty() {
            true => Ok(self),
            false => Err(wrong),
        }
    }

    /// What was given from outside, in words.
    pub(crate) fn given(&self) -> String {
        let told = [("fixed", &self.fixed), ("start", &self.start)].into_iter();
        let told = told.filter(|(_, pins)| !pins.is_empty());
        let told = told.map(|(what, pins)| format!("{what}: {}", self.words(pins)));
        match told.collect::<Vec<_>>().join("; ") {
            told if told.is_empty() => told,
            told => format!(" ({told})"),
        }
    }

    /// The values of some variables in words: `a=1, x=2`.
    pub(crate) fn words(&self, pins: &[(usize, bool)]) -> String {
        let pins = pins.iter().copied().collect();
        let units = self.units().into_iter();
        let told = units.filter_map(|unit| match unit.levels_with(&pins)[..] {
            [level] => Some(format!("{}={level}", unit.name)),
            _ => None,
        });
        told.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
pub(crate) mod tests;
