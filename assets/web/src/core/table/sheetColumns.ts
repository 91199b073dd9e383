/** The columns of CSV files of components: all columns of the table, with owners in a form that can be imported. */
import type { Catalogue } from '@/api/generated';
import type { CustomType } from '@/core/model/customTypes';
import type { Holder } from '@/core/model/model';
import type { Rows } from '@/core/sync/rows';
import { allColumns, type Column } from './columns';
import { type ComponentRow, componentRows } from './componentRows';
import { columnKey, csvHeading, toCsv } from './csv';
import { formatOwners } from './owners';

export type SheetRows = Pick<Rows, 'component' | 'relationship' | 'stakeholder'>;

/**
 * All columns, including those that are hidden in the table. `holders` are the people and teams in the directory,
 * `types` the kinds of the organization, whose fields are columns even if no component has a value.
 */
export function sheetColumns(
  lines: readonly ComponentRow[],
  catalogue: Catalogue,
  holders: readonly Holder[],
  types: readonly CustomType[] = [],
): Column[] {
  return allColumns(lines, catalogue, types).map((column) =>
    column.id === 'owners' ? { ...column, text: (line) => formatOwners(line.ownerList, holders) } : column,
  );
}

/** The components of a workspace as a CSV file. */
export function sheetOf(
  rows: SheetRows,
  catalogue: Catalogue,
  roles: Parameters<typeof componentRows>[2],
  holders: readonly Holder[],
  types: readonly CustomType[] = [],
): string {
  const lines = componentRows(rows, catalogue, roles);
  return toCsv(sheetColumns(lines, catalogue, holders, types), lines);
}

/** Whether a cell of an imported file has the value that an export writes. */
export type SameCell = (id: string, at: number, text: string) => boolean;

/**
 * Compares the cells of a file with an export of the existing components. A cell that is equal changes nothing, even if
 * its text cannot be parsed to the same value, such as a name that several people have, an empty property, or a tag that
 * contains a comma. `keys` are the fields or properties of the columns.
 */
export function compareWithExport(
  keys: readonly string[],
  rows: SheetRows,
  catalogue: Catalogue,
  holders: readonly Holder[],
  types: readonly CustomType[],
): SameCell {
  const lines = componentRows(rows, catalogue, []);
  const byId = new Map(lines.map((line) => [line.id, line]));
  // Property names that differ only in surrounding spaces have the same heading, in the order of the columns.
  const columns = Map.groupBy(sheetColumns(lines, catalogue, holders, types), (column) =>
    columnKey(normalize(csvHeading(column))),
  );
  const byPosition = keys.map((key) => columns.get(normalize(key))?.shift());
  return (id, at, text) => {
    const line = byId.get(id);
    const column = byPosition[at];
    if (!line || !column) return false;
    const cell = normalize(text);
    return (
      cell === normalize((column.exported ?? column.text)(line)) ||
      (column.id === 'owners' && cell === normalize(line.owners))
    );
  };
}

/** Without surrounding spaces, and with the same line breaks, which spreadsheets change. */
function normalize(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim();
}
