//! The verbs, one a file.

mod ask;
mod automata;
#[cfg(feature = "experiments")]
mod bench;
mod certify;
mod check;
mod compare;
mod completions;
mod convert;
mod explain;
mod fmt;
mod help;
mod instance;
mod man;
mod new;
mod serve;
mod show;
mod simulate;
mod vacuity;
mod watch;

use clap::Subcommand;

use crate::failure::Failure;
use crate::reply::Reply;
use crate::session::Session;

/// One kind of arguments and one word of the command line for each verb, in the order of the help.
macro_rules! verbs {
    ($($(#[$only:meta])? $verb:ident $module:ident,)*) => {
        /// What to do.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Verb {
            $($(#[$only])? $verb($module::$verb),)*
        }

        impl Verb {
            /// Its name, as machine-readable replies give it.
            pub(crate) fn name(&self) -> String {
                let name = match self {
                    $($(#[$only])? Verb::$verb(_) => stringify!($module),)*
                };
                match self {
                    Verb::Automata(verb) => format!("{name} {}", verb.name()),
                    #[cfg(feature = "experiments")]
                    Verb::Bench(verb) => format!("{name} {}", verb.name()),
                    _ => name.to_owned(),
                }
            }
        }

        /// Runs a verb.
        pub(crate) fn run(verb: &Verb, session: &Session) -> Result<Reply, Failure> {
            match verb {
                $($(#[$only])? Verb::$verb(verb) => verb.run(session),)*
            }
        }
    };
}

verbs! {
    Check check,
    Certify certify,
    Simulate simulate,
    Instance instance,
    New new,
    Serve serve,
    Watch watch,
    Vacuity vacuity,
    Ask ask,
    Show show,
    Convert convert,
    Compare compare,
    Fmt fmt,
    Automata automata,
    #[cfg(feature = "experiments")]
    Bench bench,
    Explain explain,
    Help help,
    Completions completions,
    Man man,
}

/// Cleans up after a verb that is not waited for any more.
pub(crate) fn abandon(verb: &Verb) {
    if let Verb::Check(verb) = verb {
        verb.abandon();
    }
}
