/** Finds notes by point and area. Frames are hit at their title and border, so that their contents can be reached. */
import { textWidth } from '../drawing/textMetrics';
import { NOTE_KINDS } from '../noteLabel';
import { containsPoint, containsRect, expandRect, overlaps, type Point, type Rect } from '../scene/geometry';
import type { PlacedNote } from './note';
import metrics from './note.json';

/** The distance from the border of a frame at which it is hit, in screen pixels. */
const BORDER_REACH = 5;

/** The title of a frame, above its top left corner. It has the same size on the screen at every zoom. */
export function frameTitleRect({ note, rect }: PlacedNote, zoom: number): Rect {
  const { size, height, minWidth, padding } = metrics.frameTitle;
  const text = textWidth(frameTitle(note), size) + 2 * padding;
  const width = Math.max(minWidth, Math.min(text, rect.width * zoom)) / zoom;
  return { x: rect.x, y: rect.y - height / zoom, width, height: height / zoom };
}

export function frameTitle({ text }: Pick<PlacedNote['note'], 'text'>): string {
  return text?.trim() || NOTE_KINDS.frame;
}

/** Whether a point hits a note at this zoom. */
function isHit(placed: PlacedNote, point: Point, zoom: number): boolean {
  const { note, rect } = placed;
  if (note.kind !== 'frame') return containsPoint(rect, point);
  if (containsPoint(frameTitleRect(placed, zoom), point)) return true;
  const reach = BORDER_REACH / zoom;
  return containsPoint(expandRect(rect, reach), point) && !containsPoint(expandRect(rect, -reach), point);
}

/** The topmost note at a point, either among those behind the components or among those in front of them. */
export function noteAt(
  all: readonly PlacedNote[],
  point: Point,
  zoom: number,
  isBehind: boolean,
): PlacedNote | undefined {
  return all.findLast((placed) => placed.note.layer < 0 === isBehind && isHit(placed, point, zoom));
}

/** The notes in a selection frame: frames that are entirely inside, and others that intersect it. */
export function notesIn(all: readonly PlacedNote[], area: Rect): string[] {
  return all
    .filter(({ note, rect }) => (note.kind === 'frame' ? containsRect(area, rect) : overlaps(area, rect)))
    .map(({ note }) => note.id);
}

/** The notes that are completely inside one of the frames, and the frames themselves. */
export function withFrameContents(all: readonly PlacedNote[], ids: ReadonlySet<string>): Set<string> {
  const frames = framesAmong(all, ids);
  const inside = all.filter(({ rect }) => frames.some((frame) => containsRect(frame, rect)));
  return new Set([...ids, ...inside.map(({ note }) => note.id)]);
}

/** The rectangles of the frames among these notes. */
export function framesAmong(all: readonly PlacedNote[], ids: ReadonlySet<string>): Rect[] {
  return all.filter(({ note }) => note.kind === 'frame' && ids.has(note.id)).map(({ rect }) => rect);
}
