//! Addresses of resources: `debug://session/NAME/output`. `snake://commands/cli` is another address
//! of `debug://adapters/snake/cli`.
//!
//! Refuses to know whether a session, a file or an adapter exists.

use std::fmt;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::super::compat;

/// The scheme of all addresses.
const SCHEME: &str = "debug://";

/// RFC 3986, section 3.3: characters that a segment of a path writes as they are, and `/`.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The address of a resource.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Address {
    /// All sessions.
    Sessions,
    /// A part of a session.
    Session(String, SessionPart),
    /// A source file of a session's program: absolute, or relative to the workspace.
    Source { session: String, path: String },
    /// All adapters.
    Adapters,
    /// A document of an adapter.
    Document { adapter: String, document: String },
    /// The answer of a family's tool.
    OfFamily(&'static compat::Resource),
    /// A source file of the current session's program, by the address of a family.
    CurrentSource(String),
}

/// A part of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SessionPart {
    Status,
    Output,
    Log,
}

impl SessionPart {
    pub const ALL: [Self; 3] = [Self::Status, Self::Output, Self::Log];

    fn suffix(self) -> &'static str {
        match self {
            Self::Status => "",
            Self::Output => "/output",
            Self::Log => "/log",
        }
    }
}

impl Address {
    /// Reads an address; `None` if it is none of these.
    pub fn parse(uri: &str) -> Option<Self> {
        let Some(rest) = uri.strip_prefix(SCHEME) else {
            return of_family(uri).or_else(|| commands(uri));
        };
        match rest {
            "sessions" => return Some(Self::Sessions),
            "adapters" => return Some(Self::Adapters),
            _ => {}
        }
        if let Some(rest) = rest.strip_prefix("adapters/") {
            let (adapter, document) = rest.split_once('/')?;
            return Self::document(adapter, document);
        }
        let rest = rest.strip_prefix("session/")?;
        if let Some((session, path)) = rest.split_once("/source/") {
            let (session, path) = (name(session)?, decoded(path)?);
            return (!path.is_empty()).then_some(Self::Source { session, path });
        }
        let (session, part) = match rest.split_once('/') {
            None => (rest, SessionPart::Status),
            Some((session, "output")) => (session, SessionPart::Output),
            Some((session, "log")) => (session, SessionPart::Log),
            Some(_) => return None,
        };
        Some(Self::Session(name(session)?, part))
    }

    fn document(adapter: &str, document: &str) -> Option<Self> {
        Some(Self::Document { adapter: name(adapter)?, document: name(document)? })
    }
}

/// The address of a family.
fn of_family(uri: &str) -> Option<Address> {
    if let Some(resource) = compat::resources().find(|resource| resource.uri == uri) {
        return Some(Address::OfFamily(resource));
    }
    let path = decoded(uri.strip_prefix(current_source())?)?;
    (!path.is_empty()).then_some(Address::CurrentSource(path))
}

/// `debugger://source/`.
fn current_source() -> &'static str {
    let (_, template) = compat::SOURCE;
    template.split('{').next().unwrap_or(template)
}

/// The address of a document whose scheme is the name of its adapter.
fn commands(uri: &str) -> Option<Address> {
    let (adapter, path) = uri.split_once("://")?;
    Address::document(adapter, path.strip_prefix("commands/")?)
}

/// One segment that is not empty.
fn name(segment: &str) -> Option<String> {
    let name = decoded(segment)?;
    (!name.is_empty() && !segment.contains('/')).then_some(name)
}

fn decoded(text: &str) -> Option<String> {
    Some(percent_decode_str(text).decode_utf8().ok()?.into_owned())
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sessions => write!(f, "{SCHEME}sessions"),
            Self::Session(session, part) => {
                write!(f, "{SCHEME}session/{}{}", encoded(session), part.suffix())
            }
            Self::Source { session, path } => {
                write!(f, "{SCHEME}session/{}/source/{}", encoded(session), encoded(path))
            }
            Self::Adapters => write!(f, "{SCHEME}adapters"),
            Self::Document { adapter, document } => {
                write!(f, "{SCHEME}adapters/{}/{}", encoded(adapter), encoded(document))
            }
            Self::OfFamily(resource) => f.write_str(resource.uri),
            Self::CurrentSource(path) => {
                write!(f, "{}{}", current_source(), encoded(path))
            }
        }
    }
}

fn encoded(text: &str) -> impl fmt::Display {
    utf8_percent_encode(text, ENCODED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        let session = || "snake-1".to_owned();
        let source = |path: &str| Address::Source { session: session(), path: path.to_owned() };
        for (uri, address) in [
            ("debug://sessions", Address::Sessions),
            ("debug://adapters", Address::Adapters),
            (
                "debug://adapters/snake/cli",
                Address::Document { adapter: "snake".into(), document: "cli".into() },
            ),
            ("debug://session/snake-1", Address::Session(session(), SessionPart::Status)),
            ("debug://session/snake-1/output", Address::Session(session(), SessionPart::Output)),
            ("debug://session/snake-1/log", Address::Session(session(), SessionPart::Log)),
            ("debug://session/snake-1/source/a/b.x", source("a/b.x")),
            ("debug://session/snake-1/source//tmp/a%20b%25.x", source("/tmp/a b%.x")),
            ("debugger://source/a/b.x", Address::CurrentSource("a/b.x".to_owned())),
        ] {
            assert_eq!(Address::parse(uri).as_ref(), Some(&address), "{uri}");
            assert_eq!(address.to_string(), uri);
        }
    }

    #[test]
    fn scheme_of_a_document_may_be_its_adapter() {
        let document = Address::Document { adapter: "snake".into(), document: "cli".into() };
        assert_eq!(Address::parse("snake://commands/cli"), Some(document));
    }

    #[test]
    fn addresses_of_families_are_read_as_they_are_written() {
        for resource in compat::resources() {
            let address = Address::parse(resource.uri).expect(resource.uri);
            assert_eq!(address, Address::OfFamily(resource));
            assert_eq!(address.to_string(), resource.uri);
        }
    }

    #[test]
    fn other_addresses_are_none() {
        for uri in [
            "",
            "debug://",
            "debug://session",
            "debug://session/",
            "debug://session//output",
            "debug://session/a/b",
            "debug://session/a/source/",
            "debug://session/%ff",
            "debug://sessions/",
            "debug://adapters/snake",
            "debug://adapters/snake/cli/x",
            "debug://commands/cli",
            "debugger://source/",
            "debugger://sessions",
            "snake://commands",
            "snake://commands/cli/x",
            "snake://other/cli",
            "://commands/cli",
            "file:///etc/passwd",
        ] {
            assert_eq!(Address::parse(uri), None, "{uri}");
        }
    }
}
