//! Machines over paired letters: of every cell also whether a one of the input was there.
//!
//! The table is the same, the second part of a letter is never changed. So at the end of a run
//! the tape says both what the input was and what the result is.

use crate::machine::{Machine, Symbol};

/// The same machine over paired letters, and the letter of a one of the input. Symbols keep their
/// numbers and letters where no one of the input was. None if there are too many symbols.
pub(crate) fn paired(machine: &Machine) -> Option<(Machine, Symbol)> {
    let symbols = u8::try_from(machine.symbols.len()).ok()?;
    symbols.checked_mul(2)?;
    let mut paired = machine.clone();
    let fresh = ('a'..='z').chain('\u{e000}'..='\u{e1ff}');
    let fresh = fresh.filter(|letter| !machine.symbols.contains(letter));
    paired.symbols.extend(fresh.take(usize::from(symbols)));
    for row in &mut paired.table {
        row.resize(usize::from(symbols), None);
        let marked = row.clone().into_iter().map(|action| {
            let mut action = action?;
            action.write += symbols;
            Some(action)
        });
        let marked: Vec<_> = marked.collect();
        row.extend(marked);
    }
    Some((paired, symbols + machine.one))
}
