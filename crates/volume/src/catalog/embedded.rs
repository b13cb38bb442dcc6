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
pub(super) const FILES: [CatalogFile<'static>; 11] = files![
    "sources.csv",
    "aws/volumes.csv",
    "aws/instances.csv",
    "aws/prices.csv",
    "azure/volumes.csv",
    "azure/instances.csv",
    "azure/prices.csv",
    "gcp/volumes.csv",
    "gcp/prices.csv",
    "local/volumes.csv",
    "local/links.csv",
];
