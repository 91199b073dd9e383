/** A component on the map, or the title of a group. Elements exist only for visible components at a readable zoom. */
import type { NodeProps } from '@xyflow/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import { fittingRows, largeNameLines } from '@/core/drawing/card';
import metrics from '@/core/drawing/card.json';
import { shape, shapePath } from '@/core/drawing/shapes';
import { logosOf } from '@/core/model/technology';
import type { CardSize } from '@/core/scene/cardSizes';
import type { SceneNode } from '@/core/scene/scene';
import { initials } from '@/core/text';
import { type MapAppearance, noteOf, useAppearance } from '@/map/drawing/appearance';
import { isDimmed } from '@/map/drawing/drawing';
import type { NodeData } from '@/map/drawing/flowNodes';
import { HIGHLIGHT_MARKS, nodeHighlights } from '@/map/drawing/highlights';
import { useInteraction } from '@/map/state/interaction';
import { displayedRelated } from '@/map/state/related';
import { currentScene } from '@/map/state/scenes';
import { toggleGroup } from '@/map/state/selection';
import { type HighlightKind, useView } from '@/map/state/view';
import { cardStyle } from '@/ui/cardStyle';
import { TechnologyIcon } from '@/ui/TechnologyIcon';
import { TypeIcon } from '@/ui/TypeIcon';
import styles from './ComponentNode.module.css';
import { NameEditor } from './NameEditor';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;

function ComponentNodeView({ data }: NodeProps) {
  const { node, lines, card } = data as NodeData;
  const { id, component, isGroup, inside } = node;
  const appearance = useAppearance();
  const isSelected = useView((view) => view.selectedComponents.has(id));
  const isRenaming = useView((view) => view.renaming === id);
  const tone = useView((view) => nodeHighlights(currentScene(), view.highlight).get(id));
  const dim = useView((view) =>
    isDimmed(node, appearance, view.highlight, nodeHighlights(currentScene(), view.highlight)),
  );
  const isDragging = useInteraction((interaction) => interaction.moving !== null);
  const isUnrelated = useView((view) => displayedRelated(view, isDragging)?.has(id) === false);
  const isTarget = useInteraction((interaction) => interaction.connecting?.target === id);
  const isFocused = useInteraction((interaction) => interaction.focused === id);
  const isMoving = useInteraction((interaction) => interaction.moving?.has(id) ?? false);

  const { color } = appearance.componentAppearance(component);
  return (
    <div
      className={styles.node}
      data-group={isGroup || undefined}
      data-collapsed={(!isGroup && inside > 0) || undefined}
      data-selected={isSelected || undefined}
      data-dim={dim || undefined}
      data-unrelated={isUnrelated || undefined}
      data-tone={tone}
      data-target={isTarget || undefined}
      data-moving={isMoving || undefined}
      style={cardStyle(color)}
      title={component.name}
    >
      {card && <CardShape card={card} />}
      {isRenaming ? (
        <NameEditor id={id} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: can be dragged and has content that buttons must not contain
        <div
          role="button"
          className={styles.body}
          style={card ? insetStyle(card) : undefined}
          data-component={id}
          tabIndex={isFocused ? 0 : -1}
          aria-pressed={isSelected}
          onFocus={() => useInteraction.setState({ focused: id })}
        >
          <span className="unseen">{nodeLabel(node, lines, card, appearance, tone)}</span>
          {card ? <CardFace node={node} card={card} /> : <GroupTitle node={node} />}
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

export const ComponentNode = memo(ComponentNodeView, (a, b) => a.data === b.data);

/** The shape behind the text. */
function CardShape({ card: { width, height, content } }: { card: CardSize }) {
  const path = (part: 'outline' | 'detail' | 'figure') => shapePath(content.shape, part, width, height);
  const { dash, detail, figure } = shape(content.shape);
  return (
    <svg className={styles.shape} width={width} height={height} aria-hidden>
      <path className={styles.outline} d={path('outline')} strokeDasharray={dash?.join(' ')} />
      {detail && <path className={styles.detail} d={path('detail')} />}
      {figure && <path className={styles.figure} d={path('figure')} />}
    </svg>
  );
}

function insetStyle({ content }: CardSize): CSSProperties {
  const { top, right, bottom, left } = shape(content.shape).inset;
  return { padding: `${top}px ${right}px ${bottom}px ${left}px` };
}

/** The content of a card. Style sheets hide parts of it at medium zoom. */
function CardFace({ node: { component }, card }: { node: SceneNode; card: CardSize }) {
  const appearance = useAppearance();
  const type = appearance.typeOf(component);
  const lifecycle = card.content.hasLifecycle ? appearance.lifecycleOf(component) : null;
  const owner = card.content.hasOwner ? appearance.ownerOf(component) : undefined;
  const { nameLines, hasNote, descriptionLines } = fittingRows(card.content, card);
  const nameStyle = {
    '--lines': nameLines,
    '--large-lines': largeNameLines(card.content, card).length,
  } as CSSProperties;
  const note = noteOf(appearance, component, card.content);
  return (
    <span className={styles.face} aria-hidden>
      <span className={styles.head}>
        {!shape(card.content.shape).figure && (
          <span className={styles.icon}>
            <TechnologyIcon technologies={logosOf(type, component)} size={metrics.icon.size}>
              <TypeIcon icon={type.icon} size={metrics.icon.size} />
            </TechnologyIcon>
          </span>
        )}
        <span className={styles.text}>
          <span className={styles.name} style={nameStyle}>
            {component.name}
          </span>
          {hasNote && (
            <span className={styles.noteRow}>
              {lifecycle && (
                <span className={styles.lifecycle} data-lifecycle={lifecycle.id} title={lifecycle.name} />
              )}
              <span className={styles.note}>{note}</span>
              {owner && (
                <span className={styles.owner} style={cardStyle(owner.color)} title={`Owner: ${owner.name}`}>
                  {initials(owner.name)}
                </span>
              )}
            </span>
          )}
        </span>
      </span>
      {descriptionLines > 0 && (
        <span className={styles.description} style={{ WebkitLineClamp: descriptionLines }}>
          {card.content.description}
        </span>
      )}
    </span>
  );
}

function GroupTitle({ node: { component } }: { node: SceneNode }) {
  const type = useAppearance().typeOf(component);
  return (
    <span className={styles.title} aria-hidden>
      <span className={styles.icon}>
        <TypeIcon icon={type.icon} size={18} />
      </span>
      <span className={styles.titleName}>{component.name}</span>
    </span>
  );
}

/** The label for screen readers. */
function nodeLabel(
  { component, inside }: SceneNode,
  lines: number,
  card: CardSize | null,
  appearance: MapAppearance,
  tone: HighlightKind | undefined,
): string {
  const type = appearance.typeOf(component).name;
  const { label } = appearance.componentAppearance(component);
  const lifecycle = appearance.lifecycleOf(component)?.name;
  const owner = card?.content.hasOwner ? appearance.ownerOf(component) : undefined;
  const parts = [
    component.name,
    type,
    label !== type && label,
    lifecycle !== label && lifecycle,
    inside > 0 && `contains ${inside}`,
    lines > 0 && `${lines} ${lines === 1 ? 'relationship' : 'relationships'}`,
    owner && owner.name !== label && `owner ${owner.name}`,
    tone && HIGHLIGHT_MARKS[tone].name,
  ];
  return parts.filter(Boolean).join(', ');
}

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
