//! Runs and invariants of circuits as plain data.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Circuit, State};

/// The kind of evidence that holds a [`Proof`].
pub const CIRCUIT_INVARIANT: &str = "circuit-invariant";
/// The kind of evidence that holds a [`Run`].
pub const CIRCUIT_RUN: &str = "circuit-run";
/// The kind of evidence that holds a [`Bound`].
pub const CIRCUIT_BOUND: &str = "circuit-bound";

/// A run of a circuit: what its latches hold at the start, and its inputs step by step.
///
/// As data, values are texts of `0` and `1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The value of each latch at the start.
    pub start: Bits,
    /// The values of the inputs in each step; the last step is the one to look at.
    pub inputs: Vec<Bits>,
    /// Of a run that goes on for ever: after the last step it goes on with this one.
    #[serde(rename = "backTo", default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
}

impl Run {
    /// The values of all signals in each step of the run.
    ///
    /// ```
    /// use quotient_netlist::{Circuit, Run};
    /// let mut toggle = Circuit::new();
    /// let on = toggle.latch(Some(false));
    /// toggle.connect(on, !on);
    /// let run = Run { start: vec![false].into(), inputs: vec![vec![].into(); 2], back_to: None };
    /// let states = run.states(&toggle);
    /// assert!(!states[0].is_on(on) && states[1].is_on(on));
    /// ```
    pub fn states(&self, circuit: &Circuit) -> Vec<State> {
        let mut states = Vec::with_capacity(self.inputs.len());
        let Ok(()) = self.walk(circuit, |state| {
            states.push(state);
            Ok::<(), std::convert::Infallible>(())
        });
        states
    }

    /// Looks at the values of each step, one after the other.
    ///
    /// # Errors
    /// What the look says.
    pub fn walk<E>(
        &self,
        circuit: &Circuit,
        mut look: impl FnMut(State) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut latches: Vec<u64> = self.start.0.iter().map(|&bit| u64::from(bit)).collect();
        for inputs in &self.inputs {
            let inputs: Vec<u64> = inputs.0.iter().map(|&bit| u64::from(bit)).collect();
            let state = circuit.evaluate(&latches, &inputs);
            let nexts = circuit.latches().iter();
            latches = nexts.map(|latch| state.value(latch.next) & 1).collect();
            look(state)?;
        }
        Ok(())
    }
}

/// Bits in order; as data a text of `0` and `1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Bits(pub Vec<bool>);

impl From<Vec<bool>> for Bits {
    fn from(bits: Vec<bool>) -> Bits {
        Bits(bits)
    }
}

impl std::fmt::Display for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digit = |&bit: &bool| if bit { '1' } else { '0' };
        f.write_str(&self.0.iter().map(digit).collect::<String>())
    }
}

impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bits, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bit = |letter| match letter {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(serde::de::Error::custom(format!("`{letter}` is no bit"))),
        };
        text.chars().map(bit).collect::<Result<_, _>>().map(Bits)
    }
}

/// A clause over latches: each number is that of a latch, counted from 1, and negative if the
/// latch is off.
pub type Clause = Vec<i64>;

/// Why a bad signal is never on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// An inductive invariant: these clauses hold at the start, and each step under the
    /// constraints keeps them.
    pub clauses: Vec<Clause>,
    /// After how many states without a bad one there is none (induction over several steps); 0
    /// where the invariant alone leaves no room for bad states.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: usize,
    /// Whether the steps must lead through different states (of the latches that matter).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
    /// After how many steps the clauses begin to hold, where they do not at the start; the states
    /// before are then shown not to be bad one by one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub after: usize,
}

impl Proof {
    /// The invariant as a circuit (a witness in the manner of certifaiger): the circuit with one
    /// bad signal, on where a clause is violated or the signal that was asked about is on. It holds
    /// by plain induction: the start is not bad, and no step leads from what is not bad to what is.
    /// Induction over several steps has no such circuit, nor has an invariant that begins later.
    ///
    /// ```
    /// use quotient_netlist::{Circuit, Proof};
    /// let mut circuit = Circuit::new();
    /// let (one, other) = (circuit.latch(Some(false)), circuit.latch(Some(false)));
    /// circuit.connect(one, other);
    /// circuit.connect(other, one);
    /// let clauses = vec![vec![-1], vec![-2]];
    /// let proof = Proof { clauses, depth: 0, distinct: false, after: 0 };
    /// let witness = proof.witness(&circuit, one).unwrap();
    /// let state = witness.evaluate(&[0, 1], &[]);
    /// assert_eq!(state.value(witness.bad[0]) & 1, 1);
    /// ```
    pub fn witness(&self, circuit: &Circuit, bad: crate::Literal) -> Option<Circuit> {
        if self.depth > 1 || self.after > 0 {
            return None;
        }
        let mut witness = circuit.clone();
        let mut violated = vec![!bad];
        for clause in &self.clauses {
            let mut off = Vec::new();
            for &latch in clause {
                let number = usize::try_from(latch.unsigned_abs()).ok()?.checked_sub(1)?;
                let own = circuit.latches().get(number)?.node.literal();
                off.push(own.flip_if(latch > 0));
            }
            let none = witness.graph.all(off);
            violated.push(!none);
        }
        let good = witness.graph.all(violated);
        witness.bad = vec![!good];
        witness.bad_names.clear();
        witness.outputs.clear();
        witness.output_names.clear();
        witness.justice.clear();
        witness.justice_names.clear();
        witness.fairness.clear();
        witness.fairness_names.clear();
        Some(witness)
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Why some signals are not all on infinitely often: a bound on the number of rounds, where a
/// round is over as soon as each signal was on in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// No run has more rounds than this.
    pub rounds: usize,
    /// An inductive invariant of the circuit with a counter: its own latches first, then one
    /// for each signal (on once it was on in this round), then one for each round (on once so
    /// many rounds are over).
    pub clauses: Vec<Clause>,
}
