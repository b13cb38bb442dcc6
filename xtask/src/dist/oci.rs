//! A container image of one layer, as an archive in the layout of the Open Container Initiative
//! (image-spec 1.1): what registries, podman and docker load.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::contents::{Contents, Item};
use super::release::LICENCE;
use super::tarball;

/// Largest image, in bytes.
const LARGEST_BYTES: usize = 12_000_000;

/// User and group of the program, as numbers, so that Kubernetes sees that it is not root.
const USER: &str = "65532:65532";

/// Mozilla's authorities, of Debian's package ca-certificates. The bundle of this machine may have
/// more of its own.
const AUTHORITIES: &str = "/usr/share/ca-certificates/mozilla";

/// Where programs look for them.
const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";

/// Makes it.
pub(super) fn make(contents: &Contents, folder: &Path) -> Result<String> {
    let name = format!(
        "fathom-{}-{}.oci.tar",
        contents.release.version,
        std::env::consts::ARCH
    );
    let mut contents = contents.clone();
    contents.items.push(Item {
        path: CERTIFICATES.to_owned(),
        mode: 0o644,
        bytes: authorities(Path::new(AUTHORITIES))?,
    });
    let bytes = image(&contents)?;
    ensure!(
        bytes.len() <= LARGEST_BYTES,
        "the image has {} bytes, more than {LARGEST_BYTES}",
        bytes.len()
    );
    fs::write(folder.join(&name), bytes)?;
    Ok(name)
}

/// All certificates of a folder, by name.
fn authorities(folder: &Path) -> Result<Vec<u8>> {
    let missing = || format!("{} (package ca-certificates)", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(missing)? {
        paths.push(entry?.path());
    }
    paths.sort();
    ensure!(!paths.is_empty(), "no certificate in {}", missing());
    let mut all = Vec::new();
    for path in paths {
        all.extend(fs::read(path)?);
    }
    Ok(all)
}

fn image(contents: &Contents) -> Result<Vec<u8>> {
    let epoch_s = contents.release.epoch_s;
    let layer = tarball::tar_with(contents, "", &["data/", "tmp/"])?;
    let packed = tarball::gzip(&layer)?;
    let config = json!({
        "architecture": architecture(),
        "os": "linux",
        "config": {
            "Entrypoint": ["/usr/bin/fathom"],
            "User": USER,
            "Env": ["PATH=/usr/bin", "HOME=/tmp"],
            "WorkingDir": "/data",
            "Volumes": {"/data": {}},
            "Labels": {
                "org.opencontainers.image.title": "fathom",
                "org.opencontainers.image.description": contents.release.summary,
                "org.opencontainers.image.documentation": "/usr/share/doc/fathom/docs/README.md",
                "org.opencontainers.image.version": contents.release.version,
                "org.opencontainers.image.revision": contents.release.commit,
                "org.opencontainers.image.licenses": LICENCE,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [digest(&layer)]},
    });
    let config = serde_json::to_vec(&config)?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": described("application/vnd.oci.image.config.v1+json", &config),
        "layers": [described("application/vnd.oci.image.layer.v1.tar+gzip", &packed)],
    });
    let manifest = serde_json::to_vec(&manifest)?;
    let mut entry = described("application/vnd.oci.image.manifest.v1+json", &manifest);
    let version = &contents.release.version;
    entry["annotations"] = json!({
        "org.opencontainers.image.ref.name": version,
        // The tag in `podman load` and `docker load`, which take the name above for a whole name.
        "io.containerd.image.name": format!("localhost/fathom:{version}"),
    });
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [entry],
    });
    let index = serde_json::to_vec(&index)?;
    let blob = |bytes: &[u8]| format!("blobs/sha256/{:x}", Sha256::digest(bytes));
    let blobs = [&config, &manifest, &packed].map(|bytes| (blob(bytes), bytes));
    let mut files: Vec<(&str, u32, &[u8])> = vec![
        ("index.json", 0o644, &index),
        ("oci-layout", 0o644, br#"{"imageLayoutVersion":"1.0.0"}"#),
    ];
    files.extend(
        blobs
            .iter()
            .map(|(path, bytes)| (path.as_str(), 0o644, bytes.as_slice())),
    );
    tarball::tar_of(&files, epoch_s)
}

fn described(kind: &str, bytes: &[u8]) -> Value {
    json!({"mediaType": kind, "digest": digest(bytes), "size": bytes.len()})
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{:x}", Sha256::digest(bytes))
}

fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::contents::example;
    use std::collections::BTreeMap;
    use std::io::Read as _;

    #[test]
    fn authorities_are_joined_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.crt", "a.crt"] {
            fs::write(folder.path().join(name), format!("{name}\n")).unwrap();
        }
        assert_eq!(authorities(folder.path()).unwrap(), b"a.crt\nb.crt\n");
        let error = authorities(&folder.path().join("none")).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("none (package ca-certificates)")
        );
    }

    #[test]
    fn every_digest_names_a_blob_of_that_content() {
        let bytes = image(&example()).unwrap();
        let mut files = BTreeMap::new();
        for entry in tar::Archive::new(bytes.as_slice()).entries().unwrap() {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            files.insert(path, content);
        }
        let blob = |value: &Value| {
            let digest = value["digest"].as_str().unwrap();
            let content = &files[&digest.replace("sha256:", "blobs/sha256/")];
            assert_eq!(super::digest(content), digest);
            assert_eq!(value["size"], content.len());
            content.clone()
        };
        let index: Value = serde_json::from_slice(&files["index.json"]).unwrap();
        let names = json!({
            "org.opencontainers.image.ref.name": "1.2.3",
            "io.containerd.image.name": "localhost/fathom:1.2.3",
        });
        assert_eq!(index["manifests"][0]["annotations"], names);
        let manifest: Value = serde_json::from_slice(&blob(&index["manifests"][0])).unwrap();
        let config: Value = serde_json::from_slice(&blob(&manifest["config"])).unwrap();
        let layer = blob(&manifest["layers"][0]);
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(layer.as_slice())
            .read_to_end(&mut unpacked)
            .unwrap();
        assert_eq!(config["config"]["User"], "65532:65532");
        let mut layer = tar::Archive::new(unpacked.as_slice());
        let entries = layer.entries().unwrap().take(2).map(|entry| {
            let entry = entry.unwrap();
            let mode = entry.header().mode().unwrap();
            (entry.path().unwrap().display().to_string(), mode)
        });
        let open = ["data/", "tmp/"].map(|path| (path.to_owned(), 0o1777));
        assert_eq!(entries.collect::<Vec<_>>(), open);
        assert_eq!(config["rootfs"]["diff_ids"][0], super::digest(&unpacked));
        assert_eq!(image(&example()).unwrap(), bytes);
    }
}
