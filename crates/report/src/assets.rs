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
    text: include_str!("../assets/report.css"),
    sha256: "SoJpx3yA+WiJ4o00oC0Be2Af/LozGLJuz4WpafWllyc=",
};

/// What the page of a plan adds.
pub(crate) static PLAN_STYLE: Asset = Asset {
    text: include_str!("../assets/plan.css"),
    sha256: "61d7e9qjVzi689pQ151uL9o3oDIfPRscm25zJjkqFC8=",
};

/// How the shades of a matrix look.
pub(crate) static MATRIX_STYLE: Asset = Asset {
    text: include_str!("../assets/matrix.css"),
    sha256: "K7W5FFi9H1i7Bv9nYVf4R0IccIzly4PtPAMxZxV3UkI=",
};

/// What says the numbers under the pointer, and saves pictures.
pub(crate) static SCRIPT: Asset = Asset {
    text: include_str!("../assets/report.js"),
    sha256: "PUoxKAnre+160q48ZF7p0Aymu0cXQKVAra6wsfG2CPA=",
};

/// Nothing but these may run or style, and nothing may be fetched; a chart that is saved is an
/// image of its own data on the way.
pub(crate) fn content_policy() -> String {
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        SCRIPT.sha256, STYLE.sha256
    )
}

/// For a page without scripts.
pub(crate) fn style_policy() -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}' 'sha256-{}' 'sha256-{}'; base-uri 'none'; \
         form-action 'none'",
        STYLE.sha256, PLAN_STYLE.sha256, MATRIX_STYLE.sha256
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use sha2::{Digest as _, Sha256};

    #[test]
    fn the_policy_allows_what_is_inlined() {
        for asset in [STYLE, PLAN_STYLE, MATRIX_STYLE, SCRIPT] {
            let hash = Sha256::digest(asset.text.as_bytes());
            let hash = base64::engine::general_purpose::STANDARD.encode(hash);
            assert_eq!(asset.sha256, hash);
        }
    }

    #[test]
    fn nothing_that_is_inlined_ends_its_element() {
        for asset in [STYLE, PLAN_STYLE, MATRIX_STYLE, SCRIPT] {
            let lower = asset.text.to_lowercase();
            for end in ["</script", "</style", "<!--"] {
                assert_eq!(lower.find(end), None, "{end}");
            }
        }
    }
}
