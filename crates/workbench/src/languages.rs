//! The one list of languages. Adding one means a line here, and a dependency and a feature beside
//! it.

use quotient_language::Language;

/// What helps who misses a language in a build that has only some.
pub(crate) const MORE: Option<&str> = match cfg!(feature = "all") {
    true => None,
    false => Some(
        "this build has only some of the languages; `cargo install --path crates/cli` makes one with all",
    ),
};

/// The languages that this build knows, in the order in which they are listed.
pub(crate) const LANGUAGES: &[&dyn Language] = &[
    #[cfg(feature = "protocol")]
    quotient_protocol::LANGUAGE,
    #[cfg(feature = "words")]
    quotient_words::LANGUAGE,
    #[cfg(feature = "tree-systems")]
    quotient_tree_systems::LANGUAGE,
    #[cfg(feature = "cubicle")]
    quotient_cubicle::LANGUAGE,
    #[cfg(feature = "smv")]
    quotient_smv::LANGUAGE,
    #[cfg(feature = "prism")]
    quotient_prism::LANGUAGE,
    #[cfg(feature = "prism")]
    quotient_prism::JANI,
    #[cfg(feature = "prism")]
    quotient_prism::EXPLICIT,
    #[cfg(feature = "fsp")]
    quotient_fsp::LANGUAGE,
    #[cfg(feature = "aiger")]
    quotient_aiger::LANGUAGE,
    #[cfg(feature = "btor2")]
    quotient_btor2::LANGUAGE,
    #[cfg(feature = "esterel")]
    quotient_esterel::LANGUAGE,
    #[cfg(feature = "net")]
    quotient_net::LANGUAGE,
    #[cfg(feature = "graded")]
    quotient_graded::LANGUAGE,
    #[cfg(feature = "turing")]
    quotient_turing::LANGUAGE,
    #[cfg(feature = "zsyntax")]
    quotient_zsyntax::LANGUAGE,
    #[cfg(feature = "bsp")]
    quotient_bsp::LANGUAGE,
    #[cfg(feature = "program")]
    quotient_program::LANGUAGE,
    #[cfg(feature = "promela")]
    quotient_promela::LANGUAGE,
    #[cfg(feature = "hybrid")]
    quotient_hybrid::LANGUAGE,
    #[cfg(feature = "network")]
    quotient_network::LANGUAGE,
    #[cfg(feature = "games")]
    quotient_games::LANGUAGE,
];
