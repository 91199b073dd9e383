//! Components of a builder.

use serde_json::Value;

use super::{
    At, Builder, C, Draft, MAX_COMPONENTS,
    drafts::TEXT_BYTES,
    keys::{Key, Kind, key_of},
};
use crate::{files::Refusal, secrets::without_secrets, text, types};

impl Builder<'_> {
    /// Adds a component. If its key is taken in the same file, it gets another one.
    pub(crate) fn component(&mut self, mut draft: Draft) -> Result<C, Refusal> {
        if self.components.len() == MAX_COMPONENTS {
            let text = format!("there are more than {MAX_COMPONENTS} components; import a part of them");
            return Err(self.refusal(draft.at, text));
        }
        self.charge_draft(draft.memory_estimate(), draft.at)?;
        let key = self.prepare(&mut draft);
        let component = C(self.components.len());
        self.by_key.insert(key.local.clone(), component);
        self.component_keys.push(key);
        let (owners, at) = (std::mem::take(&mut draft.owners), draft.at);
        self.components.push(draft);
        self.wholes.push(None);
        for owner in owners {
            self.attach_owner(component, &owner, at)?;
        }
        Ok(component)
    }

    /// Replaces what is known about a component, with its key. It stays a group if it was one.
    pub(crate) fn replace(&mut self, component: C, mut draft: Draft) {
        let key = self.prepare(&mut draft);
        draft.is_box |= self.components[component.0].is_box;
        self.by_key.insert(key.local.clone(), component);
        self.component_keys[component.0] = key;
        self.components[component.0] = draft;
    }

    /// Applies the rules for all components. Returns the key.
    fn prepare(&mut self, draft: &mut Draft) -> Key {
        let names = [text::name(&draft.name), text::name(&draft.key)];
        draft.name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| "Unnamed".into());
        let key = if draft.key.trim().is_empty() { "unnamed".to_owned() } else { std::mem::take(&mut draft.key) };
        let key = self.local_key(Kind::Component, &key, draft.at);
        draft.description = draft.description.as_deref().and_then(text::description);
        let properties = std::mem::take(&mut draft.properties);
        for (name, value) in properties {
            self.component_property(draft, name, value);
        }
        draft.id = draft.id.take().map(|id| without_secrets(&id).into_owned());
        key
    }

    /// A property with a meaning becomes what it means.
    fn component_property(&mut self, draft: &mut Draft, name: String, value: Value) {
        match (name.as_str(), &value) {
            ("planroom.type", Value::String(id)) => {
                if types::component_type(id).is_none() {
                    self.warn(
                        draft.at,
                        format!("`planroom.type` is `{}`, which is no component type", text::cut(id, 60)),
                    );
                }
                draft.explicit = Some(id.clone());
            }
            ("planroom.id", Value::String(id)) => draft.id = Some(id.clone()),
            ("planroom.owner", Value::String(owner)) => draft.owners.push(owner.clone()),
            ("planroom.technology", Value::String(technology)) => {
                draft.states_technology = true;
                draft.technologies(technology);
            }
            ("lifecycle", Value::String(state)) => match types::lifecycle(state) {
                Some(state) => draft.properties.push((name, state.into())),
                None => self.warn(
                    draft.at,
                    format!("the lifecycle `{}` of `{}` is no lifecycle state", text::cut(state, 60), draft.name),
                ),
            },
            ("lifecycle", _) => {}
            ("url", Value::String(url)) => match text::web_address(url) {
                Some(url) => draft.links.push((None, url)),
                None => draft.properties.push((name, value)),
            },
            // Planroom stores or stored own data of a component in these properties.
            ("kind" | "technology" | "tags", _) => draft.properties.push((format!("source.{name}"), value)),
            _ => draft.properties.push((name, value)),
        }
    }

    /// The component with this key, in any file.
    pub(crate) fn find(&self, key: &str) -> Option<C> {
        self.by_key.get(key_of(key).as_str()).copied()
    }

    /// Adds a tag to components. Tags over the limit are ignored.
    pub(crate) fn tag(&mut self, components: impl IntoIterator<Item = C>, tag: &str, at: At) -> Result<(), Refusal> {
        const MAX_TAGS: usize = 100;
        let tag = text::cut(tag, 200);
        for C(component) in components {
            self.charge_steps(1, at)?;
            let tags = &self.components[component].tags;
            if tags.len() < MAX_TAGS && !tags.contains(&tag) {
                self.charge(TEXT_BYTES + tag.len(), at)?;
                self.components[component].tags.push(tag.clone());
            }
        }
        Ok(())
    }

    /// Adds a link to a component. Links over the limit are ignored.
    pub(crate) fn link(&mut self, component: C, url: &str, at: At) -> Result<(), Refusal> {
        const MAX_LINKS: usize = 200;
        if self.components[component.0].links.len() < MAX_LINKS {
            let url = text::cut(url, 4_000);
            self.charge(2 * TEXT_BYTES + url.len(), at)?;
            self.components[component.0].links.push((None, url));
        }
        Ok(())
    }

    /// A component that was added, to complete it.
    pub(crate) fn edit(&mut self, component: C) -> &mut Draft {
        &mut self.components[component.0]
    }
}
