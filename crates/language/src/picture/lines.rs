//! Series of numbers.

use serde::Serialize;

/// Series of numbers over a common axis.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Lines {
    /// What it shows.
    pub title: String,
    /// What the numbers from left to right are.
    pub x: String,
    /// What the numbers upwards are.
    pub y: String,
    /// How the numbers upwards are spaced.
    pub scale: Scale,
    /// The series.
    pub series: Vec<Series>,
}

/// How numbers are spaced along an axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By their logarithm.
    Logarithmic,
}

/// Points that belong together.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// Pairs of numbers, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Whether the points are joined by steps (a wave form) instead of straight lines.
    pub steps: bool,
}
