//! The names of the files of a set of inputs.

use std::path::Path;

use capture::InputDigest;

/// Extensions that say how a capture is compressed, and that it is one.
const COMPRESSED: [&str; 4] = ["gz", "zst", "lz4", "zstd"];
const CAPTURE: [&str; 6] = ["pcap", "pcapng", "cap", "ntar", "dump", "dmp"];
/// The maximum length of a name, in bytes: file systems have 255, for the hash too.
const LONGEST: usize = 180;
/// How many digits of the hash a name has.
const DIGITS: usize = 16;

/// The name of the files of a set, without their extension: that of the first input, how many more
/// there are, and the hash: `tour+2-0123456789abcdef`.
///
/// Letters, digits and `.+-_` are kept. Everything else is `_`, because it means something in
/// globs or URLs; Spark ignores files that begin with a dot or `_`.
pub fn set_name(first: &Path, others: usize, digest: &InputDigest) -> String {
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let name = match name.as_ref() {
        "-" => "stdin",
        name => without_extensions(name),
    };
    let is_kept = |c: char| c.is_alphanumeric() || ".+-_".contains(c);
    let name: String = name.chars().map(|c| if is_kept(c) { c } else { '_' }).collect();
    let name = name.trim_start_matches(['.', '_', '-']);
    let name = match name.char_indices().find(|(at, c)| at + c.len_utf8() > LONGEST) {
        Some((end, _)) => name.get(..end).unwrap_or_default(),
        None if name.is_empty() => "capture",
        None => name,
    };
    let hash = digest.hex();
    let hash = hash.get(..DIGITS).unwrap_or_default();
    match others {
        0 => format!("{name}-{hash}"),
        more => format!("{name}+{more}-{hash}"),
    }
}

/// A file name without the extensions of compressed files and captures.
fn without_extensions(name: &str) -> &str {
    let cut = |name: &str, known: &dyn Fn(&str) -> bool| {
        let (stem, end) = name.rsplit_once('.')?;
        known(&end.to_ascii_lowercase()).then_some(stem.len())
    };
    let name = match cut(name, &|end| COMPRESSED.contains(&end)) {
        Some(end) => name.get(..end).unwrap_or_default(),
        None => name,
    };
    // tcpdump numbers the files of a rotation: `trace.pcap1`.
    let capture = |end: &str| CAPTURE.contains(&end.trim_end_matches(|c: char| c.is_ascii_digit()));
    match cut(name, &capture) {
        Some(end) => name.get(..end).unwrap_or_default(),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_the_first_input_without_extensions() {
        let digest = InputDigest { bytes: 0, hash: [0xab; 32] };
        for (path, others, name) in [
            ("a/tour.pcapng", 0, "tour"),
            ("tour.pcap.gz", 2, "tour+2"),
            ("TOUR.PCAP.ZST", 0, "TOUR"),
            ("trace.pcap12", 0, "trace"),
            ("192.0.2.10.pcap", 0, "192.0.2.10"),
            ("day.2024-01-05", 0, "day.2024-01-05"),
            ("-", 0, "stdin"),
            (".pcap", 0, "capture"),
            ("_hidden.pcap", 0, "hidden"),
            ("--.pcap", 0, "capture"),
            ("two words {1,2}*.pcap", 0, "two_words__1_2__"),
            ("a:b%41.pcap", 0, "a_b_41"),
            ("Ärger.pcap", 0, "Ärger"),
            ("..", 0, "capture"),
            ("a\n\u{202e}b.pcap", 0, "a__b"),
        ] {
            let should = format!("{name}-abababababababab");
            assert_eq!(set_name(Path::new(path), others, &digest), should, "{path}");
        }
        let long = format!("{}.pcap", "ä".repeat(120));
        let name = set_name(Path::new(&long), 0, &digest);
        assert!(name.starts_with("ää") && name.len() < 200, "{name}");
    }
}
