//! What a simulated server says about itself.

use codec::FieldRole;

/// A value that a server has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownValue {
    /// The role of the value.
    pub role: FieldRole,
    /// The key before it, or the name of its field.
    pub key: Vec<u8>,
    /// The value.
    pub text: Vec<u8>,
}

/// A server's settings, in the order in which it sends them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerInfo {
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
}

impl ServerInfo {
    /// A server with these settings.
    pub fn from_pairs(pairs: &[(&str, &str)]) -> Self {
        pairs.iter().fold(Self::default(), |info, (key, value)| info.with(key, value))
    }

    /// The same with another value, in place if the key exists, else at the end.
    #[must_use]
    pub fn with(mut self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        let (key, value) = (key.as_ref(), value.as_ref().to_vec());
        match self.pairs.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.pairs.push((key.to_vec(), value)),
        }
        self
    }

    /// The same without a key.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.pairs.retain(|(known, _)| known != key.as_bytes());
        self
    }

    /// The same with the known values under these keys: a value sent with the same key, else one of
    /// the same role.
    #[must_use]
    pub(crate) fn with_known(self, known: &[KnownValue], keys: &[(&str, FieldRole)]) -> Self {
        keys.iter().fold(self, |info, (key, role)| {
            let same = |one: &&KnownValue| one.key.eq_ignore_ascii_case(key.as_bytes());
            // A game has many names, and each key needs its own.
            let like = |one: &&KnownValue| one.role == *role && *role != FieldRole::Game;
            let found = known.iter().find(same).or_else(|| known.iter().find(like));
            found.map_or_else(|| info.clone(), |one| info.clone().with(key, &one.text))
        })
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        let mut pairs = self.pairs.iter();
        pairs.find(|(known, _)| known == key.as_bytes()).map(|(_, value)| value.as_slice())
    }

    /// Every key and its value.
    pub fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.pairs.iter().map(|(key, value)| (key.as_slice(), value.as_slice()))
    }

    /// As in Doom 3 and its successors: every text with a NUL after it.
    pub(crate) fn dictionary(&self) -> Vec<u8> {
        let texts = self.pairs.iter().flat_map(|(key, value)| [key, value]);
        texts.flat_map(|text| text.iter().copied().chain([0])).collect()
    }

    /// As an infostring, `\key\value\key\value`.
    pub fn info(&self) -> Vec<u8> {
        let mut info = Vec::new();
        for (key, value) in &self.pairs {
            info.push(b'\\');
            info.extend_from_slice(key);
            info.push(b'\\');
            info.extend_from_slice(value);
        }
        info
    }
}

/// A message's bytes; empty if they would not decode to the same message.
pub fn written<'a>(message: impl protocol::Message<'a>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if protocol::encode(message, &mut bytes).is_err() {
        bytes.clear();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_keep_their_order() {
        let info = ServerInfo::from_pairs(&[("protocol", "68"), ("clients", "1")]);
        assert_eq!(info.info(), br"\protocol\68\clients\1");
        let other = info.clone().with("protocol", "67").with("x", "");
        assert_eq!(other.info(), br"\protocol\67\clients\1\x\");
        assert_eq!(other.without("clients").info(), br"\protocol\67\x\");
        assert_eq!(info.get("clients"), Some(&b"1"[..]));
        assert_eq!(info.get("y"), None);
        let known =
            [(FieldRole::Game, "tag", "DarkPlaces"), (FieldRole::Host, "sv_hostname", "one")];
        let known =
            known.map(|(role, key, text)| KnownValue { role, key: key.into(), text: text.into() });
        let keys =
            [("gamename", FieldRole::Game), ("hostname", FieldRole::Host), ("map", FieldRole::Map)];
        assert_eq!(ServerInfo::default().with_known(&known, &keys).info(), br"\hostname\one");
    }
}
