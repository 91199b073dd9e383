//! Fields that were passed over, so that a second of the same name is seen. serde sees to those that are read.

/// The objects that are being read, from the outermost to the innermost, each with the fields passed over in it.
///
/// Bodies are read depth first, and no object is come back to once it is left: what is kept is never more than the
/// fields of one branch, however long the body.
#[derive(Default)]
pub(super) struct PassedOver(Vec<(String, Vec<String>)>);

impl PassedOver {
    /// Notes the field at `path`. Answers whether it is the first of its name in its object.
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
