/** How a dropped file is imported. */
import { parseCsv } from '@/core/table/csv';

/**
 * `export`: a file that Planroom exported, which becomes a workspace or replaces one. `table`: components as rows, which
 * are merged into the table. `foreign`: a file of another tool, which the server reads.
 */
export type ImportKind = 'export' | 'table' | 'foreign';

/** The kind of a set of files by their names and the text of the first file. */
export function importKind(names: readonly string[], text: string): ImportKind {
  const [name = ''] = names;
  if (names.length > 1) return 'foreign';
  if (/\.(csv|tsv)$/i.test(name)) return isComponentTable(text) ? 'table' : 'foreign';
  if (/\.json$/i.test(name) && isExport(text)) return 'export';
  return 'foreign';
}

const ENDS = new Set(['source', 'target', 'from', 'to', 'source id', 'target id', 'sourceid', 'targetid']);

/** Tables of relationships, or of both, are read by the server. */
function isComponentTable(text: string): boolean {
  const { headings } = parseCsv(text.replace(/^\uFEFF/, ''));
  return !headings.some((heading) => ENDS.has(heading.trim().toLowerCase()));
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
