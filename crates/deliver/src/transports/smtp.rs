//! `smtp:` and `smtps:`: a mail with the text as its body, as HTML too, and the files attached.

use lettre::message::header::{ContentTransferEncoding as Encoding, ContentType};
use lettre::message::{Attachment as Part, Body, Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{SmtpTransport, Transport as _};
use url::Url;

use super::{AddressForm, Transport, login};
use crate::failure::PATIENCE;
use crate::{DestinationError, Failure, Message, Netrc};

pub(super) const SMTP: Transport = Transport {
    schemes: &["smtp", "smtps"],
    form: AddressForm {
        example: "smtps://mail.example/?to=storage@example.com",
        about: "as mail to one or more recipients (to=…&to=…), from=… [default: fathom@HOST]. \
                smtps uses TLS from the start; smtp requires STARTTLS unless tls=no is given. The \
                login comes from the netrc file",
    },
    needs_host: true,
    takes_query: true,
    check,
    send,
};

/// What a URL of a mail says behind its `?`.
struct Envelope {
    to: Vec<Mailbox>,
    from: Option<Mailbox>,
    is_plain: bool,
}

fn check(url: &Url, _: &str) -> Result<(), DestinationError> {
    envelope(url).map(drop)
}

fn envelope(url: &Url) -> Result<Envelope, DestinationError> {
    let refuse = |cause: String| DestinationError::new(cause, SMTP.form.example);
    let mailbox = |text: &str| {
        text.parse::<Mailbox>()
            .map_err(|_| refuse(format!("`{text}` is not a mail address")))
    };
    let mut found = Envelope {
        to: Vec::new(),
        from: None,
        is_plain: false,
    };
    for (name, value) in url.query_pairs() {
        match (&*name, &*value) {
            ("to", address) => found.to.push(mailbox(address)?),
            ("from", address) => found.from = Some(mailbox(address)?),
            ("tls", "no") if url.scheme() == "smtp" => found.is_plain = true,
            ("tls", "yes") => found.is_plain = false,
            ("tls", other) => {
                let cause = format!("`tls={other}` is invalid for {}:", url.scheme());
                return Err(DestinationError::new(
                    cause,
                    "tls=yes, or tls=no with smtp:",
                ));
            }
            (other, _) => {
                let cause = format!("`{other}` is not a mail option");
                return Err(DestinationError::new(cause, "to, from or tls"));
            }
        }
    }
    if found.to.is_empty() {
        return Err(refuse("the mail has no recipient".to_owned()));
    }
    Ok(found)
}

fn send(url: &Url, message: &Message, netrc: &Netrc) -> Result<String, Failure> {
    let envelope = envelope(url).map_err(Failure::new)?;
    let login = login(url, netrc)?;
    let host = url.host_str().unwrap_or_default().to_owned();
    if envelope.is_plain && login.is_some() {
        let cause = format!(
            "{} has a password for {host}, and tls=no would expose it",
            netrc.name()
        );
        return Err(Failure::new(cause).remedy("without tls=no"));
    }
    let mail = mail(message, &envelope)?;
    let bare = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_owned();
    let parameters = || TlsParameters::new_rustls(bare.clone()).map_err(Failure::new);
    let (tls, usual) = match (url.scheme(), envelope.is_plain) {
        (_, true) => (Tls::None, 25),
        ("smtps", _) => (Tls::Wrapper(parameters()?), 465),
        _ => (Tls::Required(parameters()?), 587),
    };
    let port = url.port().unwrap_or(usual);
    let mut server = SmtpTransport::builder_dangerous(bare)
        .port(port)
        .tls(tls)
        .timeout(Some(PATIENCE));
    if let Some(login) = login {
        server = server.credentials(Credentials::new(login.user, login.password));
    }
    let sent = server.build().send(&mail);
    sent.map_err(|error| Failure::of_library(&chain(&error)).at(&format!("{host}, port {port}")))?;
    let to: Vec<String> = envelope
        .to
        .iter()
        .map(|one| one.email.to_string())
        .collect();
    Ok(format!("mailed to {}", to.join(", ")))
}

/// An error with what lies below it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut below = error.source();
    while let Some(cause) = below {
        let words = cause.to_string();
        if !told.contains(&words) {
            told = format!("{told}: {words}");
        }
        below = cause.source();
    }
    told
}

fn mail(message: &Message, envelope: &Envelope) -> Result<lettre::Message, Failure> {
    let from = match &envelope.from {
        Some(from) => from.clone(),
        None => sender()?,
    };
    let mut builder = lettre::Message::builder()
        .from(from)
        .subject(&message.subject);
    // Of one result to one mailbox, however often it is sent.
    if let Some(first) = message.attachments.first() {
        builder = builder.message_id(Some(format!("<{}@fathom>", first.name)));
    }
    for to in &envelope.to {
        builder = builder.to(to.clone());
    }
    let plain = message.text.clone();
    let mut parts = match &message.html {
        Some(html) => {
            MultiPart::mixed().multipart(MultiPart::alternative_plain_html(plain, html.clone()))
        }
        None => MultiPart::mixed().singlepart(SinglePart::plain(plain)),
    };
    for attachment in &message.attachments {
        let kind = ContentType::parse(attachment.media_type).map_err(Failure::new)?;
        // Whatever else a mail may be sent as changes the ends of lines.
        let body = Body::new_with_encoding(attachment.bytes.clone(), Encoding::Base64);
        let body = body.map_err(|_| Failure::new("cannot pack a file for mail"))?;
        let part = Part::new(attachment.name.clone()).body(body, kind);
        parts = parts.singlepart(part);
    }
    builder.multipart(parts).map_err(Failure::new)
}

/// `fathom@HOST`, or of a host whose name no mail takes, `fathom@localhost`.
fn sender() -> Result<Mailbox, Failure> {
    let host = fathom_device::input::read_text("/proc/sys/kernel/hostname").unwrap_or_default();
    let of = |host: &str| format!("Fathom <fathom@{host}>").parse::<Mailbox>();
    of(host.trim())
        .or_else(|_| of("localhost"))
        .map_err(Failure::new)
}
