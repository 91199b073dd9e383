/** Draws relationship labels. */
import { wrapText } from '@/core/drawing/textMetrics';
import type { PlacedLabel } from '@/core/route/labels';
import type { LineRoutes } from '@/core/route/mapRoutes';
import rules from '@/core/route/rules.json';
import { center, type Rect } from '@/core/scene/geometry';
import { flattenPath, type LinePath, middleOfPath } from '@/core/scene/linePath';
import { isRolledUp, rollUpLabel } from '@/core/scene/rollUp';
import type { SceneLine } from '@/core/scene/scene';
import { truncate } from '@/core/text';
import type { Highlight, HighlightKind } from '../state/view';
import { labelScale } from './detail';
import type { DrawingContext, MapDrawing } from './drawing';
import { HIGHLIGHT_MARKS } from './highlights';
import type { ThemeColors } from './themeColors';

const { maxLength, fontSize, lineHeight, padding } = rules.labels;

export function highlightOf(ids: readonly string[], highlight: Highlight | null): HighlightKind | undefined {
  if (!highlight || highlight.relationships.size === 0) return undefined;
  for (const id of ids) {
    const tone = highlight.relationships.get(id);
    if (tone) return tone;
  }
  return undefined;
}

/** The text of a line: the mark of its highlight, and its label, the relationships it represents, or its type. */
export function textOf(drawing: MapDrawing, line: SceneLine): string {
  const { appearance, highlight } = drawing;
  const text = isRolledUp(line)
    ? visibleRollUp(drawing, line)
    : line.label || appearance.relationOf(line.typeId).name;
  return `${markOf(highlightOf(line.ids, highlight))}${truncate(text, maxLength)}`;
}

function visibleRollUp({ appearance }: MapDrawing, { types }: SceneLine): string {
  const visible = types.filter(({ typeId }) => appearance.passesRelation(typeId));
  return rollUpLabel(visible, (typeId) => appearance.relationOf(typeId).name);
}

/** The mark of a highlight, which does not depend on color perception. */
export function markOf(tone: HighlightKind | undefined): string {
  return tone ? `${HIGHLIGHT_MARKS[tone].sign} ` : '';
}

/**
 * Draws a label at its position on the route. Labels without a position are drawn only on request, for example for a
 * selected line.
 */
export function paintLabel(
  context: DrawingContext,
  drawing: MapDrawing,
  routes: LineRoutes,
  line: SceneLine,
  path: LinePath,
  text: string,
  isAskedFor: boolean,
): void {
  const known = routes.labels.get(line.id);
  const isKnown =
    known && !markOf(highlightOf(line.ids, drawing.highlight)) && (line.label || isRolledUp(line));
  const label = isKnown
    ? { ...known, rows: visibleRows(drawing, line, known) }
    : isAskedFor
      ? (routes.placeLabel(line, flattenPath(path), text) ?? labelInMiddle(context, drawing, path, text))
      : null;
  if (label) paintRows(context, drawing, isAskedFor ? enlarged(label, drawing.viewport.zoom) : label);
}

/** The rows of a label, without types that are hidden by filters. */
function visibleRows(drawing: MapDrawing, line: SceneLine, { rows, width }: PlacedLabel) {
  if (line.types.every(({ typeId }) => drawing.appearance.passesRelation(typeId))) return rows;
  return wrapText(visibleRollUp(drawing, line), fontSize, width, rows.length);
}

/** A label that is readable at this zoom. */
function enlarged<T extends Rect>(label: T, zoom: number): T & { scale: number } {
  const scale = labelScale(zoom);
  const { x, y } = center(label);
  const [width, height] = [label.width * scale, label.height * scale];
  return { ...label, x: x - width / 2, y: y - height / 2, width, height, scale };
}

/** A label in the middle of the longest segment of a line. */
function labelInMiddle(
  context: DrawingContext,
  { colors }: MapDrawing,
  path: LinePath,
  text: string,
): PlacedLabel {
  const middle = middleOfPath(path);
  context.font = labelFont(colors);
  const width = context.measureText(text).width + padding;
  const height = lineHeight + rules.labels.verticalPadding;
  return { x: middle.x - width / 2, y: middle.y - height / 2, width, height, rows: [text] };
}

function labelFont({ label }: ThemeColors, scale = 1): string {
  return `500 ${fontSize * scale}px ${label}`;
}

function paintRows(
  context: DrawingContext,
  { colors }: MapDrawing,
  label: Rect & { rows: readonly string[]; scale?: number },
) {
  const { x, y, width, height, rows, scale = 1 } = label;
  context.font = labelFont(colors, scale);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = colors.paper;
  context.globalAlpha = 0.92;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.fillStyle = colors.text;
  const rowHeight = lineHeight * scale;
  const top = y + height / 2 - ((rows.length - 1) * rowHeight) / 2;
  for (const [row, text] of rows.entries())
    context.fillText(text, x + width / 2, top + row * rowHeight + 0.5, width);
  context.textAlign = 'start';
}
