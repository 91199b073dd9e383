//! Ignored fields of a body, to detect duplicates among them. serde detects duplicates of known fields.

/// The objects being parsed, from the outermost to the innermost, each with its ignored fields.
///
/// Bodies are parsed depth first, so an object that was left is never visited again. The memory is limited to the
/// fields of one branch, however long the body is.
#[derive(Default)]
pub(super) struct IgnoredFields(Vec<(String, Vec<String>)>);

impl IgnoredFields {
    /// Adds the field at `path`. Returns whether it is the first field with its name in the object.
    pub(super) fn first_time(&mut self, path: &str) -> bool {
        let (object, field) = path.rsplit_once('.').unwrap_or(("", path));
        while self.0.pop_if(|(open, _)| !object.starts_with(open.as_str())).is_some() {}
        if self.0.last().is_none_or(|(open, _)| open != object) {
            self.0.push((object.to_owned(), Vec::new()));
        }
        let Some((_, fields)) = self.0.last_mut() else { return true };
        if fields.iter().any(|known| known == field) {
            return false;
        }
        fields.push(field.to_owned());
        true
    }
}
