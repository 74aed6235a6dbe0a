//! The traits in which implementations differ, and their values.

use super::context::TestContext;
use super::csv_table::FromCsv;
use super::failure::Failure;

/// A trait that distinguishes implementations.
pub struct Trait {
    /// `end mark of lists`.
    pub name: &'static str,
    /// Observes it; returns the value in words, always the same for one implementation.
    pub observe: fn(&TestContext) -> Result<String, Failure>,
}

/// A released master, with the values of its traits.
#[derive(Debug, Default)]
pub struct Implementation {
    /// With its version: `dpmaster 2.2`.
    pub name: String,
    /// The source of the values: `measured`, or what they were read from.
    pub source: String,
    /// Names of traits and their values; a trait whose value is unknown is missing.
    pub values: Vec<(String, String)>,
}

/// A column each, behind the names of the traits; the row `source` is no trait.
impl FromCsv for Implementation {
    fn parse_csv(csv: &str) -> csv::Result<Vec<Self>> {
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let names = reader.headers()?.iter().skip(1);
        let mut all: Vec<_> =
            names.map(|name| Self { name: name.to_owned(), ..Self::default() }).collect();
        for record in reader.records() {
            let record = record?;
            let mut cells = record.iter();
            let name = cells.next().unwrap_or_default();
            for (one, value) in all.iter_mut().zip(cells).filter(|(_, value)| !value.is_empty()) {
                match name {
                    "source" => value.clone_into(&mut one.source),
                    _ => one.values.push((name.to_owned(), value.to_owned())),
                }
            }
        }
        Ok(all)
    }
}
