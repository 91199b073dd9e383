/**
 * Draws the map on a canvas: boxes and lines always, and in the overview the components too. One routine for the map
 * and the minimap.
 */

import { expandRect, overlaps, type Rect } from '@/core/scene/geometry';
import type { SceneNode } from '@/core/scene/scene';
import { truncate } from '@/core/text';
import { type DrawingContext, isDimmed, type MapDrawing } from './drawing';
import { HIGHLIGHT_MARKS, highlightColor } from './highlights';
import { paintLinesIncrementally } from './paintLines';

/** Draws all of it. The context is in pixels of the screen. */
export function paint(context: DrawingContext, drawing: MapDrawing): void {
  for (const _ of paintIncrementally(context, drawing));
}

/** The same in parts, none of which keeps a frame waiting. The context is for it alone until it is done. */
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
  if (!drawing.only && drawing.groups !== false) paintGroups(context, drawing, seen);
  if (drawing.lines) yield* paintLinesIncrementally(context, drawing, seen);
  if (drawing.isOverview) yield* paintComponentsIncrementally(context, drawing, seen);
  if (drawing.isOverview && !drawing.only && drawing.groups !== false) paintTitles(context, drawing, seen);
  context.restore();
}

/** Whether a node is of the part that is drawn. */
function isIn({ without, only }: MapDrawing, at: number): boolean {
  return only ? only.has(at) : !without?.has(at);
}

function paintGroups(context: DrawingContext, drawing: MapDrawing, seen: Rect): void {
  const { scene, rects, appearance, colors, viewport, selectedComponents, highlight, highlights } = drawing;
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (!node.isGroup || !overlaps(rect, seen)) continue;
    const { color } = appearance.componentAppearance(node.component);
    const isSelected = selectedComponents.has(node.id);
    context.globalAlpha = isDimmed(node, appearance, highlight, highlights) ? 0.35 : 1;
    context.fillStyle = colors.sheet;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.globalAlpha *= 0.06;
    context.fillStyle = color;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.globalAlpha = 1;
    context.strokeStyle = isSelected ? colors.accent : colors.strong;
    context.lineWidth = (isSelected ? 2 : 1) / viewport.zoom;
    context.strokeRect(rect.x, rect.y, rect.width, rect.height);
  }
}

/** Boxes less wide than so, in pixels, have no title in the overview. */
const MIN_TITLED_WIDTH = 60;

/** In the overview a title is larger than the room that its box has for it: it stands on the border, over what is there. */
function paintTitles(context: DrawingContext, drawing: MapDrawing, seen: Rect): void {
  const { scene, rects, appearance, colors, viewport, highlight, highlights } = drawing;
  const pixel = 1 / viewport.zoom;
  context.font = `600 ${11 * pixel}px ${colors.label}`;
  context.textBaseline = 'middle';
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (!node.isGroup || rect.width * viewport.zoom <= MIN_TITLED_WIDTH || !overlaps(rect, seen)) continue;
    const name = truncate(node.component.name, Math.floor((rect.width * viewport.zoom) / 6));
    context.globalAlpha = isDimmed(node, appearance, highlight, highlights) ? 0.35 : 1;
    context.fillStyle = colors.sheet;
    const left = rect.x + 5 * pixel;
    context.fillRect(left, rect.y - 7 * pixel, context.measureText(name).width + 6 * pixel, 14 * pixel);
    context.fillStyle = colors.text;
    context.fillText(name, left + 3 * pixel, rect.y);
  }
  context.globalAlpha = 1;
}

/** Names are drawn from this zoom on. */
const MIN_NAME_ZOOM = 0.2;
/** Below this a component is a spot of its colour. */
const MIN_SHAPE_ZOOM = 0.1;

/** About as many characters of a name fit into a component, without measuring each. */
const MAX_NAME_LENGTH = 16;
/** So many components are drawn in one frame without anybody noticing. */
const COMPONENTS_PER_FRAME = 400;

function* paintComponentsIncrementally(
  context: DrawingContext,
  drawing: MapDrawing,
  seen: Rect,
): Generator<void> {
  const { scene, rects, appearance, colors, viewport, selectedComponents, highlight, highlights } = drawing;
  const pixel = 1 / viewport.zoom;
  context.textBaseline = 'middle';
  context.font = `600 25px ${colors.label}`;
  let count = 0;
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (node.isGroup || !overlaps(rect, seen) || !isIn(drawing, at)) continue;
    const tone = highlights.get(node.id);
    const isSelected = selectedComponents.has(node.id);
    context.globalAlpha = isDimmed(node, appearance, highlight, highlights) ? 0.2 : 1;
    paintComponent(context, drawing, node, rect);
    if (++count % COMPONENTS_PER_FRAME === 0) yield;
    if (!isSelected && !tone) continue;
    const color = tone ? highlightColor(tone, colors) : colors.accent;
    context.strokeStyle = color;
    context.lineWidth = 2.5 * pixel;
    const { x, y, width, height } = expandRect(rect, 2 * pixel);
    context.strokeRect(x, y, width, height);
    if (!tone || viewport.zoom < MIN_NAME_ZOOM) continue;
    context.fillStyle = color;
    context.fillText(HIGHLIGHT_MARKS[tone].sign, rect.x + rect.width - 26, rect.y + 18);
  }
  context.globalAlpha = 1;
}

function paintComponent(
  context: DrawingContext,
  drawing: MapDrawing,
  { component }: SceneNode,
  rect: Rect,
): void {
  const { appearance, colors, viewport } = drawing;
  const color = colors.lightened(appearance.componentAppearance(component).color);
  if (viewport.zoom < MIN_SHAPE_ZOOM) {
    context.fillStyle = color;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    return;
  }
  context.fillStyle = colors.sheet;
  context.fillRect(rect.x, rect.y, rect.width, rect.height);
  context.fillStyle = color;
  context.fillRect(rect.x, rect.y, 14, rect.height);
  context.strokeStyle = colors.strong;
  context.lineWidth = 1 / viewport.zoom;
  context.strokeRect(rect.x, rect.y, rect.width, rect.height);
  if (viewport.zoom < MIN_NAME_ZOOM) return;
  context.fillStyle = colors.text;
  context.fillText(truncate(component.name, MAX_NAME_LENGTH), rect.x + 22, rect.y + rect.height / 2);
}
