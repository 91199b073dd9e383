/** Draws lines: all of one kind in one stroke, and the fainter the more there are of them. */

import type { Rect } from '@/core/scene/geometry';
import { center, containsPoint, overlaps } from '@/core/scene/geometry';
import { placeLabel } from '@/core/scene/labelPlacement';
import { type LinePath, linePath } from '@/core/scene/linePath';
import type { SceneLine } from '@/core/scene/scene';
import { truncate } from '@/core/text';
import type { Highlight, HighlightKind } from '../state/view';
import { type DrawingContext, isDimmed, type MapDrawing } from './drawing';
import { HIGHLIGHT_MARKS, highlightColor } from './highlights';

/** How a line is drawn. */
interface LineStyle {
  color: string;
  alpha: number;
  width: number;
  dash: readonly number[];
  /** Whether its kind is written on it. */
  isNamed: boolean;
}

/** Lines that are drawn alike. */
interface LineBatch {
  style: LineStyle;
  lines: SceneLine[];
  hasArrows: boolean;
}

/** How much a line has to say, from little to much. */
const RANKS = ['back', 'passing', 'plain', 'own', 'over', 'tone', 'selected'] as const;
type Rank = (typeof RANKS)[number];

/** What is lit in these is often much of the map: names would cover it. */
const UNLABELED_KINDS: ReadonlySet<HighlightKind> = new Set(['visited', 'dependent', 'dependency']);
const SOLID: readonly number[] = [];
const DASHED: readonly number[] = [6, 4];
/** So many lines can be told apart. */
const MAX_CLEAR_LINES = 220;
/** So many are drawn in one frame without anybody noticing. */
const LINES_PER_FRAME = 600;
/** Zooms from which arrows and labels are drawn. */
const MIN_ARROW_ZOOM = 0.22;
const MIN_LABEL_ZOOM = 0.55;

/** All lines, drawn in parts: it rests after each so many of them. */
export function* paintLinesIncrementally(
  context: DrawingContext,
  drawing: MapDrawing,
  seen: Rect,
): Generator<void> {
  const { scene, rects, viewport, appearance } = drawing;
  const near = scene.lines.filter(
    (line) => isPart(drawing, line) && appearance.passesRelation(line.typeId) && isNear(rects, line, seen),
  );
  const strength = drawing.only ? 1 : Math.min(1, Math.sqrt(MAX_CLEAR_LINES / Math.max(near.length, 1)));
  const rankOf = lineRanks(drawing, seen);
  const batches = new Map<string, Map<Rank, LineBatch>>();
  const labels: SceneLine[] = [];
  for (const line of near) {
    const rank = rankOf(line);
    const ofType = getOrCreate(batches, line.typeId, () => new Map<Rank, LineBatch>());
    const batch = getOrCreate(ofType, rank, () => ({
      style: styleOf(drawing, line, rank, strength),
      lines: [],
      hasArrows: viewport.zoom > MIN_ARROW_ZOOM && appearance.relationOf(line.typeId).directed,
    }));
    batch.lines.push(line);
    if (viewport.zoom >= MIN_LABEL_ZOOM && rank !== 'back' && (line.label || batch.style.isNamed))
      labels.push(line);
  }
  const all = [...batches.values()].flatMap((ofType) => [...ofType]);
  // What has most to say comes last, over all others.
  all.sort(([one], [other]) => RANKS.indexOf(one) - RANKS.indexOf(other));
  let count = 0;
  for (const [, { style, lines, hasArrows }] of all) {
    for (let begin = 0; begin < lines.length; ) {
      const part = lines.slice(begin, begin + LINES_PER_FRAME - count);
      const curves = part.map((line) => linePath(scene, rects, line));
      stroke(context, { style, curves, hasArrows }, viewport.zoom, seen);
      begin += part.length;
      count = (count + part.length) % LINES_PER_FRAME;
      if (count === 0) yield;
    }
  }
  const taken: Rect[] = [];
  for (const line of labels) {
    paintLabel(context, drawing, linePath(scene, rects, line), textOf(drawing, line), taken);
  }
  paintHighlightLines(context, drawing, seen, taken);
}

/** What a process sends where no relationship is, and what a comparison misses. */
function paintHighlightLines(context: DrawingContext, drawing: MapDrawing, seen: Rect, taken: Rect[]): void {
  const { scene, rects, viewport, highlight, colors } = drawing;
  for (const { from, to, label, tone = 'current' } of highlight?.lines ?? []) {
    const [one, other] = [scene.indexOf.get(from), scene.indexOf.get(to)];
    // Both may be in one collapsed box: there is nothing between them to see then.
    if (one === undefined || other === undefined || (one === other && from !== to)) continue;
    const line = { id: '', ids: [], from: one, to: other, typeId: '', label, lane: 0, lanes: 1 };
    if (!isPart(drawing, line) || !isNear(rects, line, seen)) continue;
    const curve = linePath(scene, rects, line);
    const style = { color: highlightColor(tone, colors), alpha: 1, width: 2.25, dash: DASHED, isNamed: true };
    const hasArrows = viewport.zoom > MIN_ARROW_ZOOM;
    stroke(context, { style, curves: [curve], hasArrows }, viewport.zoom, seen);
    if (viewport.zoom >= MIN_LABEL_ZOOM && label) {
      paintLabel(
        context,
        drawing,
        curve,
        `${HIGHLIGHT_MARKS[tone].sign} ${truncate(label, MAX_LABEL_LENGTH)}`,
        taken,
      );
    }
  }
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Asks once what is dim and in sight, for all lines. */
function lineRanks(drawing: MapDrawing, seen: Rect): (line: SceneLine) => Rank {
  const {
    scene,
    rects,
    appearance,
    highlight,
    selectedComponents,
    selectedRelationships,
    hovered,
    highlights,
  } = drawing;
  const dim = scene.nodes.map((node) => isDimmed(node, appearance, highlight, highlights));
  const isSeen = rects.map((rect) => overlaps(rect, seen));
  const isOwn = scene.nodes.map(({ id }) => selectedComponents.has(id));
  const over = new Set(hovered);
  return ({ ids, from, to }) => {
    if (selectedRelationships.size > 0 && ids.some((id) => selectedRelationships.has(id))) return 'selected';
    if (highlightOf(ids, highlight)) return 'tone';
    if (over.size > 0 && ids.some((id) => over.has(id))) return 'over';
    if (highlight?.dimOthers || dim[from] || dim[to]) return 'back';
    if (isOwn[from] || isOwn[to]) return 'own';
    return isSeen[from] || isSeen[to] ? 'plain' : 'passing';
  };
}

function styleOf(drawing: MapDrawing, line: SceneLine, rank: Rank, strength: number): LineStyle {
  const { appearance, colors, highlight, isOverview } = drawing;
  const { color: typeColor, directed } = appearance.relationOf(line.typeId);
  const color = colors.lightened(typeColor);
  const dash = directed ? SOLID : DASHED;
  const plain = { color, dash, width: strength < 1 ? 1 : 1.2, alpha: 1, isNamed: false };
  switch (rank) {
    case 'selected':
      return { ...plain, color: colors.accent, width: 2.5, isNamed: true };
    case 'tone': {
      const tone = highlightOf(line.ids, highlight) ?? 'visited';
      const broken = tone === 'removed' ? DASHED : SOLID;
      return {
        ...plain,
        color: highlightColor(tone, colors),
        dash: broken,
        width: 2.25,
        isNamed: !UNLABELED_KINDS.has(tone),
      };
    }
    case 'over':
      return { ...plain, width: 2, isNamed: true };
    case 'own':
      return { ...plain, width: 1.8 };
    case 'plain':
      return { ...plain, alpha: (isOverview ? 0.6 : 0.9) * strength };
    case 'passing':
      return { ...plain, alpha: 0.5 * strength };
    case 'back':
      return { ...plain, alpha: 0.12 };
  }
}

function highlightOf(ids: readonly string[], highlight: Highlight | null): HighlightKind | undefined {
  if (!highlight || highlight.relationships.size === 0) return undefined;
  for (const id of ids) {
    const tone = highlight.relationships.get(id);
    if (tone) return tone;
  }
  return undefined;
}

/** Each line is a stroke of its own: one path of thousands of lines takes twenty times as long. */
function stroke(
  context: DrawingContext,
  { style, curves, hasArrows }: Omit<LineBatch, 'lines'> & { curves: readonly LinePath[] },
  zoom: number,
  seen: Rect,
): void {
  const pixel = 1 / zoom;
  context.globalAlpha = style.alpha;
  context.strokeStyle = style.color;
  context.fillStyle = style.color;
  // A line of one pixel is by far the fastest.
  context.lineWidth = style.width === 1 ? pixel : style.width * Math.max(1, pixel);
  context.setLineDash(style.dash.map((length) => length * Math.max(1, pixel)));
  for (const curve of curves) {
    context.beginPath();
    trace(context, curve);
    context.stroke();
  }
  context.setLineDash([]);
  if (hasArrows) {
    for (const curve of curves) if (containsPoint(seen, curve.to)) arrow(context, curve, style.width);
  }
  context.globalAlpha = 1;
}

/** Whether a line is of the part that is drawn. */
function isPart({ without, only }: MapDrawing, { from, to }: SceneLine): boolean {
  const ends = only ?? without;
  if (!ends) return true;
  return (ends.has(from) || ends.has(to)) === (only !== undefined);
}

/** Whether a line may be in sight. */
function isNear(rects: readonly Rect[], { from, to }: SceneLine, seen: Rect): boolean {
  const one = rects[from] as Rect;
  const other = rects[to] as Rect;
  const reach = 80;
  const left = Math.min(one.x, other.x) - reach;
  const top = Math.min(one.y, other.y) - reach;
  const right = Math.max(one.x + one.width, other.x + other.width) + reach;
  const bottom = Math.max(one.y + one.height, other.y + other.height) + reach;
  return right >= seen.x && bottom >= seen.y && left <= seen.x + seen.width && top <= seen.y + seen.height;
}

function trace(path: DrawingContext, { from, to, c, d }: LinePath): void {
  path.moveTo(from.x, from.y);
  if (c && d) path.bezierCurveTo(c.x, c.y, d.x, d.y, to.x, to.y);
  else if (c) path.quadraticCurveTo(c.x, c.y, to.x, to.y);
  else path.lineTo(to.x, to.y);
}

function arrow(path: DrawingContext, { from, to, c, d }: LinePath, width: number): void {
  const before = d ?? c ?? from;
  const length = Math.hypot(to.x - before.x, to.y - before.y) || 1;
  const size = 7 + width;
  const [ux, uy] = [((to.x - before.x) / length) * size, ((to.y - before.y) / length) * size];
  path.beginPath();
  path.moveTo(to.x, to.y);
  path.lineTo(to.x - ux - uy * 0.42, to.y - uy + ux * 0.42);
  path.lineTo(to.x - ux + uy * 0.42, to.y - uy - ux * 0.42);
  path.fill();
}

const MAX_LABEL_LENGTH = 60;

/** What is written on a line: its label or type, after the sign of what lights it. */
function textOf({ appearance, highlight }: MapDrawing, line: SceneLine): string {
  const tone = highlightOf(line.ids, highlight);
  const many = line.ids.length > 1 ? ` ×${line.ids.length}` : '';
  return `${tone ? `${HIGHLIGHT_MARKS[tone].sign} ` : ''}${truncate(line.label || appearance.relationOf(line.typeId).name, MAX_LABEL_LENGTH)}${many}`;
}

const LABEL_HEIGHT = 18;

function paintLabel(
  context: DrawingContext,
  { colors }: MapDrawing,
  curve: LinePath,
  text: string,
  taken: Rect[],
): void {
  context.font = `500 13px ${colors.label}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const spot = placeLabel(curve, context.measureText(text).width + 8, LABEL_HEIGHT, taken);
  taken.push(spot);
  const middle = center(spot);
  context.fillStyle = colors.paper;
  context.globalAlpha = 0.92;
  context.fillRect(spot.x, spot.y, spot.width, spot.height);
  context.globalAlpha = 1;
  context.fillStyle = colors.text;
  context.fillText(text, middle.x, middle.y + 0.5);
  context.textAlign = 'start';
}
