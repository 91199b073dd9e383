//! `planroom.yaml`: which files describe a map, and how they are read. Unknown keys are errors that name their line.

use std::{
    cell::Cell,
    collections::BTreeMap,
    fmt::Display,
    fs, io,
    path::{Path, PathBuf},
};

use import::{CSV_COLUMNS, Data, Deployment, File, Files, Format, Node, Options, Refusal, yaml};
use url::Url;

use super::{
    files,
    patterns::{MAX_STEPS, Scope, Stop, Walk, canonical},
};
use crate::cli::output::Failure;

/// The configuration that is read by default, if it exists.
pub(super) const CONFIG: &str = "planroom.yaml";
/// Fields for which a policy can be set.
const POLICY_FIELDS: [&str; 9] =
    ["name", "type", "parent", "technology", "description", "lifecycle", "tags", "label", "properties"];

/// See the module documentation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Config {
    /// Where it is, if there is one.
    pub(super) path: Option<PathBuf>,
    pub(super) url: Option<Url>,
    pub(super) workspace: Option<String>,
    /// Id of the repository; derived from its origin if there is none.
    pub(super) repository: Option<String>,
    /// Id of the component of the map that contains the components of the repository.
    pub(super) group: Option<String>,
    pub(super) sources: Vec<Source>,
    /// Names or files of sources whose values count first, the strongest first.
    pub(super) order: Vec<String>,
    /// What holds for all sources that do not say otherwise.
    pub(super) defaults: Flags,
    /// Keys or names of components that are left out.
    pub(super) ignore: Vec<String>,
    /// Names of components by their key or name in the source.
    pub(super) aliases: BTreeMap<String, String>,
    /// Types of components by their key or name.
    pub(super) types: BTreeMap<String, String>,
    /// Owners of new components by their key, or `*`.
    pub(super) owners: BTreeMap<String, Owner>,
    /// New keys of components by their old ones.
    pub(super) renames: BTreeMap<String, String>,
    /// Components of the map by the key or name of those that they are.
    pub(super) same: BTreeMap<String, String>,
    /// Names of properties that change with each deployment.
    pub(super) volatile: Vec<String>,
    /// What counts if both the source and the map changed a field.
    pub(super) policy: BTreeMap<String, String>,
}

/// How rows are matched and written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) adopt: Option<bool>,
    pub(super) draw: Option<bool>,
    pub(super) prune: Option<bool>,
    /// Whether components are never those of other sources.
    pub(super) separate: Option<bool>,
}

/// Files that are read together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// Paths and patterns.
    pub(super) files: Vec<String>,
    /// The format; recognized if there is none.
    pub(super) format: Option<Format>,
    /// The name of the source on the server.
    pub(super) name: Option<String>,
    /// The folder that the paths are relative to, and the folder that they must stay in.
    pub(super) scope: Scope,
    /// Options for formats that can be read in several ways.
    pub(super) options: Options,
    pub(super) flags: Flags,
}

/// A person or team of the organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) kind: &'static str,
    pub(super) id: String,
}

impl Config {
    /// Reads the file that was named, or the default one if it exists.
    pub(super) fn find(path: Option<&Path>) -> Result<Self, Failure> {
        let given = path.unwrap_or(Path::new(CONFIG));
        // A link without a target is a configuration, too: whether the target exists must make no difference.
        let found = fs::symlink_metadata(given);
        if path.is_none() && found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(Self::default());
        }
        let shown = given.display();
        let folder = given.parent().unwrap_or(Path::new(""));
        let file = given.file_name().ok_or_else(|| format!("{shown} is not a file"))?;
        // Errors quote the configuration, so a symbolic link in a repository could disclose other files.
        let path = canonical(folder)?.join(file);
        let text = match Walk::inside(canonical(folder)?, &Cell::new(MAX_STEPS)).resolve(Path::new(file)) {
            Ok(Some(path)) => files::content(&path).map_err(|error| format!("cannot read {shown}: {error}"))?,
            Ok(None) => return Err(format!("cannot read {shown}: there is no such file").into()),
            Err(Stop::Unreadable(_, error)) => return Err(format!("cannot read {shown}: {error}").into()),
            Err(_) => {
                let text = "is a link out of its folder; pass the target of the link to --config";
                return Err(format!("{shown} {text}").into());
            }
        };
        Ok(Self { path: Some(path), ..Self::parse(&given.display().to_string(), text, folder)? })
    }

    /// Parses a file. `folder` is where its paths begin.
    pub(super) fn parse(name: &str, text: Vec<u8>, folder: &Path) -> Result<Self, Failure> {
        let files = Files::of(name, text)?;
        let file = files.iter().next().ok_or("the file is missing")?;
        let mut documents = yaml(file)?;
        match (documents.pop(), documents.is_empty()) {
            (None, _) => Ok(Self::default()),
            (Some(root), true) => Reader { file, folder }.config(&root),
            (Some(root), false) => Err(Reader { file, folder }.error(&root, "the file must have one document")),
        }
    }
}

struct Reader<'f> {
    file: &'f File,
    folder: &'f Path,
}

impl Reader<'_> {
    fn error(&self, node: &Node, text: impl Display) -> Failure {
        let file = Some(self.file.name().to_owned());
        Refusal { file, line: Some(node.line), text: text.to_string() }.into()
    }

    fn config(&self, root: &Node) -> Result<Config, Failure> {
        const KEYS: [&str; 17] = [
            "url",
            "workspace",
            "repository",
            "group",
            "sources",
            "order",
            "ignore",
            "aliases",
            "types",
            "owners",
            "renames",
            "same",
            "volatile",
            "policy",
            "adopt",
            "draw",
            "prune",
        ];
        let mut config = Config::default();
        for (key, node) in self.fields(root, "the configuration", &KEYS)? {
            match key {
                "url" => {
                    let text = self.text(node, key)?;
                    let url =
                        Url::parse(text).map_err(|error| self.error(node, format!("`url` is invalid: {error}")))?;
                    config.url = Some(url);
                }
                "workspace" => config.workspace = Some(self.text(node, key)?.to_owned()),
                "repository" => config.repository = Some(self.text(node, key)?.to_owned()),
                "group" => config.group = Some(self.text(node, key)?.to_owned()),
                "order" => config.order = self.texts(node, key)?,
                "same" => config.same = self.map(node, key)?,
                "volatile" => config.volatile = self.texts(node, key)?,
                "adopt" | "draw" | "prune" => self.set_flag(root, (key, node), &mut config.defaults)?,
                "sources" => {
                    let Data::List(items) = &node.value else {
                        return Err(self.error(node, "`sources` must be a list"));
                    };
                    config.sources = items.iter().map(|item| self.source(item)).collect::<Result<_, _>>()?;
                }
                "ignore" => config.ignore = self.texts(node, key)?,
                "aliases" => config.aliases = self.map(node, key)?,
                "types" => config.types = self.map(node, key)?,
                "renames" => config.renames = self.map(node, key)?,
                "owners" => config.owners = self.owners(node)?,
                _ => config.policy = self.policy(node)?,
            }
        }
        Ok(config)
    }

    fn source(&self, node: &Node) -> Result<Source, Failure> {
        const KEYS: [&str; 11] = [
            "files",
            "format",
            "name",
            "deployment",
            "motivation",
            "systems",
            "columns",
            "adopt",
            "draw",
            "prune",
            "separate",
        ];
        let mut source = Source {
            files: Vec::new(),
            format: None,
            name: None,
            scope: Scope::Configuration(self.folder.to_owned()),
            options: Options::default(),
            flags: Flags::default(),
        };
        if let Some(path) = node.as_text() {
            source.files = vec![path.to_owned()];
            return Ok(source);
        }
        for (key, value) in self.fields(node, "a source", &KEYS)? {
            match key {
                "files" => source.files = self.texts(value, key)?,
                "name" => source.name = Some(self.text(value, key)?.to_owned()),
                "deployment" => {
                    source.options.deployment = match self.text(value, key)? {
                        "single" => Deployment::Single,
                        "none" => Deployment::None,
                        "all" => Deployment::All,
                        name => Deployment::Environment(name.to_owned()),
                    };
                }
                "motivation" | "systems" => {
                    let wrong = || self.error(value, format!("`{key}` must be `true` or `false`"));
                    let flag = node.flag(key).ok_or_else(wrong)?;
                    let option = &mut source.options;
                    *(if key == "systems" { &mut option.systems } else { &mut option.motivation }) = flag;
                }
                "adopt" | "draw" | "prune" | "separate" => self.set_flag(node, (key, value), &mut source.flags)?,
                "columns" => {
                    for (column, heading) in self.fields(value, "`columns`", &CSV_COLUMNS)? {
                        let heading = self.text(heading, column)?.to_owned();
                        source.options.columns.insert(column.to_owned(), heading);
                    }
                }
                _ => {
                    let id = self.text(value, key)?;
                    let known: Vec<&str> = Format::ALL.iter().map(|format| format.id()).collect();
                    let text = format!("`{id}` is no format; known formats: {}", known.join(", "));
                    source.format = Some(Format::of_id(id).ok_or_else(|| self.error(value, text))?);
                }
            }
        }
        if source.files.is_empty() {
            return Err(self.error(node, "a source needs `files`"));
        }
        Ok(source)
    }

    /// Sets a flag of an object.
    fn set_flag(&self, object: &Node, (key, value): (&str, &Node), flags: &mut Flags) -> Result<(), Failure> {
        let flag = object.flag(key).ok_or_else(|| self.error(value, format!("`{key}` must be `true` or `false`")))?;
        *match key {
            "adopt" => &mut flags.adopt,
            "draw" => &mut flags.draw,
            "prune" => &mut flags.prune,
            _ => &mut flags.separate,
        } = Some(flag);
        Ok(())
    }

    fn owners(&self, node: &Node) -> Result<BTreeMap<String, Owner>, Failure> {
        let mut owners = BTreeMap::new();
        for (key, value) in self.object(node, "owners")? {
            let text = self.text(value, key)?;
            let owner = match text.split_once(':') {
                Some(("team", id)) if !id.is_empty() => Owner { kind: "team", id: id.to_owned() },
                Some(("person", id)) if !id.is_empty() => Owner { kind: "person", id: id.to_owned() },
                _ => return Err(self.error(value, format!("the owner `{text}` must be `team:ID` or `person:ID`"))),
            };
            owners.insert(key.clone(), owner);
        }
        Ok(owners)
    }

    fn policy(&self, node: &Node) -> Result<BTreeMap<String, String>, Failure> {
        let mut policy = BTreeMap::new();
        for (key, value) in self.fields(node, "`policy`", &POLICY_FIELDS)? {
            let text = self.text(value, key)?;
            if !["source", "map", "ask"].contains(&text) {
                return Err(self.error(value, format!("the policy `{text}` must be `source`, `map` or `ask`")));
            }
            policy.insert(key.to_owned(), text.to_owned());
        }
        Ok(policy)
    }

    /// The fields of an object with known keys.
    fn fields<'n>(&self, node: &'n Node, what: &str, known: &[&str]) -> Result<Vec<(&'n str, &'n Node)>, Failure> {
        let Data::Object(fields) = &node.value else {
            return Err(self.error(node, format!("{what} must have keys, such as `{}:`", known[0])));
        };
        for (key, value) in fields.iter() {
            if !known.contains(&key.as_str()) {
                let near =
                    known.iter().max_by(|a, b| strsim::jaro_winkler(a, key).total_cmp(&strsim::jaro_winkler(b, key)));
                let near = near.filter(|near| strsim::jaro_winkler(near, key) > 0.8);
                let hint = near.map_or_else(
                    || format!("known keys: {}", known.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                let shown: String = key.chars().take(60).collect();
                return Err(self.error(value, format!("{what} has no key `{shown}`; {hint}")));
            }
        }
        Ok(fields.iter().map(|(key, value)| (key.as_str(), value)).collect())
    }

    fn object<'n>(&self, node: &'n Node, key: &str) -> Result<&'n [(String, Node)], Failure> {
        match &node.value {
            Data::Object(fields) => Ok(fields),
            _ => Err(self.error(node, format!("`{key}` must have keys and values, such as `name: value`"))),
        }
    }

    fn map(&self, node: &Node, key: &str) -> Result<BTreeMap<String, String>, Failure> {
        let fields = self.object(node, key)?.iter();
        fields.map(|(name, value)| Ok((name.clone(), self.text(value, name)?.to_owned()))).collect()
    }

    /// A text, or a list of texts.
    fn texts(&self, node: &Node, key: &str) -> Result<Vec<String>, Failure> {
        match &node.value {
            Data::List(items) => items.iter().map(|item| Ok(self.text(item, key)?.to_owned())).collect(),
            _ => Ok(vec![self.text(node, key)?.to_owned()]),
        }
    }

    fn text<'n>(&self, node: &'n Node, key: &str) -> Result<&'n str, Failure> {
        node.scalar()
            .filter(|text| !text.trim().is_empty())
            .ok_or_else(|| self.error(node, format!("`{key}` must be a text")))
    }
}

#[cfg(test)]
mod tests;
