//! What serde asks of values that are not written.

/// Whether a value is what it is without being given.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
