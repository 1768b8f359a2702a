//! The one list of languages. Adding one means a line here and a dependency beside it.

use quotient_language::Language;

/// The languages that this build knows, in the order in which they are listed.
pub(crate) const LANGUAGES: &[&dyn Language] = &[
    quotient_protocol::LANGUAGE,
    quotient_words::LANGUAGE,
    quotient_tree_systems::LANGUAGE,
    quotient_cubicle::LANGUAGE,
    quotient_smv::LANGUAGE,
    quotient_prism::LANGUAGE,
    quotient_prism::JANI,
    quotient_prism::EXPLICIT,
    quotient_fsp::LANGUAGE,
    quotient_aiger::LANGUAGE,
    quotient_btor2::LANGUAGE,
    quotient_esterel::LANGUAGE,
    quotient_net::LANGUAGE,
    quotient_graded::LANGUAGE,
    quotient_turing::LANGUAGE,
    quotient_zsyntax::LANGUAGE,
    quotient_bsp::LANGUAGE,
    quotient_program::LANGUAGE,
    quotient_promela::LANGUAGE,
    quotient_hybrid::LANGUAGE,
    quotient_network::LANGUAGE,
    quotient_games::LANGUAGE,
];
