/** Tables as CSV. */
import Papa from 'papaparse';

export interface CsvColumn<Row> {
  id: string;
  name: string;
  text: (row: Row) => string;
  /** The exported text, if it differs. */
  exported?: ((row: Row) => string) | undefined;
}

/** Starts the key of a property among the keys of columns. */
export const PREFIX = 'property:';

/** Text that a spreadsheet would evaluate as a formula, also if it already has apostrophes in front of it. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * Formats a table with headings. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe,
 * which parsing removes. Use this function for all CSV output.
 */
export function formatCsv(fields: string[], data: readonly (string | number)[][]): string {
  return `${Papa.unparse({ fields, data: [...data] }, { escapeFormulae: FORMULA, newline: '\r\n' })}\r\n`;
}

/** Formats the text of the columns as CSV. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return formatCsv(
    columns.map(csvHeading),
    rows.map((row) => columns.map(({ text, exported }) => (exported ?? text)(row))),
  );
}

/**
 * The heading of a column: its name, or the name of its property, even if the column has another name. If a property
 * could be mistaken for another column, the heading says that it is a property.
 */
export function csvHeading({ id, name }: { id: string; name: string }): string {
  if (!id.startsWith(PREFIX)) return name;
  const key = id.slice(PREFIX.length);
  const isMistakable = RESERVED_HEADINGS.has(key.trim().toLowerCase()) || key.trim().startsWith(PREFIX);
  return isMistakable ? id : key;
}

/** The field or property of a heading. */
export function columnKey(heading: string): string {
  const key = heading.toLowerCase();
  if (RESERVED_HEADINGS.has(key)) return key;
  return heading.startsWith(PREFIX) ? heading : `${PREFIX}${heading}`;
}

export interface CsvTable {
  headings: string[];
  /** Cells in the order of the headings, without empty rows. */
  lines: { number: number; cells: string[] }[];
  /** Error messages. */
  problems: string[];
}

/** Parses CSV, or spreadsheet content from the clipboard. The delimiter is detected. */
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

/** The most frequent delimiter in the heading row. Papa Parse misdetects it if the last line is empty. */
function delimiterOf(text: string): string {
  const headings =
    /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.trimStart())?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? '';
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: headings.split(sign).length }));
  return counted.reduce((most, candidate) => (candidate.count > most.count ? candidate : most)).sign;
}

function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** Headings of built-in columns, which are never treated as properties. */
export const RESERVED_HEADINGS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'type',
  'lifecycle',
  'description',
  'technology',
  'tags',
  'x',
  'y',
  'owners',
  'part of',
  'stakeholders',
  'in',
  'out',
  'open comments',
  'updated',
  'created',
]);
