//! Content of the fake wiki: pages and databases.

use serde_json::{Value, json};

use super::FakeWiki;

/// The ID of the object with this number, with dashes, as the provider writes it.
pub fn dashed(n: u64) -> String {
    format!("{n:08x}-0000-4000-8000-{n:012x}")
}

/// The same without dashes, as in URLs.
pub fn plain(n: u64) -> String {
    dashed(n).replace('-', "")
}

/// The URL of a page or database.
pub fn address(n: u64) -> String {
    format!("https://www.notion.so/acme/Some-title-{}", plain(n))
}

/// An icon.
pub fn emoji(text: &str) -> Value {
    json!({ "type": "emoji", "emoji": text })
}

/// A parent reference.
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

impl FakeWiki {
    /// Adds a shared page, replacing any with this number.
    pub fn page(&self, n: u64, title: &str, icon: Value, parent: Value) {
        let page = page(n, title, &icon, &parent);
        let mut state = self.state();
        state.found.retain(|found| found["id"] != dashed(n));
        state.found.push(page.clone());
        state.things.insert((plain(n), "pages"), page);
        state.blocks.entry(plain(n)).or_default();
    }

    /// Adds a page at the top of the wiki.
    pub fn root(&self, n: u64, title: &str, icon: Value) {
        self.page(n, title, icon, json!({ "type": "workspace", "workspace": true }));
    }

    /// Removes a page or its sharing, which look the same.
    pub fn hide(&self, n: u64) {
        let mut state = self.state();
        state.things.retain(|(id, _), _| *id != plain(n));
        state.blocks.remove(&plain(n));
        state.found.retain(|found| found["id"] != dashed(n));
    }

    /// Adds a database with these data sources.
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

    /// Adds a row of a data source, which is a page.
    pub fn row(&self, n: u64, source: u64, title: &str) {
        self.page(n, title, Value::Null, within("data_source_id", source));
        let mut state = self.state();
        let page = state.things[&(plain(n), "pages")].clone();
        state.rows.get_mut(&plain(source)).unwrap().push(page);
    }

    /// Marks a data source as having more rows than the provider returns.
    pub fn incomplete(&self, source: u64) {
        self.state().incomplete.insert(plain(source));
    }

    /// Appends a block to the page or block `within`.
    pub fn block(&self, n: u64, kind: &str, has_children: bool, within: u64) {
        self.put(
            within,
            json!({ "object": "block", "id": dashed(n), "type": kind, "has_children": has_children,
                                 "parent": { "type": "page_id", "page_id": dashed(within) }, kind: {} }),
        );
        self.state().blocks.entry(plain(n)).or_default();
    }

    /// Adds a page as a block of another page, without icon and URL.
    pub fn child_page(&self, n: u64, title: &str, within: u64) {
        self.put(
            within,
            json!({ "object": "block", "id": dashed(n), "type": "child_page", "has_children": false,
                                 "parent": { "type": "page_id", "page_id": dashed(within) },
                                 "last_edited_time": "2026-03-11T10:00:00.000Z", "child_page": { "title": title } }),
        );
    }

    /// The same for a database, which never reports children.
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
