//! One element of a profile: how it is read and how it is written.

use super::element::Element;
use super::read::Reading;
use std::collections::BTreeSet;
use std::fmt::Display;

/// An element that says one thing of a `T`; it is read into a `D`, from which the `T` is made.
pub(super) struct Row<D, T> {
    pub(super) name: &'static str,
    read: fn(&mut Reading<'_>, &Element, &mut D),
    write: Option<fn(&T, &mut Slot<'_>)>,
}

/// Where the element is written.
pub(super) struct Slot<'a> {
    name: &'static str,
    parent: &'a mut Element,
}

impl Slot<'_> {
    /// With a text.
    pub(super) fn put(&mut self, text: impl Display) {
        self.parent.put(self.name, &text);
    }

    /// With a text, if there is one.
    pub(super) fn put_some(&mut self, text: Option<impl Display>) {
        if let Some(text) = text {
            self.put(text);
        }
    }

    /// As `true`, or not at all.
    pub(super) fn put_if(&mut self, is_so: bool) {
        self.put_some(is_so.then_some(true));
    }

    /// With these elements in it.
    pub(super) fn put_all(&mut self, children: Vec<Element>) {
        let mut element = Element::new(self.name);
        element.children = children;
        self.parent.children.push(element);
    }

    /// With a text and an attribute.
    pub(super) fn put_with(&mut self, text: impl Display, key: &str, value: &str) {
        let element = Element::with_text(self.name, &text).attribute(key, value);
        self.parent.children.push(element);
    }
}

impl<D, T> Row<D, T> {
    pub(super) const fn new(
        name: &'static str,
        read: fn(&mut Reading<'_>, &Element, &mut D),
        write: fn(&T, &mut Slot<'_>),
    ) -> Self {
        Self {
            name,
            read,
            write: Some(write),
        }
    }

    /// An element that old profiles have, or that says what others say.
    pub(super) const fn read_only(
        name: &'static str,
        read: fn(&mut Reading<'_>, &Element, &mut D),
    ) -> Self {
        Self {
            name,
            read,
            write: None,
        }
    }
}

/// Reads all elements in `parent` by their rows; each may be there once.
pub(super) fn read_all<D, T>(
    rows: &[Row<D, T>],
    reading: &mut Reading<'_>,
    parent: &Element,
    to: &mut D,
) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for child in &parent.children {
        if reading.errors.is_hopeless() {
            return;
        }
        if let Some(row) = rows.iter().find(|row| row.name == child.name) {
            if seen.insert(row.name) {
                (row.read)(reading, child, to);
            } else {
                let message = format!("`<{}>` is there twice in `<{}>`", row.name, parent.name);
                reading.error(child, message, "leave one of them out");
            }
        } else {
            let known: Vec<&str> = rows.iter().map(|row| row.name).collect();
            reading.unknown(child, &parent.name, &known);
        }
    }
}

/// The element `name` with all that its rows say, in their order.
pub(super) fn write_all<D, T>(rows: &[Row<D, T>], name: &str, of: &T) -> Element {
    let mut element = Element::new(name);
    for row in rows {
        if let Some(write) = row.write {
            let parent = &mut element;
            write(
                of,
                &mut Slot {
                    name: row.name,
                    parent,
                },
            );
        }
    }
    element
}
