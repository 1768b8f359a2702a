//! The language through its seam: answers, evidence, readers.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_hybrid::LANGUAGE;
use quotient_language::{Ask, Input, MemoryFiles, Settings, Sureness, Viewed};
use quotient_testkit::language::{Tested, answers, assert_certified, attack_all, verdicts};

const HYBRID: Tested = Tested::new(LANGUAGE, "x.hyb");

#[test]
fn examples_have_their_verdicts_and_evidence_for_them() {
    use Verdict::{Holds, Violated};
    let mut laws = vec![Holds; 8];
    laws.extend([
        Violated, Violated, Holds, Holds, Holds, Violated, Holds, Violated, Holds, Holds,
    ]);
    let expected = [
        ("modes", vec![Holds, Holds, Violated, Holds, Holds]),
        ("laws", laws),
        ("follows", vec![Holds, Violated]),
        ("door", vec![Holds, Holds, Holds, Holds, Holds, Violated]),
    ];
    for (name, expected) in expected {
        let mut model = HYBRID.example(name);
        let answers = answers(model.as_mut());
        assert_eq!(verdicts(&answers), expected, "{name}");
        for answer in &answers {
            assert_certified(model.as_mut(), answer);
        }
        assert!(model.show(&Viewed::default(), &Context::default()).is_ok());
    }
}

#[test]
fn systems_are_drawn_with_their_worlds_and_arrows() {
    let view = Viewed {
        picture: true,
        ..Viewed::default()
    };
    let cx = Context::default();
    let drawn = |mut model: Box<dyn quotient_language::Model>| {
        let shown = model.show(&view, &cx).unwrap();
        let Some(quotient_language::Picture::Graph(graph)) = shown.pictures.first().cloned() else {
            panic!("no graph");
        };
        let labels: Vec<String> = graph.nodes.iter().map(|one| one.label.clone()).collect();
        let edges = graph.edges.iter();
        let edges = edges.map(|one| (one.source, one.target, one.label.clone()));
        (labels, edges.collect::<Vec<_>>(), graph.nodes[0].initial)
    };
    let text = "hybrid world a: p world b world c: p, q arrow go: a -> b, c arrow back: c -> a";
    let (labels, edges, initial) = drawn(HYBRID.open(text));
    assert_eq!(labels, ["a\np", "b", "c\np\nq"]);
    let expected = [(0, 1, "go"), (0, 2, "go"), (2, 0, "back")];
    assert_eq!(edges, expected.map(|(a, b, name)| (a, b, name.to_owned())));
    assert!(initial);
    // A system of 100 worlds in a row: those that are nearest to its first one, which is the last.
    let mut aut = "des (99, 99, 100)\n".to_owned();
    for world in 1..100 {
        aut += &format!("({world}, \"down\", {})\n", world - 1);
    }

    let text = "hybrid system \"row.aut\" nominal top = 99 letter low = 0 41";
    let input = Input::text(&Source::new("x.hyb", text));
    let mut files = MemoryFiles::from([("row.aut", aut.as_str())]);
    let opened = LANGUAGE.open(&input, &mut files, &Settings::default(), &cx);
    let (labels, edges, initial) = drawn(opened.unwrap());
    assert_eq!((labels.len(), edges.len(), initial), (60, 59, true));
    assert_eq!(
        (labels[0].as_str(), labels[58].as_str()),
        ("99 (top)", "41\nlow")
    );
    assert!(edges.contains(&(0, 1, "down".to_owned())));
    // Where a formula is true is drawn, too.
    let mut model = HYBRID.open("hybrid world a: p world b arrow go: a -> b check here: <go> ~p");
    // Worlds are there whether or not a question names them.
    assert_eq!(model.doubts(&cx).unwrap().len(), 0);
    let ask = Ask {
        exhibits: true,
        ..Ask::default()
    };
    let mut doubled = Vec::new();
    let tell = &mut |answer: quotient_language::Answer| {
        let Some(quotient_language::Picture::Graph(graph)) = &answer.exhibits[0].picture else {
            panic!("no graph");
        };
        doubled = graph.nodes.iter().map(|one| one.accepting).collect();
    };
    model.check(&ask, &cx, tell).unwrap();
    assert_eq!(doubled, [true, false]);
}

#[test]
fn forged_evidence_is_never_believed() {
    let examples = LANGUAGE.about().examples.iter();
    let models = examples.map(|one| HYBRID.example(one.name)).collect();
    attack_all(models, 100, 200_000);
}

#[test]
fn forged_models_are_refused() {
    let mut model =
        HYBRID.open("hybrid nominal i relation r letter p satisfiable x: @i <r> ~i & @i p");
    let answer = answers(model.as_mut()).swap_remove(0);
    let property = model.property("x").unwrap();
    let good = answer.evidence.unwrap();
    model
        .certify(&good, &property, &Budget::unlimited())
        .unwrap();
    let edits: [fn(&mut serde_json::Value); 5] = [
        |body| body["arrows"] = serde_json::json!([]),
        |body| body["nominals"] = serde_json::json!([99]),
        |body| body["nominals"] = serde_json::json!([]),
        |body| body["here"] = 99.into(),
        |body| body["worlds"] = serde_json::json!([]),
    ];
    for edit in edits {
        let mut forged = good.clone();
        edit(&mut forged.body);
        model
            .certify(&forged, &property, &Budget::unlimited())
            .unwrap_err();
    }
}

#[test]
fn questions_of_a_user_and_the_other_format_are_read() {
    let mut model = HYBRID.open("begin <r1> p1 & [r1] (~p1 | p2) end");
    assert_eq!(answers(model.as_mut())[0].verdict, Verdict::Holds);
    let mut model = HYBRID.open("hybrid nominal i, unused letter p");
    let mut told = Vec::new();
    let ask = Ask {
        properties: vec![
            "@i p => E p".into(),
            "satisfiable p & ~p".into(),
            "forall x. @x p".into(),
        ],
        ..Ask::default()
    };
    model
        .check(&ask, &Context::default(), &mut |answer| {
            told.push(answer.verdict)
        })
        .unwrap();
    assert_eq!(told[..2], [Verdict::Holds, Verdict::Violated]);
    assert!(told[2].to_string().contains("undecidable"));
    let doubts = model.doubts(&Context::default()).unwrap();
    assert_eq!(doubts.len(), 2);
}

#[test]
fn formulas_of_other_provers_are_read_as_they_write_them() {
    use Verdict::{Holds, Violated};
    for (text, verdict) in [
        ("begin @n1 (<r1> p2 & [r1] -p2) end", Violated),
        (
            "{ a comment\n of two lines }\n% another\nbegin\np1; <> P2 ; [] !p3\nend\n",
            Holds,
        ),
        ("begin p1; <r1> p2; -P1 end", Violated),
        ("begin n1:(p1 v p2) ^ N1: ~p1 & @n1 -p2 end", Violated),
        ("begin n1:p1 & -p1 end", Holds),
        (
            "begin A (p1 -> dia p2) & p1 & n1 & [R1] n1 & box -p2 end",
            Violated,
        ),
        ("begin A p1 & E -p1 end", Violated),
        // An implication is weaker than an equivalence.
        ("begin -(p1 -> p2 <-> p3) & -p1 end", Violated),
        ("begin -((p1 -> p2) <-> p3) & -p1 & -p3 end", Holds),
        (
            "begin @ alice <knows> bob & alice: [knows] -bob end",
            Violated,
        ),
        ("begin <r1> true; <r2> true; [r1] [r2] false end", Holds),
        ("begin end", Holds),
        // Names that are not numbered are as they are written.
        ("begin Foo & ~foo end", Holds),
        ("begin Foo & ~Foo end", Violated),
        // Somewhere else: there is one world with the name, so it is not here and there.
        ("begin D n1 & n1 end", Violated),
        ("begin D n1 & -n1 & A (n1 -> p1) & E p1 end", Holds),
        (
            "begin A (p1 -> -D p1) & E (p1 & n1) & E (p1 & -n1) end",
            Violated,
        ),
        // Three worlds: elsewhere there is one where somewhere else is neither of two.
        ("begin n1 & D (n2 & D (-n1 & -n2)) end", Holds),
        ("begin A D (p1 & D p1) & A (p1 -> n1) end", Violated),
        ("begin n1 & -D true & <r1> -n1 end", Violated),
        ("begin -D -D true end", Holds),
        ("begin A (D true) & (p1 <-> D p1) & -p1 end", Holds),
    ] {
        let mut model = HYBRID.open(text);
        let answer = &answers(model.as_mut())[0];
        assert_eq!(answer.verdict, verdict, "{text}");
        if answer.evidence.is_some() {
            assert_certified(model.as_mut(), answer);
        }
    }
    for text in [
        "begin down x1. D x1 end",
        "begin down x1. <r1> x1 end",
        "begin down (x1 <r1> (-x1 & p1)) end",
    ] {
        let answer = &answers(HYBRID.open(text).as_mut())[0];
        assert!(answer.verdict.to_string().contains("undecidable"), "{text}");
        assert_eq!(answer.number, Some(1), "{text}");
    }
    assert_eq!(
        HYBRID.mistakes("begin <r1> x1 end"),
        ["x.hyb:1:12: error: nothing binds the variable `x1` here"]
    );
    HYBRID.disturb(
        "<>[]@:;().!-~&^|v{}pnxr12 down begin end A E D",
        300,
        |text| {
            quotient_hybrid::read_any(text);
            quotient_hybrid::read_any(&format!("begin {text} end"));
        },
    );
}

#[test]
fn formulas_are_asked_about_transition_systems() {
    let aut = "des (0, 4, 3)\n(0, \"send !1\", 1)\n(1, ack, 0)\n(1, lose, 2)\n(2, retry, 1)\n";
    let files = || MemoryFiles::from([("channel.aut", aut)]);
    let open = |text: &str| {
        let input = Input::text(&Source::new("x.hyb", text));
        LANGUAGE.open(
            &input,
            &mut files(),
            &Settings::default(),
            &Context::default(),
        )
    };
    let text = "hybrid system \"channel.aut\" nominal lost = 2 letter idle = 0\n\
        check again: down x. <\"send !1\"> <ack> x\n\
        check silent: @lost [step] idle\n\
        check back: A down x. [step] E <step> x\n\
        check lonely: A <lose> true\n";
    let mut model = open(text).unwrap();
    let found = answers(model.as_mut());
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts(&found), [Holds, Violated, Holds, Violated]);
    for answer in &found {
        assert_certified(model.as_mut(), answer);
    }
    let ask = Ask {
        properties: vec!["<\"send !1\"> true".into(), "valid @lost lost".into()],
        ..Ask::default()
    };
    let mut told = Vec::new();
    let mut tell = |answer: quotient_language::Answer| told.push(answer);
    model.check(&ask, &Context::default(), &mut tell).unwrap();
    assert_eq!(verdicts(&told), [Holds, Holds]);
    for wrong in [
        "hybrid system \"none.aut\"",
        "hybrid system \"channel.aut\" nominal i = 3",
        "hybrid system \"channel.aut\" nominal i check a: @i true",
        "hybrid nominal i check a: @i true",
        "hybrid world a world b nominal c arrow r: a -> c",
        "hybrid world a integer n check b: n > 0",
        "hybrid world a world a",
    ] {
        assert!(open(wrong).is_err(), "{wrong}");
    }
    attack_all(
        vec![open(text).unwrap(), HYBRID.example("door")],
        40,
        1 << 20,
    );
}

#[test]
fn mistakes_are_told_in_place() {
    let text = "hybrid\nnominal i\nletter p\nvalid a: @j p\nvalid b: <s> p\nvalid c: p &\n";
    assert_eq!(
        HYBRID.mistakes(text),
        [
            "x.hyb:4:11: error: there is no nominal `j`",
            "x.hyb:5:11: error: there is no relation `s`",
            "x.hyb:7:1: error: expected a formula, found the end of the text",
        ]
    );
    assert!(
        HYBRID.mistakes(&format!("hybrid letter p valid x: {}p", "~".repeat(5000)))[0]
            .contains("levels deep")
    );
}

#[test]
fn only_its_own_texts_are_recognised() {
    assert_eq!(
        HYBRID.sure("x", "# c\nhybrid\nnominal i"),
        Sureness::Certain
    );
    assert_eq!(HYBRID.sure("x.smv", "MODULE main"), Sureness::No);
}

#[test]
fn no_text_makes_the_reader_panic() {
    HYBRID.disturb("<>[]{}()@~&|!=:0aé\n,", 600, |text| {
        quotient_hybrid::read_any(text);
    });
}

const K: &str = "tff(s, logic, $$hybrid == [$modalities == $modal_system_K]).\n";

/// Verdicts on a text in TPTP's form, with the evidence checked.
fn tptp(text: &str) -> Vec<Verdict> {
    let mut model = HYBRID.open(&format!("{K}{text}"));
    let answers = answers(model.as_mut());
    for answer in answers.iter().filter(|answer| answer.evidence.is_some()) {
        assert_certified(model.as_mut(), answer);
    }
    verdicts(&answers)
}

#[test]
fn tptp_problems_have_the_verdicts_of_their_logic() {
    use Verdict::{Holds, Violated};
    let one = |formula: &str| tptp(&format!("tff(c, conjecture, {formula})."));
    // Distribution over implication is what K is; other axioms ask for other frames.
    let k = "({$box} @ (p => q)) => (({$box} @ (p)) => ({$box} @ (q)))";
    assert_eq!(one(k), [Holds]);
    assert_eq!(one("([.] p) => p"), [Violated]);
    assert_eq!(one("([#a] p) <=> (~ <#a> (~ p))"), [Holds]);
    assert_eq!(one("([#a] p) => ([#b] p)"), [Violated]);
    assert_eq!(
        one("({$necessary} @ (p)) <~> ({$possible} @ (~ p))"),
        [Holds]
    );
    assert_eq!(one("{$$shift(#n)} @ ({$$nominal} @ (n))"), [Holds]);
    assert_eq!(one("{$$shift(#n)} ({$$nominal} (m))"), [Violated]);
    assert_eq!(one("(p ~& q) <=> ~ (p & q)"), [Holds]);
    assert_eq!(one("(p ~| 'a b') <= (~ p & ~ 'a b')"), [Holds]);
    let same = "(<.> ({$$nominal}(n) & p) & <.> ({$$nominal}(n) & q)) => <.> (p & q)";
    assert_eq!(one(same), [Holds]);
}

#[test]
fn axioms_of_tptp_hold_everywhere_and_hypotheses_here() {
    use Verdict::{Holds, Violated};
    let with = |role: &str| tptp(&format!("tff(a, {role}, p). tff(c, conjecture, [.] p)."));
    assert_eq!(with("axiom"), [Holds]);
    assert_eq!(with("axiom-global"), [Holds]);
    assert_eq!(with("axiom-local"), [Violated]);
    assert_eq!(with("hypothesis"), [Violated]);
    assert_eq!(with("hypothesis-global"), [Holds]);
    // Without a conjecture the axioms are asked to have a model.
    let text =
        "tff(t, type, p : $o). thf(a, axiom, p, file('x.ax', a)). /* no */ tff(b, axiom, <.> Q).";
    assert_eq!(tptp(&text.replace('Q', "p")), [Holds]);
    assert_eq!(tptp(&text.replace('Q', "(~ p)")), [Violated]);
}

#[test]
fn what_of_tptp_is_not_decided_is_refused() {
    let code = |text: &str| {
        let found = HYBRID.try_open(text, &[], &[]);
        match found {
            Err(quotient_core::Trouble::Invalid(mistakes)) => mistakes[0].code,
            _ => panic!("{text} is read"),
        }
    };
    let s5 = "tff(s, logic, $modal == [$modalities == $modal_system_S5]).";
    assert_eq!(code(s5), "tptp-frames");
    let one = "tff(s, logic, $modal == [$modalities == [$modal_system_K, {$box(#a)} == \
               [$modal_axiom_K, $modal_axiom_4]]]).";
    assert_eq!(code(one), "tptp-frames");
    let other = "tff(s, logic, $epistemic_modal == [$modalities == $modal_system_K]).\
                 tff(x, axiom, $modal).";
    assert_eq!(code(other), "tptp-logic");
    let asked = |formula: &str| code(&format!("{K}tff(c, conjecture, {formula})."));
    assert_eq!(asked("! [X] : p(X)"), "tptp-quantifier");
    assert_eq!(asked("p(a)"), "tptp-term");
    assert_eq!(asked("X"), "tptp-term");
    assert_eq!(asked("{$$shift(#X)} @ (p)"), "tptp-variable");
    assert_eq!(asked("{$$shift(#n)} @ (n)"), "tptp-nominal");
    assert_eq!(asked("{$knows} @ (n)"), "tptp-connective");
    let mut doubled = "p".to_owned();
    for _ in 0..30 {
        doubled = format!("({doubled} <=> p)");
    }
    assert_eq!(asked(&doubled), "too-large");
    let own = format!("hybrid letter p valid x: {doubled}");
    assert_eq!(code(&own), "too-large");
}

#[test]
fn binding_in_tptp_is_undecided_with_the_reason() {
    let found = tptp("tff(c, conjecture, {$$bind(#X)} @ ({$$shift(#X)} @ (X))).");
    assert!(matches!(found[..], [Verdict::Unknown(_)]), "{found:?}");
}

#[test]
fn no_text_in_tptp_form_makes_the_reader_panic() {
    HYBRID.disturb("<>[]{}();*#!&|:=-.0aé\n,$@~'%", 400, |text| {
        quotient_hybrid::read_any(&format!("{K}{text}"));
        quotient_hybrid::read_any(&format!("{K}tff(a, conjecture, {text})."));
    });
}

#[test]
fn a_world_is_no_letter() {
    for text in [
        "hybrid\nworld w1\nworld w2: w1\ncheck @w1 w1\n",
        "hybrid\nworld w2: w1\nworld w1\ncheck @w1 w1\n",
    ] {
        assert!(HYBRID.try_open(text, &[], &[]).is_err(), "{text}");
    }
}
