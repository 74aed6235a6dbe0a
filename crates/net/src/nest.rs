//! How deep headers of links are nested, and where the hardware addresses inside are.

use super::Other;

/// How many links may be inside of each other: deeper nesting is an attack.
const MAX_LINKS: u8 = 6;

/// The links that were found in a frame.
pub(super) struct Nest<'a> {
    left: u8,
    /// The links with hardware addresses: how many bytes are behind their beginning.
    found: Option<&'a mut Vec<(NestedLink, usize)>>,
}

/// A link with hardware addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NestedLink {
    Ethernet,
    Wireless,
}

impl Default for Nest<'_> {
    fn default() -> Self {
        Self { left: MAX_LINKS, found: None }
    }
}

impl<'a> Nest<'a> {
    /// A nest that lists what it finds.
    pub fn listing(found: &'a mut Vec<(NestedLink, usize)>) -> Self {
        Self { left: MAX_LINKS, found: Some(found) }
    }

    /// Enters a link with addresses, which begins with `frame`.
    pub fn add(&mut self, link: NestedLink, frame: &[u8]) -> Result<(), Other> {
        self.enter()?;
        if let Some(found) = &mut self.found {
            found.push((link, frame.len()));
        }
        Ok(())
    }

    /// Enters any link.
    pub fn enter(&mut self) -> Result<(), Other> {
        self.left = self
            .left
            .checked_sub(1)
            .ok_or(Other::Malformed("too many links inside of each other"))?;
        Ok(())
    }
}
