//! States: one row of cells, in which processes and channels come and go at the end.

use crate::program::{Made, Program};

/// What went wrong in a step, in the cell of that name; 0 if nothing.
pub(crate) const FAILED: usize = 0;
/// Who moved last, if somebody asks.
pub(crate) const LAST: usize = 1;
/// Where a never claim is.
pub(crate) const CLAIM: usize = 2;
/// Where the variables of the program begin.
pub(crate) const HEAD: usize = 3;
/// The cells of a process or a channel before its own: what it is, and where or how many.
pub(crate) const FRAME: usize = 2;

/// The most processes and the most channels, as in Spin.
pub(crate) const MOST_PROCESSES: usize = 255;
pub(crate) const MOST_CHANNELS: usize = 255;

/// A state of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) cells: Vec<i32>,
    /// Where processes and channels begin, by number.
    pub(crate) processes: Vec<u32>,
    pub(crate) channels: Vec<u32>,
}

impl State {
    /// A process: its type and its location.
    pub(crate) fn process(&self, number: usize) -> (usize, u32) {
        let at = self.processes[number] as usize;
        (self.cells[at] as usize, self.cells[at + 1] as u32)
    }

    /// Where the variables of a process begin.
    pub(crate) fn locals(&self, number: usize) -> usize {
        self.processes[number] as usize + FRAME
    }

    /// A channel: its shape, how many messages it has, and where they begin.
    pub(crate) fn channel(&self, number: usize) -> (usize, usize, usize) {
        let at = self.channels[number] as usize;
        let shape = -(i64::from(self.cells[at]) + 1);
        (shape as usize, self.cells[at + 1] as usize, at + FRAME)
    }

    /// Whether the frame that begins here is a process.
    pub(crate) fn is_process(cell: i32) -> bool {
        cell >= 0
    }

    pub(crate) fn push_channel(&mut self, program: &Program, made: &Made, slot: usize) -> bool {
        if self.channels.len() >= MOST_CHANNELS {
            return false;
        }
        let shape = &program.shapes[made.shape as usize];
        self.channels.push(self.cells.len() as u32);
        self.cells.push(-(made.shape as i32) - 1);
        self.cells.resize(self.cells.len() + 1 + shape.cells(), 0);
        self.cells[slot] = self.channels.len() as i32;
        true
    }

    /// Takes the last process away, with the channels that came after it.
    pub(crate) fn pop_process(&mut self) {
        let Some(at) = self.processes.pop() else {
            return;
        };
        self.cells.truncate(at as usize);
        while self.channels.last().is_some_and(|one| *one > at) {
            self.channels.pop();
        }
    }

    /// How long the frame that begins at a cell is.
    pub(crate) fn frame_length(program: &Program, cell: i32) -> usize {
        match State::is_process(cell) {
            true => FRAME + program.proctypes[cell as usize].slots.len(),
            false => {
                let shape = (-(i64::from(cell) + 1)) as usize;
                FRAME + program.shapes[shape].cells()
            }
        }
    }

    /// A state from its cells.
    pub(crate) fn from_cells(program: &Program, cells: Vec<i32>) -> State {
        let mut state = State {
            cells,
            ..State::default()
        };
        state.index(program);
        state
    }

    /// Finds the processes and channels again.
    pub(crate) fn index(&mut self, program: &Program) {
        self.processes.clear();
        self.channels.clear();
        let mut at = HEAD + program.globals.len();
        while let Some(&cell) = self.cells.get(at) {
            match State::is_process(cell) {
                true => self.processes.push(at as u32),
                false => self.channels.push(at as u32),
            }
            at += State::frame_length(program, cell);
        }
    }
}

/// Why a step cannot be taken as it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Assertion,
    Index,
    Division,
    Channel,
    Message,
    Blocked,
    Processes,
    Channels,
    Endless,
    /// An event that the event trace has no way for.
    Event,
    /// A `notrace` was matched to its end.
    Matched,
    /// The event trace has several ways for an event.
    Ambiguous,
}

impl Fault {
    const ALL: [Fault; 12] = [
        Fault::Assertion,
        Fault::Index,
        Fault::Division,
        Fault::Channel,
        Fault::Message,
        Fault::Blocked,
        Fault::Processes,
        Fault::Channels,
        Fault::Endless,
        Fault::Event,
        Fault::Matched,
        Fault::Ambiguous,
    ];

    /// Its number in the cell [`FAILED`].
    pub(crate) fn number(self) -> i32 {
        Fault::ALL
            .iter()
            .position(|one| *one == self)
            .map_or(0, |at| at as i32 + 1)
    }

    pub(crate) fn of(number: i32) -> Option<Fault> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        Fault::ALL.get(at).copied()
    }

    /// Whether it is about an event trace.
    pub(crate) fn is_of_events(self) -> bool {
        matches!(self, Fault::Event | Fault::Matched | Fault::Ambiguous)
    }

    /// What to say about it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Fault::Assertion => "an assertion fails",
            Fault::Index => "an index is outside of its array",
            Fault::Division => "a number is divided by zero",
            Fault::Channel => "a channel is used that was never made",
            Fault::Message => "a message has not as many fields as its channel",
            Fault::Blocked => "a d_step cannot go on",
            Fault::Processes => "there are more than 255 processes",
            Fault::Channels => "there are more than 255 channels",
            Fault::Endless => "a d_step does not end",
            Fault::Event => "an event comes that the trace has no way for",
            Fault::Matched => "all events of the notrace have come",
            Fault::Ambiguous => "the event trace has several ways for an event",
        }
    }
}
