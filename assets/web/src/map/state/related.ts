/** The nodes related to the selection; all others are dimmed. */
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene } from '@/core/scene/scene';
import { currentScene } from './scenes';
import type { View } from './view';

/**
 * The visible components that are selected, contained in selected groups, or connected to those by a relationship, with
 * the groups that contain them. Null if nothing is selected.
 */
export const relatedToSelection = memoizeLast(
  (
    scene: Scene,
    components: ReadonlySet<string>,
    relationships: ReadonlySet<string>,
  ): ReadonlySet<string> | null => {
    if (components.size + relationships.size === 0) return null;
    const isOwn = scene.nodes.map(({ id }) => components.has(id));
    // Groups come before their contents.
    for (const [index, { parent }] of scene.nodes.entries()) if (isOwn[parent]) isOwn[index] = true;
    const related = new Set<number>();
    for (const [index, own] of isOwn.entries()) if (own) related.add(index);
    for (const { from, to, ids } of scene.lines) {
      if (!isOwn[from] && !isOwn[to] && !ids.some((id) => relationships.has(id))) continue;
      related.add(from).add(to);
    }
    for (const index of related) {
      const parent = scene.nodes[index]?.parent ?? -1;
      if (parent >= 0) related.add(parent);
    }
    return new Set([...related].map((index) => scene.nodes[index]?.id ?? ''));
  },
);

/**
 * Like `relatedToSelection`, but null if nothing should be dimmed: during a drag, or while other items are highlighted.
 */
export function displayedRelated(
  view: Pick<View, 'selectedComponents' | 'selectedRelationships' | 'highlight'>,
  isDragging: boolean,
): ReadonlySet<string> | null {
  if (isDragging || view.highlight) return null;
  return relatedToSelection(currentScene(), view.selectedComponents, view.selectedRelationships);
}
