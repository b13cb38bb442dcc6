//! The manifests of winget and Scoop, compared with the schemas that both publish
//! (`xtask/vendor/VENDORED.md`).

use boon::{Compiler, Schemas};
use serde_json::{Value, json};
use yaml_rust2::{Yaml, YamlLoader};

use super::{Facts, RECIPES, WINDOWS};
use crate::dist::facts;
use crate::metadata;

const WINGET: &str = "winget.singleton.1.6.0.schema.json";
const SCOOP: &str = "scoop.schema.json";

/// Types are those that YAML gives: a version without quotes may be a number.
fn value(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Hash(fields) => {
            let key = |key: &Yaml| key.as_str().expect("a name").to_owned();
            let fields = fields.iter().map(|(name, inner)| (key(name), value(inner)));
            Value::Object(fields.collect())
        }
        Yaml::Array(items) => items.iter().map(value).collect(),
        Yaml::String(text) => json!(text),
        Yaml::Real(text) => json!(text.parse::<f64>().expect("a number")),
        Yaml::Integer(number) => json!(number),
        Yaml::Boolean(is) => json!(is),
        Yaml::Null => Value::Null,
        other => panic!("{other:?} is of no use here"),
    }
}

fn winget(facts: &Facts) -> Value {
    let documents = YamlLoader::load_from_str(&text("fathom.winget.yaml", facts)).expect("YAML");
    assert_eq!(documents.len(), 1);
    value(&documents[0])
}

fn scoop(facts: &Facts) -> Value {
    serde_json::from_str(&text("fathom.scoop.json", facts)).expect("JSON")
}

fn text(file: &str, facts: &Facts) -> String {
    let recipe = RECIPES.iter().find(|recipe| recipe.file == file);
    recipe.expect("a recipe").text(facts).expect("a text")
}

/// Where a document differs from a schema, the innermost places first.
fn misfits(schema: &str, document: &Value) -> Vec<String> {
    let file = format!("{}/vendor/{schema}", env!("CARGO_MANIFEST_DIR"));
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.enable_format_assertions();
    let index = compiler.compile(&file, &mut schemas).expect("a schema");
    let Err(error) = schemas.validate(document, index) else {
        return Vec::new();
    };
    let mut places: Vec<String> = leaves(&error);
    places.dedup();
    places
}

fn leaves(error: &boon::ValidationError<'_, '_>) -> Vec<String> {
    if error.causes.is_empty() {
        return vec![error.instance_location.to_string()];
    }
    error.causes.iter().flat_map(leaves).collect()
}

/// With the version and the description that are shipped.
fn shipped() -> Facts {
    let packages = metadata::members().expect("a workspace").packages;
    let program = packages
        .into_iter()
        .find(|package| package.name == "fathom-cli");
    Facts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: program.and_then(|one| one.description).expect("a summary"),
        ..facts::example(WINDOWS)
    }
}

#[test]
fn manifests_for_windows_fit_their_schemas() {
    // A version of two numbers, which YAML would read as one, and a summary with marks of YAML.
    let odd = Facts {
        version: "1.10".to_owned(),
        summary: "Storage: fast # or not".to_owned(),
        ..facts::example(WINDOWS)
    };
    for facts in [shipped(), odd] {
        let (winget, scoop) = (winget(&facts), scoop(&facts));
        assert_eq!(misfits(WINGET, &winget), [""; 0], "{winget:#}");
        assert_eq!(misfits(SCOOP, &scoop), [""; 0], "{scoop:#}");
        let seen = [
            &winget["PackageVersion"],
            &winget["ShortDescription"],
            &winget["ManifestVersion"],
            &scoop["version"],
            &scoop["license"],
        ];
        let expected = [
            &*facts.version,
            &facts.summary,
            "1.6.0",
            &facts.version,
            "MIT|Apache-2.0",
        ];
        assert_eq!(seen, expected.map(|text| json!(text)).each_ref());
    }
}

#[test]
fn a_manifest_that_does_not_fit_is_found() {
    let facts = Facts {
        version: "1/2".to_owned(),
        downloads: "ftp://example.org".to_owned(),
        ..facts::example(WINDOWS)
    };
    let found = misfits(WINGET, &winget(&facts));
    assert_eq!(found, ["/Installers/0/InstallerUrl", "/PackageVersion"]);
    assert_eq!(misfits(SCOOP, &scoop(&facts)), ["/version"]);
    let mut lacking = winget(&shipped());
    lacking["Installers"][0]["InstallerSha256"] = json!("c0ffee");
    let found = misfits(WINGET, &lacking);
    assert_eq!(found, ["/Installers/0/InstallerSha256"]);
    lacking
        .as_object_mut()
        .expect("an object")
        .remove("Installers");
    assert_eq!(misfits(WINGET, &lacking), [""]);
}
