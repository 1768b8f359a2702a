//! Functions: what calls have of their own, what functions keep, and what goes to other processors.

mod common;

use common::{end, mistakes, open, value_of};
use quotient_bsp::LANGUAGE;
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Input, NoFiles, Settings, Verb};
use quotient_testkit::language::{answers, assert_certified};

#[test]
fn every_call_has_its_own_variables() {
    for (expression, expected) in [
        (
            "let f = ref 0 in f := (fun n -> if n = 0 then 0 else f (n - 1) + n); f 3",
            "6",
        ),
        (
            "let f = ref 0 in f := (fun n -> let m = ref n in if n = 0 then 0 else (f (n - 1); m)); f 3",
            "3",
        ),
        // An exception leaves calls too.
        (
            "let f = ref 0 in f := (fun n -> if n = 0 then raise (E 7) else try f (n - 1) with E e -> e + n end); f 2",
            "8",
        ),
        (
            "let f = ref 0 in f := (fun n -> if n = 0 then (raise (E 0)) else (try f (n - 1) with E e -> raise (E (e + n)) end)); try f 3 with E e -> e end",
            "6",
        ),
        // A barrier within calls.
        (
            "let f = ref 0 in f := (fun n -> if n = 0 then (bsp_sync W; 0) else f (n - 1) + n); f 3",
            "6",
        ),
        (
            "let x = ref 1 in let f = fun u -> (x := x + u) in f 2; f 3; x",
            "6",
        ),
        (
            "let even = ref 0 in let odd = ref 0 in even := (fun n -> if n = 0 then true else odd (n - 1)); odd := (fun n -> if n = 0 then false else even (n - 1)); even 9",
            "false",
        ),
    ] {
        assert_eq!(value_of(expression), expected, "{expression}");
    }
    // Calls that are the last of others need no stack: they come back to the same state.
    let endless = "processors 1\nrun\nlet f = ref 0 in let g = ref 0 in f := (fun x -> g x); g := (fun y -> f y); f 0\n";
    assert_eq!(end(endless)["ends"], "diverges");
    let waits = "processors 2\ncheck no deadlock\nrun\nlet f = ref 0 in f := (fun n -> if n = 0 then 0 else f (n - 1) + n); if f pid > 0 then bsp_sync W else void\n";
    assert_eq!(end(waits)["ends"], "deadlock");
}

#[test]
fn functions_keep_what_does_not_change() {
    for (expression, expected) in [
        ("(fun a -> fun b -> a - b) 7 2", "5"),
        (
            "let f = fun a -> fun b -> fun c -> 100 * a + 10 * b + c in let g = f 1 in let h = f 2 in let i = g 3 in h 5 6 + i 4",
            "390",
        ),
        (
            "let f = fun s -> fun n -> if n = 0 then 0 else s s (n - 1) + n in f f 3",
            "6",
        ),
        (
            "let f = fun a -> (fun b -> a + b) in let g = f 1 in let h = f 2 in g 10",
            "11",
        ),
        // Of each round, also after a barrier.
        (
            "let f = ref 0 in let i = ref 0 in while i < 2 do (let x = i in if i = 0 then f := (fun v -> (bsp_sync W; x))); i := i + 1 done; f 9",
            "0",
        ),
        // What an exception carries.
        (
            "let f = fun a -> (raise (E (fun b -> a * b))) in try f 6 with E g -> g 7 end",
            "42",
        ),
    ] {
        assert_eq!(value_of(expression), expected, "{expression}");
    }
    // Functions that keep functions for ever are given up, not followed.
    let grows = "processors 1\nrun\nlet f = ref (fun x -> x) in loop (let a = f in let b = f in f := (fun x -> a (b x)))\n";
    let answer = answers(&mut *open(grows)).remove(0);
    assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{answer:?}");
}

#[test]
fn functions_that_keep_what_changes_are_refused() {
    for expression in [
        "let f = fun u -> (let x = ref u in (fun v -> (x := x + v; x))) in let g = f 1 in let h = f 2 in g 0",
        "let f = fun u -> (let x = ref u in (let g = fun v -> x + v in x := 2; g 1)) in f 1",
        "let f = fun u -> (bsp_push W u; fun v -> u + v) in f 1 2",
        // What is asked for in one call arrives in another.
        "let x = ref 5 in let f = ref 0 in f := (fun n -> let y = ref 0 in bsp_get W 0 x y; (if n > 0 then f (n - 1) else bsp_sync W); y); f 1",
        "let f = ref 0 in let i = ref 0 in while i < 2 do (let x = ref i in if i = 0 then f := (fun v -> x); x := 7); i := i + 1 done; f 0",
    ] {
        let wrong = mistakes(&format!("processors 1\nrun\n{expression}\n"));
        assert!(wrong.contains("captured"), "{expression}: {wrong}");
    }
}

#[test]
fn variables_of_a_call_that_has_ended_are_not_used_from_afar() {
    let fault = |body: &str| {
        let result = end(&format!("processors 2\nrun\n{body}\n"));
        assert_eq!(result["ends"], "fault", "{body}");
        result["faults"][0].as_str().unwrap_or_default().to_owned()
    };
    // What is to arrive in a call that has ended.
    let late = "let x = ref 5 in bsp_push W x; bsp_sync W;\n\
        let f = fun u -> (let y = ref 0 in bsp_get W 0 x y; y) in f 1; bsp_sync W; x";
    assert!(fault(late).contains("`y` is of a call that has ended"));
    // What is read of a processor that is not in the call any more, and of one that was never in it.
    for pid in [
        "(if pid = 0 then f 0; bsp_sync W; f 1)",
        "(if pid = 0 then (bsp_sync W; bsp_sync W) else f 1)",
    ] {
        let gone = format!(
            "let f = fun u -> (let y = ref u in bsp_push W y; bsp_sync W; (if u = 1 then bsp_get W 0 y y); bsp_sync W; y) in {pid}"
        );
        assert!(fault(&gone).contains("`y` is not registered"), "{gone}");
    }
    // Within the call all is there, each time.
    let both = "processors 2\ncheck values 110, 100\nrun\n\
        let f = fun u -> (let y = ref (u + pid) in let z = ref 0 in bsp_push W y; bsp_sync W; bsp_get W (1 - pid) y z; bsp_sync W; bsp_pop W y; z) in\n\
        let a = f 10 in let b = f 99 in bsp_sync W; (if pid = 0 then a + b - 1 else a + b - 9)";
    assert_eq!(end(both)["ends"], "done");
    assert_eq!(answers(&mut *open(both))[0].verdict, Verdict::Holds);
    for request in [
        "bsp_send W f 1",
        "bsp_put W 1 f x",
        "bsp_push W f; bsp_sync W; bsp_get W 0 f x",
    ] {
        let text = format!("let x = ref 0 in let f = fun u -> u + x in {request}; bsp_sync W; x");
        assert!(
            fault(&text).contains("a function cannot go to another processor"),
            "{request}"
        );
    }
}

#[test]
fn questions_about_processors_that_are_not_there_have_no_answer() {
    let text = "processors 6\ncheck x at 5 = 5\ncheck values 0, 1, 2, 3, 4, 5\ncheck done\nrun\nlet x = ref pid in bsp_sync W; x\n";
    let ask = |processors: u64| {
        let input = Input::text(&Source::new("p.bsp", text));
        let pairs = [("processors".to_owned(), processors.to_string())];
        let known = LANGUAGE.about().settings;
        let settings = Settings::new("bsp", known, Verb::Check, &pairs).unwrap();
        let cx = Context::default();
        let mut model = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx).unwrap();
        let all = answers(&mut *model);
        (model, all)
    };
    let (mut model, all) = ask(6);
    for answer in &all {
        assert_eq!(answer.verdict, Verdict::Holds);
        assert_certified(&mut *model, answer);
    }
    let (mut fewer, few) = ask(3);
    let told = format!("{:?}", few[0].verdict);
    assert!(
        told.contains("there is no processor 5, only 3 from 0"),
        "{told}"
    );
    let told = format!("{:?}", few[1].verdict);
    assert!(
        told.contains("6 values are asked of 3 processors"),
        "{told}"
    );
    assert_eq!(few[2].verdict, Verdict::Holds);
    // Nor does a run show anything about them.
    let run = few[2].evidence.as_ref().unwrap();
    for asked in ["x at 5 = 5", "values 0, 1, 2, 3, 4, 5"] {
        let forged = quotient_core::Evidence::of_violated("bsp-run", &run.body).about(asked);
        let property = fewer.property(asked).unwrap();
        assert!(
            fewer
                .certify(&forged, &property, &Budget::unlimited())
                .is_err()
        );
    }
    for head in [
        "processors any\ncheck values 1",
        "processors 4..\ncheck x at 4 = 1",
    ] {
        let wrong = mistakes(&format!("{head}\nrun\nlet x = ref pid in bsp_sync W; x\n"));
        assert!(wrong.contains("bad-number"), "{wrong}");
    }
}
