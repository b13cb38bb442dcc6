//! `fathom plan --role`: volumes for several roles behind one machine.

use super::wish;
use crate::args::{NeedOptions, PlanArgs, PlanForm};
use crate::commands::catalog::Footnotes;
use crate::commands::selection;
use crate::commands::sinks::TextPlace;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::wrapped;
use crate::table::Table;
use fathom_core::figure;
use fathom_core::spec::Workload;
use fathom_volume::plan::{Market, RoleNeed, RolesPlan, plan_roles};
use serde_json::json;
use std::fmt::Write as _;

/// What a role may say of its need.
const KEYS: &str = "iops, throughput, block, read, random, capacity and latency";

/// Plans all roles and writes what was found.
pub(super) fn run(
    args: &PlanArgs,
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
    for (output, place) in args.places().iter().zip(places) {
        place.write(&match output.form {
            PlanForm::Text => text(&roles, &found, market),
            PlanForm::Json => format!("{:#}\n", json!({ "plans": found })),
            PlanForm::Csv | PlanForm::Html => {
                return Err(Problem::new(Exit::Usage, "a plan of roles is text or json")
                    .remedy("--output text, or --output json")
                    .into());
            }
        })?;
    }
    Ok(Exit::Ok)
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

fn text(roles: &[RoleNeed], found: &[RolesPlan], market: &Market<'_>) -> String {
    let mut text = String::new();
    let mut notes = Footnotes::default();
    for role in roles {
        let _ = writeln!(text, "{}: {}", role.role, role.need.in_words());
    }
    let _ = writeln!(text, "on {}\n", market.at);
    for plan in found {
        text.push_str(&one(plan, &mut notes));
        text.push('\n');
    }
    let mut said = Vec::new();
    for role in roles {
        for remark in &role.need.remarks {
            let words = format!("{}: {remark}", role.role);
            if !said.contains(&words) {
                said.push(words);
            }
        }
    }
    for words in said {
        text.push_str(&wrapped(&words));
    }
    let _ = write!(text, "\n{notes}");
    text
}

fn one(plan: &RolesPlan, notes: &mut Footnotes) -> String {
    let money = |amount: f64| format!("{} {}", figure::decimal(amount, 2), plan.currency);
    let machine = plan.machine.as_ref();
    let name = machine.map_or_else(
        || "no machine of the catalogue".to_owned(),
        fathom_volume::plan::Machine::in_words,
    );
    let mut text = match plan.total {
        Some(total) => format!(
            "on {name}: {} a month (disks {}, machine {})\n",
            money(total),
            figure::decimal(plan.disks, 2),
            figure::decimal(total - plan.disks, 2)
        ),
        None => format!(
            "on {name}, at an unknown price: the disks {} a month\n",
            money(plan.disks)
        ),
    };
    let mut table = Table::new(&["ROLE", "LAYOUT", ">IOPS", ">MB/s", ">A MONTH", "SOURCES"]);
    for role in &plan.roles {
        let offer = &role.offer;
        let marks = offer.sources.iter().map(|one| notes.number(one));
        let marks: Vec<String> = marks.collect();
        table.row([
            role.role.clone(),
            offer.layout.clone(),
            figure::iops(offer.figures.sustained_iops),
            figure::megabytes(offer.figures.sustained_bytes_per_second),
            money(offer.price()),
            marks.join(" "),
        ]);
    }
    let _ = write!(text, "{table}");
    let _ = match machine {
        Some(machine) => writeln!(
            text,
            "     all roles together {} IOPS ({} MB/s), of {} ({} MB/s) that last; {}",
            figure::iops(plan.iops),
            figure::megabytes(plan.bytes_per_second),
            figure::iops(machine.iops),
            figure::megabytes(machine.bytes_per_second),
            machine.kind_in_words()
        ),
        None => writeln!(
            text,
            "     all roles together {} IOPS ({} MB/s): no machine is known to let that through",
            figure::iops(plan.iops),
            figure::megabytes(plan.bytes_per_second)
        ),
    };
    text
}
