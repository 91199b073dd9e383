/** Computes the size of a card and the rows that fit on it, from its texts and `card.json`. */
import metrics from './card.json';
import { type ShapeName, shape } from './shapes';
import { type Face, textWidth, wrapText } from './textMetrics';

export interface Size {
  width: number;
  height: number;
}

/** The texts of a card. Empty texts take no space. */
export interface CardContent {
  shape: ShapeName;
  name: string;
  /** The type and technology. */
  note: string;
  description: string;
  /** Whether the owner and a mark of the lifecycle are shown next to the note. */
  hasOwner: boolean;
  hasLifecycle: boolean;
}

/** The content that fits on a card of a given size. */
export interface CardRows {
  nameLines: number;
  hasNote: boolean;
  descriptionLines: number;
}

export const MIN_CARD_SIZE: Size = { width: metrics.width.min, height: metrics.height.min };

/** The gap that cards keep to other nodes when they grow. */
export const CARD_GAP = metrics.gap;

/** Width available to the right of the icon. */
export function textRoom(content: CardContent, width: number): number {
  const { inset, figure } = shape(content.shape);
  const icon = figure ? 0 : metrics.icon.size + metrics.icon.gap;
  return width - inset.left - inset.right - icon;
}

function nameLinesAt(content: CardContent, width: number): number {
  const { face, size } = metrics.name;
  // Wrap at one line more than allowed, to detect truncation.
  return wrapText(content.name, size, textRoom(content, width), metrics.name.lines + 1, face as Face).length;
}

function noteFits(content: CardContent, width: number): boolean {
  const { face, size } = metrics.note;
  const owner = content.hasOwner ? metrics.owner.size + metrics.owner.gap : 0;
  const lifecycle = content.hasLifecycle ? metrics.lifecycle.size + metrics.lifecycle.gap : 0;
  return lifecycle + textWidth(content.note, size, face as Face) + owner <= textRoom(content, width);
}

/** Possible card widths, narrowest first. */
const WIDTHS = range(metrics.width);

/**
 * The preferred width: the narrowest at which the name fits on one line, else the narrowest at which it fits on two
 * lines, else the maximum.
 */
export function preferredWidth(content: CardContent): number {
  const known = preferredWidths.get(content);
  if (known !== undefined) return known;
  const wanted = computePreferredWidth(content);
  preferredWidths.set(content, wanted);
  return wanted;
}

const preferredWidths = new WeakMap<CardContent, number>();

function computePreferredWidth(content: CardContent): number {
  const lines = WIDTHS.map((width) => nameLinesAt(content, width));
  const least = Math.min(...lines);
  const allowed = Math.min(Math.max(least, 1), metrics.name.lines);
  const enough = WIDTHS.filter((_, at) => (lines[at] as number) <= allowed);
  return enough.find((width) => noteFits(content, width)) ?? enough[0] ?? metrics.width.max;
}

/** The height at which all rows fit on a card of this width. */
export function preferredHeight(content: CardContent, width: number): number {
  const { inset } = shape(content.shape);
  const needed = inset.top + inset.bottom + rowsHeight(allRows(content, width));
  return range(metrics.height).find((height) => height >= needed) ?? metrics.height.max;
}

/**
 * The rows that fit. Rows are dropped in this order: lines of the description, the note, the second line of the name.
 */
export function fittingRows(content: CardContent, { width, height }: Size): CardRows {
  const { inset } = shape(content.shape);
  const room = height - inset.top - inset.bottom;
  const rows = allRows(content, width);
  while (rowsHeight(rows) > room) {
    if (rows.descriptionLines > 0) rows.descriptionLines--;
    else if (rows.hasNote && rows.nameLines > 1) rows.hasNote = false;
    else if (rows.nameLines > 1) rows.nameLines--;
    else break;
  }
  return rows;
}

const rowsByWidth = new WeakMap<CardContent, Map<number, CardRows>>();

/** All rows of a card of this width, whether or not they fit. */
function allRows(content: CardContent, width: number): CardRows {
  const known = rowsByWidth.get(content) ?? new Map<number, CardRows>();
  const rows = known.get(width) ?? computeRows(content, width);
  rowsByWidth.set(content, known.set(width, rows));
  return { ...rows };
}

function computeRows(content: CardContent, width: number): CardRows {
  const { face, size, lines } = metrics.description;
  const { inset } = shape(content.shape);
  const room = width - inset.left - inset.right;
  return {
    nameLines: Math.min(nameLinesAt(content, width), metrics.name.lines),
    hasNote: content.note !== '',
    descriptionLines: content.description
      ? wrapText(content.description, size, room, lines, face as Face).length
      : 0,
  };
}

function rowsHeight({ nameLines, hasNote, descriptionLines }: CardRows): number {
  const { name, note, description, icon } = metrics;
  const head = Math.max(nameLines * name.line + (hasNote ? note.line : 0), icon.size);
  return head + (descriptionLines > 0 ? description.gap + descriptionLines * description.line : 0);
}

/** The lines of a name at the font size used at medium zoom. */
export function largeNameLines(
  content: Pick<CardContent, 'name' | 'shape'>,
  { width, height }: Size,
): string[] {
  const { face, size, line, lines } = metrics.largeName;
  const { inset } = shape(content.shape);
  const fitting = Math.max(1, Math.min(lines, Math.floor((height - inset.top - inset.bottom) / line)));
  return wrapText(content.name, size, width - inset.left - inset.right, fitting, face as Face);
}

/** The sizes in these steps. */
export function range({ min, max, step }: { min: number; max: number; step: number }): number[] {
  return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, at) => min + at * step);
}
