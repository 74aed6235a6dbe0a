//! Coded ranges, such as compressed ones, whose decoded bytes are a payload of their own.

use std::cell::{Cell, OnceCell};

use super::pass::{Body, Walk};

/// A reversible byte coding.
pub trait Coding {
    /// Decodes `coded` into `plain`.
    ///
    /// # Errors
    /// A fault at an offset of `coded`, if it cannot be decoded.
    fn undo(&self, coded: &[u8], plain: &mut Vec<u8>) -> Result<(), super::Fault>;
    /// Appends the coded form of `plain` to `coded`.
    ///
    /// # Errors
    /// A fault, if the coding cannot hold `plain`.
    fn apply(&self, plain: &[u8], coded: &mut Vec<u8>) -> Walk;
    /// Whether `apply` would produce exactly these bytes.
    fn is_canonical(&self, coded: &[u8], plain: &[u8]) -> bool {
        let mut again = Vec::with_capacity(coded.len());
        self.apply(plain, &mut again).is_ok() && again == coded
    }
}

/// A body and the coded bytes from which it was read, which are written back unless it is edited.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Coded<'a, B> {
    pub(super) body: B,
    pub(super) coded: Option<&'a [u8]>,
}

impl<'a, B: Body<'a>> Coded<'a, B> {
    /// The decoded body.
    pub fn body(&self) -> B {
        self.body
    }

    /// The same message with another body, to be coded again.
    pub fn new(body: B) -> Self {
        Self { body, coded: None }
    }
}

/// The buffer for the decoded text of a coded layer, reused for each message.
#[derive(Default)]
pub struct Scratch {
    plain: OnceCell<Vec<u8>>,
    spare: Cell<Vec<u8>>,
}

impl Scratch {
    /// The decoded text of the last message, if it had a coded layer.
    pub fn plain(&self) -> Option<&[u8]> {
        self.plain.get().map(Vec::as_slice)
    }

    /// Clears the buffer for the next message.
    #[inline]
    pub(super) fn reset(&mut self) {
        if let Some(mut plain) = self.plain.take() {
            plain.clear();
            self.spare.set(plain);
        }
    }

    /// Fills the buffer once; a second layer in one message is refused.
    pub(super) fn fill(
        &self,
        with: impl FnOnce(&mut Vec<u8>) -> Result<(), super::Fault>,
    ) -> Option<Result<&[u8], super::Fault>> {
        let mut plain = self.spare.take();
        if let Err(fault) = with(&mut plain) {
            plain.clear();
            self.spare.set(plain);
            return Some(Err(fault));
        }
        self.plain.set(plain).ok()?;
        self.plain.get().map(|p| Ok(p.as_slice()))
    }
}
