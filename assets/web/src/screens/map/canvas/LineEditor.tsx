/** The label and type of a relationship, edited on its line. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { textProblem } from '@/core/model/validation';
import { center } from '@/core/scene/geometry';
import { linePath, middleOfPath } from '@/core/scene/linePath';
import { useAppearance } from '@/map/drawing/appearance';
import { labelRelationship, retypeRelationship } from '@/map/edits/relationships';
import { useCamera } from '@/map/state/camera';
import { panRectIntoView } from '@/map/state/framing';
import { useInteraction } from '@/map/state/interaction';
import { currentRoutes } from '@/map/state/routes';
import { useRects, useScene } from '@/map/state/scenes';
import { focusComponent } from '@/map/state/selection';
import { InlineCombobox } from '@/ui/InlineCombobox';
import { RelationSample } from '@/ui/RelationSample';
import { useWorkspace } from '@/workspace/store';
import styles from './NameEditor.module.css';

/** The size of the editor in pixels. */
const SIZE = { width: 240, height: 76 };
/** Pixels between the line and the editor. The editor is below the line, so that both ends stay in view. */
const GAP = 14;

export function LineEditor({ id }: { id: string }) {
  const row = useWorkspace((state) => state.rows?.relationship.get(id));
  const scene = useScene();
  const rects = useRects();
  const zoom = useCamera((camera) => camera.viewport.zoom);
  const line = scene.lines.find(({ ids }) => ids.includes(id));
  // The relationship was deleted, or became containment, which has no line.
  useEffect(() => {
    if (!row || !line) close();
  }, [row, line]);
  if (!row || !line) return null;
  const routes = currentRoutes().now;
  const label = routes.labels.get(line.id);
  const { x, y } = label
    ? center(label)
    : middleOfPath(linePath(scene, rects, line, routes.points.get(line.id)));
  return (
    <div
      className={styles.line}
      style={{
        transform: `translate(${x}px, ${y}px) scale(${1 / zoom}) translate(-50%, ${GAP}px)`,
        width: SIZE.width,
      }}
      data-own-pointer
    >
      <Fields id={id} label={row.label ?? ''} typeId={row.typeId} at={{ x, y }} />
    </div>
  );
}

function close(): void {
  useInteraction.setState({ editingLine: null });
}

interface FieldsProps {
  id: string;
  label: string;
  typeId: string;
  at: { x: number; y: number };
}

function Fields({ id, label, typeId, at }: FieldsProps) {
  const { relationTypes } = useAppearance();
  const [text, setText] = useState(label);
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const problem = textProblem(text);
  useEffect(() => {
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: pan only when the editor opens
  useEffect(() => {
    const { zoom } = useCamera.getState().viewport;
    const [width, height] = [SIZE.width / zoom, SIZE.height / zoom];
    panRectIntoView({ x: at.x - width / 2, y: at.y, width, height: height + GAP / zoom });
  }, []);
  const items = useMemo(
    () =>
      relationTypes.map(({ id: type, name, color, directed }) => ({
        id: type,
        name,
        icon: <RelationSample color={color} directed={directed} />,
      })),
    [relationTypes],
  );
  const save = () => {
    if (isDone.current || problem) return;
    isDone.current = true;
    labelRelationship(id, text.trim());
    close();
  };
  const finish = () => {
    if (problem) return;
    save();
    focusComponent(null);
  };
  const cancel = () => {
    isDone.current = true;
    close();
    focusComponent(null);
  };
  const onBlur = ({ relatedTarget, currentTarget }: React.FocusEvent<HTMLElement>) => {
    if (!currentTarget.closest('[data-own-pointer]')?.contains(relatedTarget)) save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish();
    if (event.key === 'Escape') cancel();
  };
  return (
    <>
      <input
        ref={input}
        className={styles.input}
        aria-label="Relationship label"
        aria-invalid={Boolean(problem)}
        placeholder="Label"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={onBlur}
        onKeyDown={onKeyDown}
      />
      <InlineCombobox
        label="Relationship type"
        items={items}
        value={typeId}
        onChange={(type) => retypeRelationship(id, type)}
        onEnter={finish}
        onEscape={cancel}
        onBlur={onBlur}
      />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
