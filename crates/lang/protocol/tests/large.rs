//! Large instances end within their budget, whatever they are asked.

use std::time::Duration;

use quotient_core::{Budget, Context, Source, Trouble};
use quotient_language::{Input, Model, NoFiles, Random, Settings, Verb, Viewed};
use quotient_protocol::LANGUAGE;

fn open(text: &str, verb: Verb, processes: &str) -> Box<dyn Model> {
    let given = [("processes".to_owned(), processes.to_owned())];
    let settings = Settings::new("protocol", LANGUAGE.about().settings, verb, &given).unwrap();
    let input = Input::text(&Source::new("large.protocol", text));
    LANGUAGE
        .open(&input, &mut NoFiles, &settings, &Context::default())
        .unwrap()
}

fn half_a_second() -> Context {
    Context {
        budget: Budget::new(Some(Duration::from_millis(500)), None),
        ..Context::default()
    }
}

const TEXTS: [&str; 4] = [
    "process { location idle, busy }
     step go: when at = idle and forall other p: p.at != busy then at := busy
     property two: never exists p, q: p.at = busy and q.at = busy
     property stuck: no deadlock",
    "process { x : bool = any }
     step go with q, r: when x and not q.x and r.x then x := any
     property all: never forall p: exists q: p.x and not q.x",
    "process { x : bool = false  y : 0..3 = any }
     initially count(p: p.y = 1) = 1
     step all: when not x then for other p { p.y := any }
     property one: never count(p: p.y = 1) >= 2",
    "process { location idle, busy }
     step go one by one: when at = idle and forall other p: p.at = idle then at := busy
     property two: never exists p, q: p.at = busy and q.at = busy",
];

#[test]
fn an_instance_gives_up_with_its_budget() {
    for text in TEXTS {
        let mut model = open(text, Verb::Instance, "20000");
        model.show(&Viewed::default(), &Context::default()).unwrap();
        match model.instance(&half_a_second()) {
            Ok(inspected) => {
                let unknown = |answer: &quotient_language::Answer| !answer.verdict.is_definite();
                assert!(inspected.answers.iter().any(unknown), "{text}");
            }
            Err(trouble) => assert!(matches!(trouble, Trouble::Stopped(_)), "{trouble}"),
        }
    }
}

#[test]
fn a_run_gives_up_with_its_budget() {
    for text in TEXTS {
        let mut model = open(text, Verb::Simulate, "20000");
        model.show(&Viewed::default(), &Context::default()).unwrap();
        let cx = half_a_second();
        let mut random = Random::new(3);
        let mut run = match model.simulate(&cx) {
            Ok(run) => run,
            Err(Trouble::Stopped(_)) => continue,
            Err(trouble) => panic!("{trouble}"),
        };
        for _ in 0..5 {
            match run.take_any(&mut random, &cx) {
                Ok(_) => {}
                Err(Trouble::Stopped(_)) => break,
                Err(trouble) => panic!("{trouble}"),
            }
        }
        assert!(run.trace().columns.len() >= 20_000);
    }
}
