/** The handles of the selected line: waypoints, pieces between bends, and the label. */
import type { PlacedLabel } from '@/core/route/labels';
import { visibleRoutes } from '@/core/route/mapRoutes';
import type { Point } from '@/core/scene/geometry';
import { type LineLayout, NO_LAYOUT } from '@/core/scene/lineLayout';
import { flattenPath, linePath } from '@/core/scene/linePath';
import type { Scene, SceneLine } from '@/core/scene/scene';
import { canEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { useCamera } from './camera';
import { useInteraction } from './interaction';
import { currentRoutes } from './routes';
import { currentRects, currentScene } from './scenes';
import { useView } from './view';

export interface EditedLine {
  line: SceneLine;
  layout: LineLayout;
  /** The drawn line as a polyline. */
  points: readonly Point[];
  /** The label, if one is drawn. */
  label: PlacedLabel | null;
}

/** The line whose layout can be edited: of the only selected item, if it is a visible relationship. */
export function editableLine(scene: Scene): SceneLine | null {
  const { selectedComponents, selectedRelationships } = useView.getState();
  const { preview, editingLine, moving } = useInteraction.getState();
  const [id] = selectedRelationships;
  if (id === undefined || selectedRelationships.size !== 1 || selectedComponents.size > 0) return null;
  if (preview || editingLine || moving || !canEdit() || useCamera.getState().isOverview) return null;
  const line = scene.lines.find((one) => one.id === id);
  const row = useWorkspace.getState().rows?.relationship.get(id);
  if (!line || !row || line.ids.length > 1 || line.from === line.to) return null;
  const isBetween = scene.nodes[line.from]?.id === row.sourceId && scene.nodes[line.to]?.id === row.targetId;
  return isBetween ? line : null;
}

/** The selected line as drawn. `textOf` returns the text of its label; by default, only the path is returned. */
export function editedLine(textOf?: (line: SceneLine) => string): EditedLine | null {
  if (!editableLine(currentScene())) return null;
  const { scene, now } = currentRoutes();
  const line = editableLine(scene);
  if (!line) return null;
  const route = visibleRoutes(now, scene, false).get(line.id);
  const points = flattenPath(linePath(scene, currentRects(), line, route));
  const known = line.label ? now.labels.get(line.id) : undefined;
  const label = known ?? (textOf ? now.placeLabel(line, points, textOf(line)) : null);
  return { line, layout: line.layout ?? NO_LAYOUT, points, label };
}
