/** Draws a card on a canvas: its shape, and its name at medium zoom size. */
import { type CardContent, largeNameLines } from '@/core/drawing/card';
import metrics from '@/core/drawing/card.json';
import type { CardColors } from '@/core/drawing/colors';
import { type ShapeName, shape, shapeOf, shapePath } from '@/core/drawing/shapes';
import type { Rect } from '@/core/scene/geometry';
import type { SceneNode } from '@/core/scene/scene';
import type { DrawingContext, MapDrawing } from './drawing';

const paths = new Map<string, Path2D>();

function pathOf(name: ShapeName, part: 'outline' | 'detail' | 'figure', { width, height }: Rect): Path2D {
  const key = `${name} ${part} ${width} ${height}`;
  const known = paths.get(key);
  if (known) return known;
  const path = new Path2D(shapePath(name, part, width, height));
  paths.set(key, path);
  return path;
}

/** The shape of a node that is drawn as a card. */
export function nodeShape({ component, inside, isGroup }: SceneNode): ShapeName {
  return shapeOf(component.typeId, inside > 0 && !isGroup);
}

/** Paints the filled shape and its outline. */
export function paintShape(
  context: DrawingContext,
  name: ShapeName,
  rect: Rect,
  { fill, edge }: Pick<CardColors, 'fill' | 'edge'>,
  lineWidth: number,
  hasFigure: boolean,
): void {
  const { detail, dash, figure } = shape(name);
  context.save();
  context.translate(rect.x, rect.y);
  context.fillStyle = fill;
  context.strokeStyle = edge;
  context.lineWidth = lineWidth;
  const outline = pathOf(name, 'outline', rect);
  context.fill(outline);
  if (dash) context.setLineDash(dash.map((length) => length * Math.max(1, lineWidth)));
  context.stroke(outline);
  if (detail) context.stroke(pathOf(name, 'detail', rect));
  if (figure && hasFigure) {
    context.fillStyle = edge;
    context.fill(pathOf(name, 'figure', rect));
  }
  context.restore();
}

const nameLines = new WeakMap<object, { size: string; lines: string[] }>();

function linesOf(node: SceneNode, name: ShapeName, rect: Rect): string[] {
  const size = `${rect.width} ${rect.height} ${name}`;
  const known = nameLines.get(node.component);
  if (known?.size === size) return known.lines;
  const content: Pick<CardContent, 'name' | 'shape'> = { name: node.component.name, shape: name };
  const lines = largeNameLines(content, rect);
  nameLines.set(node.component, { size, lines });
  return lines;
}

/** Paints the name in the center of the card, in the same way as the elements at medium zoom. */
export function paintName(
  context: DrawingContext,
  { colors }: MapDrawing,
  node: SceneNode,
  rect: Rect,
  color: string,
): void {
  const { size, line } = metrics.largeName;
  const name = nodeShape(node);
  const { inset } = shape(name);
  const lines = linesOf(node, name, rect);
  context.font = `600 ${size}px ${colors.label}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = color;
  const x = rect.x + (inset.left + rect.width - inset.right) / 2;
  const middle = rect.y + (inset.top + rect.height - inset.bottom) / 2;
  for (const [at, text] of lines.entries()) {
    context.fillText(text, x, middle + (at - (lines.length - 1) / 2) * line);
  }
  context.textAlign = 'start';
}
