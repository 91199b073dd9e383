/** A component on the map, or the title of a box. Elements exist only for what is seen, and only near enough to read. */
import type { NodeProps } from '@xyflow/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import type { SceneNode } from '@/core/scene/scene';
import { type Looks, useLooks } from '@/map/drawing/appearance';
import { isDim } from '@/map/drawing/drawing';
import { MARKS, tonesOf } from '@/map/drawing/highlights';
import { useHold } from '@/map/state/interaction';
import { currentScene } from '@/map/state/scenes';
import { toggleBox } from '@/map/state/selection';
import { type Tone, useView } from '@/map/state/view';
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
  const { id, component, isBox, inside } = node;
  const looks = useLooks();
  const isSelected = useView((view) => view.selectedComponents.has(id));
  const isRenaming = useView((view) => view.renaming === id);
  const tone = useView((view) => tonesOf(currentScene(), view.highlight).get(id));
  const dim = useView((view) => isDim(node, looks, view.highlight, tonesOf(currentScene(), view.highlight)));
  const isTarget = useHold((hold) => hold.wire?.target === id);
  const isFocused = useHold((hold) => hold.focused === id);
  const isMoving = useHold((hold) => hold.moving?.has(id) ?? false);

  const { colour } = looks.lookOf(component);
  return (
    <div
      className={styles.node}
      data-box={isBox || undefined}
      data-folded={(!isBox && inside > 0) || undefined}
      data-selected={isSelected || undefined}
      data-dim={dim || undefined}
      data-tone={tone}
      data-target={isTarget || undefined}
      data-moving={isMoving || undefined}
      style={{ '--hue': colour } as CSSProperties}
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
          onFocus={() => useHold.setState({ focused: id })}
        >
          <span className="unseen">{saidOf(node, lines, looks, tone)}</span>
          <Face node={node} />
        </div>
      )}
      {inside > 0 && !isRenaming && <Fold node={node} isReached={isFocused} />}
      {tone && (
        <span className={styles.mark} aria-hidden>
          {MARKS[tone].sign}
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
function Face({ node: { component, isBox } }: { node: SceneNode }) {
  const looks = useLooks();
  const type = looks.typeOf(component);
  const { label } = looks.lookOf(component);
  const lifecycle = looks.lifecycleOf(component);
  return (
    <>
      <span className={styles.icon}>
        <TypeIcon icon={type.icon} size={isBox ? 18 : 22} />
      </span>
      <span className={styles.text} aria-hidden>
        <span className={styles.name}>{component.name}</span>
        {!isBox && (
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
function saidOf(
  { component, inside }: SceneNode,
  lines: number,
  looks: Looks,
  tone: Tone | undefined,
): string {
  const type = looks.typeOf(component).name;
  const { label } = looks.lookOf(component);
  const lifecycle = looks.lifecycleOf(component)?.name;
  const said = [
    component.name,
    type,
    label !== type && label,
    lifecycle !== label && lifecycle,
    inside > 0 && `contains ${inside}`,
    lines > 0 && `${lines} ${lines === 1 ? 'relationship' : 'relationships'}`,
    tone && MARKS[tone].name,
  ];
  return said.filter(Boolean).join(', ');
}

/** Opens and closes a box. */
function Fold({
  node: { id, component, isBox, inside },
  isReached,
}: {
  node: SceneNode;
  isReached: boolean;
}) {
  return (
    <button
      type="button"
      className={styles.fold}
      tabIndex={isReached ? 0 : -1}
      aria-expanded={isBox}
      onClick={() => toggleBox(id)}
    >
      {isBox ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
      <span className="unseen">{`${isBox ? 'Collapse' : 'Expand'} ${component.name}`}</span>
      <span aria-hidden>{inside}</span>
    </button>
  );
}
