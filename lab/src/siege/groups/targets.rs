//! Front ends × kinds of target × permissions. The oracle: no byte outside what was named and
//! given up has changed, and what was given up has.

pub(crate) mod fronts;
pub(crate) mod permission;

use anyhow::Result;

use crate::siege::Siege;
use crate::siege::fathom::Ended;
use crate::siege::lab::kinds::Free;
use crate::siege::lab::{Damage, Exhibit, Lab};
use crate::siege::line::GroupLines;
use fronts::{FRONTS, Front, Reach};
use permission::{PERMISSIONS, Permission};

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let make = || Lab::new(&siege.fathom, |kind| kind.is_quick || !siege.is_quick);
    let mut lab = make()?;
    for missing in &lab.missing {
        lines.skip(missing);
    }
    let fronts = FRONTS.iter().enumerate();
    for (row, front) in fronts.filter(|(_, one)| one.is_quick || !siege.is_quick) {
        for index in 0..lab.exhibits.len() {
            for permission in PERMISSIONS {
                siege.go_on()?;
                let exhibit = &lab.exhibits[index];
                let has_turn = exhibit.kind.is_quick || front.is_quick;
                if !(has_turn || siege.has_turn(row, index))
                    || !front.fits(exhibit)
                    || !permission.fits(front, exhibit)
                {
                    continue;
                }
                let attack = Attack {
                    front,
                    exhibit,
                    permission,
                };
                let is_whole = attack.make(siege, &lab, lines)?;
                if !is_whole {
                    drop(lab);
                    lab = make()?;
                }
            }
        }
    }
    Ok(())
}

/// One line of the matrix.
pub(crate) struct Attack<'a> {
    pub(crate) front: &'a Front,
    pub(crate) exhibit: &'a Exhibit,
    pub(crate) permission: &'a Permission,
}

impl Attack<'_> {
    /// Makes the attack and looks at everything. False if the laboratory has to be made anew.
    pub(crate) fn make(
        &self,
        siege: &Siege,
        lab: &Lab,
        lines: &mut GroupLines<'_>,
    ) -> Result<bool> {
        let target = self.exhibit.target.to_string_lossy().into_owned();
        self.make_named(siege, lab, lines, &Named::plainly(&target))
    }

    /// As `make`, where the target has another name than in the permission.
    pub(crate) fn make_named(
        &self,
        siege: &Siege,
        lab: &Lab,
        lines: &mut GroupLines<'_>,
        named: &Named<'_>,
    ) -> Result<bool> {
        let plain = self.exhibit.target.to_string_lossy();
        let permission = self.permission.words(self.exhibit, &plain, lab);
        let folder = tempfile::tempdir()?;
        fronts::prepare(folder.path(), named.target)?;
        let words = self.front.words(named.target, &permission);
        let mut call = siege.fathom.call(words).inside(folder.path());
        if let Some(stdin) = named.stdin {
            call = call.stdin(stdin);
        }
        let ended = call.patience_s(self.front.patience_s(self.exhibit)).end()?;
        let may_change = self.may_change();
        let mut damage = lab.damage(may_change.then_some(self.exhibit))?;
        if self.exhibit.kind.free == Free::Room {
            // As the programs that they stand for, some front ends leave the file they made.
            let made = format!("left behind: {}/", self.exhibit.target.display());
            let before = damage.unnamed.len();
            damage.unnamed.retain(|what| !what.starts_with(&made));
            damage.is_room_used = damage.unnamed.len() < before;
        }
        let done = format!(
            "{}: {}{}, {}",
            self.front.name, self.exhibit.kind.name, named.how, self.permission.name
        );
        let expected = match may_change {
            true => "written, and nothing else",
            false if self.exhibit.kind.free == Free::Room => "no more than a new file in it",
            false if self.writes() => "refused, nothing changed",
            false => "nothing changed",
        };
        let is_refused = named.is_strange && ended.is_refusal() && damage == Damage::default();
        let is_met = is_refused || self.is_met(&ended, &damage);
        lines.add(done, expected, seen(&ended, &damage), is_met);
        if damage == Damage::default() {
            return Ok(true);
        }
        let is_restorable = damage.unnamed.is_empty() && !damage.is_room_used;
        Ok(is_restorable && lab.restore(self.exhibit)?)
    }

    fn writes(&self) -> bool {
        self.front.reach != Reach::Reads
    }

    fn may_change(&self) -> bool {
        self.writes() && self.permission.gives_up(self.exhibit.kind.free)
    }

    /// A history has fewer bytes than the calls are to write, which they say.
    fn is_too_small(&self, ended: &Ended) -> bool {
        self.exhibit.kind.name == "history of Fathom" && ended.is_refusal()
    }

    fn is_met(&self, ended: &Ended, damage: &Damage) -> bool {
        let is_done = matches!(ended.status, Some(0 | 1 | 7 | 8));
        if !ended.is_orderly() || !damage.unnamed.is_empty() {
            return self.front.may_wait(self.exhibit) && damage.unnamed.is_empty();
        }
        if self.may_change() && self.is_too_small(ended) {
            true
        } else if self.may_change() {
            // The first 64 KiB of btrfs are zeros, and dd writes zeros there.
            let is_as_before = self.exhibit.kind.name == "btrfs device";
            is_done && (damage.is_named_changed || is_as_before && self.front.name == "dd of=")
        } else if self.writes() && self.exhibit.kind.free != Free::Room {
            ended.is_refusal()
        } else {
            true
        }
    }
}

/// The name that a target is given.
pub(crate) struct Named<'a> {
    pub(crate) target: &'a str,
    /// How it is opened on standard input, if the name goes through that.
    pub(crate) stdin: Option<&'a std::path::Path>,
    /// The way, for the table.
    pub(crate) how: String,
    /// Whether it may be refused for its name alone.
    pub(crate) is_strange: bool,
}

impl<'a> Named<'a> {
    pub(crate) fn plainly(target: &'a str) -> Self {
        Self {
            target,
            stdin: None,
            how: String::new(),
            is_strange: false,
        }
    }
}

pub(crate) fn seen(ended: &Ended, damage: &Damage) -> String {
    let mut seen = ended.told();
    if damage.is_named_changed {
        seen.push_str("; what was named is written");
    }
    for unnamed in &damage.unnamed {
        seen.push_str("; CHANGED ");
        seen.push_str(unnamed);
    }
    seen
}
