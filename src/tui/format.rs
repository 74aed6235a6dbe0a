//! How values are written on every screen.

use crate::render::Separators;
use crate::text::TimeDisplay;

/// The selected formats.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub times: TimeDisplay,
    pub texts: TextDisplay,
    pub separators: Separators,
}

/// How texts with colour codes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextDisplay {
    /// Without the codes, in their colours.
    Coloured,
    AsSent,
}

impl TextDisplay {
    pub fn next(self) -> Self {
        match self {
            Self::Coloured => Self::AsSent,
            Self::AsSent => Self::Coloured,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Coloured => "texts in their colours",
            Self::AsSent => "texts with their colour codes",
        }
    }
}
