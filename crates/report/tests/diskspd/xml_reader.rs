//! A script's reader of the XML result, and the schema's verdict on it.

use crate::made::{self, Made};
use crate::schema::{ATTRIBUTES, SCHEMA};
use fathom_core::Op;
use quick_xml::Reader;
use quick_xml::events::Event;

#[derive(Debug, Default)]
struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Node>,
}

impl Node {
    fn at(&self, path: &str) -> &Self {
        path.split('/').fold(self, |node, name| {
            let mut children = node.children.iter();
            children.find(|child| child.name == name).expect(path)
        })
    }

    fn number(&self, path: &str) -> f64 {
        self.at(path).text.parse().expect(path)
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

fn read(text: &str) -> Node {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Node::default()];
    loop {
        let node = |start: &quick_xml::events::BytesStart<'_>| Node {
            name: start.name().as_ref().to_owned(),
            attributes: start
                .attributes()
                .map(|attribute| {
                    let attribute = attribute.expect("an attribute");
                    let key = attribute.key.as_ref().to_owned();
                    (key, attribute.value.into_owned())
                })
                .collect(),
            ..Node::default()
        };
        match reader.read_event().expect("XML") {
            Event::Start(start) => open.push(node(&start)),
            Event::Empty(start) => open.last_mut().expect("a root").children.push(node(&start)),
            Event::Text(words) => {
                open.last_mut().expect("a root").text += words.xml10_content().trim();
            }
            Event::End(_) => {
                let node = open.pop().expect("it began");
                open.last_mut().expect("a root").children.push(node);
            }
            Event::Eof => break,
            other => panic!("{other:?}"),
        }
    }
    open.remove(0).children.remove(0)
}

/// The entry of a table for a path of names: the one with the longest ending.
fn entry(table: &[(&str, &'static str)], path: &str) -> Option<&'static str> {
    let fits = |ending: &str| path == ending || path.ends_with(&format!("/{ending}"));
    let fitting = table.iter().filter(|(ending, _)| fits(ending));
    fitting
        .max_by_key(|(ending, _)| ending.len())
        .map(|(_, entry)| *entry)
}

/// Checks an element and all in it against the schema.
fn check(node: &Node, path: &str) {
    let names: Vec<&str> = node
        .attributes
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let known = entry(ATTRIBUTES, path).unwrap_or_default();
    let optional = node.name == "Throughput" && names.is_empty();
    assert!(optional || names.join(" ") == known, "{path}: {names:?}");
    let Some(order) = entry(SCHEMA, path) else {
        assert!(node.children.is_empty(), "{path} has elements in it");
        return;
    };
    let mut children = node.children.iter().peekable();
    for wanted in order.split_whitespace() {
        let name = wanted.trim_end_matches(['?', '*']);
        let mut count = 0;
        while let Some(child) = children.next_if(|child| child.name == name) {
            check(child, &format!("{path}/{name}"));
            count += 1;
        }
        match &wanted[name.len()..] {
            "*" => {}
            "?" => assert!(count <= 1, "{path}: {count} times {name}"),
            _ => assert_eq!(count, 1, "{path}/{name}"),
        }
    }
    let left: Vec<&str> = children.map(|child| child.name.as_str()).collect();
    assert_eq!(left, [""; 0], "{path}");
}

#[test]
fn elements_are_those_of_the_schema_in_its_order() {
    let all = [
        made::full(),
        made::plain(),
        made::pool(),
        made::two_spans(),
        made::twice(),
        made::interrupted(),
    ];
    for made in all {
        let text = made.xml();
        assert_eq!(text.lines().next(), Some("<Results>"));
        check(&read(&text), "Results");
    }
}

#[test]
fn numbers_are_those_of_the_result() {
    let made = made::full();
    let root = read(&made.xml());
    let Made { result, .. } = &made;
    let span = root.at("TimeSpan");
    let job = &result.phases[0].jobs[0];
    let read = job.ops.get(Op::Read).expect("reads");
    let threads: Vec<&Node> = span.all("Thread").collect();
    assert_eq!(threads.len(), 2);
    let sum: f64 = threads
        .iter()
        .map(|thread| thread.number("Target/ReadCount"))
        .sum();
    assert!((sum - read.ios as f64).abs() <= 1.0);
    let latency = span.at("Latency");
    let mean = format!("{:.3}", read.service_ns.mean / 1e6);
    assert_eq!(latency.at("AverageReadMilliseconds").text, mean);
    let percentiles: Vec<&str> = latency
        .all("Bucket")
        .map(|bucket| bucket.at("Percentile").text.as_str())
        .collect();
    assert_eq!(percentiles.len(), 108);
    assert_eq!(percentiles[..2], ["0", "1"]);
    assert_eq!(percentiles[99..103], ["99", "99.9", "99.99", "99.999"]);
    assert_eq!(percentiles[106..], ["99.9999999", "100"]);
    let median = latency.all("Bucket").nth(50).expect("a median");
    let known = read.service_ns.percentile("50").expect("a median");
    let expected = format!("{:.3}", known as f64 / 1e6);
    assert_eq!(median.at("ReadMilliseconds").text, expected);
    let buckets: Vec<&Node> = span.at("Iops").all("Bucket").collect();
    assert_eq!(buckets.len(), 8);
    assert_eq!(
        buckets[3].attributes[1],
        ("Read".to_owned(), "35000".to_owned())
    );
}

#[test]
fn the_profile_in_a_result_can_be_run_again() {
    for made in [made::full(), made::plain(), made::pool()] {
        let again = fathom_diskspd::read_profile(&made.xml(), "result.xml");
        let again = again.expect("a profile").profile;
        let element = fathom_diskspd::xml::profile_element;
        assert_eq!(element(&again), element(&made.profile));
    }
}
