//! Runs of circuits as AIGER witnesses.

use std::fmt::Write;

/// A run as a witness has it: values at the start, then inputs step by step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Witness {
    /// The property that the run violates, such as `b0` or `j1`.
    pub property: String,
    /// The value of each latch at the start.
    pub start: Vec<bool>,
    /// The values of the inputs in each step.
    pub inputs: Vec<Vec<bool>>,
}

impl Witness {
    /// The witness as the solvers of the competitions write it. (A lasso is written as its steps
    /// one after the other.)
    ///
    /// ```
    /// use quotient_netlist::aiger::witness::Witness;
    /// let witness = Witness { property: "b0".into(), start: vec![false], inputs: vec![vec![true]] };
    /// assert_eq!(witness.to_text(), "1\nb0\n0\n1\n.\n");
    /// assert_eq!(Witness::read(&witness.to_text()).unwrap(), witness);
    /// ```
    pub fn to_text(&self) -> String {
        let line = |bits: &[bool]| -> String {
            bits.iter()
                .map(|&bit| if bit { '1' } else { '0' })
                .collect()
        };
        let mut text = format!("1\n{}\n{}\n", self.property, line(&self.start));
        for inputs in &self.inputs {
            let _ = writeln!(text, "{}", line(inputs));
        }
        text.push_str(".\n");
        text
    }

    /// Reads a witness; `x` (any value) is read as 0, and lines that say how far a search came (`u3`)
    /// or begin a comment (`c`) are left out. What is wrong is told in a line.
    pub fn read(text: &str) -> Result<Witness, String> {
        let mut lines = text.lines().filter(|line| !line.starts_with(['c', 'u']));
        match lines.next().map(str::trim) {
            Some("1") => {}
            Some(other) => {
                let other: String = other.chars().take(20).collect();
                return Err(format!("a witness begins with `1`, not `{other}`"));
            }
            None => return Err("the witness is empty".to_owned()),
        }
        let property = lines.next().unwrap_or_default().trim().to_owned();
        let number = property.strip_prefix(['b', 'j']).unwrap_or_default();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            let property: String = property.chars().take(20).collect();
            return Err(format!("`{property}` is no property such as `b0`"));
        }
        let bits = |line: &str| -> Result<Vec<bool>, String> {
            let bit = |letter| match letter {
                '0' | 'x' => Ok(false),
                '1' => Ok(true),
                _ => Err(format!("`{letter}` is no bit")),
            };
            line.trim().chars().map(bit).collect()
        };
        let start = bits(lines.next().unwrap_or_default())?;
        let mut inputs: Vec<Vec<bool>> = Vec::new();
        for line in lines {
            if line.trim() == "." {
                return Ok(Witness {
                    property,
                    start,
                    inputs,
                });
            }
            let step = bits(line)?;
            if inputs
                .first()
                .is_some_and(|first| first.len() != step.len())
            {
                return Err("steps have different numbers of inputs".to_owned());
            }
            inputs.push(step);
        }
        Err("a witness ends with a line `.`".to_owned())
    }
}
