//! What a bill of a machine has in addition to Linux on demand: an operating system, a database
//! licence, a commitment.

use super::instance_type::bare;
use super::machine_prices::MachinePrice;
use super::rows::{self, EvidenceRow, Sources};
use super::{CatalogError, CatalogFile, Cloud, Confidence, Evidence, InstanceType};
use serde::{Deserialize, Serialize};

/// One condition of a bill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BillTerm {
    /// Windows Server, with its licence.
    Windows,
    /// Red Hat Enterprise Linux.
    Rhel,
    /// SQL Server, Web edition.
    SqlWeb,
    /// SQL Server, Standard edition.
    SqlStandard,
    /// SQL Server, Enterprise edition.
    SqlEnterprise,
    /// The machine is paid for a year, without upfront payment.
    #[serde(rename = "commit-1y")]
    OneYear,
    /// For three years.
    #[serde(rename = "commit-3y")]
    ThreeYears,
}

impl BillTerm {
    /// In a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Windows => "Windows",
            Self::Rhel => "Red Hat Enterprise Linux",
            Self::SqlWeb => "SQL Server Web",
            Self::SqlStandard => "SQL Server Standard",
            Self::SqlEnterprise => "SQL Server Enterprise",
            Self::OneYear => "reserved for 1 year without upfront payment",
            Self::ThreeYears => "reserved for 3 years without upfront payment",
        }
    }

    /// Whether the whole price on demand is multiplied; otherwise something is added for each
    /// processor.
    pub const fn is_commitment(self) -> bool {
        matches!(self, Self::OneYear | Self::ThreeYears)
    }

    /// Whether it is sold for x86 alone.
    pub const fn needs_x86(self) -> bool {
        !self.is_commitment() && !matches!(self, Self::Rhel)
    }
}

/// What a term does to the price of a machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PriceTerm {
    /// Which.
    pub term: BillTerm,
    /// A share of the price on demand, or an hour of one virtual processor.
    pub amount: f64,
    /// Virtual processors that are billed; none of a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vcpus: Option<u32>,
    /// What it adds to an hour; below zero where it saves.
    pub hour: f64,
    /// Who says so.
    pub evidence: Evidence,
}

/// What a term costs for a machine, a family, or all others.
#[derive(Clone, Debug)]
pub(super) struct TermRow {
    cloud: Cloud,
    term: BillTerm,
    /// A machine, its family, or `*` for all others.
    name: String,
    from_vcpus: u32,
    /// None where the vendor does not offer it.
    amount: Option<f64>,
    least_vcpus: u32,
    evidence: Evidence,
}

/// What terms cost, of every cloud.
#[derive(Clone, Debug, Default)]
pub struct TermBook {
    pub(super) rows: Vec<TermRow>,
}

/// The rows of a file.
pub(super) fn read(
    file: &CatalogFile<'_>,
    cloud: Cloud,
    sources: &Sources,
) -> Result<Vec<TermRow>, CatalogError> {
    #[derive(Deserialize)]
    struct Row {
        term: BillTerm,
        name: String,
        from_vcpus: Option<u32>,
        amount: Option<f64>,
        least_vcpus: Option<u32>,
        as_of: Option<String>,
        source: String,
        confidence: Option<Confidence>,
    }
    let mut found = Vec::new();
    rows::read(file, |row: Row| {
        let is_price = |amount: f64| amount >= 0.0 && amount.is_finite();
        if !row.amount.is_none_or(is_price) {
            return Err("the amount is below zero".to_owned());
        }
        found.push(TermRow {
            cloud,
            term: row.term,
            name: row.name,
            from_vcpus: row.from_vcpus.unwrap_or(0),
            amount: row.amount,
            least_vcpus: row.least_vcpus.unwrap_or(1),
            evidence: sources.evidence(EvidenceRow {
                source: row.source,
                as_of: row.as_of,
                confidence: row.confidence,
                note: None,
            })?,
        });
        Ok(())
    })?;
    Ok(found)
}

impl TermRow {
    /// What a row is about: a later file replaces all rows about the same.
    pub(super) fn about(&self) -> (Cloud, BillTerm, String) {
        (self.cloud, self.term, self.name.clone())
    }
}

impl TermBook {
    /// Whether the price of a term is known for any machine of a cloud.
    pub fn knows(&self, cloud: Cloud, term: BillTerm) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| row.cloud == cloud && row.term == term && row.amount.is_some())
    }

    /// The price of a machine under all of these terms; none where one of them is not offered for
    /// it, or its price is not known.
    pub fn apply(
        &self,
        machine: &InstanceType,
        mut price: MachinePrice,
        terms: &[BillTerm],
    ) -> Option<MachinePrice> {
        let on_demand = price.hour;
        for term in terms {
            let vcpus = machine.active_vcpus.or(machine.vcpus)?;
            let row = self.find(machine, *term, vcpus)?;
            let amount = row.amount?;
            let billed = (!term.is_commitment()).then_some(vcpus.max(row.least_vcpus));
            let hour = match billed {
                Some(billed) => amount * f64::from(billed),
                None => on_demand * (amount - 1.0),
            };
            price.hour += hour;
            price.terms.push(PriceTerm {
                term: *term,
                amount,
                vcpus: billed,
                hour,
                evidence: row.evidence.clone(),
            });
        }
        Some(price)
    }

    /// The row that is nearest to a machine: its own, that of its family, that of all others.
    fn find(&self, machine: &InstanceType, term: BillTerm, vcpus: u32) -> Option<&TermRow> {
        let own = bare(&machine.name);
        let family = family(machine.cloud, own);
        [own, family.as_str(), "*"].into_iter().find_map(|name| {
            let rows = self.rows.iter().filter(|row| {
                let is_named = row.cloud == machine.cloud && row.term == term && row.name == name;
                is_named && row.from_vcpus <= vcpus
            });
            rows.max_by_key(|row| row.from_vcpus)
        })
    }
}

/// Machines that differ by their size alone: `m7i`, `E#ds_v5`, `n2`.
fn family(cloud: Cloud, name: &str) -> String {
    match cloud {
        Cloud::Aws => name.split('.').next().unwrap_or(name).to_owned(),
        Cloud::Azure => {
            let begin = name
                .find(|c: char| c.is_ascii_digit())
                .unwrap_or(name.len());
            // A size with fewer processors is `E8-4ds_v5`.
            let rest = name[begin..].trim_start_matches(|c: char| c.is_ascii_digit());
            let fewer = rest
                .strip_prefix('-')
                .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            let rest = fewer.map_or(rest, |rest| {
                rest.trim_start_matches(|c: char| c.is_ascii_digit())
            });
            format!("{}#{rest}", &name[..begin])
        }
        _ => name.split('-').next().unwrap_or(name).to_owned(),
    }
}

/// How a bill is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// Conditions of the machine's price.
    pub of_machine: Vec<BillTerm>,
    /// The currency to show, where it is not that of the vendor.
    pub conversion: Option<Conversion>,
}

/// As vendors list their prices.
pub static LIST_PRICES: Terms = Terms {
    of_machine: Vec::new(),
    conversion: None,
};

impl Terms {
    /// What the price of a machine means: `Windows, on demand`.
    pub fn in_words(&self) -> String {
        let named = |of_system: bool| {
            let is_system = |term: &&BillTerm| matches!(term, BillTerm::Windows | BillTerm::Rhel);
            let mut terms = self.of_machine.iter().copied();
            terms.find(|term| !term.is_commitment() && is_system(&term) == of_system)
        };
        let mut terms = self.of_machine.iter().copied();
        let commitment = terms.find(|term| term.is_commitment());
        let mut words = vec![named(true).map_or("Linux", BillTerm::words)];
        words.extend(named(false).map(BillTerm::words));
        words.push(commitment.map_or("on demand", BillTerm::words));
        words.join(", ")
    }
}

/// A currency that a user wants to see, and how much of it a dollar is.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// As in `EUR`.
    pub currency: String,
    /// Of it, for one dollar.
    pub rate: f64,
}

impl Conversion {
    /// An amount and its currency, converted where it is in dollars.
    pub(crate) fn convert(&self, amounts: &mut [&mut f64], currency: &mut String) {
        if currency == "USD" {
            for amount in amounts {
                **amount *= self.rate;
            }
            currency.clone_from(&self.currency);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use jiff::civil::date;

    /// Hour of a machine under terms, to four digits.
    fn hour(name: &str, region: &str, terms: &[BillTerm]) -> Option<f64> {
        let catalog = Catalog::embedded();
        let day = date(2026, 11, 1);
        let machine = catalog.instance(name, None, day).unwrap();
        let prices = catalog
            .machine_prices()
            .of_region(machine.cloud, region, day);
        let price = prices[bare(&machine.name)].clone();
        let found = catalog.terms().apply(machine, price, terms)?;
        Some((found.hour * 10_000.0).round() / 10_000.0)
    }

    #[test]
    fn prices_with_terms_are_those_of_the_vendor() {
        // Vendor's figures: m5.xlarge with Windows 0.376, with SQL Server Standard on Windows
        // 0.856, on Linux 0.672; two processors are billed as four; RHEL 0.2496.
        let found = |terms| hour("m5.xlarge", "us-east-1", terms);
        assert_eq!(found(&[]), Some(0.192));
        assert_eq!(found(&[BillTerm::Windows]), Some(0.376));
        assert_eq!(
            found(&[BillTerm::Windows, BillTerm::SqlStandard]),
            Some(0.856)
        );
        assert_eq!(found(&[BillTerm::SqlStandard]), Some(0.672));
        assert_eq!(found(&[BillTerm::Rhel]), Some(0.2496));
        let small = hour("m5.large", "us-east-1", &[BillTerm::SqlStandard]);
        assert_eq!(small, Some(0.096 + 0.48));
        let burstable = hour("t3.large", "us-east-1", &[BillTerm::Windows]);
        assert_eq!(burstable, Some(0.1108));
    }

    #[test]
    fn a_commitment_is_a_share_of_the_price_without_licences() {
        let both = hour(
            "m5.xlarge",
            "us-east-1",
            &[BillTerm::OneYear, BillTerm::Windows],
        );
        assert_eq!(both, Some(0.305));
        let terms = [BillTerm::Windows, BillTerm::OneYear];
        assert_eq!(hour("m5.xlarge", "us-east-1", &terms), both);
    }

    #[test]
    fn what_is_not_offered_or_not_known_has_no_price() {
        assert_eq!(
            hour("p4d.24xlarge", "us-east-1", &[BillTerm::Windows]),
            None
        );
        assert_eq!(hour("Standard_D4s_v5", "eastus", &[BillTerm::SqlWeb]), None);
        assert_eq!(
            hour("n2-standard-4", "us-central1", &[BillTerm::OneYear]),
            None
        );
        assert!(
            !Catalog::embedded()
                .terms()
                .knows(Cloud::Azure, BillTerm::SqlWeb)
        );
    }

    #[test]
    fn families_are_names_without_their_size() {
        let of = |cloud, name| family(cloud, name);
        assert_eq!(of(Cloud::Aws, "m7i-flex.xlarge"), "m7i-flex");
        assert_eq!(of(Cloud::Azure, "E8-4ds_v5"), "E#ds_v5");
        assert_eq!(of(Cloud::Azure, "M128-32ms"), "M#ms");
        assert_eq!(of(Cloud::Azure, "D2s_v3"), "D#s_v3");
        assert_eq!(of(Cloud::Gcp, "c2-standard-8"), "c2");
    }

    #[test]
    fn a_file_of_the_user_beats_what_comes_with_the_program() {
        let mut catalog = Catalog::embedded();
        let text = "term,name,from_vcpus,amount,least_vcpus,as_of,source,confidence\n\
                    sql-web,*,,0.02,4,2026-01-01,our contract,sourced\n";
        let path = "azure/terms.csv";
        catalog.add(&CatalogFile { path, text }).unwrap();
        assert!(catalog.terms().knows(Cloud::Azure, BillTerm::SqlWeb));
        let text = text.replace("0.02", "-1");
        let error = catalog.add(&CatalogFile { path, text: &text }).unwrap_err();
        let expected = "azure/terms.csv:2: the amount is below zero";
        assert_eq!(error.to_string(), expected);
    }
}
