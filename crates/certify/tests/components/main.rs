//! Evidence about components: what was once accepted and is false, and what a forger makes.

mod diagram;
mod doomed;
mod forged;
mod hand;
mod kit;
mod random;
mod regressions;
mod traced;
