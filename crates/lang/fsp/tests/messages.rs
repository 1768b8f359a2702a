//! What people are told about mistakes.

mod common;

use quotient_core::{Budget, Diagnostic, Source, Trouble};
use quotient_fsp::{Ask, Model, Options};

/// All that is said about a text: errors or warnings, with places, notes and help.
fn messages(text: &str) -> String {
    let source = Source::new("m.lts", text);
    let diagnostics = match Model::read(&source) {
        Err(diagnostics) => diagnostics,
        Ok(model) => {
            let budget = Budget::unlimited();
            let mut found = Vec::new();
            match model.compile(&Options::default(), &budget) {
                Ok(mut compiled) => {
                    let options = Options::default();
                    let asked = model.question(&Ask::Progress, &options, &mut compiled, &budget);
                    assert!(asked.is_ok());
                    found.extend(compiled.warnings);
                    let mut system = compiled.system;
                    for name in model.assertions() {
                        let options = Options::default();
                        match model.assertion(name, &options, &mut system, &budget) {
                            Ok(check) => found.extend(check.warnings),
                            Err(Trouble::Invalid(errors)) => found.extend(errors),
                            Err(Trouble::Stopped(stop)) => panic!("{stop:?}"),
                        }
                    }
                }
                Err(Trouble::Invalid(errors)) => found.extend(errors),
                Err(Trouble::Stopped(stop)) => panic!("{stop:?}"),
            }
            found
        }
    };
    let shown: Vec<String> = diagnostics.iter().map(|d| show(d, text)).collect();
    shown.join("\n")
}

fn show(diagnostic: &Diagnostic, text: &str) -> String {
    let mut shown = format!("{diagnostic} [{}]", diagnostic.code);
    for label in &diagnostic.labels {
        shown += &format!("\n  at `{}`: {}", &text[label.span.range()], label.text);
    }
    for note in &diagnostic.notes {
        shown += &format!("\n  note: {note}");
    }
    for help in &diagnostic.help {
        shown += &format!("\n  help: {help}");
    }
    shown
}

macro_rules! message {
    ($name:ident, $text:expr) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(messages($text));
        }
    };
}

message!(arrow_missing, "P = (a b -> P).");
message!(dot_missing, "P = (a -> P)\nQ = (b -> Q).");
message!(lower_case_process, "p = (a -> p).");
message!(body_without_brackets, "P = a -> P.");
message!(bars_of_choice, "P = (a -> P || b -> P).");
message!(composite_without_brackets, "P = (a -> P). ||C = P || P.");
message!(actions_in_composite, "P = (a -> P). ||C = (a -> P).");
message!(
    relabelling_after_hiding,
    "P = (a -> P). ||C = P\\{a}/{b/a}."
);
message!(parameter_without_default, "P(N) = (a -> P).");
message!(call_without_end, "W(N=1) = (a -> END). P = (b -> W(2)).");
message!(silent_label, "P = (tau -> P).");
message!(undefined_set, "set Lables = {a} P = (Labels.x -> P).");
message!(undefined_range, "range Index = 0..3 P = (a[i:Indx] -> P).");
message!(undefined_constant, "const Size = 2 P = (a[Sise] -> P).");
message!(undefined_variable, "P = (a[item:0..1] -> b[itm] -> P).");
message!(range_as_value, "range R = 0..2 P = (when (R > 1) a -> P).");
message!(
    undefined_process,
    "CLIENT = (a -> CLIENT). ||SYS = (CLEINT || CLIENT)."
);
message!(
    undefined_process_beside_another_mistake,
    "P = (a[X] -> P). ||SYS = (P || QUEUE || forall [i:0..1] (if (i) then STACK))."
);
message!(
    variable_that_acts_by_itself,
    "range T = 0..3
     CELL = CELL[0], CELL[v:T] = (read[v] -> CELL[v] | write[w:T] -> CELL[w]).
     COUNTER = (arrive -> cell.read[x:T] -> cell.write[(x%3)+1] -> COUNTER).
     ||SYS = ({left,right}::cell:CELL || {left,right}:COUNTER)."
);
message!(
    lock_that_acts_by_itself,
    "LOCK = (look -> LOCK | change -> done -> LOCK).
     READER = (look -> READER).
     WRITER = (change -> done -> WRITER | look -> WRITER).
     ||SYS = (reader:READER || writer:WRITER || {reader,writer}::LOCK)."
);
message!(
    lock_with_extended_alphabet,
    "LOCK = (look -> LOCK | change -> done -> LOCK).
     READER = (look -> READER) + {change, done}.
     WRITER = (change -> done -> WRITER | look -> WRITER).
     ||SYS = (reader:READER || writer:WRITER || {reader,writer}::LOCK)."
);
message!(
    undefined_local_process,
    "P = (a -> WAITNG), WAITING = (b -> P)."
);
message!(other_process_as_local, "P = (a -> Q). Q = (b -> Q).");
message!(outside_range, "P = C[0], C[i:0..2] = (inc -> C[i+1]).");
message!(unguarded_recursion, "P = Q, Q = R, R = Q.");
message!(
    recursion_of_composites,
    "P = (a -> P). ||C = (P || D). ||D = (C || P)."
);
message!(recursion_of_sequences, "P = Q; END. Q = (a -> P; END).");
message!(endless_process_before, "Q = (a -> Q). P = Q; P.");
message!(empty_range, "const N = 0 range R = 1..N P = (a[R] -> P).");
message!(division_by_zero, "const N = 0 P = (a[1/N] -> P).");
message!(overflow, "const N = 2000000000 P = (a[N+N] -> P).");
message!(label_as_number, "P(L='x) = (a[L+1] -> P).");
message!(duplicate_process, "P = (a -> P). P = (b -> P).");
message!(duplicate_constant, "const N = 1 const N = 2 P = (a -> P).");
message!(duplicate_local, "P = (a -> Q), Q = (b -> P), Q = (c -> P).");
message!(duplicate_variable, "P = (a[i:0..1] -> b[i:0..1] -> P).");
message!(reserved_name, "P = (a -> P), STOP = (b -> P).");
message!(parameter_count, "P(N=1) = (a[N] -> P). ||C = P(1, 2).");
message!(
    nondeterministic_property,
    "property P = (a -> b -> P | a -> c -> P)."
);
message!(hidden_property, "property P = (a -> b -> P)\\{b}.");
message!(indexed_process, "P[i:0..1] = (a -> P[i]).");
message!(
    property_of_nothing,
    "P = (send -> P). property Q = (sned -> Q). ||S = (P || Q)."
);
message!(unused_relabelling, "P = (send -> P). ||S = P/{x/sned}.");
message!(
    unused_relabellings,
    "P = (send -> P). ||S = P/{x/sned, z/take, y/{a, b}, w/send}."
);
message!(
    unused_hiding,
    "P = (send -> ack -> P). ||S = P\\{sned, ack}."
);
message!(
    unused_interface,
    "P = (send[1] -> P). ||S = P@{zz, send, ack[0..1]}."
);
message!(
    undefined_fluent,
    "fluent BUSY = <a, b> P = (a -> b -> P). assert A = []BSY"
);
message!(
    fluent_index,
    "fluent F[i:0..1] = <a[i], b> P = (b -> P). assert A = F[2]"
);
message!(
    fluent_overlap,
    "fluent F = <{a, b}, b> P = (b -> P). assert A = F"
);
message!(
    assertion_of_itself,
    "P = (b -> P). assert A = []B assert B = <>A"
);
message!(
    arrow_for_semicolon,
    "W(N=1) = (a -> END). P = (b -> W(2) -> Q), Q = (c -> P)."
);
message!(
    promise_as_process,
    "P = (a -> P). ltl_property L = []<>a ||S = (P || L)."
);
message!(
    assertion_as_process,
    "P = (a -> P). assert L = []a ||S = (P || L)."
);
message!(no_process, "const N = 1");
message!(bad_number, "const N = 09");
message!(bad_character, "P = (a -> P) $.");
message!(missing_import, "import P = \"lib.aut\" ||S = P.");
message!(unknown_action, "P = (request -> P). assert A = []<>reqest");

message!(
    all_mistakes_are_told,
    "CLOCK = TICK[0]
TICK[t:0..9] = (tick -> TICK[t+1])
RADIO = (on -> off -> RADIO)
set S = {a, b
range R = 0 to 3
P = (a[r:R] -> S -> P),
||C = (CLOCK || Radio || RADIO);
progress LIVE = {tick}
|| D(N=2) = (a.CLOCK || B:RADIO)."
);
message!(
    what_is_no_word_hides_the_rest_of_its_line,
    "P = (a $ b -> P).\nQ = (c -> d Q).\nconst N = 099\nR = (e => R)."
);
message!(
    mistakes_of_other_definitions,
    "P = (a[N] -> P). Q(M=1) = (b[i] -> Q). R = (c -> R). ||C = (P || S)."
);
message!(
    comparison_with_one_sign,
    "P = (a[i:0..1] -> (when (i = 1) b -> P))."
);
message!(
    comment_of_another_language,
    "% a lamp\nLAMP = (on -> LAMP)."
);
message!(comma_at_the_end, "P = Q, Q = (a -> P),\n||C = (P).");
message!(
    words_of_mtsa,
    "P = (a -> P).\ncontrollerSpec G = {safety = {S}}\nQ = (b -> Q)."
);
message!(
    what_mtsa_would_look_for_is_left_out,
    "P = (a -> P).\n||ENV = (P).\nfluent F = <a, b>\nltl_property S = []F\nassert S = <>F
controller ||C = (ENV)~{G}.\n||USES = (ENV || x:(P || forall [i:0..1] c[i]:C)).\n||TWICE = USES.
uTS SCENARIO = { instances {A B} condition X = (F && !F) prechart { X[A B] } }
controllerSpec G = {safety = {S}}"
);
message!(
    assertions_that_nobody_asks_about,
    "P = (a -> P).\nfluent F = <a, b>\nassert FIRST = [](F -> <>GONE)\nassert SECOND = [](HERE[1] -> a)"
);
message!(arrow_without_minus, "P = (a > P).");
message!(process_in_small_letters, "P = (a -> b).");
message!(stop_in_small_letters, "P = (a -> stop).");
message!(action_in_capital_letters, "P = (Start -> P).");
message!(composite_without_bars, "P = (a -> P). S = (P || P).");
message!(
    relabelling_the_wrong_way_round,
    "P = (call -> P). ||S = P/{call/request}."
);
message!(
    property_of_something_hidden,
    "P = (a -> b -> P). ||H = P\\{b}. property Q = (a -> b -> Q). ||S = (H || Q)."
);
message!(comment_that_never_ends, "/* P = (a -> P).");
message!(
    progress_of_nothing,
    "P = (enter -> P). progress GO = {entr}"
);
message!(
    progress_twice,
    "P = (a -> P). progress GO = {a} progress GO = {a}"
);

#[test]
fn processes_as_actions_and_modal_transitions_are_told_with_what_to_write() {
    let told = messages("A = (x -> A). P = (a -> A -> P).");
    assert!(told.contains("`A` is a process"), "{told}");
    assert!(told.contains("write `A; P`"), "{told}");
    assert!(!told.contains("expected `->`"), "{told}");
    let told = messages("P = (a? -> b -> P).");
    assert!(told.contains("modal transitions of MTSA"), "{told}");
}

#[test]
fn students_are_told_how_processes_are_put_side_by_side() {
    let local = messages("P = (a -> P), Q = (b -> Q).\n||S = (P || Q).");
    assert!(local.contains("`Q` is a local process of `P`"), "{local}");
    let beside = messages("P = (a -> STOP) || Q.\nQ = (b -> Q).");
    assert!(beside.contains("`||S = (P || Q).`"), "{beside}");
}

message!(
    one_sign_for_or_in_a_formula,
    "P = (a -> b -> P).\nassert A = [](a | b)\nassert B = [](a & b)"
);
