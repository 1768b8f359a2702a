//! What every verb promises: JSON by the schema, exit codes, lines that fit, an end on Ctrl-C.

mod schema;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

fn quotient(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quotient"));
    command
        .args(arguments)
        .current_dir(files())
        .env_remove("COLUMNS");
    command
}

fn run(arguments: &[&str]) -> Output {
    quotient(arguments).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn json_of_every_verb_follows_the_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/report.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let commands = [
        "show tokens.tmb",
        "show pass.tmb",
        "show letter.tmb",
        "show nothing.tmb",
        "convert tokens.tmb - --to mata",
        "convert tokens.tmb - --to fsm",
        "convert tokens.tmb - --to svg",
        "automata include all.tmb tokens.tmb",
        "automata include tokens.tmb other.tmb",
        "automata equal tokens.tmb tokens.tmb --time",
        "automata image-disjoint pass.tmb tokens.tmb tokens.tmb",
        "automata minimize tokens.tmb",
        "automata apply pass.tmb tokens.tmb",
        "automata determinize deep.tmb --timeout 0",
        "automata words all.tmb --most 2",
        "automata count all.tmb --length 5",
        "automata expression tokens.tmb",
        "automata regex T*",
        "check token.toml --story",
        "check token.toml --timeout 0",
        "check faulty.toml --family",
        "check light.smv --story",
        "check light.smv --vacuity",
        "check stuck.smv",
        "check wrong.smv",
        "check light.smv --timeout 0",
        "check ticket.protocol",
        "check unlocked.protocol",
        "show ticket.protocol",
        "show ticket.protocol#enter",
        "show ticket.protocol --invariant mutex",
        "show unlocked.protocol --invariant mutex",
        "instance ticket.protocol -n 3",
        "instance unlocked.protocol -n 2",
        "simulate unlocked.protocol -n 2",
        "simulate ../../../../examples/components/philosophers_faulty.lts --steps 3",
        "simulate ../../../../examples/components/channel.lts --actions input,output",
        "simulate ../../../../examples/components/channel.lts --actions input,input",
        "new",
        "explain",
        "explain syntax",
        "explain sintax",
        "fmt --check ticket.protocol",
        "fmt light.smv",
        "vacuity light.smv --naive",
        "query light.smv stable",
        "query light.smv invariants --over road,car",
        "query light.smv EF?{road} --initial each",
        "query light.smv TRUE",
        "show ../../../../examples/components/channel.lts",
        "show ../../../../examples/components/channel.lts ORDER",
        "show road.lts",
        "show road.lts BUSY --minimise",
        "show road.lts TRAFFIC --structure",
        "check road.lts --progress",
        "check road.lts --ltl RED_GETS_ON",
        "convert ../../../../examples/components/channel.lts#ORDER - --to aut",
        "check ../../../../examples/components/channel.lts --story",
        "check ../../../../examples/components/channel_faulty.lts",
        "check ../../../../examples/components/philosophers_faulty.lts",
        "check ../../../../examples/components/philosophers_faulty.lts --progress",
        "ask ../../../../examples/networks/toggle.bnet stable",
        "ask ../../../../examples/networks/toggle.bnet attractors --start lacI=1",
        "ask ../../../../examples/networks/oscillator.bnet attractors",
        "ask ../../../../examples/networks/oscillator.bnet EF(a&b&c)",
        "ask ../../../../examples/networks/oscillator.bnet False",
        "show ../../../../examples/networks/signal.sbml --fix signal=0",
        "simulate ../../../../examples/networks/signal.sbml --start file",
        "simulate ../../../../examples/networks/oscillator.bnet --synchronous --steps 3",
        "convert ../../../../examples/networks/signal.sbml - --to bnet",
        "bench components --table 5.7 --case rover",
        "bench components --table 5.8 --case rover",
        "bench thesis --table 6.3",
        "check --methods",
        "check --write-config -",
        "completions bash",
        "man",
        "nonsense",
        "show",
    ];
    for command in commands {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(["--format", "json"]);
        let output = run(&arguments);
        assert!(output.stderr.is_empty(), "{command}: {output:?}");
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{command}: {error}: {output:?}"));
        let wrong = schema::validate(&schema, &report);
        assert!(wrong.is_empty(), "{command}: {wrong:?}: {report}");
        assert_eq!(
            report["exit"].as_i64(),
            output.status.code().map(i64::from),
            "{command}"
        );
    }
}

#[test]
fn the_validator_of_these_tests_can_say_no() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": { "a": { "$ref": "#/$defs/x" }, "b": { "enum": [1] } },
        "$defs": { "x": { "type": "array", "items": { "type": ["string", "null"] } } },
    });
    for good in [r#"{"a":[]}"#, r#"{"a":["x",null],"b":1}"#] {
        let value = serde_json::from_str(good).unwrap();
        assert!(schema::validate(&schema, &value).is_empty(), "{good}");
    }
    for bad in [
        r#"{}"#,
        r#"{"a":[1]}"#,
        r#"{"a":[],"b":2}"#,
        r#"{"a":[],"c":1}"#,
        "[]",
    ] {
        let value = serde_json::from_str(bad).unwrap();
        assert!(!schema::validate(&schema, &value).is_empty(), "{bad}");
    }
}

#[test]
fn help_of_every_verb_fits_80_columns_and_has_examples() {
    let mut verbs: Vec<Vec<String>> = vec![Vec::new()];
    let mut seen = 0;
    while let Some(verb) = verbs.pop() {
        let mut arguments: Vec<&str> = verb.iter().map(String::as_str).collect();
        arguments.push("--help");
        let output = run(&arguments);
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{verb:?}: {line}");
        }
        assert!(
            verb.len() != 1 || text.contains("Example"),
            "{verb:?} has no example"
        );
        seen += 1;
        let commands = text.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in commands.take_while(|line| !line.is_empty()) {
            let name = line
                .strip_prefix("  ")
                .filter(|name| !name.starts_with(' '));
            if let Some(name) = name.and_then(|name| name.split(' ').next())
                && name != "help"
            {
                verbs.push(verb.iter().cloned().chain([name.to_owned()]).collect());
            }
        }
    }
    assert!(seen > 45, "only {seen} help texts were found");
}

#[test]
fn interrupt_gives_unknown_and_soon() {
    let arguments = ["automata", "determinize", "deep.tmb", "--format", "json"];
    let child = quotient(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["reason"]["kind"], "interrupted");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn watching_checks_again_when_the_file_changes_and_ends_on_interrupt() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("clock.lts");
    std::fs::write(&model, "CLOCK = (tick -> CLOCK).\n").unwrap();
    let mut child = quotient(&["watch", model.to_str().unwrap(), "--timeout", "60"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut verdict = || {
        let mut verdicts = lines.by_ref().map(Result::unwrap);
        verdicts
            .find(|line| line.starts_with("no deadlock"))
            .unwrap()
    };
    assert_eq!(verdict(), "no deadlock: holds");
    std::fs::write(&model, "CLOCK = (tick -> tock -> STOP).\n").unwrap();
    assert_eq!(verdict(), "no deadlock: violated");
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    child.wait().unwrap();
}

#[test]
fn memory_limit_gives_unknown() {
    let began = Instant::now();
    let output = run(&[
        "automata",
        "determinize",
        "deep.tmb",
        "--memory",
        "60M",
        "--timeout",
        "60",
    ]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("out of memory"),
        "after {:?}: {text}",
        began.elapsed()
    );
}

/// A network of so many variables, each of which four others decide about: with 100 nobody knows its larger
/// attractors in a second.
fn tangle(variables: u64) -> String {
    let mut seed: u64 = 1;
    let mut next = || {
        seed = (seed * 1_103_515_245 + 12_345) % (1 << 31);
        (seed >> 8) % variables
    };
    let mut text = "targets, factors\n".to_owned();
    for number in 0..variables {
        let [a, b, c, d] = std::array::from_fn(|_| next());
        let line = format!("x{number}, (x{a} & !x{b}) ^ (x{c} | x{d})\n");
        text.push_str(&line);
    }
    text
}

#[test]
fn attractors_that_nobody_had_time_for_are_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tangle.bnet");
    std::fs::write(&file, tangle(100)).unwrap();
    let file = file.to_str().unwrap();
    let output = run(&["ask", file, "attractors", "--timeout", "1"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let more = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}{more}");
    assert!((told + &more).contains("unknown"), "{output:?}");
    let output = run(&[
        "ask",
        file,
        "attractors",
        "--timeout",
        "1",
        "--format",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // A small one of the same kind is known completely.
    std::fs::write(file, tangle(6)).unwrap();
    let output = run(&["ask", file, "attractors"]);
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!told.contains("unknown"), "{told}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = quotient(&["man"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn completions_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell]);
        assert!(
            String::from_utf8(output.stdout)
                .unwrap()
                .contains("image-include"),
            "{shell}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["man", "--dir", folder.path().to_str().unwrap()]);
    assert!(output.status.success());
    assert!(folder.path().join("quotient-automata-include.1").exists());
}

#[test]
fn colour_is_used_only_where_it_is_wanted() {
    let plain = run(&["show", "letter.tmb"]);
    assert!(!plain.stderr.contains(&0x1b));
    let colour = run(&["show", "letter.tmb", "--color", "always"]);
    assert!(colour.stderr.contains(&0x1b));
}

/// What `new` says to try works, also where a model is several files.
#[test]
fn the_command_that_a_new_model_comes_with_works() {
    let folder = std::env::temp_dir().join(format!("quotient-new-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let within = |arguments: &[&str]| {
        let mut command = quotient(arguments);
        command.current_dir(&folder).stdin(Stdio::null());
        command.output().unwrap()
    };
    for name in [
        "die",
        "gambler",
        "zeroconf",
        "coin",
        "queue",
        "overtaking",
        "token-duplicated",
    ] {
        let made = String::from_utf8(within(&["new", name]).stdout).unwrap();
        let command = made.split('`').nth(1).unwrap();
        let mut words: Vec<&str> = command.split(' ').skip(1).collect();
        words.extend(["--timeout", "2"]);
        let checked = within(&words);
        let said = String::from_utf8_lossy(&checked.stdout);
        assert_ne!(checked.status.code(), Some(3), "{made}");
        assert!(!said.contains("has no value"), "{made}{said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What is written to begin with can be checked as it is told, whatever the language.
#[test]
fn a_starter_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let within = |arguments: &[&str]| {
        let mut command = quotient(arguments);
        command.current_dir(&folder).stdin(Stdio::null());
        command.output().unwrap()
    };
    let listed = String::from_utf8(within(&["new"]).stdout).unwrap();
    let headings = listed.lines().filter(|line| !line.starts_with(' '));
    let languages = headings.filter_map(|line| line.rsplit_once('(')?.1.strip_suffix(')'));
    let mut seen = 0;
    for language in languages {
        let asked = ["new", "starter", "--language", language];
        let made = String::from_utf8(within(&asked).stdout).unwrap();
        let command = made.split('`').nth(1).unwrap();
        let mut words: Vec<&str> = command.split(' ').skip(1).collect();
        words.extend(["--timeout", "5"]);
        let checked = within(&words);
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(matches!(checked.status.code(), Some(0..=2)), "{made}{said}");
        for made in std::fs::read_dir(&folder).unwrap() {
            let path = made.unwrap().path();
            match path.is_dir() {
                true => std::fs::remove_dir_all(path).unwrap(),
                false => std::fs::remove_file(path).unwrap(),
            }
        }
        seen += 1;
    }
    assert!(seen > 0);
}

/// One name may stand for models of two languages.
#[test]
fn a_name_that_two_languages_have_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = quotient(&["new", "token"]);
    command.current_dir(&folder).stdin(Stdio::null());
    let made = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(made.contains("`--language words`"), "{made}");
}

/// A name given twice by mistake would cost a model.
#[test]
fn what_was_read_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, chain, props) = (path("m.smv"), path("c.prism"), path("c.props"));
    let text = "MODULE main VAR x : boolean; INIT x; INVARSPEC x\n";
    let of_chain = "dtmc module m s : [0..1]; [] s=0 -> (s'=1); endmodule\n";
    std::fs::write(&model, text).unwrap();
    std::fs::write(&chain, of_chain).unwrap();
    std::fs::write(&props, "P=? [ F s=1 ]\n").unwrap();
    for arguments in [
        vec!["check", &model, "--evidence", &model],
        vec!["show", &model, "--svg", &model],
        vec!["convert", &model, &model],
        vec![
            "check",
            &chain,
            "--properties",
            &props,
            "--evidence",
            &props,
        ],
    ] {
        let output = run(&arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(
            told.contains("is not written over"),
            "{arguments:?}: {told}"
        );
        assert_eq!(std::fs::read_to_string(&model).unwrap(), text);
        assert_eq!(std::fs::read_to_string(&props).unwrap(), "P=? [ F s=1 ]\n");
    }
}

/// Paths seen from here, not from the folder of the model, are those of files that were read, too.
#[test]
fn what_was_read_from_elsewhere_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let of_chain = "dtmc module m s : [0..1]; [] s=0 -> (s'=1); endmodule\n";
    std::fs::write(folder.path().join("sub/c.prism"), of_chain).unwrap();
    let props = folder.path().join("sub/c.props");
    std::fs::write(&props, "P=? [ F s=1 ]\n").unwrap();
    let names = ["sub/c.prism", "sub/c.props"];
    let asked = ["check", names[0], "--properties", names[1], "--evidence"];
    let mut command = quotient(&[&asked[..], &names[1..]].concat());
    let output = command.current_dir(&folder).stdin(Stdio::null()).output();
    let told = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(told.contains("is not written over"), "{told}");
    assert_eq!(std::fs::read_to_string(&props).unwrap(), "P=? [ F s=1 ]\n");
    // What a model includes is read as well.
    let (whole, part) = (
        folder.path().join("sub/m.pml"),
        folder.path().join("sub/h.pml"),
    );
    std::fs::write(
        &whole,
        "#include \"h.pml\"\nactive proctype p() { x = 1; assert(x == 1) }\n",
    )
    .unwrap();
    std::fs::write(&part, "byte x;\n").unwrap();
    let mut command = quotient(&["check", "sub/m.pml", "--evidence", "sub/h.pml"]);
    let output = command.current_dir(&folder).stdin(Stdio::null()).output();
    let told = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(told.contains("is not written over"), "{told}");
    assert_eq!(std::fs::read_to_string(&part).unwrap(), "byte x;\n");
}

/// A number or a text that is the name of another property pins that one, as it does for `check`.
#[test]
fn a_pin_means_what_check_takes_it_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, evidence) = (path("n.zs"), path("e.json"));
    let text = "start A\nr: A -> B\ns: B & C -> C\ncan \"2\": C\ncan two: B\ncan \"can B\": C\n";
    std::fs::write(&model, text).unwrap();
    let checked = run(&[
        "check",
        &model,
        "--property",
        "two",
        "--evidence",
        &evidence,
    ]);
    assert_eq!(checked.status.code(), Some(0));
    let certify = |pin: &str| {
        let asked = [
            "certify",
            &evidence,
            &model,
            "--property",
            pin,
            "--expect",
            "holds",
        ];
        run(&asked).status.code()
    };
    assert_eq!(certify("two"), Some(0));
    assert_eq!(certify("2"), Some(1));
    assert_eq!(certify("can B"), Some(1));
}

/// Two outputs of one name: the first stays, and it is told that the second has no place.
#[test]
fn what_was_written_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, chain, out) = (path("m.smv"), path("c.prism"), path("out"));
    let text = "MODULE main VAR x : boolean; INIT x; INVARSPEC x\n";
    std::fs::write(&model, text).unwrap();
    let of_chain = "dtmc module m s : [0..1]; [] s=0 -> (s'=1); endmodule\n";
    std::fs::write(&chain, of_chain).unwrap();
    let (page, both, table) = (path("out/index.html"), path("both.svg"), path("m.sta"));
    for (arguments, kept, begins) in [
        (
            vec!["check", &model, "--out", &out, "--evidence", &page],
            &page,
            "<!doctype",
        ),
        (
            vec!["show", &model, "--svg", &both, "--dot", &both],
            &both,
            "<svg",
        ),
    ] {
        let output = run(&arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("is written already"), "{arguments:?}: {told}");
        let kept = std::fs::read_to_string(kept).unwrap();
        assert!(kept.trim_start().starts_with(begins), "{}", &kept[..50]);
    }
    let output = run(&["convert", &chain, &table, "--to", "tra"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("is the name of a file that belongs"),
        "{told}"
    );
    // The same page again is a new one.
    assert_eq!(
        run(&["check", &model, "--out", &out]).status.code(),
        Some(1)
    );
}
