use std::fmt::{self, Display, Formatter};

use super::separated;
use crate::syntax::{Definition, Progress, Specification};

impl Display for Specification {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        separated(f, &self.definitions, "\n\n")?;
        f.write_str("\n")
    }
}

impl Display for Definition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Definition::Constant(name, value) => {
                write!(f, "const {} = {}", name.text, value.simple())
            }
            Definition::Range(name, low, high) => {
                write!(
                    f,
                    "range {} = {}..{}",
                    name.text,
                    low.simple(),
                    high.simple()
                )
            }
            Definition::Set(name, labels) => {
                write!(f, "set {} = {{", name.text)?;
                separated(f, labels, ", ")?;
                f.write_str("}")
            }
            Definition::Process(process) => write!(f, "{process}"),
            Definition::Composite(composite) => write!(f, "{composite}"),
            Definition::Progress(progress) => write!(f, "{progress}"),
            Definition::Menu(name, label) => write!(f, "menu {} = {label}", name.text),
            Definition::Fluent(fluent) => write!(f, "{fluent}"),
            Definition::Assertion(assertion) => write!(f, "{assertion}"),
            Definition::Import(name, file) => write!(f, "import {} = \"{file}\"", name.text),
        }
    }
}

impl Display for Progress {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "progress {}", self.name.text)?;
        separated(f, &self.indices, "")?;
        f.write_str(" = ")?;
        if let Some(condition) = &self.condition {
            write!(f, "if {condition} then ")?;
        }
        write!(f, "{}", self.actions)
    }
}
