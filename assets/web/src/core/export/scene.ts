/** Converts the map as it is shown to plain shapes, from which images are drawn. */
import type { Component } from '@/api/generated';
import type { CardContent, Size } from '../drawing/card';
import type { PlacedLabel } from '../route/labels';
import type { LineRoutes } from '../route/mapRoutes';
import rules from '../route/rules.json';
import type { CardSizes } from '../scene/cardSizes';
import { boundingBox, expandRect, type Rect } from '../scene/geometry';
import { type LinePath, linePath } from '../scene/linePath';
import type { Scene, SceneLine, SceneNode } from '../scene/scene';
import { type ExportNote, noteArea } from './notes';

/** The map as it is shown. */
export interface ShownMap {
  name: string;
  scene: Scene;
  rects: readonly Rect[];
  cards: CardSizes;
  routes: Pick<LineRoutes, 'points' | 'labels'>;
  look: ShownLook;
  /** The exported notes, in drawing order. */
  notes?: readonly ExportNote[];
  /** Whether a component is exported. By default, all are. */
  isIncluded?: (id: string) => boolean;
}

/** The appearance of components and lines with the current lens and filters. */
export interface ShownLook {
  component: (component: Component, content: CardContent | null) => ComponentLook;
  line: (typeId: string) => LineLook;
  isLineShown: (typeId: string) => boolean;
}

export interface ComponentLook {
  /** The color of its type or lens. */
  color: string;
  note: string;
  /** SVG elements in a 24 × 24 view box, drawn in `currentColor`. */
  icon: string;
  /** The ID of the lifecycle state. */
  lifecycle?: string | undefined;
  owner?: { initials: string; color: string } | undefined;
  isDimmed: boolean;
}

export interface LineLook {
  color: string;
  directed: boolean;
}

export interface ExportGroup extends ComponentLook {
  id: string;
  name: string;
  rect: Rect;
}

export interface ExportCard extends ComponentLook {
  id: string;
  rect: Rect;
  content: CardContent;
}

export interface ExportLine extends LineLook {
  id: string;
  path: LinePath;
  label: PlacedLabel | null;
  /** Long lines of dense maps are faint. */
  isFaint: boolean;
}

export interface ExportScene {
  name: string;
  bounds: Rect;
  /** Outermost first. */
  groups: readonly ExportGroup[];
  lines: readonly ExportLine[];
  cards: readonly ExportCard[];
  notes: readonly ExportNote[];
}

/** Margin around the drawing. */
const MARGIN = 40;
const EMPTY_SIZE: Size = { width: 400, height: 200 };

export function toExportScene(map: ShownMap): ExportScene {
  const { name, scene, rects, cards, look, notes = [] } = map;
  const included = includedNodes(map);
  const groups: ExportGroup[] = [];
  const drawn: ExportCard[] = [];
  for (const [at, { id, component, isGroup }] of scene.nodes.entries()) {
    if (!included.has(at)) continue;
    const rect = rects[at] as Rect;
    const content = cards[at]?.content ?? null;
    const shown = look.component(component, content);
    if (isGroup) groups.push({ id, name: component.name, rect, ...shown });
    else if (content) drawn.push({ id, rect, content, ...shown });
  }
  const lines = linesOf(map, included);
  const areas = notes.map((note) => ({ rect: noteArea(note) }));
  const bounds = boundsOf([...groups, ...drawn, ...areas], lines);
  return { name, bounds, groups, lines, cards: drawn, notes };
}

/** The nodes to draw. The contents of an exported group are exported too. */
function includedNodes({ scene, isIncluded = () => true }: ShownMap): ReadonlySet<number> {
  const included = new Set<number>();
  const isIn = ({ id, parent }: SceneNode) => isIncluded(id) || included.has(parent);
  for (const [at, node] of scene.nodes.entries()) if (isIn(node)) included.add(at);
  return included;
}

function linesOf({ scene, rects, routes, look }: ShownMap, included: ReadonlySet<number>): ExportLine[] {
  const isDense = scene.lines.length > rules.limits.denseMapLines && routes.points.size > 0;
  const isShown = ({ from, to, types }: SceneLine) =>
    included.has(from) && included.has(to) && types.some(({ typeId }) => look.isLineShown(typeId));
  return scene.lines.filter(isShown).map((line) => {
    const { id, typeId } = line;
    const route = routes.points.get(id);
    return {
      id,
      path: linePath(scene, rects, line, route),
      label: routes.labels.get(id) ?? null,
      isFaint: isDense && !route,
      ...look.line(typeId),
    };
  });
}

function boundsOf(nodes: readonly { rect: Rect }[], lines: readonly ExportLine[]): Rect {
  const points = lines.flatMap(({ path }) => path.points.map(({ x, y }) => ({ x, y, width: 0, height: 0 })));
  const labels = lines.flatMap(({ label }) => label ?? []);
  const drawn = boundingBox([...nodes.map(({ rect }) => rect), ...points, ...labels]);
  return drawn ? expandRect(drawn, MARGIN) : { x: -MARGIN, y: -MARGIN, ...EMPTY_SIZE };
}
