//! What serde asks of values that are not written.

/// Whether a value equals the default of its type.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
