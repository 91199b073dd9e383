/**
 * The routes as drawn: those of the map at rest, with new routes for lines that are affected by moved components, have
 * a new layout, or are routed only while they are selected or highlighted.
 */
import type { LiveRouter } from '@/core/route/live';
import type { LineRoutes, NameOf } from '@/core/route/mapRoutes';
import { isStraightLine, type LineStyle, routeLine, routeNodes } from '@/core/route/sceneInput';
import type { RouteInput, RouteResult, TrackPath } from '@/core/route/types';
import type { Point, Rect } from '@/core/scene/geometry';
import { hasSamePath, movedLayout } from '@/core/scene/lineLayout';
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene, SceneLine } from '@/core/scene/scene';
import type { LineDraft } from './interaction';

/** Routing time per frame. */
const FRAME_BUDGET_MS = 8;
/** If more components than this are moved, their lines are straight during the move. */
const MAX_LIVE_NODES = 100;

/** The inputs of routes and labels. */
export interface RouteSource {
  scene: Scene;
  rects: readonly Rect[];
  style: LineStyle;
  nameOf: NameOf;
}

/** The routes of a map while nothing is moved. */
export interface RoutesAtRest extends RouteSource {
  /** The workspace, and the view. */
  mapKey: string;
  input: RouteInput;
  result: RouteResult;
  paths: ReadonlyMap<string, TrackPath>;
  routes: LineRoutes;
  /** Created on first use. */
  live: () => LiveRouter;
}

/** The committed routes, and the routes during a move. */
export interface ShownRoutes {
  /** The scene with the layout of the line that is being changed. */
  scene: Scene;
  atRest: LineRoutes;
  now: LineRoutes;
}

/** The scene in which one line has the layout that it would have after the current gesture. */
export const sceneWithDraft = memoizeLast((scene: Scene, draft: LineDraft | null): Scene => {
  const at = draft ? scene.lines.findIndex(({ id }) => id === draft.id) : -1;
  const line = scene.lines[at];
  if (!draft || !line) return scene;
  return { ...scene, lines: scene.lines.with(at, { ...line, layout: draft.layout }) };
});

/** The routes to draw. `extra` are the routes of lines that are routed only for now. */
export const shownRoutes = memoizeLast(
  (
    rest: RoutesAtRest,
    scene: Scene,
    rects: readonly Rect[],
    extra: ReadonlyMap<string, ExtraRoute>,
  ): ShownRoutes => {
    const { routes } = rest;
    if (!hasSameEnds(rest.scene.lines, scene.lines))
      return { scene, atRest: routes, now: stillValid(rest, scene, rects) };
    const moved = [...rects.keys()].filter((at) => !isSameRect(rects[at] as Rect, rest.rects[at]));
    const changed = changedLines(rest, scene);
    const atRest = withExtra(routes, extra, []);
    if (moved.length + changed.length === 0) return { scene, atRest, now: atRest };
    return { scene, atRest, now: routesAround(rest, scene, rects, { moved, changed, extra }) };
  },
);

/** The route of a line that has none at rest. */
export interface ExtraRoute {
  /** The indexes of its ends. */
  ends: readonly [number, number];
  points: readonly Point[];
}

function withExtra(
  routes: LineRoutes,
  extra: ReadonlyMap<string, ExtraRoute>,
  moved: readonly number[],
): LineRoutes {
  if (extra.size === 0) return routes;
  const points = new Map(routes.points);
  for (const [id, { ends, points: route }] of extra)
    if (!ends.some((end) => moved.includes(end))) points.set(id, route);
  return { ...routes, points };
}

export function isSameRect(one: Rect, other: Rect | undefined): boolean {
  return one.x === other?.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

function hasSameEnds(before: readonly SceneLine[], now: readonly SceneLine[]): boolean {
  if (before === now) return true;
  return (
    before.length === now.length &&
    now.every(({ id, from, to }, at) => {
      const line = before[at] as SceneLine;
      return line.id === id && line.from === from && line.to === to;
    })
  );
}

/** The indexes of lines whose layout is not the one that they were routed with. */
function changedLines(rest: RoutesAtRest, { lines }: Scene): number[] {
  const before = rest.scene.lines;
  if (before === lines) return [];
  return [...lines.keys()].filter((at) => {
    const [was, is] = [before[at]?.layout, lines[at]?.layout];
    return was?.labelAt !== is?.labelAt || !hasSamePath(was, is);
  });
}

interface Affected {
  moved: readonly number[];
  changed: readonly number[];
  extra: ReadonlyMap<string, ExtraRoute>;
}

function routesAround(
  rest: RoutesAtRest,
  scene: Scene,
  rects: readonly Rect[],
  { moved, changed, extra }: Affected,
): LineRoutes {
  const base = withExtra(rest.routes, extra, moved);
  const points = new Map(base.points);
  const labels = new Map(base.labels);
  const affected = new Set<string>();
  const replace = (at: number, route: readonly Point[] | null) => {
    const { id } = scene.lines[at] as SceneLine;
    affected.add(id);
    labels.delete(id);
    if (route) points.set(id, route);
    else points.delete(id);
  };
  for (const [at, route] of changedRoutes(rest, scene, changed)) replace(at, route);
  for (const [at, route] of movedRoutes(rest, scene, rects, moved)) replace(at, route);
  return { ...base, points, labels, affected };
}

/** The routes of lines with a new layout. */
function changedRoutes(
  rest: RoutesAtRest,
  { lines }: Scene,
  changed: readonly number[],
): ReadonlyMap<number, readonly Point[] | null> {
  const routes = new Map<number, readonly Point[] | null>();
  const routed: number[] = [];
  for (const at of changed) {
    const line = lines[at] as SceneLine;
    if (hasSamePath(rest.scene.lines[at]?.layout, line.layout))
      routes.set(at, rest.result.points[at] ?? null);
    else if (isStraightLine(line, rest.style)) routes.set(at, null);
    else routed.push(at);
  }
  const found = rest.live().routeLines(
    routed.map((at) => routeLine(lines[at] as SceneLine, rest.style)),
    new Set(routed),
  );
  for (const [index, at] of routed.entries()) routes.set(at, found[index] ?? null);
  return routes;
}

/** The routes of lines that are attached to moved nodes or blocked by them. */
function movedRoutes(
  rest: RoutesAtRest,
  scene: Scene,
  rects: readonly Rect[],
  moved: readonly number[],
): ReadonlyMap<number, readonly Point[] | null> {
  if (moved.length === 0) return new Map();
  if (moved.length > MAX_LIVE_NODES) {
    const ends = new Set(moved);
    const attached = [...scene.lines.keys()].filter((at) => {
      const { from, to } = scene.lines[at] as SceneLine;
      return ends.has(from) || ends.has(to);
    });
    return new Map(attached.map((at) => [at, null]));
  }
  const end = performance.now() + FRAME_BUDGET_MS;
  const lines = scene.lines.some(({ layout }) => layout)
    ? withMovedWaypoints(rest, scene, rects).map((line) => routeLine(line, rest.style))
    : undefined;
  return rest.live().route(routeNodes(scene, rects), moved, () => performance.now() > end, lines);
}

/** The lines, with waypoints that move with the ends where both ends move by the same distance. */
function withMovedWaypoints(rest: RoutesAtRest, scene: Scene, rects: readonly Rect[]): SceneLine[] {
  const shift = (at: number): Point => {
    const [now, before] = [rects[at] as Rect, rest.rects[at] as Rect];
    return { x: now.x - before.x, y: now.y - before.y };
  };
  const moved = (line: SceneLine): SceneLine => {
    const layout = line.layout && movedLayout(line.layout, shift(line.from), shift(line.to));
    return layout === line.layout ? line : { ...line, layout };
  };
  return scene.lines.map(moved);
}

/** The routes whose ends have not moved, after lines were added or removed. */
function stillValid(rest: RoutesAtRest, scene: Scene, rects: readonly Rect[]): LineRoutes {
  const before = new Map(rest.scene.lines.map((line) => [line.id, line]));
  const points = new Map<string, readonly Point[]>();
  const hasMoved = (now: number, then: number) => !isSameRect(rects[now] as Rect, rest.rects[then]);
  for (const { id, from, to, layout } of scene.lines) {
    const line = before.get(id);
    const route = rest.routes.points.get(id);
    if (!line || !route || !hasSamePath(line.layout, layout)) continue;
    if (!hasMoved(from, line.from) && !hasMoved(to, line.to)) points.set(id, route);
  }
  return { ...rest.routes, points };
}
