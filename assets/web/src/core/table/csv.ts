/** Tables as CSV. */
import Papa from 'papaparse';

interface CsvColumn<Row> {
  id: string;
  name: string;
  text: (row: Row) => string;
}

/**
 * A table with headings. A text that a spreadsheet would run as a formula gets an apostrophe before it, which reading takes
 * away again. Nothing else writes CSV.
 */
export function formatCsv(fields: string[], data: readonly (string | number)[][]): string {
  return `${Papa.unparse({ fields, data: [...data] }, { escapeFormulae: true, newline: '\r\n' })}\r\n`;
}

/** What the columns show. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return formatCsv(
    columns.map(heading),
    rows.map((row) => columns.map((column) => column.text(row))),
  );
}

/** A property that is called as another column is says what it is. */
function heading({ id, name }: { id: string; name: string }): string {
  return id.startsWith('property:') && RESERVED_HEADINGS.has(name.toLowerCase()) ? id : name;
}

export interface CsvTable {
  headings: string[];
  /** Cells in the order of the headings; lines that are empty are left out. */
  lines: { number: number; cells: string[] }[];
  /** What could not be read, in words. */
  problems: string[];
}

/** Reads CSV, or what a spreadsheet puts on the clipboard; which sign is between cells is found out. */
export function parseCsv(text: string): CsvTable {
  const clean = text.replace(/^\uFEFF/, '');
  const { data, errors } = Papa.parse<string[]>(clean, { delimiter: delimiterOf(clean) });
  const rows = data.map((cells, at) => ({ number: at + 1, cells: cells.map(withoutFormulaGuard) }));
  const [first, ...lines] = rows.filter(({ cells }) => cells.some((cell) => cell.trim()));
  return {
    headings: first?.cells.map((cell) => cell.trim()) ?? [],
    lines,
    problems: errors.map(({ message, row }) => (row === undefined ? message : `Row ${row + 1}: ${message}`)),
  };
}

/** The sign that the headings have most of. The library would count a last, empty line as one without any. */
function delimiterOf(text: string): string {
  const headings =
    /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.trimStart())?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? '';
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: headings.split(sign).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).sign;
}

function withoutFormulaGuard(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

/** Headings that mean a column of the table, and never a property. */
export const RESERVED_HEADINGS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'type',
  'lifecycle',
  'description',
  'x',
  'y',
  'owners',
  'stakeholders',
  'in',
  'out',
  'updated',
  'created',
]);
