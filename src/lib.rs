//! Fragshark: what game master servers, game servers and clients send to each other.
//!
//! The modules are in reading order, the lowest layer first; a module uses only those before it.
//! [`codec`], [`mod@protocol`] and [`protocols`] read and write messages, [`net`] and [`capture`] read
//! packets, [`flow`] and [`analysis`] tell games, exchanges and findings, [`render`] turns messages
//! into text. What else is public belongs to the program `fragshark`, changes without notice, and is
//! not documented here.
//!
//! This prints the messages of a capture with their fields:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use fragshark::analysis::Pipeline;
//! use fragshark::capture::Input;
//! use fragshark::protocol::Reading;
//! use fragshark::render::{Rendered, Separators};
//! use fragshark::text::Secrets;
//!
//! let input = Input::File("captures/tour.pcapng".into());
//! let mut pipeline = Pipeline::open(vec![input], Vec::new())?;
//! let mut reading = Reading::default();
//! pipeline.messages(|message| {
//!     let (header, payload) = (&message.header, message.payload);
//!     println!("{} {} > {}: {}", header.number, header.source, header.destination, header.name);
//!     reading.read(header.entry, payload);
//!     let decoded = Rendered::new(&reading, payload, Secrets::Masked);
//!     for line in decoded.tree(Separators::Hidden) {
//!         println!("  {}: {}", line.label, line.value);
//!     }
//!     ControlFlow::<()>::Continue(())
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(inline)]
pub use simulate::families;
pub use {analysis, capture, codec, flow, net, protocol, protocols, render, text};
