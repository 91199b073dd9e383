/** Pointers and selections of other people on the map; also announces those of this window. */

import { MousePointer2 } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Presence as Present } from '@/api/generated';
import { useSession } from '@/api/session';
import { NODE } from '@/core/scene/geometry';
import { announcer } from '@/plan/announce';
import { usePlan } from '@/plan/store';
import { useView, type View } from '@/screens/map/view';
import { colourOf } from '@/ui/Avatar';
import { useCamera } from '../canvas/camera';
import styles from './Presence.module.css';

/** Maximum number of selected ids that the server accepts. */
const MOST_SELECTED = 100;

export function Presence() {
  const layer = useRef<HTMLDivElement>(null);
  const present = usePlan((plan) => plan.present);
  const own = useSession((state) => state.user?.id);
  const others = useMemo(
    () => present.filter(({ user, view }) => user.id !== own && view === 'map'),
    [present, own],
  );
  useEffect(() => announcePointer(layer.current), []);
  useEffect(announceSelection, []);
  useEffect(() => followViewport(layer.current), []);
  return (
    <div className={styles.layer} ref={layer} aria-hidden>
      <div className={styles.map}>
        {others.map((one) => (
          <Other key={one.client} one={one} />
        ))}
      </div>
    </div>
  );
}

function Other({ one: { user, pointer, selected } }: { one: Present }) {
  const components = usePlan((plan) => plan.rows?.component);
  const colour = colourOf(user.id);
  const marks = selected.flatMap(({ kind, id }) => (kind === 'component' ? (components?.get(id) ?? []) : []));
  return (
    <>
      {marks.map(({ id, x, y }, place) => (
        <div
          key={id}
          className={styles.mark}
          style={{ left: x, top: y, width: NODE.width, height: NODE.height, borderColor: colour }}
        >
          {place === 0 && !pointer && (
            <span className={styles.name} style={{ background: colour }}>
              {user.displayName}
            </span>
          )}
        </div>
      ))}
      {pointer && (
        <div className={styles.pointer} style={{ left: pointer.x, top: pointer.y, color: colour }}>
          <div className={styles.upright}>
            <MousePointer2 size={18} fill="currentColor" />
            <span className={styles.name} style={{ background: colour }}>
              {user.displayName}
            </span>
          </div>
        </div>
      )}
    </>
  );
}

/** Moves with the map without rendering again. */
function followViewport(layer: HTMLDivElement | null): () => void {
  const map = layer?.firstElementChild as HTMLElement | null;
  const place = () => {
    if (!map) return;
    const { x, y, zoom } = useCamera.getState().viewport;
    map.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    map.style.setProperty('--upright', String(1 / zoom));
  };
  place();
  return useCamera.subscribe(place);
}

/** The pointer is announced only while it is over the map. */
function announcePointer(layer: HTMLDivElement | null): (() => void) | undefined {
  const around = layer?.parentElement;
  if (!around) return undefined;
  const move = (event: PointerEvent) => {
    const { camera } = useView.getState();
    if (!camera || event.pointerType === 'touch') return;
    const { x, y } = camera.toMap({ x: event.clientX, y: event.clientY });
    announcer()?.tell({ pointer: { x: Math.round(x), y: Math.round(y) } });
  };
  const leave = () => announcer()?.tell({ pointer: null });
  around.addEventListener('pointermove', move, { passive: true });
  around.addEventListener('pointerleave', leave);
  return () => {
    around.removeEventListener('pointermove', move);
    around.removeEventListener('pointerleave', leave);
    leave();
  };
}

function announceSelection(): () => void {
  const tell = ({ selectedComponents, selectedRelationships }: View) => {
    const components = [...selectedComponents].map((id) => ({ kind: 'component', id }));
    const relationships = [...selectedRelationships].map((id) => ({ kind: 'relationship', id }));
    announcer()?.tell({ selected: [...components, ...relationships].slice(0, MOST_SELECTED) });
  };
  tell(useView.getState());
  const stop = useView.subscribe((view, before) => {
    const isSame =
      view.selectedComponents === before.selectedComponents &&
      view.selectedRelationships === before.selectedRelationships;
    if (!isSame) tell(view);
  });
  return () => {
    stop();
    announcer()?.tell({ selected: [] });
  };
}
