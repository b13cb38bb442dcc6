//! The files of the folder `catalog/`, in the program.

use super::CatalogFile;

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        [$(CatalogFile {
            path: $path,
            text: include_str!(concat!("../../../../catalog/", $path)),
        }),*]
    };
}

/// All files, those first that others refer to.
pub(super) const FILES: [CatalogFile<'static>; 16] = files![
    "sources.csv",
    "aws/volumes.csv",
    "aws/instances.csv",
    "aws/prices.csv",
    "aws/machine_prices.csv",
    "azure/volumes.csv",
    "azure/instances.csv",
    "azure/prices.csv",
    "azure/machine_prices.csv",
    "gcp/volumes.csv",
    "gcp/instances.csv",
    "gcp/disk_limits.csv",
    "gcp/prices.csv",
    "gcp/machine_prices.csv",
    "local/volumes.csv",
    "local/links.csv",
];
