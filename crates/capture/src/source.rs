//! One input while it is read.

use super::format::{FormatReader, FrameHead};
use super::options::BlockOptions;
use super::warning::{Damage, Warning};
use super::window::Window;
use super::{ByteRange, Comments, Frame, live};

/// One input, and its next frame.
pub(super) enum FrameSource {
    File(Box<File>),
    Live(live::LiveSource),
}

/// A capture file: its window, its format, and its next frame.
pub(super) struct File {
    name: String,
    window: Window,
    format: FormatReader,
    /// Whether its bytes can be read again in place.
    rereadable: bool,
    head: Option<FrameHead>,
    ended: bool,
}

impl FrameSource {
    /// Advances to the next frame and returns its time; nothing at the end. Waits for a device.
    #[inline]
    pub fn advance(&mut self, warnings: &mut Vec<Warning>) -> Option<i64> {
        match self {
            Self::File(file) => file.advance(warnings),
            Self::Live(feed) => feed.advance(warnings),
        }
    }

    /// From now on, its bytes cannot be read again in place.
    pub fn read_once(&mut self) {
        if let Self::File(file) = self {
            file.rereadable = false;
        }
    }

    /// The current frame.
    #[inline]
    pub fn frame(&self, number: u64, index: usize) -> Option<Frame<'_>> {
        match self {
            Self::File(file) => file.frame(number, index),
            Self::Live(feed) => feed.frame(number, index),
        }
    }
}

impl File {
    pub fn new(name: String, window: Window, format: FormatReader, rereadable: bool) -> Self {
        Self { name, window, format, rereadable, head: None, ended: false }
    }

    /// Damage that ends the input gives a warning, as do blocks that were skipped before the end.
    #[inline]
    fn advance(&mut self, warnings: &mut Vec<Warning>) -> Option<i64> {
        if self.ended {
            return None;
        }
        match self.format.next(&mut self.window) {
            Ok(Some(head)) => {
                let time = head.time;
                self.head = Some(head);
                Some(time)
            }
            Ok(None) => {
                self.end(None, warnings);
                None
            }
            Err(damage) => {
                self.end(Some(damage), warnings);
                None
            }
        }
    }

    #[inline]
    fn frame(&self, number: u64, index: usize) -> Option<Frame<'_>> {
        let head = self.head.as_ref()?;
        let bytes = self.window.at(head.range.clone());
        let byte_range = self.rereadable.then_some(ByteRange {
            source: index as u16,
            length: bytes.len() as u32,
            offset: head.offset,
        });
        let FrameHead { time, link, fcs, wire_length, .. } = *head;
        let comments =
            Comments(BlockOptions::new(self.window.at(head.options.clone()), head.order));
        Some(Frame {
            number,
            time,
            link,
            fcs,
            bytes,
            wire_length,
            byte_range,
            comments,
            interface: 0,
            input: index as u16,
        })
    }

    /// If the stream failed, that is the reason why something is cut short.
    #[cold]
    fn end(&mut self, damage: Option<Damage>, warnings: &mut Vec<Warning>) {
        self.ended = true;
        self.head = None;
        let damage = match damage {
            None | Some(Damage::CutHeader | Damage::CutPacket | Damage::CutBlock) => {
                self.window.failure().map(|why| Damage::Stream(why.to_owned())).or(damage)
            }
            other => other,
        };
        if let Some(skipped) = self.format.skipped() {
            let (input, offset) = (self.name.clone(), skipped.offset);
            warnings.push(Warning { input, offset, damage: Damage::Skipped(Box::new(skipped)) });
        }
        if let Some((offset, count)) = self.format.joined() {
            let input = self.name.clone();
            warnings.push(Warning { input, offset, damage: Damage::Joined(count) });
        }
        if self.window.has_trailing() {
            let (input, offset) = (self.name.clone(), self.window.offset());
            warnings.push(Warning { input, offset, damage: Damage::Trailing });
        }
        if let Some(damage) = damage {
            let (input, offset) = (self.name.clone(), self.window.marked());
            warnings.push(Warning { input, offset, damage });
        }
    }
}
