//! From frames to messages: the pipeline that ties capture, net, flow and proto together, and the
//! store that views read.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod message;

pub use message::Message;
