/** The tool call that the viewer shows: which part of the map it is about, and what is highlighted in it. */
import type { Highlight, Model, Step } from '../source';
import { type Json, listOf, objectOf, textOf, textsOf } from './protocol';

/** Maximum number of components that `draw_map` takes. */
const MAX_COMPONENTS = 500;

export interface ToolCall {
  tool: string;
  input: Json;
  /** The structured content of the result. */
  result: Json;
}

/** The tool of a call whose name the host does not tell. */
export function toolOf(input: Json): string {
  if (input.processId !== undefined) return 'get_process';
  if (input.from !== undefined) return 'find_paths';
  if (input.componentId !== undefined) return 'trace_dependencies';
  return 'get_workspace';
}

/** The arguments of `draw_map` for what the call is about. */
export function drawingOf({ tool, input, result }: ToolCall): Json {
  const { workspaceId, viewId } = input;
  switch (tool) {
    case 'draw_map': {
      const { format: _format, theme: _theme, step: _step, ...others } = input;
      return others;
    }
    case 'get_process':
      return { workspaceId, process: input.processId };
    case 'find_paths': {
      const ends = [textOf(input.from), textOf(input.to)];
      return exactly(workspaceId, [...ends, ...paths(result).flatMap(({ components }) => components)]);
    }
    case 'trace_dependencies': {
      const reached = listOf(result.reached).flatMap(({ path }) => textsOf(path));
      return exactly(workspaceId, [textOf(input.componentId), ...reached]);
    }
    default: {
      const { componentId, depth } = objectOf(input.around);
      const part =
        componentId === undefined ? {} : { around: [componentId], ...(depth === undefined ? {} : { depth }) };
      return { workspaceId, ...(viewId === undefined ? {} : { viewId }), ...part };
    }
  }
}

/** These components and no others, in a layout of their own. */
function exactly(workspaceId: unknown, components: string[]): Json {
  return { workspaceId, around: [...new Set(components)].slice(0, MAX_COMPONENTS), depth: 0 };
}

/** What the call is about, except for the steps of a process. `name` returns the name of a component. */
export function modelOf({ tool, input, result }: ToolCall, name: (id: string) => string): Model {
  const model: Model = { title: '', summary: '', processes: [], highlights: [], focus: undefined };
  switch (tool) {
    case 'get_process':
      return { ...model, title: textOf(result.name) };
    case 'find_paths': {
      const found = paths(result);
      const title = `Paths from ${name(textOf(input.from))} to ${name(textOf(input.to))}`;
      const total = Number(result.total ?? found.length);
      const summary = total === 0 ? 'No path' : counted(total, 'path');
      return { ...model, title, summary, highlights: named(found, name), focus: textOf(input.from) };
    }
    case 'trace_dependencies': {
      const id = textOf(input.componentId);
      const kind = input.direction === 'dependencies' ? 'Dependencies' : 'Dependents';
      const listed = listOf(result.reached).length;
      const total = Number(result.total ?? listed);
      const summary =
        counted(total, 'component') + (listed < total ? `, the nearest ${listed} are shown` : '');
      return {
        ...model,
        title: `${kind} of ${name(id)}`,
        summary,
        highlights: traced(id, result),
        focus: id,
      };
    }
    default: {
      const around = objectOf(input.around).componentId ?? textsOf(input.around)[0];
      return { ...model, title: textOf(objectOf(result.workspace).name), focus: textOf(around) || undefined };
    }
  }
}

/** The relationships that were followed. Others between the same components are dimmed. */
function traced(id: string, result: Json): Highlight[] {
  const reached = listOf(result.reached);
  if (reached.length === 0) return [];
  const components = [id, ...reached.map(({ componentId }) => textOf(componentId))];
  return [
    { name: 'All', components, relationships: reached.map(({ relationshipId }) => textOf(relationshipId)) },
  ];
}

interface Path {
  components: string[];
  relationships: string[];
}

function paths(result: Json): Path[] {
  return listOf(result.paths).map(({ componentIds, relationshipIds }) => ({
    components: textsOf(componentIds),
    relationships: textsOf(relationshipIds),
  }));
}

function named(found: Path[], name: (id: string) => string): Highlight[] {
  return found.map(({ components, relationships }, at) => {
    const between = components.slice(1, -1).map(name);
    const via = between.length === 0 ? 'direct' : `via ${between.join(', ')}`;
    return { name: `Path ${at + 1}: ${via}`, components, relationships };
  });
}

/** Steps as objects, or as rows of the list of all steps. */
export function stepsOf(result: Json, name: (id: string) => string | undefined): Step[] {
  const rows = Array.isArray(result.rows)
    ? result.rows.map(([, , from, to, text]) => ({ from, to, text }))
    : [];
  return [...listOf(result.steps), ...rows].map((step) => {
    const [from, to] = [textOf(step.from), textOf(step.to)];
    const [fromName, toName] = [name(from), name(to)];
    return {
      from: fromName === undefined ? undefined : from,
      to: toName === undefined ? undefined : to,
      fromName: fromName ?? from,
      toName: toName ?? to,
      text: textOf(step.text),
    };
  });
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
