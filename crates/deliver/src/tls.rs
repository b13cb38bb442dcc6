//! What a server has to show: a certificate of an authority that this machine trusts
//! (`SSL_CERT_FILE` and `SSL_CERT_DIR` name others).

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};

use crate::Failure;

/// The authorities of this machine.
pub(crate) fn authorities() -> Result<Vec<CertificateDer<'static>>, Failure> {
    let found = rustls_native_certs::load_native_certs();
    if !found.certs.is_empty() {
        return Ok(found.certs);
    }
    let because = found.errors.first();
    let because = because.map_or(String::new(), |error| format!(" ({error})"));
    Err(Failure::new(format!(
        "no certificates of authorities are on this machine{because}, so no server can be known"
    ))
    .remedy("the package ca-certificates, or SSL_CERT_FILE=FILE with those of your site"))
}

/// A client that believes these authorities.
pub(crate) fn client() -> Result<Arc<ClientConfig>, Failure> {
    let mut roots = RootCertStore::empty();
    let (known, _) = roots.add_parsable_certificates(authorities()?);
    if known == 0 {
        return Err(Failure::new(
            "none of this machine's certificates of authorities can be read",
        ));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = versions.map_err(Failure::new)?;
    Ok(Arc::new(
        builder.with_root_certificates(roots).with_no_client_auth(),
    ))
}
