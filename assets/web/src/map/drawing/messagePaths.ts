/** The paths of messages of a process, from the sender to the receiver. */
import { type LineRoutes, visibleRoutes } from '@/core/route/mapRoutes';
import type { Point, Rect } from '@/core/scene/geometry';
import { flattenPath, type LinePath, linePath } from '@/core/scene/linePath';
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene, SceneLine } from '@/core/scene/scene';
import { type Highlight, type HighlightLine, type HighlightMessage, highlightLineId } from '../state/view';

export interface MessagePath {
  line: SceneLine;
  points: readonly Point[];
}

/** The lines as drawn. */
export interface MessageLines {
  scene: Scene;
  rects: readonly Rect[];
  routes: LineRoutes;
  isOverview: boolean;
}

/** The path of a message; undefined if a collapsed group contains both ends. */
export function messagePath(
  { scene, rects, routes, isOverview }: MessageLines,
  message: HighlightMessage,
): MessagePath | undefined {
  const line = message.relationship === undefined ? undefined : linesById(scene).get(message.relationship);
  if (!line) {
    const own = highlightLine(scene, message);
    const path = own && highlightPath(scene, rects, routes, own, message);
    return path && { line: own, points: flattenPath(path) };
  }
  const points = flattenPath(
    linePath(scene, rects, line, visibleRoutes(routes, scene, isOverview).get(line.id)),
  );
  return { line, points: isAgainst(scene, line, message) ? points.toReversed() : points };
}

/** The drawn line of each relationship. */
const linesById = memoizeLast(
  (scene: Scene): ReadonlyMap<string, SceneLine> =>
    new Map(scene.lines.flatMap((line) => line.ids.map((id) => [id, line]))),
);

/** Whether a message runs from the end of a line to its start. */
function isAgainst(scene: Scene, line: SceneLine, { from, to }: HighlightMessage): boolean {
  return line.from !== line.to && line.from === scene.indexOf.get(to) && line.to === scene.indexOf.get(from);
}

/** A line that is not a relationship; undefined if a collapsed group contains both ends. */
export function highlightLine(
  scene: Scene,
  { from, to, label }: Pick<HighlightLine, 'from' | 'to'> & { label?: string },
): SceneLine | undefined {
  const [source, target] = [scene.indexOf.get(from), scene.indexOf.get(to)];
  if (source === undefined || target === undefined || (source === target && from !== to)) return undefined;
  return {
    id: '',
    ids: [],
    from: source,
    to: target,
    typeId: '',
    types: [],
    label: label ?? '',
    lane: 0,
    lanes: 1,
  };
}

export function highlightPath(
  scene: Scene,
  rects: readonly Rect[],
  routes: LineRoutes,
  line: SceneLine,
  ends: Pick<HighlightLine, 'from' | 'to'>,
): LinePath {
  return linePath(scene, rects, line, routes.points.get(highlightLineId(ends)));
}

/** How the current message changes its line. */
export interface LineMessage {
  isReversed: boolean;
  isReply: boolean;
}

/** The lines with messages: those of the current step with its direction, those of other steps with null. */
export const lineMessages = memoizeLast(
  (scene: Scene, highlight: Highlight | null): ReadonlyMap<SceneLine, LineMessage | null> => {
    const found = new Map<SceneLine, LineMessage | null>();
    for (const message of highlight?.messages ?? []) {
      const line = linesById(scene).get(message.relationship ?? '');
      if (!line || found.get(line)) continue;
      const isCurrent = message.tone === 'current';
      found.set(
        line,
        isCurrent ? { isReversed: isAgainst(scene, line, message), isReply: message.isReply } : null,
      );
    }
    return found;
  },
);
