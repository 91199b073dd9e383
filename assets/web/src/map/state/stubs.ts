/** The neighbors outside of the open view, and where they are drawn. */
import type { Rect } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene } from '@/core/scene/scene';
import type { Rows } from '@/core/sync/rows';
import type { ViewStub } from '@/core/views/resolve';
import { type PlacedStub, placeStubs } from '@/core/views/stubPlaces';
import { useWorkspace } from '@/workspace/store';
import { committedRects, currentScene, useScene } from './scenes';
import { viewContents } from './viewContents';

const NONE: readonly PlacedStub[] = [];

const placed = memoizeLast(
  (
    stubs: readonly ViewStub[],
    scene: Scene,
    rects: readonly Rect[],
    relationship: Rows['relationship'],
  ): readonly PlacedStub[] =>
    placeStubs(stubs, rects, ({ componentId, relationshipIds }) =>
      relationshipIds.flatMap((id) => {
        const row = relationship.get(id);
        const member = row?.sourceId === componentId ? row.targetId : row?.sourceId;
        return rects[scene.indexOf.get(member ?? '') ?? -1] ?? [];
      }),
    ),
);

/** The positions do not follow the current drag. */
export function currentStubs(): readonly PlacedStub[] {
  const contents = viewContents();
  const { rows } = useWorkspace.getState();
  if (!contents || !rows || contents.stubs.length === 0) return NONE;
  return placed(contents.stubs, currentScene(), committedRects(), rows.relationship);
}

export function useStubs(): readonly PlacedStub[] {
  useScene();
  return currentStubs();
}
