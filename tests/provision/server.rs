//! A server of files and npm packages on this machine, and the user's own curl and npm configured
//! to use it like a mirror. It knows no pins but those of the guest `pinned`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::User;

/// The path of the package's metadata in npm's requests.
const PACKAGE: &str = "/@dapdock-tests%2fpinned";

/// Serves its files, and 404 for everything else.
pub(super) struct Server {
    pub port: u16,
    files: BTreeMap<&'static str, Vec<u8>>,
    /// The requested paths.
    requested: Mutex<Vec<String>>,
    /// Each response takes one permit.
    permits: Semaphore,
}

impl Server {
    /// A server that responds at once.
    pub async fn with(files: &[(&'static str, &[u8])]) -> Arc<Self> {
        Self::start(files, Semaphore::MAX_PERMITS).await
    }

    /// A server that responds this many times, and then once for each [`Server::answer`].
    pub async fn start(files: &[(&'static str, &[u8])], answers: usize) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let files = files.iter().map(|(path, bytes)| (*path, bytes.to_vec())).collect();
        let server = Arc::new(Self {
            port,
            files,
            requested: Mutex::default(),
            permits: Semaphore::new(answers),
        });
        let own = server.clone();
        #[expect(clippy::disallowed_methods, reason = "no task of the host")]
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let own = own.clone();
                tokio::spawn(async move { own.serve(stream).await });
            }
        });
        server
    }

    pub fn answer(&self) {
        self.permits.add_permits(1);
    }

    /// The requested paths, in order.
    pub fn requested(&self) -> Vec<String> {
        self.requested.lock().unwrap().clone()
    }

    async fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut stream = BufReader::new(stream);
        let (mut first, mut line) = (String::new(), String::new());
        stream.read_line(&mut first).await?;
        while !matches!(line.as_str(), "\r\n" | "\n") {
            line.clear();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
        }
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        self.requested.lock().unwrap().push(path.clone());
        self.permits.acquire().await.unwrap().forget();
        let (status, body) = match self.body(&path) {
            Some(body) => ("200 OK", body),
            None => ("404 Not Found", b"there is no such file".to_vec()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(&body).await?;
        stream.shutdown().await
    }

    fn body(&self, path: &str) -> Option<Vec<u8>> {
        match self.files.get("/package.tgz") {
            Some(_) if path.eq_ignore_ascii_case(PACKAGE) => Some(self.packument()),
            _ => self.files.get(path).cloned(),
        }
    }

    /// The package's metadata in a registry's form.
    fn packument(&self) -> Vec<u8> {
        let name = "@dapdock-tests/pinned";
        let tarball = format!("http://127.0.0.1:{}/package.tgz", self.port);
        let version = json!({"name": name, "version": "1.0.0", "dist": {"tarball": tarball}});
        let tags = json!({"latest": "1.0.0"});
        json!({"name": name, "dist-tags": tags, "versions": {"1.0.0": version}})
            .to_string()
            .into_bytes()
    }

    /// A user whose curl and npm use this server, and whose configuration names the plugin.
    pub fn user(&self) -> User {
        let user = User::with(&[]);
        let (port, path) = (self.port, std::env::var("PATH").unwrap());
        let curl = format!(
            "for word; do shift; case \"$word\" in\n\
             https://files.test/*) set -- \"$@\" \
             \"http://127.0.0.1:{port}/${{word#https://files.test/}}\" ;;\n\
             =https) set -- \"$@\" =http ;;\n\
             *) set -- \"$@\" \"$word\" ;;\n\
             esac; done\n\
             exec '{}' \"$@\"",
            real("curl").display()
        );
        let npm = format!(
            "export PATH='{path}' HOME='{home}' npm_config_cache='{home}/npm' \
            npm_config_update_notifier=false \
             npm_config_fetch_retries=0 npm_config_registry=http://127.0.0.1:{port}\nexec '{}' \
             \"$@\"",
            real("npm").display(),
            home = user.dir.path().display()
        );
        user.client("curl", &curl);
        user.client("npm", &npm);
        let plugin = crate::plugin::component("pinned");
        std::fs::write(
            user.dir.path().join("pinned.toml"),
            format!("[adapters.pinned]\nplugin = {plugin:?}\n"),
        )
        .unwrap();
        user
    }
}

/// The client installed on this machine.
fn real(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let found = std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("{name} is needed"))
}

/// A tar archive of the files that the guest pins. Its bytes are the same everywhere.
pub(super) fn archive() -> Vec<u8> {
    let package = "{\"name\": \"@dapdock-tests/pinned\", \"version\": \"1.0.0\"}\n";
    let mut archive = entry("package/package.json", package, "0000644");
    archive.extend(entry("package/bin/adapter", "#!/bin/sh\n", "0000755"));
    archive.extend([0; 1024]);
    archive
}

/// A file of the archive with its header (pax(1), format ustar).
fn entry(name: &str, text: &str, mode: &str) -> Vec<u8> {
    let mut header = [0; 512];
    let mut put =
        |at: usize, field: &str| header[at..at + field.len()].copy_from_slice(field.as_bytes());
    put(0, name);
    put(100, mode);
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{:011o}", text.len()));
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut entry = header.to_vec();
    entry.extend(text.as_bytes());
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}
