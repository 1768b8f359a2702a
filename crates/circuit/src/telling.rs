//! What languages of circuits say alike: settings, methods, and answers in words.

use quotient_core::{Conclusion, Context, Diagnostic, Evidence, Rejection, Stop, Verdict};
use quotient_language::text::count;
use quotient_language::{
    Answer, Ask, Doubt, Exhibit, Format, Json, Setting, Settings, Trace, Verb, Written,
};
use quotient_netlist::wave::{Wave, to_vcd};
use quotient_netlist::words::{WATCHED_BOUND, WATCHED_INVARIANT, WordRun};
use quotient_netlist::{CIRCUIT_BOUND, CIRCUIT_INVARIANT, Circuit, Literal, Run, aiger, blif};

use crate::{
    ArrayFinding, ArrayLiveFinding, Finding, LiveFinding, Options, Way, longest_run, no_state_shows,
};

/// How checks can be varied.
pub const SETTINGS: &[Setting] = &[
    Setting::choice(
        "method",
        "NAME",
        &[
            ("auto", "all of these, by turns"),
            ("bounded", "runs of ever more steps: shortest violations"),
            ("ic3", "IC3 with clauses that are made short"),
            ("ic3-quick", "IC3 that spends less on each clause"),
            ("local", "IC3 on the latches that false alarms need"),
            ("induction", "induction over several steps"),
            (
                "interpolation",
                "sets between what is reached and what leads to bad states",
            ),
            ("settled", "IC3 from the step on in which some latches hold still"),
        ],
        "How to go about bad signals.",
    )
    .default("auto")
    .verbs(&[Verb::Check]),
    Setting::whole(
        "steps",
        "N",
        "The most steps of bounded search; other methods know no such limit.",
    )
    .verbs(&[Verb::Check]),
    Setting::flag(
        "refutations",
        "Evidence for what holds has a refutation in LRAT of every formula that must be impossible, \
         so that who checks it asks no SAT solver.",
    )
    .verbs(&[Verb::Check]),
];

/// AIGER as a text.
pub const AAG: Format = Format {
    name: "aag",
    endings: &["aag"],
    line: "AIGER 1.9, ascii",
};

/// AIGER as most tools want it.
pub const AIG: Format = Format {
    name: "aig",
    endings: &["aig"],
    line: "AIGER 1.9, binary",
};

/// Circuits as tables.
pub const BLIF: Format = Format {
    name: "blif",
    endings: &["blif"],
    line: "tables, as yosys and ABC read them",
};

/// A circuit in one of the formats above, by its name. Of what BLIF has no place for, constraints
/// become part of what is asked; the rest is left out, which is said.
pub fn written(circuit: &Circuit, format: &str) -> Option<Written> {
    let mut written = Written {
        line: sizes(circuit),
        details: vec![("latches".to_owned(), circuit.latches().len().into())],
        ..Written::default()
    };
    match format {
        "aag" => written.text = aiger::to_ascii(circuit),
        "aig" => written.bytes = Some(aiger::to_binary(circuit)),
        "blif" => {
            let without = [
                ("justice", circuit.justice.len()),
                ("fairness", circuit.fairness.len()),
            ];
            for (name, count) in without.into_iter().filter(|&(_, count)| count > 0) {
                let message = format!("BLIF has no {name}: {count} were left out");
                let warning = Diagnostic::warning("left-out", message);
                written.warnings.push(warning);
            }
            written.text = blif::write(&circuit.folded());
        }
        _ => return None,
    }
    Some(written)
}

/// The methods by name, with a line about each.
pub fn methods() -> Vec<(String, String)> {
    let own = |way: Way| (way.name().to_owned(), way.line().to_owned());
    Way::ALL.into_iter().map(own).collect()
}

/// What [`SETTINGS`] and a question ask of the engine.
pub fn options(settings: &Settings, ask: &Ask) -> Options {
    let mut options = Options {
        steps: settings.whole("steps"),
        threads: ask.threads.unwrap_or(2),
        ..Options::default()
    };
    let wanted = settings.text("method").unwrap_or("auto");
    if wanted != "auto" {
        options.ways = Way::ALL.to_vec();
        options.ways.retain(|way| way.name() == wanted);
    }
    options
}

/// The answer about a signal that is never to be on. `over` is what clauses are over; a violation
/// is told by the language, from its run.
pub fn of_never(
    name: &str,
    finding: &Finding,
    over: &str,
    violated: impl FnOnce(&Run) -> Answer,
) -> Answer {
    let mut answer = match &finding.conclusion {
        Conclusion::Holds(proof) => {
            let because = match (proof.clauses.len(), proof.depth) {
                (clauses, _) if proof.after > 0 => {
                    let after = proof.after;
                    format!("after {after} steps {clauses} clauses over {over} are an invariant")
                }
                (0, 0 | 1) => "no state at all shows it".to_owned(),
                (clauses, 0 | 1) => format!("{clauses} clauses over {over} are an invariant"),
                (_, depth) => format!("induction over {depth} steps"),
            };
            holds(name, Evidence::of_holds(CIRCUIT_INVARIANT, proof), because)
        }
        Conclusion::Violated(run) => {
            let steps = run.inputs.len().saturating_sub(1);
            violated(run).because(format!("on after {}", count(steps, "step")))
        }
        Conclusion::Unknown(stop) => Answer::unknown(name, stop.clone()),
    };
    answer.refinements = finding.refinements;
    answer.method = finding.way.map(str::to_owned);
    answer
}

/// The answer about a signal of a model with arrays of which a few elements were watched.
pub fn of_never_with_arrays(
    name: &str,
    finding: &ArrayFinding,
    violated: impl FnOnce(&WordRun) -> Answer,
) -> Answer {
    let mut answer = match &finding.conclusion {
        Conclusion::Holds(proof) => {
            let clauses = proof.proof.clauses.len();
            let because = match (proof.watched.len(), proof.proof.depth) {
                (watched, _) if proof.proof.after > 0 => format!(
                    "after {} steps {clauses} clauses over bits and {watched} elements of arrays \
                     are an invariant",
                    proof.proof.after
                ),
                (0, 0 | 1) => {
                    format!("{clauses} clauses over bits are an invariant, whatever arrays hold")
                }
                (0, depth) => format!("induction over {depth} steps, whatever arrays hold"),
                (watched, 0 | 1) => format!(
                    "{clauses} clauses over bits and {watched} elements of arrays are an invariant"
                ),
                (watched, depth) => {
                    format!("induction over {depth} steps with {watched} elements of arrays")
                }
            };
            let evidence = Evidence::of_holds(WATCHED_INVARIANT, proof);
            holds(name, evidence, because)
        }
        Conclusion::Violated(run) => {
            let steps = run.steps.len().saturating_sub(1);
            violated(run).because(format!("on after {}", count(steps, "step")))
        }
        Conclusion::Unknown(stop) => Answer::unknown(name, stop.clone()),
    };
    answer.refinements = finding.refinements;
    answer.method = finding.way.map(|way| format!("{way} on watched elements"));
    answer
}

/// The answer about signals that are not all to be on for ever.
pub fn of_not_forever(
    name: &str,
    finding: &LiveFinding,
    violated: impl FnOnce(&Run) -> Answer,
) -> Answer {
    let mut answer = match &finding.conclusion {
        Conclusion::Holds(bound) => {
            let because = format!("all signals are on in at most {} rounds", bound.rounds);
            holds(name, Evidence::of_holds(CIRCUIT_BOUND, bound), because)
        }
        Conclusion::Violated(run) => {
            let (steps, back_to) = (run.inputs.len(), run.back_to.unwrap_or(0));
            let steps = count(steps, "step");
            let because = format!("a run of {steps} goes back to step {back_to} for ever");
            violated(run).because(because)
        }
        Conclusion::Unknown(stop) => Answer::unknown(name, stop.clone()),
    };
    answer.refinements = finding.refinements;
    answer.method = finding.way.map(str::to_owned);
    answer
}

/// The same for a model with arrays of which a few elements were watched.
pub fn of_not_forever_with_arrays(
    name: &str,
    finding: &ArrayLiveFinding,
    violated: impl FnOnce(&WordRun) -> Answer,
) -> Answer {
    let mut answer = match &finding.conclusion {
        Conclusion::Holds(bound) => {
            let because = format!("all signals are on in at most {} rounds", bound.rounds);
            holds(name, Evidence::of_holds(WATCHED_BOUND, bound), because)
        }
        Conclusion::Violated(run) => {
            let (steps, back_to) = (run.steps.len(), run.back_to.unwrap_or(0));
            let steps = count(steps, "step");
            let because = format!("a run of {steps} goes back to step {back_to} for ever");
            violated(run).because(because)
        }
        Conclusion::Unknown(stop) => Answer::unknown(name, stop.clone()),
    };
    answer.refinements = finding.refinements;
    answer.method = finding.way.map(|way| format!("{way} on watched elements"));
    answer
}

fn holds(name: &str, evidence: Evidence, because: String) -> Answer {
    Answer::new(name, Verdict::Holds)
        .because(because)
        .with_evidence(evidence.about(name))
}

/// A violation with its run in all forms: as evidence, as a trace, and as the witness of a format, if there
/// is one.
pub fn violated(
    name: &str,
    evidence: Evidence,
    trace: Trace,
    (format, witness): (&str, Option<String>),
    waves: impl FnOnce() -> Vec<Wave>,
    ask: &Ask,
) -> Answer {
    let mut answer = Answer::new(name, Verdict::Violated)
        .with_trace(trace)
        .with_evidence(evidence.about(name));
    if let Some(witness) = &witness {
        let detail = ("witness".to_owned(), Json::from(witness.as_str()));
        answer.details.push(detail);
    }
    if ask.exhibits {
        let caption = match witness {
            Some(_) => format!("the run as {format} witness, and as waves"),
            None => "the run as waves".to_owned(),
        };
        let witness = witness.map(|witness| ("wit".to_owned(), witness));
        let waves = ("vcd".to_owned(), to_vcd(name, &waves()));
        answer.exhibits.push(Exhibit {
            name: format!("{name}-witness"),
            caption,
            picture: None,
            files: witness.into_iter().chain([waves]).collect(),
        });
    }
    answer
}

/// The invariant of an answer as a circuit, if exhibits are asked for and there is one.
pub fn show_witness(
    circuit: &Circuit,
    bad: Literal,
    finding: &Finding,
    ask: &Ask,
    answer: &mut Answer,
) {
    let Conclusion::Holds(proof) = &finding.conclusion else {
        return;
    };
    if let Some(witness) = proof.witness(circuit, bad).filter(|_| ask.exhibits) {
        answer.exhibits.push(Exhibit {
            name: format!("{}-witness", answer.property),
            caption: "the invariant as a circuit: bad where it is violated".to_owned(),
            picture: None,
            files: vec![("aag".to_owned(), aiger::to_ascii(&witness))],
        });
    }
}

/// Gives an answer that holds evidence with refutations in LRAT, or says why there are none. Each
/// comes with what it is called and the formula that it refutes, as files for others.
pub fn show_refutations(
    found: Result<(Evidence, Vec<[String; 3]>), Rejection>,
    ask: &Ask,
    answer: &mut Answer,
) {
    let (evidence, formulas) = match found {
        Ok(found) => found,
        Err(why) => {
            answer
                .notes
                .push(format!("there are no refutations: {why}\n"));
            return;
        }
    };
    let steps: usize = formulas.iter().map(|[.., lrat]| lrat.lines().count()).sum();
    answer.because = format!("{}, refuted in {steps} steps", answer.because);
    answer.evidence = Some(evidence.about(&answer.property));
    if !ask.exhibits {
        return;
    }
    for [name, cnf, lrat] in formulas {
        answer.exhibits.push(Exhibit {
            name: format!("{}-{name}", answer.property),
            caption: "a formula that must be impossible, and its refutation in LRAT".to_owned(),
            picture: None,
            files: vec![("cnf".to_owned(), cnf), ("lrat".to_owned(), lrat)],
        });
    }
}

/// A property for people: `b0`, or `b0 (overflow)` if the file calls its signal so.
pub fn called(property: &str, symbol: Option<&str>) -> String {
    match symbol.filter(|symbol| *symbol != property) {
        Some(symbol) => format!("{property} ({symbol})"),
        None => property.to_owned(),
    }
}

/// Says what the file calls the signal of an answer, where that is not the property's own name.
pub fn call(answer: &mut Answer, symbol: Option<&str>) {
    if let Some(symbol) = symbol.filter(|symbol| *symbol != answer.property) {
        let detail = ("signal".to_owned(), Json::from(symbol));
        answer.details.push(detail);
    }
}

/// Whether constraints leave a circuit without any run.
pub fn has_no_runs(circuit: &Circuit, cx: &Context) -> Result<bool, Stop> {
    Ok(longest_run(circuit, 1, &cx.budget)? == Some(0))
}

/// Marks an answer about a circuit without runs, if it holds, and gives that as a reason to doubt.
pub fn for_want_of_runs(answer: &mut Answer) -> Option<Doubt> {
    if answer.verdict != Verdict::Holds {
        return None;
    }
    answer.vacuous = true;
    answer
        .details
        .push(("vacuous".to_owned(), Json::from(true)));
    answer.because = "no run fulfils the constraints, so nothing bad happens in any".to_owned();
    let symbol = answer.details.iter().find(|(name, _)| name == "signal");
    let symbol = symbol.and_then(|(_, value)| value.as_str());
    let text = format!(
        "{} holds for want of runs: the constraints exclude every state of the start",
        called(&answer.property, symbol)
    );
    answer.notes.push(text.clone());
    Some(Doubt::new("no-runs", text))
}

/// How many signals are looked at for whether any state shows them.
const MOST_LOOKED_AT: usize = 20;
/// How much work each of them is worth.
const WORK_OF_A_LOOK: u64 = 1_000_000;

/// Reasons to doubt signals that are never on, each with its name: no state at all shows them.
pub fn needing_no_start(
    circuit: &Circuit,
    held: &[(String, Literal)],
    cx: &Context,
) -> Result<Vec<Doubt>, Stop> {
    let mut doubts = Vec::new();
    for (name, signal) in held.iter().take(MOST_LOOKED_AT) {
        let budget = cx.budget.child_with_work(WORK_OF_A_LOOK);
        if no_state_shows(circuit, *signal, &budget).unwrap_or(false) {
            let text = format!("{name} holds in every state, whatever the circuit does");
            doubts.push(Doubt::new("needs-no-start", text));
        }
        cx.budget.poll()?;
    }
    Ok(doubts)
}

/// A circuit in a line: `3 latches, 2 inputs, 7 gates`.
pub fn sizes(circuit: &Circuit) -> String {
    format!(
        "{} latches, {} inputs, {} gates",
        circuit.latches().len(),
        circuit.inputs().len(),
        circuit.gate_count()
    )
}
