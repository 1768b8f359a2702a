//! Reasons to doubt programs.

use quotient_core::{Context, Source};
use quotient_esterel::LANGUAGE;
use quotient_language::{Ask, Input, NoFiles, Settings};

/// The doubts of one kind about a program that was checked.
fn doubts(text: &str, kind: &str) -> Vec<String> {
    let input = Input::text(&Source::new("x.strl", text));
    let (settings, cx) = (Settings::default(), Context::default());
    let mut model = LANGUAGE
        .open(&input, &mut NoFiles, &settings, &cx)
        .unwrap_or_else(|why| panic!("{why}"));
    model.check(&Ask::default(), &cx, &mut |_| {}).unwrap();
    let all = model.doubts(&cx).unwrap();
    let told = all
        .into_iter()
        .filter(|doubt| doubt.details["doubt"] == kind);
    told.map(|doubt| doubt.text).collect()
}

#[test]
fn ranges_that_no_value_gets_into_are_told() {
    let program = |most: &str| {
        format!(
            "module M: input X : integer; output HIGH, LOW;\n\
             var v := 2 : integer in\n\
             every X do\n\
               if ?X > {most} then v := 2 else v := ?X end if;\n\
               if v > 9 then emit HIGH else emit LOW end if\n\
             end every\n\
             end var\n\
             end module\n"
        )
    };
    // What is above 4 becomes 2, so that nothing above 9 is left; what is above 20 leaves some.
    assert_eq!(
        doubts(&program("4"), "never-entered"),
        ["v is never in [10,inf)"]
    );
    let none: [&str; 0] = [];
    assert_eq!(doubts(&program("20"), "never-entered"), none);
    assert_eq!(
        doubts(&program("4"), "never-emitted"),
        none,
        "outputs that are asked about have their answers"
    );
}

#[test]
fn values_of_local_signals_count_in_each_of_their_lives() {
    // In one instant the scope is left and entered again: both values count.
    let text = "module M: input A; output P, Q;\n\
                loop\n\
                  signal S : integer in\n\
                    emit S(1);\n\
                    present A then emit P end present;\n\
                    pause;\n\
                    emit S(2);\n\
                    if ?S > 7 then emit Q end if\n\
                  end signal\n\
                end loop\n\
                end module\n";
    assert_eq!(
        doubts(text, "never-entered"),
        ["S is never in (-inf,0], [3,7], [8,inf)"]
    );
}
