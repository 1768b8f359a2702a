//! What several parts do over time.

use serde::Serialize;

/// A space-time diagram: a lane a part, a column a moment.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Lanes {
    /// What it shows.
    pub title: String,
    /// The parts.
    pub lanes: Vec<Lane>,
    /// What happens at each moment; the first is the start.
    pub moments: Vec<String>,
    /// What goes from one part to another.
    pub messages: Vec<Message>,
    /// Of a run that goes on for ever: the moment that follows the last.
    #[serde(rename = "backTo", skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
}

/// One part over time.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Lane {
    /// The part.
    pub name: String,
    /// Its state at each moment; the same text means that nothing changed.
    pub states: Vec<String>,
    /// The moments at which it acts.
    pub acts: Vec<usize>,
}

/// Something that goes from one part to another.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Message {
    /// What it is.
    pub label: String,
    /// The lane and moment it leaves from.
    pub from: (usize, usize),
    /// The lane and moment it comes to.
    pub to: (usize, usize),
}
