//! When a bus is the neck before the disks are.

/// The most disks of a rate that a bus carries at once, all at full rate; one more and the bus
/// binds. Rates in bytes a second, one direction.
pub fn disks_of_bus(bus_bytes_per_second: f64, disk_bytes_per_second: f64) -> u32 {
    (bus_bytes_per_second / disk_bytes_per_second + 1e-9).floor() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn links_carry_their_line_rate_times_the_code() {
        let catalog = Catalog::embedded();
        let cases = [
            ("sas-3g", 1, 300.0),
            ("sas-6g", 1, 600.0),
            ("sas-12g", 1, 1_200.0),
            ("sas-24g", 1, 2_400.0),
            ("pcie1", 4, 1_000.0),
            ("pcie2", 4, 2_000.0),
            ("pcie3", 4, 3_938.5),
            ("pcie4", 4, 7_876.9),
            ("pcie5", 4, 15_753.8),
        ];
        for (name, lanes, expected) in cases {
            let rate = catalog.link(name).unwrap().bytes_per_second(lanes) / 1e6;
            assert!((rate - expected).abs() < 0.06, "{name} x{lanes}: {rate}");
        }
    }

    #[test]
    fn six_disks_of_3g_and_three_of_6g_fill_2_gb() {
        assert_eq!(disks_of_bus(2e9, 300e6), 6);
        assert_eq!(disks_of_bus(2e9, 600e6), 3);
        // The controller of the study has twice that.
        assert_eq!(disks_of_bus(4e9, 300e6), 13);
        assert_eq!(disks_of_bus(4e9, 600e6), 6);
    }
}
