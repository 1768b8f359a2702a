//! An opened game: what it can be asked.

use quotient_automata::game::{Game, ORDER_KIND, TRAP_KIND, TrapEvidence};
use quotient_automata::pictures::{automaton_picture, transducer_picture};
use quotient_certify::certify_game;
use quotient_core::{
    Budget, Certified, Conclusion, Context, Diagnostic, Evidence, Rejection, Source, Trouble,
    Verdict, run,
};
use quotient_language::text::count;
use quotient_language::{
    Answer, Ask, Cell, Doubt, Layout, Model, Property, Shown, Simulation, Step, Trace, Viewed,
};
use quotient_progress::Search;
use serde_json::json;

use crate::compile::{automaton, moves};
use crate::exhibits::exhibits;
use crate::read::{BLOCKS, Block, File};
use crate::simulate::Play;

/// The one property of a game.
const PROPERTY: &str = "goal";

/// A game with its text.
pub(crate) struct GameModel {
    pub(crate) source: Source,
    pub(crate) file: File,
    pub(crate) game: Game,
}

impl GameModel {
    /// What is asked, in words.
    fn question(&self) -> String {
        let from = match self.game.everywhere {
            true => "every reachable word",
            false => "every initial word",
        };
        let against = match self.game.fairness.is_some() {
            true => " against every weakly fair scheduler",
            false => "",
        };
        format!("player 2 reaches F from {from}{against}")
    }

    fn answer(&self, ask: &Ask, cx: &Context) -> Answer {
        let mut cx = cx.clone();
        let mut search = match Search::new(&self.game, &cx.budget) {
            Ok(search) => search,
            Err(stop) => return Answer::unknown(PROPERTY, stop),
        };
        let outcome = run(&mut search, &mut cx);
        let mut answer = match outcome.conclusion {
            Conclusion::Holds(proof) => {
                let evidence = Evidence::of_holds(ORDER_KIND, &proof.evidence);
                let mut answer = Answer::new(PROPERTY, Verdict::Holds);
                if ask.exhibits {
                    answer.exhibits = exhibits(&proof.evidence, self.game.initial.alphabet());
                }
                answer
                    .because(format!(
                        "an invariant with {} and an order with {}",
                        count(proof.evidence.invariant.states as usize, "state"),
                        count(proof.evidence.order.states as usize, "state")
                    ))
                    .with_evidence(evidence.about(PROPERTY))
            }
            Conclusion::Violated(trap) => {
                let body = trap.evidence(self.game.initial.alphabet());
                let evidence = Evidence::of_violated(TRAP_KIND, &body);
                Answer::new(PROPERTY, Verdict::Violated)
                    .because(format!(
                        "player 1 keeps the play among {} of length {}",
                        count(body.trap.len(), "word"),
                        trap.length()
                    ))
                    .with_trace(trace(&body))
                    .with_evidence(evidence.about(PROPERTY))
            }
            Conclusion::Unknown(stop) => {
                let mut answer = Answer::unknown(PROPERTY, stop);
                if let Some(length) = search.looked_at() {
                    answer.notes.push(format!(
                        "player 1 has no trap among words of length up to {length}"
                    ));
                }
                answer
            }
        };
        answer.refinements = outcome.refinements;
        answer.number = Some(1);
        answer.by("orders by SAT")
    }
}

/// The play into a trap, and what the trap is.
fn trace(body: &TrapEvidence) -> Trace {
    let length = body.trap.first().map_or(0, Vec::len);
    let mut trace = Trace::new(Layout::Grid, (1..=length).map(|place| place.to_string()));
    for (at, word) in body.play.iter().enumerate() {
        let cells = word.iter().map(Cell::new);
        trace.steps.push(match at {
            0 => Step::start(cells),
            at if at % 2 == 1 => Step::of("player 1", cells),
            _ => Step::of("player 2", cells),
        });
    }
    let among = count(body.trap.len(), "word");
    let ending = match body.trap.len() {
        1 => "from here player 1 can keep the play at this word".to_owned(),
        _ => format!("from here player 1 can keep the play among {among}, none of them in F:"),
    };
    trace.ending.push(ending);
    if body.trap.len() > 1 {
        let shown = body.trap.iter().take(6);
        (trace.ending).extend(shown.map(|word| format!("  {}", word.join(" "))));
        if body.trap.len() > 6 {
            trace.ending.push("  …".to_owned());
        }
    }
    trace.mark_changes()
}

impl Model for GameModel {
    fn warnings(&self) -> Vec<Diagnostic> {
        self.file.warnings(&self.source)
    }

    fn properties(&self) -> Vec<Property> {
        vec![Property {
            name: PROPERTY.to_owned(),
            number: Some(1),
            kind: "game".to_owned(),
            text: self.question(),
            span: self.file.block("F").map(|block| block.span),
            in_file: true,
        }]
    }

    fn can_begin(&mut self, _: &Budget) -> Result<bool, Trouble> {
        Ok(!self.game.initial.is_empty_language())
    }

    fn check(
        &mut self,
        ask: &Ask,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        for name in &ask.properties {
            self.property(name)?;
        }
        tell(self.answer(ask, cx));
        Ok(())
    }

    fn certify(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        certify_game(evidence, &self.game, &property.name, budget)
    }

    fn doubts(&mut self, cx: &Context) -> Result<Vec<Doubt>, Trouble> {
        let mut doubts = Vec::new();
        if self
            .game
            .initial
            .is_included_in(&self.game.goal, &cx.budget)?
        {
            doubts.push(Doubt::new(
                "begins-at-goal",
                "every initial word is in F: nothing needs to be played",
            ));
        }
        Ok(doubts)
    }

    fn simulate(&mut self, _: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        Ok(Box::new(Play::new(self.game.clone())))
    }

    fn show(&mut self, view: &Viewed, _: &Context) -> Result<Shown, Trouble> {
        let alphabet = self.game.initial.alphabet();
        let drawn = |block: &Block| match block.is_transducer() {
            true => transducer_picture(&block.name, &moves(block, alphabet), &block.states),
            false => automaton_picture(&block.name, &automaton(block, alphabet), &block.states),
        };
        let mut shown = match &view.part {
            None => {
                let mut shown = Shown::titled(format!("{}: a game", self.source.name()))
                    .fact("letters", alphabet.names().collect::<Vec<_>>().join(" "))
                    .fact("asked", self.question());
                for block in &self.file.blocks {
                    let states = count(block.states.len(), "state");
                    let moves = count(block.edges.len(), "move");
                    shown = shown.fact(block.name.clone(), format!("{states}, {moves}"));
                }
                shown
            }
            Some(part) => {
                let Some(block) = self.file.block(part) else {
                    let known = BLOCKS.map(|(block, _)| block);
                    let error = Diagnostic::error("no-such-part", format!("there is no `{part}`"));
                    return Err(error.did_you_mean(part, known).into());
                };
                Shown::titled(format!("{part} of {}", self.source.name()))
                    .fact("states", block.states.len().to_string())
                    .fact("moves", block.edges.len().to_string())
            }
        };
        if view.picture {
            let asked = |block: &&Block| view.part.as_ref().is_none_or(|part| *part == block.name);
            for block in self.file.blocks.iter().filter(asked) {
                shown = shown.picture(drawn(block));
            }
        }
        let blocks = self.file.blocks.iter();
        let parts: Vec<String> = blocks.map(|block| block.name.clone()).collect();
        Ok(shown.parts(parts.clone()).result(json!({
            "letters": alphabet.names().collect::<Vec<_>>(),
            "asked": self.question(),
            "blocks": parts,
        })))
    }
}
