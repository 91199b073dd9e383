//! `planroom sync`: brings a map in step with files, or checks that it is.
//!
//! The files are read on this machine by the same readers that the server has, and only what they found is sent: names,
//! types and relationships, with the file and line of each, but no file contents.

mod config;
mod files;
mod git;
mod known;
mod patterns;
mod reading;
mod report;
mod server;
mod source;

use std::{cell::Cell, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};

use self::{
    config::{CONFIG, Config, Flags, Source},
    patterns::{MAX_STEPS, Scope},
    report::{Outcome, Problem, Report},
    server::{Decisions, Options},
    source::{ReadSource, Repository},
};
use super::{
    client::{self, Client, Instance},
    output::{ExitStatus, Failure, print, warn},
};
use import::Format;

/// Exit status if the map differs.
const EXIT_DIFFERS: u8 = 2;
/// Timeout for a response. Large maps take long.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Update a map from files such as compose.yaml or workspace.dsl, or check that it matches them; for CI
///
/// Exit status: 0 if the map is in step or was changed, 2 if it differs (with --check), 1 if the command failed.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub(super) struct Sync {
    /// Files to read, or patterns such as 'deploy/**/*.yaml'; together, they are one source
    /// [default: the sources in the configuration]
    #[arg(value_name = "SOURCE")]
    files: Vec<String>,
    /// Id of the workspace
    #[arg(long, value_name = "ID")]
    workspace: Option<String>,
    /// Name of the source on the server, which recognizes its components by it
    /// [default: the repository and the files, such as github.com/acme/shop:compose.yaml]
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Format of the files [default: recognized]
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(Format::ALL.iter().map(|format| format.id())))]
    format: Option<String>,
    /// Configuration file [default: planroom.yaml, if it exists]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Show what would change, without writing
    #[arg(long, conflicts_with = "check")]
    dry_run: bool,
    /// Like --dry-run, with exit status 2 if the map differs; a viewer's token is sufficient
    #[arg(long)]
    check: bool,
    /// Delete components that are gone from the source instead of marking them
    #[arg(long)]
    prune: bool,
    /// Take over components with the same name and type wherever they are on the map, and not only in the group of the
    /// repository
    #[arg(long)]
    adopt: bool,
    /// Draw the calls of service graphs on the map, instead of recording them for the drift report
    #[arg(long)]
    draw: bool,
    /// Accept that more than a third of a source is gone
    #[arg(long)]
    allow_mass_removal: bool,
    /// Accept that the map does not have the row with this key, which was deleted on it; repeatable
    #[arg(long, value_name = "KEY", conflicts_with_all = ["check", "dry_run"])]
    accept: Vec<String>,
    /// Why the rows of --accept are not on the map
    #[arg(long, value_name = "TEXT", requires = "accept")]
    reason: Option<String>,
    /// Split off the component with this key, which was matched with another one on the map; repeatable
    #[arg(long, value_name = "KEY", conflicts_with_all = ["check", "dry_run"])]
    split: Vec<String>,
    /// Say that the repository has moved to its present origin
    #[arg(long)]
    repository_moved: bool,
    /// Say that the repository is another one, although it has the components of a known one in the same files
    #[arg(long, conflicts_with = "repository_moved")]
    new_repository: bool,
    /// Create the workspace if it does not exist
    #[arg(long)]
    create: bool,
    /// How to report the changes: markdown for a comment on a pull request, github for annotations of a workflow
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    report: ReportFormat,
    #[command(flatten)]
    instance: Instance,
}

/// A format of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    Text,
    Json,
    Markdown,
    Github,
}

/// What a command has done until it ended.
#[derive(Debug, Default)]
struct Progress {
    workspace: Option<String>,
    reports: Vec<Report>,
}

impl Sync {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut progress = Progress { workspace: self.workspace.clone(), reports: Vec::new() };
        let failures = self.synchronize(&mut progress).err().unwrap_or_default();
        let problems: Vec<Problem> = failures.iter().map(|failure| Problem::of(&**failure)).collect();
        // What was synchronized before a failure is reported too.
        let outcome = Outcome {
            workspace: progress.workspace.as_deref(),
            is_preview: self.is_preview(),
            reports: &progress.reports,
            problems: &problems,
        };
        print(&match self.report {
            ReportFormat::Text => report::text(&outcome),
            ReportFormat::Json => report::json(&outcome),
            ReportFormat::Markdown => report::markdown(&outcome),
            ReportFormat::Github => report::github(&outcome),
        })?;
        match outcome.reason() {
            Some(reason) => Err(reason.into()),
            None if self.check && !outcome.is_in_step() => Err(ExitStatus(EXIT_DIFFERS).into()),
            None => Ok(()),
        }
    }

    fn is_preview(&self) -> bool {
        self.dry_run || self.check
    }

    /// Reads all sources and synchronizes them together. The rows of a source that cannot be read stay as they are.
    fn synchronize(&self, progress: &mut Progress) -> Result<(), Vec<Failure>> {
        let one = |failure: Failure| vec![failure];
        let config = Config::find(self.config.as_deref()).map_err(one)?;
        progress.workspace = self.workspace.clone().or_else(|| config.workspace.clone());
        let sources = self.sources(&config).map_err(one)?;
        let workspace = progress
            .workspace
            .clone()
            .ok_or_else(|| one("--workspace is missing: give the ID of the workspace".into()))?;
        let base = files::base().map_err(one)?;
        let repository = Repository::find(&base, &config);
        let (mut read, mut failures) = (Vec::new(), Vec::new());
        let steps = Cell::new(MAX_STEPS);
        for source in &sources {
            match source.read(&base, &config, &repository, &steps) {
                Ok(source) => read.push(source),
                Err(failure) => failures.push(failure),
            }
        }
        if read.is_empty() {
            return Err(failures);
        }
        if failures.is_empty() {
            self.warn_about_unused(&read).map_err(one)?;
        }
        let synced = self.client(&config).and_then(|client| {
            let mut complete = Vec::new();
            for source in read {
                match known::invalid_file(&client, &workspace, (&base, &source))? {
                    Some(refusal) => failures.push(refusal.into()),
                    None => complete.push(source),
                }
            }
            if complete.is_empty() {
                return Ok(None);
            }
            // Files that are passed as arguments are a part of the sources.
            let is_whole = self.files.is_empty() && failures.is_empty();
            let gone = if is_whole {
                known::gone_sources(&client, &workspace, &repository, (&base, &complete))?
            } else {
                Vec::new()
            };
            let ids: Vec<String> = complete.iter().map(|source| source.id().to_owned()).chain(gone.clone()).collect();
            let mut report = self.send(&client, &config, &workspace, &repository, (complete, gone))?;
            // In a preview, a source with a new name has not taken the place of the old one yet.
            if is_whole && !self.is_preview() {
                let synchronized = report.draft.as_ref().map_or(&workspace, |draft| &draft.id);
                let left = known::left_sources(&client, synchronized, &repository, (&base, &ids));
                report.diagnostics.extend(left);
            }
            Ok(Some(report))
        });
        match synced {
            Ok(report) => progress.reports.extend(report),
            Err(failure) => failures.push(failure),
        }
        if failures.is_empty() { Ok(()) } else { Err(failures) }
    }

    fn client(&self, config: &Config) -> Result<Client, Failure> {
        Client::new(&self.url(config)?, TIMEOUT)
    }

    /// Sends what was read to the server, with the ids of the sources that the repository no longer has.
    fn send(
        &self,
        client: &Client,
        config: &Config,
        workspace: &str,
        repository: &Repository,
        sources: (Vec<ReadSource>, Vec<String>),
    ) -> Result<Report, Failure> {
        let flag = |set: bool, chosen: Option<bool>| if set { Some(true) } else { chosen };
        let options = Options {
            workspace,
            repository,
            is_preview: self.is_preview(),
            flags: Flags {
                adopt: flag(self.adopt, config.defaults.adopt),
                draw: flag(self.draw, config.defaults.draw),
                prune: flag(self.prune, config.defaults.prune),
                separate: None,
            },
            is_configured: self.files.is_empty(),
            allow_mass_removal: self.allow_mass_removal,
            repository_moved: self.repository_moved,
            is_copy: self.new_repository,
            create: self.create,
        };
        let run = server::Run::new(&options, config, sources);
        let decisions = Decisions { accept: &self.accept, reason: self.reason.as_deref(), split: &self.split };
        let draft = run.decide(client, &decisions)?;
        run.sync(client, draft)
    }

    /// Warns about names in the configuration that no source has. Sources of the arguments may be a part of them.
    fn warn_about_unused(&self, read: &[ReadSource]) -> Result<(), Failure> {
        let Some((first, others)) = read.split_first().filter(|_| self.files.is_empty()) else { return Ok(()) };
        for name in first.unused.iter().filter(|name| others.iter().all(|other| other.unused.contains(name))) {
            warn(&format!("warning: `{name}` in the configuration is no component of a source"))?;
        }
        Ok(())
    }

    /// The sources of the arguments, or of the configuration.
    fn sources(&self, config: &Config) -> Result<Vec<Source>, Failure> {
        if self.files.is_empty() {
            if config.sources.is_empty() {
                return Err(format!("no source is given: name files, or list `sources` in {CONFIG}").into());
            }
            if self.source.is_some() || self.format.is_some() {
                return Err(
                    "--source and --format need files; for the sources in the configuration, set them there".into()
                );
            }
            return Ok(config.sources.clone());
        }
        let format = self.format.as_deref().and_then(Format::of_id);
        Ok(vec![Source {
            files: self.files.clone(),
            format,
            name: self.source.clone(),
            scope: Scope::Arguments,
            options: import::Options::default(),
            flags: Flags::default(),
        }])
    }

    /// The address of the instance. In CI, it does not come from a file: a pull request could change the file, and the token
    /// would be sent to another server.
    fn url(&self, config: &Config) -> Result<url::Url, Failure> {
        if let Some(url) = &self.instance.url {
            return Ok(url.clone());
        }
        if std::env::var_os("CI").is_some() {
            let text = "is not set; in CI, set it beside the token instead of `url` in the configuration, which pull requests can change";
            return Err(format!("{} {text}", client::URL).into());
        }
        if let Some(url) = &config.url {
            warn(&format!("using {url} from the configuration"))?;
            return Ok(url.clone());
        }
        Ok(url::Url::parse(client::LOCAL)?)
    }
}
