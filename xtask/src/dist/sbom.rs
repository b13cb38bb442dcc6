//! The bill of materials: what is in the binary, in CycloneDX 1.5 (ECMA-424), which scanners read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use super::binary;
use super::release::{LICENCE, Release};
use crate::metadata::{self, Package};
use crate::sources;

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// Writes that of the static binary into the folder.
pub(super) fn write(release: &Release, folder: &Path) -> Result<()> {
    let (text, components) = of(release, &binary::target())?;
    let architecture = std::env::consts::ARCH;
    let name = format!("fathom-{}-{architecture}.cdx.json", release.version);
    fs::write(folder.join(&name), text)?;
    println!("sbom    {name}, {components} components");
    Ok(())
}

/// That of the binary for a target, and how many components it has.
pub(super) fn of(release: &Release, target: &str) -> Result<(String, usize)> {
    let lock: Lock = toml::from_str(&sources::read("Cargo.lock")?).context("Cargo.lock")?;
    let checksums: BTreeMap<(String, String), String> = lock
        .package
        .into_iter()
        .filter_map(|p| p.checksum.map(|sum| ((p.name, p.version), sum)))
        .collect();
    let packages = metadata::shipped(target)?;
    let bill = bill(release, &packages, &checksums);
    let text = serde_json::to_string_pretty(&bill)?;
    Ok((text + "\n", packages.len()))
}

fn bill(
    release: &Release,
    packages: &[Package],
    checksums: &BTreeMap<(String, String), String>,
) -> Value {
    let component = |package: &Package| {
        let Package { name, version, .. } = package;
        let mut component = json!({
            "type": "library",
            "bom-ref": format!("pkg:cargo/{name}@{version}"),
            "name": name,
            "version": version,
            "purl": format!("pkg:cargo/{name}@{version}"),
        });
        if let Some(licence) = &package.license {
            component["licenses"] = json!([{"expression": licence.replace('/', " OR ")}]);
        }
        if let Some(sum) = checksums.get(&(name.clone(), version.clone())) {
            component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
        }
        component
    };
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "fathom",
                "name": "fathom",
                "version": release.version,
                "licenses": [{"expression": LICENCE}],
                "properties": [{"name": "commit", "value": release.commit}],
            },
        },
        "components": packages.iter().map(component).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::contents::example;

    #[test]
    fn a_component_has_licence_and_checksum_where_they_are_known() {
        let package = |name: &str, licence: Option<&str>| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: licence.map(str::to_owned),
            ..Package::default()
        };
        let packages = [package("a", Some("MIT/Apache-2.0")), package("b", None)];
        let sums = [(("a".to_owned(), "1.0.0".to_owned()), "ab".to_owned())];
        let bill = bill(&example().release, &packages, &sums.into());
        let expected = json!([
            {
                "type": "library",
                "bom-ref": "pkg:cargo/a@1.0.0",
                "name": "a",
                "version": "1.0.0",
                "purl": "pkg:cargo/a@1.0.0",
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "hashes": [{"alg": "SHA-256", "content": "ab"}],
            },
            {
                "type": "library",
                "bom-ref": "pkg:cargo/b@1.0.0",
                "name": "b",
                "version": "1.0.0",
                "purl": "pkg:cargo/b@1.0.0",
            },
        ]);
        assert_eq!(bill["components"], expected);
    }
}
