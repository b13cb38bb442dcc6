//! A layout as it would be written again, equal members counted.

use super::{Amount, Array, Layout, RaidLevel, VolumeText};
use std::fmt;

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.unit)
    }
}

impl fmt::Display for VolumeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(size) = &self.size {
            write!(f, ":{size}")?;
        }
        if let Some(iops) = self.iops {
            write!(f, ":{iops}iops")?;
        }
        if let Some(rate) = &self.rate {
            write!(f, ":{rate}/s")?;
        }
        if self.on_demand {
            f.write_str(":ondemand")?;
        }
        if self.plus {
            f.write_str(":plus")?;
        }
        if let Some(percent) = self.credit_percent {
            write!(f, ":credit={percent}%")?;
        }
        Ok(())
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Volume(volume) => volume.fmt(f),
            Self::Array(array) => array.fmt(f),
        }
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = self.level == RaidLevel::Raid0 && self.chunk.is_none();
        if !is_plain {
            write!(f, "{}(", self.level.name())?;
        }
        let runs = self.members.chunk_by(|one, next| one == next);
        for (index, run) in runs.enumerate() {
            if index > 0 {
                f.write_str(" + ")?;
            }
            match run {
                [only] => only.fmt(f)?,
                [first, ..] => write!(f, "{}x {first}", run.len())?,
                [] => {}
            }
        }
        if let Some(chunk) = self.chunk {
            write!(f, ", chunk={chunk}")?;
        }
        if is_plain { Ok(()) } else { f.write_str(")") }
    }
}
