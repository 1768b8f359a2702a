//! Families of nets where it pays to tell only some numbers of tokens apart.

use quotient_core::Verdict;
use quotient_net::LANGUAGE;
use quotient_testkit::language::{Tested, answers, assert_certified};

const NET: Tested = Tested::new(LANGUAGE, "c.net");

/// Counters without a bound, each of which begins when the one before has come far enough.
fn chain(counters: usize, enough: usize) -> String {
    let mut text = "tr count1 -> done1\n".to_owned();
    for one in 2..=counters {
        text += &format!("tr count{one} done{}?{enough} -> done{one}\n", one - 1);
    }
    text + &format!(
        "check order : AG (done{counters} = 0 | done1 >= {enough})\n\
         check far : EF (done{counters} >= 1 & done1 = {enough})\n\
         check early : AG (done{counters} = 0 | done1 > {enough})\n"
    )
}

#[test]
fn counters_that_wait_for_each_other_are_told_apart_where_it_matters() {
    // No sum of tokens shows it, the markings have no end, and what is asked has an upper limit.
    let mut model = NET.open(&chain(12, 40));
    let mut given = answers(&mut *model);
    given.sort_by_key(|one| one.number);
    assert_eq!(given[0].verdict, Verdict::Holds, "{:?}", given[0]);
    assert_eq!(given[0].method.as_deref(), Some("caps"));
    assert_certified(&mut *model, &given[0]);
    // Runs of hundreds of steps to what can be reached, with and without a word about the first counter.
    assert_eq!(given[1].verdict, Verdict::Holds, "{:?}", given[1].because);
    assert_certified(&mut *model, &given[1]);
    assert_eq!(
        given[2].verdict,
        Verdict::Violated,
        "{:?}",
        given[2].because
    );
    assert_certified(&mut *model, &given[2]);
}
