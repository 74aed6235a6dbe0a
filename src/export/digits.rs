//! Numbers and addresses as text, without the formatting machinery: a list of servers has
//! hundreds, and a capture thousands of lists.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};

/// Appends a number in decimal digits.
pub(super) fn push_number(out: &mut String, number: u64) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// Appends a number that may be negative.
pub(super) fn push_signed(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    push_number(out, number.unsigned_abs());
}

/// Appends an address.
pub(super) fn push_ip(out: &mut String, ip: IpAddr) {
    match ip {
        IpAddr::V4(ip) => {
            for (n, octet) in ip.octets().into_iter().enumerate() {
                out.push_str(if n == 0 { "" } else { "." });
                push_number(out, octet.into());
            }
        }
        IpAddr::V6(ip) => _ = write!(out, "{ip}"),
    }
}

/// Appends `ADDRESS:PORT`, an IPv6 address in brackets.
pub(super) fn push_endpoint(out: &mut String, end: SocketAddr) {
    let (open, close) = if end.is_ipv6() { ("[", "]") } else { ("", "") };
    out.push_str(open);
    push_ip(out, end.ip());
    out.push_str(close);
    out.push(':');
    push_number(out, end.port().into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_that_the_library_writes() {
        for number in [0, 9, 10, 99, 100, 27960, u64::MAX / 10, u64::MAX] {
            let mut out = String::new();
            push_number(&mut out, number);
            assert_eq!(out, number.to_string());
        }
        for number in [0, -1, 10, i64::MIN, i64::MAX] {
            let mut out = String::new();
            push_signed(&mut out, number);
            assert_eq!(out, number.to_string());
        }
        for end in ["0.0.0.0:0", "192.0.2.255:65535", "[::]:0", "[2001:db8::7]:27960"] {
            let mut out = String::new();
            push_endpoint(&mut out, end.parse().unwrap());
            assert_eq!(out, end);
        }
    }
}
