//! Text, JSON, HTML and SVG from verdicts, evidence and stories.
