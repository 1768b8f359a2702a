//! The workbench: any model, any question, one door.
//!
//! A front end makes a [`Request`] and asks the [`Workbench`]; it knows no language. The
//! workbench finds the language ([`Workbench::recognise`]), refuses settings that the language
//! does not know, keeps files inside their folder ([`Folder`]), runs the work on a thread that
//! cannot outlive its budget ([`apart`]), spells the question out in every piece of evidence,
//! and compares it again before evidence is accepted ([`Workbench::certify`]).

mod apart;
mod certify;
mod check;
mod evidence;
mod explain;
mod folder;
mod languages;
mod request;
mod unique;
pub mod units;
mod workbench;
mod write;

pub use apart::{apart, apart_around};
pub use certify::{Judged, Pins};
pub use check::Checked;
pub use evidence::read_evidence;
pub use explain::{codes, explained};
pub use folder::{Access, Folder};
pub use request::{Opened, Request};
pub use workbench::Workbench;
pub use write::{sweep, write_bytes, write_file};
