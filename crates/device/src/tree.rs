//! Block devices as trees, ready to be drawn: downwards from a target to its disks, or upwards
//! from the disks to what is built on them.

use serde::{Deserialize, Serialize};

use crate::block::{BlockDevice, BlockKind};

/// A device and its neighbours in one direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tree {
    pub device: BlockDevice,
    /// Those it is made of, or those made of it.
    pub children: Vec<Tree>,
}

/// A line of a drawn tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow<'a> {
    /// Lines and corners before the name; empty for a root.
    pub lead: String,
    pub device: &'a BlockDevice,
}

impl Tree {
    /// Every device of the tree, each after its parent, with the lines to draw before its name.
    pub fn rows(&self) -> Vec<TreeRow<'_>> {
        let mut rows = vec![TreeRow {
            lead: String::new(),
            device: &self.device,
        }];
        self.push_children("", &mut rows);
        rows
    }

    fn push_children<'a>(&'a self, indent: &str, rows: &mut Vec<TreeRow<'a>>) {
        for (index, child) in self.children.iter().enumerate() {
            let is_last = index + 1 == self.children.len();
            let (corner, below) = if is_last {
                ("└─", "  ")
            } else {
                ("├─", "│ ")
            };
            rows.push(TreeRow {
                lead: format!("{indent}{corner}"),
                device: &child.device,
            });
            child.push_children(&format!("{indent}{below}"), rows);
        }
    }

    /// The ends of the tree, each device once, in order of appearance.
    pub fn leaves(&self) -> Vec<&BlockDevice> {
        let mut leaves = Vec::new();
        self.push_leaves(&mut leaves);
        leaves
    }

    /// As [`Tree::leaves`], but a loop device is an end: what it does below itself is the business
    /// of its backing file.
    pub fn witnesses(&self) -> Vec<&BlockDevice> {
        if self.device.kind == BlockKind::Loop || self.children.is_empty() {
            return vec![&self.device];
        }
        self.children.iter().flat_map(Self::witnesses).collect()
    }

    /// What is above the witnesses and passes requests on to them: device mapper, md and the like.
    pub fn volumes(&self) -> Vec<&BlockDevice> {
        if self.device.kind == BlockKind::Loop || self.children.is_empty() {
            return Vec::new();
        }
        let is_volume = self.device.kind != BlockKind::Partition;
        let below = self.children.iter().flat_map(Self::volumes);
        is_volume
            .then_some(&self.device)
            .into_iter()
            .chain(below)
            .collect()
    }

    fn push_leaves<'a>(&'a self, leaves: &mut Vec<&'a BlockDevice>) {
        if self.children.is_empty() && !leaves.iter().any(|leaf| leaf.dev == self.device.dev) {
            leaves.push(&self.device);
        }
        for child in &self.children {
            child.push_leaves(leaves);
        }
    }
}
