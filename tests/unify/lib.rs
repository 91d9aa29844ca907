//! Empty: the package's `Cargo.toml` says what it is for.

#[cfg(test)]
mod tests {
    #[test]
    fn dependencies_are_the_hosts_development_dependencies() {
        let host: toml::Table = include_str!("../../host/Cargo.toml").parse().expect("TOML");
        let own: toml::Table = include_str!("Cargo.toml").parse().expect("TOML");
        assert_eq!(host["dev-dependencies"], own["dependencies"]);
    }
}
