/**
 * Draws names on a map seen from far, in the same size at every zoom: of groups, then of components by their number of
 * relationships, as far as they do not overlap.
 */
import { textWidth, wrapText } from '@/core/drawing/textMetrics';
import { expandRect, overlaps, type Rect } from '@/core/scene/geometry';
import type { Scene, SceneNode } from '@/core/scene/scene';
import { MIN_SHAPE_ZOOM } from './detail';
import { type DrawingContext, isDimmed, type MapDrawing } from './drawing';

/** In pixels of the screen. */
const GROUP_TEXT = { size: 13, line: 14, maxWidth: 150 };
const HUB_TEXT = { size: 12, line: 12, maxWidth: 110 };
/** Free space around a name. */
const GAP = 4;
/** More names than this are noise. */
const MAX_NAMES = 80;
/** Nodes that are tried after the groups; the others have fewer relationships. */
const MAX_TRIED = 400;
/** Where components are spots, only those with the most relationships have a name. */
const HUB_SHARE = 0.2;
/** Groups smaller than this have no name. */
const MIN_GROUP_WIDTH = 24;

interface PlacedName {
  node: SceneNode;
  lines: readonly string[];
  /** In pixels of the screen, from the origin of the map. */
  rect: Rect;
}

/** The names of a map, in map units from the visible part. */
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
  // Most names of a dense map are refused here, before they are measured.
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
  // The name of a group is on its upper border, that of a component in its middle.
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
    // The halo of a name is of the color that is behind it.
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
