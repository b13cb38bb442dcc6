//! `http:` and `https:`: PUT of each file below a folder, or POST of the result to a service.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::crypto::ring;
use std::sync::Arc;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, RequestBuilder};
use url::Url;

use super::{AddressForm, Transport, login, nothing_more};
use crate::failure::PATIENCE;
use crate::{Attachment, Failure, Message, Netrc, tls};

pub(super) const HTTP: Transport = Transport {
    schemes: &["http", "https"],
    form: AddressForm {
        example: "https://collect.example/results/",
        about: "PUT of each file if the URL ends with /, otherwise POST of the JSON. The login \
                comes from the netrc file and is sent only over https",
    },
    needs_host: true,
    takes_query: false,
    check: nothing_more,
    send,
};

fn send(url: &Url, message: &Message, netrc: &Netrc) -> Result<String, Failure> {
    let agent = agent(url)?;
    let authorization = authorization(url, netrc)?;
    let mut bare = url.clone();
    // The name goes into a header; a URL with it would be refused.
    let _ = bare.set_username("");
    if !url.path().ends_with('/') {
        let Some(result) = message.attachments.first() else {
            return Err(Failure::new("there is nothing to send"));
        };
        request(agent.post(bare.as_str()), result, authorization.as_deref())?;
        return Ok(format!("posted to {bare}"));
    }
    for attachment in &message.attachments {
        let below = bare.join(&attachment.name).map_err(Failure::new)?;
        let put = agent.put(below.as_str());
        request(put, attachment, authorization.as_deref())?;
    }
    Ok(format!("at {bare}"))
}

fn agent(url: &Url) -> Result<Agent, Failure> {
    let mut builder = Agent::config_builder()
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_global(Some(PATIENCE * 20))
        // A login for one host is not sent to another.
        .max_redirects(0)
        .user_agent(concat!("fathom/", env!("CARGO_PKG_VERSION")));
    if url.scheme() == "https" {
        let known = tls::authorities()?;
        let known: Vec<_> = known
            .iter()
            .map(|one| Certificate::from_der(one.as_ref()).to_owned())
            .collect();
        let config = TlsConfig::builder()
            .root_certs(RootCerts::new_with_certs(&known))
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()));
        builder = builder.tls_config(config.build());
    }
    Ok(builder.build().new_agent())
}

/// The header by which the user is known, if there is a login.
fn authorization(url: &Url, netrc: &Netrc) -> Result<Option<String>, Failure> {
    let Some(login) = login(url, netrc)? else {
        return Ok(None);
    };
    if url.scheme() != "https" {
        let host = url.host_str().unwrap_or_default();
        let cause = format!(
            "{} has a password for {host}, and http would expose it",
            netrc.name()
        );
        return Err(Failure::new(cause).remedy(format!("https://{host}/…")));
    }
    let words = STANDARD.encode(format!("{}:{}", login.user, login.password));
    Ok(Some(format!("Basic {words}")))
}

fn request(
    request: RequestBuilder<ureq::typestate::WithBody>,
    attachment: &Attachment,
    authorization: Option<&str>,
) -> Result<(), Failure> {
    let mut request = request.content_type(attachment.media_type);
    if let Some(words) = authorization {
        request = request.header("Authorization", words);
    }
    let answer = request.send(&attachment.bytes[..]);
    let answer = answer.map_err(|error| {
        let failure = Failure::of_library(&error.to_string()).at(&attachment.name);
        match error {
            ureq::Error::StatusCode(401 | 403) => {
                failure.remedy("a line in ~/.netrc: machine HOST login USER password …")
            }
            ureq::Error::StatusCode(404 | 405) => {
                failure.remedy("a URL that ends with / for PUT of files, another URL for POST")
            }
            _ => failure,
        }
    })?;
    // Without redirects, an answer of 3xx is one.
    if answer.status().is_redirection() {
        let to = answer.headers().get("location");
        let to = to
            .and_then(|value| value.to_str().ok())
            .unwrap_or("elsewhere");
        let cause = format!("{}: {} redirects to {to}", attachment.name, answer.status());
        return Err(Failure::new(cause).remedy("use that URL if it is correct"));
    }
    Ok(())
}
