//! Answers and runs in the words of the seam.

use quotient_core::{Evidence, Verdict};
use quotient_forest::{Checked, Direction, Found, Run, System};
use quotient_language::text::count;
use quotient_language::{Answer, Cell, Exhibit, Layout, Step, Trace};
use quotient_trees::evidence::{INVARIANT_KIND, RUN_KIND, TreeInvariant, TreeRun};
use quotient_trees::timbuk::write_automaton;
use quotient_trees::{Tree, picture_of_automaton, picture_of_run};
use serde_json::json;

/// Larger automata are not drawn.
const DRAWN: usize = 40;
/// The most trees of a run that are drawn.
const MOST_TREES: usize = 12;

/// An answer of the engine as one of the language.
pub(crate) fn answer(name: &str, checked: &Checked, system: &System, exhibits: bool) -> Answer {
    let mut answer = match &checked.found {
        Found::Nothing(stop) => return Answer::unknown(name, stop.clone()),
        Found::Run(run) => {
            let evidence = Evidence::of_violated(RUN_KIND, &plain(run, system));
            let mut answer = Answer::new(name, Verdict::Violated)
                .because(format!("a run of {}", count(run.steps.len(), "step")))
                .with_trace(trace(run, system))
                .with_evidence(evidence.about(name).found_by(&checked.method));
            if exhibits {
                answer.exhibits.push(drawn_run(name, run, system));
            }
            answer
        }
        Found::Invariant(invariant) => {
            let set = &invariant.set;
            let backward = invariant.direction == Direction::Backward;
            let body = TreeInvariant {
                backward,
                set: set.into(),
            };
            let what = match backward {
                false => "is never left and has no bad tree",
                true => "has all bad trees, is never entered and has no initial tree",
            };
            let because = format!("a set of trees ({} states) {what}", set.states());
            let evidence = Evidence::of_holds(INVARIANT_KIND, &body).about(name);
            let mut answer = Answer::new(name, Verdict::Holds)
                .because(because)
                .with_evidence(evidence.found_by(&checked.method));
            answer.details = vec![
                ("states".to_owned(), json!(set.states())),
                ("rules".to_owned(), json!(set.rules().len())),
            ];
            if exhibits {
                let title = format!("invariant {name}");
                let drawn = set.states() <= DRAWN;
                answer.exhibits.push(Exhibit {
                    name: title.clone(),
                    caption: "the set of trees that shows it".to_owned(),
                    picture: drawn.then(|| picture_of_automaton(set, &title).into()),
                    files: vec![("tmb".to_owned(), write_automaton(set, "Invariant"))],
                });
            }
            answer
        }
    };
    answer.method = Some(checked.method.clone());
    answer.refinements = checked.refinements;
    answer
}

/// The trees of a run, as far as they fit into a picture: the last ones.
fn drawn_run(name: &str, run: &Run, system: &System) -> Exhibit {
    let alphabet = system.initial.alphabet();
    let mut trees = vec![("start".to_owned(), &run.first)];
    for (number, (step, tree)) in run.steps.iter().enumerate() {
        let step = &system.steps[*step].0;
        trees.push((format!("{}: {step}", number + 1), tree));
    }
    let (mut room, mut fit) = (4 * DRAWN, 0);
    for (_, tree) in trees.iter().rev().take(MOST_TREES) {
        match room.checked_sub(tree.size()) {
            Some(left) => (room, fit) = (left, fit + 1),
            None => break,
        }
    }
    let shown = &trees[trees.len() - fit..];
    Exhibit {
        name: format!("trees {name}"),
        caption: match fit == trees.len() {
            true => "the trees of the run; what a step changed is marked".to_owned(),
            false => format!("the last {fit} trees of the run; what a step changed is marked"),
        },
        picture: (fit > 0).then(|| picture_of_run(shown, alphabet, "the run").into()),
        files: Vec::new(),
    }
}

/// A run as evidence.
pub(crate) fn plain(run: &Run, system: &System) -> TreeRun {
    let alphabet = system.initial.alphabet();
    let step =
        |(number, tree): &(usize, Tree)| (system.steps[*number].0.clone(), tree.text(alphabet));
    TreeRun {
        first: run.first.text(alphabet),
        steps: run.steps.iter().map(step).collect(),
    }
}

/// A run to step through.
pub(crate) fn trace(run: &Run, system: &System) -> Trace {
    let plain = plain(run, system);
    let mut trace = Trace::new(Layout::States, [""]);
    trace.steps.push(Step::start([Cell::new(plain.first)]));
    for (name, tree) in plain.steps {
        trace.steps.push(Step::of(name, [Cell::new(tree)]));
    }
    trace.mark_changes()
}
