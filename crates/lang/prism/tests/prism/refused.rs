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
    for kind in ["dtmc", "mdp"] {
        let time = path(r#", "time-bounds": {"upper": 1}"#);
        ask(kind, &time, "no time passes");
        let time = earned(r#", "time-instant": 2"#);
        ask(kind, &time, "no time passes");
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
    let file = |text: &str| {
        let mut asked = ask.clone().setting("properties", "p.props");
        asked.files.push(("p.props".to_owned(), text.to_owned()));
        asked
    };
    for (text, expected) in [
        ("formula f = 1; formula f = 2;", "`f` is declared twice"),
        ("formula g = 2;", "`g` is declared twice"),
        ("const int g = 2;", "`g` is declared twice"),
        ("const int k = 1; formula k = 2;", "`k` is declared twice"),
        ("label \"init\" = true;", "a meaning already"),
        ("label \"deadlock\" = true;", "a meaning already"),
    ] {
        let model = format!("dtmc formula g = 1; {module}");
        refused(&model, &file(text), expected);
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

#[test]
fn constants_and_properties_of_jani_are_as_they_say() {
    let constants = |value: &str| {
        format!(
            r#", "constants": [{{"name": "M", "type": "int", "value": 6}}, {{"name": "N"{value},
              "type": {{"kind": "bounded", "base": "int", "lower-bound": 2, "upper-bound": "M"}}}}]"#
        )
    };
    let text = |value: &str| {
        jani(
            "mdp",
            &[automaton("A", "x", "\"N\"", "")],
            &constants(value),
        )
    };
    let ask = Asked::property("Pmax=? [ F x=2 ]");
    check(&text(r#", "value": 2"#), &ask).has_value(1.0, 0.0);
    check(&text(""), &ask.clone().constant("N=6")).has_value(0.0, 0.0);
    for value in ["1", "7"] {
        let outside = "outside of its bounds";
        refused(&text(&format!(r#", "value": {value}"#)), &ask, outside);
        refused(
            &text(""),
            &ask.clone().constant(&format!("N={value}")),
            outside,
        );
    }
    let property = |name: &str| format!(r#"{{"name": "{name}", "expression": true}}"#);
    let text = |one: &str, other: &str| {
        let both = format!(
            r#", "properties": [{}, {}]"#,
            property(one),
            property(other)
        );
        jani("mdp", &[automaton("A", "x", "1", "")], &both)
    };
    refused(&text("p", "p"), &Asked::property("p"), "two properties `p`");
    assert!(open(&text("p", "q"), &Asked::property("p")).is_ok());
}

#[test]
fn a_variable_gets_one_value_in_a_step() {
    let of = |kind: &str, one: &str, other: &str| {
        format!(
            "{kind} global g : [0..3] init 0; \
             module a x : [0..1]; [go] x=0 -> {one}(x'=1); [] x=1 -> true; endmodule \
             module b y : [0..1]; [go] y=0 -> {other}(y'=1); endmodule"
        )
    };
    let ask = |least: &str| Asked::property(&format!("P{least}=? [ F g=2 ]"));
    for (kind, least) in [("dtmc", ""), ("mdp", "min"), ("ctmc", "")] {
        let twice = "`g` gets two values";
        refused(&of(kind, "(g'=1) & ", "(g'=2) & "), &ask(least), twice);
        let partial = ask(least).setting("partial", "");
        if kind != "ctmc" {
            refused(&of(kind, "(g'=1) & ", "(g'=2) & "), &partial, twice);
        }
        let sampled = Asked::property("P=? [ F g=2 ]").setting("simulate", "10");
        if kind != "mdp" {
            refused(&of(kind, "(g'=1) & ", "(g'=2) & "), &sampled, twice);
        }
        // The same value, or none at all in what happens together.
        check(&of(kind, "(g'=2) & ", "(g'=y+2) & "), &ask(least)).has_value(1.0, 0.0);
        check(&of(kind, "(g'=2) & ", ""), &ask(least)).has_value(1.0, 0.0);
    }
    // By chance only: one outcome of each.
    let by_chance = of("dtmc", "0.5 : (g'=1) + 0.5 : ", "(g'=2) & ");
    refused(&by_chance, &ask(""), "`g` gets two values");
    let never = "dtmc global g : [0..3] init 0; \
         module a x : [0..1]; [go] x=0 -> (g'=1) & (x'=1); [go] x=1 -> true; endmodule \
         module b y : [0..1]; [go] x=1 -> (g'=2); [go] x=0 -> true; endmodule";
    check(never, &ask("")).has_value(1.0, 0.0);
}

#[test]
fn what_has_no_value_in_a_state_is_told() {
    let of = |range: &str, guard: &str, weight: &str, value: &str| {
        format!(
            "dtmc module m x : {range}; y : [0..9]; \
             [] {guard} -> {weight} : (y'={value}) + 1-({weight}) : true; endmodule \
             label \"l\" = mod(1, x)=0; rewards x=1 | 1/x > 0 : 1; endrewards"
        )
    };
    let ask = || Asked::property("P=? [ F y=1 ]");
    let none = "has no value";
    for guard in [
        "mod(1, x)=0",
        "!(mod(1, x)=0)",
        "mod(1, x-1)=0",
        "1/x > 5",
        "!(0/x > 5)",
        "log(x, 2) < 0",
        "log(2, x+1) < 0",
        "pow(x, 0-1) > 5",
        "pow(x-8, 1/3) > 5",
        "min(1, 1/x) > 0",
        "(x=0 ? 1/x : 1) > 0",
        "floor(1/x) > 0",
    ] {
        refused(&of("[0..1]", guard, "0.5", "1"), &ask(), none);
        let later = of("[0..1] init 1", &format!("x=0 & {guard}"), "0.5", "1");
        check(&later, &ask()).has_value(0.0, 0.0);
    }
    refused(&of("[0..1]", "true", "1/x", "1"), &ask(), none);
    refused(&of("[0..1]", "true", "0.5", "mod(1, x)"), &ask(), none);
    let fine = of("[0..1]", "true", "0.5", "1");
    check(&fine, &ask()).has_value(1.0, 0.0);
    refused(&fine, &Asked::property("P=? [ F \"l\" ]"), none);
    refused(&fine, &Asked::property("P=? [ F mod(1, x)=0 ]"), none);
    refused(&fine, &Asked::property("R=? [ C<=2 ]"), none);
    refused(
        &fine,
        &Asked::property("P=? [ F \"l\" ]").setting("partial", ""),
        none,
    );
    refused(
        &fine,
        &Asked::property("P=? [ F 1/x>0 ]").setting("simulate", "10"),
        "no value",
    );
    let init = "dtmc module m x : [0..3]; endmodule init mod(6, x)=0 endinit";
    refused(init, &Asked::property("filter(count, true)"), none);
    let init = "dtmc module m x : [0..3]; endmodule init x>0 & mod(6, x)=0 endinit";
    check(init, &Asked::property("filter(count, true)")).has_value(3.0, 0.0);
    let init = "dtmc module m x : [0..3]; endmodule init x>0 => mod(6, x)=0 endinit";
    check(init, &Asked::property("filter(count, true)")).has_value(4.0, 0.0);
}

#[test]
fn computed_numbers_that_doubles_do_not_tell_apart_are_told() {
    let of = |start: &str, guard: &str| {
        format!(
            "dtmc module m x : [0..4000000000] init {start}; y : [0..1]; \
             [] {guard} -> (y'=1); endmodule"
        )
    };
    let ask = || Asked::property("P=? [ F y=1 ]");
    for guard in [
        "x*x < x*x+1",
        "x*x*2 > 5",
        "-x*x < 5",
        "pow(x, 2) > 0",
        "max(x, x*x) > 0",
        "(y=1 ? 1 : x*x) > 0",
        "ceil(x*1000000000.0) > 0",
    ] {
        refused(&of("4000000000", guard), &ask(), "has no value");
        check(&of("3", guard), &ask()).has_value(1.0, 0.0);
    }
    // As fractions they may be large.
    check(&of("4000000000", "x*1000000000.0 > 0"), &ask()).has_value(1.0, 0.0);
}

#[test]
fn a_variable_with_a_mistake_is_declared_all_the_same() {
    let text = |variable: &str| {
        format!("dtmc module m x : {variable}; y : bool; [] x=0 & y -> (x'=1); endmodule")
    };
    for variable in [
        "[0..1] init 5",
        "[0..1] init 0.5",
        "[0..1] init true",
        "[0..1] init y",
        "[1..0]",
        "[0..2.5] init 7",
    ] {
        let told = trouble(&text(variable), &Asked::property("P=? [ F x=1 ]"));
        assert_eq!(told.matches("error").count(), 1, "{variable}: {told}");
    }
}

#[test]
fn habits_of_other_languages_are_answered() {
    let of = |guard: &str, update: &str| {
        format!("dtmc module m x : [0..1]; y : bool; [] {guard} -> {update}; endmodule")
    };
    let ask = || Asked::property("P=? [ F x=1 ]");
    let told = |guard: &str, update: &str, help: &str| {
        let trouble = open(&of(guard, update), &ask()).map(drop).unwrap_err();
        assert!(format!("{trouble:?}").contains(help), "{trouble:?}");
    };
    told("x==0", "(x'=1)", "write `=`, not `==`");
    told("x=0 && y", "(x'=1)", "write `&`, not `&&`");
    told("x=0", "(x=1)", "with a prime");
    told("x=0", "1:(x=1)", "with a prime");
    assert!(open(&of("x=0 & !y", "(x'=1)"), &ask()).is_ok());
}
