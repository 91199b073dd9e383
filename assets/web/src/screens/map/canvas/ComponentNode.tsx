/** A component on the map, or the title of a box. Elements exist only for what is seen, and only near enough to read. */
import type { NodeProps } from '@xyflow/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import type { SceneNode } from '@/core/scene/scene';
import { type MapAppearance, useAppearance } from '@/map/drawing/appearance';
import { isDimmed } from '@/map/drawing/drawing';
import { HIGHLIGHT_MARKS, nodeHighlights } from '@/map/drawing/highlights';
import { useInteraction } from '@/map/state/interaction';
import { currentScene } from '@/map/state/scenes';
import { toggleGroup } from '@/map/state/selection';
import { type HighlightKind, useView } from '@/map/state/view';
import { TypeIcon } from '@/ui/TypeIcon';
import styles from './ComponentNode.module.css';
import { NameEditor } from './NameEditor';

export interface NodeData extends Record<string, unknown> {
  node: SceneNode;
  /** Lines that begin or end here. */
  lines: number;
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const;

function ComponentNodeView({ data }: NodeProps) {
  const { node, lines } = data as NodeData;
  const { id, component, isGroup, inside } = node;
  const appearance = useAppearance();
  const isSelected = useView((view) => view.selectedComponents.has(id));
  const isRenaming = useView((view) => view.renaming === id);
  const tone = useView((view) => nodeHighlights(currentScene(), view.highlight).get(id));
  const dim = useView((view) =>
    isDimmed(node, appearance, view.highlight, nodeHighlights(currentScene(), view.highlight)),
  );
  const isTarget = useInteraction((interaction) => interaction.connecting?.target === id);
  const isFocused = useInteraction((interaction) => interaction.focused === id);
  const isMoving = useInteraction((interaction) => interaction.moving?.has(id) ?? false);

  const { color } = appearance.componentAppearance(component);
  return (
    <div
      className={styles.node}
      data-box={isGroup || undefined}
      data-folded={(!isGroup && inside > 0) || undefined}
      data-selected={isSelected || undefined}
      data-dim={dim || undefined}
      data-tone={tone}
      data-target={isTarget || undefined}
      data-moving={isMoving || undefined}
      style={{ '--hue': color } as CSSProperties}
      title={component.name}
    >
      {isRenaming ? (
        <NameEditor id={id} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a button that is dragged and holds what buttons may not
        <div
          role="button"
          className={styles.body}
          data-component={id}
          tabIndex={isFocused ? 0 : -1}
          aria-pressed={isSelected}
          onFocus={() => useInteraction.setState({ focused: id })}
        >
          <span className="unseen">{nodeLabel(node, lines, appearance, tone)}</span>
          <NodeFace node={node} />
        </div>
      )}
      {inside > 0 && !isRenaming && <CollapseButton node={node} isReached={isFocused} />}
      {tone && (
        <span className={styles.mark} aria-hidden>
          {HIGHLIGHT_MARKS[tone].sign}
        </span>
      )}
      {!isRenaming &&
        SIDES.map((side) => (
          <span key={side} className={styles.handle} data-side={side} data-handle={id} aria-hidden />
        ))}
    </div>
  );
}

export const ComponentNode = memo(ComponentNodeView, (one, other) => one.data === other.data);

/** What is seen of it: its icon, its name, and what it is. */
function NodeFace({ node: { component, isGroup } }: { node: SceneNode }) {
  const appearance = useAppearance();
  const type = appearance.typeOf(component);
  const { label } = appearance.componentAppearance(component);
  const lifecycle = appearance.lifecycleOf(component);
  return (
    <>
      <span className={styles.icon}>
        <TypeIcon icon={type.icon} size={isGroup ? 18 : 22} />
      </span>
      <span className={styles.text} aria-hidden>
        <span className={styles.name}>{component.name}</span>
        {!isGroup && (
          <span className={styles.kind}>
            {label === type.name ? '' : `${label} · `}
            {type.name}
            {lifecycle && (
              <span className={styles.lifecycle} data-lifecycle={lifecycle.id}>
                {lifecycle.name}
              </span>
            )}
          </span>
        )}
      </span>
    </>
  );
}

/** What is said of it to whoever does not see it. */
function nodeLabel(
  { component, inside }: SceneNode,
  lines: number,
  appearance: MapAppearance,
  tone: HighlightKind | undefined,
): string {
  const type = appearance.typeOf(component).name;
  const { label } = appearance.componentAppearance(component);
  const lifecycle = appearance.lifecycleOf(component)?.name;
  const said = [
    component.name,
    type,
    label !== type && label,
    lifecycle !== label && lifecycle,
    inside > 0 && `contains ${inside}`,
    lines > 0 && `${lines} ${lines === 1 ? 'relationship' : 'relationships'}`,
    tone && HIGHLIGHT_MARKS[tone].name,
  ];
  return said.filter(Boolean).join(', ');
}

/** Opens and closes a box. */
function CollapseButton({
  node: { id, component, isGroup, inside },
  isReached,
}: {
  node: SceneNode;
  isReached: boolean;
}) {
  return (
    <button
      type="button"
      className={styles.collapse}
      tabIndex={isReached ? 0 : -1}
      aria-expanded={isGroup}
      onClick={() => toggleGroup(id)}
    >
      {isGroup ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
      <span className="unseen">{`${isGroup ? 'Collapse' : 'Expand'} ${component.name}`}</span>
      <span aria-hidden>{inside}</span>
    </button>
  );
}
