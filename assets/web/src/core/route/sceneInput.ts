/** Converts a scene into the router's input. */

import { textWidth } from '../drawing/textMetrics';
import type { Rect } from '../scene/geometry';
import { isRolledUp } from '../scene/rollUp';
import { GROUP_TITLE_HEIGHT, type Scene } from '../scene/scene';
import type { RouteInput } from './types';

/** Font size of a group's title, and the width of everything in it except the name. */
const TITLE_SIZE = 17;
const TITLE_PADDING = 34;
/** Width of the collapse button. */
const BUTTON_WIDTH = 36;

export function sceneRouteInput(scene: Scene, rects: readonly Rect[]): RouteInput {
  return {
    nodes: scene.nodes.map(({ isGroup, parent, component }, at) => {
      const rect = rects[at] as Rect;
      return { ...rect, isGroup, parent, titles: isGroup ? titleRects(rect, component.name) : [] };
    }),
    lines: scene.lines.map(({ ids, from, to, typeId, label, lane }) => ({
      from,
      to,
      typeId,
      hasLabel: label !== '' || isRolledUp({ ids }),
      lane,
    })),
  };
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
