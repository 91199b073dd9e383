/** The routes and labels of a whole map, computed in one step so that a worker can do it, and by line ID for drawing. */
import type { Point, Rect } from '../scene/geometry';
import { flattenPath, linePath } from '../scene/linePath';
import { isRolledUp, rollUpLabel } from '../scene/rollUp';
import type { Scene, SceneLine } from '../scene/scene';
import { LabelPlacer, type PlacedLabel } from './labels';
import { routeLines } from './route';
import { sceneRouteInput } from './sceneInput';
import type { RouteInput, RouteNode, RouteResult, TrackPath } from './types';

/** How lines are drawn. */
export type LineStyle = 'routed' | 'straight';

export interface RouteTask {
  input: RouteInput;
  /** The label of each line, empty without one. */
  texts: readonly string[];
  /** The paths that lines had before. */
  previous: readonly (TrackPath | null)[];
  /** Polylines to place labels on instead of routing. */
  straight: readonly (readonly Point[])[] | null;
}

export interface RoutedMap extends RouteResult {
  labels: readonly (PlacedLabel | null)[];
}

/** What the map draws lines from. */
export interface LineRoutes {
  style: LineStyle;
  /** Polylines by line ID; a line without one is straight. */
  points: ReadonlyMap<string, readonly Point[]>;
  labels: ReadonlyMap<string, PlacedLabel>;
  /** Lines that make way for components that are being moved. Their labels have no place yet. */
  affected: ReadonlySet<string>;
  /** Finds a place for a label that has none, such as that of a hovered line. */
  placeLabel: (line: SceneLine, points: readonly Point[], text: string) => PlacedLabel | null;
}

export const NO_ROUTES: LineRoutes = {
  style: 'straight',
  points: new Map(),
  labels: new Map(),
  affected: new Set(),
  placeLabel: () => null,
};

/** In the overview of a map with more lines than this, straight lines show more than routes. */
const MAX_OVERVIEW_ROUTES = 600;

/** The polylines to draw and to hit, by line ID. */
export function visibleRoutes(
  { points }: LineRoutes,
  scene: Scene,
  isOverview: boolean,
): ReadonlyMap<string, readonly Point[]> {
  return isOverview && scene.lines.length > MAX_OVERVIEW_ROUTES ? NO_ROUTES.points : points;
}

/** The name of a relationship type. */
export type NameOf = (typeId: string) => string;

/** The text that is always written on a line. */
function lineLabel(line: SceneLine, nameOf: NameOf): string {
  return isRolledUp(line) ? rollUpLabel(line.types, nameOf) : line.label;
}

export function routeTask(
  scene: Scene,
  rects: readonly Rect[],
  style: LineStyle,
  previous: ReadonlyMap<string, TrackPath>,
  nameOf: NameOf,
): RouteTask {
  return {
    input: sceneRouteInput(scene, rects),
    texts: scene.lines.map((line) => lineLabel(line, nameOf)),
    previous: scene.lines.map(({ id }) => previous.get(id) ?? null),
    straight:
      style === 'straight' ? scene.lines.map((line) => flattenPath(linePath(scene, rects, line))) : null,
  };
}

export function routeMap({ input, texts, previous, straight }: RouteTask): RoutedMap {
  const none = input.lines.map(() => null);
  const result = straight ? { paths: none, points: none, offsets: none } : routeLines(input, previous);
  const labels = new LabelPlacer(input.nodes, straight ?? result.points).placeAll(
    texts,
    input.lines.map(({ labelAt }) => labelAt),
  );
  return { ...result, labels };
}

/** The paths by line ID, for the next task. */
export function pathsById(scene: Scene, { paths }: RoutedMap): Map<string, TrackPath> {
  return byId(scene.lines, paths);
}

export function lineRoutes(
  scene: Scene,
  nodes: readonly RouteNode[],
  { points, labels }: RoutedMap,
  style: LineStyle,
): LineRoutes {
  const indexes = new Map(scene.lines.map(({ id }, at) => [id, at]));
  let placer: LabelPlacer | null = null;
  return {
    style,
    points: byId(scene.lines, points),
    labels: byId(scene.lines, labels),
    affected: NO_ROUTES.affected,
    placeLabel: (line, polyline, text) => {
      placer ??= new LabelPlacer(nodes, points, labels);
      return placer.placeOn(polyline, text, indexes.get(line.id) ?? -1, true);
    },
  };
}

function byId<T>(lines: readonly SceneLine[], values: readonly (T | null)[]): Map<string, T> {
  const map = new Map<string, T>();
  for (const [at, value] of values.entries()) if (value !== null) map.set((lines[at] as SceneLine).id, value);
  return map;
}
