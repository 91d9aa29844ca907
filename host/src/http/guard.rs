//! The checks of a request: `Host`, `Origin`, token, path.
//!
//! A page of a browser reaches loopback, too, by a name that its author makes point there (DNS
//! rebinding): so `Host` and `Origin` are checked, with or without a token. Refuses to know bodies.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN, WWW_AUTHENTICATE};
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Request, StatusCode, Uri};

use super::{Refusal, Token};

/// Where MCP is served.
pub const PATH: &str = "/mcp";

/// What is served, for clients of anything else.
const SERVED: &str = "dapdock serves MCP by streamable HTTP at /mcp; the older transport of HTTP \
    with SSE (2024-11-05) is not offered";

/// Who may send requests.
pub struct Guard {
    /// The name or address that the server listens on, as its user wrote it.
    name: Option<String>,
    token: Option<Token>,
}

impl Guard {
    /// Without a token everybody who can connect may send requests.
    pub fn new(name: Option<String>, token: Option<Token>) -> Self {
        Self { name, token }
    }

    /// `local`: the address of the server that the client has connected to.
    pub(super) fn check<B>(&self, request: &Request<B>, local: SocketAddr) -> Result<(), Refusal> {
        let own = self.host(request, local)?;
        check_origin(request.headers(), &own)?;
        self.check_token(request.headers())?;
        if request.uri().path() == PATH {
            Ok(())
        } else {
            Err(Refusal::new(StatusCode::NOT_FOUND, SERVED))
        }
    }

    /// The `Host` of a request, which must be this server.
    fn host<B>(&self, request: &Request<B>, local: SocketAddr) -> Result<Authority, Refusal> {
        let bad = |why: &str| Refusal::new(StatusCode::BAD_REQUEST, why);
        let Some(host) = single(request.headers(), &HOST)? else {
            return Err(bad("the header Host is missing"));
        };
        let host: Authority = host.parse().map_err(|_| bad("the header Host is no host"))?;
        for named in [Some(&host), request.uri().authority()].into_iter().flatten() {
            if !self.is_own(named, local) {
                let text = format!("Host {named} is not this server, which is {local}");
                return Err(Refusal::new(StatusCode::FORBIDDEN, text));
            }
        }
        Ok(host)
    }

    fn is_own(&self, host: &Authority, local: SocketAddr) -> bool {
        let is_loopback = local.ip().to_canonical().is_loopback();
        let is_named = self.name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(bare(host)));
        let fits = match address(host) {
            Some(ip) => ip == local.ip().to_canonical() || (is_loopback && ip.is_loopback()),
            None => is_named || (is_loopback && is_localhost(host)),
        };
        fits && !host.as_str().contains('@') && host.port_u16().unwrap_or(80) == local.port()
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(token) = &self.token else { return Ok(()) };
        let refused = |why: &str| {
            let refusal = Refusal::new(StatusCode::UNAUTHORIZED, why);
            Err(refusal.with(WWW_AUTHENTICATE, "Bearer"))
        };
        let Some(credentials) = headers.get(AUTHORIZATION) else {
            return refused("the header `Authorization: Bearer TOKEN` is missing");
        };
        // RFC 9110, section 11.1: the scheme has no case.
        let (scheme, candidate) = credentials.as_bytes().split_at(credentials.len().min(7));
        if scheme.eq_ignore_ascii_case(b"bearer ") && token.fits(candidate.trim_ascii()) {
            Ok(())
        } else {
            refused("the token is not that of this server: the one it printed, or of its file")
        }
    }
}

/// `Origin` is of browsers: it must be a page of this machine or of this server.
fn check_origin(headers: &HeaderMap, own: &Authority) -> Result<(), Refusal> {
    let Some(origin) = single(headers, &ORIGIN)? else { return Ok(()) };
    let parsed = origin.parse::<Uri>().ok();
    let from = parsed.as_ref().filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")));
    let from = from.and_then(Uri::authority);
    let fits = |from: &Authority| {
        address(from).is_some_and(|ip| ip.is_loopback()) || is_localhost(from) || from == own
    };
    if from.is_some_and(fits) {
        Ok(())
    } else {
        let text = "the header Origin names another site";
        Err(Refusal::new(StatusCode::FORBIDDEN, text))
    }
}

/// The value of a header that may stand once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let bad = |why: &str| Refusal::new(StatusCode::BAD_REQUEST, format!("the header {name} {why}"));
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(bad("stands twice"));
    }
    Ok(Some(value.to_str().map_err(|_| bad("is no text"))?))
}

/// The host without its port and brackets.
fn bare(host: &Authority) -> &str {
    host.host().trim_matches(['[', ']'])
}

fn address(host: &Authority) -> Option<IpAddr> {
    bare(host).parse().ok().map(|ip: IpAddr| ip.to_canonical())
}

fn is_localhost(host: &Authority) -> bool {
    bare(host).eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOPBACK: &str = "127.0.0.1:4000";

    /// The status of a request with headers, 200 if it passes.
    fn status(guard: &Guard, local: &str, uri: &str, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).unwrap();
        guard.check(&request, local.parse().unwrap()).map_or_else(|it| it.status.as_u16(), |()| 200)
    }

    #[test]
    fn host_is_this_server() {
        let open = Guard::new(None, None);
        for (local, host, expected) in [
            (LOOPBACK, "127.0.0.1:4000", 200),
            (LOOPBACK, "localhost:4000", 200),
            (LOOPBACK, "LocalHost:4000", 200),
            (LOOPBACK, "[::1]:4000", 200),
            (LOOPBACK, "127.0.0.1:4001", 403),
            (LOOPBACK, "localhost", 403),
            ("127.0.0.1:80", "localhost", 200),
            (LOOPBACK, "evil", 403),
            (LOOPBACK, "evil:4000", 403),
            (LOOPBACK, "localhost.evil:4000", 403),
            (LOOPBACK, "evil@localhost:4000", 403),
            (LOOPBACK, "10.0.0.5:4000", 403),
            (LOOPBACK, "", 400),
            ("10.0.0.5:4000", "10.0.0.5:4000", 200),
            ("[::ffff:10.0.0.5]:4000", "10.0.0.5:4000", 200),
            ("10.0.0.5:4000", "localhost:4000", 403),
            ("10.0.0.5:4000", "box:4000", 403),
        ] {
            assert_eq!(status(&open, local, PATH, &[("host", host)]), expected, "{local} {host}");
        }
        let named = Guard::new(Some("box".to_owned()), None);
        assert_eq!(status(&named, "10.0.0.5:4000", PATH, &[("host", "Box:4000")]), 200);
        let evil = "http://evil:4000/mcp";
        assert_eq!(status(&open, LOOPBACK, evil, &[("host", LOOPBACK)]), 403);
        assert_eq!(status(&open, LOOPBACK, PATH, &[]), 400);
        assert_eq!(status(&open, LOOPBACK, PATH, &[("host", LOOPBACK), ("host", "evil")]), 400);
    }

    #[test]
    fn origin_is_this_machine_or_this_server() {
        let open = Guard::new(Some("box".to_owned()), None);
        for (host, origin, expected) in [
            (LOOPBACK, "http://localhost:6274", 200),
            (LOOPBACK, "https://127.0.0.1", 200),
            (LOOPBACK, "http://[::1]:1", 200),
            (LOOPBACK, "http://evil", 403),
            (LOOPBACK, "http://evil:4000", 403),
            (LOOPBACK, "null", 403),
            (LOOPBACK, "file://localhost", 403),
            (LOOPBACK, "", 403),
            ("box:4000", "http://box:4000", 200),
            ("box:4000", "http://box:4001", 403),
        ] {
            let headers = [("host", host), ("origin", origin)];
            assert_eq!(status(&open, LOOPBACK, PATH, &headers), expected, "{host} {origin}");
        }
    }

    #[test]
    fn token_is_the_one_of_this_server() {
        let token = Token::random().unwrap();
        let good = format!("Bearer {}", token.text());
        let lower = format!("bearer  {}", token.text());
        let guard = Guard::new(None, Some(token));
        let wrong = format!("{}0", &good[..good.len() - 1]);
        let basic = good.replace("Bearer", "Basic");
        for (value, expected) in
            [(&good, 200), (&lower, 200), (&basic, 401), (&good.replace(' ', ""), 401)]
        {
            let headers = [("host", LOOPBACK), ("authorization", value.as_str())];
            assert_eq!(status(&guard, LOOPBACK, PATH, &headers), expected, "{value}");
        }
        if wrong != good {
            let headers = [("host", LOOPBACK), ("authorization", wrong.as_str())];
            assert_eq!(status(&guard, LOOPBACK, PATH, &headers), 401);
        }
        assert_eq!(status(&guard, LOOPBACK, PATH, &[("host", LOOPBACK)]), 401);
        // Nobody without the token sees what else there is.
        assert_eq!(status(&guard, LOOPBACK, "/sse", &[("host", LOOPBACK)]), 401);
    }

    #[test]
    fn other_paths_name_the_transport() {
        let open = Guard::new(None, None);
        for path in ["/", "/sse", "/mcp/", "/messages"] {
            assert_eq!(status(&open, LOOPBACK, path, &[("host", LOOPBACK)]), 404, "{path}");
        }
    }
}
