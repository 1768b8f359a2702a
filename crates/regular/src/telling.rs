//! Answers of this engine as languages give them: plain data for any front end.
//!
//! Every language that is decided here tells its answers through this module, and takes the
//! settings that say how the engine is to work.

use quotient_automata::evidence::RunEvidence;
use quotient_automata::facts::count;
use quotient_automata::formats::{Format, Named, Role};
use quotient_core::{Diagnostic, Trouble, nearest};
use quotient_language::{
    Answer as Told, Ask, Cell, Doubt as ToldDoubt, Layout, Setting, Settings, Step, Trace, Verb,
};

use crate::{Answer, Configuration, Doubt, Found, Identity, Options, Problem, Set, all_methods};

/// Of a longer run the attempts in the middle are not kept.
const MOST_AUTOMATA: usize = 400;

/// The settings of a check that say how the engine works. None makes the question another one.
pub const SETTINGS: [Setting; 5] = [
    Setting::text(
        "method",
        "METHOD",
        "Use this method only, as in 'forward predicates(bad) key-states'.",
    )
    .verbs(&[Verb::Check])
    .group("Methods"),
    Setting::flag(
        "no-fall-back",
        "Let the method named give up where it cannot be refined any more, and do not go on \
         with one like it.",
    )
    .verbs(&[Verb::Check])
    .group("Methods")
    .requires(&["method"]),
    Setting::choice(
        "identity",
        "WHAT",
        &[
            ("auto", "add it unless it is there"),
            ("add", "add it"),
            ("as-given", "leave the steps as they are"),
        ],
        "What to do about a step that changes nothing.",
    )
    .verbs(&[Verb::Check])
    .group("Methods")
    .default("auto"),
    Setting::flag(
        "family",
        "Give with a violation the sets that its steps were chosen from.",
    )
    .verbs(&[Verb::Check])
    .group("Writing"),
    Setting::text(
        "out-format",
        "FORMAT",
        "The format of the automata in the folder of a report: timbuk, fsa, fsm, mata, slrp, \
         json or dot.",
    )
    .verbs(&[Verb::Check])
    .group("Writing")
    .default("timbuk"),
];

/// The methods by name, each with what it does.
pub fn methods() -> Vec<(String, String)> {
    let own = |(method, about): (&str, &str)| (method.to_owned(), about.to_owned());
    all_methods().into_iter().map(own).collect()
}

/// How the engine is to work: as the settings say, or else the model (`given`).
pub fn options(
    settings: &Settings,
    ask: &Ask,
    given: Option<Configuration>,
) -> Result<Options, Trouble> {
    let method = settings.text("method").map(str::parse).transpose()?;
    let options = Options::default();
    Ok(Options {
        methods: method.or(given).into_iter().collect(),
        identity: match settings.text("identity") {
            Some("add") => Identity::Add,
            Some("as-given") => Identity::AsGiven,
            _ => Identity::Auto,
        },
        doubt: ask.doubt,
        fall_back: !settings.flag("no-fall-back"),
        keep_automata: match ask.exhibits {
            true => MOST_AUTOMATA,
            false => 0,
        },
        threads: ask.threads.unwrap_or(options.threads),
        ..options
    })
}

/// The format of the automata beside an answer.
pub fn out_format(settings: &Settings) -> Result<Format, Trouble> {
    match settings.text("out-format") {
        Some(name) => named_format(name),
        None => Ok(Format::Timbuk),
    }
}

/// A format by its name; the error suggests one.
pub fn named_format(name: &str) -> Result<Format, Trouble> {
    Format::named(name).ok_or_else(|| {
        let known = Format::ALL.map(|format| format.name().to_lowercase());
        let message = format!("there is no format `{name}`");
        let error = Diagnostic::error("unknown-format", message)
            .note(format!("formats are {}", known.join(", ")));
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => error.help(format!("did you mean `{near}`?")).into(),
            None => error.into(),
        }
    })
}

/// An answer with what shows it; without exhibits ([`machines`] gives what they are made of).
pub fn answer(answer: &Answer, problem: &Problem, family: bool) -> Told {
    let because = match &answer.found {
        Found::Proof(proof) => {
            let states = count(proof.invariant.len(), "state");
            format!("an invariant with {states}")
        }
        Found::Run(run) => format!("a run of {}", count(run.steps.len(), "step")),
        Found::Nothing(stop) => stop.to_string(),
    };
    let mut told = Told::new(&answer.property, answer.verdict()).because(because);
    told.method.clone_from(&answer.method);
    told.refinements = answer.refinements;
    told.trace = answer.run(problem).map(|run| trace(&run));
    told.evidence = answer.evidence(problem, family);
    told
}

/// A run in words: the letters of each with blanks between them, `ε` for the empty one.
pub fn trace(run: &RunEvidence) -> Trace {
    let mut trace = Trace::new(Layout::States, [""]);
    let actions = std::iter::once(None).chain(run.steps.iter().map(Some));
    for (action, word) in actions.zip(&run.words) {
        let cell = Cell::new(match word.is_empty() {
            true => "ε".to_owned(),
            false => word.join(" "),
        });
        trace.steps.push(match action {
            None => Step::start([cell]),
            Some(action) => Step::of(action, [cell]),
        });
    }
    trace.mark_changes()
}

/// The automata that belong to an answer, with a word about each: the invariant first, or the
/// sets of a run if they are wanted, then those of the attempts that were kept.
pub fn machines(answer: &Answer, family: bool) -> Vec<(String, Named)> {
    let named = |name: String, set: &Set| Named::new(name, Role::Unspecified, set.to_nfa());
    let mut machines = Vec::new();
    match &answer.found {
        Found::Proof(proof) => {
            let invariant = named("invariant".to_owned(), &proof.invariant);
            machines.push(("an inductive invariant".to_owned(), invariant));
        }
        Found::Run(run) if family => {
            for (number, set) in run.family.iter().enumerate() {
                let caption = format!("where runs of this kind are after {number} steps");
                machines.push((caption, named(format!("X{number}"), set)));
            }
        }
        Found::Run(_) | Found::Nothing(_) => {}
    }
    machines.extend(attempts(answer));
    machines
}

/// The automata of the attempts that were kept.
fn attempts(answer: &Answer) -> Vec<(String, Named)> {
    let mut machines = Vec::new();
    let mut next = 0;
    for (number, round) in &answer.attempts {
        let mut gap = match *number > next {
            true => format!("(attempts {next} to {} were not kept) ", number - 1),
            false => String::new(),
        };
        next = number + 1;
        let last = round.steps();
        let sets = (round.sets.iter().enumerate()).map(|(i, set)| (i, format!("M{i}"), "", set));
        let merged = (round.abstractions.iter().enumerate())
            .map(|(i, set)| (i, format!("M{i} merged"), " with states merged", set));
        let alarms = (round.alarms.iter().enumerate())
            .map(|(i, set)| (last - i, format!("X{}", last - i), "", set));
        let mut all: Vec<_> = sets.chain(merged).collect();
        all.sort_by_key(|(step, ..)| *step);
        for (step, name, how, set) in all.into_iter().chain(alarms) {
            let letter = if name.starts_with('X') { 'X' } else { 'M' };
            let caption = format!("{gap}attempt {number}: {letter}_{step}{how}");
            gap.clear();
            let name = format!("attempt {number} {name}");
            machines.push((caption, Named::new(name, Role::Unspecified, set.to_nfa())));
        }
    }
    machines
}

/// A reason to doubt the model.
pub fn doubt(doubt: &Doubt) -> ToldDoubt {
    ToldDoubt {
        text: doubt.to_string(),
        details: serde_json::to_value(doubt).unwrap_or_default(),
        span: None,
    }
}

/// The automata and transducers of a problem, with their roles.
pub fn parts(problem: &Problem) -> Vec<Named> {
    let mut parts = vec![Named::new("init", Role::Initial, problem.initial().clone())];
    for property in problem.properties() {
        parts.push(Named::new(&property.name, Role::Bad, property.bad.clone()));
    }
    for (name, transducer) in problem.relation().parts() {
        parts.push(Named::new(name, Role::Transition, transducer.clone()));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Part, Property, Rules, check};
    use quotient_automata::{Alphabet, Nfa, Predicate, Relation};
    use quotient_core::{Context, Verdict};

    /// A token goes to the right; whoever passes it may keep a copy.
    fn token(keeps_a_copy: bool) -> Problem {
        let alphabet = Alphabet::new(["T", "N"]).unwrap();
        let (t, n) = (alphabet.set(["T"]).unwrap(), alphabet.set(["N"]).unwrap());
        let rules = Rules::new(&alphabet);
        let give = rules.change(&t, if keeps_a_copy { &t } else { &n });
        let (take, all) = (rules.change(&n, &t), Predicate::all(&alphabet));
        let rest = Part::Copies(&all);
        let pass = rules.chain(&[rest, Part::One(&give), Part::One(&take), rest]);
        let first = Nfa::builder(&alphabet).initial(0).edge(0, &t, 1);
        let bad = Property {
            name: "one token".to_owned(),
            bad: rules.at_least(2, &t),
        };
        Problem::new(
            first.edge(1, &n, 1).accepting(1).build(),
            vec![bad],
            Relation::new(&alphabet, vec![("pass".to_owned(), pass)]),
        )
        .unwrap()
    }

    fn settings(pairs: &[(&str, &str)]) -> Settings {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let pairs: Vec<_> = pairs.iter().map(own).collect();
        Settings::new("words", &SETTINGS, Verb::Check, &pairs).unwrap()
    }

    #[test]
    fn a_run_is_told_as_words() {
        let faulty = token(true);
        let report = check(&faulty, &Options::default(), &Context::default());
        let told = answer(&report.answers[0], &faulty, false);
        let trace = told.trace.unwrap();
        assert_eq!(trace.layout, Layout::States);
        let words: Vec<&str> = trace
            .steps
            .iter()
            .map(|step| step.cells[0].text.as_str())
            .collect();
        assert_eq!(words, ["T N", "T T"]);
        assert_eq!(told.because, "a run of 1 step");
        assert_eq!(told.evidence.unwrap().property, Some(told.property));
    }

    #[test]
    fn the_empty_word_is_shown() {
        let run = RunEvidence {
            words: vec![vec![]],
            steps: vec![],
            family: vec![],
        };
        assert_eq!(trace(&run).steps[0].cells[0].text, "ε");
    }

    #[test]
    fn a_proof_comes_with_its_invariant_and_the_attempts_asked_for() {
        let correct = token(false);
        let ask = Ask {
            exhibits: true,
            ..Ask::default()
        };
        let options = options(
            &settings(&[("method", "forward predicates(bad)")]),
            &ask,
            None,
        );
        let report = check(&correct, &options.unwrap(), &Context::default());
        let told = answer(&report.answers[0], &correct, false);
        assert_eq!(told.verdict, Verdict::Holds);
        let machines = machines(&report.answers[0], false);
        assert_eq!(machines[0].1.name, "invariant");
        assert_eq!(machines[1].0, "attempt 0: M_0");
    }

    #[test]
    fn wrong_methods_and_formats_are_refused() {
        assert!(options(&settings(&[("method", "sideways")]), &Ask::default(), None).is_err());
        assert!(out_format(&settings(&[("out-format", "timbuc")])).is_err());
        assert_eq!(
            out_format(&settings(&[("out-format", "tmb")])),
            Ok(Format::Timbuk)
        );
        assert!(!methods().is_empty());
    }
}
