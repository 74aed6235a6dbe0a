//! Bytes of a target or a sender, quoted in a report.

use protocol::harmless_len;
use text::{MASK, shown};

/// The first `most` of the received bytes as escaped text for a report; stars replace everything
/// from where a secret may begin.
pub fn quoted(bytes: &[u8], most: usize) -> String {
    let len = harmless_len(bytes);
    let mut text = shown(bytes.get(..len.min(most)).unwrap_or(bytes)).into_owned();
    if len < most.min(bytes.len()) {
        text.push_str(MASK);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_secret_is_not_quoted() {
        for (bytes, most, text) in [
            (&b"\\basic\\final"[..], 64, "\\basic\\final"),
            (b"\\password\\hunter2\\final", 64, "\\password********"),
            (b"\\password\\1\\final", 64, "\\password\\1\\final"),
            (b"rcon\0hunter2", 64, "rcon********"),
            (b"\\password\\hunter2", 4, "\\pas"),
        ] {
            assert_eq!(quoted(bytes, most), text);
        }
    }
}
