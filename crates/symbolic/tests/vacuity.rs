//! Vacuity by lattice against one check for each part, and any lattice against definitions.

mod explicit;

use explicit::{Features, Random, Small, ctl};
use proptest::prelude::*;
use quotient_core::{Context, Source};
use quotient_lattice::{Element, Kleene, Lattice, Product, Table, ThreeValue, Vacuity};
use quotient_logic::{Binary, Formula, Kind as Form, Polarity, Unary, parse_names};
use quotient_symbolic::{
    Checker, Config, Domain, Expression, Kind, Model, Reason, Specification, VacuityReport,
};

fn checker(model: &Model) -> Checker {
    Checker::new(model.clone(), Config::small(), &Context::default()).unwrap()
}

fn vacuous(report: &VacuityReport) -> Vec<usize> {
    report.vacuous().map(|part| part.position).collect()
}

/// The truth of a formula with some positions replaced by constants, by the definitions.
fn truth(small: &Small, formula: &Formula<usize>, replaced: &[(usize, bool)]) -> bool {
    let changed = formula.replaced(|at| {
        let constant = replaced.iter().find(|&&(position, _)| position == at);
        constant.map(|&(_, value)| Formula::constant(value))
    });
    let atom = |number: usize, state: usize| {
        small
            .model
            .evaluate(small.atoms[number], &small.states[state], None)
    };
    let values = ctl::check(small, &changed, &atom);
    ctl::starts(small).iter().all(|&state| values[state])
}

/// The least favourable constant for a polarity.
fn worst(polarity: Polarity, holds: bool) -> bool {
    (polarity == Polarity::Negative) == holds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn vacuity_by_lattice_is_vacuity_by_witnesses(seed in any::<u64>(), justice in any::<bool>(), deadlocks in any::<bool>()) {
        let small = Small::new(seed, Features { justice, deadlocks, inputs: true, compassion: false });
        let random = &mut Random(seed.rotate_left(11) | 1);
        let formula = ctl::formula(random, 4, 3);
        let compiled = formula.map_atoms(|&number| small.atoms[number]);
        let mut checker = checker(&small.model);
        let report = checker.vacuous_atoms(&compiled).unwrap();
        let naive = checker.vacuous_atoms_naively(&Specification::Ctl(compiled.clone())).unwrap();
        let holds = truth(&small, &formula, &[]);
        prop_assert_eq!(report.holds, holds);
        prop_assert_eq!(naive.holds, holds);
        let occurrences = formula.occurrences();
        prop_assert_eq!(report.parts.len(), formula.atoms().len());
        for (part, second) in report.parts.iter().zip(&naive.parts) {
            prop_assert_eq!(part.position, second.position);
            let with = |constant| truth(&small, &formula, &[(part.position, constant)]);
            let expected = with(false) == holds && with(true) == holds;
            prop_assert_eq!(second.vacuous, expected);
            match occurrences[part.position].polarity {
                Polarity::Mixed => prop_assert!(!part.vacuous || expected),
                _ => prop_assert_eq!(part.vacuous, expected, "{} at {}", formula, part.position),
            }
        }
    }

    #[test]
    fn refinement_finds_the_largest_vacuous_subtrees(seed in any::<u64>()) {
        let small = Small::new(seed, Features::default());
        let random = &mut Random(seed.rotate_left(13) | 1);
        let formula = ctl::formula(random, 4, 3);
        let occurrences = formula.occurrences();
        prop_assume!(occurrences.iter().all(|one| one.polarity != Polarity::Mixed));
        let holds = truth(&small, &formula, &[]);
        // Path formulas under a quantifier are no parts of their own.
        let is_path = |position: usize| occurrences[position].parent.is_some_and(|parent| {
            matches!(occurrences[parent].formula.kind, Form::Unary(Unary::ForAll | Unary::Exists, _))
        });
        let is_vacuous = |position: usize| {
            let constant = worst(occurrences[position].polarity, holds);
            truth(&small, &formula, &[(position, constant)]) == holds
        };
        let mut expected: Vec<usize> = Vec::new();
        for position in 1..occurrences.len() {
            let covered = expected.iter().any(|&above: &usize| position < above + occurrences[above].size);
            if !is_path(position) && !covered && is_vacuous(position) {
                expected.push(position);
            }
        }
        let compiled = formula.map_atoms(|&number| small.atoms[number]);
        let mut checker = checker(&small.model);
        let atoms = checker.vacuous_atoms(&compiled).unwrap();
        let report = checker.largest_vacuous(&compiled, &atoms).unwrap();
        prop_assert_eq!(report.holds, holds);
        prop_assert_eq!(vacuous(&report), expected, "{}", formula);
    }

    #[test]
    fn mutual_vacuity_is_the_maximal_sets_of_replacements(seed in any::<u64>()) {
        let small = Small::new(seed, Features::default());
        let random = &mut Random(seed.rotate_left(19) | 1);
        let formula = ctl::formula(random, 3, 3);
        let occurrences = formula.occurrences();
        let holds = truth(&small, &formula, &[]);
        let marks: Vec<usize> = (0..occurrences.len())
            .filter(|&at| matches!(occurrences[at].formula.kind, Form::Atom(_)))
            .filter(|&at| occurrences[at].polarity != Polarity::Mixed)
            .collect();
        let together = |set: &[usize]| {
            let replaced: Vec<(usize, bool)> = set.iter().map(|&at| (at, worst(occurrences[at].polarity, holds))).collect();
            truth(&small, &formula, &replaced) == holds
        };
        let subsets: Vec<Vec<usize>> = (0..1u32 << marks.len())
            .map(|code| (0..marks.len()).filter(|i| code >> i & 1 == 1).map(|i| marks[i]).collect())
            .filter(|set: &Vec<usize>| together(set))
            .collect();
        let mut expected: Vec<Vec<usize>> = subsets
            .iter()
            .filter(|set| !subsets.iter().any(|other| other.len() > set.len() && set.iter().all(|at| other.contains(at))))
            .cloned()
            .collect();
        let compiled = formula.map_atoms(|&number| small.atoms[number]);
        let mut checker = checker(&small.model);
        let atoms = checker.vacuous_atoms(&compiled).unwrap();
        let mut found = checker.mutually_vacuous(&compiled, &atoms, 1000).unwrap();
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected, "{}", formula);
    }
}

/// CTL over a lattice by the definitions: values of states, joins and meets over successors.
fn check_lattice<L: Lattice>(
    small: &Small,
    lattice: &L,
    formula: &Formula<usize>,
    atom: &dyn Fn(usize, usize) -> L::Element,
) -> Vec<L::Element> {
    let n = small.states.len();
    let successors = |state: usize| {
        small
            .edges
            .iter()
            .filter(move |e| e.from == state)
            .map(|e| e.to)
    };
    let next = |exists: bool, values: &[L::Element]| -> Vec<L::Element> {
        (0..n)
            .map(|state| match exists {
                true => {
                    successors(state).fold(lattice.bottom(), |x, t| lattice.join(&x, &values[t]))
                }
                false => successors(state).fold(lattice.top(), |x, t| lattice.meet(&x, &values[t])),
            })
            .collect()
    };
    let fixpoint = |from: L::Element, step: &dyn Fn(&[L::Element]) -> Vec<L::Element>| {
        let mut values = vec![from; n];
        loop {
            let new = step(&values);
            if new == values {
                return values;
            }
            values = new;
        }
    };
    let each = |f: &dyn Fn(usize) -> L::Element| (0..n).map(f).collect::<Vec<_>>();
    match &formula.kind {
        Form::Constant(true) => vec![lattice.top(); n],
        Form::Constant(false) => vec![lattice.bottom(); n],
        Form::Atom(number) => each(&|state| atom(*number, state)),
        Form::Unary(Unary::Not, operand) => {
            let a = check_lattice(small, lattice, operand, atom);
            each(&|s| lattice.negate(&a[s]))
        }
        Form::Unary(quantifier, path) => {
            let exists = *quantifier == Unary::Exists;
            match &path.kind {
                Form::Unary(operator, operand) => {
                    let a = check_lattice(small, lattice, operand, atom);
                    match operator {
                        Unary::Next => next(exists, &a),
                        Unary::Finally(_) => fixpoint(lattice.bottom(), &|z| {
                            let after = next(exists, z);
                            each(&|s| lattice.join(&a[s], &after[s]))
                        }),
                        _ => fixpoint(lattice.top(), &|z| {
                            let after = next(exists, z);
                            each(&|s| lattice.meet(&a[s], &after[s]))
                        }),
                    }
                }
                Form::Binary(operator, left, right) => {
                    let a = check_lattice(small, lattice, left, atom);
                    let b = check_lattice(small, lattice, right, atom);
                    let until = |z: &[L::Element]| {
                        let after = next(exists, z);
                        each(&|s| lattice.join(&b[s], &lattice.meet(&a[s], &after[s])))
                    };
                    match operator {
                        Binary::Until(_) => fixpoint(lattice.bottom(), &until),
                        Binary::WeakUntil => fixpoint(lattice.top(), &until),
                        _ => fixpoint(lattice.top(), &|z| {
                            let after = next(exists, z);
                            each(&|s| lattice.meet(&b[s], &lattice.join(&a[s], &after[s])))
                        }),
                    }
                }
                _ => panic!("not CTL"),
            }
        }
        Form::Binary(operator, left, right) => {
            let a = check_lattice(small, lattice, left, atom);
            let b = check_lattice(small, lattice, right, atom);
            each(&|s| {
                let (x, y) = (&a[s], &b[s]);
                let (not_x, not_y) = (lattice.negate(x), lattice.negate(y));
                match operator {
                    Binary::And => lattice.meet(x, y),
                    Binary::Or => lattice.join(x, y),
                    Binary::Implies => lattice.join(&not_x, y),
                    Binary::Iff => lattice.join(&lattice.meet(x, y), &lattice.meet(&not_x, &not_y)),
                    _ => lattice.join(&lattice.meet(x, &not_y), &lattice.meet(&not_x, y)),
                }
            })
        }
        Form::Placeholder(_) => panic!("no placeholders here"),
    }
}

fn without_bounds(formula: &Formula<usize>) -> bool {
    formula.occurrences().iter().all(|one| {
        !matches!(
            one.formula.kind,
            Form::Unary(Unary::Finally(Some(_)) | Unary::Globally(Some(_)), _)
                | Form::Binary(Binary::Until(Some(_)), ..)
        )
    })
}

/// Gives atoms random values in the lattice, one of two where the atom is true or false.
fn compare<L: Lattice>(
    seed: u64,
    lattice: &L,
    elements: &[L::Element],
) -> Result<(), TestCaseError> {
    let mut small = Small::new(seed, Features::default());
    let random = &mut Random(seed.rotate_left(7) | 1);
    let formula = ctl::formula(random, 3, 3);
    if !without_bounds(&formula) {
        return Ok(());
    }
    let pick = |random: &mut Random| elements[random.below(elements.len())].clone();
    let values: Vec<(L::Element, L::Element)> =
        (0..3).map(|_| (pick(random), pick(random))).collect();
    let atom = |number: usize, state: usize| {
        let holds = small
            .model
            .evaluate(small.atoms[number], &small.states[state], None);
        let (if_true, if_false) = values[number].clone();
        if holds { if_true } else { if_false }
    };
    let expected = check_lattice(&small, lattice, &formula, &atom);
    let expected = ctl::starts(&small)
        .iter()
        .fold(lattice.top(), |x, &s| lattice.meet(&x, &expected[s]));
    let mut checker = checker(&small.model);
    let model = &mut small.model;
    let atoms = &small.atoms;
    let found = checker
        .check_over(lattice, &formula, |&number, irreducible| {
            let (if_true, if_false) = &values[number];
            let at = |value| Expression::constant(lattice.less_or_equal(irreducible, value));
            model.if_then_else(atoms[number], at(if_true), at(if_false))
        })
        .unwrap();
    prop_assert_eq!(found, expected, "{}", formula);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_lattice_is_checked_by_the_definitions(seed in any::<u64>()) {
        let three = [ThreeValue::False, ThreeValue::Unknown, ThreeValue::True];
        compare(seed, &Kleene, &three)?;
        let belnap = Table::new(["n", "u", "b", "y"], &[(0, 1), (0, 2), (1, 3), (2, 3)], &[3, 1, 2, 0]).unwrap();
        let four: Vec<Element> = Element::all(4).collect();
        compare(seed ^ 1, &belnap, &four)?;
        let pairs: Vec<(ThreeValue, Element)> = three.iter().flat_map(|&x| four.iter().map(move |&y| (x, y))).collect();
        compare(seed ^ 2, &Product(Kleene, belnap), &pairs)?;
        let vacuity = Vacuity { marks: 2 };
        let values: Vec<_> = vacuity.join_irreducibles().into_iter().flat_map(|x| [vacuity.negate(&x), x]).collect();
        compare(seed ^ 3, &vacuity, &values)?;
    }
}

/// One state with a self-loop where exactly these atoms are true.
fn one_state(atoms: &[&str], true_ones: &[&str]) -> (Model, Vec<(String, Expression)>) {
    let mut model = Model::new();
    let mut named = Vec::new();
    for &name in atoms {
        let id = model.add_variable(name, Kind::Frozen, Domain::Boolean);
        let bit = model.bit(id, 0);
        model.add_init(if true_ones.contains(&name) { bit } else { !bit });
        named.push((name.to_owned(), bit));
    }
    (model, named)
}

fn read(text: &str, atoms: &[(String, Expression)]) -> Formula<Expression> {
    let formula = parse_names(&Source::new("formula", text)).unwrap();
    formula.map_atoms(|name| atoms.iter().find(|(known, _)| known == name).unwrap().1)
}

/// Truth, the texts of vacuous atoms, and the texts of the largest vacuous parts.
fn report(text: &str, atoms: &[&str], true_ones: &[&str]) -> (bool, Vec<String>, Vec<String>) {
    let (model, named) = one_state(atoms, true_ones);
    let formula = read(text, &named);
    let mut checker = checker(&model);
    let texts = |report: &VacuityReport| {
        let of = |part: &quotient_symbolic::Part| text[part.span.range()].to_owned();
        report.vacuous().map(of).collect::<Vec<_>>()
    };
    let by_atom = checker.vacuous_atoms(&formula).unwrap();
    let largest = checker.largest_vacuous(&formula, &by_atom).unwrap();
    (by_atom.holds, texts(&by_atom), texts(&largest))
}

#[test]
fn a_traffic_light_stuck_at_one_colour() {
    let colours = ["red", "yellow", "green"];
    let text = "AG (red | (yellow | green))";
    let stuck = report(text, &colours, &["red"]);
    assert_eq!(
        stuck,
        (
            true,
            vec!["yellow".into(), "green".into()],
            vec!["(yellow | green)".into()]
        )
    );
    let stuck = report(text, &colours, &["yellow"]);
    assert_eq!(stuck.1, ["red", "green"]);
    assert_eq!(stuck.2, ["red", "green"]);
}

#[test]
fn a_request_that_never_happens() {
    let atoms = ["req", "ack"];
    let text = "AG (req -> AF ack)";
    assert_eq!(report(text, &atoms, &[]).1, ["ack"]);
    assert_eq!(report(text, &atoms, &["ack"]).1, ["req", "ack"]);
    let (model, named) = one_state(&atoms, &[]);
    let formula = read(text, &named);
    let found = checker(&model).vacuous_atoms(&formula).unwrap();
    let ack = found.vacuous().next().unwrap();
    let Some(Reason::NeverTrue(position)) = ack.reason else {
        panic!("no reason")
    };
    assert_eq!(
        &text[formula.occurrences()[position].formula.span.range()],
        "req"
    );
    // Both are vacuous alone, not together.
    let (model, named) = one_state(&atoms, &["ack"]);
    let formula = read(text, &named);
    let mut checker = checker(&model);
    let atoms = checker.vacuous_atoms(&formula).unwrap();
    let mutual = checker.mutually_vacuous(&formula, &atoms, 10).unwrap();
    assert_eq!(mutual.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn false_formulas_can_be_vacuous_too() {
    let (holds, vacuous, _) = report("p & q", &["p", "q"], &[]);
    assert_eq!(
        (holds, vacuous),
        (false, vec!["p".to_owned(), "q".to_owned()])
    );
}

#[test]
fn a_tautology_over_one_atom() {
    assert_eq!(report("p | !p", &["p"], &["p"]).1, ["p"]);
    let (model, named) = one_state(&["p"], &["p"]);
    let formula = read("p | !p", &named);
    let found = checker(&model).vacuous_atoms(&formula).unwrap();
    assert_eq!(vacuous(&found), [3]);
}

#[test]
fn more_marks_than_a_machine_word_has_bits() {
    let names: Vec<String> = (0..70).map(|i| format!("p{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = format!("AG ({})", names.join(" | "));
    let (holds, vacuous, _) = report(&text, &names, &["p69"]);
    assert!(holds);
    assert_eq!(vacuous, names[..69]);
}

#[test]
fn an_interesting_run_of_what_some_path_does_gets_there() {
    // A light that may stay as it is, turn yellow, and then turns red for good.
    let mut model = Model::new();
    let light = model.add_variable("light", Kind::State, Domain::Boolean);
    let red = model.add_variable("red", Kind::State, Domain::Boolean);
    let (yellow, red_now) = (model.bit(light, 0), model.bit(red, 0));
    let next_red = model.next_bit(red, 0);
    let turns = model.iff(next_red, yellow);
    model.add_init(!yellow);
    model.add_init(!red_now);
    model.add_transition(turns);
    let named = [("yellow".to_owned(), yellow), ("red".to_owned(), red_now)];
    let mut checker = checker(&model);
    for (text, steps) in [("EF red", 2), ("E [!red U red]", 2), ("EG !yellow", 0)] {
        let formula = read(text, &named);
        let report = checker.vacuous_atoms(&formula).unwrap();
        let found = checker.interesting_witness(&formula, &report).unwrap();
        let (_, trace) = found.unwrap();
        assert!(trace.replays(&mut model.clone()));
        assert_eq!(trace.states.len(), steps + 1, "{text}");
        let last = &trace.states[steps];
        assert_eq!(model.evaluate(red_now, last, None), steps > 0);
        assert_eq!(trace.back_to.is_some(), steps == 0, "{text}");
    }
}

#[test]
fn an_interesting_witness_shows_the_formula_at_work() {
    // A request is answered one step later.
    let mut model = Model::new();
    let request = model.add_variable("req", Kind::State, Domain::Boolean);
    let answer = model.add_variable("ack", Kind::State, Domain::Boolean);
    let (req, ack) = (model.bit(request, 0), model.bit(answer, 0));
    let next_ack = model.next_bit(answer, 0);
    let echo = model.iff(next_ack, req);
    model.add_init(!req);
    model.add_init(!ack);
    model.add_transition(echo);
    let named = [("req".to_owned(), req), ("ack".to_owned(), ack)];
    let formula = read("AG (req -> AF ack)", &named);
    let mut checker = checker(&model);
    let report = checker.vacuous_atoms(&formula).unwrap();
    assert!(report.holds && report.vacuous().next().is_none());
    let (position, trace) = checker
        .interesting_witness(&formula, &report)
        .unwrap()
        .unwrap();
    assert_eq!(position, 6);
    assert!(trace.replays(&mut model.clone()));
    assert!((0..trace.states.len()).any(|step| model.evaluate(req, &trace.states[step], None)));
}
