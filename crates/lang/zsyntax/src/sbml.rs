//! SBML: species and reactions of Level 2 and 3, and of the package for qualitative models.
//!
//! Rates and units are left out: only which species react, and what comes of it. A whole amount
//! at the start is taken as it is; a concentration, or an amount that is not whole, means any
//! amount if it is more than nothing. Modifiers must be there (inhibitors, by their term of the
//! systems biology ontology, are left out and named in a warning), and so are species at the
//! boundary, which never run out. What sets amounts beside reactions (rules, events, initial
//! assignments), numbers that are computed, converted, not said or too large to be counted, and
//! inputs that are not positive are refused.

use std::collections::{HashMap, HashSet};

use quotient_core::{Diagnostic, Source};
use quotient_xml::Document;

use crate::pathway::{Asked, Left, Pathway, Portion, Question, Reaction, Species};

/// The most of one species that is taken as it is.
const MOST: f64 = 1_000_000.0;
/// Terms for what inhibits.
const INHIBITORS: [&str; 5] = [
    "SBO:0000020",
    "SBO:0000206",
    "SBO:0000207",
    "SBO:0000536",
    "SBO:0000537",
];

/// Whether a text is SBML.
pub(crate) fn is_sbml(text: &str) -> bool {
    let head = text.get(..text.len().min(4000)).unwrap_or(text);
    head.trim_start().starts_with('<') && head.contains("<sbml")
}

/// Whether it is about amounts: a model of levels that are set by terms is a Boolean network.
pub(crate) fn looks_like(text: &str) -> bool {
    let terms = text.contains(":functionTerm") || text.contains("<functionTerm");
    is_sbml(text) && !terms
}

/// Reads a pathway, and what was left out.
pub(crate) fn read(source: &Source) -> Result<(Pathway, Vec<Diagnostic>), Vec<Diagnostic>> {
    let document = quotient_xml::read(source).map_err(|wrong| vec![wrong])?;
    let mut reader = Reader {
        source,
        document: &document,
        pathway: Pathway::default(),
        numbers: HashMap::new(),
        boundary: HashMap::new(),
        level: document.attribute(0, "level").map(str::to_owned),
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    let model = document.named(0, "model").next().unwrap_or(0);
    let name = document.attribute(model, "name");
    let name = name.or_else(|| document.attribute(model, "id"));
    reader.pathway.title = name.map(str::to_owned);
    reader.no_factor(model);
    for species in reader.listed(model, "listOfSpecies", "species") {
        reader.species(species, &["initialAmount", "initialConcentration"]);
    }
    for species in reader.listed(model, "listOfQualitativeSpecies", "qualitativeSpecies") {
        reader.species(species, &["initialLevel"]);
    }
    for reaction in reader.listed(model, "listOfReactions", "reaction") {
        reader.reaction(reaction);
    }
    for transition in reader.listed(model, "listOfTransitions", "transition") {
        reader.transition(transition);
    }
    reader.assignments(model);
    if reader.errors.is_empty() && reader.pathway.species.is_empty() {
        reader.wrong(0, "no-species", "there are no species".to_owned());
    }
    let mut pathway = reader.pathway;
    pathway.questions.push(Asked {
        name: "one-end".to_owned(),
        text: "one end".to_owned(),
        question: Question::OneEnd,
        span: None,
    });
    pathway.compile();
    match reader.errors.is_empty() {
        true => Ok((pathway, reader.warnings)),
        false => Err(reader.errors),
    }
}

struct Reader<'a> {
    source: &'a Source,
    document: &'a Document,
    pathway: Pathway,
    numbers: HashMap<String, usize>,
    /// Species that never run out, and whether there are any of them.
    boundary: HashMap<usize, bool>,
    /// The level of the language, on which defaults depend.
    level: Option<String>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn wrong(&mut self, at: usize, code: &'static str, message: String) {
        if self.errors.len() < 50 {
            let span = self.document.elements[at].span;
            let wrong = Diagnostic::error(code, message).at(self.source, span, "");
            self.errors.push(wrong);
        }
    }

    fn warn(&mut self, at: usize, code: &'static str, message: String) {
        if self.warnings.len() < 50 {
            let span = self.document.elements[at].span;
            let warning = Diagnostic::warning(code, message).at(self.source, span, "");
            self.warnings.push(warning);
        }
    }

    fn listed(&self, of: usize, list: &str, name: &str) -> Vec<usize> {
        let lists = self.document.named(of, list);
        lists
            .flat_map(|list| self.document.named(list, name))
            .collect()
    }

    fn attribute(&self, at: usize, name: &str) -> Option<&str> {
        self.document.attribute(at, name)
    }

    /// A truth value, if it is given.
    fn truth(&mut self, at: usize, name: &str) -> Option<bool> {
        match self.attribute(at, name)?.trim() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            other => {
                let message = format!("`{name}` is neither `true` nor `false`: `{other}`");
                self.wrong(at, "bad-value", message);
                None
            }
        }
    }

    /// Refuses what sets amounts beside the reactions, or how often a species takes part: without
    /// it the pathway would be another one.
    fn assignments(&mut self, model: usize) {
        let elements = &self.document.elements;
        let references = elements
            .iter()
            .filter(|one| one.name == "speciesReference")
            .filter_map(|one| one.attributes.iter().find(|(name, _)| name == "id"));
        let references: HashSet<&str> = references.map(|(_, id)| id.as_str()).collect();
        const LISTS: [&str; 3] = ["listOfInitialAssignments", "listOfRules", "listOfEvents"];
        let mut found = Vec::new();
        let mut waiting: Vec<usize> = LISTS
            .iter()
            .flat_map(|list| self.document.named(model, list))
            .collect();
        while let Some(at) = waiting.pop() {
            let of = ["symbol", "variable", "species"].map(|name| self.attribute(at, name));
            // A rule without a variable is an equation of all that it names.
            let algebraic = elements[at].name == "algebraicRule";
            let named = match algebraic {
                true => self.mentioned(at),
                false => of.into_iter().flatten().collect(),
            };
            let set = named
                .into_iter()
                .find(|id| self.numbers.contains_key(*id) || references.contains(id));
            found.extend(set.map(|id| (at, id.to_owned())));
            waiting.extend(elements[at].children.iter().filter(|_| !algebraic));
        }
        found.sort();
        for (at, id) in found {
            let what = self.document.elements[at].name.clone();
            let message = format!("`{what}` sets `{id}`, and only reactions can be read");
            self.wrong(at, "not-a-reaction", message);
        }
    }

    /// All names in formulas under an element.
    fn mentioned(&self, at: usize) -> Vec<&str> {
        let (mut all, mut waiting) = (Vec::new(), vec![at]);
        while let Some(at) = waiting.pop() {
            let element = &self.document.elements[at];
            all.extend((element.name == "ci").then(|| element.text.trim()));
            waiting.extend(&element.children);
        }
        all
    }

    fn species(&mut self, at: usize, amounts: &[&str]) {
        let Some(id) = self.attribute(at, "id").map(str::to_owned) else {
            return self.wrong(at, "no-name", "a species needs an `id`".to_owned());
        };
        if self.numbers.contains_key(&id) {
            return self.wrong(at, "same-name", format!("`{id}` is there twice"));
        }
        // Questions and evidence tell species apart by these names.
        if id.contains(|letter: char| letter.is_whitespace() || matches!(letter, '*' | '"')) {
            let message = format!("`{id}` is no `id`: it has letters, digits and `_` alone");
            return self.wrong(at, "bad-name", message);
        }
        let number = self.pathway.species.len();
        self.pathway.species.push(Species(vec![id.clone()]));
        self.numbers.insert(id, number);
        let amount = amounts
            .iter()
            .find_map(|name| Some((*name, self.attribute(at, name)?)));
        let value = amount.map_or(Some(0.0), |(_, text)| text.trim().parse::<f64>().ok());
        let Some(value) = value.filter(|value| value.is_finite() && *value >= 0.0) else {
            let (name, text) = amount.unwrap_or_default();
            let message = format!("`{name}` is no amount: `{text}`");
            return self.wrong(at, "bad-number", message);
        };
        let whole = value.fract() == 0.0;
        let concentration = amount.is_some_and(|(name, _)| name == "initialConcentration");
        let portion = match (value > 0.0, whole && !concentration) {
            (false, _) => None,
            (true, true) => Some(Some(value as u64)),
            (true, false) => Some(None),
        };
        let given = value > 0.0 || amount.is_none();
        self.no_factor(at);
        let boundary = self.truth(at, "boundaryCondition") == Some(true);
        if self.truth(at, "constant") == Some(true) || boundary {
            self.boundary.insert(number, given);
            return;
        }
        if value > MOST && whole && !concentration {
            // Any amount would be another pathway, in which it never runs out.
            let message = format!("more than {MOST} of a species cannot be counted: {value}");
            return self.wrong(at, "bad-number", message);
        }
        if let Some(amount) = portion {
            self.pathway.start.push(Portion {
                species: number,
                amount,
            });
        }
    }

    /// Refuses a factor between how often a reaction happens and how much there is.
    fn no_factor(&mut self, at: usize) {
        if let Some(factor) = self.attribute(at, "conversionFactor") {
            let message = format!("amounts are converted by `{factor}`, which cannot be read");
            self.wrong(at, "conversion-factor", message);
        }
    }

    /// The species of references, as often as they take part.
    fn references(&mut self, of: usize, list: &str, name: &str, level: &str) -> Vec<usize> {
        let mut all = Vec::new();
        for at in self.listed(of, list, name) {
            let species = self.attribute(at, "species");
            let species = species.or_else(|| self.attribute(at, "qualitativeSpecies"));
            let id = species.unwrap_or_default().to_owned();
            let Some(&number) = self.numbers.get(&id) else {
                self.wrong(at, "unknown-species", format!("there is no species `{id}`"));
                continue;
            };
            let computed = self.document.named(at, "stoichiometryMath").next();
            if let Some(computed) = computed {
                let message = format!("how often `{id}` takes part is computed");
                self.wrong(computed, "bad-number", message);
                continue;
            }
            let times = self.attribute(at, level);
            let level_of_file = self.level.as_deref().map(str::trim);
            let since_third = level_of_file.is_some_and(|one| one != "1" && one != "2");
            if times.is_none() && level == "stoichiometry" && since_third {
                let message = format!("how often `{id}` takes part is not said");
                self.wrong(at, "bad-number", message);
                continue;
            }
            let times = times.unwrap_or("1").trim().parse::<f64>().ok();
            let times = times.filter(|one| one.fract() == 0.0 && (0.0..=1000.0).contains(one));
            match times {
                Some(times) => all.extend((0..times as u64).map(|_| number)),
                None => {
                    let message = format!("`{id}` takes part a number of times that is not whole");
                    self.wrong(at, "bad-number", message);
                }
            }
        }
        all
    }

    /// Without species that never run out; nothing if one of them is not there at all.
    fn without_boundary(&self, all: Vec<usize>) -> Option<Vec<usize>> {
        if all
            .iter()
            .any(|species| self.boundary.get(species) == Some(&false))
        {
            return None;
        }
        let kept = all
            .into_iter()
            .filter(|species| !self.boundary.contains_key(species));
        Some(kept.collect())
    }

    fn reaction(&mut self, at: usize) {
        let name = self.reaction_name(at);
        let reactants = self.references(at, "listOfReactants", "speciesReference", "stoichiometry");
        let products = self.references(at, "listOfProducts", "speciesReference", "stoichiometry");
        let mut modifiers = Vec::new();
        for one in self.listed(at, "listOfModifiers", "modifierSpeciesReference") {
            let id = self
                .attribute(one, "species")
                .unwrap_or_default()
                .to_owned();
            let term = self
                .attribute(one, "sboTerm")
                .unwrap_or_default()
                .to_owned();
            match self.numbers.get(&id) {
                None => self.wrong(
                    one,
                    "unknown-species",
                    format!("there is no species `{id}`"),
                ),
                Some(_) if INHIBITORS.contains(&term.as_str()) => {
                    let message = format!("`{id}` inhibits `{name}`, which is left out");
                    self.warn(one, "inhibitor", message);
                }
                Some(&number) if !modifiers.contains(&number) => modifiers.push(number),
                Some(_) => {}
            }
        }
        // What reacts is there by itself.
        let beside = |from: &[usize], to: &[usize]| {
            let kept = modifiers.iter().filter(|one| !from.contains(one));
            let kept: Vec<usize> = kept.copied().collect();
            ([from, &kept].concat(), [to, &kept].concat())
        };
        if self.is_reversible(at) {
            let (left, right) = beside(&products, &reactants);
            self.add(at, format!("{name} (back)"), left, right);
        }
        let (left, right) = beside(&reactants, &products);
        self.add(at, name, left, right);
    }

    /// Whether a reaction goes both ways, which it does by default before Level 3.
    fn is_reversible(&mut self, at: usize) -> bool {
        if self.attribute(at, "reversible").is_some() {
            return self.truth(at, "reversible") == Some(true);
        }
        match self.level.as_deref().map(str::trim) {
            Some("1" | "2") => true,
            Some(_) => {
                let message = "a reaction of Level 3 needs `reversible`".to_owned();
                self.wrong(at, "no-direction", message);
                false
            }
            None => false,
        }
    }

    fn reaction_name(&self, at: usize) -> String {
        let name = self
            .attribute(at, "id")
            .or_else(|| self.attribute(at, "name"));
        let number = self.pathway.reactions.len() + 1;
        let name = name.map_or_else(|| format!("reaction {number}"), str::to_owned);
        match self.pathway.reactions.iter().any(|one| one.name == name) {
            true => format!("{name} ({number})"),
            false => name,
        }
    }

    fn add(&mut self, at: usize, name: String, left: Vec<usize>, right: Vec<usize>) {
        let Some(left) = self.without_boundary(left) else {
            return;
        };
        let products = right
            .into_iter()
            .filter(|one| !self.boundary.contains_key(one));
        self.pathway.reactions.push(Reaction {
            name,
            left: Left::Gathered(left),
            products: products.collect(),
            span: self.document.elements[at].span,
        });
    }

    /// A transition of a qualitative model, if it only consumes and produces.
    fn transition(&mut self, at: usize) {
        let name = self.reaction_name(at);
        let terms = self.listed(at, "listOfFunctionTerms", "functionTerm");
        let assigns = self
            .listed(at, "listOfOutputs", "output")
            .into_iter()
            .any(|output| self.attribute(output, "transitionEffect") == Some("assignmentLevel"));
        if !terms.is_empty() || assigns {
            let message = format!("`{name}` has logical terms: this is a Boolean network");
            return self.wrong(at, "logical-term", message);
        }
        for input in self.listed(at, "listOfInputs", "input") {
            let sign = self.attribute(input, "sign").map(str::trim);
            if let Some(sign) = sign.filter(|sign| *sign != "positive") {
                let message = format!("`{name}` has an input whose sign is `{sign}`");
                self.wrong(input, "bad-sign", message);
            }
        }
        let inputs = self.references(at, "listOfInputs", "input", "thresholdLevel");
        let outputs = self.references(at, "listOfOutputs", "output", "outputLevel");
        let consumed: Vec<usize> = self
            .listed(at, "listOfInputs", "input")
            .into_iter()
            .filter(|&input| self.attribute(input, "transitionEffect") == Some("consumption"))
            .filter_map(|input| {
                let id = self.attribute(input, "qualitativeSpecies")?;
                self.numbers.get(id).copied()
            })
            .collect();
        let kept = inputs.iter().copied().filter(|one| !consumed.contains(one));
        let right = outputs.into_iter().chain(kept).collect();
        self.add(at, name, inputs, right);
    }
}
