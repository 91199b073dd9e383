//! The origin of a request: the client address, read from headers of trusted proxies, and the user agent.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::{
    extract::{ConnectInfo, FromRequestParts, Request, State},
    http::{Extensions, HeaderMap, header, request::Parts},
    middleware::Next,
    response::Response,
};
use ipnet::IpNet;

use super::{api::Api, cookies, error::ApiError};
use crate::{
    auth::RequestInfo,
    domain::accounts::sign_in::Visitor,
    schedule::{self, QueueKey},
};

impl FromRequestParts<Api> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        Ok(visitor(&parts.headers, &parts.extensions, &api.settings.trusted_proxies))
    }
}

/// Adds the [`Visitor`] to requests for pages, which are not part of the API.
pub(super) async fn introduce(State(api): State<Api>, mut request: Request, next: Next) -> Response {
    let visitor = visitor(request.headers(), request.extensions(), &api.settings.trusted_proxies);
    request.extensions_mut().insert(visitor);
    next.run(request).await
}

/// Schedules the jobs of a request under the client's address until the credential is read, and records the address for
/// the log and for audit events.
pub(super) async fn schedule(State(api): State<Api>, request: Request, next: Next) -> Response {
    let visitor = visitor(request.headers(), request.extensions(), &api.settings.trusted_proxies);
    if let Some(request_info) = request.extensions().get::<RequestInfo>() {
        request_info.client(visitor.address);
    }
    schedule::scope(QueueKey::address(visitor.address), next.run(request)).await
}

fn visitor(headers: &HeaderMap, extensions: &Extensions, trusted: &[IpNet]) -> Visitor {
    // Without a connection, the router is called within this process.
    let peer = extensions.get().map(|ConnectInfo(peer): &ConnectInfo<SocketAddr>| peer.ip());
    let peer = peer.unwrap_or(Ipv4Addr::LOCALHOST.into());
    let user_agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    Visitor {
        address: address(peer, headers, trusted),
        user_agent: user_agent.map(str::to_owned),
        device: cookies::device_of(headers),
    }
}

/// The rightmost address that is not a trusted proxy. Clients can forge everything to the left of it.
fn address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut address = peer.to_canonical();
    let hops = headers.get_all("x-forwarded-for").iter().rev();
    let mut hops = hops.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
    while is_trusted(&address) {
        match hops.next().and_then(|hop| parse(hop.trim())) {
            Some(before) => address = before,
            None => break,
        }
    }
    address
}

/// Parses an IP address with an optional port.
fn parse(hop: &str) -> Option<IpAddr> {
    let address = hop.parse::<IpAddr>().or_else(|_| hop.parse::<SocketAddr>().map(|address| address.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_determine_the_client_address() {
        let trusted: Vec<IpNet> =
            ["127.0.0.1/32", "10.0.0.0/8", "2001:db8::/32"].map(|net| net.parse().unwrap()).into();
        let of = |peer: &str, forwarded: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in forwarded {
                headers.append("x-forwarded-for", value.parse().unwrap());
            }
            address(peer.parse().unwrap(), &headers, &trusted).to_string()
        };
        assert_eq!(of("192.0.2.1", &["198.51.100.7"]), "192.0.2.1", "any client can send the header");
        assert_eq!(of("127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(of("127.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(of("::ffff:127.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(of("127.0.0.1", &["1.2.3.4, 198.51.100.7, 10.0.0.2"]), "198.51.100.7", "1.2.3.4 is made up");
        assert_eq!(of("127.0.0.1", &["1.2.3.4", "198.51.100.7", "10.0.0.2"]), "198.51.100.7");
        assert_eq!(of("127.0.0.1", &["198.51.100.7, nonsense"]), "127.0.0.1");
        assert_eq!(of("2001:db8::1", &["[2001:470::9]:443, 10.1.2.3:80"]), "2001:470::9");
    }
}
