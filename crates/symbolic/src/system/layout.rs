//! Which variables of the diagrams stand for which bits.

use crate::diagrams::Var;
use crate::model::{Kind, Model, Valuation, VariableId};

/// The variables of the diagrams.
pub(crate) struct Layout {
    /// For each bit its current variable.
    current: Vec<Var>,
    /// For each bit its next-state variable: the current one if it has none of its own.
    next: Vec<Var>,
    /// For each group of rigid copies and each bit its copy.
    rigid: Vec<Vec<Option<Var>>>,
    /// For each variable its bit.
    bits: Vec<u32>,
}

impl Layout {
    /// A layout for bits in this order from the top, and the order of the variables: the
    /// copies of a bit stand together.
    pub(super) fn new(
        model: &Model,
        bits: &[u32],
        rigid: &[Vec<VariableId>],
    ) -> (Layout, Vec<Var>) {
        let count = model.bit_count();
        let mut layout = Layout {
            current: vec![0; count],
            next: vec![0; count],
            rigid: vec![vec![None; count]; rigid.len()],
            bits: Vec::new(),
        };
        let fresh = |bits: &mut Vec<u32>, bit: u32| {
            bits.push(bit);
            bits.len() as Var - 1
        };
        let mut order = Vec::new();
        for &bit in bits {
            let owner = model.owner(bit);
            let at = bit as usize;
            layout.current[at] = fresh(&mut layout.bits, bit);
            order.push(layout.current[at]);
            layout.next[at] = match model.variable(owner).kind {
                Kind::State => {
                    order.push(fresh(&mut layout.bits, bit));
                    order[order.len() - 1]
                }
                Kind::Input | Kind::Frozen => layout.current[at],
            };
            for (group, members) in rigid.iter().enumerate() {
                if members.contains(&owner) {
                    order.push(fresh(&mut layout.bits, bit));
                    layout.rigid[group][at] = order.last().copied();
                }
            }
        }
        (layout, order)
    }

    /// The variable of a bit, now or in the next state.
    pub(crate) fn variable(&self, bit: u32, next: bool) -> Var {
        match next {
            true => self.next[bit as usize],
            false => self.current[bit as usize],
        }
    }

    /// The bit that a variable is a copy of.
    pub(crate) fn bit(&self, variable: Var) -> u32 {
        self.bits[variable as usize]
    }

    /// The rigid copy of a bit in a group.
    pub(crate) fn rigid(&self, group: usize, bit: u32) -> Option<Var> {
        self.rigid[group][bit as usize]
    }

    /// The variables that should stay together when the order changes.
    pub(super) fn groups(&self) -> Vec<Vec<Var>> {
        (0..self.current.len())
            .map(|bit| {
                let mut group = vec![self.current[bit], self.next[bit]];
                group.extend(self.rigid.iter().filter_map(|copies| copies[bit]));
                group.dedup();
                group
            })
            .collect()
    }

    /// A valuation of the bits from literals over their current variables; other bits keep
    /// the value that they have in `base`.
    pub(crate) fn valuation(&self, literals: &[(Var, bool)], base: &Valuation) -> Valuation {
        let mut valuation = base.clone();
        for &(variable, value) in literals {
            let bit = self.bits.get(variable as usize).copied();
            if let Some(bit) = bit.filter(|&bit| self.current[bit as usize] == variable) {
                valuation.set(bit, value);
            }
        }
        valuation
    }
}
