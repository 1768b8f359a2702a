//! Real runs from searches of canonical forms.

use crate::{Graph, StateId, System};

/// The run to a state of a search that kept canonical forms, as the system itself can take it: the
/// state that it begins with, and the labels of its steps. Without canonical forms it is
/// [`Graph::run`].
///
/// Nothing if there is none: then the forms are not those of states that are alike.
pub fn real_run(system: &dyn System, graph: &Graph, id: StateId) -> Option<(Vec<u64>, Vec<u32>)> {
    let mut forms = vec![id];
    while let Some((before, _)) = graph.before(*forms.last()?) {
        forms.push(before);
    }
    let canonical = |state: &[u64]| {
        let mut form = state.to_vec();
        system.canonical(&mut form);
        form
    };
    let mut wanted = graph.state(forms.pop()?);
    let mut start = None;
    system.initial(&mut |state| {
        if start.is_none() && canonical(state) == wanted {
            start = Some(state.to_vec());
        }
    });
    let start = start?;
    let mut state = start.clone();
    let mut labels = Vec::new();
    while let Some(form) = forms.pop() {
        wanted = graph.state(form);
        let mut next = None;
        let fits = system.successors(&state, &mut |label, after| {
            if next.is_none() && canonical(after) == wanted {
                next = Some((label, after.to_vec()));
            }
        });
        fits.ok()?;
        let (label, after) = next?;
        labels.push(label);
        state = after;
    }
    Some((start, labels))
}
