//! Fragshark: what game master servers, game servers and clients send to each other.
//!
//! The front door: each module is a crate of its own, `fragshark-codec` for [`codec`], which may be
//! used alone. [`codec`], [`protocol`] and [`protocols`] read and write messages, [`net`] and
//! [`capture`] read packets, [`flow`] and [`analysis`] tell games, exchanges and findings,
//! [`render`] turns messages into [`text`], [`families`] has what simulated servers and clients say.
//! The program uses further crates, whose interfaces change without notice.
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
//!     reading.read_message(header.entry, payload);
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
