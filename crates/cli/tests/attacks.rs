//! What an attacker tried on the command line, and what must come of it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// Two processes take turns; with more of them others go between.
const TURNS: &str = "const N = 2\nrange Id = 1..N\n\
    TURN = T[1],\nT[i:Id] = (go[i] -> T[(i % N) + 1]).\n\
    property ORDER = (go[1] -> go[N] -> ORDER).\n||SYSTEM = (TURN || ORDER).\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quotient"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A folder with the model and evidence for every property of it.
fn place(constants: &[&str]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("turns.lts"), TURNS).unwrap();
    let mut arguments = vec!["check", "turns.lts", "--evidence", "evidence.json"];
    arguments.extend(constants);
    run(place.path(), &arguments);
    place
}

fn pieces(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("evidence.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn certify(folder: &Path, pieces: &[Value], pins: &[&str]) -> Output {
    std::fs::write(folder.join("forged.json"), json!(pieces).to_string()).unwrap();
    let mut arguments = vec!["certify", "forged.json", "turns.lts"];
    arguments.extend(pins);
    run(folder, &arguments)
}

#[test]
fn evidence_for_other_constants_does_not_make_a_file_complete() {
    let own = place(&[]);
    let genuine = pieces(own.path());
    let accepted = certify(own.path(), &genuine, &["--complete"]);
    assert_eq!(accepted.status.code(), Some(0), "{}", text(&accepted));
    assert_eq!(
        certify(own.path(), &genuine[..1], &["--complete"])
            .status
            .code(),
        Some(1)
    );

    let other = place(&["--constant", "N=3"]);
    let about_three = pieces(other.path());
    let refused = certify(other.path(), &about_three, &["--complete"]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused));
    assert!(text(&refused).contains("no accepted evidence for this property"));
}

#[test]
fn turned_renamed_and_moved_evidence_is_rejected() {
    let place = place(&[]);
    let genuine = pieces(place.path());
    let turned = |claim: &Value| match claim.as_str() {
        Some("holds") => json!("violated"),
        _ => json!("holds"),
    };
    for piece in &genuine {
        let forgeries = [
            ("claim", turned(&piece["claim"])),
            ("format", json!(1)),
            ("format", json!(3)),
            ("language", json!("smv")),
            ("language", json!("")),
            ("property", json!("")),
            ("property", json!("error")),
            ("text", json!("")),
            ("kind", json!("components-lasso")),
            ("constants", json!({})),
            ("constants", json!({ "N": "1" })),
            ("settings", json!({ "constant": ["N=1"] })),
            ("settings", json!({ "unknown": ["x"] })),
        ];
        for (field, value) in forgeries {
            let mut forged = piece.clone();
            forged[field] = value.clone();
            let outcome = certify(place.path(), &[forged], &[]);
            let said = text(&outcome);
            assert_ne!(outcome.status.code(), Some(0), "{field} {value}: {said}");
            assert!(!said.contains("accepted"), "{field} {value}: {said}");
        }
    }
}

#[test]
fn a_name_in_evidence_makes_no_line_of_its_own() {
    let place = place(&[]);
    let mut forged = pieces(place.path())[0].clone();
    forged["property"] = json!("x\naccepted: holds: ORDER in turns.lts\u{1b}[2K\r\n");
    let outcome = certify(place.path(), &[forged], &[]);
    assert_eq!(outcome.status.code(), Some(1));
    let said = text(&outcome);
    let fooled = said.lines().any(|line| line.starts_with("accepted"));
    assert!(!fooled && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn a_page_never_says_that_work_is_under_way_when_it_is_not() {
    let place = place(&[]);
    for more in [&["--property", "nobody"][..], &[]] {
        let mut arguments = vec!["check", "turns.lts", "--out", "page"];
        arguments.extend(more);
        run(place.path(), &arguments);
        let page = std::fs::read_to_string(place.path().join("page/index.html"));
        assert!(!page.unwrap_or_default().contains("under way"), "{more:?}");
    }
}

#[test]
fn a_folder_keeps_the_files_that_are_not_ours() {
    let place = place(&[]);
    let read = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap_or_default();
    let check = |folder: &str| {
        let outcome = run(place.path(), &["check", "turns.lts", "--out", folder]);
        let errors = String::from_utf8_lossy(&outcome.stderr).into_owned();
        (text(&outcome), errors)
    };
    std::fs::create_dir(place.path().join("site")).unwrap();
    std::fs::write(place.path().join("site/index.html"), "mine").unwrap();
    let (_, errors) = check("site");
    assert!(errors.contains("file-exists"), "{errors}");
    assert_eq!(read("site/index.html"), "mine");
    // Without it there is room; what a run wrote itself it may write again.
    std::fs::remove_file(place.path().join("site/index.html")).unwrap();
    for _ in 0..2 {
        let (said, errors) = check("site");
        assert!(said.contains("files to site"), "{said}{errors}");
    }
    // Another file of a name that is ours is kept, and the verdict is told all the same.
    let ours = read("site/.quotient-report");
    let name = ours.lines().find(|name| name.ends_with(".json")).unwrap();
    std::fs::create_dir(place.path().join("other")).unwrap();
    std::fs::write(place.path().join("other").join(name), "mine").unwrap();
    let (said, errors) = check("other");
    assert!(errors.contains("file-exists"), "{errors}");
    assert!(said.contains("ORDER: holds"), "{said}");
    assert_eq!(read(&format!("other/{name}")), "mine");
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_model_needs_a_small_address_space() {
    let place = tempfile::tempdir().unwrap();
    let model = "MODULE main\nVAR c : 0..3;\nASSIGN init(c) := 0; next(c) := (c + 1) mod 4;\n\
                 LTLSPEC G F c = 0\nCTLSPEC AG EF c = 2\nINVARSPEC c < 4\n";
    std::fs::write(place.path().join("count.smv"), model).unwrap();
    // Kilobytes of address space, as `ulimit -v` takes them.
    for size in ["800000", "1500000"] {
        let command = format!("ulimit -v {size}; exec \"$0\" check count.smv");
        let output = Command::new("sh")
            .args(["-c", &command, env!("CARGO_BIN_EXE_quotient")])
            .current_dir(place.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{size}: {}", text(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_address_space_is_no_reason_to_abort() {
    let place = tempfile::tempdir().unwrap();
    let latch = "aag 1 0 1 0 0 1\n2 2\n2\n";
    std::fs::write(place.path().join("latch.aag"), latch).unwrap();
    for size in ["200000", "400000"] {
        let command = format!("ulimit -v {size}; exec \"$0\" check latch.aag --timeout 20");
        let output = Command::new("sh")
            .args(["-c", &command, env!("CARGO_BIN_EXE_quotient")])
            .current_dir(place.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 2)), "{size}: {code:?}");
    }
}

/// All Rust files of the crates, but for tests.
fn sources() -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            match path.is_dir() {
                true if !["tests", "soak", "forger", "testkit", "target"].contains(&&*name) => {
                    folders.push(path);
                }
                false if name.ends_with(".rs") && !name.ends_with("tests.rs") => {
                    texts.push(std::fs::read_to_string(path).unwrap());
                }
                _ => {}
            }
        }
    }
    texts
}

#[test]
fn every_kind_of_evidence_has_an_argument_in_the_page_about_trust() {
    let texts = sources();
    // A kind is a constant made of words with hyphens, wherever it goes until evidence is made of
    // it; these are no kinds.
    let others = ["letters-of-bits", "letters-like-bits"];
    let mut kinds: Vec<&str> = Vec::new();
    for text in &texts {
        for rest in text.split(": &str =").skip(1).map(str::trim_start) {
            let value = rest
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next());
            let Some(value) = value else { continue };
            let word =
                |word: &str| !word.is_empty() && word.bytes().all(|one| one.is_ascii_lowercase());
            if value.contains('-') && value.split('-').all(word) && !others.contains(&value) {
                kinds.push(value);
            }
        }
    }
    for passed_on in ["net-several", "pathway-runs", "hybrid-proof", "bsp-some"] {
        assert!(kinds.contains(&passed_on), "{passed_on} is not seen");
    }
    assert!(kinds.len() > 60, "{kinds:?}");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/trust.md");
    let page = std::fs::read_to_string(page).unwrap();
    let argued = |kind: &&&str| !page.contains(&format!("`{kind}`"));
    let missing: Vec<_> = kinds.iter().filter(argued).collect();
    assert!(
        missing.is_empty(),
        "docs/trust.md says nothing of {missing:?}"
    );
}

/// Runs for ever beside what should happen; without fairness it need not happen.
const LAZY: &str = "byte x;\nltl p { <> (x == 1) }\nactive proctype P() { x = 1 }\n\
    active proctype Q() { do :: skip od }\n";

#[test]
fn a_setting_that_reads_like_its_opposite_is_refused() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("lazy.pml"), LAZY).unwrap();
    let fair = [
        "check",
        "lazy.pml",
        "--weakly-fair",
        "--evidence",
        "evidence.json",
    ];
    assert_eq!(run(place.path(), &fair).status.code(), Some(0));
    let certify = |pieces: &[Value]| {
        std::fs::write(place.path().join("forged.json"), json!(pieces).to_string()).unwrap();
        run(place.path(), &["certify", "forged.json", "lazy.pml"])
    };
    let genuine = pieces(place.path());
    assert_eq!(certify(&genuine).status.code(), Some(0));
    let mut forged = genuine.clone();
    for piece in &mut forged {
        piece["settings"]["weakly-fair"] = json!(["no"]);
    }
    let refused = certify(&forged);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused));
}

#[test]
fn a_constant_with_two_values_is_refused() {
    let place = place(&["--constant", "N=3"]);
    let genuine = pieces(place.path());
    assert_eq!(certify(place.path(), &genuine, &[]).status.code(), Some(0));
    let mut forged = genuine.clone();
    for piece in &mut forged {
        piece["settings"]["constant"] = json!(["N=2", "N=3"]);
    }
    let refused = certify(place.path(), &forged, &[]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused));
}

#[test]
fn a_name_with_two_values_is_refused() {
    let place = place(&["--constant", "N=3"]);
    let genuine = json!(pieces(place.path())).to_string();
    let forged = genuine.replace(
        r#""constant":["N=3"]"#,
        r#""constant":["N=2"],"constant":["N=3"]"#,
    );
    assert_ne!(forged, genuine);
    std::fs::write(place.path().join("forged.json"), forged).unwrap();
    let refused = run(place.path(), &["certify", "forged.json", "turns.lts"]);
    assert_eq!(refused.status.code(), Some(3), "{}", text(&refused));
}

#[test]
fn a_model_where_evidence_should_be_is_told_in_a_line() {
    let place = place(&[]);
    let refused = run(place.path(), &["certify", "turns.lts", "evidence.json"]);
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("`evidence.json` is the evidence"), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "{said}");
    // Two models are no evidence in either order.
    let refused = run(place.path(), &["certify", "turns.lts", "turns.lts"]);
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("not an evidence file"), "{said}");
}

#[test]
fn of_very_many_mistakes_some_are_told() {
    let place = tempfile::tempdir().unwrap();
    let lines = format!("1 sort bitvec 1\n{}", "7\n".repeat(500));
    std::fs::write(place.path().join("lines.btor2"), lines).unwrap();
    let told = run(place.path(), &["check", "lines.btor2"]);
    assert_eq!(told.status.code(), Some(3));
    let said = String::from_utf8_lossy(&told.stderr).into_owned();
    assert_eq!(said.matches("error[").count(), 100, "{said}");
    assert!(said.contains("and 400 errors like these"), "{said}");
    let told = run(place.path(), &["check", "lines.btor2", "--format", "json"]);
    let told: Value = serde_json::from_str(&text(&told)).unwrap();
    assert_eq!(told["diagnostics"].as_array().map(Vec::len), Some(500));
}

/// A coin, with questions in a file beside it: one is true and one is not.
const COIN: &str = "dtmc\nmodule coin\n  s : [0..2] init 0;\n\
    [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);\n  [] s>0 -> true;\nendmodule\n";
const COIN_QUESTIONS: &str = "\"half\": P<=0.6 [ F s=1 ];\n\"more\": P>0.6 [ F s=1 ];\n";

#[test]
fn evidence_about_questions_of_another_file_does_not_make_a_file_complete() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("coin.prism"), COIN).unwrap();
    std::fs::write(place.path().join("coin.props"), COIN_QUESTIONS).unwrap();
    let named = ["--properties", "coin.props"];
    let check = ["check", "coin.prism", "--evidence", "evidence.json"];
    run(place.path(), &[&check[..], &named].concat());
    let genuine = pieces(place.path());
    let certify = |pieces: &[Value], pins: &[&str]| {
        std::fs::write(place.path().join("forged.json"), json!(pieces).to_string()).unwrap();
        let arguments = [&["certify", "forged.json", "coin.prism"], pins].concat();
        run(place.path(), &arguments).status.code()
    };
    assert_eq!(
        certify(&genuine, &["--complete", named[0], named[1]]),
        Some(0)
    );
    assert_eq!(
        certify(&genuine[..1], &["--complete", named[0], named[1]]),
        Some(1)
    );
    // Which questions there are the user must say: the evidence would name those it has.
    assert_eq!(certify(&genuine[..1], &["--complete"]), Some(1));
    assert_eq!(certify(&genuine[..1], &[]), Some(0));
}

#[test]
fn a_verdict_is_told_where_nothing_can_be_written() {
    let place = tempfile::tempdir().unwrap();
    let two = "A = (a -> A).\nB = (a -> b -> B).\n";
    std::fs::write(place.path().join("two.lts"), two).unwrap();
    std::fs::write(place.path().join("turns.lts"), TURNS).unwrap();
    let compare = ["compare", "two.lts#A", "two.lts#B", "--evidence", "no/e"];
    let compared = run(place.path(), &compare);
    assert_eq!(compared.status.code(), Some(3));
    assert!(text(&compared).contains("violated"), "{}", text(&compared));
    // The page has no place: there is a folder of its name.
    std::fs::create_dir_all(place.path().join("out/index.html")).unwrap();
    let checked = run(place.path(), &["check", "turns.lts", "--out", "out"]);
    assert_eq!(checked.status.code(), Some(3));
    assert!(text(&checked).contains("holds"), "{}", text(&checked));
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let compared = Command::new(env!("CARGO_BIN_EXE_quotient"))
            .args(compare)
            .current_dir(place.path())
            .stderr(full.unwrap())
            .output()
            .unwrap();
        assert_eq!(compared.status.code(), Some(3));
        assert!(text(&compared).contains("violated"), "{}", text(&compared));
    }
}

#[test]
fn a_model_that_asks_nothing_is_not_silent() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(
        place.path().join("pair.bnet"),
        "targets, factors\na, b\nb, a\n",
    )
    .unwrap();
    let checked = run(place.path(), &["check", "pair.bnet"]);
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(said.contains("asks nothing"), "{said}");
}
