//! Whenever a check of evidence is called off, nothing was shown: genuine evidence is then neither accepted
//! nor rejected, in all languages.

use quotient_core::{Budget, Context, Evidence, Rejection, Source};
use quotient_language::{Ask, Example, Input};
use quotient_workbench::{Pins, Request, Workbench};

fn request(example: &Example) -> Request {
    let (name, text) = example.files[0];
    Request::of(Input::text(&Source::new(name, text)))
}

fn within(work: u64) -> Context {
    Context {
        budget: Budget::unlimited().child_with_work(work),
        ..Context::default()
    }
}

/// Evidence for one example, unless it takes long.
fn evidence(workbench: &Workbench, example: &Example) -> Vec<Evidence> {
    let checked = workbench.check(request(example), &Ask::default(), &within(300_000), |_| {});
    let answers = checked.map(|checked| checked.answers).unwrap_or_default();
    answers.into_iter().filter_map(|one| one.evidence).collect()
}

#[test]
fn evidence_is_not_rejected_because_time_is_up() {
    let workbench = Workbench::standard();
    let (mut shown, mut stopped) = (0, 0);
    for about in workbench.abouts() {
        let plain = about.examples.iter().filter(|one| one.files.len() == 1);
        let mut found: Vec<(&Example, Evidence)> = Vec::new();
        for example in plain.take(8) {
            let all = evidence(&workbench, example).into_iter();
            found.extend(all.map(|one| (example, one)).take(1));
        }
        // Constants are found out while a model is read.
        found.sort_by_key(|(_, one)| one.constants.is_empty());
        let Some((example, one)) = found.into_iter().next() else {
            continue;
        };
        let step = if one.constants.is_empty() { 97 } else { 3 };
        let few = (0..600).step_by(step);
        for work in few.chain([1_500, 6_000, 30_000]) {
            let all = vec![one.clone()];
            let pins = Pins::default();
            let judged = workbench.certify(request(example), all, &pins, &within(work));
            for one in judged.into_iter().flatten() {
                match one.outcome {
                    Ok(_) => shown += 1,
                    Err(Rejection::Stopped(_)) => stopped += 1,
                    Err(wrong) => panic!("{} {work}: {wrong}", example.name),
                }
            }
        }
    }
    assert!(shown > 20 && stopped > 60, "{shown} {stopped}");
}
