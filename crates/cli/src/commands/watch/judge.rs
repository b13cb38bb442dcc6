//! Whether something limits the devices: for the sentence at the end, and for those who ask for
//! metrics meanwhile.

use super::scrape::Page;
use crate::args::WatchArgs;
use crate::aside;
use crate::commands::limits::limits;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::platform;
use fathom_core::Nanos;
use fathom_core::recording::Moment;
use fathom_device::DeviceError;
use fathom_report::Exposition;
use fathom_session::live::{Eye, Observation, Scope};
use fathom_verdict::live::Live;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// How often disks and control groups are looked for that were not there before.
const RENEWAL: Nanos = Nanos::from_secs(60);

/// Follows the devices that are watched.
pub(super) struct Judge {
    observation: Observation,
    devices: Vec<PathBuf>,
    /// Names of the devices of the last interval.
    names: Vec<String>,
    renewed: Nanos,
    metrics: Option<Metrics>,
}

/// What is published, and to whom.
struct Metrics {
    exposition: Exposition,
    page: Published,
}

type Published = Arc<Mutex<Arc<Page>>>;

/// Takes the address of `--listen` before anything else is begun.
pub(super) fn listener(args: &WatchArgs) -> Result<Option<TcpListener>, Problem> {
    let Some(address) = args.listen else {
        return Ok(None);
    };
    let listener = TcpListener::bind(address).map_err(|error| {
        let thing = format!("cannot listen at {address}");
        Problem::new(Exit::Environment, thing)
            .because(system_words(&error))
            .remedy("use an address of this host and a free port; port 0 takes any free one")
    })?;
    Ok(Some(listener))
}

fn unseen(error: &DeviceError) -> Problem {
    Problem::new(Exit::Environment, "cannot look at the storage").because(error.to_string())
}

fn eye(devices: &[PathBuf]) -> Result<Eye, DeviceError> {
    let scope = if devices.is_empty() {
        Scope::everything()
    } else {
        Scope::of_paths(devices)
    };
    Eye::open(scope?)
}

impl Judge {
    /// Takes the first look, and answers from then on at the address of `--listen`.
    pub(super) fn begin(
        args: &WatchArgs,
        listener: Option<TcpListener>,
        at: Nanos,
    ) -> Result<Self, Error> {
        let eye = eye(&args.devices).map_err(|error| unseen(&error))?;
        let limits = limits(&args.limits, !args.devices.is_empty(), &eye)?;
        let live = Live::new(limits.caps, limits.credit);
        let observation = Observation::begin(eye, live, at.0).map_err(|error| unseen(&error))?;
        let metrics = listener.map(|listener| {
            limits.notes.iter().for_each(|note| aside::say(note));
            Metrics::publish(listener)
        });
        Ok(Self {
            observation,
            devices: args.devices.clone(),
            names: Vec::new(),
            renewed: at,
            metrics: metrics.transpose()?,
        })
    }

    pub(super) fn sample(&mut self) {
        self.observation.sample();
    }

    /// Takes the next look. It says whether the devices can be followed on: where metrics are
    /// published, those that are there are.
    pub(super) fn look(&mut self, moment: &Moment, at: Nanos) -> bool {
        let looked = self.observation.look(at.0);
        let is_whole = looked.is_ok();
        let Some(metrics) = &mut self.metrics else {
            return is_whole;
        };
        if let Ok((seen, answer)) = looked {
            metrics.exposition.take(&seen, &answer);
            let page = Arc::new(Page::of(&metrics.exposition));
            *metrics.page.lock().unwrap_or_else(PoisonError::into_inner) = page;
        }
        let devices = moment.devices.iter();
        let names: Vec<String> = devices.map(|one| one.device.clone()).collect();
        if !is_whole || names != self.names || at - self.renewed >= RENEWAL {
            self.names = names;
            self.renewed = at;
            // Where they cannot be read now, the next interval tries again, and the time observed
            // stands still.
            let eye = eye(&self.devices);
            let _ = eye.and_then(|eye| self.observation.renew(eye, at.0));
        }
        true
    }

    /// What limited the devices over the whole time. If the cause of slow requests is known, nobody
    /// has to look elsewhere.
    pub(super) fn sentence(&self, start_ns: u64, has_cause: bool) -> Option<String> {
        let answer = self.observation.answer().ok()?.0;
        Some(if has_cause {
            answer.fact(start_ns)
        } else {
            answer.sentence(start_ns)
        })
    }
}

impl Metrics {
    fn publish(listener: TcpListener) -> Result<Self, Problem> {
        let cannot = |error: std::io::Error| {
            Problem::new(Exit::Environment, "cannot serve metrics").because(system_words(&error))
        };
        let exposition = Exposition::default();
        let page: Published = Arc::new(Mutex::new(Arc::new(Page::of(&exposition))));
        let address = listener.local_addr().map_err(cannot)?;
        let shared = Arc::clone(&page);
        let answer = move |request: &[u8]| {
            let page = shared
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            page.answer(request)
        };
        platform::answer_all(listener, answer).map_err(cannot)?;
        aside::print(&said(address));
        Ok(Self { exposition, page })
    }
}

/// Where the metrics are, and who can read them.
fn said(address: SocketAddr) -> String {
    let others = if address.ip().is_loopback() {
        ""
    } else {
        "; other hosts can read them"
    };
    format!("metrics at http://{address}/metrics{others}\n")
}
