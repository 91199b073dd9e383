/** A search field below a component, which selects the component to connect it to. */
import { useEffect } from 'react';
import { connect } from '@/map/edits/relationships';
import { useCamera } from '@/map/state/camera';
import { panRectIntoView } from '@/map/state/framing';
import { useInteraction } from '@/map/state/interaction';
import { useRects, useScene } from '@/map/state/scenes';
import { focusComponent } from '@/map/state/selection';
import { useModel } from '@/workspace/model';
import { ComponentPicker } from '../inspector/Pickers';
import styles from './NameEditor.module.css';

/** The size of the picker with its list in pixels. */
const SIZE = { width: 280, height: 340 };
/** Pixels between the component and the picker. */
const GAP = 8;

export function ConnectPicker({ from }: { from: string }) {
  const model = useModel();
  const scene = useScene();
  const rects = useRects();
  const rect = scene.hidden.has(from) ? undefined : rects[scene.indexOf.get(from) ?? -1];
  const zoom = useCamera(({ viewport }) => viewport.zoom);
  const name = model?.rows.component.get(from)?.name;
  // The component was deleted, or hidden by collapsing its group.
  const isGone = name === undefined || rect === undefined;
  useEffect(() => {
    if (isGone) close();
  }, [isGone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: pan only when the picker opens
  useEffect(() => {
    if (!rect) return;
    const [width, height] = [SIZE.width / zoom, (SIZE.height + GAP) / zoom];
    panRectIntoView({ x: rect.x, y: rect.y, width, height: rect.height + height });
  }, []);
  if (isGone || !model) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles events of the field in it
    <div
      className={styles.connect}
      style={{
        transform: `translate(${rect.x}px, ${rect.y + rect.height}px) scale(${1 / zoom}) translateY(${GAP}px)`,
        width: SIZE.width,
      }}
      data-own-pointer
      onKeyDown={(event) => event.stopPropagation()}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      <ComponentPicker
        label={`Connect ${name} to`}
        model={model}
        autoFocus
        onChoose={(to) => {
          close();
          connect(from, to);
        }}
        onLeave={() => {
          close();
          focusComponent(from);
        }}
      />
    </div>
  );
}

function close(): void {
  useInteraction.setState({ connectingFrom: null });
}
