//! What a newcomer sees when a model has a mistake.

use quotient_core::{Budget, Diagnostic, Source, Trouble};
use quotient_smv::{Compiled, File};

/// A diagnostic as text: the message, each label with the text it points at, notes, help.
fn shown(diagnostic: &Diagnostic) -> String {
    let mut text = format!("{diagnostic} [{}]\n", diagnostic.code);
    let source = diagnostic
        .source
        .as_ref()
        .map_or("", |source| source.text());
    for label in &diagnostic.labels {
        let place = &source[label.span.range()];
        text += &format!("    at `{place}` {}\n", label.text);
    }
    for note in &diagnostic.notes {
        text += &format!("    note: {note}\n");
    }
    for help in &diagnostic.help {
        text += &format!("    help: {help}\n");
    }
    text
}

fn report(model: &str) -> String {
    let source = Source::new("m.smv", model);
    let (verdict, diagnostics) = match File::read(&source) {
        Ok(file) => ("accepted", file.warnings().to_vec()),
        Err(errors) => ("refused", errors),
    };
    let shown: String = diagnostics.iter().map(shown).collect();
    format!("{model}\n=> {verdict}\n{shown}\n")
}

fn report_all(models: &[&str]) -> String {
    models.iter().map(|model| report(model)).collect()
}

#[test]
fn syntax_errors() {
    insta::assert_snapshot!(report_all(&[
        "",
        "VAR x : boolean;",
        "MODULE main VAR x : boolean",
        "MODULE main VAR x = boolean;",
        "MODULE main VARS x : boolean;",
        "MODULE main VAR x : boolean; INIT x && x",
        "MODULE main VAR x : 0..3; INIT x == 2",
        "MODULE main VAR x : boolean; ASSIGN init(x) = TRUE;",
        "MODULE main VAR x : boolean; ASSIGN next(x) := case x : FALSE; TRUE : x esac;",
        "MODULE main VAR x : boolean; INIT case x : TRUE;",
        "MODULE main VAR next : boolean;",
        "MODULE main VAR x : boolean; INIT x /-- never closed",
        "MODULE main VAR x : boolean; INIT x € x",
        "MODULE main VAR x : integer;",
        "MODULE main VAR x : boolean; INIT max(x)",
        "MODULE main INIT 0ub2_101 = 0ub2_1",
        "MODULE main INIT 0ud_5 = 0ub2_1",
        "MODULE main VAR x : 0..99999999999;",
        "MODULE main VAR x : boolean; SPEC AG x; PSLSPEC within(x, x){x}; COMPUTE MIN [x, x]",
        "MODULE main VAR x : 0..1; DEFINE p := AG x = 1;",
        "MODULE main VAR x : boolean; LTLSPEC [] x LTLSPEC <>x SPEC A [x W x]",
        "@TIME_DOMAIN none MODULE main VAR x : boolean;",
        "@TIME_DOMAIN continuous MODULE main VAR c : clock; INIT c = 0",
    ]));
}

#[test]
fn nesting_is_limited() {
    let deep = format!(
        "MODULE main INIT {}TRUE{}",
        "(".repeat(9000),
        ")".repeat(9000)
    );
    let source = Source::new("deep.smv", deep);
    assert_eq!(File::read(&source).unwrap_err()[0].code, "smv-nesting");
    let deep = format!("MODULE main INIT {}TRUE", "!".repeat(9000));
    let source = Source::new("deep.smv", deep);
    assert_eq!(File::read(&source).unwrap_err()[0].code, "smv-nesting");
}

#[test]
fn long_chains_are_not() {
    let chain = " & x".repeat(20_000);
    let arrows = " -> x".repeat(2_000);
    let choices = "x ? y : ".repeat(2_000);
    let defines: String = (1..5_000)
        .map(|i| format!("d{i} := d{};\n", i - 1))
        .collect();
    let text = format!(
        "MODULE main VAR x : boolean; y : boolean; DEFINE d0 := x; {defines}
         INIT x{chain} INVAR x{arrows} INVAR {choices} x INIT d4999 SPEC AG (x{chain})"
    );
    let file = File::read(&Source::new("long.smv", text)).unwrap();
    assert_eq!(file.program().init().len(), 2);
}

#[test]
fn names_and_modules() {
    insta::assert_snapshot!(report_all(&[
        "MODULE mian VAR x : boolean;",
        "MODULE main(a) VAR x : boolean;",
        "MODULE main VAR p : prcess(x); MODULE process(x) VAR y : boolean;",
        "MODULE main VAR p : user(x, x); x : boolean; MODULE user(a) VAR y : boolean;",
        "MODULE main VAR p : node; MODULE node VAR q : leaf; MODULE leaf VAR r : node;",
        "MODULE main VAR state : {idle, busy}; INIT stat = idle",
        "MODULE main VAR state : {idle, busy}; INIT state = bussy",
        "MODULE main VAR p : user; INIT p.stat = idle MODULE user VAR state : {idle, busy};",
        "MODULE main VAR x : boolean; x : 0..3;",
        "MODULE main VAR x : boolean; DEFINE x := TRUE;",
        "MODULE main VAR x : boolean; MODULE main VAR y : boolean;",
        "MODULE main VAR x : {a, b, a};",
        "MODULE main DEFINE a := b; b := !c; c := a; INIT a",
        "MODULE main VAR p : user(q.out); q : user(p.out); MODULE user(in) DEFINE out := in;",
        "MODULE main VAR p : user; INIT p MODULE user VAR x : boolean;",
        "MODULE main VAR x : boolean; INIT x.y",
        "MODULE main VAR a : array 0..2 of boolean; INIT a",
        "MODULE main VAR a : array 0..2 of boolean; INIT a[3]",
        "MODULE main VAR x : boolean; INIT x[0]",
        "MODULE main VAR w : word[4]; INIT w[0]",
        "MODULE main VAR x : 3..1;",
        "MODULE main VAR y : 0..3; x : 0..y;",
        "MODULE main VAR w : word[513];",
        "MODULE main VAR p : user(missing); x : boolean; MODULE user(a) VAR y : boolean;",
        "MODULE main ISA other MODULE other ISA main",
    ]));
}

#[test]
fn types() {
    insta::assert_snapshot!(report_all(&[
        "MODULE main VAR x : boolean; INIT x = 1",
        "MODULE main VAR x : boolean; ASSIGN init(x) := 0;",
        "MODULE main VAR x : boolean; y : 0..3; INIT x + y = 2",
        "MODULE main VAR x : 0..3; INIT x",
        "MODULE main VAR x : {a, b}; y : 0..3; INIT x = y",
        "MODULE main VAR x : {a, b}; INIT x < b",
        "MODULE main VAR x : 0..3; INIT x = {1, 2}",
        "MODULE main VAR x : 0..3; INIT x + {1, 2} = 3",
        "MODULE main VAR x : 0..3; y : boolean; ASSIGN next(x) := case y : 1; TRUE : FALSE; esac;",
        "MODULE main VAR x : 0..3; ASSIGN next(x) := case x : 1; TRUE : 2; esac;",
        "MODULE main VAR w : word[4]; INIT w + 1 = w",
        "MODULE main VAR w : word[4]; v : word[5]; INIT w = v",
        "MODULE main VAR w : word[4]; v : signed word[4]; INIT w < v",
        "MODULE main VAR w : word[4]; INIT w[4:0] = w",
        "MODULE main VAR w : word[4]; INIT (w << 5) = w",
        "MODULE main VAR x : 0..3; INIT x in {TRUE, FALSE}",
        "MODULE main VAR x : {a, 1}; INIT x + 1 = 2",
        "MODULE main VAR x : 0..3; SPEC AG x",
    ]));
}

#[test]
fn assignments_and_places() {
    insta::assert_snapshot!(report_all(&[
        "MODULE main VAR x : boolean; ASSIGN next(x) := x; next(x) := !x;",
        "MODULE main VAR x : boolean; ASSIGN x := TRUE; next(x) := !x;",
        "MODULE main VAR x : boolean; y : boolean; ASSIGN x := y; y := !x;",
        "MODULE main VAR x : boolean; y : boolean; ASSIGN next(x) := next(y); next(y) := next(x);",
        "MODULE main VAR x : boolean; y : boolean; ASSIGN next(x) := y; next(y) := x;",
        "MODULE main DEFINE d := TRUE; ASSIGN d := TRUE;",
        "MODULE main IVAR i : boolean; ASSIGN i := TRUE;",
        "MODULE main FROZENVAR f : boolean; ASSIGN next(f) := TRUE;",
        "MODULE main VAR a : array 0..1 of boolean; ASSIGN a := TRUE;",
        "MODULE main VAR x : boolean; INIT next(x)",
        "MODULE main VAR x : boolean; ASSIGN init(x) := next(x);",
        "MODULE main VAR x : boolean; TRANS next(next(x))",
        "MODULE main IVAR i : boolean; TRANS next(i)",
        "MODULE main IVAR i : boolean; INVAR i",
        "MODULE main IVAR i : boolean; SPEC AG i",
        "MODULE main VAR x : boolean; SPEC AG next(x)",
        "MODULE main VAR x : boolean; SPEC G x",
        "MODULE main VAR x : boolean; LTLSPEC AG x",
        "MODULE main VAR x : boolean; INVARSPEC G x",
        "MODULE main VAR x : boolean; SPEC (AG x) = x",
        "MODULE main VAR x : boolean; SPEC AG x IN x",
        "MODULE main FROZENVAR p : user; MODULE user VAR x : boolean;",
    ]));
}

#[test]
fn formulas_of_the_command_line_have_their_own_source() {
    let source = Source::new("m.smv", "MODULE main VAR state : {idle, busy};");
    let mut file = File::read(&source).unwrap();
    for (formula, code) in [
        ("AG (state = bsy)", "smv-undefined"),
        ("AG (state = busy", "smv-syntax"),
        ("AG (state = ?)", "smv-placeholder-place"),
        ("AG state", "smv-type"),
        ("AG state = busy garbage", "smv-syntax"),
    ] {
        let asked = Source::new("formula", formula);
        let errors = file.formula(&asked, None).unwrap_err();
        assert_eq!(errors[0].code, code, "{formula}");
        assert_eq!(errors[0].source.as_ref().map(Source::name), Some("formula"));
    }
    for formula in ["EF AG ?", "AG (state = busy -> ?{state})", "? & EF ?"] {
        assert!(
            file.formula(&Source::new("formula", formula), None).is_ok(),
            "{formula}"
        );
    }
}

#[test]
fn mistakes_that_only_values_show() {
    let models = [
        "MODULE main VAR x : 0..3; ASSIGN next(x) := x + 1;",
        "MODULE main VAR x : 0..3; ASSIGN next(x) := case x < 3 : x + 1; TRUE : 0; esac;",
        "MODULE main VAR x : 0..3; ASSIGN next(x) := {x, x - 1};",
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 2..5;",
        "MODULE main VAR s : {a, b}; t : {c, d}; ASSIGN s := case t = c : a; TRUE : t; esac;",
        "MODULE main VAR s : {a, b}; t : {a, b, c}; ASSIGN next(s) := t;",
        "MODULE main VAR x : {a, b, c}; y : boolean; TRANS
         case x = a : y; x = b & y : next(y); x = c : !y; esac",
        "MODULE main VAR x : {a, b}; ASSIGN next(x) := case x = a : b; x = b : a; esac;",
        "MODULE main VAR t : array 0..2 of boolean; i : 0..3; INIT t[i]",
        "MODULE main VAR t : array 0..2 of boolean; i : 0..3; INIT i < 3 & t[i]",
        "MODULE main VAR x : 0..3; INIT 6 / x = 2",
        "MODULE main VAR x : 0..3; SPEC AG (x > 0 -> 6 mod x = 0)",
    ];
    let compile = |model: &&str| {
        let source = Source::new("m.smv", *model);
        let file = File::read(&source).unwrap();
        match Compiled::new(file.program(), &Budget::unlimited()) {
            Ok(_) => format!("{model}\n=> accepted\n\n"),
            Err(Trouble::Invalid(mistakes)) => {
                let shown: String = mistakes.iter().map(shown).collect();
                format!("{model}\n=> refused\n{shown}\n")
            }
            Err(Trouble::Stopped(stop)) => panic!("{stop}"),
        }
    };
    insta::assert_snapshot!(models.iter().map(compile).collect::<String>());
}

/// As for NuSMV, a name that may mean two things is told where it is used, and only there.
#[test]
fn a_name_of_a_value_and_of_something_else_is_told() {
    for (model, what) in [
        (
            "MODULE main VAR x : {a, b}; a : boolean; INIT a",
            Some("a variable"),
        ),
        (
            "MODULE main VAR x : {a, b}; DEFINE b := x = a; INIT b",
            Some("a definition"),
        ),
        (
            "MODULE m(a) VAR y : boolean; INIT y = a\nMODULE main VAR x : {a, b}; i : m(TRUE);",
            Some("a parameter"),
        ),
        (
            "MODULE m VAR a : boolean;\nMODULE main VAR x : {a, b}; i : m; INIT i.a",
            Some("a variable"),
        ),
        (
            "MODULE main VAR x : {a, b}; c : boolean; INIT x = a & c",
            None,
        ),
        (
            "MODULE m VAR a : boolean;\nMODULE main VAR x : {a, b}; i : m; INIT x = a",
            None,
        ),
    ] {
        let told = report(model);
        match what {
            Some(what) => {
                assert!(
                    told.contains("[smv-ambiguous]") && told.contains(what),
                    "{told}"
                );
                assert_eq!(told.matches("smv-ambiguous").count(), 1, "{told}");
            }
            None => assert!(told.contains("accepted"), "{told}"),
        }
    }
}

#[test]
fn names_that_have_little_in_common_are_not_suggested() {
    let far = report("MODULE main VAR x : boolean; INIT q");
    assert!(
        far.contains("smv-undefined") && !far.contains("did you mean"),
        "{far}"
    );
    let near = report("MODULE main VAR request : boolean; INIT reqeust");
    assert!(near.contains("did you mean `request`"), "{near}");
}

#[test]
fn habits_of_other_languages_are_answered() {
    let told = |model: &str, help: &str| {
        let report = report(model);
        assert!(report.contains(help), "{report}");
    };
    told(
        "MODULE main VAR n : 0..3; INVARSPEC n-1 < 3",
        "write `n - 1`",
    );
    told(
        "MODULE main VAR n : 0..3; m : 0..3; INVARSPEC n-m < 3",
        "write `n - m`",
    );
    told("MODULE main VAR x : bool;", "`boolean`");
    // A name that has nothing to do with a difference.
    let plain = report("MODULE main VAR n : 0..3; INVARSPEC wait-for = 1");
    assert!(!plain.contains("belongs to it"), "{plain}");
}
