//! From the words for a volume to an order of its type, in the vendor's units.

use super::{Amount, VolumeText};
use crate::catalog::{
    BurstChoice, Catalog, Cloud, Date, Law, Remark, Unknown, VolumeOrder, VolumeType,
};

const GIB: f64 = 1_073_741_824.0;

/// The intended type, the order, and what was assumed.
pub(super) fn resolve<'a>(
    text: &VolumeText,
    catalog: &'a Catalog,
    at: Date,
) -> Result<(&'a VolumeType, VolumeOrder, Vec<Remark>), Unknown> {
    let mut remarks = Vec::new();
    let volume = find(text, catalog, at, &mut remarks)?;
    let is_cloud = volume.cloud != Cloud::Local && !matches!(volume.law, Law::Device(_));
    let size_bytes = text.size.as_ref().map(|size| {
        if is_cloud && size.is_decimal() {
            remarks.push(read_as(text, size, "sizes", "GiB"));
            size.binary_bytes()
        } else {
            size.bytes()
        }
    });
    let rate = text.rate.as_ref().map(|rate| {
        if is_cloud && rate.is_decimal() && volume.unit_bytes > 1e6 {
            remarks.push(read_as(text, rate, "throughput", "MiB/s"));
            rate.binary_bytes()
        } else {
            rate.bytes()
        }
    });
    let order = VolumeOrder {
        name: volume.name.clone(),
        size_gib: size_bytes.map(|bytes| bytes / GIB),
        iops: text.iops,
        bytes_per_second: rate,
        burst: if text.on_demand {
            BurstChoice::OnDemand
        } else {
            BurstChoice::Credit
        },
        plus: text.plus,
        credit: text.credit_percent.map_or(1.0, |percent| percent / 100.0),
    };
    Ok((volume, order, remarks))
}

fn read_as(text: &VolumeText, amount: &Amount, what: &str, unit: &str) -> Remark {
    Remark::assumed(format!(
        "{amount} of {} is read as {} {}: the vendor's {what} are in {unit}",
        text.name,
        amount.number,
        amount.unit.replace('B', "iB")
    ))
}

fn find<'a>(
    text: &VolumeText,
    catalog: &'a Catalog,
    at: Date,
    remarks: &mut Vec<Remark>,
) -> Result<&'a VolumeType, Unknown> {
    let unknown = match catalog.volume(&text.name, at) {
        Ok(volume) => return Ok(volume),
        Err(unknown) => unknown,
    };
    let gib = text.size.as_ref().map(|size| size.binary_bytes() / GIB);
    let tier = gib.and_then(|gib| catalog.tier(&text.name, gib, at));
    match tier {
        Some(tier) => {
            remarks.push(Remark::note(format!(
                "{} of that size is {}",
                text.name, tier.name
            )));
            Ok(tier)
        }
        None => Err(unknown),
    }
}
