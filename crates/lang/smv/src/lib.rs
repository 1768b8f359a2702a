//! The SMV language: text to symbolic models, traces back to source terms.
