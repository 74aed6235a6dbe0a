//! Joins the JSON objects of one response that came in several messages.

use std::collections::HashMap;

/// Joins objects in the compact form that [`Fields`](super::Fields) writes. Of a member that
/// several have, arrays and objects are joined in order; other values are written once if they are
/// equal, else all of them in an array.
pub(super) fn joined<'a>(objects: &[&'a str]) -> String {
    let mut members: Vec<(&'a str, Vec<&'a str>)> = Vec::new();
    let mut known = HashMap::new();
    for (name, value) in
        objects.iter().flat_map(|object| JoinedParts::new(object).map(JoinedParts::member))
    {
        let at = *known.entry(name).or_insert(members.len());
        match members.get_mut(at) {
            Some((_, values)) => values.push(value),
            None => members.push((name, vec![value])),
        }
    }
    let members = members.into_iter().map(|(name, values)| format!("{name}:{}", merged(&values)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// The values of one member.
fn merged(values: &[&str]) -> String {
    if values.iter().all(|value| value.starts_with('[')) {
        let items = values.iter().map(|value| JoinedParts::new(value).0);
        let items: Vec<_> = items.filter(|items| !items.is_empty()).collect();
        return format!("[{}]", items.join(","));
    }
    if values.iter().all(|value| value.starts_with('{')) {
        return joined(values);
    }
    match values {
        [first, rest @ ..] if rest.iter().all(|value| value == first) => (*first).to_owned(),
        _ => format!("[{}]", values.join(",")),
    }
}

/// The members of an object or the items of an array, as they are written.
struct JoinedParts<'a>(&'a str);

impl<'a> JoinedParts<'a> {
    fn new(value: &'a str) -> Self {
        Self(value.get(1..value.len().saturating_sub(1)).unwrap_or_default())
    }

    /// A member's name, in its quotes, and its value.
    fn member(part: &'a str) -> (&'a str, &'a str) {
        let end = end(part, b':');
        (part.get(..end).unwrap_or_default(), part.get(end + 1..).unwrap_or_default())
    }
}

impl<'a> Iterator for JoinedParts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.0;
        if rest.is_empty() {
            return None;
        }
        let end = end(rest, b',');
        self.0 = rest.get(end + 1..).unwrap_or_default();
        rest.get(..end)
    }
}

/// Where `mark` first occurs outside of strings, arrays and objects; else the text's end.
fn end(text: &str, mark: u8) -> usize {
    let (mut depth, mut at) = (0u32, 0);
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at += string(bytes.get(at + 1..).unwrap_or_default()),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ if *byte == mark && depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// How many bytes a string has behind its opening quote, with the closing one.
fn string(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        if bytes.get(at - 1) == Some(&b'"') {
            return at;
        }
        // The escaped byte is no quote.
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_become_one() {
        for (objects, one) in [
            (&[][..], "{}"),
            (&["{}", "{}"], "{}"),
            (&[r#"{"servers":["a","b"]}"#, r#"{"servers":[]}"#], r#"{"servers":["a","b"]}"#),
            (&[r#"{"servers":["a"]}"#, r#"{"servers":["b","a"]}"#], r#"{"servers":["a","b","a"]}"#),
            (
                &[r#"{"info":{"a":"1","q":"5.1"}}"#, r#"{"info":{"b":"2","q":"5.2"},"end":true}"#],
                r#"{"info":{"a":"1","q":["5.1","5.2"],"b":"2"},"end":true}"#,
            ),
            (&[r#"{"n":1}"#, r#"{"n":1}"#], r#"{"n":1}"#),
            (&[r#"{"n":1,"x":[]}"#, r#"{"n":"1"}"#], r#"{"n":[1,"1"],"x":[]}"#),
            // Texts that look like structure.
            (
                &[r#"{"a\",\":[{":",]}\"","b":[{"c":"]"}]}"#, r#"{"b":[{"c":"\\"}]}"#],
                r#"{"a\",\":[{":",]}\"","b":[{"c":"]"},{"c":"\\"}]}"#,
            ),
        ] {
            assert_eq!(joined(objects), one);
            serde_json::from_str::<serde_json::Value>(&joined(objects)).unwrap();
        }
    }

    #[test]
    fn many_names_are_joined_in_their_order() {
        let members = |from: usize| {
            let members: Vec<_> = (from..from + 60_000).map(|n| format!("\"k{n}\":{n}")).collect();
            members.join(",")
        };
        let objects = [members(0), members(60_000)].map(|members| format!("{{{members}}}"));
        let one = joined(&objects.each_ref().map(String::as_str));
        assert!(one == format!("{{{},{}}}", members(0), members(60_000)));
    }
}
