/** Options of the formats that can be read in several ways. */
import type { ReadingOptions } from '@/api/generated';
import { parseCsv } from '@/core/table/csv';

/** Maximum number of headings and environments that are offered. */
const MAX_OFFERED = 200;

/** Maximum length of the headings of a table. */
const MAX_HEADING_CHARS = 0x4000;

/** What a column of a table can contain, in the order in which users choose it. */
export const COLUMNS: readonly { id: string; name: string }[] = [
  { id: 'name', name: 'Names' },
  { id: 'id', name: 'IDs' },
  { id: 'type', name: 'Types' },
  { id: 'partOf', name: 'Containing components' },
  { id: 'owner', name: 'Owners' },
  { id: 'technology', name: 'Technologies' },
  { id: 'description', name: 'Descriptions' },
  { id: 'tags', name: 'Tags' },
  { id: 'lifecycle', name: 'Lifecycles' },
  { id: 'url', name: 'Links' },
  { id: 'dependsOn', name: 'Dependencies' },
  { id: 'source', name: 'Sources of relationships' },
  { id: 'target', name: 'Targets of relationships' },
  { id: 'label', name: 'Labels of relationships' },
  { id: 'x', name: 'X positions' },
  { id: 'y', name: 'Y positions' },
];

/** A file with its text, or the beginning of it. */
export interface OptionFile {
  name: string;
  text: string;
}

/** What can be chosen for files of a format. */
export type Choice =
  | { kind: 'columns'; headings: readonly string[] }
  | { kind: 'environment'; names: readonly string[] }
  | { kind: 'flag'; option: 'motivation' | 'systems' };

/** The options that are on or off, by format. */
const FLAGS: Readonly<Record<string, 'motivation' | 'systems'>> = {
  archimate: 'motivation',
  compose: 'systems',
};

/** The choice that a format offers. Undefined for other formats, and if the files have nothing to choose from. */
export function choiceOf(format: string, files: readonly OptionFile[]): Choice | undefined {
  if (format === 'csv') {
    const headings = offered(files.flatMap(({ text }) => headingsOf(text)));
    return headings.length > 0 ? { kind: 'columns', headings } : undefined;
  }
  const flag = FLAGS[format];
  if (flag) return { kind: 'flag', option: flag };
  const find = ENVIRONMENTS[format];
  if (!find) return undefined;
  const names = offered(files.flatMap(({ text }) => find(text)));
  return names.length > 0 ? { kind: 'environment', names } : undefined;
}

/** Whether the files of a format can be read in several ways. */
export function hasOptions(format: string): boolean {
  return format === 'csv' || format in FLAGS || format in ENVIRONMENTS;
}

/** The format that the names of files tell, for files that could not be read. */
export function formatOfNames(names: readonly string[]): string {
  return names.some((name) => /\.(csv|tsv)$/i.test(name)) ? 'csv' : '';
}

/** Options without those that are not chosen. Undefined if nothing is chosen. */
export function chosenOptions({ columns, ...rest }: ReadingOptions): ReadingOptions | undefined {
  const chosen = Object.entries(columns ?? {}).filter(([, heading]) => heading !== '');
  const options = chosen.length > 0 ? { ...rest, columns: Object.fromEntries(chosen) } : rest;
  return Object.values(options).some(Boolean) ? options : undefined;
}

function offered(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))].slice(0, MAX_OFFERED);
}

/** The headings of a table. Lines before it that begin with `#` configure the import of draw.io. */
function headingsOf(text: string): string[] {
  const table = text.replace(/^\uFEFF/, '').replace(/^(?:[ \t]*\r?\n|#[^\n]*\n)*/, '');
  const [line = ''] = /^(?:"[^"]*"|[^"\r\n])*/.exec(table.slice(0, MAX_HEADING_CHARS)) ?? [];
  return parseCsv(line).headings;
}

/** The deployment environments in the text of a file, by format. */
const ENVIRONMENTS: Readonly<Record<string, (text: string) => string[]>> = {
  'structurizr-dsl': (text) =>
    [...text.matchAll(/\bdeploymentEnvironment\s+(?:"([^"\n]+)"|([^\s"{]+))/gi)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    ),
  'structurizr-json': (text) => valuesOf(parsed(text), 'model', 'deploymentNodes').map(environmentOf),
  likec4: (text) => {
    const root = parsed(text);
    const projects = Array.isArray(root) ? root : [root];
    return projects
      .flatMap((project) => Object.keys(objectAt(project, 'deployments', 'elements')))
      .map(topOf);
  },
};

function environmentOf(node: unknown): string {
  const name = typeof node === 'object' && node !== null && 'environment' in node ? node.environment : '';
  return typeof name === 'string' ? name : '';
}

const topOf = (id: string) => id.split('.', 1)[0] ?? '';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The server tells what is wrong.
    return undefined;
  }
}

function objectAt(value: unknown, ...path: readonly string[]): object {
  let found: unknown = value;
  for (const key of path) {
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined;
  }
  return typeof found === 'object' && found !== null ? found : {};
}

function valuesOf(value: unknown, ...path: readonly string[]): unknown[] {
  return Object.values(objectAt(value, ...path));
}
