/** Converts a scene into the router's input. */

import { textWidth } from '../drawing/textMetrics';
import type { Rect } from '../scene/geometry';
import { isRolledUp } from '../scene/rollUp';
import { GROUP_TITLE_HEIGHT, type Scene, type SceneLine } from '../scene/scene';
import type { RouteInput, RouteLine, RouteNode } from './types';

/** How lines are drawn. */
export type LineStyle = 'routed' | 'straight';

/** Font size of a group's title, and the width of everything in it except the name. */
const TITLE_SIZE = 17;
const TITLE_PADDING = 34;
/** Width of the collapse button. */
const BUTTON_WIDTH = 36;

export function sceneRouteInput(
  scene: Scene,
  rects: readonly Rect[],
  style: LineStyle = 'routed',
): RouteInput {
  return { nodes: routeNodes(scene, rects), lines: scene.lines.map((line) => routeLine(line, style)) };
}

export function routeNodes(scene: Scene, rects: readonly Rect[]): RouteNode[] {
  return scene.nodes.map(({ isGroup, parent, component }, at) => {
    const rect = rects[at] as Rect;
    return { ...rect, isGroup, parent, titles: isGroup ? titleRects(rect, component.name) : [] };
  });
}

/** Whether a line is drawn straight: by its own shape, otherwise by the setting of the viewer. */
export function isStraightLine({ layout }: Pick<SceneLine, 'layout'>, style: LineStyle): boolean {
  return (layout?.shape ?? style) === 'straight';
}

export function routeLine(line: SceneLine, style: LineStyle): RouteLine {
  const { ids, from, to, typeId, label, lane, layout } = line;
  const plain = { from, to, typeId, hasLabel: label !== '' || isRolledUp({ ids }), lane };
  const labelAt = layout?.labelAt === undefined ? {} : { labelAt: layout.labelAt };
  if (isStraightLine(line, style)) return { ...plain, ...labelAt, shape: 'straight' };
  return layout && layout.via.length > 0
    ? { ...plain, ...labelAt, via: layout.via }
    : { ...plain, ...labelAt };
}

/** The areas of a group's title: the name on the left, the collapse button on the right. */
function titleRects({ x, y, width }: Rect, name: string): Rect[] {
  const height = GROUP_TITLE_HEIGHT;
  const named = Math.min(width - 8, TITLE_PADDING + textWidth(name, TITLE_SIZE));
  return [
    { x, y, width: named, height },
    { x: x + width - BUTTON_WIDTH, y, width: BUTTON_WIDTH, height },
  ];
}
