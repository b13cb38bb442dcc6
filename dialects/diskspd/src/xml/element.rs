//! A tree of elements, read from a text or to be written.

use fathom_core::foreign::xml_text;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};
use std::ops::Range;

/// Elements inside of each other beyond which a text is no profile.
const MAX_DEPTH: usize = 32;
/// Attributes of one element.
const MOST_ATTRIBUTES: usize = 64;

/// One element with all that is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// The name of the tag.
    pub name: String,
    /// Its attributes in their order.
    pub attributes: Vec<(String, String)>,
    /// Its text, without blanks around it.
    pub text: String,
    /// What is in it.
    pub children: Vec<Element>,
    /// The place of its first tag in the text it was read from, within one line.
    pub place: Range<usize>,
}

/// Why a text is no tree.
#[derive(Debug)]
pub(crate) struct Malformed {
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Element {
    /// An empty element.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// An element with a text.
    pub fn with_text<T: ToString + ?Sized>(name: &str, text: &T) -> Self {
        Self {
            text: text.to_string(),
            ..Self::new(name)
        }
    }

    /// The same with one more attribute.
    #[must_use]
    pub fn attribute<T: ToString + ?Sized>(mut self, name: &str, value: &T) -> Self {
        self.attributes.push((name.to_owned(), value.to_string()));
        self
    }

    /// The same with one more element in it.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Adds an element with a text.
    pub fn put<T: ToString + ?Sized>(&mut self, name: &str, text: &T) {
        self.children.push(Self::with_text(name, text));
    }

    /// The first element in it with this name.
    pub fn find(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The value of an attribute.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        attributes
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// As text, two blanks for each level, with a line end after it.
    pub fn render(&self) -> String {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        // Writing to memory does not fail.
        let written = self.write(&mut writer);
        debug_assert!(written.is_ok());
        let mut text = String::from_utf8_lossy(&writer.into_inner()).into_owned();
        text.push('\n');
        text
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> std::io::Result<()> {
        let mut start = BytesStart::new(self.name.as_str());
        for (name, value) in &self.attributes {
            start.push_attribute((name.as_str(), xml_text(value).as_ref()));
        }
        if self.children.is_empty() && self.text.is_empty() {
            return writer.write_event(Event::Empty(start));
        }
        writer.write_event(Event::Start(start))?;
        if !self.text.is_empty() {
            writer.write_event(Event::Text(BytesText::new(&xml_text(&self.text))))?;
        }
        for child in &self.children {
            child.write(writer)?;
        }
        writer.write_event(Event::End(BytesEnd::new(self.name.as_str())))
    }

    /// Reads the one element of a text.
    pub(crate) fn parse(text: &str) -> Result<Self, Malformed> {
        let mut reader = Reader::from_str(text);
        let mut open: Vec<Self> = vec![Self::default()];
        loop {
            let before = position(&reader, text);
            let event = reader.read_event().map_err(|error| Malformed {
                at: before,
                message: format!("it is not XML: {error}"),
            })?;
            let malformed = |message: String| Malformed {
                at: before,
                message,
            };
            match event {
                Event::Start(start) => {
                    if open.len() > MAX_DEPTH {
                        let message = "elements lie too deep inside of each other";
                        return Err(malformed(message.to_owned()));
                    }
                    open.push(opened(&start, before, text).map_err(malformed)?);
                }
                Event::Empty(start) => {
                    let element = opened(&start, before, text).map_err(malformed)?;
                    add(&mut open, element);
                }
                Event::End(_) => {
                    if let Some(mut element) = open.pop() {
                        let text = element.text.trim().to_owned();
                        element.text = text;
                        add(&mut open, element);
                    }
                }
                Event::Text(words) => append(&mut open, &words.xml10_content()),
                Event::CData(words) => append(&mut open, &words.xml10_content()),
                Event::GeneralRef(reference) => {
                    let letter = reference.resolve_char_ref().ok().flatten();
                    let name = reference.xml10_content();
                    let named = quick_xml::escape::resolve_predefined_entity(&name);
                    match (letter, named) {
                        (Some(letter), _) => append(&mut open, letter.encode_utf8(&mut [0; 4])),
                        (None, Some(words)) => append(&mut open, words),
                        _ => return Err(malformed(format!("`&{name};` is unknown"))),
                    }
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof => break,
            }
        }
        let missing = |message: &str| Malformed {
            at: text.len(),
            message: message.to_owned(),
        };
        if open.len() > 1 {
            let name = open.pop().map_or_else(String::new, |element| element.name);
            return Err(missing(&format!("`<{name}>` is not closed")));
        }
        let root = open.pop().and_then(|top| top.children.into_iter().next());
        root.ok_or_else(|| missing("there is no element in it"))
    }
}

fn position(reader: &Reader<&[u8]>, text: &str) -> usize {
    usize::try_from(reader.buffer_position()).map_or(text.len(), |at| at.min(text.len()))
}

fn add(open: &mut Vec<Element>, element: Element) {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        // More ends than starts, which the reader refuses.
        None => open.push(element),
    }
}

fn append(open: &mut [Element], words: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(words);
    }
}

fn opened(start: &BytesStart<'_>, at: usize, text: &str) -> Result<Element, String> {
    let mut element = Element::new(start.local_name().as_ref());
    // Each is compared with all before it.
    for (number, attribute) in start.attributes().enumerate() {
        if number == MOST_ATTRIBUTES {
            return Err(format!("`<{}>` has too many attributes", element.name));
        }
        let attribute = attribute.map_err(|error| error.to_string())?;
        // Names of schemas say nothing about what the element holds.
        if attribute.key.as_ref().starts_with("xmlns") {
            continue;
        }
        let value = attribute
            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
            .map_err(|error| error.to_string())?;
        let name = attribute.key.local_name().as_ref().to_owned();
        element.attributes.push((name, value.into_owned()));
    }
    let rest = &text[at..];
    let length = rest.find(['>', '\n', '\r']).map_or(rest.len(), |end| {
        end + usize::from(rest.as_bytes()[end] == b'>')
    });
    element.place = at..at + length;
    Ok(element)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_read_as_it_was_written() {
        let tree = Element::new("a")
            .attribute("x", "1 < \"2\"")
            .child(Element::with_text("b", "<&>"))
            .child(Element::new("c"));
        let text = tree.render();
        assert_eq!(
            text,
            "<a x=\"1 &lt; &quot;2&quot;\">\n  <b>&lt;&amp;&gt;</b>\n  <c/>\n</a>\n"
        );
        let mut read = Element::parse(&text).unwrap();
        assert_eq!(&text[read.children[1].place.clone()], "<c/>");
        forget_places(&mut read);
        assert_eq!(read, tree);
    }

    #[test]
    fn what_xml_does_not_have_is_replaced() {
        let tree = Element::new("a")
            .attribute("x", "\u{1b}[2J")
            .child(Element::with_text("b", "\0\u{ffff}\t\u{9b}"));
        let expected = "<a x=\"\u{fffd}[2J\">\n  <b>\u{fffd}\u{fffd}\t\u{9b}</b>\n</a>\n";
        assert_eq!(tree.render(), expected);
    }

    fn forget_places(element: &mut Element) {
        element.place = 0..0;
        element.children.iter_mut().for_each(forget_places);
    }

    #[test]
    fn what_is_no_tree_is_told() {
        let deep = "<a>".repeat(40);
        let cases = [
            ("", 0, "there is no element in it"),
            ("<a>", 3, "`<a>` is not closed"),
            ("<a>&x;</a>", 3, "`&x;` is unknown"),
            (
                deep.as_str(),
                96,
                "elements lie too deep inside of each other",
            ),
        ];
        for (text, at, message) in cases {
            let found = Element::parse(text).unwrap_err();
            assert_eq!((found.at, found.message.as_str()), (at, message), "{text}");
        }
    }
}
