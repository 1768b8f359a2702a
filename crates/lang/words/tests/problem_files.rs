//! Problems as files: manifests, folders, configurations of the original tool, whole problems,
//! and what is said when they are wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use quotient_automata::formats::Limits;
use quotient_core::{Budget, Diagnostic, Source, Trouble};
use quotient_language::MemoryFiles;
use quotient_words::problem_files::{ProblemFile, read_folder, read_problem};

fn timbuk(letters: &str, rules: &str) -> String {
    format!(
        "Ops x:0 {letters}\nAutomaton A\nStates p q\nFinal States q\nTransitions\nx() -> p\n{rules}\n"
    )
}

fn token_passing() -> MemoryFiles {
    token_files().into_iter().collect()
}

fn token_files() -> BTreeMap<&'static str, String> {
    [
        ("init.tmb", timbuk("T:1 N:1", "T(p) -> q\nN(q) -> q")),
        ("bad.tmb", timbuk("T:1 N:1", "p -> q\nN(q) -> q")),
        ("bad2.tmb", timbuk("T:1 N:1", "T(p) -> p\nT(p) -> q")),
        (
            "step1.tmb",
            timbuk("T:1 N:1", "@N/@N(p) -> p\nT/N(p) -> q\nN/T(q) -> q"),
        ),
        (
            "step2.tmb",
            timbuk("T:1 N:1", "@in{T,N}/@in{T,N}(p) -> p\np -> q"),
        ),
        ("other.tmb", timbuk("a:1 b:1", "a/b(p) -> q")),
        ("notes.md", "# Token passing\n".to_owned()),
    ]
    .into()
}

/// The only mistake.
fn mistake(trouble: Trouble) -> Diagnostic {
    match trouble {
        Trouble::Invalid(mistakes) => {
            let [one] = mistakes.try_into().expect("one mistake");
            one
        }
        Trouble::Stopped(stop) => panic!("stopped: {stop}"),
    }
}

fn try_read(name: &str, text: &str) -> Result<ProblemFile, Diagnostic> {
    let (source, budget) = (Source::new(name, text), Budget::unlimited());
    read_problem(&source, &mut token_passing(), &Limits::default(), &budget).map_err(mistake)
}

fn step_names(read: &ProblemFile) -> Vec<&str> {
    read.problem
        .relation()
        .parts()
        .iter()
        .map(|(name, _)| name.as_str())
        .collect()
}

fn property_names(read: &ProblemFile) -> Vec<&str> {
    read.problem
        .properties()
        .iter()
        .map(|property| property.name.as_str())
        .collect()
}

#[test]
fn a_manifest_names_the_parts() {
    let text = "# token passing\nname = \"token\"\ninit = \"init.tmb\"\nbad = [\"bad.tmb\", \"bad2.tmb\"]\n\
                transitions = [\"step*.tmb\"]\nmethod = \"forward predicates(bad)\"\ntimeout = 1.5\n";
    let read = try_read("problem.toml", text).unwrap();
    assert_eq!(step_names(&read), ["step1", "step2"]);
    assert_eq!(property_names(&read), ["bad", "bad2"]);
    assert_eq!(read.timeout, Some(Duration::from_millis(1500)));
    assert_eq!(
        read.configuration.unwrap().to_string(),
        "forward predicates(bad)"
    );
}

#[test]
fn a_manifest_names_properties() {
    let text = "init = \"init.tmb\"\ntransitions = \"step1.tmb\"\n[bad]\n\"no token\" = \"bad.tmb\"\n\"two tokens\" = \"bad2.tmb\"\n";
    let read = try_read("problem.toml", text).unwrap();
    assert_eq!(property_names(&read), ["no token", "two tokens"]);
}

#[test]
fn mistakes_in_manifests_are_explained() {
    let good = "init = \"init.tmb\"\nbad = \"bad.tmb\"\ntransitions = [\"step1.tmb\"]\n";
    let cases = [
        (
            good.replace("transitions", "transtions"),
            "unknown-key",
            "did you mean `transitions`?",
        ),
        (
            good.replace("init.tmb", "inti.tmb"),
            "unreadable",
            "paths are relative to the folder of this file",
        ),
        (
            good.replace("step1.tmb", "tau*.tmb"),
            "pattern",
            "patterns are relative to the folder of this file",
        ),
        (
            good.replace("init = \"init.tmb\"\n", ""),
            "missing-part",
            "name the file: `init = \"init.tmb\"`",
        ),
        (
            good.replace("[\"step1.tmb\"]", "[]"),
            "missing-part",
            "name the file: `transitions = \"transitions.tmb\"`",
        ),
        (
            good.replace("step1.tmb", "other.tmb"),
            "different-alphabets",
            "spell the letters alike in all files",
        ),
        (
            good.replace("init.tmb", "step1.tmb"),
            "wrong-kind",
            "its domain and its range are automata: `quotient automata domain`",
        ),
    ];
    for (text, code, help) in cases {
        let error = try_read("problem.toml", &text).unwrap_err();
        assert_eq!(
            (error.code, error.help[0].as_str()),
            (code, help),
            "{error}"
        );
    }
    for (line, code) in [
        ("timeout = \"soon\"", "syntax"),
        ("timeout = -1", "syntax"),
        ("bad2 = 3", "unknown-key"),
        ("init = [", "syntax"),
    ] {
        let error = try_read("problem.toml", &format!("{good}{line}\n")).unwrap_err();
        assert_eq!(error.code, code, "{error}");
        assert_eq!(
            error.source.as_ref().map(Source::name),
            Some("problem.toml")
        );
    }
}

#[test]
fn a_wrong_method_is_shown_where_it_stands() {
    let text = "init = \"init.tmb\"\nbad = \"bad.tmb\"\ntransitions = \"step1.tmb\"\nmethod = \"forward predicate(bad)\"\n";
    let error = try_read("problem.toml", text).unwrap_err();
    assert_eq!(&text[error.labels[0].span.range()], "predicate");
}

const PROPERTIES: &str = "# configuration\nINIT_FILE_PATH = init.tmb\nBAD_FILE_PATH = bad.tmb\nTAU_FILE_PATHS = step1.tmb:step2.tmb\n\
    COMPUTATION_DIRECTION = Backward\nLANGUAGE_DIRECTION = Forward\nTIMEOUT = 00:01:30.5\nVERBOSE = NO\nPRINT_AUTOMATA = NO\n\
    AUTOMATA_FORMAT = DOT\nOUTPUT_DIRECTORY = armc-output\nIMAGE_FORMAT =\nPREDICATE_LANGUAGES = YES\nINITIAL_PREDICATE = Both\n\
    INCLUDE_GUARD = YES\nINCLUDE_ACTION = NO\nHEURISTIC = KeyStates\nFINITE_LENGTH_LANGUAGES = NO\nTRACE_LANGUAGES = NO\n\
    INITIAL_BOUND = Init\nHALVE_INITIAL_BOUND = YES\nBOUND_INCREMENT = X\nHALVE_BOUND_INCREMENT = NO\n";

#[test]
fn configurations_of_the_original_tool_are_read_as_they_are() {
    let read = try_read("armc.properties", PROPERTIES).unwrap();
    assert_eq!(step_names(&read), ["step1", "step2"]);
    assert_eq!(read.timeout, Some(Duration::from_millis(90_500)));
    let method = read.configuration.unwrap().to_string();
    assert_eq!(method, "backward predicates(init, bad, guards) key-states");
    let bounded = PROPERTIES
        .replace("PREDICATE_LANGUAGES = YES", "PREDICATE_LANGUAGES = NO")
        .replace(
            "FINITE_LENGTH_LANGUAGES = NO",
            "FINITE_LENGTH_LANGUAGES = YES",
        )
        .replace("00:01:30.5", "00:00:00");
    let read = try_read("armc.properties", &bounded).unwrap();
    assert_eq!(read.timeout, None);
    let again: quotient_regular::Configuration = read
        .configuration
        .clone()
        .unwrap()
        .to_string()
        .parse()
        .unwrap();
    assert_eq!(Some(again), read.configuration);
}

#[test]
fn mistakes_in_configurations_are_explained() {
    let cases = [
        (PROPERTIES.replace("HEURISTIC", "HEURISTICS"), "unknown-key"),
        (PROPERTIES.replace("KeyStates", "KeyState"), "bad-value"),
        (PROPERTIES.replace("00:01:30.5", "soon"), "bad-value"),
        (
            PROPERTIES.replace(
                "FINITE_LENGTH_LANGUAGES = NO",
                "FINITE_LENGTH_LANGUAGES = YES",
            ),
            "bad-value",
        ),
        (format!("{PROPERTIES}VERBOSE = YES\n"), "duplicate"),
        (format!("{PROPERTIES}VERBOSE\n"), "syntax"),
    ];
    for (text, code) in cases {
        let error = try_read("armc.properties", &text).unwrap_err();
        assert_eq!(error.code, code, "{error}");
        let span = error.labels[0].span;
        assert!(text.get(span.range()).is_some());
    }
}

#[test]
fn a_folder_is_read_by_the_names_of_its_files() {
    let mut texts = token_files();
    texts.remove("other.tmb");
    texts.insert("pred.tmb", timbuk("T:1 N:1", "N(p) -> q"));
    let (limits, budget) = (Limits::default(), Budget::unlimited());
    let folder = |texts: &BTreeMap<&str, String>| {
        let names: Vec<String> = texts.keys().map(|&name| name.to_owned()).collect();
        let mut files: MemoryFiles = texts.clone().into_iter().collect();
        read_folder("models/token", &names, &mut files, &limits, &budget)
    };
    let read = folder(&texts).unwrap();
    assert_eq!(step_names(&read), ["step1", "step2"]);
    assert_eq!(property_names(&read), ["bad", "bad2"]);
    assert_eq!(read.warnings[0].message, "not used: `pred.tmb`");
    // A step that cannot be read is not left out.
    let names = texts.keys().map(|&name| name.to_owned());
    let names: Vec<String> = names.chain(["gone.tmb".to_owned()]).collect();
    let mut files: MemoryFiles = texts.clone().into_iter().collect();
    assert!(read_folder("models/token", &names, &mut files, &limits, &budget).is_err());
    let manifest = "init = \"init.tmb\"\nbad = \"bad.tmb\"\ntransitions = \"step2.tmb\"\n";
    texts.insert("problem.toml", manifest.to_owned());
    let read = folder(&texts).unwrap();
    assert_eq!(step_names(&read), ["step2"]);
    let nothing = folder(&BTreeMap::new()).unwrap_err();
    assert_eq!(mistake(nothing).code, "missing-part");
}

#[test]
fn a_file_may_state_the_whole_problem() {
    let text = "Initial { init: a; a -> b T; b -> b N; accepting: b; }\n\
                Transition { init: p; p -> q T/N; q -> q N/T; accepting: q; }\n\
                Bad { init: a; a -> a N; accepting: a; }";
    let read = try_read("token.slrp", text).unwrap();
    assert_eq!(
        (step_names(&read), property_names(&read)),
        (vec!["Transition"], vec!["Bad"])
    );
    let error = try_read("token.slrp", text.split_once("Bad").unwrap().0).unwrap_err();
    assert_eq!(error.code, "missing-part");
}
