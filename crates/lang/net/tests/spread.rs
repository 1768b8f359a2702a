//! Nets searched by several workers and processes: the answers are those of the usual ways.

use std::net::TcpListener;
use std::thread;

use quotient_core::{Context, Trouble, Verdict};
use quotient_language::{Answer, Ask};
use quotient_testkit::language::{Tested, assert_certified};
use quotient_trial::arbitrary::Unstructured;
use quotient_trial::{arbitrary, trial};

const NETS: Tested = Tested::new(quotient_net::LANGUAGE, "model.net");

/// Three philosophers who each take one fork after the other.
const FORKS: &str = "tr l1 i1 f1 -> h1\ntr r1 h1 f2 -> e1\ntr d1 e1 -> i1 f1 f2\n\
    tr l2 i2 f2 -> h2\ntr r2 h2 f3 -> e2\ntr d2 e2 -> i2 f2 f3\n\
    tr l3 i3 f3 -> h3\ntr r3 h3 f1 -> e3\ntr d3 e3 -> i3 f3 f1\n\
    pl i1 (1)\npl i2 (1)\npl i3 (1)\npl f1 (1)\npl f2 (1)\npl f3 (1)\n";

fn answers(
    text: &str,
    given: &[(&str, &str)],
    files: &[(&str, &str)],
) -> Result<Vec<Answer>, Trouble> {
    let mut model = NETS.try_open(text, given, files)?;
    let mut all = Vec::new();
    model.check(&Ask::default(), &Context::default(), &mut |answer| {
        all.push(answer)
    })?;
    all.sort_by_key(|answer: &Answer| answer.number);
    Ok(all)
}

/// A file with addresses that nobody uses.
fn hosts(number: usize) -> String {
    let listeners: Vec<TcpListener> = (0..number)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let line = |listener: &TcpListener| format!("{}  # here\n", listener.local_addr().unwrap());
    listeners.iter().map(line).collect()
}

/// The answers of each of several processes, as threads of this one.
fn together(text: &str, properties: &str, processes: usize) -> Vec<Vec<Answer>> {
    let hosts = hosts(processes);
    let one = |process: usize| {
        let (text, hosts, properties) = (text.to_owned(), hosts.clone(), properties.to_owned());
        thread::spawn(move || {
            let process = process.to_string();
            let given = [
                ("hosts", "hosts.txt"),
                ("process", &*process),
                ("properties", "model.xml"),
            ];
            let files = [("hosts.txt", &*hosts), ("model.xml", &*properties)];
            answers(&text, &given, &files).unwrap()
        })
    };
    let all: Vec<_> = (0..processes).map(one).collect();
    all.into_iter().map(|one| one.join().unwrap()).collect()
}

#[test]
fn a_shortest_run_into_a_deadlock_is_certified() {
    for workers in ["1", "2", "3"] {
        let all = answers(FORKS, &[("workers", workers)], &[]).unwrap();
        assert_eq!(all[0].verdict, Verdict::Violated);
        assert_eq!(all[0].trace.as_ref().unwrap().steps.len(), 4);
        assert_certified(&mut *NETS.open(FORKS), &all[0]);
    }
}

fn net(u: &mut Unstructured<'_>) -> arbitrary::Result<(String, String)> {
    let places = u.int_in_range(1..=5)?;
    let mut text = String::new();
    for place in 0..places {
        text += &format!("pl p{place} ({})\n", u.int_in_range(0..=2)?);
    }
    for transition in 0..u.int_in_range(1..=5)? {
        // As many out as in: the net is bounded.
        let (mut before, mut after) = (String::new(), String::new());
        for _ in 0..u.int_in_range(1..=2)? {
            before += &format!(" p{}", u.int_in_range(0..=places - 1)?);
            after += &format!(" p{}", u.int_in_range(0..=places - 1)?);
        }
        text += &format!("tr t{transition}{before} ->{after}\n");
    }
    let place = u.int_in_range(0..=places - 1)?;
    let tokens = u.int_in_range(1..=4)?;
    let least = format!(
        "<integer-le><integer-constant>{tokens}</integer-constant>\
         <tokens-count><place>p{place}</place></tokens-count></integer-le>"
    );
    let property = |id: &str, formula: &str| {
        format!("<property><id>{id}</id><formula>{formula}</formula></property>")
    };
    let stuck = "<exists-path><finally><deadlock/></finally></exists-path>";
    let reach = format!("<exists-path><finally>{least}</finally></exists-path>");
    let never = format!("<all-paths><globally><negation>{least}</negation></globally></all-paths>");
    let all = property("stuck", stuck) + &property("reach", &reach) + &property("never", &never);
    Ok((text, format!("<property-set>{all}</property-set>")))
}

#[test]
fn every_number_of_workers_and_processes_gives_the_usual_verdicts() {
    trial(|u| {
        let (text, properties) = net(u)?;
        let files = [("model.xml", &*properties)];
        let given = [("properties", "model.xml")];
        let verdicts = |answers: &[Answer]| -> Vec<Verdict> {
            answers
                .iter()
                .map(|answer| answer.verdict.clone())
                .collect()
        };
        let usual = verdicts(&answers(&text, &given, &files).unwrap());
        let workers = u.int_in_range(1..=3)?.to_string();
        let spread = [given[0], ("workers", &*workers)];
        assert_eq!(
            verdicts(&answers(&text, &spread, &files).unwrap()),
            usual,
            "{text}"
        );
        if u.ratio(1, 4)? {
            for process in together(&text, &properties, u.int_in_range(2..=3)?) {
                assert_eq!(verdicts(&process), usual, "{text}");
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
}

#[test]
fn what_single_markings_do_not_decide_is_unknown() {
    let properties = "<property-set><property><id>most</id><formula><place-bound>\
        <place>f1</place></place-bound></formula></property></property-set>";
    let given = [("properties", "model.xml"), ("workers", "2")];
    let all = answers(FORKS, &given, &[("model.xml", properties)]).unwrap();
    assert!(matches!(all[0].verdict, Verdict::Unknown(_)));
}

#[test]
fn wrong_files_of_addresses_are_refused() {
    let refused = |text: &str, process: &str| {
        let given = [("hosts", "hosts.txt"), ("process", process)];
        answers(FORKS, &given, &[("hosts.txt", text)])
            .unwrap_err()
            .to_string()
    };
    assert!(refused("", "0").contains("has 0 addresses"));
    assert!(refused("here:80\nthere\n", "0").contains("`there`"));
    assert!(refused("here:80\nthere:99999\n", "0").contains("no address"));
    assert!(refused("here:80\nthere:90\n", "2").contains("has 2 addresses"));
    // Nobody else would ever come to it.
    assert!(refused("here:80\nthere:90\nhere:80\n", "0").contains("has `here:80` twice"));
}
