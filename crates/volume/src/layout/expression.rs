//! Reads an expression.
//!
//! ```text
//! layout := term ('+' term)*                      several terms are one stripe
//! term   := [COUNT 'x'] (volume | array)
//! array  := LEVEL '(' layout (',' 'chunk=' SIZE)* ')'
//! volume := NAME (':' field)*
//! field  := SIZE | NUMBER 'iops' | SIZE '/s' | 'ondemand' | 'plus' | 'credit=' PERCENT
//! ```

use super::error::ExpressionError;
use super::{Amount, Array, Layout, RaidLevel, VolumeText};
use fathom_core::{Bytes, nearest::nearest};

/// Members of an array; more is a slip of the finger.
const MAX_MEMBERS: usize = 1_000;

const FIELDS: &str = "a size as 250GiB, IOPS as 16000iops, throughput as 1000MiB/s, `ondemand`, \
                      `plus`, or credit=50%";

impl std::str::FromStr for Layout {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        let mut reader = Reader { text, at: 0 };
        let terms = reader.terms()?;
        reader.skip_blanks();
        if reader.at < text.len() {
            let rest = text.len() - reader.at;
            return Err(ExpressionError::new(
                format!("`{}` is left over", &text[reader.at..]),
                (reader.at, rest),
            )
            .remedy("`+` between volumes, `:` between the parts of one"));
        }
        Ok(one(terms))
    }
}

/// A single member is itself; more are a stripe.
fn one(mut terms: Vec<Layout>) -> Layout {
    if terms.len() == 1 {
        return terms.remove(0);
    }
    Layout::Array(Array {
        level: RaidLevel::Raid0,
        members: terms,
        chunk: None,
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// The letters up to one that ends a word.
    fn word(&mut self, ends: &[char]) -> (&'a str, (usize, usize)) {
        self.skip_blanks();
        let rest = self.rest();
        let length = rest.find(ends).unwrap_or(rest.len());
        let place = (self.at, length);
        self.at += length;
        (rest[..length].trim_end(), place)
    }

    fn terms(&mut self) -> Result<Vec<Layout>, ExpressionError> {
        let mut terms = Vec::new();
        loop {
            let (count, place) = self.count()?;
            let term = self.term()?;
            if terms.len() + count > MAX_MEMBERS {
                return Err(ExpressionError::new(
                    format!("more than {MAX_MEMBERS} members"),
                    place,
                ));
            }
            terms.extend(std::iter::repeat_n(term, count));
            if !self.eat('+') {
                return Ok(terms);
            }
        }
    }

    /// `4x` before a volume; otherwise one.
    fn count(&mut self) -> Result<(usize, (usize, usize)), ExpressionError> {
        self.skip_blanks();
        let rest = self.rest();
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let after = rest[digits..].trim_start();
        let place = (self.at, digits);
        let sign = after
            .chars()
            .next()
            .filter(|c| matches!(c, 'x' | 'X' | '*' | '×'));
        let (true, Some(sign)) = (digits > 0, sign) else {
            return Ok((1, place));
        };
        let number: usize = rest[..digits].parse().map_err(|_| {
            ExpressionError::new(format!("`{}` is not a count", &rest[..digits]), place)
        })?;
        if number == 0 {
            return Err(ExpressionError::new("no volume at all", place).remedy("1 or more"));
        }
        self.at += rest.len() - after.len() + sign.len_utf8();
        Ok((number, place))
    }

    fn term(&mut self) -> Result<Layout, ExpressionError> {
        let begin = self.at;
        let (name, place) = self.word(&[':', '+', ',', '(', ')']);
        if self.rest().starts_with('(') {
            return self.array(name, place);
        }
        if name.is_empty() {
            let place = (begin, self.text.len() - begin);
            return Err(ExpressionError::new("a volume type is missing", place)
                .remedy("as in gp2:250GiB, or 4x gp2:250GiB"));
        }
        if name.contains(char::is_whitespace) {
            return Err(
                ExpressionError::new(format!("`{name}` is not a volume type"), place)
                    .remedy("`:` between the parts of a volume, as in gp3:1TiB:16000iops"),
            );
        }
        let mut volume = VolumeText {
            name: name.to_owned(),
            ..VolumeText::default()
        };
        while self.eat(':') {
            let (field, place) = self.word(&[':', '+', ',', '(', ')']);
            read_field(&mut volume, field, place)?;
        }
        Ok(Layout::Volume(volume))
    }

    fn array(&mut self, name: &str, place: (usize, usize)) -> Result<Layout, ExpressionError> {
        let level = level(name).ok_or_else(|| {
            let names = RaidLevel::ALL.map(RaidLevel::name);
            let near = nearest(name, names).map_or_else(|| names.join(", "), str::to_owned);
            ExpressionError::new(format!("`{name}` is not a RAID level"), place).remedy(near)
        })?;
        self.eat('(');
        let members = self.terms()?;
        let mut chunk = None;
        while self.eat(',') {
            let (option, place) = self.word(&[',', ')']);
            let size = option.strip_prefix("chunk=").ok_or_else(|| {
                ExpressionError::new(format!("`{option}` is not an option of an array"), place)
                    .remedy("chunk=64KiB; `+` between members")
            })?;
            chunk = Some(chunk_size(size, place)?);
        }
        if !self.eat(')') {
            let place = (self.at, self.text.len() - self.at);
            return Err(ExpressionError::new("a `)` is missing", place));
        }
        if members.len() < level.min_members() {
            return Err(ExpressionError::new(
                format!(
                    "{} needs {} members, and has {}",
                    level.name(),
                    level.min_members(),
                    members.len()
                ),
                place,
            ));
        }
        if level == RaidLevel::Raid10 && members.len() % 2 != 0 {
            return Err(ExpressionError::new(
                format!("raid10 needs pairs, and has {} members", members.len()),
                place,
            ));
        }
        Ok(Layout::Array(Array {
            level,
            members,
            chunk,
        }))
    }
}

fn level(name: &str) -> Option<RaidLevel> {
    match name.to_ascii_lowercase().as_str() {
        "stripe" => Some(RaidLevel::Raid0),
        "mirror" => Some(RaidLevel::Raid1),
        name => RaidLevel::ALL
            .into_iter()
            .find(|level| level.name() == name),
    }
}

fn chunk_size(text: &str, place: (usize, usize)) -> Result<Bytes, ExpressionError> {
    let size: Bytes = text
        .parse()
        .map_err(|error: fathom_core::units::UnitError| {
            ExpressionError::new(error.to_string(), place).remedy("chunk=64KiB")
        })?;
    if size.0 < 512 || !size.0.is_power_of_two() {
        return Err(
            ExpressionError::new(format!("a chunk cannot be {size}"), place)
                .remedy("a power of two, as 64KiB"),
        );
    }
    Ok(size)
}

fn read_field(
    volume: &mut VolumeText,
    field: &str,
    place: (usize, usize),
) -> Result<(), ExpressionError> {
    let lower = field.to_ascii_lowercase();
    let twice = |what: &str| {
        Err(ExpressionError::new(
            format!("the {what} of {} is given twice", volume.name),
            place,
        ))
    };
    match lower.as_str() {
        "ondemand" | "on-demand" => {
            volume.on_demand = true;
            return Ok(());
        }
        "plus" => {
            volume.plus = true;
            return Ok(());
        }
        _ => {}
    }
    if let Some(percent) = lower.strip_prefix("credit=") {
        let number: Option<f64> = percent.trim_end_matches('%').trim().parse().ok();
        let share = number.filter(|number| (0.0..=100.0).contains(number));
        volume.credit_percent = Some(share.ok_or_else(|| {
            ExpressionError::new(format!("`{field}` is not a share"), place)
                .remedy("credit=0% to credit=100%")
        })?);
        return Ok(());
    }
    if let Some(number) = lower.strip_suffix("iops") {
        if volume.iops.is_some() {
            return twice("IOPS");
        }
        volume.iops = Some(iops(number.trim()).ok_or_else(|| no_field(field, place))?);
        return Ok(());
    }
    if let Some(rate) = field.strip_suffix("/s") {
        if volume.rate.is_some() {
            return twice("throughput");
        }
        volume.rate = Some(amount(rate).ok_or_else(|| no_field(field, place))?);
        return Ok(());
    }
    if volume.size.is_some() {
        return match amount(field) {
            Some(_) => twice("size"),
            None => Err(no_field(field, place)),
        };
    }
    volume.size = Some(amount(field).ok_or_else(|| no_field(field, place))?);
    Ok(())
}

fn no_field(field: &str, place: (usize, usize)) -> ExpressionError {
    let message = if field.is_empty() {
        "nothing follows a `:`".to_owned()
    } else if field.parse::<f64>().is_ok() {
        format!("`{field}` needs a unit")
    } else {
        format!("`{field}` says nothing about a volume")
    };
    ExpressionError::new(message, place).remedy(FIELDS)
}

/// `10000`, `16k`.
fn iops(text: &str) -> Option<f64> {
    let (number, factor) = match text.strip_suffix('k') {
        Some(number) => (number, 1e3),
        None => (text, 1.0),
    };
    let number: f64 = number.trim().replace(',', "").parse().ok()?;
    (number.is_finite() && number > 0.0).then_some(number * factor)
}

/// A number above nothing with a unit of bytes.
fn amount(text: &str) -> Option<Amount> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    let unit = unit.trim();
    Bytes::unit_factor(unit)?;
    (number > 0.0).then(|| Amount {
        number,
        unit: unit.to_owned(),
    })
}
