//! The language through its seam: answers, evidence, doubts, simulation, formats.

use quotient_aiger::LANGUAGE;
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{
    Answer, Ask, Input, MemoryFiles, Model, NoFiles, Picture, Random, Settings, Sureness, Verb,
    Viewed,
};

fn open_with(name: &str, text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new(name, text));
    LANGUAGE
        .open(&input, &mut NoFiles, settings, &Context::default())
        .unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn open(name: &str, text: &str) -> Box<dyn Model> {
    open_with(name, text, &Settings::default())
}

fn example(name: &str) -> &'static str {
    let examples = LANGUAGE.about().examples;
    let example = examples.iter().find(|one| one.name == name).unwrap();
    example.files[0].1
}

fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = Vec::new();
    let mut tell = |answer| all.push(answer);
    let ask = Ask {
        exhibits: true,
        ..Ask::default()
    };
    model.check(&ask, &Context::default(), &mut tell).unwrap();
    all
}

fn certified(model: &mut dyn Model, answer: &Answer) -> Result<(), String> {
    let property = model.property(&answer.property).unwrap();
    let evidence = answer.evidence.as_ref().unwrap();
    model
        .certify(evidence, &property, &Budget::unlimited())
        .map(|_| ())
        .map_err(|rejection| rejection.to_string())
}

#[test]
fn examples_have_the_verdicts_that_their_titles_say() {
    let expected = [
        ("arbiter", vec![Verdict::Holds, Verdict::Holds]),
        ("traffic", vec![Verdict::Violated]),
    ];
    assert_eq!(LANGUAGE.about().examples.len(), expected.len());
    for (name, verdicts) in expected {
        let mut model = open(name, example(name));
        let answers = answers(&mut *model);
        let given: Vec<Verdict> = answers.iter().map(|one| one.verdict.clone()).collect();
        assert_eq!(given, verdicts, "{name}");
        for answer in &answers {
            assert_eq!(certified(&mut *model, answer), Ok(()), "{name}");
        }
    }
}

#[test]
fn refutations_are_given_on_request_and_followed_by_the_checker() {
    let about = LANGUAGE.about();
    let given = [("refutations".to_owned(), "true".to_owned())];
    let settings = Settings::new(about.name, about.settings, Verb::Check, &given).unwrap();
    let mut model = open_with("arbiter.aag", example("arbiter"), &settings);
    let answer = answers(&mut *model).remove(0);
    assert!(answer.because.contains("refuted in"), "{}", answer.because);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
    let files: Vec<&str> = (answer.exhibits.iter())
        .flat_map(|exhibit| exhibit.files.iter())
        .map(|(ending, _)| ending.as_str())
        .collect();
    assert_eq!(files, ["aag", "cnf", "lrat", "cnf", "lrat", "cnf", "lrat"]);
    // Without its last line a refutation has no end.
    for at in 0..3 {
        let mut cut = answer.clone();
        let body = &mut cut.evidence.as_mut().unwrap().body;
        let text = body["refutations"][at].as_str().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        body["refutations"][at] = lines[..lines.len() - 1].join("\n").into();
        assert!(certified(&mut *model, &cut).is_err());
    }
    let mut traffic = open("traffic.aag", example("traffic"));
    assert!(certified(&mut *traffic, &answer).is_err());
}

#[test]
fn evidence_of_one_circuit_is_refused_for_another() {
    let mut traffic = open("traffic.aag", example("traffic"));
    let mut arbiter = open("arbiter.aag", example("arbiter"));
    let run = answers(&mut *traffic).remove(0);
    let proof = answers(&mut *arbiter).remove(0);
    assert!(certified(&mut *arbiter, &run).is_err());
    assert!(certified(&mut *traffic, &proof).is_err());
    let mut shortened = run.clone();
    let body = &mut shortened.evidence.as_mut().unwrap().body;
    body["inputs"].as_array_mut().unwrap().pop();
    assert!(certified(&mut *traffic, &shortened).is_err());
    let mut dropped = proof.clone();
    let body = &mut dropped.evidence.as_mut().unwrap().body;
    body["clauses"].as_array_mut().unwrap().clear();
    assert!(certified(&mut *arbiter, &dropped).is_err());
}

#[test]
fn a_violation_has_a_trace_and_a_witness() {
    let mut model = open("traffic.aag", example("traffic"));
    let answer = answers(&mut *model).remove(0);
    let trace = answer.trace.unwrap();
    assert!(trace.columns.contains(&"north_green".to_owned()));
    let last = trace.steps.last().unwrap();
    let green = |name: &str| {
        let at = trace.columns.iter().position(|one| one == name).unwrap();
        last.cells[at].text == "1"
    };
    assert!(green("north_green") && green("east_green"));
    let witness = &answer.exhibits[0].files[0].1;
    assert!(witness.starts_with("1\nb0\n000\n") && witness.ends_with(".\n"));
}

#[test]
fn a_lasso_goes_back_for_justice() {
    // A lamp that blinks; that it is on again and again is asked to be impossible.
    let mut model = open("blink.aag", "aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\n");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(answer.trace.as_ref().unwrap().back_to.is_some());
    assert_eq!(certified(&mut *model, &answer), Ok(()));
}

#[test]
fn a_lasso_need_not_come_back_to_what_nothing_asked_about_reads() {
    // A lamp that blinks, and twelve latches that count in binary for another question: they are
    // what they were only after 4096 steps.
    let (bits, mut text, mut gates) = (12, String::new(), String::new());
    let latch = |bit: usize| 2 * (bit + 2);
    let mut next = latch(bits);
    let mut carry = 1;
    for bit in 0..bits {
        // Neither both nor none of the bit and the carry.
        let (own, both, none) = (latch(bit), next, next + 2);
        gates.push_str(&format!(
            "{both} {own} {carry}\n{none} {} {}\n",
            own ^ 1,
            carry ^ 1
        ));
        gates.push_str(&format!("{} {} {}\n", next + 4, both ^ 1, none ^ 1));
        text.push_str(&format!("{own} {}\n", next + 4));
        (carry, next) = (both, next + 6);
    }
    let (most, many) = (next / 2 - 1, 3 * bits);
    let latches = bits + 1;
    let text = format!("aag {most} 0 {latches} 0 {many} 1 0 1\n2 3\n{text}{carry}\n1\n2\n{gates}");
    let mut model = open("beside.aag", &text);
    let ask = Ask {
        properties: vec!["j0".to_owned()],
        exhibits: true,
        ..Ask::default()
    };
    let mut all = Vec::new();
    let cx = Context::default();
    model.check(&ask, &cx, &mut |one| all.push(one)).unwrap();
    let answer = all.remove(0);
    assert_eq!(answer.verdict, Verdict::Violated, "{}", answer.because);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
    let own = witness(&answer);
    assert_eq!(accepted(&mut *model, &own), Ok(()), "{own}");
    // After the last row it goes on as after the one that it goes back to: both are the same.
    let trace = answer.trace.unwrap();
    let cells = |at: usize| trace.steps[at].cells.iter().map(|cell| cell.text.clone());
    let last = trace.steps.len() - 1;
    assert!(cells(last).eq(cells(trace.back_to.unwrap())));
    assert!(trace.back_to.unwrap() < last);
    assert!(accepted(&mut *model, "1\nj7\n0\n.\n").is_err());
}

#[test]
fn a_proof_for_want_of_runs_is_said_to_be_one() {
    // The only latch is off at the start and constrained to be on.
    let mut model = open("none.aag", "aag 1 0 1 0 0 1 1\n2 2\n3\n2\n");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
    assert!(answer.vacuous && answer.because.contains("no run"));
    let doubts = model.doubts(&Context::default()).unwrap();
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.details["doubt"] == "no-runs")
    );
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.details["doubt"] == "stuck-latches")
    );
}

#[test]
fn bounded_search_alone_never_says_that_something_holds() {
    let given = [
        ("method".to_owned(), "bounded".to_owned()),
        ("steps".to_owned(), "5".to_owned()),
    ];
    let known = LANGUAGE.about().settings;
    let settings = Settings::new("AIGER", known, Verb::Check, &given).unwrap();
    let mut model = open_with("arbiter.aag", example("arbiter"), &settings);
    let answer = answers(&mut *model).remove(0);
    assert!(
        matches!(answer.verdict, Verdict::Unknown(_)),
        "{:?}",
        answer.verdict
    );
}

#[test]
fn outputs_are_asked_about_where_nothing_else_is() {
    let mut model = open("old.aag", "aag 1 1 0 1 0\n2\n2\n");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(
        (answer.property.as_str(), &answer.verdict),
        ("o0", &Verdict::Violated)
    );
}

#[test]
fn a_run_can_be_made_step_by_step() {
    let mut model = open("traffic.aag", example("traffic"));
    let cx = Context::default();
    let mut walk = model.simulate(&cx).unwrap();
    assert_eq!(walk.choices(&cx).unwrap().len(), 4);
    for action in ["all off", "button_north button_east"] {
        let choices = walk.choices(&cx).unwrap();
        let at = choices.iter().position(|one| one.action == action).unwrap();
        walk.take(at, &cx).unwrap();
    }
    let trace = walk.trace();
    assert_eq!(trace.len(), 2);
    let cells: Vec<&str> = (trace.steps[2].cells.iter())
        .map(|cell| cell.text.as_str())
        .collect();
    assert_eq!(cells, ["1", "1", "0"]);
    assert!(walk.take_any(&mut Random::new(1), &cx).unwrap());
    assert_eq!(
        walk.status(&cx).unwrap().notes,
        ["bad in the last step: both green"]
    );
    assert!(walk.undo() && walk.undo() && walk.undo() && !walk.undo());
}

#[test]
fn other_formats_are_the_same_circuit() {
    let mut model = open("arbiter.aag", example("arbiter"));
    let cx = Context::default();
    let written = model.convert("aag", None, &cx).unwrap();
    let mut again = open("again.aag", &written.text);
    assert!(
        answers(&mut *again)
            .iter()
            .all(|one| one.verdict == Verdict::Holds)
    );
    let binary = model.convert("aig", None, &cx).unwrap();
    assert!(binary.text.is_empty());
    let bytes = binary.bytes.unwrap();
    assert!(bytes.starts_with(b"aig "));
    let input = Input::bytes("again.aig", bytes);
    let mut again = LANGUAGE
        .open(&input, &mut NoFiles, &Settings::default(), &cx)
        .unwrap();
    assert_eq!(again.convert("aag", None, &cx).unwrap().text, written.text);
    let blif = model.convert("blif", None, &cx).unwrap();
    assert_eq!(blif.warnings.len(), 1, "justice has no place in BLIF");
    let mut tables = open("arbiter.blif", &blif.text);
    assert_eq!(answers(&mut *tables).remove(0).verdict, Verdict::Holds);
    assert!(model.convert("smv", None, &cx).is_err());
}

#[test]
fn latches_are_drawn_where_gates_are_too_many() {
    // A shift register of 40 places, each through a gate of its own, and a bad last place.
    let mut text = "aag 81 1 40 0 40 1\n2\n".to_owned();
    for place in 0..40 {
        text += &format!("{} {}\n", 4 + 2 * place, 84 + 2 * place);
    }
    text += "82\n";
    for place in 0..40 {
        text += &format!("{} {} 2\n", 84 + 2 * place, 2 + 2 * place);
    }
    let mut model = open("shift.aag", &text);
    let shown = model.show(&Viewed::default(), &Context::default()).unwrap();
    let Picture::Graph(graph) = &shown.pictures[0] else {
        panic!("a graph");
    };
    assert_eq!(graph.nodes.len(), 42);
    // From the place before and the input; the first from the input, the last to what is asked.
    assert_eq!(graph.edges.len(), 1 + 39 * 2 + 1);
}

#[test]
fn circuits_are_shown_and_recognised() {
    let mut model = open("traffic.aag", example("traffic"));
    let shown = model.show(&Viewed::default(), &Context::default()).unwrap();
    assert_eq!(shown.result["latches"], 3);
    assert_eq!(shown.pictures.len(), 1);
    let sure = |name: &str, bytes: &[u8]| LANGUAGE.recognises(&Input::bytes(name, bytes.to_vec()));
    assert_eq!(sure("x", b"aig 0 0 0 0 0\n"), Sureness::Certain);
    assert_eq!(sure("x.blif", b".model x\n"), Sureness::Likely);
    assert_eq!(sure("x.smv", b"MODULE main"), Sureness::No);
}

/// Constraints have no place in BLIF: they become part of what is asked.
#[test]
fn constraints_are_kept_in_tables() {
    // A latch that follows its input; the input is never on by a constraint.
    let text = "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\n";
    let mut model = open("quiet.aag", text);
    let cx = Context::default();
    assert_eq!(answers(&mut *model)[0].verdict, Verdict::Holds);
    let blif = model.convert("blif", None, &cx).unwrap();
    assert!(blif.warnings.is_empty());
    let mut tables = open("quiet.blif", &blif.text);
    assert_eq!(answers(&mut *tables)[0].verdict, Verdict::Holds);
    let without = open("loud.aag", "aag 2 1 1 0 0 1\n2\n4 2\n4\n")
        .convert("blif", None, &cx)
        .unwrap();
    let mut tables = open("loud.blif", &without.text);
    assert_eq!(answers(&mut *tables)[0].verdict, Verdict::Violated);
}

#[test]
fn what_a_file_means_otherwise_is_said() {
    let text = ".model c\n.inputs a\n.outputs x\n.names a x\n1 1\n.exdc\n.names a x\n1 1\n.end\n";
    assert_eq!(open("c.blif", text).warnings().len(), 1);
}

/// The witness that comes with an answer, taken as one of another tool.
fn witness(answer: &Answer) -> String {
    answer.exhibits[0].files[0].1.clone()
}

fn accepted(model: &mut dyn Model, text: &str) -> Result<(), String> {
    let (name, evidence) = model.foreign_evidence(text).unwrap()?;
    let property = model.property(&name).map_err(|why| why.to_string())?;
    let checked = model.certify(&evidence, &property, &Budget::unlimited());
    checked.map(|_| ()).map_err(|why| why.to_string())
}

#[test]
fn witnesses_of_other_tools_are_checked() {
    let mut model = open("traffic.aag", example("traffic"));
    let own = witness(&answers(&mut *model)[0]);
    assert_eq!(accepted(&mut *model, &own), Ok(()));
    assert_eq!(accepted(&mut *model, &format!("c ours\n{own}")), Ok(()));
    // Without the last step, nothing is bad yet.
    let lines: Vec<&str> = own.lines().collect();
    let shorter = [&lines[..lines.len() - 2], &["."]].concat().join("\n");
    assert!(accepted(&mut *model, &shorter).is_err());
    assert!(accepted(&mut *model, &own.replace("b0", "b7")).is_err());
    assert!(accepted(&mut *model, &own.replacen("000", "0000", 1)).is_err());
    assert!(accepted(&mut *model, &own.replacen("000", "111", 1)).is_err());
    // Where outputs are asked about, they are called bad.
    let mut older = open("o.aag", "aag 1 1 0 1 0\n2\n2\n");
    assert_eq!(accepted(&mut *older, "1\nb0\n\n1\n.\n"), Ok(()));
    assert!(accepted(&mut *older, "1\nb0\n\n0\n.\n").is_err());
}

#[test]
fn witnesses_of_justice_come_back() {
    let mut model = open("blink.aag", "aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\n");
    let own = witness(&answers(&mut *model)[0]);
    assert_eq!(accepted(&mut *model, &own), Ok(()));
    // Three steps are one and a half times round: the last is where it was before.
    assert_eq!(accepted(&mut *model, "1\nj0\n0\n\n\n\n.\n"), Ok(()));
    assert!(accepted(&mut *model, "1\nj0\n0\n\n.\n").is_err());
}

#[test]
fn witnesses_of_justice_go_on_until_all_latches_are_back() {
    // A lamp, which is asked about, and a token that goes round three places.
    let text = "aag 4 0 4 0 0 0 0 1\n2 3\n4 8 1\n6 4\n8 6\n1\n2\n";
    let mut model = open("beside.aag", text);
    let answer = answers(&mut *model).remove(0);
    let own = witness(&answer);
    assert_eq!(accepted(&mut *model, &own), Ok(()));
    let steps = own.lines().skip(3).take_while(|line| *line != ".").count();
    assert!(steps >= 6, "{own}");
    // What is shown is as short as ever.
    assert!(answer.trace.unwrap().steps.len() < 6);
}

/// Two inputs that must be on together, and two latches that pass it on.
const PASSED: &str = "aag 5 2 2 1 1\n2\n4\n6 10 0\n8 6 0\n8\n10 2 4\ni1 stay here\n";

#[test]
fn lists_of_abc_are_read_in_each_of_their_forms() {
    let mut model = open("passed.aag", PASSED);
    let forms = [
        "00110000# DONE\n",
        "00\n11\n00\n00# DONE\n",
        "# FALSIFYING OUTPUTS: po0\n# COUNTEREXAMPLE LENGTH: 3\nlo0@0=0\nlo1@0=0\npi0@0=1\n\
         stay here@0=1\npi0@1=0\nstay here@1=0\npi0@2=0\nstay here@2=0\n# DONE\n",
        "# COUNTEREXAMPLE LENGTH: 3\nlo0@0=0\nlo1@0=0\npi0@0=1\nstay here@0=1\n# DONE\n",
        "pi0@0=1 stay here@0=1 lo0@0=0 n17@0=0 pi0@1=0 lo1@2=1 # DONE\n",
        "1\n00 11 0 10\n10 00 0 01\n01 00 1 00\n",
    ];
    for form in forms {
        assert_eq!(accepted(&mut *model, form), Ok(()), "{form}");
        // A step less, another input, another number of bits.
        let zero = form.replace("11", "10").replace("here@0=1", "here@0=0");
        assert!(accepted(&mut *model, &zero).is_err(), "{zero}");
    }
    for wrong in [
        "001100# DONE\n",
        "0011000# DONE\n",
        "0# DONE\n",
        "pi7@0=1 # DONE\n",
        "pi0@0=1 pi1@0=1 # DONE\n",
        "pi0@99999999999=1 # DONE\n",
        "pi0@999999999=1 # DONE\n",
        "pi0@0 # DONE\n",
        "# COUNTEREXAMPLE LENGTH: 99999999999\npi0@0=1\n",
        "pi0@0=7 # DONE\n",
        "1\n00 11 0 10\n10 00 0 01\n",
        "1\n000 11 0 10\n10 00 0 01\n01 00 1 00\n",
        "1\n00 111 0 10\n",
    ] {
        assert!(accepted(&mut *model, wrong).is_err(), "{wrong}");
    }
}

/// Some of these lists are of a circuit whose latches all start with 0.
#[test]
fn latches_of_a_list_start_as_the_circuit_says() {
    let mut model = open("one.aag", "aag 2 1 1 0 0 1\n2\n4 2 1\n4\n");
    assert_eq!(accepted(&mut *model, "1\n0 0 1 0\n"), Ok(()));
    let mut free = open("free.aag", "aag 2 1 1 0 0 1\n2\n4 4 4\n4\n");
    assert!(accepted(&mut *free, "1\n0 0 1 0\n").is_err());
    assert_eq!(accepted(&mut *free, "1\n1 0 1 0\n"), Ok(()));
    // Without inputs, each line is a step.
    let mut alone = open("alone.aag", "aag 2 0 2 1 0\n2 1\n4 2\n4\n");
    assert_eq!(accepted(&mut *alone, "00\n\n\n# DONE\n"), Ok(()));
    assert!(accepted(&mut *alone, "00# DONE\n").is_err());
}

/// A witness with bits changed is accepted exactly if the run that it tells is one.
#[test]
fn damaged_witnesses_are_judged_by_what_they_say() {
    let text = example("traffic");
    let mut model = open("traffic.aag", text);
    let circuit = quotient_netlist::aiger::read("traffic.aag", text.as_bytes()).unwrap();
    let own = witness(&answers(&mut *model)[0]);
    quotient_trial::trial(|u| {
        let mut bytes = own.clone().into_bytes();
        for _ in 0..u.int_in_range(1..=3)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=3)? {
                0 | 1 => bytes[at] = *u.choose(b"01x.b\n")?,
                2 => bytes.insert(at, *u.choose(b"01x.bju \n")?),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Ok(read) = quotient_netlist::aiger::witness::Witness::read(&text) else {
            assert!(accepted(&mut *model, &text).is_err(), "{text}");
            return Ok(());
        };
        let steps = read.inputs.iter();
        let fits = read.property == "b0"
            && read.start.len() == circuit.latches().len()
            && !read.inputs.is_empty()
            && (steps.clone()).all(|step| step.len() == circuit.inputs().len());
        let mut latches: Vec<u64> = read.start.iter().map(|&bit| u64::from(bit)).collect();
        let starts = circuit.latches().iter().zip(&read.start);
        let mut right = fits
            && starts
                .into_iter()
                .all(|(latch, &bit)| latch.start.is_none_or(|it| it == bit));
        let mut bad = false;
        for inputs in steps {
            let inputs: Vec<u64> = inputs.iter().map(|&bit| u64::from(bit)).collect();
            let state = circuit.evaluate(&latches, &inputs);
            right &= circuit.constraints.iter().all(|&one| state.is_on(one));
            bad = state.is_on(circuit.bad[0]);
            latches = (circuit.latches().iter())
                .map(|latch| state.value(latch.next) & 1)
                .collect();
        }
        assert_eq!(accepted(&mut *model, &text).is_ok(), right && bad, "{text}");
        Ok(())
    })
    .budget_ms(1_000);
}

/// A lamp of cells that goes on and off; two of them that are never different.
#[test]
fn cells_are_those_of_the_one_library_beside_the_file() {
    let text = ".model lamps\n.inputs go\n.outputs differ\n\
                .mlatch toggle T=go Q=one clk 0\n.mlatch toggle T=go Q=other clk 0\n\
                .gate xor2 a=one b=other O=differ\n.end\n";
    let library = "GATE xor2 2 O=a*!b+!a*b; PIN * UNKNOWN 1 999 1 1 1 1\n\
                   LATCH toggle 4 Q=T*!QN+!T*QN; PIN T UNKNOWN 1 999 1 1 1 1\n\
                   SEQ Q QN RISING_EDGE\n";
    let open = |files: &mut MemoryFiles| {
        let input = Input::text(&Source::new("lamps.blif", text));
        LANGUAGE.open(&input, files, &Settings::default(), &Context::default())
    };
    let mut model = open(&mut MemoryFiles::from([("cells.genlib", library)])).unwrap();
    assert!(model.warnings()[0].to_string().contains("`cells.genlib`"));
    let found = answers(&mut *model);
    assert_eq!(found[0].verdict, Verdict::Holds);
    assert_eq!(certified(&mut *model, &found[0]), Ok(()));
    // With other cells it is another circuit, and the proof is none of it.
    let other = library.replace("O=a*!b+!a*b", "O=a*b");
    let mut model = open(&mut MemoryFiles::from([("cells.genlib", &*other)])).unwrap();
    assert!(certified(&mut *model, &found[0]).is_err());
    assert_eq!(answers(&mut *model)[0].verdict, Verdict::Violated);
    let two = open(&mut MemoryFiles::from([
        ("a.genlib", library),
        ("b.genlib", ""),
    ]));
    let told = two.err().unwrap().to_string();
    assert!(told.contains("a.genlib, b.genlib"), "{told}");
    let none = open(&mut MemoryFiles::default());
    assert!(
        none.err()
            .unwrap()
            .to_string()
            .contains("cell of a library")
    );
}

/// A flip-flop of yosys that is cleared at once is off while it is cleared; one that is cleared at the
/// next edge may be on, as it may start so.
#[test]
fn cells_of_yosys_are_known() {
    let text = ".model top\n.inputs clk rst d\n.outputs bad\n\
                .subckt $_DFF_PP0_ C=clk D=d Q=t R=rst\n.gate $_AND_ A=t B=rst Y=bad\n.end\n";
    let mut model = open("top.blif", text);
    let told = model.warnings()[0].to_string();
    assert!(told.contains("start with anything"), "{told}");
    let found = answers(&mut *model);
    assert_eq!(found[0].verdict, Verdict::Holds);
    assert_eq!(certified(&mut *model, &found[0]), Ok(()));
    let signal = ("signal".to_owned(), serde_json::json!("bad"));
    assert!(found[0].details.contains(&signal));
    let mut model = open("top.blif", &text.replace("$_DFF", "$_SDFF"));
    let found = answers(&mut *model);
    assert_eq!(found[0].verdict, Verdict::Violated);
    assert_eq!(certified(&mut *model, &found[0]), Ok(()));
    let two = text.replace(".gate", ".subckt $_DFF_N_ C=clk D=d Q=u\n.gate");
    let told = open("top.blif", &two).warnings();
    assert!(
        told.iter()
            .any(|one| one.to_string().contains("different clocks"))
    );
}
