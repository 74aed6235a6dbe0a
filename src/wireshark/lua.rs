//! Values as Lua source.

use std::fmt::Write as _;

/// A Lua expression.
#[derive(Debug, Clone, Default)]
pub(super) struct LuaValue(pub String);

impl LuaValue {
    /// A string of any bytes.
    pub fn bytes(bytes: &[u8]) -> Self {
        let mut text = String::from("\"");
        for byte in bytes {
            match byte {
                b'"' | b'\\' => _ = write!(text, "\\{}", char::from(*byte)),
                b' '..=b'~' => text.push(char::from(*byte)),
                _ => _ = write!(text, "\\{byte:03}"),
            }
        }
        text.push('"');
        Self(text)
    }

    /// A string.
    pub fn text(text: &str) -> Self {
        Self::bytes(text.as_bytes())
    }

    /// A number.
    pub fn number(number: impl Into<i64>) -> Self {
        Self(number.into().to_string())
    }

    /// `true` or `false`.
    pub fn flag(is_so: bool) -> Self {
        Self(is_so.to_string())
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        let items: Vec<_> = items.into_iter().map(|item| item.0).collect();
        Self(format!("{{{}}}", items.join(",")))
    }

    /// A list of strings.
    pub fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self::list(texts.into_iter().map(Self::text))
    }
}

/// A table with names, which leaves out what is absent.
#[derive(Debug, Default)]
pub(super) struct LuaTable(Vec<String>);

impl LuaTable {
    /// Adds a value under a name that is an identifier.
    #[must_use]
    pub fn with(mut self, name: &str, value: &LuaValue) -> Self {
        self.0.push(format!("{name}={}", value.0));
        self
    }

    /// Adds a value if there is one.
    #[must_use]
    pub fn with_some(self, name: &str, value: Option<LuaValue>) -> Self {
        match value {
            Some(value) => self.with(name, &value),
            None => self,
        }
    }

    /// Adds `true` if it is so.
    #[must_use]
    pub fn with_flag(self, name: &str, is_so: bool) -> Self {
        self.with_some(name, is_so.then(|| LuaValue::flag(true)))
    }

    /// The table.
    pub fn value(self) -> LuaValue {
        LuaValue(format!("{{{}}}", self.0.join(",")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_a_string() {
        assert_eq!(LuaValue::bytes(b"a\"\\\n1\xff").0, r#""a\"\\\0101\255""#);
        let table = LuaTable::default().with("a", &LuaValue::number(1)).with_flag("b", false);
        assert_eq!(table.value().0, "{a=1}");
    }
}
