//! What expressions and formulas mean: precedence, types, sugar.

use quotient_core::Source;
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_smv::{File, NodeId, Program, SpecificationKind, State, Value};

const DECLARATIONS: &str = "
    MODULE main
    VAR a : boolean; b : boolean; c : boolean; d : boolean;
        x : -3..3; y : 0..9; s : {one, two}; w : word[4]; v : signed word[4];
    IVAR i : boolean;
";

/// Two expressions are read as the same expression.
fn same(left: &str, right: &str) -> bool {
    let text = format!("{DECLARATIONS} DEFINE left := {left}; right := {right};");
    let file = File::read(&Source::new("m.smv", text)).unwrap_or_else(|errors| {
        panic!("{left} / {right}: {}", errors[0]);
    });
    let defines = file.program().defines();
    defines[0].1 == defines[1].1
}

#[test]
fn precedence_is_that_of_the_manual() {
    for (written, meant) in [
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b -> c", "(a <-> b) -> c"),
        ("a <-> b <-> c", "(a <-> b) <-> c"),
        ("a ? b : c <-> d", "(a ? b : c) <-> d"),
        ("a | b ? c : d", "(a | b) ? c : d"),
        ("a ? b : c ? d : a", "a ? b : (c ? d : a)"),
        ("a ? b ? c : d : a", "a ? (b ? c : d) : a"),
        ("a | b & c", "a | (b & c)"),
        ("a xor b | c", "(a xor b) | c"),
        ("a | b xnor c", "(a | b) xnor c"),
        ("!a & b", "(!a) & b"),
        ("!a = b", "(!a) = b"),
        ("a & x = 1", "a & (x = 1)"),
        ("a = b = c", "(a = b) = c"),
        ("x in {1, 2} = a", "(x in {1, 2}) = a"),
        ("x in 1 union 2", "x in (1 union 2)"),
        ("x + 1 < y", "(x + 1) < y"),
        ("x - y - 1 = 2", "((x - y) - 1) = 2"),
        ("x + y * 2 mod 3 = 1", "(x + ((y * 2) mod 3)) = 1"),
        ("-x + 1 = 0", "((-x) + 1) = 0"),
        ("- x * y = 0", "((-x) * y) = 0"),
        ("w << 1 + 1 = w", "(w << (1 + 1)) = w"),
        ("w :: w[3:3] = 0ub5_0", "(w :: (w[3:3])) = 0ub5_0"),
        ("!w[1:0] = 0ub2_0", "(!(w[1:0])) = 0ub2_0"),
        ("x in -1..1", "x in (-1..1)"),
    ] {
        assert!(same(written, meant), "{written}");
    }
}

#[test]
fn sugar_means_what_it_stands_for() {
    for (written, meant) in [
        ("{x}", "x"),
        ("a -> b", "!a | b"),
        ("x >= y", "!(x < y)"),
        ("x > y", "y < x"),
        ("x != y", "!(x = y)"),
        ("case a : x; TRUE : y; esac", "a ? x : y"),
        ("max(x, y)", "x < y ? y : x"),
        ("toint(a)", "count(a)"),
        ("unsigned(w)", "w"),
        ("extend(w, 0)", "w"),
        ("resize(w, 4)", "w"),
        ("sizeof(w)", "4"),
        ("uwconst(5, 4)", "0ud4_5"),
        ("swconst(-3, 4)", "-0sd4_3"),
        ("0h_a", "0ub4_1010"),
        ("0so_7", "0sb3_111"),
        ("next(a & b)", "next(a) & next(b)"),
        ("toint(0sb3_111)", "-1"),
        ("(2 + 3) * 4 - 7 / 2", "17"),
        ("a.b", "a.b"),
    ]
    .into_iter()
    .filter(|(written, _)| !written.contains('.'))
    {
        assert!(same(written, meant), "{written}");
    }
}

/// A formula with its brackets, atoms as the user wrote them.
fn shown(formula: &Formula<NodeId>, text: &str) -> String {
    let atom = |formula: &Formula<NodeId>| {
        let written = &text[formula.span.range()];
        let inner = written
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        inner.unwrap_or(written).to_owned()
    };
    match &formula.kind {
        Kind::Constant(value) => value.to_string(),
        Kind::Atom(_) => atom(formula),
        Kind::Placeholder(hole) => format!("?{}", hole.over.as_ref().map_or(0, Vec::len)),
        Kind::Unary(operator, operand) => {
            let operator = match operator {
                Unary::Not => "!".to_owned(),
                Unary::ForAll => "A".to_owned(),
                Unary::Exists => "E".to_owned(),
                other => format!("{other:?}").replace("(None)", ""),
            };
            format!("{operator}({})", shown(operand, text))
        }
        Kind::Binary(operator, left, right) => {
            let (left, right) = (shown(left, text), shown(right, text));
            let operator = match operator {
                Binary::And => "&".to_owned(),
                Binary::Or => "|".to_owned(),
                Binary::Implies => "->".to_owned(),
                other => format!("{other:?}").replace("(None)", ""),
            };
            format!("({left} {operator} {right})")
        }
    }
}

fn formula(text: &str) -> String {
    let mut file = File::read(&Source::new("m.smv", DECLARATIONS)).unwrap();
    let source = Source::new("formula", text);
    match file.formula(&source, None) {
        Ok(specification) => shown(&specification.formula, text),
        Err(errors) => errors[0].to_string(),
    }
}

#[test]
fn temporal_operators_bind_as_in_nusmv() {
    for (written, meant) in [
        ("AG a -> AF b", "(A(Globally(a)) -> A(Finally(b)))"),
        ("AG x = 1", "A(Globally(x = 1))"),
        ("AG a & b", "(A(Globally(a)) & b)"),
        ("!EF a", "!(E(Finally(a)))"),
        ("! EF x = 1", "!(E(Finally(x = 1)))"),
        ("AG !a & b", "(A(Globally(!(a))) & b)"),
        ("AX EX a", "A(Next(E(Next(a))))"),
        ("A [a U b]", "A((a Until b))"),
        ("E [a & b U c | d]", "E(((a & b) Until (c | d)))"),
        (
            "A [a BU 1..3 b]",
            "A((a Until(Some(Interval { from: 1, to: Some(3) })) b))",
        ),
        (
            "EBF 0..2 a",
            "E(Finally(Some(Interval { from: 0, to: Some(2) }))(a))",
        ),
        ("G a U b", "(Globally(a) Until b)"),
        ("a U b U c", "((a Until b) Until c)"),
        ("a & b U c", "(a & (b Until c))"),
        (
            "F (X x = 1 | O y < 3)",
            "Finally((Next(x = 1) | Once(y < 3)))",
        ),
        (
            "G [0,3] a",
            "Globally(Some(Interval { from: 0, to: Some(3) }))(a)",
        ),
        ("a V b", "(a Release b)"),
        ("a S b T c", "((a Since b) Triggered c)"),
        ("Y Z H a", "Yesterday(WeakYesterday(Historically(a)))"),
        ("G (i -> a)", "Globally((i -> a))"),
        ("EF AG ?", "E(Finally(A(Globally(?0))))"),
        ("AG (a -> ?{x, b})", "A(Globally((a -> ?2)))"),
        ("AG (a ? b : c)", "A(Globally(a ? b : c))"),
        ("TRUE", "true"),
        (
            "AG next(a)",
            "formula:1:4: error: `next` cannot be used in this specification",
        ),
        (
            "AG i",
            "formula:1:4: error: inputs cannot be used in CTL specifications",
        ),
        (
            "AG F a",
            "formula:1:1: error: a CTL operator cannot stand in an LTL specification",
        ),
    ] {
        assert_eq!(formula(written), meant, "{written}");
    }
}

#[test]
fn names_may_stand_in_quotes() {
    let text = "MODULE main VAR \"x y\" : boolean; a : cell(\"x y\");
        INVARSPEC \"x y\" -> a.\"in-side\"
        MODULE cell(b) DEFINE \"in-side\" := b;";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    assert_eq!(file.program().variables()[0].name, "\"x y\"");
    let empty = Source::new("m.smv", "MODULE main VAR \"\" : boolean;");
    assert!(File::read(&empty).is_err());
    let open = Source::new(
        "m.smv",
        "MODULE main VAR \"x : boolean;\nVAR y\" : boolean;",
    );
    assert!(File::read(&open).is_err());
}

#[test]
fn names_of_temporal_operators_can_be_names() {
    let text = "MODULE main VAR AG : 0..2; F : boolean; U : boolean; count : 0..3; max : boolean;
        DEFINE up := AG > 0 & F & max(count, 2) = 2 & max;
        ASSIGN next(AG) := AG < 2 ? AG + 1 : AG - 1;
        SPEC AG (AG = 1 -> AF (AG - 1 = 0))
        LTLSPEC G (F -> F F)";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let specifications = file.program().specifications();
    assert_eq!(
        shown(&specifications[0].formula, text),
        "A(Globally((AG = 1 -> A(Finally(AG - 1 = 0)))))"
    );
    assert_eq!(
        shown(&specifications[1].formula, text),
        "Globally((F -> Finally(F)))"
    );
}

#[test]
fn specifications_keep_their_names_kinds_and_contexts() {
    let text = "MODULE main VAR p : cell; q : cell;
        SPEC NAME first := AG p.full
        LTLSPEC NAME second := F full IN q;
        INVARSPEC p.full | TRUE;
        MODULE cell VAR full : boolean; CTLSPEC EF -- a comment
          full";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let found: Vec<_> = file
        .program()
        .specifications()
        .iter()
        .map(|found| (found.kind, found.name.as_deref(), found.text.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (SpecificationKind::Ctl, Some("first"), "AG p.full"),
            (SpecificationKind::Ltl, Some("second"), "F full"),
            (SpecificationKind::Invariant, None, "p.full | TRUE"),
            (SpecificationKind::Ctl, None, "EF full"),
            (SpecificationKind::Ctl, None, "EF full"),
        ]
    );
}

fn value_of(program: &Program, name: &str, state: &State) -> Value {
    let found = program.defines().iter().find(|(known, _)| known == name);
    program.evaluate(found.unwrap().1, state, None).unwrap()[0]
}

#[test]
fn parameters_are_references_and_members_can_be_defined_from_outside() {
    let text = "MODULE main
        VAR x : 0..3; left : gate(right, x + 1); right : gate(left, 0); g : array 0..1 of 0..9;
        DEFINE right.extra := left.value * 2; read := left.outer; whole := self.x;
        MODULE gate(other, value) DEFINE outer := other.extra + value; DEFINE unused := other.value;
        VAR local : boolean;
        DEFINE more := outer;";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let program = file.program();
    let mut state = program.combinations(1000, |_| false).unwrap().remove(0);
    state.0[0] = Value::Integer(2);
    assert_eq!(value_of(program, "right.extra", &state), Value::Integer(6));
    assert_eq!(value_of(program, "read", &state), Value::Integer(9));
    assert_eq!(value_of(program, "whole", &state), Value::Integer(2));
    // `left.extra` is missing, but only `right` would need it.
    assert!(
        file.warnings()
            .iter()
            .any(|warning| warning.code == "smv-undefined")
    );
}

#[test]
fn inheritance_copies_declarations() {
    let text = "MODULE main VAR d : device; DEFINE busy := d.on & d.ready;
        MODULE base VAR on : boolean; DEFINE ready := level > 1;
        MODULE device ISA base VAR level : 0..3;";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let names: Vec<&str> = file
        .program()
        .variables()
        .iter()
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(names, ["d.on", "d.level"]);
}

#[test]
fn a_definition_of_a_parameter_defines_the_argument() {
    let text = "MODULE main VAR a : task(req1); b : wrapper(req2); x : 0..3;
        DEFINE most := max(req1, req2);
        MODULE wrapper(r) VAR inner : task(r);
        MODULE task(request) VAR state : 0..3; DEFINE request := state * 2;";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let program = file.program();
    let mut state = program.combinations(1000, |_| false).unwrap().remove(0);
    let position = program
        .variables()
        .iter()
        .position(|v| v.name == "b.inner.state");
    state.0[position.unwrap()] = Value::Integer(3);
    assert_eq!(value_of(program, "most", &state), Value::Integer(6));

    let twice = text.replace("x : 0..3;", "req1 : 0..3;");
    let errors = File::read(&Source::new("m.smv", twice)).unwrap_err();
    assert_eq!(errors[0].code, "smv-declared-twice");
    let constant = text.replace("task(req1)", "task(1)");
    let errors = File::read(&Source::new("m.smv", constant)).unwrap_err();
    assert!(errors.iter().any(|error| error.code == "smv-define-target"));
}

#[test]
fn an_enumeration_of_the_truth_values_is_boolean() {
    let read = |text: &str| File::read(&Source::new("m.smv", text));
    assert!(read("MODULE main VAR x : {TRUE, FALSE}; INIT !x").is_ok());
    assert_eq!(
        read("MODULE main VAR x : {TRUE};").unwrap_err()[0].code,
        "smv-unsupported"
    );
    assert_eq!(
        read("MODULE main VAR x : {TRUE, a};").unwrap_err()[0].code,
        "smv-unsupported"
    );
}

#[test]
fn a_variable_named_like_a_parameter_is_the_argument() {
    let text =
        "MODULE main VAR m : master(req, bus.ack, 3); bus : line; DEFINE busy := req & bus.ack < 2;
        ASSIGN init(req) := FALSE;
        MODULE line VAR free : boolean;
        MODULE master(req, ack, top) VAR req : boolean; ack : 0..top; ASSIGN next(req) := !req;";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let names: Vec<&str> = file
        .program()
        .variables()
        .iter()
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(names, ["bus.free", "req", "bus.ack"]);
    assert_eq!(file.program().assignments().len(), 2);
    let twice = text.replace("bus : line;", "bus : line; req : boolean;");
    let errors = File::read(&Source::new("m.smv", twice)).unwrap_err();
    assert_eq!(errors[0].code, "smv-declared-twice");
}
