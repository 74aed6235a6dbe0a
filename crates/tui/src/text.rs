//! Numbers for people.

pub use text::grouped;

/// `1 message`, `2,000 messages`.
pub fn counted(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", grouped(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_numbers() {
        assert_eq!(counted(1, "packet"), "1 packet");
        assert_eq!(counted(2000, "packet"), "2,000 packets");
    }
}
