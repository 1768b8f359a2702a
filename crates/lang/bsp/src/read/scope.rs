//! Names and what they stand for: variables of functions, loops, and of the whole program.

use quotient_core::Span;
use quotient_language::text::Parsed;

use super::Reader;
use crate::program::Name;

/// What may happen more than once.
pub(super) enum Region {
    Loop,
    Fun(Function),
}

/// What is known of a function while it is read.
#[derive(Default)]
pub(super) struct Function {
    /// The names that are bound in it.
    pub(super) own: Vec<Name>,
    /// Those of the functions and loops around it that it uses.
    kept: Vec<Name>,
    /// One of its own that is written or read at barriers, with its place.
    remote: Option<(String, Span)>,
    pub(super) calls: bool,
}

impl Reader<'_> {
    pub(super) fn bind(&mut self, text: String) -> Name {
        if text == "_" {
            return 0;
        }
        self.program.names.push(text.clone());
        let name = self.program.names.len() - 1;
        self.scope.push((text, name, self.regions.len()));
        if let Some(function) = self.function() {
            function.own.push(name);
        }
        name
    }

    /// The innermost function around this place.
    pub(super) fn function(&mut self) -> Option<&mut Function> {
        let regions = self.regions.iter_mut().rev();
        let mut functions = regions.filter_map(|region| match region {
            Region::Fun(function) => Some(function),
            Region::Loop => None,
        });
        functions.next()
    }

    /// A variable that barriers read or write.
    pub(super) fn remote(&mut self) -> Parsed<Name> {
        let span = self.cursor.peek().span;
        let name = self.variable()?;
        self.changed.insert(name);
        let text = self.program.names[name].clone();
        if let Some(function) = self.function()
            && function.own.contains(&name)
        {
            function.remote = Some((text, span));
        }
        Ok(name)
    }

    /// The end of a function. Barriers know variables by name: if it calls itself before what it asked for is done, the
    /// variable of another call would be written.
    pub(super) fn leave_function(&mut self, body: usize) -> Parsed<()> {
        let Some(Region::Fun(function)) = self.regions.pop() else {
            return Ok(());
        };
        let mut all = function.own;
        all.extend(&function.kept);
        self.program.locals.insert(body, all);
        self.program.kept.insert(body, function.kept);
        match function.remote {
            Some((text, span)) if function.calls => {
                let message = format!(
                    "`{text}` is of a function that calls others, and is used from afar or for what comes from there"
                );
                let help = "bind it outside of all functions";
                Err(self.wrong("captured", message, span).help(help))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn variable(&mut self) -> Parsed<Name> {
        let (text, span) = self.name()?;
        let known = self.scope.iter().rev().find(|known| known.0 == text);
        let Some(&(_, name, around)) = known else {
            let message = format!("there is no variable `{text}` here");
            let names = self.scope.iter().map(|known| known.0.as_str());
            return Err(self
                .wrong("unbound", message, span)
                .did_you_mean(&text, names));
        };
        // What is bound once is the same cell for all. Of a round or a call, which a function may outlive, it keeps the value.
        if around > 0 {
            let mut is_captured = false;
            for region in &mut self.regions[around..] {
                if let Region::Fun(function) = region {
                    is_captured = true;
                    if !function.kept.contains(&name) {
                        function.kept.push(name);
                    }
                }
            }
            if is_captured {
                self.captured.push((name, span));
            }
        }
        Ok(name)
    }

    /// A variable that gets another value.
    pub(super) fn assigned(&mut self) -> Parsed<Name> {
        let name = self.variable()?;
        self.changed.insert(name);
        Ok(name)
    }

    /// Functions that keep variables of a call or round, whose values change.
    pub(super) fn tell_captured(&mut self) {
        for (name, span) in std::mem::take(&mut self.captured) {
            if !self.changed.contains(&name) {
                continue;
            }
            let text = &self.program.names[name];
            let message = format!(
                "this function uses `{text}`, which is bound in a function or loop around it and gets other values"
            );
            let help = "a function can use variables that change if they are its own, or bound outside of all functions and loops";
            let wrong = self.wrong("captured", message, span).help(help);
            self.cursor.mistake(wrong);
        }
    }
}
