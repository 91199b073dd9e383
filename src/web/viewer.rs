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
/// The page needs this script as `<script type="module" src="…">` and an element `#share` with the attributes `data-base` (the
/// path of the folder that `model.json` and `image.svg` are loaded from), `data-kind` (`page` or `embed`) and optionally
/// `data-theme`. The script adds its styles to the document without style elements, so the content security policies
/// `script-src 'self'`, `style-src 'self'` and `connect-src 'self'` are sufficient.
pub fn share_script() -> Option<String> {
    let mut names = Client::iter();
    let name = names.find(|name| name.starts_with("assets/share-") && name.trim_end_matches(".gz").ends_with(".js"))?;
    Some(format!("/{}", name.trim_end_matches(".gz")))
}
