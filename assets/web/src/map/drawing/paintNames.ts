/**
 * Draws names in the overview, in the same size at every zoom: first of groups, then of components by number of
 * relationships. Names that would overlap are skipped.
 */
import { textWidth, wrapText } from '@/core/drawing/textMetrics';
import { expandRect, overlaps, type Rect } from '@/core/scene/geometry';
import type { Scene, SceneNode } from '@/core/scene/scene';
import { MIN_SHAPE_ZOOM } from './detail';
import { type DrawingContext, isDimmed, type MapDrawing } from './drawing';

/** In screen pixels. */
const GROUP_TEXT = { size: 13, line: 14, maxWidth: 150 };
const HUB_TEXT = { size: 12, line: 12, maxWidth: 110 };
/** Minimum gap between names. */
const GAP = 4;
/** Maximum number of names, to avoid clutter. */
const MAX_NAMES = 80;
/** Maximum number of components to try after the groups, most connected first. */
const MAX_TRIED = 400;
/** Where components are drawn as dots, only this share, the most connected, gets names. */
const HUB_SHARE = 0.2;
/** Narrower groups get no name. */
const MIN_GROUP_WIDTH = 24;

interface PlacedName {
  node: SceneNode;
  lines: readonly string[];
  /** In screen pixels, relative to the origin of the map. */
  rect: Rect;
}

/** The names to draw. `seen` is the visible part in map units. */
export function overviewNames({ scene, rects, viewport: { zoom } }: MapDrawing, seen: Rect): PlacedName[] {
  const visible = [...scene.nodes.keys()].filter((at) => overlaps(rects[at] as Rect, seen));
  const groups = visible.filter((at) => scene.nodes[at]?.isGroup);
  const degrees = degreesOf(scene);
  const hubs = visible
    .filter((at) => !scene.nodes[at]?.isGroup)
    .sort((one, other) => (degrees[other] as number) - (degrees[one] as number))
    .slice(0, zoom < MIN_SHAPE_ZOOM ? Math.ceil(visible.length * HUB_SHARE) : MAX_TRIED);
  const placed: PlacedName[] = [];
  const isTaken = (area: Rect) => placed.some(({ rect }) => overlaps(expandRect(rect, GAP), area));
  for (const at of [...groups, ...hubs]) {
    if (placed.length >= MAX_NAMES) break;
    const name = placeName(scene.nodes[at] as SceneNode, rects[at] as Rect, zoom, isTaken);
    if (name && !isTaken(name.rect)) placed.push(name);
  }
  return placed;
}

function placeName(
  node: SceneNode,
  rect: Rect,
  zoom: number,
  isTaken: (area: Rect) => boolean,
): PlacedName | null {
  const { isGroup, component } = node;
  const { size, line, maxWidth } = isGroup ? GROUP_TEXT : HUB_TEXT;
  const [width, height] = [rect.width * zoom, rect.height * zoom];
  if (isGroup && width < MIN_GROUP_WIDTH) return null;
  // In a dense map, most names are rejected here, before they are measured.
  if (
    !isGroup &&
    isTaken({
      x: (rect.x + rect.width / 2) * zoom,
      y: (rect.y + rect.height / 2) * zoom,
      width: 1,
      height: 1,
    })
  )
    return null;
  const lines = isGroup
    ? wrapText(component.name, size, Math.max(maxWidth, width - 2 * GAP), 1)
    : wrapText(component.name, size, Math.max(width, longestWord(component.name, size, maxWidth)), 2);
  const textSize = {
    width: Math.max(...lines.map((text) => textWidth(text, size))),
    height: lines.length * line,
  };
  // Group names are centered on the upper border, component names in the middle.
  const [x, y] = isGroup
    ? [rect.x * zoom + 2 * GAP, rect.y * zoom - textSize.height / 2]
    : [rect.x * zoom + (width - textSize.width) / 2, rect.y * zoom + (height - textSize.height) / 2];
  return { node, lines, rect: { x, y, ...textSize } };
}

/** The width of the longest word of a name, at most `most`. */
function longestWord(name: string, size: number, most: number): number {
  return Math.min(most, Math.max(...name.split(/\s+/).map((word) => textWidth(word, size))));
}

const known = new WeakMap<Scene['lines'], number[]>();

/** The number of relationships of each node. */
function degreesOf({ nodes, lines }: Scene): number[] {
  const before = known.get(lines);
  if (before) return before;
  const degrees: number[] = new Array(nodes.length).fill(0);
  for (const { ids, from, to } of lines) {
    degrees[from] = (degrees[from] ?? 0) + ids.length;
    degrees[to] = (degrees[to] ?? 0) + ids.length;
  }
  known.set(lines, degrees);
  return degrees;
}

export function paintOverviewNames(context: DrawingContext, drawing: MapDrawing, seen: Rect): void {
  const { appearance, colors, viewport, highlight, highlights } = drawing;
  const pixel = 1 / viewport.zoom;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.fillStyle = colors.text;
  context.lineWidth = 3.5 * pixel;
  for (const { node, lines, rect } of overviewNames(drawing, seen)) {
    const { size, line } = node.isGroup ? GROUP_TEXT : HUB_TEXT;
    context.font = `600 ${size * pixel}px ${colors.label}`;
    context.globalAlpha = isDimmed(node, appearance, highlight, highlights) ? 0.35 : 1;
    // The halo of a name has the color of its background.
    const isOnCard = !node.isGroup && viewport.zoom >= MIN_SHAPE_ZOOM;
    const { color } = appearance.componentAppearance(node.component);
    context.strokeStyle = isOnCard ? colors.card(color).fill : colors.paper;
    const x = (rect.x + rect.width / 2) * pixel;
    for (const [at, text] of lines.entries()) {
      const y = (rect.y + (at + 0.5) * line) * pixel;
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }
  context.globalAlpha = 1;
  context.textAlign = 'start';
}
