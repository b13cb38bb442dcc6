//! What a form cannot say of a workload, gathered by subject.

use crate::translation::{Note, Standing};
use fathom_core::SmallSort as _;
use fathom_core::spec::Job;
use fathom_core::spec::fields::{COMPAT, JOB};
use std::collections::HashSet;

/// Places that a note names before it counts the others.
const MOST_PLACES: usize = 3;

/// Collects losses; the same one of several jobs is one note that names them.
#[derive(Debug, Default)]
pub struct Losses {
    list: Vec<Loss>,
    place: Option<String>,
}

#[derive(Debug)]
struct Loss {
    standing: Standing,
    what: &'static str,
    message: String,
    places: Vec<String>,
    /// The same, to be found at once: there may be one for each of many jobs.
    told: HashSet<String>,
}

impl Losses {
    /// What follows is about the job of this name; without one, about all.
    pub fn of(&mut self, job: Option<String>) {
        self.place = job;
    }

    /// A loss: `what` is the key of the specification.
    pub fn say(&mut self, standing: Standing, what: &'static str, message: impl Into<String>) {
        let message = message.into();
        let same =
            |loss: &Loss| (loss.standing, loss.what, &loss.message) == (standing, what, &message);
        let at = self.list.iter().position(same).unwrap_or(self.list.len());
        if at == self.list.len() {
            self.list.push(Loss {
                standing,
                what,
                message,
                places: Vec::new(),
                told: HashSet::new(),
            });
        }
        let loss = &mut self.list[at];
        if let Some(place) = &self.place
            && loss.told.insert(place.clone())
        {
            loss.places.push(place.clone());
        }
    }

    /// A loss if `lost`.
    pub fn say_if(&mut self, lost: bool, standing: Standing, what: &'static str, message: &str) {
        if lost {
            self.say(standing, what, message);
        }
    }

    /// Those that were gathered apart.
    pub fn append(&mut self, later: Self) {
        let place = self.place.take();
        for loss in later.list {
            let Loss {
                standing,
                what,
                message,
                places,
                ..
            } = loss;
            self.place = None;
            if places.is_empty() {
                self.say(standing, what, message.clone());
            }
            for place in places {
                self.place = Some(place);
                self.say(standing, what, message.clone());
            }
        }
        self.place = place;
    }

    /// Every field of the table of a job that differs from its default and that `tool` does not
    /// have: it has the fields `said`, or does not need them.
    pub fn rest(&mut self, job: &Job, said: &[&str], tool: &str) {
        let refused = self
            .list
            .iter()
            .filter(|loss| loss.standing == Standing::Refused);
        let refused: HashSet<&str> = refused.map(|loss| loss.what).collect();
        let plain = (JOB.plain)();
        // Every job has a value; were there none, all of it would be lost.
        let told = serde_json::to_value(job).unwrap_or_default();
        let of_compat = COMPAT
            .fields
            .iter()
            .map(|field| (field, told.get(COMPAT.name)));
        let own = JOB.fields.iter().filter(|field| field.name != COMPAT.name);
        let own = own.map(|field| (field, Some(&told)));
        for (field, told) in own.chain(of_compat) {
            let told = told.and_then(|told| told.get(field.name));
            // What was refused of any job is not only approximated in this one.
            let is_said = said.contains(&field.name) || refused.contains(&field.name);
            if !is_said && told != plain.get(field.name) {
                let message = format!("{tool} has no word for it");
                self.say(Standing::Approximated, field.name, message);
            }
        }
    }

    /// The notes, the gravest first.
    pub fn into_notes(mut self) -> Vec<Note> {
        self.list.small_sort_by_key(|loss| gravity(loss.standing));
        self.list.into_iter().map(Loss::into_note).collect()
    }
}

/// From what makes it a different load down to what is no loss.
const fn gravity(standing: Standing) -> u8 {
    match standing {
        Standing::Refused => 0,
        Standing::Approximated => 1,
        Standing::Ignored => 2,
        Standing::Kept => 3,
    }
}

impl Loss {
    fn into_note(self) -> Note {
        if self.standing == Standing::Kept {
            return Note::new(self.standing, self.what, self.message);
        }
        let (named, others) = self.places.split_at(self.places.len().min(MOST_PLACES));
        let named: Vec<String> = named.iter().map(|place| format!("`{place}`")).collect();
        let message = match (named.is_empty(), others.len()) {
            (true, _) => self.message,
            (false, 0) => format!("{} (job {})", self.message, named.join(", ")),
            (false, more) => format!(
                "{} (job {} and {more} more)",
                self.message,
                named.join(", ")
            ),
        };
        Note::new(self.standing, self.what, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Bytes;

    #[test]
    fn a_field_that_nobody_knows_is_a_loss_where_it_is_not_plain() {
        let mut losses = Losses::default();
        losses.rest(&Job::plain(), &[], "dd");
        let mut job = Job::plain();
        (job.fresh, job.size, job.offset) = (true, Some(Bytes::MIB), Bytes::MIB);
        losses.rest(&job, &["size", "name"], "dd");
        let notes = losses.into_notes();
        let said: Vec<String> = notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "approximated: `offset`: dd has no word for it",
                "approximated: `fresh`: dd has no word for it",
            ]
        );
    }

    #[test]
    fn the_same_loss_of_several_jobs_is_said_once() {
        let mut losses = Losses::default();
        losses.say(Standing::Ignored, "interval", "it is of one second");
        for job in ["a", "b", "b", "c", "d", "e"] {
            losses.of(Some(job.to_owned()));
            losses.say(Standing::Approximated, "think", "rounded");
        }
        losses.of(None);
        losses.say_if(true, Standing::Refused, "repeat", "once only");
        losses.say_if(false, Standing::Refused, "seed", "none");
        let said: Vec<String> = losses
            .into_notes()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            said,
            [
                "refused: `repeat`: once only",
                "approximated: `think`: rounded (job `a`, `b`, `c` and 2 more)",
                "ignored: `interval`: it is of one second",
            ]
        );
    }
}
