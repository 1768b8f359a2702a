use std::fmt::{self, Display, Formatter};

use super::label::relabels;
use super::process::{hiding, parameters};
use super::separated;
use crate::syntax::{Composite, CompositeBody, CompositeTerm, Priority};

impl Display for Composite {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (flag, word) in [
            (self.property, "property "),
            (self.minimal, "minimal "),
            (self.deterministic, "deterministic "),
            (self.compose, "compose "),
        ] {
            if flag {
                f.write_str(word)?;
            }
        }
        write!(f, "||{}", self.name.text)?;
        parameters(f, &self.parameters)?;
        write!(f, " = {}", self.body)?;
        match &self.priority {
            Some(Priority::High(set)) => write!(f, " << {set}")?,
            Some(Priority::Low(set)) => write!(f, " >> {set}")?,
            None => {}
        }
        hiding(f, self.hiding.as_ref())?;
        f.write_str(".")
    }
}

impl Display for CompositeBody {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            CompositeBody::Labelled {
                sharing,
                prefix,
                term,
                relabels: renamings,
            } => {
                if let Some(sharing) = sharing {
                    write!(f, "{sharing}::")?;
                }
                if let Some(prefix) = prefix {
                    write!(f, "{prefix}:")?;
                }
                write!(f, "{term}")?;
                relabels(f, renamings)
            }
            CompositeBody::ForAll(indices, body) => {
                f.write_str("forall ")?;
                separated(f, indices, "")?;
                write!(f, " {body}")
            }
            CompositeBody::If {
                condition,
                then,
                otherwise,
            } => {
                write!(f, "if ({condition}) then {then}")?;
                match otherwise {
                    Some(otherwise) => write!(f, " else {otherwise}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl Display for CompositeTerm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            CompositeTerm::Process(call) => write!(f, "{call}"),
            CompositeTerm::Parallel(bodies) => {
                f.write_str("(")?;
                separated(f, bodies, " || ")?;
                f.write_str(")")
            }
        }
    }
}
