//! Registers a Quake III server with a master: sends a heartbeat and answers the master's requests.
//!
//! ```text
//! fragshark master --only quake3 --allow-loopback &
//! cargo run --example answer_master 127.0.0.1:27950
//! ```

use std::env;
use std::error::Error;
use std::net::UdpSocket;
use std::time::Duration;

use fragshark::families::quake3::messages as quake3;

fn main() -> Result<(), Box<dyn Error>> {
    let master = env::args().nth(1).ok_or("usage: answer_master HOST:PORT")?;
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.connect(master)?;
    socket.set_read_timeout(Some(Duration::from_secs(2)))?;
    socket.send(&quake3::heartbeat("QuakeArena-1"))?;

    let info = quake3::server_info("68").with("hostname", "An example");
    let mut buffer = [0; 2048];
    let length = socket.recv(&mut buffer)?;
    let request = buffer.get(..length).unwrap_or_default();
    println!("request: {}", request.escape_ascii());
    let answer = quake3::answer(&info, request).ok_or("not a request for information")?;
    println!("answer: {}", answer.escape_ascii());
    socket.send(&answer)?;
    Ok(())
}
