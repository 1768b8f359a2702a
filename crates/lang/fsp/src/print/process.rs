use std::fmt::{self, Display, Formatter};

use super::label::relabels;
use super::separated;
use crate::syntax::{Alternative, Body, Call, Hiding, LocalProcess, Parameter, Process};

impl Display for Process {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (flag, word) in [
            (self.property, "property "),
            (self.minimal, "minimal "),
            (self.deterministic, "deterministic "),
        ] {
            if flag {
                f.write_str(word)?;
            }
        }
        for (position, local) in self.locals.iter().enumerate() {
            if position == 0 {
                f.write_str(&self.name.text)?;
                parameters(f, &self.parameters)?;
                write!(f, " = {}", local.body)?;
            } else {
                write!(f, ",\n{local}")?;
            }
        }
        if let Some(extension) = &self.extension {
            write!(f, " + {extension}")?;
        }
        relabels(f, &self.relabels)?;
        hiding(f, self.hiding.as_ref())?;
        f.write_str(".")
    }
}

impl Display for LocalProcess {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.text)?;
        separated(f, &self.indices, "")?;
        write!(f, " = {}", self.body)
    }
}

impl Display for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Body::Reference {
                before,
                name,
                indices,
            } => {
                for call in before {
                    write!(f, "{call}; ")?;
                }
                f.write_str(&name.text)?;
                for index in indices {
                    write!(f, "[{index}]")?;
                }
                Ok(())
            }
            Body::Choice(alternatives) => {
                f.write_str("(")?;
                separated(f, alternatives, " | ")?;
                f.write_str(")")
            }
            Body::If {
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

impl Display for Alternative {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(guard) = &self.guard {
            write!(f, "when ({guard}) ")?;
        }
        separated(f, &self.actions, " -> ")?;
        write!(f, " -> {}", self.next)
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.text)?;
        match &self.arguments {
            Some(arguments) => {
                f.write_str("(")?;
                separated(f, arguments, ", ")?;
                f.write_str(")")
            }
            None => Ok(()),
        }
    }
}

/// `(N=1)`, if there are any.
pub(super) fn parameters(f: &mut Formatter<'_>, parameters: &[Parameter]) -> fmt::Result {
    if parameters.is_empty() {
        return Ok(());
    }
    f.write_str("(")?;
    let written = parameters
        .iter()
        .map(|parameter| format!("{}={}", parameter.name.text, parameter.default));
    separated(f, written, ", ")?;
    f.write_str(")")
}

/// `\{…}` or `@{…}`.
pub(super) fn hiding(f: &mut Formatter<'_>, hiding: Option<&Hiding>) -> fmt::Result {
    match hiding {
        Some(Hiding::Hide(set)) => write!(f, "\\{set}"),
        Some(Hiding::Expose(set)) => write!(f, "@{set}"),
        None => Ok(()),
    }
}
