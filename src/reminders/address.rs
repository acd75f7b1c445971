//! Addresses that a webhook may be sent to.
//!
//! The address is the operator's own, so a private one may be meant: as it is written, or as the name
//! that leads there. A name that led to the internet when it was first looked up does not lead into
//! the network of this server later.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, OnceLock};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Looks up names as the system does, and leaves out what a name must not lead to.
#[derive(Debug, Clone, Default)]
pub(super) struct GuardedResolver {
    /// Set once the name was looked up: true where it led to a private address when it was first looked up.
    private: Arc<OnceLock<bool>>,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let private = Arc::clone(&self.private);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.collect();
            let meant = found.iter().all(|address| is_private(address.ip()));
            let meant = *private.get_or_init(|| meant && !found.is_empty());
            let allowed = |address: &SocketAddr| meant || !is_private(address.ip());
            let allowed: Vec<SocketAddr> = found.into_iter().filter(allowed).collect();
            if allowed.is_empty() {
                let text = format!("{} leads to a private address now", name.as_str());
                return Err(io::Error::other(text).into());
            }
            let addresses: Addrs = Box::new(allowed.into_iter());
            Ok(addresses)
        })
    }
}

/// Tells whether an address is none of the internet.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => is_private_v4(address),
            None => is_private_v6(address),
        },
    }
}

const fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_unspecified()
        || address.is_broadcast()
        || address.is_multicast()
        || address.is_documentation()
        // Shared by carriers; "this network"; benchmarks; reserved.
        || (a == 100 && b >> 6 == 1)
        || a == 0
        || (a == 198 && b >> 1 == 9)
        || a >= 240
}

const fn is_private_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        // Unique local, link-local, and IPv4 in other coats.
        || a & 0xfe00 == 0xfc00
        || a & 0xffc0 == 0xfe80
        || (a == 0x64 && b == 0xff9b)
        || a == 0x2002
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_no_public_host_are_private() {
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "172.16.0.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fc00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "ff02::1",
        ] {
            assert!(is_private(private.parse().unwrap()), "{private}");
        }
        for public in ["1.1.1.1", "93.184.215.14", "100.128.0.1", "2606:4700::1111"] {
            assert!(!is_private(public.parse().unwrap()), "{public}");
        }
    }

    #[tokio::test]
    async fn a_name_that_led_outside_never_leads_inside() {
        let inside = GuardedResolver::default();
        let name = || "localhost".parse().unwrap();
        assert!(inside.resolve(name()).await.is_ok());
        let rebound = GuardedResolver::default();
        rebound.private.set(false).unwrap();
        assert!(rebound.resolve(name()).await.is_err());
    }
}
