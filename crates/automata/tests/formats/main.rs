//! Files: what was written reads back the same, dialects mean what they say, mistakes are
//! explained, and no input makes a reader panic, hang or run away.

mod bits;
mod dialects;
mod fuzz;
mod lost;
mod messages;
mod problems;
mod round_trip;
mod support;
