//! What stands where in fio's terse lines. What writes such lines and what reads them go by this
//! list.

use super::settings::Unified;

/// A version of the terse form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TerseVersion {
    /// Without the version of fio and without devices; the text about a job is on a line of its
    /// own.
    V2,
    /// fio's own choice: reads and writes.
    #[default]
    V3,
    /// And trims.
    V4,
    /// And the spread of requests a second.
    V5,
}

impl TerseVersion {
    const ALL: [Self; 4] = [Self::V2, Self::V3, Self::V4, Self::V5];

    /// Its number, with which a line begins.
    pub const fn number(self) -> u8 {
        match self {
            Self::V2 => 2,
            Self::V3 => 3,
            Self::V4 => 4,
            Self::V5 => 5,
        }
    }

    /// The version of this number.
    pub fn numbered(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.number() == number)
    }
}

/// One place of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TersePlace {
    /// Of the form.
    Version,
    /// Version of fio.
    Fio,
    Job,
    Group,
    /// Number of the first error, or 0.
    Error,
    /// Of one direction, by its name.
    Of(&'static str, Figure),
    UserPercent,
    SystemPercent,
    Switches,
    MajorFaults,
    MinorFaults,
    /// Share of the requests at 1, 2, 4, 8, 16, 32, 64 or more in flight.
    Depth(usize),
    /// Share of the latencies in a bucket of a series: microseconds are 1, milliseconds 2.
    Share(usize, usize),
}

/// A number of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Figure {
    Kib,
    KibPerSecond,
    Iops,
    RuntimeMs,
    /// In microseconds.
    Time(Time, Moment),
    /// One of this number, as in `99.900000%=123` microseconds of the completion.
    Percentile(usize),
    /// KiB/s by interval.
    Bandwidth(Sample),
    /// Share of the bandwidth of the group.
    GroupPercent,
    /// Requests a second by interval.
    IopsBy(Sample),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    Submission,
    Completion,
    Total,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Min,
    Max,
    Mean,
    Deviation,
}

/// The values of intervals that are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    Of(Moment),
    Count,
}

/// Places for percentiles.
pub(super) const PERCENTILES: usize = 20;

/// The text in place of a percentile that nobody asked for.
pub(super) const NO_PERCENTILE: &str = "0%=0";

/// Buckets of depths.
pub(super) const DEPTHS: usize = 7;

/// Buckets of latencies in microseconds and in milliseconds, with the numbers of their series.
pub(super) const SERIES: [(usize, usize); 2] = [(1, 10), (2, 12)];

/// Places of each device after those of the job: its name, requests, merged ones and times of reads
/// and of writes, the time in its queue, how busy it was.
pub(super) const DEVICE: usize = 9;

/// The one set over all directions.
pub(super) const MIXED: &str = "mixed";

/// The directions that a line has, each by itself, or all of them in one, or both.
pub(super) const fn directions(version: TerseVersion, unified: Unified) -> &'static [&'static str] {
    match (unified, version) {
        (Unified::Mixed, _) => &[MIXED],
        (Unified::None, TerseVersion::V3) => &["read", "write"],
        (Unified::Both, TerseVersion::V3) => &["read", "write", MIXED],
        (Unified::None, _) => &["read", "write", "trim"],
        (Unified::Both, _) => &["read", "write", "trim", MIXED],
    }
}

/// All places of a line up to those of devices.
pub(super) fn places(version: TerseVersion, unified: Unified) -> Vec<TersePlace> {
    let mut places = vec![TersePlace::Version];
    if version != TerseVersion::V2 {
        places.push(TersePlace::Fio);
    }
    places.extend([TersePlace::Job, TersePlace::Group, TersePlace::Error]);
    let figures = figures(version);
    for direction in directions(version, unified) {
        places.extend(
            figures
                .iter()
                .map(|figure| TersePlace::Of(direction, *figure)),
        );
    }
    places.extend([
        TersePlace::UserPercent,
        TersePlace::SystemPercent,
        TersePlace::Switches,
        TersePlace::MajorFaults,
        TersePlace::MinorFaults,
    ]);
    places.extend((0..DEPTHS).map(TersePlace::Depth));
    for (series, buckets) in SERIES {
        places.extend((0..buckets).map(|bucket| TersePlace::Share(series, bucket)));
    }
    places
}

/// Those of one direction.
fn figures(version: TerseVersion) -> Vec<Figure> {
    use Moment::{Deviation, Max, Mean, Min};
    let moments = [Min, Max, Mean, Deviation];
    let time = |time: Time| moments.map(|moment| Figure::Time(time, moment));
    let mut figures = vec![
        Figure::Kib,
        Figure::KibPerSecond,
        Figure::Iops,
        Figure::RuntimeMs,
    ];
    figures.extend(time(Time::Submission));
    figures.extend(time(Time::Completion));
    figures.extend((0..PERCENTILES).map(Figure::Percentile));
    figures.extend(time(Time::Total));
    let bandwidth = |moment| Figure::Bandwidth(Sample::Of(moment));
    figures.extend([Min, Max].map(bandwidth));
    figures.push(Figure::GroupPercent);
    figures.extend([Mean, Deviation].map(bandwidth));
    if version == TerseVersion::V5 {
        figures.push(Figure::Bandwidth(Sample::Count));
        figures.extend(moments.map(|moment| Figure::IopsBy(Sample::Of(moment))));
        figures.push(Figure::IopsBy(Sample::Count));
    }
    figures
}
