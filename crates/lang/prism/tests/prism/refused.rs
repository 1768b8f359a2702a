//! What was answered wrongly before, because a part of the text was left out or changed.

use crate::common::{Asked, check, open, trouble};

#[track_caller]
fn refused(text: &str, asked: &Asked, code: &str) {
    let told = match open(text, asked) {
        Ok(_) => trouble(text, asked),
        Err(trouble) => trouble.to_string(),
    };
    assert!(told.contains(code), "{told}");
}

#[test]
fn too_many_joint_actions_are_told() {
    let module = |name: &str| {
        let commands = (0..101).map(|number| format!("[{name}{number}] true -> true;\n"));
        let commands: String = commands.collect();
        format!("module {name}\n{commands}endmodule\n")
    };
    let renamed = |name: &str| {
        let pairs: Vec<String> = (0..101).map(|at| format!("{name}{at}<-go")).collect();
        format!("{name}{{{}}}", pairs.join(","))
    };
    let modules = [module("a"), module("b"), module("c")].concat();
    let system = [renamed("a"), renamed("b"), renamed("c")].join(" || ");
    let text = format!("mdp\n{modules}system {system} endsystem\n");
    refused(
        &text,
        &Asked::property("Pmax=? [ F true ]"),
        "joint actions",
    );
}

#[test]
fn whole_numbers_that_doubles_do_not_tell_apart_are_refused() {
    let ask = || Asked::property("P=? [ F x=1 ]");
    let of = |constant: &str, range: &str, guard: &str| {
        format!("dtmc {constant} module m x : {range}; [] {guard} -> (x'=1); endmodule")
    };
    for constant in [
        "const int N = 1e30;",
        "const int N = 9007199254740993;",
        "const int N = 3037000500*3037000499;",
    ] {
        refused(&of(constant, "[0..1]", "N>0"), &ask(), "too large");
    }
    let open = of("const int N;", "[0..1]", "N>0");
    for given in ["N=99999999999999999999999", "N=9007199254740993"] {
        refused(&open, &ask().constant(given), "too large");
    }
    refused(&of("", "[0..1]", "x<9007199254740993"), &ask(), "too large");
    let range = "[9007199254740993..9007199254740994]";
    refused(&of("", range, "true"), &ask(), "too large");
    // The last ones that do fit.
    let text = of("const int N = 9007199254740992;", "[0..1]", "N>0");
    check(&text, &ask()).has_value(1.0, 0.0);
    check(&open, &ask().constant("N=-9007199254740992")).has_value(0.0, 0.0);
}

#[test]
fn an_implication_looks_at_its_right_side_only_where_it_matters() {
    let text = "dtmc module m x : [0..2]; [] x>0 => mod(2, x)=0 -> (x'=min(x+1, 2)); endmodule";
    check(text, &Asked::property("P=? [ F x=2 ]")).has_value(1.0, 0.0);
}

/// An automaton of one location with an edge that gives `value` to `target`.
fn automaton(name: &str, target: &str, value: &str, more: &str) -> String {
    format!(
        r#"{{"name": "{name}", "locations": [{{"name": "l"}}], "initial-locations": ["l"],
          "edges": [{{"location": "l", "destinations": [{{"location": "l", "assignments":
            [{{"ref": "{target}", "value": {value}}}]}}]}}]{more}}}"#
    )
}

fn jani(kind: &str, automata: &[String], more: &str) -> String {
    let range = r#"{"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 9}"#;
    let variable = |name: &str, first: u8| {
        format!(r#"{{"name": "{name}", "type": {range}, "initial-value": {first}}}"#)
    };
    let elements: Vec<String> = automata
        .iter()
        .enumerate()
        .map(|(at, _)| format!(r#"{{"automaton": "{}"}}"#, ["A", "B"][at]))
        .collect();
    format!(
        r#"{{"jani-version": 1, "name": "m", "type": "{kind}", "variables": [{}, {}],
          "automata": [{}], "system": {{"elements": [{}]}}{more}}}"#,
        variable("x", 3),
        variable("y", 0),
        automata.join(","),
        elements.join(",")
    )
}

const CALL: &str = r#"{"op": "call", "function": "f", "args": []}"#;

fn function(body: &str) -> String {
    format!(r#"{{"name": "f", "type": "int", "parameters": [], "body": {body}}}"#)
}

#[test]
fn functions_belong_to_their_automaton() {
    let own = |body: &str| format!(r#", "functions": [{}]"#, function(body));
    let text = jani(
        "mdp",
        &[
            automaton("A", "x", CALL, &own("1")),
            automaton("B", "y", CALL, &own("2")),
        ],
        "",
    );
    check(&text, &Asked::property("Pmax=? [ F x=1 ]")).has_value(1.0, 0.0);
    check(&text, &Asked::property("Pmax=? [ F x=2 ]")).has_value(0.0, 0.0);
    check(&text, &Asked::property("Pmax=? [ F y=2 ]")).has_value(1.0, 0.0);
    // One of the model means its variables, also where an automaton has another of the name.
    let local = r#", "variables": [{"name": "x", "type": {"kind": "bounded", "base": "int",
        "lower-bound": 0, "upper-bound": 9}, "initial-value": 7}]"#;
    let automata = [automaton("A", "y", CALL, local)];
    let text = jani("mdp", &automata, &own("\"x\""));
    check(&text, &Asked::property("Pmax=? [ F y=3 ]")).has_value(1.0, 0.0);
    check(&text, &Asked::property("Pmax=? [ F y=7 ]")).has_value(0.0, 0.0);
}

#[test]
fn functions_parameters_and_automata_of_one_name_are_told() {
    let ask = Asked::property("Pmax=? [ F x=1 ]");
    let twice = format!(r#", "functions": [{}, {}]"#, function("1"), function("2"));
    let text = jani("mdp", &[automaton("A", "x", CALL, "")], &twice);
    refused(&text, &ask, "two functions `f`");
    let parameters = r#", "functions": [{"name": "g", "type": "int", "body": "p", "parameters":
        [{"name": "p", "type": "int"}, {"name": "p", "type": "int"}]}]"#;
    let text = jani("mdp", &[automaton("A", "x", "1", "")], parameters);
    refused(&text, &ask, "two parameters `p`");
    let one = automaton("A", "x", "1", "");
    refused(
        &jani("mdp", &[one.clone(), one], ""),
        &ask,
        "two automata `A`",
    );
}

#[test]
fn initial_locations_are_there() {
    let ask = Asked::property("Pmax=? [ F x=1 ]");
    let one = automaton("A", "x", "1", "");
    let none = one.replace(r#"["l"]"#, "[]");
    refused(&jani("mdp", &[none], ""), &ask, "initial locations");
    let other = one.replace(r#"["l"]"#, r#"["zzz"]"#);
    refused(&jani("mdp", &[other], ""), &ask, "no such location");
}

#[test]
fn what_a_property_of_jani_says_is_not_left_out() {
    let ask = |kind: &str, values: &str, expected: &str| {
        let properties = format!(r#", "properties": [{{"name": "p", "expression": {values}}}]"#);
        let mut one = automaton("A", "x", "1", "");
        if kind == "ctmc" {
            one = one.replace(r#""destinations""#, r#""rate": {"exp": 1}, "destinations""#);
        }
        refused(
            &jani(kind, &[one], &properties),
            &Asked::property("p"),
            expected,
        );
    };
    let earned = |more: &str| format!(r#"{{"op": "Emax", "exp": "x"{more}}}"#);
    ask("ctmc", &earned(r#", "step-instant": 1"#), "steps");
    let both = r#", "step-instant": 1, "time-instant": 2"#;
    ask("dtmc", &earned(both), "steps");
    let reach = r#", "reach": {"op": "=", "left": "x", "right": 1}"#;
    for accumulate in [r#"["step"]"#, r#""steps""#, "[]"] {
        let more = format!(r#"{reach}, "accumulate": {accumulate}"#);
        ask("dtmc", &earned(&more), "a list of `steps`");
    }
    ask("dtmc", &earned(reach), "`accumulate` is missing");
    ask("dtmc", &earned(r#", "reech": true"#), "`reech` cannot");
    let path = |more: &str| format!(r#"{{"op": "Pmax", "exp": {{"op": "F", "exp": true{more}}}}}"#);
    let both = r#", "step-bounds": {"upper": 5}, "time-bounds": {"upper": 1}"#;
    ask("dtmc", &path(both), "beside each other");
    ask("dtmc", &path(r#", "step-bounds": {"uper": 1}"#), "`uper`");
    for bounds in ["{}", r#"[{"upper": 1}]"#, "3"] {
        let more = format!(r#", "step-bounds": {bounds}"#);
        ask("dtmc", &path(&more), "`lower` or `upper`");
    }
    ask(
        "dtmc",
        &path(r#", "step-bound": {"upper": 1}"#),
        "`step-bound`",
    );
    let exclusive = r#", "step-bounds": {"upper": 1, "upper-exclusive": "yes"}"#;
    ask("dtmc", &path(exclusive), "`true` or `false`");
}

#[test]
fn of_two_meanings_none_is_taken() {
    let ask = Asked::property("P=? [ F x=1 ]");
    let module = "module m x : [0..2]; [a] true -> (x'=1); endmodule";
    for (text, expected) in [
        ("formula f = 1; formula f = 2;", "`f` is declared twice"),
        ("const int f = 1; formula f = 2;", "`f` is declared twice"),
        ("system m endsystem system m endsystem", "second `system`"),
        ("system m{a<-b, a<-c} endsystem", "renames `a` twice"),
        (
            "rewards \"r\" true : 1; endrewards rewards \"r\" true : 2; endrewards",
            "two rewards",
        ),
        ("label \"init\" = true;", "a meaning already"),
        ("label \"deadlock\" = true;", "a meaning already"),
        ("module n = m [x=y, x=z] endmodule", "`x` is renamed twice"),
        (
            "init true endinit global g : [0..1] init 1;",
            "beside `init`",
        ),
    ] {
        refused(&format!("dtmc {module} {text}"), &ask, expected);
    }
    let text = format!("dtmc {module}");
    let bounds = Asked::property("P=? [ F<=1<=9 x=1 ]");
    refused(&text, &bounds, "second bound");
    check(&text, &Asked::property("P=? [ F>=1<=9 x=1 ]")).has_value(1.0, 0.0);
}

#[test]
fn texts_of_jani_say_everything_once() {
    let ask = Asked::property("Pmax=? [ F x=1 ]");
    let one = automaton("A", "x", "1", "");
    let fields = one.replace(r#""name": "A""#, r#""name": "B", "name": "A""#);
    refused(&jani("mdp", &[fields], ""), &ask, "two fields `name`");
    let values = one.replace(
        r#"[{"ref": "x""#,
        r#"[{"ref": "x", "value": 2}, {"ref": "x""#,
    );
    refused(&jani("mdp", &[values], ""), &ask, "two values at once");
    let edges = r#"{"name": "A", "locations": [{"name": "l"}], "initial-locations": ["l"],
        "edges": {"location": "l", "destinations": [{"location": "l"}]}}"#;
    refused(&jani("mdp", &[edges.to_owned()], ""), &ask, "a list was");
    let transient = r#"{"name": "r", "type": "real", "transient": true, "initial-value": 0}"#;
    let text = jani("mdp", &[one], "");
    let variables = format!(r#""variables": [{transient}, {transient}, "#);
    let text = text.replacen(r#""variables": ["#, &variables, 1);
    refused(&text, &ask, "`r` is declared twice");
}
