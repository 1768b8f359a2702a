//! Programs through the seam of the language.

use quotient_bsp::LANGUAGE;
use quotient_core::{Context, Source};
use quotient_language::{Input, Json, Model, NoFiles, Query, Settings};
use quotient_testkit::language::{Tested, answers, assert_certified};

pub(crate) const BSP: Tested = Tested::new(LANGUAGE, "p.bsp");

/// A program as a model.
pub(crate) fn open(text: &str) -> Box<dyn Model> {
    BSP.open(text)
}

/// The answer to a query.
pub(crate) fn asked(text: &str, query: &str) -> Json {
    let query = Query {
        text: query.to_owned(),
        limit: 10,
    };
    open(text).ask(&query, &Context::default()).unwrap().result
}

/// How a program ends, certified.
pub(crate) fn end(text: &str) -> Json {
    let mut model = open(text);
    let answer = answers(&mut *model).remove(0);
    assert_certified(&mut *model, &answer);
    asked(text, "end")
}

/// The one value with which a program of one processor ends.
pub(crate) fn value_of(expression: &str) -> Json {
    let result = end(&format!("processors 1\nrun\n{expression}\n"));
    assert_eq!(result["ends"], "done", "{expression}");
    result["values"][0].clone()
}

/// The codes of what is wrong with a text.
pub(crate) fn mistakes(text: &str) -> String {
    let input = Input::text(&Source::new("p.bsp", text));
    let (settings, cx) = (Settings::default(), Context::default());
    match LANGUAGE.open(&input, &mut NoFiles, &settings, &cx) {
        Ok(_) => String::new(),
        Err(wrong) => format!("{wrong:?}"),
    }
}
