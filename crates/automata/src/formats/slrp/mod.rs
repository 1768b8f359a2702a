//! SLRP text: the blocks `Initial`, `Transition` and `Bad` of a safety problem, or `I0`, `F`,
//! `P1` and `P2` of a liveness game.

mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;

use super::{Kind, Role};

/// The blocks with what they hold.
pub(super) const BLOCKS: [(&str, Role, Kind); 7] = [
    ("Initial", Role::Initial, Kind::Automaton),
    ("Transition", Role::Transition, Kind::Transducer),
    ("Bad", Role::Bad, Kind::Automaton),
    ("I0", Role::Initial, Kind::Automaton),
    ("F", Role::Goal, Kind::Automaton),
    ("P1", Role::FirstPlayer, Kind::Transducer),
    ("P2", Role::SecondPlayer, Kind::Transducer),
];
