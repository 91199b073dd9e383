/** Paints lines, batched by style. The more lines there are, the fainter they are. */

import { type LineRoutes, NO_ROUTES, visibleRoutes } from '@/core/route/mapRoutes';
import rules from '@/core/route/rules.json';
import type { Point, Rect } from '@/core/scene/geometry';
import { boundingBox, expandRect, overlaps } from '@/core/scene/geometry';
import { type LinePath, linePath, pathBounds } from '@/core/scene/linePath';
import { isRolledUp } from '@/core/scene/rollUp';
import type { SceneLine } from '@/core/scene/scene';
import { type HighlightKind, highlightLineId } from '../state/view';
import { MIN_LABEL_ZOOM, MIN_REQUESTED_LABEL_ZOOM } from './detail';
import { type DrawingContext, isDimmed, type MapDrawing } from './drawing';
import { highlightColor } from './highlights';
import { highlightLine, highlightPath, type LineMessage, lineMessages } from './messagePaths';
import { highlightOf, markOf, paintLabel, textOf } from './paintLabels';
import { type StrokeStyle, strokeLines } from './strokeLines';

/** The stroke and label style of a line. */
interface LineStyle extends StrokeStyle {
  /** Whether its type is shown as a label. */
  isNamed: boolean;
}

/** Lines with the same style. */
interface LineBatch {
  rank: Rank;
  style: LineStyle;
  lines: SceneLine[];
  hasArrows: boolean;
}

/** The prominence of a line, from low to high. */
const RANKS = [
  'faint',
  'back',
  'unrelated',
  'passing',
  'plain',
  'own',
  'over',
  'tone',
  'current',
  'selected',
] as const;
type Rank = (typeof RANKS)[number];
const UNLABELED_RANKS: ReadonlySet<Rank> = new Set(['faint', 'back', 'unrelated']);

/** Highlights that often cover most of the map, where labels would hide it. */
const UNLABELED_KINDS: ReadonlySet<HighlightKind> = new Set(['visited', 'dependent', 'dependency']);
const FAINT_ALPHA = 0.07;
const SOLID: readonly number[] = [];
/** Maximum distance of curves, arrowheads and labels from the straight line. */
const NEAR = 80;
const DASHED: readonly number[] = [6, 4];
/** The maximum number of lines that are easy to distinguish. */
const MAX_CLEAR_LINES = 220;
/** The number of lines that can be painted in one frame without a visible delay. */
const LINES_PER_FRAME = 250;
/** The number of labels that can be painted in one frame without a visible delay. */
const LABELS_PER_FRAME = 100;
/** Minimum zoom for arrowheads. */
const MIN_ARROW_ZOOM = 0.22;

/** Paints all lines, then their labels, in chunks. */
export function* paintLinesIncrementally(
  context: DrawingContext,
  drawing: MapDrawing,
  routes: LineRoutes,
  seen: Rect,
): Generator<void> {
  const { scene, rects, viewport, appearance, isOverview } = drawing;
  const polylines = visibleRoutes(routes, scene, isOverview);
  const near = scene.lines.filter(
    (line) =>
      isPart(drawing, line) &&
      line.types.some(({ typeId }) => appearance.passesRelation(typeId)) &&
      isNear(rects, line, polylines.get(line.id), seen),
  );
  const isFaint = faintLines(drawing, polylines);
  const clear = near.filter((line) => !isFaint(line)).length;
  const strength = drawing.only ? 1 : Math.min(1, Math.sqrt(MAX_CLEAR_LINES / Math.max(clear, 1)));
  const rankOf = lineRanks(drawing, seen, isFaint);
  const messages = lineMessages(scene, drawing.highlight);
  const pathOf = (line: SceneLine) =>
    directed(linePath(scene, rects, line, polylines.get(line.id)), messages.get(line));
  const batches = new Map<string, LineBatch>();
  const labeled: SceneLine[] = [];
  const named: SceneLine[] = [];
  for (const line of near) {
    const rank = rankOf(line);
    const message = messages.get(line);
    const batch = batchOf(batches, drawing, line, rank, strength, message);
    batch.lines.push(line);
    // The message is shown instead of the label.
    if (message !== undefined || !canHaveLabel(line, batch, viewport.zoom)) continue;
    if (batch.style.isNamed) named.push(line);
    else labeled.push(line);
  }
  // Paint the most prominent lines last, on top of the others.
  const all = [...batches.values()].sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank));
  let count = 0;
  for (const { style, lines, hasArrows } of all) {
    for (let begin = 0; begin < lines.length; ) {
      const part = lines.slice(begin, begin + LINES_PER_FRAME - count);
      strokeLines(context, part.map(pathOf), style, {
        zoom: viewport.zoom,
        seen,
        hasArrows,
        isRounded: !isOverview,
      });
      begin += part.length;
      count = (count + part.length) % LINES_PER_FRAME;
      if (count === 0) yield;
    }
  }
  const paint = (line: SceneLine, isAskedFor: boolean) =>
    paintLabel(context, drawing, routes, line, pathOf(line), textOf(drawing, line), isAskedFor);
  for (const [at, line] of labeled.entries()) {
    if (at % LABELS_PER_FRAME === LABELS_PER_FRAME - 1) yield;
    paint(line, routes === NO_ROUTES || routes.affected.has(line.id));
  }
  for (const line of named) paint(line, true);
  paintHighlightLines(context, drawing, routes, seen);
}

/** Whether the label or the type of a line is shown at this zoom. */
function canHaveLabel(line: SceneLine, { rank, style }: LineBatch, zoom: number): boolean {
  if (zoom < MIN_REQUESTED_LABEL_ZOOM || UNLABELED_RANKS.has(rank)) return false;
  return style.isNamed || (zoom >= MIN_LABEL_ZOOM && (line.label !== '' || isRolledUp(line)));
}

/** The path of a line in the direction of its message. */
function directed(path: LinePath, message: LineMessage | null | undefined): LinePath {
  return message?.isReversed ? { ...path, points: path.points.toReversed() } : path;
}

/** The batch of lines with the same style. */
function batchOf(
  batches: Map<string, LineBatch>,
  drawing: MapDrawing,
  line: SceneLine,
  rank: Rank,
  strength: number,
  message: LineMessage | null | undefined,
): LineBatch {
  const { appearance, highlight, viewport } = drawing;
  const tone = rank === 'tone' ? highlightOf(line.ids, highlight) : '';
  const key = `${rank} ${tone} ${message?.isReply} ${line.typeId}`;
  return getOrInsert(batches, key, () => ({
    rank,
    style: styleOf(drawing, line, rank, strength, message),
    lines: [],
    hasArrows:
      rank !== 'faint' &&
      viewport.zoom > MIN_ARROW_ZOOM &&
      (Boolean(message) || appearance.relationOf(line.typeId).directed),
  }));
}

/** Paints messages between components without a relationship, and relationships removed in a comparison. */
function paintHighlightLines(
  context: DrawingContext,
  drawing: MapDrawing,
  routes: LineRoutes,
  seen: Rect,
): void {
  const { scene, rects, viewport, highlight, colors } = drawing;
  for (const { from, to, label, tone = 'current' } of highlight?.lines ?? []) {
    const line = highlightLine(scene, { from, to, label });
    const route = routes.points.get(highlightLineId({ from, to }));
    if (!line || !isPart(drawing, line) || !isNear(rects, line, route, seen)) continue;
    const path = highlightPath(scene, rects, routes, line, { from, to });
    const style = { color: highlightColor(tone, colors), alpha: 1, width: 2.25, dash: DASHED };
    const hasArrows = viewport.zoom > MIN_ARROW_ZOOM;
    strokeLines(context, [path], style, { zoom: viewport.zoom, seen, hasArrows, isRounded: true });
    if (viewport.zoom >= MIN_REQUESTED_LABEL_ZOOM && label && !highlight?.messages)
      paintLabel(context, drawing, routes, line, path, `${markOf(tone)}${label}`, true);
  }
}

/**
 * Long lines without a route in a dense map. They are drawn straight and faint below the others, except in the
 * overview, where all lines are straight.
 */
function faintLines(
  { scene }: MapDrawing,
  polylines: ReadonlyMap<string, readonly Point[]>,
): (line: SceneLine) => boolean {
  const isDense = scene.lines.length > rules.limits.denseMapLines && polylines.size > 0;
  return ({ id }) => isDense && !polylines.has(id);
}

function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = make();
  map.set(key, created);
  return created;
}

/** Computes the dimmed and visible nodes once for all lines. */
function lineRanks(
  drawing: MapDrawing,
  seen: Rect,
  isFaint: (line: SceneLine) => boolean,
): (line: SceneLine) => Rank {
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
  const isInSelection = [...isOwn];
  // Groups come before their contents.
  for (const [index, { parent }] of scene.nodes.entries())
    if (isInSelection[parent]) isInSelection[index] = true;
  const hoveredIds = new Set(hovered);
  const ordinaryRank = (line: SceneLine): Rank => {
    if (isFaint(line)) return 'faint';
    if (drawing.related && !isInSelection[line.from] && !isInSelection[line.to]) return 'unrelated';
    return isSeen[line.from] || isSeen[line.to] ? 'plain' : 'passing';
  };
  return (line) => {
    const { ids, from, to } = line;
    if (selectedRelationships.size > 0 && ids.some((id) => selectedRelationships.has(id))) return 'selected';
    const tone = highlightOf(ids, highlight);
    if (tone) return tone === 'current' ? 'current' : 'tone';
    if (hoveredIds.size > 0 && ids.some((id) => hoveredIds.has(id))) return 'over';
    if (highlight?.dimOthers || dim[from] || dim[to]) return 'back';
    if (isOwn[from] || isOwn[to]) return 'own';
    return ordinaryRank(line);
  };
}

function styleOf(
  drawing: MapDrawing,
  line: SceneLine,
  rank: Rank,
  strength: number,
  message: LineMessage | null | undefined,
): LineStyle {
  const { appearance, colors, highlight, isOverview } = drawing;
  const { color: typeColor, directed } = appearance.relationOf(line.typeId);
  const color = colors.lightened(typeColor);
  const dash = directed ? SOLID : DASHED;
  const plain = { color, dash, width: strength < 1 ? 1 : 1.2, alpha: 1, isNamed: false };
  switch (rank) {
    case 'selected':
      return { ...plain, color: colors.accent, width: 2.5, isNamed: true, halo: colors.paper };
    case 'current':
    case 'tone': {
      const tone = highlightOf(line.ids, highlight) ?? 'visited';
      const broken = tone === 'removed' || message?.isReply ? DASHED : SOLID;
      return {
        ...plain,
        color: highlightColor(tone, colors),
        dash: broken,
        width: 2.25,
        isNamed: !UNLABELED_KINDS.has(tone),
      };
    }
    case 'over':
      return { ...plain, width: 2, isNamed: true, halo: colors.paper };
    case 'own':
      return { ...plain, width: 1.8 };
    case 'plain':
      return { ...plain, alpha: (isOverview ? 0.6 : 0.9) * strength };
    case 'passing':
      return { ...plain, alpha: 0.5 * strength };
    case 'unrelated':
      return { ...plain, alpha: 0.3 * strength };
    case 'back':
      return { ...plain, alpha: 0.12 };
    case 'faint':
      return { ...plain, width: 1, alpha: FAINT_ALPHA };
  }
}

/** Whether a line belongs to the part to draw. */
function isPart({ without, only }: MapDrawing, { id, from, to }: SceneLine): boolean {
  const part = only ?? without;
  if (!part) return true;
  const isIn = part.nodes.has(from) || part.nodes.has(to) || part.lines.has(id);
  return isIn === (only !== undefined);
}

/** Whether a line may be visible. */
function isNear(
  rects: readonly Rect[],
  { from, to }: SceneLine,
  route: readonly Point[] | undefined,
  seen: Rect,
): boolean {
  const area = route
    ? pathBounds({ points: route, isCurve: false })
    : (boundingBox([rects[from] as Rect, rects[to] as Rect]) as Rect);
  // Straight lines may be curved, and have arrowheads and labels.
  return overlaps(expandRect(area, NEAR), seen);
}
