//! What a layout costs a month: the bills of its volumes, part by part.

use crate::catalog::{BillError, BillPart, Catalog, Cloud, Date, VolumeOrder, VolumeType};
use serde::Serialize;

/// The monthly list price of a layout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The region whose prices these are.
    pub region: String,
    /// The parts, those of equal price added up.
    pub parts: Vec<BillPart>,
    /// Their sum.
    pub total: f64,
    /// As in `USD`.
    pub currency: String,
}

/// The region whose prices are taken where none is named.
pub(super) const fn usual_region(cloud: Cloud) -> &'static str {
    match cloud {
        Cloud::Aws => "us-east-1",
        Cloud::Azure => "eastus",
        Cloud::Gcp => "us-central1",
        Cloud::Local => "",
    }
}

impl Cost {
    /// What volumes as ordered cost a month.
    pub(super) fn of(
        catalog: &Catalog,
        orders: &[(VolumeType, VolumeOrder)],
        region: &str,
        at: Date,
    ) -> Result<Self, BillError> {
        let mut parts: Vec<BillPart> = Vec::new();
        let mut currency = String::new();
        for run in orders.chunk_by(|one, next| one == next) {
            let (volume, order) = &run[0];
            let bill = catalog.prices().bill(volume, order, region, at)?;
            let count = run.len() as f64;
            for part in bill.parts {
                let same = |known: &&mut BillPart| {
                    known.what == part.what
                        && known.evidence == part.evidence
                        && (known.price - part.price).abs() < f64::EPSILON
                };
                match parts.iter_mut().find(same) {
                    Some(known) => {
                        known.quantity += part.quantity * count;
                        known.amount += part.amount * count;
                    }
                    None => parts.push(BillPart {
                        quantity: part.quantity * count,
                        amount: part.amount * count,
                        ..part
                    }),
                }
            }
            currency = bill.currency;
        }
        Ok(Self {
            region: region.to_owned(),
            total: parts.iter().map(|part| part.amount).sum(),
            parts,
            currency,
        })
    }
}
