//! Trees back to text: `Display` for everything in [`syntax`](crate::syntax), such that reading
//! the text again gives the same tree, spans aside.

mod composite;
mod definition;
mod expression;
mod formula;
mod label;
mod process;

use std::fmt::{self, Display, Formatter};

/// Writes things with something between them.
fn separated<T: Display>(
    f: &mut Formatter<'_>,
    things: impl IntoIterator<Item = T>,
    between: &str,
) -> fmt::Result {
    for (position, thing) in things.into_iter().enumerate() {
        if position > 0 {
            f.write_str(between)?;
        }
        write!(f, "{thing}")?;
    }
    Ok(())
}
