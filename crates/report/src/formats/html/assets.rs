//! The files that go into the page, and the hashes by which its content policy allows them.

/// A text that is inlined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    pub(crate) text: &'static str,
    /// SHA-256 in base64, as a content policy names it; a test compares.
    sha256: &'static str,
}

/// How the page looks.
pub(crate) static STYLE: Asset = Asset {
    text: include_str!("../../../assets/report.css"),
    sha256: "EYrsQL/0sGZcqLbP/EC3vNeqNf268vXh+rEAn9U3+3c=",
};

/// How pictures without a script look.
pub(crate) static PICTURE_STYLE: Asset = Asset {
    text: include_str!("../../../assets/picture.css"),
    sha256: "P+FNL/5a1ZeDAr84wmvYsDMpmZzv4g5NSJ+D5pkxYjM=",
};

/// How pages without a script look.
pub(crate) static PLAN_STYLE: Asset = Asset {
    text: include_str!("../../../assets/plan.css"),
    sha256: "MPfOHwyv1Indo1hgaJNXTHraTD7Cy/mTUXoH7m8ngXE=",
};

/// How the shades of a matrix look.
pub(crate) static MATRIX_STYLE: Asset = Asset {
    text: include_str!("../../../assets/matrix.css"),
    sha256: "K7W5FFi9H1i7Bv9nYVf4R0IccIzly4PtPAMxZxV3UkI=",
};

/// What draws the charts: options for the library below.
pub(crate) static SCRIPT: Asset = Asset {
    text: include_str!("../../../assets/report.js"),
    sha256: "g02V+oCgBCWZx7KmByl5dv3fr+UEQ2L6/gJGRgc20Cs=",
};

/// Apache ECharts; see `assets/vendor/VENDORED.md`.
pub(crate) static LIBRARY: Asset = Asset {
    text: include_str!("../../../assets/vendor/echarts.min.js"),
    sha256: "tmslrrTfhOMxmdwhaUAU0zbSIsvZ3rDlp8FL1qoND9A=",
};

/// Nothing but these may run or style, and nothing may be fetched.
pub(crate) fn content_policy() -> String {
    format!(
        "default-src 'none'; script-src 'sha256-{}' 'sha256-{}'; style-src 'sha256-{}'; \
         base-uri 'none'; form-action 'none'",
        LIBRARY.sha256, SCRIPT.sha256, STYLE.sha256
    )
}

/// For a page without scripts.
pub(crate) fn style_policy() -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}' 'sha256-{}' 'sha256-{}' 'sha256-{}'; \
         base-uri 'none'; form-action 'none'",
        STYLE.sha256, PICTURE_STYLE.sha256, PLAN_STYLE.sha256, MATRIX_STYLE.sha256
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use sha2::{Digest as _, Sha256};

    #[test]
    fn the_policy_allows_what_is_inlined() {
        for asset in [
            STYLE,
            PICTURE_STYLE,
            PLAN_STYLE,
            MATRIX_STYLE,
            SCRIPT,
            LIBRARY,
        ] {
            let hash = Sha256::digest(asset.text.as_bytes());
            let hash = base64::engine::general_purpose::STANDARD.encode(hash);
            assert_eq!(asset.sha256, hash);
        }
    }

    #[test]
    fn nothing_that_is_inlined_ends_its_element() {
        for asset in [
            STYLE,
            PICTURE_STYLE,
            PLAN_STYLE,
            MATRIX_STYLE,
            SCRIPT,
            LIBRARY,
        ] {
            let lower = asset.text.to_lowercase();
            for end in ["</script", "</style", "<!--"] {
                assert_eq!(lower.find(end), None, "{end}");
            }
        }
    }
}
