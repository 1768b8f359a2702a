//! An SMV file that has been read and checked.

use quotient_core::{Diagnostic, Source};

use crate::flatten::{Scopes, ask, ask_hybrid, flatten};
use crate::parse::parse;
use crate::program::{Program, Specification};
use crate::syntax::SpecificationKind;

/// An SMV file that has been read and checked: its [`Program`], and its names for formulas
/// that are asked later.
///
/// ```
/// use quotient_core::Source;
/// use quotient_smv::File;
///
/// let source = Source::new("light.smv", "
///     MODULE main
///     VAR light : {red, green};
///     ASSIGN
///       init(light) := red;
///       next(light) := case light = red : {red, green}; TRUE : red; esac;
///     CTLSPEC AG EF light = green
/// ");
/// let file = File::read(&source).unwrap();
/// assert_eq!(file.program().variables()[0].name, "light");
/// assert_eq!(file.program().specifications()[0].text, "AG EF light = green");
///
/// let mistake = Source::new("mistake.smv", "MODULE main VAR x : boolean; INIT x = 2");
/// let errors = File::read(&mistake).unwrap_err();
/// assert_eq!(errors[0].code, "smv-type");
/// ```
#[derive(Debug, Clone)]
pub struct File {
    program: Program,
    scopes: Scopes,
    warnings: Vec<Diagnostic>,
}

impl File {
    /// Reads a model: syntax, names, types. All errors found are returned together.
    pub fn read(source: &Source) -> Result<File, Vec<Diagnostic>> {
        let (tree, mut warnings) = parse(source);
        let Some(tree) = tree else {
            return Err(warnings);
        };
        let (flat, found) = flatten(tree);
        let Some((program, scopes)) = flat else {
            return Err(found);
        };
        warnings.extend(found);
        Ok(File {
            program,
            scopes,
            warnings,
        })
    }

    /// The model.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What is probably not meant, but does not keep the model from being checked.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Reads a formula in the words of the model; it may contain placeholders (`?`,
    /// `?{p, q}`) and end with `IN instance`. Without a kind it is LTL if a temporal operator
    /// has no path quantifier, else CTL.
    ///
    /// ```
    /// # use quotient_core::Source;
    /// # use quotient_smv::{File, SpecificationKind};
    /// let source = Source::new("bit.smv", "MODULE main VAR bit : boolean;");
    /// let mut file = File::read(&source).unwrap();
    /// let asked = Source::new("formula", "G F bit");
    /// let formula = file.formula(&asked, None).unwrap();
    /// assert_eq!(formula.kind, SpecificationKind::Ltl);
    /// ```
    pub fn formula(
        &mut self,
        source: &Source,
        kind: Option<SpecificationKind>,
    ) -> Result<Specification, Vec<Diagnostic>> {
        ask(&mut self.program, &mut self.scopes, source, kind)
    }

    /// Reads a formula with names for states (`!{x}: EX EF {x}`) and keeps it among the
    /// specifications that are no formulas of CTL or LTL; its number there.
    pub(crate) fn add_hybrid(&mut self, source: &Source) -> Result<usize, Vec<Diagnostic>> {
        let special = ask_hybrid(&mut self.program, &mut self.scopes, source)?;
        let specials = &mut self.program.specials;
        specials.push(special);
        Ok(specials.len() - 1)
    }

    /// The same file with another program, which has at least the same variables.
    pub(crate) fn with_program(&self, program: Program) -> File {
        File {
            program,
            ..self.clone()
        }
    }

    /// Adds a specification, such as one that [`File::formula`] read, to those of the source.
    pub fn add_specification(&mut self, specification: Specification) {
        self.program.specifications.push(specification);
    }

    /// Keeps only some of the specifications, by their number.
    pub fn retain_specifications(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut number = 0;
        self.program.specifications.retain(|_| {
            number += 1;
            keep(number - 1)
        });
    }
}
