use std::fmt::{self, Display, Formatter};

use super::separated;
use crate::syntax::{Domain, Index, Label, LabelPart, LabelSet, Relabel};

impl Display for Label {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (position, part) in self.parts.iter().enumerate() {
            if position > 0 && !matches!(part, LabelPart::Index(_)) {
                f.write_str(".")?;
            }
            match part {
                LabelPart::Name(name) => f.write_str(&name.text)?,
                LabelPart::Set(set) => write!(f, "{set}")?,
                LabelPart::Difference(left, right) => write!(f, "{left}\\{right}")?,
                LabelPart::Index(index) => write!(f, "{index}")?,
            }
        }
        Ok(())
    }
}

impl Display for LabelSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LabelSet::Named(name) => f.write_str(&name.text),
            LabelSet::Literal(labels, _) => {
                f.write_str("{")?;
                separated(f, labels, ", ")?;
                f.write_str("}")
            }
        }
    }
}

impl Display for Index {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        if let Some(variable) = &self.variable {
            write!(f, "{}:", variable.text)?;
        }
        match &self.domain {
            Domain::Value(value) => write!(f, "{value}")?,
            Domain::Range(low, high) => write!(f, "{low}..{high}")?,
            Domain::Named(name) => f.write_str(&name.text)?,
            Domain::Set(set) => write!(f, "{set}")?,
        }
        f.write_str("]")
    }
}

impl Display for Relabel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Relabel::Rename { new, old } => write!(f, "{new}/{old}"),
            Relabel::ForAll(indices, inner) => {
                f.write_str("forall ")?;
                separated(f, indices, "")?;
                f.write_str(" {")?;
                separated(f, inner, ", ")?;
                f.write_str("}")
            }
        }
    }
}

/// `/{…}`, if there is anything to relabel.
pub(super) fn relabels(f: &mut Formatter<'_>, relabels: &[Relabel]) -> fmt::Result {
    if relabels.is_empty() {
        return Ok(());
    }
    f.write_str("/{")?;
    separated(f, relabels, ", ")?;
    f.write_str("}")
}
