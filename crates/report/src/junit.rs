//! JUnit's XML, as CI systems read it: a suite of cases, each passed, failed, in error or skipped.

use crate::markup::xml as escaped;
use std::fmt::Write as _;

/// A suite in the making.
#[derive(Debug, Default)]
pub(crate) struct JUnit {
    pub(crate) name: String,
    /// When it began, as RFC 3339 has it; empty if that is not known.
    pub(crate) timestamp: String,
    pub(crate) seconds: f64,
    pub(crate) cases: Vec<Case>,
}

/// One case.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) seconds: f64,
    pub(crate) end: End,
    /// The words next to the outcome, for people.
    pub(crate) told: String,
}

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Passed,
    /// It was shown to be wrong.
    Failed(String),
    /// It could not be found out.
    Error(String),
}

impl JUnit {
    pub(crate) fn xml(&self) -> String {
        let failed = |end: &End| matches!(end, End::Failed(_));
        let in_error = |end: &End| matches!(end, End::Error(_));
        let count =
            |is: &dyn Fn(&End) -> bool| self.cases.iter().filter(|case| is(&case.end)).count();
        let (failures, errors) = (count(&failed), count(&in_error));
        let totals = format!(
            "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{:.3}\"",
            self.cases.len(),
            self.seconds
        );
        let name = escaped(&self.name);
        let timestamp = if self.timestamp.is_empty() {
            String::new()
        } else {
            format!(" timestamp=\"{}\"", escaped(&self.timestamp))
        };
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fathom\" {totals}>\n  \
             <testsuite name=\"{name}\" {totals} skipped=\"0\"{timestamp}>\n"
        );
        for case in &self.cases {
            case.write(&mut xml);
        }
        xml.push_str("  </testsuite>\n</testsuites>\n");
        xml
    }
}

impl Case {
    fn write(&self, xml: &mut String) {
        let (class, name) = (escaped(&self.class), escaped(&self.name));
        let open = format!(
            "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\">\n",
            self.seconds
        );
        xml.push_str(&open);
        let (element, why) = match &self.end {
            End::Passed => ("", ""),
            End::Failed(why) => ("failure", why.as_str()),
            End::Error(why) => ("error", why.as_str()),
        };
        if !element.is_empty() {
            let _ = writeln!(xml, "      <{element} message=\"{}\"/>", escaped(why));
        }
        if !self.told.is_empty() {
            let _ = writeln!(
                xml,
                "      <system-out>{}</system-out>",
                escaped(&self.told)
            );
        }
        xml.push_str("    </testcase>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_counted_and_text_is_no_markup() {
        let case = |name: &str, end| Case {
            class: "a & b".to_owned(),
            name: name.to_owned(),
            seconds: 1.5,
            end,
            told: String::new(),
        };
        let suite = JUnit {
            name: "run <x>".to_owned(),
            timestamp: "2026-03-01T12:00:00.000Z".to_owned(),
            seconds: 3.0,
            cases: vec![
                case("p99<=2ms", End::Passed),
                case("iops", End::Failed("9 \"IOPS\"\u{1}".to_owned())),
            ],
        };
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"fathom\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"3.000\">
  <testsuite name=\"run &lt;x&gt;\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"3.000\" \
skipped=\"0\" timestamp=\"2026-03-01T12:00:00.000Z\">
    <testcase classname=\"a &amp; b\" name=\"p99&lt;=2ms\" time=\"1.500\">
    </testcase>
    <testcase classname=\"a &amp; b\" name=\"iops\" time=\"1.500\">
      <failure message=\"9 &quot;IOPS&quot;\u{FFFD}\"/>
    </testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(suite.xml(), expected);
    }
}
