//! `fragshark watch` beside other programs: what it sends, as tcpdump counts it, its view in a
//! terminal, and Prometheus.

mod packets;
mod prometheus;
mod view;
