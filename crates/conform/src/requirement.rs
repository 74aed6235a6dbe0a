//! Requirements of the documents for masters: each stands once, in the `requirements.csv` of its
//! family, and cases name it by its id.

use serde::{Deserialize, Deserializer};

use super::csv_table::FromCsv;

/// The weight of a case's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The documents require it.
    Must,
    /// They recommend it, or good masters do it: a failure is a warning.
    Should,
    /// Neither right nor wrong; it reports an observation.
    Info,
}

/// A requirement of the documents for a master, in our own words.
#[derive(Debug, Deserialize)]
pub struct Requirement {
    /// A path; a requirement that one case tests has the id of that case.
    pub id: String,
    /// Its level, or why no case tests it.
    #[serde(deserialize_with = "level")]
    pub level: Result<Level, String>,
    /// Document and section: `001 1.2.9, 000 heartbeat`.
    pub source: String,
    /// What is required, without a final period.
    pub text: String,
}

impl Level {
    /// The word of RFC 2119 for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::Info => "INFO",
        }
    }
}

impl Requirement {
    /// The game of its id.
    pub fn game(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }
}

/// A word of RFC 2119, or a reason.
fn level<'de, D: Deserializer<'de>>(from: D) -> Result<Result<Level, String>, D::Error> {
    let text = String::deserialize(from)?;
    let level = [Level::Must, Level::Should, Level::Info].into_iter().find(|l| l.word() == text);
    Ok(level.ok_or(text))
}

/// A row each, with the columns `id`, `level`, `source` and `text`.
impl FromCsv for Requirement {
    fn parse_csv(csv: &str) -> csv::Result<Vec<Self>> {
        csv::Reader::from_reader(csv.as_bytes()).into_deserialize().collect()
    }
}
