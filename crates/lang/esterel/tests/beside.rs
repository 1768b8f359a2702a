//! Programs whose modules stand in several files.

use quotient_core::{Context, Source, Trouble, Verdict};
use quotient_esterel::LANGUAGE;
use quotient_language::{Answer, Ask, Input, MemoryFiles, Model, Settings};

const MAIN: &str = "module LIFT: input A; output B, C; run DOOR [ signal B/OPEN ] end module";

fn open(files: &[(&str, &str)]) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("some/folder/lift.strl", MAIN));
    let mut files = MemoryFiles::from_iter(files.iter().copied());
    LANGUAGE.open(
        &input,
        &mut files,
        &Settings::default(),
        &Context::default(),
    )
}

#[test]
fn modules_are_taken_from_files_beside() {
    let door = "%! never OPEN\nmodule DOOR: input A; output OPEN; await A; run BELL end module";
    let bell = "module BELL: output OPEN; emit OPEN end module module OTHER: nothing end module";
    let files = [
        ("lift.strl", MAIN),
        ("door.strl", door),
        ("bell.strl", bell),
        ("broken.strl", "module DOOR: emit"),
    ];
    let mut model = open(&files).unwrap_or_else(|why| panic!("{why}"));
    let told: Vec<String> = model
        .warnings()
        .iter()
        .map(|one| one.message.clone())
        .collect();
    assert_eq!(
        told,
        [
            "the module `DOOR` is taken from `door.strl`",
            "the module `BELL` is taken from `bell.strl`"
        ]
    );
    let mut answers: Vec<Answer> = Vec::new();
    let cx = Context::default();
    let ask = Ask::default();
    model
        .check(&ask, &cx, &mut |answer| answers.push(answer))
        .unwrap();
    let verdicts: Vec<(&str, &Verdict)> = (answers.iter())
        .map(|one| (one.property.as_str(), &one.verdict))
        .collect();
    assert_eq!(
        verdicts,
        [("B", &Verdict::Violated), ("C", &Verdict::Holds)]
    );
}

#[test]
fn what_is_missing_or_there_twice_is_told() {
    let refused = |files: &[(&str, &str)]| match open(files) {
        Ok(_) => panic!("it was opened"),
        Err(why) => why.to_string(),
    };
    let door = "module DOOR: output OPEN; emit OPEN end module";
    let nothing = refused(&[("lift.strl", MAIN)]);
    assert!(nothing.contains("there is no module `DOOR`"), "{nothing}");
    let twice = refused(&[("a.strl", door), ("b.strl", door)]);
    assert!(twice.contains("`a.strl` and in `b.strl`"), "{twice}");
    // A module that is there already is not replaced by another of its name.
    let clash = format!("{door} module LIFT: nothing end module");
    let clash = refused(&[("a.strl", clash.as_str())]);
    assert!(clash.contains("LIFT"), "{clash}");
}

#[test]
fn files_that_are_included_are_read_once() {
    let text = "#ifndef LIFT_STRL\n#define LIFT_STRL\n#include \"door.strl\"\n#include \"host.h\"\n\
                module LIFT: output B; run DOOR [ signal B/OPEN ] end module\n#endif\n";
    let door = "#include \"lift.strl\"\n#include \"door.strl\"\n\
                module DOOR: output OPEN; emit OPEN end module\n";
    let opened = |text: &str, files: &[(&str, &str)]| {
        let input = Input::text(&Source::new("lift.strl", text));
        let mut files = MemoryFiles::from_iter(files.iter().copied());
        LANGUAGE.open(
            &input,
            &mut files,
            &Settings::default(),
            &Context::default(),
        )
    };
    let model = opened(text, &[("door.strl", door)]).unwrap_or_else(|why| panic!("{why}"));
    let told: Vec<String> = (model.warnings().iter())
        .map(|one| one.message.clone())
        .collect();
    assert_eq!(told, ["`host.h` is of the host and is left out"]);
    assert_eq!(model.properties().len(), 1);
    let refused = |text: &str| match opened(text, &[]) {
        Ok(_) => panic!("it was opened"),
        Err(why) => why.to_string(),
    };
    assert!(refused(text).contains("cannot read `door.strl`"));
    // Other conditions of the preprocessor are not known, and nothing is left out for them.
    let choice =
        "#ifdef FAST\nmodule A: nothing end module\n#else\nmodule A: halt end module\n#endif\n";
    assert!(refused(choice).contains("found `#`"));
}
