//! An opened model: what it can be asked.

use quotient_core::{
    Budget, Certified, Context, Diagnostic, Evidence, Rejection, Source, Span, Stop, Trouble,
};
use quotient_language::{Answer, Ask, Doubt, Model, Property, Shown, Simulation, Viewed, Written};
use quotient_probability::{Bisimulation, Built, Precision, build_together};

use crate::check::{Asked, How, Run, check_property};
use crate::instance::{Instance, Texts};
use crate::misbuilt::{misbuilt, undefined};
use crate::sample::Sampling;
use crate::syntax::{Asks, Node, PropertyTree, Structure, Tree, read_property};

/// A model with its properties.
pub(crate) struct Opened {
    pub(crate) texts: Texts,
    /// Values of constants, once for each run.
    pub(crate) runs: Vec<Vec<(String, String)>>,
    pub(crate) precision: Precision,
    /// When states that cannot be told apart are taken together.
    pub(crate) bisimulation: Bisimulation,
    /// Whether exact numbers are asked for.
    pub(crate) exact: bool,
    /// Whether only the states that matter are to be looked at.
    pub(crate) partial: bool,
    /// How to estimate instead of building, if that is asked for.
    pub(crate) sampling: Option<Sampling>,
    /// The two variables over which numbers of the starts are to be drawn.
    pub(crate) map: Option<(String, String)>,
    /// Reasons to doubt the model, once it was built for its first constants.
    pub(crate) doubted: Option<Vec<Doubt>>,
    /// What the text leaves open, and how it was taken.
    pub(crate) taken: Option<String>,
}

impl Opened {
    fn info(&self, number: usize, tree: &PropertyTree) -> Property {
        let all = &self.texts.properties.properties;
        let base = tree.name.as_ref().unwrap_or(&tree.text);
        let written = |one: &PropertyTree| one.name.as_ref().unwrap_or(&one.text) == base;
        let same = all[..number].iter().filter(|one| written(one)).count();
        let mut name = match same {
            0 => base.clone(),
            before => format!("{base} #{}", before + 1),
        };
        // What is made up here may be what another one is really called.
        while same > 0 && all.iter().any(|one| one.name.as_ref() == Some(&name)) {
            name.push('\'');
        }
        Property {
            name,
            number: Some(number + 1),
            kind: kind_of(&tree.tree).to_owned(),
            text: tree.text.clone(),
            span: None,
            in_file: true,
        }
    }

    /// The properties that are asked for, with the texts that they stand in.
    fn wanted(&self, ask: &Ask) -> Result<Vec<(Property, PropertyTree, Source)>, Trouble> {
        let all = self.texts.properties.properties.iter().enumerate();
        let all = all.map(|(number, tree)| {
            let source = self.texts.properties_source.clone();
            (self.info(number, tree), tree.clone(), source)
        });
        if ask.properties.is_empty() {
            return Ok(all.collect());
        }
        let all: Vec<_> = all.collect();
        let mut wanted = Vec::new();
        for name in &ask.properties {
            wanted.push(self.named(name, &all)?);
        }
        Ok(wanted)
    }

    /// The reward structures that properties may use.
    fn structures(
        &self,
        instance: &Instance,
        wanted: &[(Property, PropertyTree, Source)],
    ) -> Vec<usize> {
        let mut used = Vec::new();
        used.extend(instance.time.as_ref().map(|time| time.structure));
        for (_, tree, source) in wanted {
            let mut found = Vec::new();
            needed(&tree.tree, &mut found);
            for other in &self.texts.properties.properties {
                needed(&other.tree, &mut found);
            }
            let known = |(structure, span)| instance.structure(structure, source, span).ok();
            used.extend(found.into_iter().filter_map(known));
        }
        used
    }

    /// An answer; among several properties one that cannot be checked is unknown.
    fn or_unknown(
        &self,
        property: &Property,
        found: Result<Answer, Trouble>,
        many: usize,
    ) -> Result<Answer, Trouble> {
        match found {
            Err(Trouble::Invalid(mistakes)) if many > 1 => {
                let why = mistakes.first().map_or("", |one| one.message.as_str());
                let why = format!("it cannot be checked: {why}");
                Ok(Answer::unknown(&property.name, Stop::inconclusive(why)))
            }
            other => other,
        }
    }

    /// The answers, if the initial state settles all questions and nothing else is to be shown.
    fn at_once(
        &self,
        instance: &Instance,
        wanted: &[(Property, PropertyTree, Source)],
        ask: &Ask,
    ) -> Option<Vec<Answer>> {
        if ask.exhibits || self.map.is_some() || wanted.is_empty() {
            return None;
        }
        let answers = wanted.iter().map(|(property, tree, source)| {
            let asked = (property.name.as_str(), &tree.tree, source);
            let mut answer = crate::at_once::check(instance, asked)?;
            answer.number = property.number;
            Some(answer)
        });
        answers.collect()
    }

    /// The instance for the first values of the constants.
    fn first_instance(&self) -> Result<Instance, Trouble> {
        Ok(Instance::new(&self.texts, &self.runs[0])?)
    }

    fn named(
        &self,
        name: &str,
        all: &[(Property, PropertyTree, Source)],
    ) -> Result<(Property, PropertyTree, Source), Trouble> {
        let found = all.iter().find(|(property, ..)| {
            property.name == name
                || property.number.map(|one| one.to_string()).as_deref() == Some(name)
        });
        if let Some(found) = found {
            return Ok(found.clone());
        }
        let is_word = name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
        if is_word {
            let message = format!("there is no property `{name}`");
            let names = all.iter().map(|(property, ..)| property.name.as_str());
            return Err(Diagnostic::error("no-such-property", message)
                .did_you_mean(name, names)
                .help("name one of the properties, or write one, as in `P=? [ F done ]`")
                .into());
        }
        let source = Source::new("property", name);
        let tree = read_property(&source)?;
        let property = Property {
            name: tree.text.clone(),
            number: None,
            kind: kind_of(&tree.tree).to_owned(),
            text: tree.text.clone(),
            span: None,
            in_file: false,
        };
        Ok((property, tree, source))
    }
}

/// What kind of property it is.
fn kind_of(tree: &Tree) -> &'static str {
    match &tree.node {
        Node::Chance(chance) => match chance.asks {
            Asks::Probability => "probability",
            Asks::Reward => "reward",
            Asks::Steady => "steady state",
        },
        Node::Filter(_) => "filter",
        Node::Quantile(_) => "quantile",
        Node::Quantified(..) => "path",
        _ => "formula",
    }
}

/// Which rewards a formula needs, wherever they stand.
fn needed<'t>(tree: &'t Tree, found: &mut Vec<(Option<&'t Structure>, Span)>) {
    match &tree.node {
        Node::Not(of) | Node::Negative(of) | Node::Ahead(_, _, of) | Node::Quantified(_, of) => {
            needed(of, found);
        }
        Node::Two(_, left, right) | Node::Until(_, _, left, right) => {
            needed(left, found);
            needed(right, found);
        }
        Node::If(one, two, three) => {
            needed(one, found);
            needed(two, found);
            needed(three, found);
        }
        Node::Call(_, parts) | Node::Multi(parts) => {
            parts.iter().for_each(|part| needed(part, found));
        }
        Node::Chance(chance) => {
            if chance.asks == Asks::Reward {
                found.push((chance.structure.as_ref(), tree.span));
            }
            if let crate::syntax::Body::Formula(inner) = &chance.body {
                needed(inner, found);
            }
            if let Some(given) = &chance.given {
                needed(given, found);
            }
        }
        Node::Quantile(quantile) => needed(&quantile.of, found),
        Node::Within(within) => {
            let limits = within.limits.iter();
            found.extend(limits.map(|limit| (Some(&limit.structure), tree.span)));
            within.left.iter().for_each(|left| needed(left, found));
            needed(&within.right, found);
        }
        Node::Filter(filter) => {
            needed(&filter.of, found);
            if let Some(states) = &filter.states {
                needed(states, found);
            }
        }
        _ => {}
    }
}

impl Model for Opened {
    fn constants(&self) -> Vec<(String, String)> {
        // Over ranges those that are the same in all runs; what changes follows from the settings.
        let runs = self.runs.iter();
        let mut runs = runs.map(|given| crate::instance::in_force(&self.texts, given));
        let first = runs.next().unwrap_or_default();
        runs.fold(first, |mut same, other| {
            same.retain(|one| other.contains(one));
            same
        })
    }

    fn properties(&self) -> Vec<Property> {
        let all = self.texts.properties.properties.iter().enumerate();
        all.map(|(number, tree)| self.info(number, tree)).collect()
    }

    fn property(&mut self, name: &str) -> Result<Property, Trouble> {
        let ask = Ask {
            properties: vec![name.to_owned()],
            ..Ask::default()
        };
        let mut wanted = self.wanted(&ask)?;
        Ok(wanted.remove(0).0)
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let wanted = self.wanted(ask)?;
        let several = self.runs.len() > 1;
        let mut gathered: Vec<Vec<Answer>> = vec![Vec::new(); wanted.len()];
        for (turn, given) in self.runs.iter().enumerate() {
            let instance = Instance::new(&self.texts, given)?;
            if self.sampling.is_some() || self.partial {
                for (number, (property, tree, source)) in wanted.iter().enumerate() {
                    let asked = (property.name.as_str(), &tree.tree, source);
                    let found = match self.sampling {
                        Some(sampling) => {
                            crate::sample::estimate(&instance, asked, sampling, &cx.budget)
                        }
                        None => crate::partial::check(&instance, asked, self.precision, cx),
                    };
                    let mut answer = self.or_unknown(property, found, wanted.len())?;
                    answer.number = property.number;
                    match several {
                        true => gathered[number].push(answer),
                        false => tell(answer),
                    }
                }
                continue;
            }
            if let Some(answers) = self.at_once(&instance, &wanted, ask) {
                if turn == 0 {
                    self.doubted = Some(vec![crate::doubts::settled_at_once()]);
                }
                for (number, answer) in answers.into_iter().enumerate() {
                    match several {
                        true => gathered[number].push(answer),
                        false => tell(answer),
                    }
                }
                continue;
            }
            let used = self.structures(&instance, &wanted);
            let built = build_with(
                &instance,
                &used,
                ask.threads.unwrap_or_else(all_threads),
                cx,
            )?;
            if turn == 0 {
                self.doubted = Some(crate::doubts::doubts(&instance, &built));
            }
            let run = Run {
                texts: &self.texts,
                instance: &instance,
                built: &built,
            };
            let map = match &self.map {
                Some(named) => Some(crate::map::named(&instance, named)?),
                None if ask.exhibits => crate::map::changing(&built),
                None => None,
            };
            for (number, (property, tree, source)) in wanted.iter().enumerate() {
                let asked = Asked {
                    name: &property.name,
                    tree: &tree.tree,
                    source,
                };
                let how = How {
                    precision: self.precision,
                    bisimulation: self.bisimulation,
                    exact: self.exact,
                    exhibits: ask.exhibits,
                    map,
                };
                let found = check_property(&run, &asked, how, cx);
                let mut answer = self.or_unknown(property, found, wanted.len())?;
                answer.number = property.number;
                match several {
                    true => gathered[number].push(answer),
                    false => tell(answer),
                }
            }
        }
        if several {
            for ((property, ..), answers) in wanted.iter().zip(gathered) {
                tell(crate::experiment::summed_up(property, &self.runs, answers));
            }
        }
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
        let ask = Ask {
            properties: vec![property.name.clone()],
            ..Ask::default()
        };
        let (property, tree, source) = self.wanted(&ask).map_err(wrong)?.remove(0);
        let asked = (property.name.as_str(), &tree.tree, &source);
        let certify = |given: &[(String, String)], evidence: &Evidence| {
            let instance =
                Instance::new(&self.texts, given).map_err(|error| wrong(error.into()))?;
            crate::evidence::certify((&self.texts, &instance), asked, evidence, budget)
        };
        match &self.runs[..] {
            [given] => certify(given, evidence),
            runs => crate::tabled::certify(&property.name, runs, evidence, certify),
        }
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let taken = self
            .taken
            .iter()
            .map(|text| Doubt::new("kind", text.clone()));
        let mut doubts: Vec<Doubt> = taken.collect();
        if self.partial || self.sampling.is_some() {
            // Whoever asks for a part only has a model that is too big.
            return Ok(doubts);
        }
        match &self.doubted {
            Some(known) => doubts.extend(known.iter().cloned()),
            None => {
                let instance = self.first_instance()?;
                let built = build_with(&instance, &[], all_threads(), cx)?;
                doubts.extend(crate::doubts::doubts(&instance, &built));
            }
        }
        Ok(doubts)
    }

    fn show(&mut self, view: &Viewed, cx: &Context) -> Result<Shown, Trouble> {
        let instance = self.first_instance()?;
        let built = build_with(&instance, &[], all_threads(), cx)?;
        crate::show::show(&instance, &built, view)
    }

    fn simulate(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let run = crate::simulate::Simulated::new(self.first_instance()?, &cx.budget)?;
        Ok(Box::new(run))
    }

    fn convert(&mut self, to: &str, _: Option<&str>, cx: &Context) -> Result<Written, Trouble> {
        let instance = self.first_instance()?;
        if to == "jani" {
            return crate::jani::write(&instance);
        }
        let all: Vec<usize> = (0..instance.rewards.len()).collect();
        let built = build_with(&instance, &all, all_threads(), cx)?;
        crate::convert::convert(&instance, &built, to)
    }
}

/// As many threads as there are cores.
fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Builds the model with some of its rewards.
pub(crate) fn build_with(
    instance: &Instance,
    rewards: &[usize],
    threads: usize,
    cx: &Context,
) -> Result<Built, Trouble> {
    let program = instance.program(rewards);
    let built =
        build_together(&program, threads, &cx.budget).map_err(|why| misbuilt(instance, why))?;
    let invariants = instance.time.iter().flat_map(|time| &time.invariants);
    for (invariant, span) in invariants {
        let kept = built.holds(&invariant.lower(&instance.variables));
        let kept = kept.map_err(|none| undefined(instance, &instance.source, *span, &none))?;
        let broken = (0..kept.len()).find(|&state| !kept.contains(state));
        if let Some(state) = broken {
            let state = instance.state_text(&built.states.values(state));
            let message = "a command leads to where this invariant does not hold";
            return Err(Diagnostic::error("invariant", message)
                .at(&instance.source, *span, "")
                .note(format!("in the state {state}"))
                .help("guard the command, or reset the clock")
                .into());
        }
    }
    Ok(built)
}
