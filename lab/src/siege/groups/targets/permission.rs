//! What the command line gives up.

use crate::siege::groups::targets::fronts::Front;
use crate::siege::lab::kinds::Free;
use crate::siege::lab::{Exhibit, Lab};

pub(crate) struct Permission {
    pub(crate) name: &'static str,
    pub(crate) overwrites: bool,
    destroys: Destroys,
}

/// What `--destroy` says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Destroys {
    Nothing,
    /// The target, by its name alone.
    Target,
    /// The target, and what it carries.
    TargetAs,
    /// Another device.
    Another,
}

const fn permission(name: &'static str, overwrites: bool, destroys: Destroys) -> Permission {
    Permission {
        name,
        overwrites,
        destroys,
    }
}

/// All of them.
pub(crate) const PERMISSIONS: &[Permission] = &[
    permission("no permission", false, Destroys::Nothing),
    permission("--overwrite", true, Destroys::Nothing),
    permission("--destroy", false, Destroys::Target),
    permission(
        "--destroy with contents, --overwrite",
        true,
        Destroys::TargetAs,
    ),
    permission(
        "--destroy of another device, --overwrite",
        true,
        Destroys::Another,
    ),
];

impl Permission {
    /// Whether a front end takes it, and whether it says something about this target.
    pub(crate) fn fits(&self, front: &Front, exhibit: &Exhibit) -> bool {
        let is_plain = !self.overwrites && self.destroys == Destroys::Nothing;
        let is_about = match self.destroys {
            Destroys::Nothing => true,
            Destroys::Target | Destroys::Another => exhibit.kind.is_device,
            Destroys::TargetAs => {
                exhibit.kind.is_device
                    && (carries(exhibit).is_some() || exhibit.kind.free == Free::Never)
            }
        };
        (is_plain || front.takes_permission()) && is_about
    }

    /// Whether it gives up what is of such a kind.
    pub(crate) fn gives_up(&self, free: Free) -> bool {
        match free {
            Free::Never | Free::Room => false,
            Free::Destroy => self.destroys == Destroys::Target,
            Free::DestroyAs(_) => self.destroys == Destroys::TargetAs,
            Free::Overwrite => self.overwrites,
            Free::Ours => true,
        }
    }

    pub(crate) fn words(&self, exhibit: &Exhibit, name: &str, lab: &Lab) -> Vec<String> {
        let mut words = Vec::new();
        if self.overwrites {
            words.push("--overwrite".to_owned());
        }
        match self.destroys {
            Destroys::Nothing => {}
            Destroys::Target => words.push(format!("--destroy={name}")),
            Destroys::TargetAs => {
                // What may never be written carries ext4, as far as it carries anything.
                let carried = carries(exhibit).unwrap_or("ext4");
                words.push(format!("--destroy={name}={carried}"));
            }
            Destroys::Another => {
                let another = lab
                    .exhibits
                    .iter()
                    .find(|one| one.kind.free == Free::Destroy && !std::ptr::eq(*one, exhibit));
                let another =
                    another.map_or("/dev/null".into(), |one| one.target.to_string_lossy());
                words.push(format!("--destroy={another}"));
            }
        }
        words
    }
}

fn carries(exhibit: &Exhibit) -> Option<&'static str> {
    match exhibit.kind.free {
        Free::DestroyAs(carried) => Some(carried),
        _ => None,
    }
}
