//! Alike components in questions about what goes on for ever.

use quotient_lts::evidence::TurnData;

use super::*;
use crate::clubs;
use crate::evidence::alike_data;

fn alike_claim(system: &System, question: &Question) -> Option<StubbornData> {
    let network = Network::new(system, &Budget::unlimited()).unwrap();
    let alike = Symmetry::of(&network, &Budget::unlimited()).unwrap()?;
    let (alike, turn) = alike_data(&alike);
    Some(StubbornData {
        alike,
        turn,
        ..claim(system, question)
    })
}

/// Some of the actions of a club.
fn some(network: &Network, wanted: &[usize]) -> Vec<Action> {
    let names = wanted.iter().map(|at| format!("a{at:02}"));
    names
        .filter_map(|name| network.actions().get(&name))
        .collect()
}

fn chosen() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0usize..13, 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn progress_is_the_same_among_sorted_states(
        club in clubs::clubs(false), wanted in chosen(), condition in proptest::option::of(chosen()),
        every in any::<bool>(),
    ) {
        let (system, network) = (club.system(), club.network());
        let cx = Context::default();
        let Some(symmetry) = Symmetry::of(&network, &cx.budget).unwrap() else { return Ok(()) };
        if !is_for(&network) {
            return Ok(());
        }
        let go = Progress {
            name: "GO".into(),
            condition: condition.map(|condition| some(&network, &condition)),
            actions: some(&network, &wanted),
        };
        let (properties, asked) = match every {
            true => (vec![], None),
            false => (vec![go.clone()], Some(&go)),
        };
        let whole = check_progress(&network, &properties, &cx).remove(0);
        let is_broken = whole.1.unwrap().is_some();
        let holds = progress_holds_alike(&network, asked, &symmetry, &cx).unwrap();
        // Where the question notices every exchange, nothing is said.
        prop_assert!(!(holds && is_broken));
        let question = Question::Progress(properties);
        let data = alike_claim(&system, &question).unwrap();
        prop_assert_eq!(is_accepted(&system, &question, &whole.0, &data), !is_broken);
        prop_assert!(!is_accepted(&system, &question, "OTHER", &data));
    }

    #[test]
    fn formulas_that_hold_among_sorted_states_hold(
        club in clubs::clubs(false), formula in formulas(2), fair in any::<bool>(),
        sets in (chosen(), proptest::option::of(chosen()), chosen()),
    ) {
        let (system, network) = (club.system(), club.network());
        let cx = Context::default();
        let Some(symmetry) = Symmetry::of(&network, &cx.budget).unwrap() else { return Ok(()) };
        if !is_for(&network) {
            return Ok(());
        }
        let fluent = |begin: &[usize], end: Option<&Vec<usize>>| Fluent {
            name: "F".to_owned(),
            begin: some(&network, begin),
            end: end.map(|end| some(&network, end)),
            initially: false,
        };
        let fluents = vec![fluent(&sets.0, sets.1.as_ref()), fluent(&sets.2, None)];
        let is_broken = check_formula(&network, &formula, &fluents, fair, &cx).unwrap().is_some();
        let asked = (&formula, &fluents[..], fair);
        let holds = formula_holds(&network, asked, Some(&symmetry), &cx).unwrap();
        prop_assert!(!(holds && is_broken));
        let name = "FORMULA".to_owned();
        let question = Question::Formula { name, formula, fluents, fair };
        let data = alike_claim(&system, &question).unwrap();
        let accepted = is_accepted(&system, &question, "FORMULA", &data);
        prop_assert!(!(accepted && is_broken));
        prop_assert!(accepted || !holds);
        prop_assert!(!is_accepted(&system, &question, "OTHER", &data));
    }
}

/// Guests who wait in the order in which they came.
fn inn(guests: usize) -> System {
    let mut system = System::new();
    let act =
        |system: &mut System, name: &str, at: usize| system.actions.intern(&format!("{name}.{at}"));
    let mut parts = Vec::new();
    for at in 0..guests {
        let [come, eat] = ["come", "eat"].map(|name| act(&mut system, name, at));
        let mut guest = LtsBuilder::new();
        guest.edge(0, come, 1).edge(1, eat, 0);
        parts.push(system.process(format!("G{at}"), guest.build()));
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    let mut numbers = BTreeMap::from([(Vec::new(), 0u32)]);
    let mut inn = LtsBuilder::new();
    let mut next = 0;
    while let Some(row) = rows.get(next).cloned() {
        let mut number = |row: Vec<usize>| {
            *numbers.entry(row.clone()).or_insert_with(|| {
                rows.push(row);
                rows.len() as u32 - 1
            })
        };
        for at in (0..guests).filter(|at| !row.contains(at)) {
            let longer = row.iter().copied().chain([at]).collect();
            inn.edge(next as u32, act(&mut system, "come", at), number(longer));
        }
        if let [first, rest @ ..] = &row[..] {
            let eat = act(&mut system, "eat", *first);
            inn.edge(next as u32, eat, number(rest.to_vec()));
        }
        next += 1;
    }
    parts.push(system.process("INN", inn.build()));
    system.parallel(parts);
    system
}

fn eats(system: &System, at: usize) -> Progress {
    Progress {
        name: "EATS".to_owned(),
        condition: None,
        actions: vec![system.actions.get(&format!("eat.{at}")).unwrap()],
    }
}

/// Whoever comes eats, about one guest.
fn served_after_coming(system: &System, at: usize, fair: bool) -> Question {
    let [come, eat] = ["come", "eat"].map(|name| system.actions.get(&format!("{name}.{at}")));
    let eats = Formula::unary(Unary::Finally(None), Formula::atom(1));
    let asks = Formula::binary(Binary::Implies, Formula::atom(0), eats);
    Question::Formula {
        name: "FED".to_owned(),
        formula: Formula::unary(Unary::Globally(None), asks),
        fluents: vec![fluent(come.unwrap(), None), fluent(eat.unwrap(), None)],
        fair,
    }
}

#[test]
fn a_row_of_guests_is_short_among_sorted_states() {
    let system = inn(6);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let cx = Context::default();
    let symmetry = Symmetry::of(&network, &cx.budget).unwrap().unwrap();
    let eats = eats(&system, 2);
    let class = classes(&network, [eats.actions.as_slice()].into_iter());
    let others = symmetry.unnoticed(&network, &class, &cx.budget).unwrap();
    let others = others.unwrap();
    assert_eq!(others.sizes().collect::<Vec<_>>(), [5]);
    let states = |alike| {
        let all = followed(&network, |_| false, alike, &cx).unwrap();
        all.composed.lts.states()
    };
    // All orders of some of six, and where the one guest stands, or is not.
    assert_eq!(states(None), 1957);
    assert_eq!(states(Some(&others)), 27);
    assert!(progress_holds_alike(&network, Some(&eats), &symmetry, &cx).unwrap());
    assert!(progress_holds_alike(&network, None, &symmetry, &cx).unwrap());
    for fair in [false, true] {
        let question = served_after_coming(&system, 2, fair);
        let Question::Formula {
            formula, fluents, ..
        } = &question
        else {
            unreachable!()
        };
        let asked = (formula, &fluents[..], fair);
        // Without fair choices the others come and eat as well: the row is kept.
        assert!(formula_holds(&network, asked, Some(&symmetry), &cx).unwrap());
        let data = alike_claim(&system, &question).unwrap();
        assert!(is_accepted(&system, &question, "FED", &data));
    }
}

/// A host who serves one guest, whoever it is, and only that one from then on.
fn faithful_host(guests: usize) -> System {
    let mut system = System::new();
    let mut parts = Vec::new();
    let mut host = LtsBuilder::new();
    for at in 0..guests {
        let eat = system.actions.intern(&format!("eat.{at}"));
        let mut guest = LtsBuilder::new();
        guest.edge(0, eat, 0);
        parts.push(system.process(format!("G{at}"), guest.build()));
        host.edge(0, eat, 1 + at as u32)
            .edge(1 + at as u32, eat, 1 + at as u32);
    }
    parts.push(system.process("HOST", host.build()));
    system.parallel(parts);
    system
}

#[test]
fn who_is_asked_about_is_not_taken_for_another() {
    let system = faithful_host(4);
    let network = Network::new(&system, &Budget::unlimited()).unwrap();
    let cx = Context::default();
    let symmetry = Symmetry::of(&network, &cx.budget).unwrap().unwrap();
    let one = eats(&system, 1);
    let any = Progress {
        actions: (0..4).flat_map(|at| eats(&system, at).actions).collect(),
        ..one.clone()
    };
    for (asked, holds) in [(&one, false), (&any, true)] {
        let found = progress_holds_alike(&network, Some(asked), &symmetry, &cx).unwrap();
        assert_eq!(found, holds);
        let question = Question::Progress(vec![asked.clone()]);
        let data = alike_claim(&system, &question).unwrap();
        assert_eq!(is_accepted(&system, &question, "EATS", &data), holds);
    }
    assert!(!progress_holds_alike(&network, None, &symmetry, &cx).unwrap());
    let every = Question::Progress(vec![]);
    let data = alike_claim(&system, &every).unwrap();
    assert!(!is_accepted(&system, &every, "progress", &data));
}

#[test]
fn exchanges_that_change_something_are_refused() {
    let system = inn(4);
    let question = Question::Progress(vec![eats(&system, 0)]);
    let data = alike_claim(&system, &question).unwrap();
    assert!(is_accepted(&system, &question, "EATS", &data));
    let is_refused = |change: fn(&mut StubbornData)| {
        let mut data = data.clone();
        change(&mut data);
        !is_accepted(&system, &question, "EATS", &data)
    };
    assert!(is_refused(|data| data.alike[0][0].states.clear()));
    assert!(is_refused(|data| data.alike[0][1].events.truncate(1)));
    assert!(is_refused(|data| data.alike[0][0].events.push((0, 1))));
    assert!(is_refused(|data| data.alike[0][2].components = vec![(0, 4)]));
    assert!(is_refused(|data| data.alike[0][2].components = vec![(0, 9)]));
    assert!(is_refused(|data| data.sticky.push(1)));
    assert!(is_refused(|data| data.turn = Some(TurnData {
        components: vec![1, 2, 3, 0, 4],
        events: (0..data.system.events.len() as u32).collect(),
        states: vec![],
    })));
    // Fewer exchanges say less, and nothing wrong.
    let mut fewer = data.clone();
    fewer.alike[0].truncate(1);
    assert!(is_accepted(&system, &question, "EATS", &fewer));
}
