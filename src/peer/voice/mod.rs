//! What servers and clients say to a master: a file a protocol, written by the declarations of
//! `proto`.
//!
//! Nothing here has a socket, a clock or an opinion: a voice gives bytes, whoever uses it sends
//! them, or sends something else.

pub mod doom3;
pub mod elite_force;
pub mod gamespy;
pub mod half_life;
pub mod quake2;
pub mod quake3;
pub mod quakeworld;

/// What a server says of itself, in the order in which it says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Persona {
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Persona {
    /// A server with these settings.
    pub fn of(pairs: &[(&str, &str)]) -> Self {
        pairs.iter().fold(Self::default(), |persona, (key, value)| persona.with(key, value))
    }

    /// The same with another value, in its place if it is there, else at the end.
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

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        let mut pairs = self.pairs.iter();
        pairs.find(|(known, _)| known == key.as_bytes()).map(|(_, value)| value.as_slice())
    }

    /// Every key and its value.
    pub fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.pairs.iter().map(|(key, value)| (key.as_slice(), value.as_slice()))
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

/// A message's bytes; nothing of one that could not be read back as it was given.
fn written<'a>(message: impl crate::wire::Body<'a>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if crate::wire::encode(message, &mut bytes).is_err() {
        bytes.clear();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persona_keeps_its_order() {
        let persona = Persona::of(&[("protocol", "68"), ("clients", "1")]);
        assert_eq!(persona.info(), br"\protocol\68\clients\1");
        let other = persona.clone().with("protocol", "67").with("x", "");
        assert_eq!(other.info(), br"\protocol\67\clients\1\x\");
        assert_eq!(other.without("clients").info(), br"\protocol\67\x\");
        assert_eq!(persona.get("clients"), Some(&b"1"[..]));
        assert_eq!(persona.get("y"), None);
    }
}
