//! Two systems in one graph, over the same actions.

use quotient_core::{Budget, Stop};
use quotient_lts::Actions;
use quotient_lts::evidence::{ENDED, ERRED};

use super::Compared;
use crate::{Action, ERROR, Lts, LtsBuilder, State};

/// Both systems side by side, not together: neither an error state nor a good end, but loops
/// that say so.
pub(crate) struct Union {
    pub(crate) lts: Lts,
    pub(crate) actions: Actions,
    /// Where the two begin.
    pub(crate) initial: [State; 2],
    /// The number of the first state of the second.
    pub(crate) offset: usize,
}

impl Union {
    pub(crate) fn of(sides: [Compared<'_>; 2], budget: &Budget) -> Result<Union, Stop> {
        let mut actions = Actions::new();
        let mut builder = LtsBuilder::new();
        let mut initial = [ERROR; 2];
        let mut offset = 0;
        let mut second = 0;
        for (side, initial) in sides.iter().zip(&mut initial) {
            second = offset;
            let lts = side.lts;
            let place = |state: State| match state {
                ERROR => State::from_index(second + lts.states()),
                state => State::from_index(second + state.index()),
            };
            let number =
                |action: Action, actions: &mut Actions| actions.intern(side.actions.name(action));
            for (from, edge) in lts.all_edges() {
                budget.charge(1)?;
                let action = number(edge.action, &mut actions);
                builder.edge(place(from), action, place(edge.target));
            }
            if let Some(end) = lts.end() {
                builder.edge(place(end), actions.intern(ENDED), place(end));
            }
            if lts.has_error() {
                builder.edge(place(ERROR), actions.intern(ERRED), place(ERROR));
            }
            offset += lts.states() + usize::from(lts.has_error());
            builder.at_least(offset);
            *initial = place(lts.initial());
        }
        Ok(Union {
            lts: builder.build(),
            actions,
            initial,
            offset: second,
        })
    }

    /// The name of an action.
    pub(crate) fn name(&self, action: Action) -> String {
        self.actions.name(action).to_owned()
    }
}
