//! The words of a row of a hexdump as bytes.

/// How the words of a row are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordOrder {
    /// Bytes as they follow each other.
    Bytes,
    /// Numbers of the machine, the lowest byte first, as hexdump and od print them.
    Numbers,
}

/// The bytes of hex words up to the first that is none, or that is longer than the first.
pub(super) fn hex_words<'a>(words: impl Iterator<Item = &'a str>, order: WordOrder) -> Vec<u8> {
    let (mut bytes, mut longest) = (Vec::new(), usize::MAX);
    for word in words {
        let Some(mut of_word) = hex_bytes(word).filter(|_| word.len() <= longest) else { break };
        longest = longest.min(word.len());
        if order == WordOrder::Numbers {
            of_word.reverse();
        }
        bytes.extend(of_word);
        if word.len() < longest {
            break;
        }
    }
    bytes
}

/// The bytes of a row of xxd that has them once more as text behind two spaces. Words that the text
/// contradicts are numbers, as `xxd -e` prints them. `None` if the text fits neither.
pub(super) fn with_text(rest: &str) -> Option<Vec<u8>> {
    let mut best = None;
    let mut words = Vec::new();
    let mut at = 0;
    while let Some((word, behind)) = next_word(rest, at) {
        words.push(word);
        at = behind;
        let text = rest.get(at..).unwrap_or_default();
        for order in [WordOrder::Bytes, WordOrder::Numbers] {
            let bytes = hex_words(words.iter().copied(), order);
            let is_whole = words.iter().map(|word| word.len() / 2).sum::<usize>() == bytes.len();
            if is_whole && is_beside(text, &bytes) {
                best = Some(bytes);
                break;
            }
        }
    }
    best
}

/// The hex word from this position on, behind spaces, and where it ends.
fn next_word(rest: &str, at: usize) -> Option<(&str, usize)> {
    let behind = rest.get(at..)?;
    let word = behind.split_whitespace().next().filter(|word| is_hex(word))?;
    let start = at + behind.find(word)?;
    Some((word, start + word.len()))
}

/// Whether there are these bytes behind two or more spaces, as xxd prints them: spaces at their end
/// may have been left out.
fn is_beside(text: &str, bytes: &[u8]) -> bool {
    let shown = |byte: &u8| if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '.' };
    let expected: String = bytes.iter().map(shown).collect();
    let before = text.trim_end().strip_suffix(expected.trim_end());
    before.is_some_and(|before| before.len() >= 2 && before.trim().is_empty())
}

/// The bytes of words that are not hexadecimal, all of one length: octal or decimal numbers of 16
/// bits of od and hexdump, the lower byte first; bytes in octal; bytes in binary, as `xxd -b` writes
/// them. `None` for other words.
pub(super) fn in_other_digits(rest: &str) -> Option<Vec<u8>> {
    let all = |length: usize, digits: &str| {
        let mut words = rest.split_whitespace().peekable();
        words.peek().is_some()
            && words.all(|word| word.len() == length && word.chars().all(|c| digits.contains(c)))
    };
    let numbers = |radix| {
        let number = |word| u16::from_str_radix(word, radix).ok().map(u16::to_le_bytes);
        let bytes: Option<Vec<_>> = rest.split_whitespace().map(number).collect();
        bytes.map(|bytes| bytes.concat())
    };
    let bytes =
        |radix| rest.split_whitespace().map(|word| u8::from_str_radix(word, radix).ok()).collect();
    if all(6, "01234567") {
        return numbers(8);
    }
    if all(5, "0123456789") {
        return numbers(10);
    }
    if all(3, "01234567") {
        return bytes(8);
    }
    all(8, "01").then(|| bytes(2)).flatten()
}

/// The bytes of an even number of hex digits.
pub(super) fn hex_bytes(word: &str) -> Option<Vec<u8>> {
    hex::decode(word).ok()
}

/// Whether a word has hex digits only.
pub(super) fn is_hex(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_hexdigit())
}
