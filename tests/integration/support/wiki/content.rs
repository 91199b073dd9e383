//! What is in the double: pages, databases, and what is in them.

use serde_json::{Value, json};

use super::WikiDouble;

/// The id of the thing of this number, with dashes, as the provider writes it.
pub fn dashed(n: u64) -> String {
    format!("{n:08x}-0000-4000-8000-{n:012x}")
}

/// The same as it is in addresses.
pub fn plain(n: u64) -> String {
    dashed(n).replace('-', "")
}

/// The address of a page or database.
pub fn address(n: u64) -> String {
    format!("https://www.notion.so/acme/Some-title-{}", plain(n))
}

/// An icon.
pub fn emoji(text: &str) -> Value {
    json!({ "type": "emoji", "emoji": text })
}

/// Where something is.
pub fn within(kind: &str, n: u64) -> Value {
    json!({ "type": kind, kind: dashed(n) })
}

fn page(n: u64, title: &str, icon: &Value, parent: &Value) -> Value {
    let title = if title.is_empty() { json!([]) } else { json!([{ "type": "text", "plain_text": title }]) };
    json!({
        "object": "page", "id": dashed(n), "created_time": "2026-03-11T10:00:00.000Z",
        "last_edited_time": "2026-03-11T10:00:00.000Z", "icon": icon, "cover": null, "parent": parent, "in_trash": false,
        "properties": { "Status": { "id": "x", "type": "select", "select": null },
                        "Nom": { "id": "title", "type": "title", "title": title } },
        "url": address(n), "request_id": "0f1e2d3c"
    })
}

impl WikiDouble {
    /// A page that is shared. What was there of this number is replaced.
    pub fn page(&self, n: u64, title: &str, icon: Value, parent: Value) {
        let page = page(n, title, &icon, &parent);
        let mut state = self.state();
        state.found.retain(|found| found["id"] != dashed(n));
        state.found.push(page.clone());
        state.things.insert((plain(n), "pages"), page);
        state.blocks.entry(plain(n)).or_default();
    }

    /// A page at the top of the wiki.
    pub fn root(&self, n: u64, title: &str, icon: Value) {
        self.page(n, title, icon, json!({ "type": "workspace", "workspace": true }));
    }

    /// It is not shared any more, or was deleted: nobody can tell.
    pub fn hide(&self, n: u64) {
        let mut state = self.state();
        state.things.retain(|(id, _), _| *id != plain(n));
        state.blocks.remove(&plain(n));
        state.found.retain(|found| found["id"] != dashed(n));
    }

    /// A database whose data sources are those of these numbers.
    pub fn database(&self, n: u64, title: &str, icon: Value, parent: Value, sources: &[u64]) {
        let of = |n: &u64| json!({ "id": dashed(*n), "name": "Source" });
        let titled = json!([{ "type": "text", "plain_text": title }]);
        let database = json!({
            "object": "database", "id": dashed(n), "title": titled, "icon": icon, "parent": parent, "url": address(n),
            "last_edited_time": "2026-03-11T12:00:00.000+02:00",
            "data_sources": sources.iter().map(of).collect::<Vec<_>>()
        });
        let mut state = self.state();
        state.things.insert((plain(n), "databases"), database);
        for source in sources {
            let thing = json!({
                "object": "data_source", "id": dashed(*source), "title": titled, "icon": icon, "url": address(*source),
                "parent": { "type": "database_id", "database_id": dashed(n) }, "database_parent": parent,
                "last_edited_time": "2026-03-11T12:00:00.000+02:00"
            });
            state.found.push(thing.clone());
            state.things.insert((plain(*source), "data_sources"), thing);
            state.rows.entry(plain(*source)).or_default();
        }
    }

    /// A row of a data source: a page.
    pub fn row(&self, n: u64, source: u64, title: &str) {
        self.page(n, title, Value::Null, within("data_source_id", source));
        let mut state = self.state();
        let page = state.things[&(plain(n), "pages")].clone();
        state.rows.get_mut(&plain(source)).unwrap().push(page);
    }

    /// A data source has more rows than the provider shows.
    pub fn incomplete(&self, source: u64) {
        self.state().incomplete.insert(plain(source));
    }

    /// A block at the end of a page or block: `within` is the number of that.
    pub fn block(&self, n: u64, kind: &str, has_children: bool, within: u64) {
        self.put(
            within,
            json!({ "object": "block", "id": dashed(n), "type": kind, "has_children": has_children,
                                 "parent": { "type": "page_id", "page_id": dashed(within) }, kind: {} }),
        );
        self.state().blocks.entry(plain(n)).or_default();
    }

    /// A page as it stands in the content of another: without icon and address.
    pub fn child_page(&self, n: u64, title: &str, within: u64) {
        self.put(
            within,
            json!({ "object": "block", "id": dashed(n), "type": "child_page", "has_children": false,
                                 "parent": { "type": "page_id", "page_id": dashed(within) },
                                 "last_edited_time": "2026-03-11T10:00:00.000Z", "child_page": { "title": title } }),
        );
    }

    /// The same of a database, which never says that it has children.
    pub fn child_database(&self, n: u64, title: &str, within: u64) {
        self.put(
            within,
            json!({ "object": "block", "id": dashed(n), "type": "child_database", "has_children": false,
                                 "parent": { "type": "page_id", "page_id": dashed(within) },
                                 "child_database": { "title": title } }),
        );
    }

    fn put(&self, within: u64, block: Value) {
        self.state().blocks.entry(plain(within)).or_default().push(block);
    }
}
