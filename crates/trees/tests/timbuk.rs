//! Timbuk files: what is read, and what is refused where.

use quotient_core::{Budget, Source, Trouble};
use quotient_trees::State;
use quotient_trees::timbuk::{self, TimbukFile, looks_like_trees};

fn read(text: &str) -> TimbukFile {
    timbuk::read(&Source::new("file.tmb", text)).unwrap()
}

fn messages(text: &str) -> Vec<String> {
    match timbuk::read(&Source::new("file.tmb", text)) {
        Err(Trouble::Invalid(all)) => all.into_iter().map(|one| one.message).collect(),
        other => panic!("{other:?}"),
    }
}

fn mistakes(text: &str) -> Vec<String> {
    match timbuk::read(&Source::new("file.tmb", text)) {
        Err(Trouble::Invalid(all)) => all.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn states_with_arities_and_several_automata_are_read() {
    let file = read(
        "Ops a:0 f:2\n\nAutomaton A86\nStates q0:0 q1 : 0 q2:0 \n\nFinal States q2 \n\
         Transitions \na -> q0\nf(q0,q0) -> q2\nAutomaton B\nStates p Final States p\n\
         Transitions\na() -> p\n",
    );
    assert_eq!(file.automata.len(), 2);
    assert_eq!(file.automata[0].name, "A86");
    assert_eq!(file.automata[0].automaton.states(), 3);
    assert_eq!(file.automata[0].automaton.name(State::from_index(2)), "q2");
    assert!(file.warnings.is_empty());
}

#[test]
fn what_rules_use_is_taken_where_declarations_are_wrong() {
    let file = read(
        "Ops f:0 bot:0 bot:0\nAutomaton A\nStates q\nFinal States q\nTransitions\n\
         bot -> q\nf(q,q) -> q\n",
    );
    assert!(file.alphabet.find("f", 2).is_some());
    assert_eq!(file.alphabet.find("f", 0), None);
    assert_eq!(file.warnings.len(), 1);
    let file = read("Ops\nAutomaton A\nStates\nFinal States q0\nTransitions\nbot0 -> q0\n");
    assert_eq!(file.automata[0].automaton.states(), 1);
    let all = read("Automaton A\nStates\nFinal States q\nTransitions\na -> q\nb(p) -> q\n");
    assert_eq!(all.automata[0].automaton.states(), 2);
    assert!(!file.automata[0].automaton.is_empty());
}

#[test]
fn a_symbol_that_is_not_declared_is_taken_with_a_warning() {
    let text = |ops: &str| {
        format!(
            "{ops}\nVars x\nAutomaton A\nStates q\nFinal States q\nTransitions\na -> q\n\
             f(q,q) -> q\nTRS R\nf(x,x) -> f(x,y)\nf(x,a) -> g(x)\n"
        )
    };
    let file = read(&text("Ops a:0 f:2"));
    assert!(file.alphabet.find("y", 0).is_some());
    assert_eq!(file.warnings.len(), 1);
    let warning = &file.warnings[0];
    assert!(warning.to_string().contains("`y` is not declared"));
    let help = warning.help.join("; ");
    assert!(help.contains("or `y` to `Vars`"), "{help}");
    assert_eq!(warning.notes, ["nor are `g`"]);
    assert!(read(&text("Ops a:0 f:2 g:1 y:0")).warnings.is_empty());
    assert!(read(&text("Ops")).warnings.is_empty());
}

#[test]
fn silent_rules_and_deep_left_sides_mean_what_they_say() {
    let file = read(
        "Ops a:0 g:1\nAutomaton A\nStates p q\nFinal States q\nTransitions\n\
         a -> p\ng(g(p)) -> p\np -> q\n",
    );
    let automaton = &file.automata[0].automaton;
    let found = automaton.trees_up_to(6, 9, &Budget::unlimited()).unwrap();
    let found: Vec<String> = found.iter().map(|tree| tree.text(&file.alphabet)).collect();
    assert_eq!(found, ["a", "g(g(a))", "g(g(g(g(a))))"]);
}

#[test]
fn rewriting_systems_and_equations_are_read() {
    let file = read(
        "Ops app:2 cons:2 nil:0 a:0\nVars x y z\nTRS R1\napp(nil,x) -> x\n\
         app(cons(x,y),z) -> cons(x,app(y,z))\nEquations Approx\nRules\n\
         cons(x,cons(y,z))=cons(y,z)\nAutomaton A0\nStates q0\nFinal States q0\n\
         Transitions\nnil -> q0\napp(q0,q0) -> q0\n",
    );
    assert_eq!(file.systems[0].system.rules.len(), 2);
    assert_eq!(file.equations.len(), 1);
    let text = timbuk::write_file(&file);
    assert_eq!(timbuk::write_file(&read(&text)), text);
}

#[test]
fn all_mistakes_are_told_with_their_places() {
    let all = mistakes(
        "Ops a:0 f:2\nAutomaton A\nStates qq\nFinal States qr\nTransitions\n\
         a -> qq\nf(qq,zz) -> qq\nf(qq -> qq\na -> qq(a)\n",
    );
    assert_eq!(all.len(), 4, "{all:?}");
    assert!(
        all.iter()
            .any(|one| one.contains(":4:14:") && one.contains("`qr`"))
    );
    assert!(all.iter().any(|one| one.contains(":7:6:")));
    assert!(
        all.iter()
            .any(|one| one.contains(":8:6:") && one.contains("expected `,` or `)`"))
    );
    let all = mistakes("Vars x y\nTRS R\ng(x) -> f(x,y)\nx -> a\n");
    assert_eq!(all.len(), 2);
    let all = mistakes(
        "Transducer T\nStates p q\nFinal States q\nTransitions\na/b -> p\ng(p(x)) -> q(f(x,x))\n",
    );
    assert!(all[0].contains("written twice"));
}

#[test]
fn trees_are_told_from_words() {
    let is = |text: &str| looks_like_trees(&Source::new("x", text));
    assert!(is("Ops a:0 f:2\nAutomaton A\n"));
    assert!(is(
        "Ops\nAutomaton A\nStates q\nFinal States q\nTransitions\nf(q,q) -> q\n"
    ));
    assert!(!is(
        "Ops x:0 a:1\nAutomaton A\nStates q\nTransitions\na(q) -> q\n"
    ));
    // Several constants, and comments that only trees have.
    assert!(is(
        "Ops a:0 b:0\nAutomaton A\nStates q\nTransitions\na -> q\n"
    ));
    assert!(is("Ops\n  a:0 s:1\n  b:0\nAutomaton A\n"));
    assert!(is("(* numbers *)\nOps zero:0 s:1\nAutomaton A\n"));
    assert!(!is(
        "Ops x:0 a:1\nAutomaton A\nStates q:0 r:0\nFinal States q:0 r:0\n"
    ));
    assert!(!is("(* a program in another language *)\n"));
    assert!(!is(
        "Ops x: 0 a: 1\nAutomaton A\nStates q\nTransitions\nx() -> q\n"
    ));
    assert!(!is(
        "Opps x:0 a:1\nAutomaton A\nStates q\nTransitions\nx() -> q\n"
    ));
    // Symbols and states that only the rules name.
    assert!(is(
        "Ops\nAutomaton A\nStates\nFinal States q\nTransitions\na -> q\n"
    ));
    assert!(!is("MODULE main\n"));
}

#[test]
fn no_text_makes_the_reader_panic() {
    const PIECES: &[&str] = &[
        "Ops ",
        "Vars ",
        "TRS ",
        "Equations ",
        "Rules",
        "Automaton ",
        "Transducer ",
        "States ",
        "Final ",
        "Transitions\n",
        "a",
        "q",
        "x",
        "f(",
        "(",
        ")",
        ",",
        "->",
        " = ",
        ":",
        "0",
        "2",
        "99999999999999999999",
        "\n",
        " ",
        "a/b",
        "@INT",
        "%",
        "#",
        "(*",
        "*)",
        "é",
        "-",
        "q(x)",
        "f(q,q) -> q\n",
        "a -> q\n",
        "q -> q\n",
        "f(q(x),q(y)) -> q(f(y,x))\n",
        "g(q(x)) -> q(x)\n",
    ];
    quotient_trial::trial(|u| {
        let count = u.int_in_range(0..=40)?;
        let text: Result<String, _> = (0..count).map(|_| u.choose(PIECES).copied()).collect();
        let source = Source::new("x", text?);
        looks_like_trees(&source);
        if let Ok(file) = timbuk::read(&source) {
            let text = timbuk::write_file(&file);
            timbuk::read(&Source::new("again", text)).unwrap();
        }
        Ok(())
    })
    .budget_ms(2_000);
}

#[test]
fn automata_without_a_name_and_words_about_states_are_read() {
    let file = read(
        "Ops a:0 f:2\n\nAutomaton\nStates q0 q1\nDescription q0: \"where it begins\"\n\
         Final States q1\nPrior\nTransitions\na -> q0\nf(q0,q0) -> q1\n\
         Automaton\nStates p\nFinal States p\nTransitions\na -> p\n",
    );
    let names: Vec<&str> = file.automata.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["anonymous", "anonymous2"]);
    assert_eq!(file.automata[0].automaton.states(), 2);
    let refused = mistakes("Automaton A States q Final States q Prior a -> q Transitions a -> q");
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].contains("priority"));
}

#[test]
fn a_very_deep_term_is_read() {
    let deep = format!("{}a{}", "g(".repeat(50_000), ")".repeat(50_000));
    let file = read(&format!("Ops a:0 g:1\nVars x\nTRS R\n{deep} -> a\n"));
    assert_eq!(file.systems[0].system.rules[0].left.pieces().len(), 50_001);
}

#[test]
fn a_name_is_one_thing() {
    let automaton = "Automaton A\nStates q\nFinal States q\nTransitions\na -> q\nf(q,q) -> q\n";
    let both = format!("Ops a:0 f:2 x:0\nVars x y\n{automaton}TRS R\nf(x,y) -> x\n");
    assert_eq!(messages(&both), ["`x` is a symbol in `Ops` and a variable"]);
    let state = "Ops a:0 b:0 g:1\nAutomaton A\nStates a q\nFinal States q\nTransitions\n\
                 b -> a\na -> q\ng(a) -> q\n";
    assert_eq!(messages(state), ["`a` is a constant in `Ops` and a state"]);
    let implied = "Ops a:0 b:0\nAutomaton A\nFinal States q\nTransitions\nb -> a\na -> q\n";
    assert_eq!(
        messages(implied),
        ["`a` is a constant in `Ops` and a state"]
    );
    let written = "Ops a:0 g:1\nTransducer T\nStates q\nFinal States q\nTransitions\n\
                   a/a -> q\ng(q(a)) -> q(g(g(a)))\n";
    assert_eq!(
        messages(written),
        ["`a` is a constant in `Ops` and a variable"]
    );
    // Nothing but the constant is in the state: both readings are the same.
    let same = "Ops a:0 b:0 g:1\nAutomaton A\nStates a q\nFinal States q\nTransitions\n\
                a -> a\na -> q\ng(a) -> q\n";
    assert_eq!(read(same).automata[0].automaton.rules().len(), 3);
    let more = format!("{same}b -> a\n");
    assert_eq!(messages(&more), ["`a` is a constant in `Ops` and a state"]);
    // A state may be called as a symbol with children is.
    let above =
        "Ops a:0 g:1\nAutomaton A\nStates g\nFinal States g\nTransitions\na -> g\ng(g) -> g\n";
    assert_eq!(read(above).automata[0].automaton.states(), 1);
}

#[test]
fn a_comment_without_an_end_does_not_hide_what_follows() {
    let text = "Ops a:0\nAutomaton A\nStates q\nFinal States q\nTransitions\na -> q\n\
                (* more\nAutomaton B\nStates q\nTransitions\n";
    assert_eq!(messages(text), ["a comment has no end"]);
}

#[test]
fn chains_of_rules_between_states_are_followed_in_time() {
    let chain = |length: usize, more: &str| {
        let names: Vec<String> = (0..=length).map(|one| format!("q{one}")).collect();
        let steps: Vec<String> = (0..length)
            .map(|one| format!("q{} -> q{one}", one + 1))
            .collect();
        format!(
            "Ops a:0 b:0 g:1\nAutomaton A\nStates {}\nFinal States q0\nTransitions\n{}\na -> q{length}\n{more}",
            names.join(" "),
            steps.join("\n")
        )
    };
    let long = read(&chain(30_000, ""));
    let automaton = &long.automata[0].automaton;
    assert_eq!(automaton.rules().len(), 30_001);
    assert!(!automaton.is_empty());
    // In a circle every state has what each of them has.
    let circle = read(&chain(200, "q0 -> q200\nb -> q7\n"));
    assert_eq!(circle.automata[0].automaton.rules().len(), 2 * 201);
    let every: Vec<String> = (0..30_000)
        .map(|one| format!("g(q{one}) -> q{one}"))
        .collect();
    let wide = messages(&chain(30_000, &every.join("\n")));
    assert_eq!(wide, ["rules between states make more than 4000000 others"]);
}
