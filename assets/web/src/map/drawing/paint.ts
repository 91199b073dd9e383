/** Paints the map on a canvas: groups and lines, and components in the overview. Used for the map and the minimap. */
import metrics from '@/core/drawing/card.json';
import { wrapText } from '@/core/drawing/textMetrics';
import { expandRect, overlaps, type Rect } from '@/core/scene/geometry';
import { GROUP_PADDING, GROUP_TITLE_HEIGHT, type SceneNode } from '@/core/scene/scene';
import { detailAt, MIN_SHAPE_ZOOM } from './detail';
import { type DrawingContext, isDimmed, type MapDrawing } from './drawing';
import { HIGHLIGHT_MARKS, highlightColor } from './highlights';
import { nodeShape, paintName, paintShape } from './paintCard';
import { paintLinesIncrementally } from './paintLines';
import { paintOverviewNames } from './paintNames';
import { paintNotes } from './paintNotes';

/** Paints the whole drawing. The context uses screen pixels. */
export function paint(context: DrawingContext, drawing: MapDrawing): void {
  for (const _ of paintIncrementally(context, drawing));
}

/**
 * Paints the drawing in parts that each fit into a frame. Nothing else may use the context until painting is complete.
 */
export function* paintIncrementally(context: DrawingContext, drawing: MapDrawing): Generator<void> {
  const { viewport, width, height } = drawing;
  context.clearRect(0, 0, width, height);
  context.save();
  context.translate(viewport.x, viewport.y);
  context.scale(viewport.zoom, viewport.zoom);
  const seen: Rect = {
    x: -viewport.x / viewport.zoom,
    y: -viewport.y / viewport.zoom,
    width: width / viewport.zoom,
    height: height / viewport.zoom,
  };
  paintNotes(context, drawing, seen, true);
  if (!drawing.only && drawing.groups !== false) paintGroups(context, drawing, seen);
  if (drawing.routes) yield* paintLinesIncrementally(context, drawing, drawing.routes, seen);
  if (drawing.isOverview) yield* paintComponentsIncrementally(context, drawing, seen);
  if (drawing.isOverview && !drawing.only && drawing.names !== false) paintNames(context, drawing, seen);
  paintNotes(context, drawing, seen, false);
  context.restore();
}

function isIn({ without, only }: MapDrawing, at: number): boolean {
  return only ? only.nodes.has(at) : !without?.nodes.has(at);
}

const GROUP_RADIUS = 6;

/** Groups are drawn as frames in the color of their card. */
function paintGroups(context: DrawingContext, drawing: MapDrawing, seen: Rect): void {
  const { scene, rects, appearance, colors, viewport, selectedComponents, highlight, highlights } = drawing;
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (!node.isGroup || !overlaps(rect, seen)) continue;
    const { color } = appearance.componentAppearance(node.component);
    const isSelected = selectedComponents.has(node.id);
    const { edge } = colors.card(color);
    context.beginPath();
    context.roundRect(rect.x, rect.y, rect.width, rect.height, GROUP_RADIUS);
    context.globalAlpha = isDimmed(node, appearance, highlight, highlights) ? 0.35 : 1;
    context.fillStyle = colors.sheet;
    context.fill();
    context.globalAlpha *= 0.05;
    context.fillStyle = color;
    context.fill();
    context.globalAlpha = isSelected ? 1 : 0.7;
    context.strokeStyle = isSelected ? colors.accent : edge;
    context.lineWidth = (isSelected ? 2 : 1.25) / viewport.zoom;
    context.stroke();
    context.globalAlpha = 1;
  }
}

/** Paints names that are not on cards. */
function paintNames(context: DrawingContext, drawing: MapDrawing, seen: Rect): void {
  if (detailAt(drawing.viewport.zoom) === 'far') paintOverviewNames(context, drawing, seen);
  else paintTitles(context, drawing, seen);
}

/** Paints the titles of groups in the same way as the elements at medium zoom. */
function paintTitles(context: DrawingContext, drawing: MapDrawing, seen: Rect): void {
  const { scene, rects, appearance, colors, highlight, highlights } = drawing;
  const { size } = metrics.largeName;
  context.font = `600 ${size}px ${colors.label}`;
  context.textBaseline = 'middle';
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (!node.isGroup || !overlaps(rect, seen)) continue;
    const { color } = appearance.componentAppearance(node.component);
    const [name = ''] = wrapText(node.component.name, size, rect.width - 2 * GROUP_PADDING, 1);
    context.globalAlpha = isDimmed(node, appearance, highlight, highlights) ? 0.35 : 1;
    context.fillStyle = colors.card(color).ink;
    context.fillText(name, rect.x + GROUP_PADDING, rect.y + GROUP_TITLE_HEIGHT / 2);
  }
  context.globalAlpha = 1;
}

/** The number of components that can be painted in one frame without a visible delay. */
const COMPONENTS_PER_FRAME = 200;

function* paintComponentsIncrementally(
  context: DrawingContext,
  drawing: MapDrawing,
  seen: Rect,
): Generator<void> {
  const { scene, rects, appearance, colors, viewport, selectedComponents, highlight, highlights } = drawing;
  const pixel = 1 / viewport.zoom;
  let count = 0;
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (node.isGroup || !overlaps(rect, seen) || !isIn(drawing, at)) continue;
    const tone = highlights.get(node.id);
    const isSelected = selectedComponents.has(node.id);
    const isUnrelated = drawing.related?.has(node.id) === false;
    context.globalAlpha = isDimmed(node, appearance, highlight, highlights) ? 0.2 : isUnrelated ? 0.45 : 1;
    paintComponent(context, drawing, node, rect);
    if (++count % COMPONENTS_PER_FRAME === 0) yield;
    if (!isSelected && !tone) continue;
    const color = tone ? highlightColor(tone, colors) : colors.accent;
    context.strokeStyle = color;
    context.lineWidth = 2.5 * pixel;
    const { x, y, width, height } = expandRect(rect, 2 * pixel);
    context.strokeRect(x, y, width, height);
    if (!tone || detailAt(viewport.zoom) === 'far') continue;
    context.font = `600 25px ${colors.label}`;
    context.textBaseline = 'middle';
    context.fillStyle = color;
    context.fillText(HIGHLIGHT_MARKS[tone].sign, rect.x + rect.width - 26, rect.y + 18);
  }
  context.globalAlpha = 1;
}

function paintComponent(context: DrawingContext, drawing: MapDrawing, node: SceneNode, rect: Rect): void {
  const { appearance, colors, viewport } = drawing;
  const { zoom } = viewport;
  const card = colors.card(appearance.componentAppearance(node.component).color);
  if (zoom < MIN_SHAPE_ZOOM) {
    context.fillStyle = card.edge;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    return;
  }
  const isFar = detailAt(zoom) === 'far';
  paintShape(context, nodeShape(node), rect, card, 1 / zoom, !isFar);
  if (!isFar) paintName(context, drawing, node, rect, card.ink);
}
