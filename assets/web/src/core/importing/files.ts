/** How a dropped file is imported. */
import type { Catalogue } from '@/api/generated';
import { type CsvTable, parseCsv } from '@/core/table/csv';
import { normalizeName } from '@/core/table/importParents';

/**
 * `export`: a file that Planroom exported, which becomes a workspace or replaces one. `table`: components as rows, which
 * are merged into the table. `foreign`: a file of another tool, which the server reads.
 */
export type ImportKind = 'export' | 'table' | 'foreign';

/** The kind of a set of files by their names and the text of the first file. */
export function importKind(
  names: readonly string[],
  text: string,
  { componentTypes }: Pick<Catalogue, 'componentTypes'>,
): ImportKind {
  const [name = ''] = names;
  if (names.length > 1) return 'foreign';
  if (/\.(csv|tsv)$/i.test(name)) {
    return isComponentTable(parseCsv(text), componentTypes) ? 'table' : 'foreign';
  }
  if (/\.json$/i.test(name) && isExport(text)) return 'export';
  return 'foreign';
}

const RELATED = new Set([
  'source',
  'target',
  'from',
  'to',
  'sourceid',
  'targetid',
  'dependson',
  'dependencies',
]);

/**
 * Tables of relationships, or of both, are read by the server. So are tables of other tools: those without names and ids,
 * or with only types that Planroom does not have.
 */
function isComponentTable(
  { headings, lines }: CsvTable,
  componentTypes: Catalogue['componentTypes'],
): boolean {
  const keys = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s_-]/g, ''));
  if (keys.some((key) => RELATED.has(key))) return false;
  if (!keys.includes('name') && !keys.includes('id')) return false;
  const known = new Set(componentTypes.flatMap(({ id, name }) => [normalizeName(id), normalizeName(name)]));
  const at = keys.indexOf('type');
  const types = at < 0 ? [] : lines.map(({ cells }) => cells[at]?.trim() ?? '').filter((type) => type);
  // If some types are known, the others are errors that the user can correct.
  return !types.length || types.some((type) => known.has(normalizeName(type)));
}

/** Also files that are not valid JSON: the import of exports tells where the error is. */
function isExport(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return true;
  }
  if (typeof value !== 'object' || value === null) return false;
  const { format } = value as { format?: unknown };
  if (typeof format === 'string') return format.startsWith('planroom/');
  return 'components' in value && 'relationships' in value;
}
