//! Text for display and output, on any subject: escapes, widths, numbers, times.
//!
//! *Invariant:* the results of [`escaped`] and [`shown`] have no control characters.
//!
//! It knows no packet, no protocol and no command.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod columns;
pub mod digits;
mod duration;
mod escape;
mod figures;
mod named;
mod nearest;
mod time;
mod time_display;
mod zone;

pub use columns::wrapped_letters;
pub use columns::{fit, fit_address, fit_end, fit_middle, width, wrapped};
pub use digits::{counted, numbered, numbered_lines};
pub use duration::{duration, duration_of, latency, parse_duration, parse_option};
pub use escape::{MASK, Secrets, escaped, escaped_lines, is_hidden, latin, shown};
pub use escape::{as_latin, as_utf8, escaped_bytes, is_latin, is_printable, unescaped, utf8};
pub use figures::{grouped, percent, round_up};
pub use nearest::{nearest, suggested};
pub use time::{NO_TIME, has_time, parse_time, seconds, since, time_of_day, utc};
pub use time_display::TimeDisplay;
pub use zone::{Zone, local_date, local_time_of_day};
