//! Wires and gates that may form cycles.

use quotient_core::Span;

/// A wire or its negation: twice its number, and one if it is negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Wire(u32);

impl Wire {
    pub(super) const FALSE: Wire = Wire(0);
    pub(super) const TRUE: Wire = Wire(1);

    fn of(net: usize) -> Wire {
        Wire((net as u32) << 1)
    }

    pub(super) fn net(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;
    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

/// What drives a wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gate {
    /// Never on.
    Zero,
    Input(usize),
    Register(usize),
    /// All of these; with `Not` on wires, disjunctions too.
    And(Vec<Wire>),
    Or(Vec<Wire>),
}

/// Wires, and what holds between instants.
#[derive(Debug, Default)]
pub(super) struct Nets {
    pub(super) gates: Vec<Gate>,
    /// What a wire stands for in the source, where that is worth telling.
    pub(super) origins: Vec<Option<(Span, String)>>,
    /// What each register holds next; all begin with 0.
    pub(super) next: Vec<Wire>,
    pub(super) register_names: Vec<String>,
    inputs: usize,
}

impl Nets {
    pub(super) fn new() -> Nets {
        Nets {
            gates: vec![Gate::Zero],
            origins: vec![None],
            ..Nets::default()
        }
    }

    fn push(&mut self, gate: Gate) -> Wire {
        self.gates.push(gate);
        self.origins.push(None);
        Wire::of(self.gates.len() - 1)
    }

    pub(super) fn input(&mut self) -> Wire {
        self.inputs += 1;
        self.push(Gate::Input(self.inputs - 1))
    }

    /// A register; what it holds next is [connected](Nets::connect) later.
    pub(super) fn register(&mut self, name: String) -> Wire {
        self.next.push(Wire::FALSE);
        self.register_names.push(name);
        self.push(Gate::Register(self.next.len() - 1))
    }

    pub(super) fn connect(&mut self, register: Wire, next: Wire) {
        if let Gate::Register(number) = self.gates[register.net()] {
            self.next[number] = next;
        }
    }

    /// A disjunction whose members come later.
    pub(super) fn collector(&mut self) -> Wire {
        self.push(Gate::Or(Vec::new()))
    }

    /// Adds a member to a collector.
    pub(super) fn add(&mut self, collector: Wire, wire: Wire) {
        if wire == Wire::FALSE {
            return;
        }
        if let Gate::Or(members) = &mut self.gates[collector.net()] {
            members.push(wire);
        }
    }

    pub(super) fn and(&mut self, a: Wire, b: Wire) -> Wire {
        match (a, b) {
            (Wire::FALSE, _) | (_, Wire::FALSE) => Wire::FALSE,
            (Wire::TRUE, other) | (other, Wire::TRUE) => other,
            _ if a == b => a,
            _ if a == !b && self.is_plain(a) => Wire::FALSE,
            _ => self.push(Gate::And(vec![a, b])),
        }
    }

    /// Whether a wire is always defined, so that it and its negation are never both unknown.
    fn is_plain(&self, wire: Wire) -> bool {
        matches!(
            self.gates[wire.net()],
            Gate::Zero | Gate::Input(_) | Gate::Register(_)
        )
    }

    pub(super) fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    pub(super) fn any(&mut self, wires: &[Wire]) -> Wire {
        if wires.contains(&Wire::TRUE) {
            return Wire::TRUE;
        }
        let mut left: Vec<Wire> = wires.to_vec();
        left.retain(|&wire| wire != Wire::FALSE);
        left.sort_unstable();
        left.dedup();
        match left.len() {
            0 => Wire::FALSE,
            1 => left[0],
            _ => self.push(Gate::Or(left)),
        }
    }

    pub(super) fn all(&mut self, wires: &[Wire]) -> Wire {
        let negated: Vec<Wire> = wires.iter().map(|&wire| !wire).collect();
        !self.any(&negated)
    }

    /// Says what a wire stands for; constants and what is known already are left alone.
    pub(super) fn tell(&mut self, wire: Wire, span: Span, text: impl Into<String>) {
        if let Some(origin @ None) = self.origins.get_mut(wire.net()) {
            *origin = Some((span, text.into()));
        }
    }
}
