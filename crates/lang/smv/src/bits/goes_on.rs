//! Whether a model can go on for ever from each of its states, where that is seen soon.

use quotient_circuit::{Options, never};
use quotient_core::{Conclusion, Context, Trouble};
use quotient_netlist::{Gate, Literal};

use super::AsCircuit;
use super::translate::Translation;

/// The work that a look may cost.
const LOOK: u64 = 3_000_000;

impl AsCircuit {
    /// Whether it is certain that some state is initial, that every reachable state has a successor and
    /// that every path is fair: then there is nothing to doubt. It is certain where next values are
    /// functions of the present, or free, and lead from legal states to legal ones.
    pub(crate) fn goes_on(&mut self, cx: &Context) -> Result<bool, Trouble> {
        let model = self.compiled.model();
        if !model.justice().is_empty() || !model.compassion().is_empty() {
            return Ok(false);
        }
        if !self.compiled.has_initial_state(&cx.budget)? {
            return Ok(false);
        }
        let mut plain = Translation::new(&mut self.compiled, false, &cx.budget)?;
        if plain.ok != Literal::TRUE {
            return Ok(false);
        }
        let legal = self.compiled.legal();
        let model = self.compiled.model();
        let first = plain.first();
        let free = chosen(&plain);
        let (mut kept, mut bad) = (Vec::new(), Literal::FALSE);
        for condition in legal {
            let literal = plain.literal(model, condition);
            let bits = model.support([condition]);
            let graph = &mut plain.circuit.graph;
            match bits.iter().all(|&(bit, _)| free[bit as usize]) {
                // There is a choice for all of these together: the one of an initial state.
                true => kept.push(literal),
                false => {
                    bad = graph.or(bad, !literal);
                    kept.push(graph.implies(first, literal));
                }
            }
        }
        for condition in plain.initial.clone() {
            let literal = plain.literal(model, condition);
            kept.push(plain.circuit.graph.implies(first, literal));
        }
        plain.circuit.constraints = kept;
        let own = Context {
            budget: cx.budget.child_with_work(LOOK),
            ..cx.clone()
        };
        let options = Options {
            threads: self.threads,
            ..Options::default()
        };
        let found = never(&plain.circuit, bad, &options, &own).conclusion;
        Ok(matches!(found, Conclusion::Holds(_)))
    }
}

/// Of each bit whether every step may choose it: an input, or a bit of the state that nothing is said of.
fn chosen(plain: &Translation) -> Vec<bool> {
    let circuit = &plain.circuit;
    let gate = |literal: Literal| circuit.graph.gate(literal.node());
    let of_model = |literal: Literal| plain.now.iter().any(|one| one.node() == literal.node());
    let bits = plain.now.iter().map(|&now| match gate(now) {
        Gate::Latch(number) => {
            let next = circuit.latches()[number].next;
            matches!(gate(next), Gate::Input(_)) && !of_model(next)
        }
        _ => true,
    });
    bits.collect()
}
