//! The definition of a tool, and how it is called.

use std::{fmt, pin::Pin};

use rmcp::model::{CallToolResult, JsonObject, Tool as Listed, ToolAnnotations};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    domain::{
        core::{
            Call,
            access::{Access, Need},
        },
        input::{self, Input},
    },
    error::{Error, FieldPath, Problem, Result},
    mcp::{results, schema, services::Services},
};

/// Hints for clients about the effects of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the four hints of the protocol")]
pub struct Hints {
    /// The tool does not write.
    pub read_only: bool,
    /// The tool can delete or overwrite data.
    pub destructive: bool,
    /// Repeating a call has no further effect.
    pub idempotent: bool,
    /// The tool can send requests to other systems.
    pub open_world: bool,
}

/// The arguments of a tool.
pub trait Arguments: Input + ToSchema {
    /// The description for models: what the tool does, and when and how to use it.
    const ABOUT: &'static str;
}

/// Implements [`Arguments`] with strict parsing for argument types, with the descriptions of the tools.
macro_rules! arguments {
    ($($name:ty: $about:expr),+ $(,)?) => {
        $crate::domain::input::objects!($($name),+);
        $(
            impl $crate::domain::input::Input for $name {}
            impl $crate::mcp::tools::tool::Arguments for $name {
                const ABOUT: &'static str = $about;
            }
        )+
    };
}
pub(super) use arguments;

type Running = Pin<Box<dyn Future<Output = Result<CallToolResult>> + Send>>;
type Run = Box<dyn Fn(&Services, Call, Vec<u8>) -> Running + Send + Sync>;

/// A tool.
pub struct Tool {
    /// Name.
    pub name: &'static str,
    /// Required permission, which follows from the handler.
    pub need: Need,
    run: Run,
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).field("need", &self.need).finish_non_exhaustive()
    }
}

impl Tool {
    /// Calls the tool. Errors name the invalid argument.
    pub async fn call(&self, services: &Services, call: Call, arguments: JsonObject) -> Result<CallToolResult> {
        let text = serde_json::to_vec(&Value::Object(arguments))?;
        (self.run)(services, call, text).await
    }
}

/// Declares the tool table: name, title, hints and handler.
macro_rules! tools {
    ($($name:ident $title:literal $hints:ident $($handler:ident)::+;)+) => {
        fn table() -> Vec<Tool> {
            vec![$($crate::mcp::tools::tool::tool(stringify!($name), $($handler)::+)),+]
        }

        /// The definitions of the tools for clients, built from the types, for the test that compares them with the copy
        /// in `assets/contracts`.
        pub fn described() -> Vec<rmcp::model::Tool> {
            vec![$($crate::mcp::tools::tool::describe(stringify!($name), $title, $hints, $($handler)::+)),+]
        }
    };
}
pub(super) use tools;

/// Creates a row of the table. The handler takes what it works with, the gate or the wiki, and determines the
/// permission.
pub(super) fn tool<P, Way, A, R, F, Done>(name: &'static str, run: F) -> Tool
where
    P: Access,
    Way: for<'a> From<&'a Services> + Send + 'static,
    A: Arguments,
    R: Serialize + Send + 'static,
    F: Fn(Way, Call<P>, A) -> Done + Copy + Send + Sync + 'static,
    Done: Future<Output = Result<R>> + Send + 'static,
{
    let run = move |services: &Services, call: Call, text: Vec<u8>| -> Running {
        let (way, gate) = (Way::from(services), services.gate.clone());
        Box::pin(async move {
            let (arguments, _) = input::parse::<A>(&text).map_err(|error| named(error, name))?;
            let answer = run(way, call.needing(), arguments).await?;
            let is_small = results::is_small(&answer);
            let made = move || Ok(results::success(serde_json::to_value(answer)?));
            // What is cut to fit takes time: not on an asynchronous thread.
            if is_small { made() } else { gate.heavy_work(made).await }
        })
    };
    Tool { name, need: P::NEED, run: Box::new(run) }
}

/// Describes a tool for clients.
pub(super) fn describe<P, Way, A, R, F, Done>(name: &'static str, title: &'static str, hints: Hints, _: F) -> Listed
where
    A: Arguments,
    R: ToSchema,
    F: Fn(Way, Call<P>, A) -> Done,
    Done: Future<Output = Result<R>>,
{
    let Hints { read_only, destructive, idempotent, open_world } = hints;
    let hints = ToolAnnotations::new()
        .read_only(read_only)
        .destructive(destructive)
        .idempotent(idempotent)
        .open_world(open_world);
    Listed::new(name, A::ABOUT, schema::arguments::<A>())
        .with_title(title)
        .with_raw_output_schema(schema::result::<R>())
        .with_annotations(hints)
}

/// An error of the arguments: they are no resource, and have no lines that their sender knows of.
fn named(error: Error, tool: &str) -> Error {
    let Error::Invalid { field, problem, .. } = error else { return error };
    let problem = match problem {
        Problem::UnknownField => format!("the tool {tool} has no such argument; see its input schema").into(),
        other => other,
    };
    Error::invalid(field, problem)
}

/// An error of the item `at` of the argument `list`.
pub(super) fn within(error: Error, list: &str, at: usize) -> Error {
    match error {
        Error::Conflict(text) => Error::Conflict(format!("{list}[{at}]: {text}")),
        error => error.within(FieldPath::item(list, at)),
    }
}
