//! Which question a text means.

use quotient_core::{Context, Source};
use quotient_esterel::LANGUAGE;
use quotient_language::{Input, NoFiles, Settings};

#[test]
fn a_signal_may_be_called_as_a_question_begins() {
    let text = "module M: output O, neverO; emit O end module";
    let input = Input::text(&Source::new("m.strl", text));
    let cx = Context::default();
    let model = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    let mut model = model.unwrap_or_else(|trouble| panic!("{trouble}"));
    let asked = ["neverO", "never neverO", "never O", "never(O)"];
    let meant = asked.map(|asked| model.property(asked).unwrap().name);
    assert_eq!(meant[..3], ["neverO", "neverO", "O"]);
    assert_eq!(meant[3].trim_matches(['(', ')']), "O");
}
