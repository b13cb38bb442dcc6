//! A profile as words of a command line.

use crate::diskspd::profile::{
    Cache, Content, DEFAULT_BLOCK_BYTES, Profile, Ranges, Target, Throttle, TimeSpan,
};
use crate::translation::{Note, Standing};

const REMEDY: &str = "use --to diskspd-xml";

/// The words, the program's name first.
///
/// # Errors
///
/// Several time spans, or targets that are not alike.
pub(super) fn words(profile: &Profile) -> Result<Vec<String>, Note> {
    let refused = |what: &str, message: String| {
        let message = format!("{message}; {REMEDY}");
        Note::new(Standing::Refused, what, message)
    };
    let [span] = profile.spans.as_slice() else {
        let count = profile.spans.len();
        let message = format!("a command line of DISKSPD is one phase, and these are {count}");
        return Err(refused("phase", message));
    };
    let Some(first) = span.targets.first() else {
        return Err(refused("job", "the phase has no job".to_owned()));
    };
    let like_first = |target: &Target| {
        let path = first.path.clone();
        let other = Target {
            path,
            ..target.clone()
        };
        other == *first
    };
    if !span.targets.iter().all(like_first) {
        let message = "a command line of DISKSPD has targets that are all alike, and these jobs \
                       are not"
            .to_owned();
        return Err(refused("job", message));
    }
    let mut words = vec!["diskspd".to_owned()];
    requests(first, &mut words);
    order(first, &mut words);
    how(first, &mut words);
    when(span, first, &mut words);
    for target in &span.targets {
        words.push(path(&target.path)?);
    }
    Ok(words)
}

/// A size in the largest letter that is exact.
fn size(bytes: u64) -> String {
    for (factor, letter) in [(1_u64 << 30, 'G'), (1 << 20, 'M'), (1 << 10, 'K')] {
        if bytes > 0 && bytes.is_multiple_of(factor) {
            return format!("{}{letter}", bytes / factor);
        }
    }
    bytes.to_string()
}

fn requests(target: &Target, words: &mut Vec<String>) {
    if let Some(bytes) = target.file_bytes {
        words.push(format!("-c{}", size(bytes)));
    }
    if target.block_bytes != DEFAULT_BLOCK_BYTES {
        words.push(format!("-b{}", size(target.block_bytes)));
    }
    if target.base_bytes > 0 {
        words.push(format!("-B{}", size(target.base_bytes)));
    }
    if let Some(end) = target.max_bytes {
        words.push(format!("-f{}", size(end)));
    }
    if target.write_percent > 0 {
        words.push(format!("-w{}", target.write_percent));
    }
}

fn order(target: &Target, words: &mut Vec<String>) {
    let order = &target.order;
    let stride = if order.stride_bytes == target.block_bytes {
        String::new()
    } else {
        size(order.stride_bytes)
    };
    match order.random_percent {
        0 if order.interlocked => words.push(format!("-si{stride}")),
        0 if stride.is_empty() => {}
        0 => words.push(format!("-s{stride}")),
        100 => words.push(format!("-r{stride}")),
        percent => {
            words.push(format!("-rs{percent}"));
            if !stride.is_empty() {
                words.push(format!("-r{stride}"));
            }
        }
    }
    let (form, ranges) = match &order.ranges {
        Ranges::Uniform => ("", &Vec::new()),
        Ranges::Percent(list) => ("-rdpct", list),
        Ranges::Absolute(list) => ("-rdabs", list),
    };
    if !ranges.is_empty() {
        let range = |(ios, of): &(u32, u64)| format!("{ios}/{of}");
        let ranges: Vec<String> = ranges.iter().map(range).collect();
        words.push(format!("{form}{}", ranges.join(":")));
    }
    if target.thread_stride_bytes > 0 {
        words.push(format!("-T{}", size(target.thread_stride_bytes)));
    }
}

fn how(target: &Target, words: &mut Vec<String>) {
    let cache = match target.cache {
        Cache::Cached => "",
        Cache::Uncached => "u",
        Cache::LocalUncached => "r",
    };
    let through = if target.write_through { "w" } else { "" };
    if !cache.is_empty() || !through.is_empty() {
        words.push(format!("-S{cache}{through}"));
    }
    match &target.content {
        Content::Counting => {}
        Content::Zero => words.push("-Z".to_owned()),
        Content::Random => words.push("-Zr".to_owned()),
        Content::Buffer { bytes, .. } => words.push(format!("-Z{}", size(*bytes))),
    }
    if target.large_pages {
        words.push("-l".to_owned());
    }
}

fn when(span: &TimeSpan, target: &Target, words: &mut Vec<String>) {
    match (span.threads, span.outstanding) {
        (0, _) => words.push(format!("-t{}", target.threads)),
        (threads, 0) => words.push(format!("-F{threads}")),
        (threads, outstanding) => {
            words.extend([format!("-F{threads}"), format!("-O{outstanding}")]);
        }
    }
    if span.outstanding == 0 {
        words.push(format!("-o{}", target.outstanding));
    }
    match target.throttle {
        None => {}
        Some(Throttle::BytesPerMs(rate)) => words.push(format!("-g{rate}")),
        Some(Throttle::Iops(rate)) => words.push(format!("-g{rate}i")),
    }
    if let (Some(burst), Some(think)) = (target.burst, target.think_ms) {
        words.extend([format!("-i{burst}"), format!("-j{think}")]);
    }
    words.push(format!("-d{}", span.duration_s));
    words.push(format!("-W{}", span.warm_up_s));
    if span.cool_down_s > 0 {
        words.push(format!("-C{}", span.cool_down_s));
    }
    match (span.fresh_seed, span.seed) {
        (true, _) => words.push("-z".to_owned()),
        (false, 0) => {}
        (false, seed) => words.push(format!("-z{seed}")),
    }
    if span.no_affinity {
        words.push("-n".to_owned());
    }
    if !span.affinity.is_empty() {
        let list: Vec<String> = span
            .affinity
            .iter()
            .map(|(_, cpu)| cpu.to_string())
            .collect();
        words.push(format!("-a{}", list.join(",")));
    }
    if let Some(bucket) = span.iops_bucket_ms {
        words.push(format!("-D{bucket}"));
    }
    words.push("-L".to_owned());
}

/// The path as a word of a shell.
fn path(path: &str) -> Result<String, Note> {
    if path.contains(['"', '$', '`', '!']) {
        let message = format!("the target {path:?} cannot be quoted for every shell; rename it");
        return Err(Note::new(Standing::Refused, "targets", message));
    }
    let path = if path.starts_with('-') {
        format!("./{path}")
    } else {
        path.to_owned()
    };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:,=@%".contains(c);
    if path.chars().all(is_plain) {
        Ok(path)
    } else {
        Ok(format!("\"{path}\""))
    }
}
