//! Timbuk files as they are written: terms and machines of names.

use quotient_core::Span;

/// A term as it is written: places of names with how many children follow, in prefix order.
#[derive(Debug)]
pub(super) struct RawTerm {
    pub(super) nodes: Vec<(Span, u32)>,
    pub(super) span: Span,
}

impl RawTerm {
    /// Where the children of the first node begin, one past each.
    pub(super) fn children(&self) -> Vec<usize> {
        let mut begins = Vec::new();
        let mut at = 1;
        for _ in 0..self.nodes[0].1 {
            begins.push(at);
            let mut open = 1u64;
            while open > 0 {
                open = open - 1 + u64::from(self.nodes[at].1);
                at += 1;
            }
        }
        begins
    }
}

/// An automaton or transducer as it is written.
pub(super) struct RawMachine {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) begins: Span,
    pub(super) states: Vec<(String, Span)>,
    pub(super) accepting: Vec<(String, Span)>,
    pub(super) rules: Vec<(RawTerm, RawTerm)>,
}

impl RawMachine {
    pub(super) fn new(name: String, span: Span) -> RawMachine {
        RawMachine {
            name,
            span,
            begins: span,
            states: Vec::new(),
            accepting: Vec::new(),
            rules: Vec::new(),
        }
    }
}
