//! How deep headers of links are nested, and where the hardware addresses inside are.

use super::Other;
use super::wireless::FrameControl;

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
    Wireless(FrameControl),
    /// One address, which a header between links has.
    Address,
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
        self.list(link, frame);
        Ok(())
    }

    /// Lists an address in a header, which begins with `bytes`.
    pub fn add_address(&mut self, bytes: &[u8]) {
        self.list(NestedLink::Address, bytes);
    }

    fn list(&mut self, link: NestedLink, bytes: &[u8]) {
        if let Some(found) = &mut self.found {
            found.push((link, bytes.len()));
        }
    }

    /// Enters any link.
    pub fn enter(&mut self) -> Result<(), Other> {
        self.left =
            self.left.checked_sub(1).ok_or(Other::Unread("too many links inside of each other"))?;
        Ok(())
    }
}
