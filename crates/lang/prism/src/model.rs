//! A model, opened.

use quotient_core::{Budget, Certified, Context, Diagnostic, Evidence, Rejection, Source, Trouble};
use quotient_language::{
    About, Answer, Ask, Files, Input, Language, Model, Property, Setting, Settings, Sureness, Verb,
};
use quotient_probability::{Built, Misbuilt, Precision, build};

use crate::check::{Asked, Run, check_property};
use crate::instance::{Instance, Texts, given_values};
use crate::syntax::{
    Asks, Chance, Node, PropertiesTree, PropertyTree, Tree, read_model, read_properties,
    read_property,
};

/// The language, for the list of all of them.
pub const LANGUAGE: &dyn Language = &Prism;

struct Prism;

static ABOUT: About = About {
    id: "prism",
    name: "PRISM",
    text: "a PRISM model",
    line: "probabilistic models: Markov chains and decision processes",
    endings: &["prism", "pm", "nm", "sm"],
    offers: &[Verb::Check],
    settings: SETTINGS,
    formats: &[],
    starter: include_str!("../gallery/die.prism"),
    methods: Vec::new,
    examples: &[],
    guide: "docs/prism.md",
};

const SETTINGS: &[Setting] = &[
    Setting::file(
        "properties",
        "Read properties from this file beside the model.",
    )
    .group("Questions")
    .example("--properties die.props")
    .pinned(),
    Setting::assignment(
        "constant",
        "Give a constant a value, or a range of values: low:high or low:step:high.",
    )
    .group("Questions")
    .example("--constant N=4")
    .pinned(),
    Setting::text(
        "precision",
        "WIDTH",
        "Lower and upper bounds should differ by no more than this, relative to the number.",
    )
    .group("Methods")
    .default("1e-7"),
];

impl Language for Prism {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let Some(source) = input.source() else {
            return Sureness::No;
        };
        let (words, _) = crate::syntax::tokens(source);
        let text = |at: usize| {
            words
                .get(at)
                .map_or("", |word| &source.text()[word.span.range()])
        };
        let has = |word: &str| (0..words.len().min(5000)).any(|at| text(at) == word);
        let sure = match text(0) {
            "dtmc" | "ctmc" | "mdp" | "probabilistic" | "stochastic" | "nondeterministic" => {
                Sureness::Certain
            }
            _ if has("endmodule") && ["dtmc", "ctmc", "mdp"].iter().any(|word| has(word)) => {
                Sureness::Certain
            }
            _ if has("endmodule") && has("module") => Sureness::Maybe,
            _ => Sureness::No,
        };
        sure.with_ending(input.has_ending(ABOUT.endings))
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        _: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?.clone();
        let mut mistakes = Vec::new();
        let model = read_model(&source)
            .map_err(|wrong| mistakes.extend(wrong))
            .ok();
        let mut properties = PropertiesTree::default();
        let mut properties_source = Source::new("", "");
        if let Some(path) = settings.text("properties") {
            let bytes = files.read(path).map_err(|why| {
                Diagnostic::error("properties", format!("cannot read `{path}`: {why}"))
            })?;
            let input = Input::bytes(path, bytes);
            properties_source = input.require_text()?.clone();
            match read_properties(&properties_source) {
                Ok(read) => properties = read,
                Err(wrong) => mistakes.extend(wrong),
            }
        }
        let precision = precision(settings).map_err(|wrong| mistakes.push(wrong));
        let (Some(model), Ok(precision), true) = (model, precision, mistakes.is_empty()) else {
            return Err(mistakes.into());
        };
        let mut runs: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for (name, text) in settings.assignments("constant") {
            let values = given_values(name, text)?;
            let mut longer = Vec::new();
            for run in &runs {
                for value in &values {
                    let mut run = run.clone();
                    run.push((name.to_owned(), value.clone()));
                    longer.push(run);
                }
            }
            runs = longer;
            if runs.len() > 100_000 {
                let message = "these ranges have more than 100,000 combinations";
                return Err(Diagnostic::error("usage", message).into());
            }
        }
        Ok(Box::new(Opened {
            texts: Texts {
                model,
                source,
                properties,
                properties_source,
            },
            runs,
            precision,
        }))
    }
}

fn precision(settings: &Settings) -> Result<Precision, Diagnostic> {
    let Some(text) = settings.text("precision") else {
        return Ok(Precision::default());
    };
    match text.parse::<f64>() {
        Ok(width) if width > 0.0 && width < 1.0 => Ok(Precision { width }),
        _ => {
            let message = format!("`--precision {text}` is no number between 0 and 1");
            Err(Diagnostic::error("usage", message).help("as in `--precision 1e-6`"))
        }
    }
}

/// A model with its properties.
struct Opened {
    texts: Texts,
    /// Values of constants, once for each run.
    runs: Vec<Vec<(String, String)>>,
    precision: Precision,
}

impl Opened {
    fn info(&self, number: usize, tree: &PropertyTree) -> Property {
        let all = &self.texts.properties.properties;
        let base = tree.name.clone().unwrap_or_else(|| tree.text.clone());
        let same = all[..number]
            .iter()
            .filter(|one| one.name.as_ref().unwrap_or(&one.text) == &base);
        let name = match same.count() {
            0 => base,
            before => format!("{base} #{}", before + 1),
        };
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
        Node::Quantified(..) => "path",
        _ => "formula",
    }
}

/// All `P`, `R` and `S` of a formula, wherever they stand.
fn chances<'t>(tree: &'t Tree, found: &mut Vec<(&'t Chance, quotient_core::Span)>) {
    match &tree.node {
        Node::Not(of) | Node::Negative(of) | Node::Ahead(_, _, of) | Node::Quantified(_, of) => {
            chances(of, found);
        }
        Node::Two(_, left, right) | Node::Until(_, _, left, right) => {
            chances(left, found);
            chances(right, found);
        }
        Node::If(one, two, three) => {
            chances(one, found);
            chances(two, found);
            chances(three, found);
        }
        Node::Call(_, parts) | Node::Multi(parts) => {
            parts.iter().for_each(|part| chances(part, found));
        }
        Node::Chance(chance) => {
            found.push((chance, tree.span));
            if let crate::syntax::Body::Formula(inner) = &chance.body {
                chances(inner, found);
            }
            if let Some(given) = &chance.given {
                chances(given, found);
            }
        }
        Node::Filter(filter) => {
            chances(&filter.of, found);
            if let Some(states) = &filter.states {
                chances(states, found);
            }
        }
        _ => {}
    }
}

impl Model for Opened {
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
        for given in &self.runs {
            let instance = Instance::new(&self.texts, given)?;
            let mut used = Vec::new();
            for (_, tree, source) in &wanted {
                let mut found = Vec::new();
                chances(&tree.tree, &mut found);
                for other in &self.texts.properties.properties {
                    chances(&other.tree, &mut found);
                }
                let rewards = found.iter().filter(|(one, _)| one.asks == Asks::Reward);
                used.extend(rewards.filter_map(|(chance, span)| {
                    let structure = chance.structure.as_ref();
                    instance.structure(structure, source, *span).ok()
                }));
            }
            let built = build_with(&instance, &used, cx)?;
            let run = Run {
                texts: &self.texts,
                instance: &instance,
                built: &built,
            };
            for (property, tree, source) in &wanted {
                let asked = Asked {
                    name: &property.name,
                    tree: &tree.tree,
                    source,
                };
                let mut answer = check_property(&run, &asked, self.precision, cx)?;
                answer.number = property.number;
                tell(answer);
            }
        }
        Ok(())
    }

    fn certify(&mut self, _: &Evidence, _: &Property, _: &Budget) -> Result<Certified, Rejection> {
        Err(Rejection::unreadable("there is no evidence of this kind"))
    }
}

/// Builds the model with some of its rewards.
pub(crate) fn build_with(
    instance: &Instance<'_>,
    rewards: &[usize],
    cx: &Context,
) -> Result<Built, Trouble> {
    let program = instance.program(rewards);
    build(&program, &cx.budget).map_err(|why| misbuilt(instance, why))
}

/// Why there is no model, in the words of its text.
fn misbuilt(instance: &Instance<'_>, why: Misbuilt) -> Trouble {
    let source = instance.source;
    let at = |command: usize, update: usize| {
        let command = &instance.commands[command];
        command
            .updates
            .get(update)
            .map_or(command.span, |update| update.span)
    };
    let in_state = |state: &[i64]| format!("in the state {}", instance.state_text(state));
    match why {
        Misbuilt::Stopped(stop) => stop.into(),
        Misbuilt::NoStart => {
            let error = Diagnostic::error("no-start", "no state fulfils `init`");
            error.in_source(source).into()
        }
        Misbuilt::OutOfRange {
            command,
            update,
            variable,
            value,
            state,
        } => {
            let variable = &instance.variables[variable];
            let message = format!(
                "`{}` gets the value {value}, outside of [{}..{}]",
                variable.name, variable.low, variable.high
            );
            Diagnostic::error("out-of-range", message)
                .at(source, at(command, update), "by this update")
                .note(in_state(&state))
                .help("guard the command, or widen the range")
                .into()
        }
        Misbuilt::Sum {
            command,
            sum,
            state,
        } => {
            let message = format!("the probabilities of this command add up to {sum}, not to 1");
            Diagnostic::error("sum", message)
                .at(source, instance.commands[command].span, "")
                .note(in_state(&state))
                .into()
        }
        Misbuilt::Weight {
            command,
            update,
            value,
            state,
        } => {
            let message = format!("{value} is neither a probability nor a rate");
            Diagnostic::error("weight", message)
                .at(source, at(command, update), "")
                .note(in_state(&state))
                .into()
        }
        Misbuilt::Earned {
            structure,
            item,
            value,
            state,
        } => {
            let message = format!("{value} cannot be earned: rewards are finite and not negative");
            let span = instance.rewards[structure].items[item].span;
            Diagnostic::error("reward", message)
                .at(source, span, "")
                .note(in_state(&state))
                .into()
        }
    }
}
