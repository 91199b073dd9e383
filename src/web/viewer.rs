//! The map viewer, a small program without the web client (source in `assets/web/src/viewer`): as a page for MCP clients, and
//! as a script for pages that show a shared map.

use super::client::{Client, read};

/// The page for MCP clients: one file that loads nothing. `None` if the binary was built without the web client.
pub fn app_page() -> Option<String> {
    String::from_utf8(read("viewer.html")?).ok()
}

/// Path of the script for pages that show a shared map, below the path of the public URL, such as
/// `/assets/share-C0ffee12.js`. The name contains a hash of the contents. `None` if the binary was built without the web
/// client.
///
/// The page contains `<main id="share" data-base="…">` and this script as `<script type="module" src="…">`. The script loads
/// `model.json` and `image.svg` below the path in `data-base`, and replaces the children of the element. It adds its styles
/// without style elements, so the policies `script-src 'self'`, `style-src 'self'`, `font-src 'self'` and `connect-src 'self'`
/// are sufficient.
pub fn share_script() -> Option<String> {
    Client::iter().find_map(|file| {
        let name = file.strip_suffix(".gz").unwrap_or(&file);
        (name.starts_with("assets/share-") && name.strip_suffix(".js").is_some()).then(|| format!("/{name}"))
    })
}
