//! Texts that are refused, and all that is said about each: `errors/*.toml` in, snapshots out.

use fathom_tools::native::parse;

#[test]
fn every_refusal_quotes_its_lines_and_names_the_remedy() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/errors");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert_ne!(paths.len(), 0);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let found = parse(&text, &format!("{name}.toml")).expect_err(name);
        let drawn: Vec<String> = found.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(name, drawn.join("\n\n"));
    }
}
