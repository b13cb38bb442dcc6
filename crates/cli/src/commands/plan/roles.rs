//! `fathom plan --role`: volumes for several roles behind one machine.

mod csv;
mod html;
mod json;
mod text;

use super::wish;
use crate::args::{NeedOptions, PlanArgs, PlanFormat};
use crate::commands::catalog::{Known, outdated};
use crate::commands::selection;
use crate::commands::sinks::TextPlace;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::spec::Workload;
use fathom_volume::catalog::Remark;
use fathom_volume::plan::{Market, Need, RoleNeed, RoleOffer, RolesPlan, plan_roles};

#[cfg(test)]
pub(in crate::commands) use json::RolesDocument;

/// What a role may say of its need.
const KEYS: &str = "iops, throughput, block, read, random, capacity, latency and ephemeral";

/// Plans all roles and writes what was found.
pub(super) fn run(
    args: &PlanArgs,
    known: &Known,
    market: &Market<'_>,
    places: Vec<TextPlace>,
) -> Result<Exit, Error> {
    let roles = needs(args)?;
    let found = plan_roles(&roles, market);
    if found.is_empty() {
        return Err(Problem::new(
            Exit::Usage,
            "no volumes are known that give each role its need",
        )
        .because("of some role no layout with a known price gives it all the time")
        .remedy("another --region or --cloud, more --max-volumes, or each role by itself")
        .into());
    }
    if let Some(why) = args.why.filter(|why| *why == 0 || *why > found.len()) {
        let thing = format!("there is no plan {why}");
        return Err(Problem::new(Exit::Usage, thing)
            .because(format!("the plans are 1 to {}", found.len()))
            .into());
    }
    let evidence = found.iter().flat_map(|plan| &plan.roles);
    let old = outdated(
        known,
        evidence.flat_map(|role| super::evidence(&role.offer)),
    );
    let shown = Shown {
        needs: &roles,
        plans: &found,
        market,
        remarks: old.into_iter().map(Remark::warning).collect(),
    };
    for (output, place) in args.places().iter().zip(places) {
        match output.format {
            PlanFormat::Text => place.write_words(&text::render(&shown, args.explain, args.why))?,
            PlanFormat::Json => place.write(&json::document(&shown)?)?,
            PlanFormat::Csv => place.write(&csv::rows(&shown))?,
            PlanFormat::Html => place.write(&html::page(&shown))?,
        }
    }
    Ok(Exit::Ok)
}

/// All that is shown of plans of roles.
struct Shown<'a> {
    needs: &'a [RoleNeed],
    /// Best first, one for each cloud.
    plans: &'a [RolesPlan],
    market: &'a Market<'a>,
    /// Remarks in addition to the assumptions of the needs.
    remarks: Vec<Remark>,
}

impl Shown<'_> {
    /// The need of a role of a plan.
    fn need(&self, role: &RoleOffer) -> &Need {
        let own = self.needs.iter().find(|need| need.role == role.role);
        &own.expect("a plan has the roles that were asked for").need
    }

    /// What was assumed of each role, and what else is to be said.
    fn remarks(&self) -> Vec<String> {
        let mut said: Vec<String> = Vec::new();
        for role in self.needs {
            for remark in &role.need.remarks {
                let words = format!("{}: {remark}", role.role);
                if !said.contains(&words) {
                    said.push(words);
                }
            }
        }
        said.extend(self.remarks.iter().map(ToString::to_string));
        said
    }
}

fn needs(args: &PlanArgs) -> Result<Vec<RoleNeed>, Error> {
    let workload = match &args.workload {
        Some(name) => Some(selection::workload(name)?),
        None => None,
    };
    let mut roles: Vec<RoleNeed> = Vec::new();
    for text in &args.role {
        let (role, words) = text.split_once('=').ok_or_else(|| {
            Problem::new(Exit::Usage, format!("`{text}` names no role"))
                .remedy("--role \"data=iops:8000 block:16KiB capacity:1TiB\"")
        })?;
        if roles.iter().any(|known| known.role == role) {
            let thing = format!("the role {role} is given twice");
            return Err(Problem::new(Exit::Usage, thing).into());
        }
        let options = options(role, words)?;
        let own = workload.as_ref().map(|workload| of_role(workload, role));
        let need = wish::of_role(&options, own.transpose()?.as_ref())?;
        if need.iops.is_none() {
            let thing = format!("it is not said how much the role {role} needs");
            return Err(Problem::new(Exit::Usage, thing)
                .remedy(format!(
                    "--role \"{role}=iops:8000\", or throughput:200MB/s"
                ))
                .into());
        }
        roles.push(RoleNeed {
            role: role.to_owned(),
            need,
        });
    }
    if let Some(workload) = &workload {
        refuse_missing(workload, &roles)?;
    }
    Ok(roles)
}

/// `iops:8000 block:16KiB`, as options of the same meaning.
fn options(role: &str, words: &str) -> Result<NeedOptions, Problem> {
    let mut options = NeedOptions::default();
    for word in words.split([' ', ',']).filter(|word| !word.is_empty()) {
        let wrong = |because: String| {
            Problem::new(
                Exit::Usage,
                format!("cannot read `{word}` of the role {role}"),
            )
            .because(because)
        };
        let (key, value) = word.split_once(':').ok_or_else(|| {
            wrong("each is a word, a colon and a value".to_owned()).remedy("as in iops:8000")
        })?;
        options
            .set(key, value)
            .map_err(|error| wrong(error).remedy(format!("the words are {KEYS}")))?;
    }
    Ok(options)
}

/// The jobs of a role, of the first phase that has any.
fn of_role(workload: &Workload, role: &str) -> Result<Workload, Problem> {
    let mut own = workload.clone();
    let is_own = |target: &String| target.strip_prefix('@') == Some(role);
    for phase in &mut own.phases {
        phase.jobs.retain(|job| job.targets.iter().any(is_own));
    }
    own.phases.retain(|phase| !phase.jobs.is_empty());
    if own.phases.is_empty() {
        let thing = format!("`{}` has no role {role}", workload.name);
        return Err(Problem::new(Exit::Usage, thing).remedy(named(workload).join(", ")));
    }
    Ok(own)
}

/// The roles of a workload, each once.
fn named(workload: &Workload) -> Vec<String> {
    let jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
    let targets = jobs.flat_map(|job| &job.targets);
    let mut roles: Vec<String> = Vec::new();
    for role in targets.filter_map(|target| target.strip_prefix('@')) {
        if !roles.iter().any(|known| known == role) {
            roles.push(role.to_owned());
        }
    }
    roles
}

/// A plan without one of the roles would be one for half of the load.
fn refuse_missing(workload: &Workload, roles: &[RoleNeed]) -> Result<(), Problem> {
    let is_given = |name: &String| roles.iter().any(|role| role.role == *name);
    match named(workload).into_iter().find(|name| !is_given(name)) {
        None => Ok(()),
        Some(name) => Err(
            Problem::new(Exit::Usage, format!("nothing is said of the role {name}"))
                .because(format!(
                    "`{}` has jobs with the target @{name}",
                    workload.name
                ))
                .remedy(format!("--role \"{name}=capacity:100GiB\"")),
        ),
    }
}
