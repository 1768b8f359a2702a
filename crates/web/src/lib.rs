//! The workbench as a page in the browser.
//!
//! A [`Server`] listens on this machine, serves one page (built and embedded) and answers what the
//! page asks: files of one folder, live diagnostics, checks whose stories are streamed while they
//! run, certificates, pictures, simulations. It names no language: all comes from the workbench,
//! and all drawing is done by the `report` crate.
//!
//! The server is a small one of our own on threads: a page on one machine needs a dozen
//! connections, limits on everything, and no framework. `docs/web.md` describes its interface and
//! what keeps others out.
//!
//! Where there is no server, [`Alone`] answers the same questions with the same JSON, one at a
//! time: that is what a page with the engines inside asks.

mod alone;
mod api;
mod assets;
mod guard;
mod http;
mod jobs;
mod model;
mod report;
mod runs;
mod server;
mod shelf;

pub use alone::Alone;
pub use assets::static_page;
pub use report::{Beside, report_page};
pub use server::{Options, Server};
