//! Kinds of components that an organization shares. The API calls them kinds.
//!
//! A component refers to a kind by its property `kind`, so that a component stays what it is when a kind is deleted,
//! and its fields are properties too. The server does not check the values.

use std::collections::{HashMap, HashSet};

use super::entries::{self, EntryIds};
pub use super::model::component_kinds::{
    ComponentKind, ComponentKindPatch, FieldType, KindField, KindFields, NewComponentKind,
};
use super::store::component_kinds as store;
use crate::{
    domain::{
        catalogue,
        core::{Core, Entity, OrgAdminTx, OrgViewTx, Reads, RowMetadata, SelfTx},
        paging::{Page, Paging},
        slug,
        values::{KebabId, Text},
    },
    error::{Error, FieldPath, Problem, Result},
};

/// The property of a component that refers to its kind.
pub(in crate::domain) const PROPERTY: &str = "kind";

/// Properties of components that have a meaning of their own and are no fields of a kind.
const RESERVED_KEYS: [&str; 2] = [PROPERTY, "lifecycle"];

/// Maximum size of the fields of a kind, as JSON: many clients read all kinds at once, and a kind with all of its fields
/// fits in one result of an MCP tool.
const MAX_FIELDS_BYTES: usize = 8 << 10;

/// Lists the kinds that the caller can access, in creation order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<ComponentKind>> {
    entries::list(tx, paging)
}

/// Creates a kind.
pub fn create(tx: &mut OrgAdminTx<'_>, new: NewComponentKind) -> Result<ComponentKind> {
    new.check()?;
    let directory = tx.directory()?;
    expect_free_name(directory.core(), directory.organization_id(), new.name.as_str(), None)?;
    let given = EntryIds { id: new.id.as_ref().map(KebabId::as_str), org_id: new.org_id.as_deref() };
    let base = || slug::strict(new.name.as_str(), "kind");
    let uses = ProtectedUses::read(tx)?;
    let created = entries::create(directory, &given, base, |id, org_id, seq| new.clone().into_row(id, org_id, seq))?;
    uses.expect_same(tx)?;
    Ok(created)
}

impl NewComponentKind {
    /// The rules that need no other rows.
    pub(in crate::domain) fn check(&self) -> Result<()> {
        check(Some(&self.base_type), self.icon.as_deref(), self.fields.as_deref())
    }

    fn into_row(self, id: String, org_id: String, seq: i64) -> ComponentKind {
        let base = catalogue::known_component_type(&self.base_type);
        ComponentKind {
            seq,
            id,
            org_id,
            name: self.name.into(),
            color: self.color.map_or_else(|| base.color.to_owned(), String::from),
            icon: self.icon.unwrap_or_else(|| base.icon_name.to_owned()),
            base_type: self.base_type,
            logo: self.logo.map(String::from),
            description: self.description.map(String::from),
            fields: KindFields(self.fields.unwrap_or_default()),
            metadata: RowMetadata::default(),
        }
    }
}

impl ComponentKind {
    /// Whether creating `new` would result in this kind.
    pub(in crate::domain) fn matches(&self, new: &NewComponentKind) -> bool {
        let made = new.clone().into_row(self.id.clone(), self.org_id.clone(), self.seq);
        *self == ComponentKind { metadata: self.metadata.clone(), ..made }
    }
}

/// Updates a kind. Fails with [`Error::Protected`] if a protected map refers to the kind by the name that it would lose.
pub fn update(tx: &mut OrgAdminTx<'_>, id: &str, patch: ComponentKindPatch) -> Result<ComponentKind> {
    check(patch.base_type.as_deref(), patch.icon.as_deref(), patch.fields.as_deref())?;
    let directory = tx.directory()?;
    if let Some(name) = &patch.name {
        expect_free_name(directory.core(), directory.organization_id(), name.as_str(), Some(id))?;
    }
    let given = EntryIds { id: patch.id.as_deref(), org_id: patch.org_id.as_deref() };
    let uses = ProtectedUses::read(tx)?;
    let updated = entries::update(directory, id, &given, |old: ComponentKind| ComponentKind {
        name: patch.name.map_or(old.name, String::from),
        base_type: patch.base_type.unwrap_or(old.base_type),
        color: patch.color.map_or(old.color, String::from),
        icon: patch.icon.unwrap_or(old.icon),
        logo: patch.logo.map(String::from).or(old.logo).filter(|logo| !logo.is_empty()),
        description: patch.description.as_ref().map(Text::as_str).map(str::to_owned).or(old.description),
        fields: patch.fields.map_or(old.fields, KindFields),
        ..old
    })?;
    uses.expect_same(tx)?;
    Ok(updated)
}

/// Deletes a kind. Fails with [`Error::InUse`] while components are of this kind, unless `force` is set. The components
/// keep their properties and are shown as components of their type. Fails with [`Error::Protected`] while a protected map
/// contains such components.
pub fn delete(tx: &mut OrgAdminTx<'_>, id: &str, force: bool) -> Result<()> {
    let mut directory = tx.directory()?;
    let kind: ComponentKind = entries::find(&directory, id)?;
    directory.expect(&kind)?;
    if !force {
        expect_unused(directory.core(), &kind)?;
    }
    let uses = ProtectedUses::read(tx)?;
    directory.delete(&kind)?;
    uses.expect_same(tx)
}

/// The kinds that protected maps refer to. They refer by id or name, so a change of kinds can change what a map shows.
struct ProtectedUses {
    /// Keys of the workspaces with the values and the ids of the kinds that these mean.
    found: Vec<(i64, String, String)>,
    organization_id: String,
}

impl ProtectedUses {
    fn read(tx: &OrgAdminTx<'_>) -> Result<Self> {
        let organization_id = tx.organization_id()?.to_owned();
        let values = store::protected_uses(tx.core().conn, &organization_id)?;
        let lookup = if values.is_empty() { Lookup::default() } else { Lookup::of(&all(tx.core(), &organization_id)?) };
        let meant = values.into_iter().filter_map(|(pk, value)| {
            let id = lookup.find(&value)?.to_owned();
            Some((pk, value, id))
        });
        Ok(Self { found: meant.collect(), organization_id })
    }

    /// Fails if one of these maps now refers to another kind, or to none, and the caller cannot change it directly.
    fn expect_same(&self, tx: &mut OrgAdminTx<'_>) -> Result<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let lookup = Lookup::of(&all(tx.core(), &self.organization_id)?);
        for (pk, value, id) in &self.found {
            if lookup.find(value) != Some(id) {
                tx.follow_into(*pk)?.expect_unprotected(Entity::Component)?;
            }
        }
        Ok(())
    }
}

fn expect_unused(core: &Core<'_>, kind: &ComponentKind) -> Result<()> {
    let lookup = Lookup::of(&all(core, &kind.org_id)?);
    let (mut count, mut of_deleted) = (0, 0);
    for uses in store::uses(core.conn, &kind.org_id)? {
        if lookup.find(&uses.kind) == Some(&*kind.id) {
            (count, of_deleted) = (count + uses.count, of_deleted + uses.of_deleted);
        }
    }
    if count == 0 {
        return Ok(());
    }
    let of_deleted = match of_deleted {
        0 => String::new(),
        some => format!(", {some} of them in deleted workspaces that can still be restored"),
    };
    let message = format!(
        "components are of this kind: {count}{of_deleted}; give them another kind first; without the kind, they are \
         shown as components of their type"
    );
    Err(Error::InUse { code: "kind_in_use", count, message, can_delete_anyway: true })
}

/// The kinds of the caller's active organization, in order; none without one.
pub fn of_caller(tx: &SelfTx<'_>) -> Result<Vec<ComponentKind>> {
    match &tx.caller().organization {
        Some(organization) => all(tx.core(), &organization.id),
        None => Ok(Vec::new()),
    }
}

/// All kinds of an organization, in order.
pub(in crate::domain) fn all(core: &Core<'_>, organization_id: &str) -> Result<Vec<ComponentKind>> {
    store::all_of(core.conn, organization_id)
}

/// The kind with this name.
pub(in crate::domain) fn with_name(
    core: &Core<'_>,
    organization_id: &str,
    name: &str,
) -> Result<Option<ComponentKind>> {
    store::with_name(core.conn, organization_id, name)
}

/// The kinds that the property `kind` of components refers to.
#[derive(Debug, Default)]
pub(in crate::domain) struct Lookup {
    ids: HashSet<String>,
    /// Ids by name.
    names: HashMap<String, String>,
}

impl Lookup {
    /// The kinds with these ids and names.
    pub(in crate::domain) fn new<'k>(kinds: impl IntoIterator<Item = (&'k str, &'k str)>) -> Self {
        let mut lookup = Self::default();
        for (id, name) in kinds {
            lookup.ids.insert(id.to_owned());
            lookup.names.entry(name.to_owned()).or_insert_with(|| id.to_owned());
        }
        lookup
    }

    /// These kinds.
    pub(in crate::domain) fn of(kinds: &[ComponentKind]) -> Self {
        Self::new(kinds.iter().map(|kind| (&*kind.id, &*kind.name)))
    }

    /// The id of the kind that a value refers to: by id, by name, or by a name that the id was derived from. Names are
    /// understood because the types that browsers keep are referred to by name; they can become kinds, and kinds can be
    /// renamed. The web client has the same rule.
    pub(in crate::domain) fn find(&self, value: &str) -> Option<&str> {
        let known = |id: &str| self.ids.get(id).map(String::as_str);
        let by_former_name = || {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/');
            let is_name = value.chars().all(is_plain) && value.contains(|c: char| c.is_ascii_alphanumeric());
            is_name.then(|| slug::strict(value, "kind")).and_then(|id| known(&id))
        };
        known(value).or_else(|| self.names.get(value).map(String::as_str)).or_else(by_former_name)
    }
}

/// Rejects a name that another kind has.
fn expect_free_name(core: &Core<'_>, organization_id: &str, name: &str, own_id: Option<&str>) -> Result<()> {
    match store::with_name(core.conn, organization_id, name)? {
        Some(other) if own_id != Some(&other.id) => {
            let name = &other.name;
            Err(Error::Conflict(format!("name: a kind with the name `{name}` exists already; choose another name")))
        }
        _ => Ok(()),
    }
}

fn check(base_type: Option<&str>, icon: Option<&str>, fields: Option<&[KindField]>) -> Result<()> {
    base_type.map_or(Ok(()), |id| catalogue::component_type("baseType", id))?;
    icon.map_or(Ok(()), |name| catalogue::icon_name("icon", name))?;
    let fields = fields.unwrap_or_default();
    let actual = serde_json::to_string(fields)?.len();
    if actual > MAX_FIELDS_BYTES {
        return Err(Error::invalid(
            "fields",
            Problem::TooLarge { max: MAX_FIELDS_BYTES, actual, unit: "bytes of JSON" },
        ));
    }
    for (index, field) in fields.iter().enumerate() {
        let at = |name: &str| FieldPath::item("fields", index).field(name);
        let key = field.key.as_str();
        if RESERVED_KEYS.contains(&key) {
            return Err(Error::invalid(at("key"), format!("`{key}` has another meaning; choose another key")));
        }
        if fields[..index].iter().any(|other| other.key == field.key) {
            return Err(Error::invalid(at("key"), format!("the key `{key}` is repeated")));
        }
        let is_choice = field.field_type == FieldType::Choice;
        if is_choice == field.choices.is_empty() {
            let text = if is_choice { "is required for the type `choice`" } else { "is only for the type `choice`" };
            return Err(Error::invalid(at("choices"), text));
        }
        for (place, choice) in field.choices.iter().enumerate() {
            if field.choices[..place].contains(choice) {
                let text = format!("the choice `{}` is repeated", choice.as_str());
                return Err(Error::invalid(at("choices").index(place), text));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_refers_to_a_kind_by_id_name_or_former_name() {
        let kinds = [("payment-service", "Payments"), ("queue-2", "queue"), ("queue", "Topic")];
        let kinds = Lookup::new(kinds);
        let found = |value: &str| kinds.find(value);
        assert_eq!(found("payment-service"), Some("payment-service"));
        assert_eq!(found("Payments"), Some("payment-service"));
        assert_eq!(found("Payment Service"), Some("payment-service"), "the name before it was renamed");
        assert_eq!(found("queue"), Some("queue"), "an id takes precedence over a name");
        for none in ["", "payments", "Zahlung", "漢字", "payment service+"] {
            assert_eq!(found(none), None, "{none}");
        }
        let kinds = Lookup::new([("kind", "漢字")]);
        for none in ["字", "", "  ", "-", "///", "_", ".", " - "] {
            assert_eq!(kinds.find(none), None, "{none}: not by what is left of a name without letters a to z");
        }
        for value in ["kind", "漢字", "Kind", "kind/"] {
            assert_eq!(kinds.find(value), Some("kind"), "{value}");
        }
    }
}
