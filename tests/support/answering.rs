//! A UDP server of a test on loopback.

use std::net::{SocketAddr, UdpSocket};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Answers each datagram at an address of its own, while `asks` runs; the datagrams that came, and
/// what `asks` gave.
pub fn answering<T>(
    answer: impl Fn(&[u8]) -> Vec<Vec<u8>> + Send,
    asks: impl FnOnce(SocketAddr) -> T,
) -> (Vec<Vec<u8>>, T) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let over = &AtomicBool::new(false);
    thread::scope(|scope| {
        let server = scope.spawn(move || {
            let (mut asked, mut buffer) = (Vec::new(), [0; 2048]);
            loop {
                let Ok((length, from)) = socket.recv_from(&mut buffer) else {
                    if over.load(Ordering::SeqCst) {
                        return asked;
                    }
                    continue;
                };
                asked.push(buffer[..length].to_vec());
                for answer in answer(&buffer[..length]) {
                    socket.send_to(&answer, from).unwrap();
                }
            }
        });
        // A failure ends the server too.
        let given = catch_unwind(AssertUnwindSafe(|| asks(address)));
        over.store(true, Ordering::SeqCst);
        let asked = server.join().unwrap();
        (asked, given.unwrap_or_else(|failure| resume_unwind(failure)))
    })
}
