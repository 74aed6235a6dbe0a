//! Where a table comes from, for the footer of Parquet.

use analysis::Pipeline;
use text::counted;

/// The inputs of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableOrigin {
    /// Their paths, as they were given.
    pub inputs: Vec<String>,
    /// The BLAKE3 hash of the input; of several, that of their hashes.
    pub hash: Option<String>,
}

impl TableOrigin {
    /// Names without `fragshark.`, and values, after everything has been read.
    pub fn facts(self, pipeline: &Pipeline) -> Vec<(&'static str, String)> {
        let packets: u64 = pipeline.input_totals().iter().map(|totals| totals.packets).sum();
        let input = match <[String; 1]>::try_from(self.inputs) {
            Ok([only]) => only,
            Err(several) => serde_json::Value::from(several).to_string(),
        };
        let mut damage: Vec<_> = pipeline.damaged().iter().map(ToString::to_string).collect();
        let missing = pipeline.damage().saturating_sub(damage.len() as u64);
        if missing > 0 {
            damage.push(format!("{} where bytes are missing", counted(missing, "place")));
        }
        let mut facts = vec![("input", input)];
        facts.extend(self.hash.map(|hash| ("hash", hash)));
        facts.extend([("packets", packets.to_string()), ("damage", damage.join("; "))]);
        facts
    }
}
