/** Paints notes in the overview, where they have no elements: sheets with the beginning of their text. */
import { wrapText } from '@/core/drawing/textMetrics';
import { noteTitle } from '@/core/noteLabel';
import { frameTitle } from '@/core/notes/hits';
import { colorValue, isBehind, type PlacedNote } from '@/core/notes/note';
import { expandRect, overlaps, type Rect } from '@/core/scene/geometry';
import { MIN_SHAPE_ZOOM } from './detail';
import type { DrawingContext, MapDrawing } from './drawing';

/** In screen pixels. */
const TEXT = { size: 12, line: 14, padding: 5 };
const TITLE = { size: 13, gap: 4 };
/** Smaller sheets have no text. */
const MIN_TEXT_WIDTH = 44;
const MAX_LINES = 5;
/** The beginning of a text that can be visible in the overview. */
const MAX_CHARS = 160;

/** Paints the notes of one side of the components. */
export function paintNotes(context: DrawingContext, drawing: MapDrawing, seen: Rect, behind: boolean): void {
  const { notes = [], only, without } = drawing;
  for (const placed of notes) {
    const { id } = placed.note;
    const isLeftOut = only ? !only.notes?.has(id) : without?.notes?.has(id);
    if (isLeftOut || isBehind(placed.note) !== behind || !overlaps(placed.rect, seen)) continue;
    paintNote(context, drawing, placed);
  }
}

function paintNote(context: DrawingContext, drawing: MapDrawing, placed: PlacedNote): void {
  const { note, rect } = placed;
  if (note.kind === 'frame') paintFrame(context, drawing, placed);
  else if (note.kind === 'image') paintImage(context, drawing, placed);
  else paintSheet(context, drawing, placed);
  if (!drawing.selectedNotes?.has(note.id)) return;
  const pixel = 1 / drawing.viewport.zoom;
  const { x, y, width, height } = expandRect(rect, 2 * pixel);
  context.strokeStyle = drawing.colors.accent;
  context.lineWidth = 2.5 * pixel;
  context.strokeRect(x, y, width, height);
}

function paintFrame(context: DrawingContext, drawing: MapDrawing, { note, rect }: PlacedNote): void {
  const { colors, viewport, names } = drawing;
  const { zoom } = viewport;
  const { fill, edge, soft } = colors.note(colorValue(note));
  context.globalAlpha = 0.2;
  context.fillStyle = fill;
  context.fillRect(rect.x, rect.y, rect.width, rect.height);
  context.globalAlpha = 0.65;
  context.strokeStyle = edge;
  context.lineWidth = 1 / zoom;
  context.strokeRect(rect.x, rect.y, rect.width, rect.height);
  context.globalAlpha = 1;
  if (names === false || rect.width * zoom < MIN_TEXT_WIDTH) return;
  const [title = ''] = wrapText(frameTitle(note), TITLE.size, rect.width * zoom, 1);
  context.font = `600 ${TITLE.size / zoom}px ${colors.label}`;
  context.textBaseline = 'bottom';
  context.fillStyle = soft;
  context.fillText(title, rect.x, rect.y - TITLE.gap / zoom);
}

function paintSheet(
  context: DrawingContext,
  { colors, viewport, names }: MapDrawing,
  placed: PlacedNote,
): void {
  const { note, rect } = placed;
  const { zoom } = viewport;
  const { fill, edge, ink } = colors.note(colorValue(note));
  context.fillStyle = fill;
  context.fillRect(rect.x, rect.y, rect.width, rect.height);
  context.globalAlpha = 0.45;
  context.strokeStyle = edge;
  context.lineWidth = 1 / zoom;
  context.strokeRect(rect.x, rect.y, rect.width, rect.height);
  context.globalAlpha = 1;
  const room = rect.width * zoom - 2 * TEXT.padding;
  const count = Math.min(MAX_LINES, Math.floor((rect.height * zoom - 2 * TEXT.padding) / TEXT.line));
  if (names === false || zoom < MIN_SHAPE_ZOOM || room < MIN_TEXT_WIDTH || count < 1 || !note.text) return;
  context.font = `600 ${TEXT.size / zoom}px ${colors.label}`;
  context.textBaseline = 'middle';
  context.fillStyle = ink;
  const lines = wrapText(noteTitle(note, MAX_CHARS), TEXT.size, room, count);
  for (const [at, line] of lines.entries()) {
    const y = TEXT.padding + (at + 0.5) * TEXT.line;
    context.fillText(line, rect.x + TEXT.padding / zoom, rect.y + y / zoom);
  }
}

function paintImage(
  context: DrawingContext,
  { colors, viewport, noteImage }: MapDrawing,
  { note, rect }: PlacedNote,
): void {
  const image = noteImage?.(note.imageId ?? '');
  if (image) {
    const { x, y, width, height } = containedRect(rect, image);
    context.drawImage(image, x, y, width, height);
    return;
  }
  context.fillStyle = colors.sheet;
  context.fillRect(rect.x, rect.y, rect.width, rect.height);
  context.strokeStyle = colors.strong;
  context.lineWidth = 1 / viewport.zoom;
  context.strokeRect(rect.x, rect.y, rect.width, rect.height);
}

/** The largest rectangle with the proportions of the image that fits into `rect`, centered. */
function containedRect(
  rect: Rect,
  { naturalWidth, naturalHeight }: Pick<HTMLImageElement, 'naturalWidth' | 'naturalHeight'>,
): Rect {
  const [width, height] = [Math.max(naturalWidth, 1), Math.max(naturalHeight, 1)];
  const scale = Math.min(rect.width / width, rect.height / height);
  const size = { width: width * scale, height: height * scale };
  return { x: rect.x + (rect.width - size.width) / 2, y: rect.y + (rect.height - size.height) / 2, ...size };
}
