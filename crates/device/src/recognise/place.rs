//! The cloud and the instance, by what firmware says (DMI).

use crate::sysfs::{Sysfs, text};

/// Azure's asset tag: `MSFT AZURE VM` as decimal codes.
const AZURE_TAG: &str = "7783-7084-3265-9085-8269-3286-77";

/// Where a machine runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Platform {
    /// EC2, Nitro or metal: firmware names the instance type.
    Ec2,
    /// EC2 under Xen: firmware does not.
    Ec2Xen,
    /// Azure: the size is in no firmware.
    Azure,
    /// Hyper-V elsewhere.
    HyperV,
    /// Google Compute Engine: the machine type is in no firmware.
    Google,
    /// Anything else.
    #[default]
    Other,
}

/// Who said it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Firmware.
    #[default]
    Dmi,
    /// The metadata service.
    Metadata,
}

/// A cloud, and what is known of the instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CloudInstance {
    /// The cloud.
    pub platform: Platform,
    /// Type of the instance, as in `m6i.large` or `Standard_E32s_v3`.
    pub instance: Option<String>,
    /// As in `us-east-1`.
    pub region: Option<String>,
    /// Who said so.
    pub source: Source,
}

impl Platform {
    /// As messages name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ec2 => "Amazon EC2",
            Self::Ec2Xen => "Amazon EC2 (Xen)",
            Self::Azure => "Azure",
            Self::HyperV => "Hyper-V",
            Self::Google => "Google Compute Engine",
            Self::Other => "no cloud that is known",
        }
    }

    /// Whether a metadata service can be asked for the instance.
    pub const fn has_metadata(self) -> bool {
        matches!(self, Self::Ec2 | Self::Ec2Xen | Self::Azure | Self::Google)
    }
}

impl Source {
    /// Who it is, in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dmi => "firmware (DMI)",
            Self::Metadata => "the metadata service",
        }
    }
}

/// The cloud and the instance by `class/dmi/id`.
pub fn place(sysfs: &Sysfs) -> CloudInstance {
    let dmi = sysfs.root().join("class/dmi/id");
    let say = |name: &str| text(&dmi, name).unwrap_or_default();
    let (vendor, product) = (say("sys_vendor"), say("product_name"));
    let is_amazon = || {
        let uuid = say("product_uuid").to_lowercase();
        uuid.starts_with("ec2") || say("bios_version").contains("amazon")
    };
    let platform = match (vendor.as_str(), product.as_str()) {
        ("Amazon EC2", _) => Platform::Ec2,
        ("Xen", "HVM domU") if is_amazon() => Platform::Ec2Xen,
        ("Microsoft Corporation", "Virtual Machine") => {
            if say("chassis_asset_tag") == AZURE_TAG {
                Platform::Azure
            } else {
                Platform::HyperV
            }
        }
        ("Google", "Google Compute Engine") => Platform::Google,
        _ => Platform::Other,
    };
    // Only Nitro names the type; a product without a dot is none.
    let instance = (platform == Platform::Ec2 && product.contains('.')).then_some(product);
    CloudInstance {
        platform,
        instance,
        ..CloudInstance::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn found(files: &[(&str, &str)]) -> CloudInstance {
        let root = tempfile::tempdir().unwrap();
        let dmi = root.path().join("class/dmi/id");
        fs::create_dir_all(&dmi).unwrap();
        for (name, value) in files {
            fs::write(dmi.join(name), format!("{value}\n")).unwrap();
        }
        place(&Sysfs::at(root.path()))
    }

    #[test]
    fn firmware_names_the_cloud() {
        let of = |platform, instance: Option<&str>| CloudInstance {
            platform,
            instance: instance.map(str::to_owned),
            ..CloudInstance::default()
        };
        let cases: [(&[(&str, &str)], CloudInstance); 8] = [
            (
                &[("sys_vendor", "Amazon EC2"), ("product_name", "m6i.large")],
                of(Platform::Ec2, Some("m6i.large")),
            ),
            (
                &[
                    ("sys_vendor", "Xen"),
                    ("product_name", "HVM domU"),
                    ("bios_version", "4.11.amazon"),
                ],
                of(Platform::Ec2Xen, None),
            ),
            (
                &[("sys_vendor", "Xen"), ("product_name", "HVM domU")],
                of(Platform::Other, None),
            ),
            (
                &[
                    ("sys_vendor", "Microsoft Corporation"),
                    ("product_name", "Virtual Machine"),
                    ("chassis_asset_tag", AZURE_TAG),
                ],
                of(Platform::Azure, None),
            ),
            (
                &[
                    ("sys_vendor", "Microsoft Corporation"),
                    ("product_name", "Virtual Machine"),
                    ("chassis_asset_tag", "1234"),
                ],
                of(Platform::HyperV, None),
            ),
            (
                &[
                    ("sys_vendor", "Google"),
                    ("product_name", "Google Compute Engine"),
                ],
                of(Platform::Google, None),
            ),
            (
                &[
                    ("sys_vendor", "HPE"),
                    ("product_name", "ProLiant DL380 Gen10"),
                ],
                of(Platform::Other, None),
            ),
            (&[], of(Platform::Other, None)),
        ];
        for (files, expected) in cases {
            assert_eq!(found(files), expected, "{files:?}");
        }
    }
}
