//! The order in which a master lists servers, from several of its lists: a trait of
//! implementations.

use std::net::SocketAddr;

use crate::Failure;

/// Servers that are registered to observe their order.
pub const FEW: usize = 6;
/// Lists that are compared.
pub const LISTS: usize = 4;

/// The order of servers that registered one after the other in lists that were requested one after
/// the other. Other servers are left out; so are lists that lack one of them.
pub fn order_of(registered: &[SocketAddr], lists: &[Vec<SocketAddr>]) -> Result<String, Failure> {
    let ours = |list: &Vec<SocketAddr>| -> Vec<SocketAddr> {
        list.iter().filter(|server| registered.contains(server)).copied().collect()
    };
    let mut orders = lists.iter().map(ours).filter(|order| order.len() == registered.len());
    let Some(first) = orders.next() else {
        return Err(Failure::blocked("no list holds all servers that registered"));
    };
    if orders.any(|order| order != first) {
        return Ok("another for each request".to_owned());
    }
    Ok(if first == registered {
        "as they registered"
    } else if first.iter().rev().eq(registered) {
        "the latest first"
    } else {
        "its own, the same for each request"
    }
    .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_derived_from_several_lists() {
        let server = |n: u16| SocketAddr::from(([127, 0, 0, 1], n));
        let some = |ports: &[u16]| ports.iter().map(|n| server(*n)).collect::<Vec<_>>();
        let registered = some(&[3, 1, 2]);
        for (lists, expected) in [
            (&[&[3, 1, 9, 2][..], &[3, 1, 2]][..], "as they registered"),
            (&[&[2, 1, 3], &[2, 1, 3]], "the latest first"),
            (&[&[1, 3, 2], &[1, 3, 2]], "its own, the same for each request"),
            (&[&[1, 3, 2], &[3, 1, 2]], "another for each request"),
            (&[&[1, 3], &[3, 1, 2]], "as they registered"),
        ] {
            let lists: Vec<_> = lists.iter().map(|list| some(list)).collect();
            assert_eq!(order_of(&registered, &lists).unwrap(), expected, "{lists:?}");
        }
        assert!(order_of(&registered, &[some(&[1, 3])]).is_err());
    }
}
