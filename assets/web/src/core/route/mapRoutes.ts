/** Computes the routes and labels of a whole map in one call that can run in a worker, and indexes them by line ID. */
import type { Point, Rect } from '../scene/geometry';
import { flattenPath, linePath } from '../scene/linePath';
import { isRolledUp, rollUpLabel } from '../scene/rollUp';
import type { Scene, SceneLine } from '../scene/scene';
import { LabelPlacer, labelAtPart, type PlacedLabel } from './labels';
import { routeLines } from './route';
import { isStraightLine, type LineStyle, sceneRouteInput } from './sceneInput';
import type { RouteInput, RouteNode, RouteResult, TrackPath } from './types';

export interface RouteTask {
  input: RouteInput;
  /** The label of each line; empty if the line has no label. */
  texts: readonly string[];
  /** The previous paths of the lines. */
  previous: readonly (TrackPath | null)[];
  /** The polylines of lines that are not routed, to place labels on. */
  straight: readonly (readonly Point[] | null)[];
}

export interface RoutedMap extends RouteResult {
  labels: readonly (PlacedLabel | null)[];
}

/** The routes that the map draws. */
export interface LineRoutes {
  style: LineStyle;
  /** Polylines by line ID. Lines without an entry are straight. */
  points: ReadonlyMap<string, readonly Point[]>;
  labels: ReadonlyMap<string, PlacedLabel>;
  /** Lines that are rerouted while components are moved. Their labels have not been placed yet. */
  affected: ReadonlySet<string>;
  /** Places a label that is not shown by default, such as the label of a hovered line. */
  placeLabel: (line: SceneLine, points: readonly Point[], text: string) => PlacedLabel | null;
}

export const NO_ROUTES: LineRoutes = {
  style: 'straight',
  points: new Map(),
  labels: new Map(),
  affected: new Set(),
  placeLabel: () => null,
};

/**
 * In the overview, maps with more lines than this are drawn with straight lines, which are easier to read at that
 * scale.
 */
const MAX_OVERVIEW_ROUTES = 600;

/** The polylines used for drawing and hit testing, by line ID. */
export function visibleRoutes(
  { points }: LineRoutes,
  scene: Scene,
  isOverview: boolean,
): ReadonlyMap<string, readonly Point[]> {
  return isOverview && scene.lines.length > MAX_OVERVIEW_ROUTES ? NO_ROUTES.points : points;
}

/** Returns the name of a relationship type. */
export type NameOf = (typeId: string) => string;

/** The label that is always shown on a line. */
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
    input: sceneRouteInput(scene, rects, style),
    texts: scene.lines.map((line) => lineLabel(line, nameOf)),
    previous: scene.lines.map(({ id }) => previous.get(id) ?? null),
    straight: scene.lines.map((line) =>
      isStraightLine(line, style) ? flattenPath(linePath(scene, rects, line)) : null,
    ),
  };
}

export function routeMap({ input, texts, previous, straight }: RouteTask): RoutedMap {
  const none = input.lines.map(() => null);
  const result = straight.every(Boolean)
    ? { paths: none, points: none, offsets: none }
    : routeLines(input, previous);
  const polylines = result.points.map((points, at) => straight[at] ?? points);
  const labels = new LabelPlacer(input.nodes, polylines).placeAll(
    texts,
    input.lines.map(({ labelAt }) => labelAt),
  );
  return { ...result, labels };
}

/** The paths by line ID, passed to the next routing task. */
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
      const { labelAt } = line.layout ?? {};
      if (labelAt !== undefined) return labelAtPart(polyline, text, labelAt);
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
