//! What can go wrong with a layout, in words.

use super::offer::{Meets, Offer};
use crate::catalog::Media;
use crate::layout::{Array, Layout, RaidLevel};
use crate::sizing::write_penalty;
use fathom_core::figure;

/// The risks of a layout, the worst first; each a sentence without its stop.
pub fn risks(offer: &Offer) -> Vec<String> {
    let mut risks = Vec::new();
    if offer.is_volatile() {
        risks.push(
            "volatile: all data is lost when the machine stops, moves to another host or fails"
                .to_owned(),
        );
    } else {
        risks.push(loss(offer));
    }
    let mut orders = offer.orders.iter();
    if orders.any(|one| one.volume.media == Some(Media::Hdd)) {
        risks.push("hard disks: a random request takes 5 to 15 ms".to_owned());
    }
    if let Meets::Burst(seconds) = offer.meets {
        risks.push(format!(
            "after {} of this load only {} IOPS are left",
            figure::duration((seconds * 1e9) as u64),
            figure::iops(offer.figures.sustained_iops)
        ));
    }
    if offer.meets == Meets::Credit {
        risks.push(format!(
            "lives on credit, which the recording leaves enough of; without it {} IOPS are left",
            figure::iops(offer.figures.sustained_iops)
        ));
    }
    risks
}

/// How fast a new disk is filled, bytes a second: a usual rate, of no vendor.
const REBUILD_BYTES: f64 = 100e6;
const YEAR_SECONDS: f64 = 365.25 * 86_400.0;

/// The level that keeps the data, and how many arrays of it there are: those inside a stripe, as
/// RAID 50 is a stripe of RAID 5.
fn safety(array: &Array) -> (RaidLevel, usize) {
    let inner = |layout: &Layout| match layout {
        Layout::Array(array) => Some((array.level, array.members.len())),
        Layout::Volume(_) => None,
    };
    let first = array.members.first().and_then(inner);
    let is_even = array.members.iter().all(|member| inner(member) == first);
    match first {
        Some((level, _)) if array.level == RaidLevel::Raid0 && is_even => {
            (level, array.members.len())
        }
        _ => (array.level, 1),
    }
}

/// The loss of data: by the level of the array, of a plain stripe with any of its volumes.
fn loss(offer: &Offer) -> String {
    let share = |part: f64| format!("{} %", figure::significant(part * 100.0));
    let first = offer.orders.first();
    let each = first.and_then(|one| one.volume.lost_a_year);
    let count = offer.volumes;
    let (level, outer) = match offer.layout.parse() {
        Ok(Layout::Array(array)) => safety(&array),
        _ => (RaidLevel::Raid0, 1),
    };
    if level == RaidLevel::Raid0 {
        let kept: f64 = offer
            .orders
            .iter()
            .map(|one| {
                let lost = one.volume.lost_a_year.unwrap_or(f64::NAN);
                (1.0 - lost).powi(i32::try_from(one.count).unwrap_or(i32::MAX))
            })
            .product();
        return match (count > 1, each.map(share)) {
            (true, Some(each)) => format!(
                "if one of the {count} volumes fails, all data is lost: about {} a year ({each} \
                 each by the vendor)",
                share(1.0 - kept)
            ),
            (true, None) => format!("if one of the {count} volumes fails, all data is lost"),
            (false, Some(each)) => {
                format!("about {each} of such volumes are lost in a year, by the vendor")
            }
            (false, None) => "the vendor states no share of volumes lost in a year".to_owned(),
        };
    }
    // Groups that lose data each by itself, their members, and how many of those may fail.
    let inner = count / outer;
    let (groups, members, spare) = match level {
        RaidLevel::Raid10 => (count / 2, 2, 1),
        RaidLevel::Raid1 => (outer, inner, inner - 1),
        RaidLevel::Raid6 => (outer, inner, 2),
        _ => (outer, inner, 1),
    };
    let gib = first.map_or(0.0, |one| one.order.size_gib.unwrap_or(one.volume.max_gib));
    let rebuild = gib * 1_073_741_824.0 / REBUILD_BYTES;
    let within = figure::duration((rebuild * 1e9) as u64);
    let lost = match each {
        Some(each) => {
            let more = (1..=spare).map(|gone| (members - gone) as f64 * each * rebuild);
            let lost = more.fold((groups * members) as f64 * each, |all, part| {
                all * part / YEAR_SECONDS
            });
            format!(
                ": about {} a year ({} each by the vendor)",
                share(lost),
                share(each)
            )
        }
        None => ", at a failure rate that the catalogue does not have".to_owned(),
    };
    let whose = match (groups, members) {
        (1, _) => String::new(),
        (_, 2) => " of a pair".to_owned(),
        _ => format!(" of one group of {members}"),
    };
    format!(
        "data is lost if {} volumes{whose} fail within a rebuild of {within} (100 MB/s, assumed)\
         {lost}. {} of {} volumes hold data, and a small write costs {} requests",
        spare + 1,
        groups * (members - spare),
        count,
        write_penalty(level)
    )
}
