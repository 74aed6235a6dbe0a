//! The kernel's count of datagrams dropped before the target read them.

use std::net::SocketAddr;

/// Datagrams dropped so far at this machine's sockets on these ports: `drops`, the last column of
/// Linux's `/proc/net/udp` and `udp6`. Zero for a target on another machine, and on other systems.
pub(super) fn dropped(targets: &[SocketAddr]) -> u64 {
    let tables = ["/proc/net/udp", "/proc/net/udp6"];
    let texts = tables.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.map(|text| in_table(&text, targets)).sum()
}

/// The sum of one table: `sl local_address rem_address … drops`, with the local address in
/// hexadecimal, its port after a colon.
fn in_table(text: &str, targets: &[SocketAddr]) -> u64 {
    let drops = text.lines().skip(1).filter_map(|line| {
        let mut columns = line.split_ascii_whitespace();
        let (_, port) = columns.nth(1)?.rsplit_once(':')?;
        let port = u16::from_str_radix(port, 16).ok()?;
        let drops = columns.next_back()?.parse::<u64>().ok()?;
        targets.iter().any(|target| target.port() == port).then_some(drops)
    });
    drops.sum()
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    #[test]
    fn drops_of_a_port_are_summed() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n\
             1: 0100007F:6D2E 00000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 1 2 0 7\n\
             2: 0200007F:6D2E 00000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 1 2 0 5\n\
             3: 0100007F:6D2F 00000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 1 2 0 9\n";
        let target = "127.0.0.1:27950".parse().unwrap();
        assert_eq!(in_table(table, &[target]), 12);
        assert_eq!(in_table("", &[target]), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_socket_that_is_not_read_drops() {
        let target = UdpSocket::bind("127.0.0.1:0").unwrap();
        let at = target.local_addr().unwrap();
        let sender = UdpSocket::bind("127.0.0.1:0").unwrap();
        let before = dropped(&[at]);
        for _ in 0..5000 {
            sender.send_to(&[0; 512], at).unwrap();
        }
        assert!(dropped(&[at]) > before);
    }
}
