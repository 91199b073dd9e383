/**
 * Draws the map on a canvas: boxes and lines always, and in the overview the components too. One routine for the map
 * and the minimap.
 */
import { inflated, overlap, type Rect } from '@/core/scene/geometry';
import type { SceneNode } from '@/core/scene/scene';
import { type Context, isDim, type Picture } from './drawing';
import { MARKS, toneColour } from './highlights';
import { linesInParts } from './paintLines';

/** Draws all of it. The context is in pixels of the screen. */
export function paint(context: Context, picture: Picture): void {
  for (const _ of paintInParts(context, picture));
}

/** The same in parts, none of which keeps a frame waiting. The context is for it alone until it is done. */
export function* paintInParts(context: Context, picture: Picture): Generator<void> {
  const { viewport, width, height } = picture;
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
  if (!picture.only && picture.boxes !== false) paintBoxes(context, picture, seen);
  if (picture.lines) yield* linesInParts(context, picture, seen);
  if (picture.far) yield* componentsInParts(context, picture, seen);
  if (picture.far && !picture.only && picture.boxes !== false) paintTitles(context, picture, seen);
  context.restore();
}

/** Whether a node is of the part that is drawn. */
function isIn({ without, only }: Picture, at: number): boolean {
  return only ? only.has(at) : !without?.has(at);
}

function paintBoxes(context: Context, picture: Picture, seen: Rect): void {
  const { scene, rects, looks, ink, viewport, selectedComponents, highlight, tones } = picture;
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (!node.isBox || !overlap(rect, seen)) continue;
    const { colour } = looks.lookOf(node.component);
    const isSelected = selectedComponents.has(node.id);
    context.globalAlpha = isDim(node, looks, highlight, tones) ? 0.35 : 1;
    context.fillStyle = ink.sheet;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.globalAlpha *= 0.06;
    context.fillStyle = colour;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.globalAlpha = 1;
    context.strokeStyle = isSelected ? ink.accent : ink.strong;
    context.lineWidth = (isSelected ? 2 : 1) / viewport.zoom;
    context.strokeRect(rect.x, rect.y, rect.width, rect.height);
  }
}

/** Boxes less wide than so, in pixels, have no title in the overview. */
const TITLED = 60;

/** In the overview a title is larger than the room that its box has for it: it stands on the border, over what is there. */
function paintTitles(context: Context, picture: Picture, seen: Rect): void {
  const { scene, rects, looks, ink, viewport, highlight, tones } = picture;
  const pixel = 1 / viewport.zoom;
  context.font = `600 ${11 * pixel}px ${ink.label}`;
  context.textBaseline = 'middle';
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (!node.isBox || rect.width * viewport.zoom <= TITLED || !overlap(rect, seen)) continue;
    const name = shortened(node.component.name, Math.floor((rect.width * viewport.zoom) / 6));
    context.globalAlpha = isDim(node, looks, highlight, tones) ? 0.35 : 1;
    context.fillStyle = ink.sheet;
    const left = rect.x + 5 * pixel;
    context.fillRect(left, rect.y - 7 * pixel, context.measureText(name).width + 6 * pixel, 14 * pixel);
    context.fillStyle = ink.ink;
    context.fillText(name, left + 3 * pixel, rect.y);
  }
  context.globalAlpha = 1;
}

/** Names are drawn from this zoom on. */
const NAMES = 0.2;
/** Below this a component is a spot of its colour. */
const SHAPES = 0.1;

/** So many components are drawn in one frame without anybody noticing. */
const AT_ONCE = 400;

function* componentsInParts(context: Context, picture: Picture, seen: Rect): Generator<void> {
  const { scene, rects, looks, ink, viewport, selectedComponents, highlight, tones } = picture;
  const pixel = 1 / viewport.zoom;
  context.textBaseline = 'middle';
  context.font = `600 25px ${ink.label}`;
  let count = 0;
  for (const [at, node] of scene.nodes.entries()) {
    const rect = rects[at] as Rect;
    if (node.isBox || !overlap(rect, seen) || !isIn(picture, at)) continue;
    const tone = tones.get(node.id);
    const isSelected = selectedComponents.has(node.id);
    context.globalAlpha = isDim(node, looks, highlight, tones) ? 0.2 : 1;
    paintComponent(context, picture, node, rect);
    if (++count % AT_ONCE === 0) yield;
    if (!isSelected && !tone) continue;
    const colour = tone ? toneColour(tone, ink) : ink.accent;
    context.strokeStyle = colour;
    context.lineWidth = 2.5 * pixel;
    const { x, y, width, height } = inflated(rect, 2 * pixel);
    context.strokeRect(x, y, width, height);
    if (!tone || viewport.zoom < NAMES) continue;
    context.fillStyle = colour;
    context.fillText(MARKS[tone].sign, rect.x + rect.width - 26, rect.y + 18);
  }
  context.globalAlpha = 1;
}

function paintComponent(context: Context, picture: Picture, { component }: SceneNode, rect: Rect): void {
  const { looks, ink, viewport } = picture;
  const colour = ink.lifted(looks.lookOf(component).colour);
  if (viewport.zoom < SHAPES) {
    context.fillStyle = colour;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    return;
  }
  context.fillStyle = ink.sheet;
  context.fillRect(rect.x, rect.y, rect.width, rect.height);
  context.fillStyle = colour;
  context.fillRect(rect.x, rect.y, 14, rect.height);
  context.strokeStyle = ink.strong;
  context.lineWidth = 1 / viewport.zoom;
  context.strokeRect(rect.x, rect.y, rect.width, rect.height);
  if (viewport.zoom < NAMES) return;
  context.fillStyle = ink.ink;
  context.fillText(shortened(component.name), rect.x + 22, rect.y + rect.height / 2);
}

/** As much of a name as fits without measuring each. */
function shortened(name: string, most = 16): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
