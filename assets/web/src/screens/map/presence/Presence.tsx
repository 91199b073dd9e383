/** Pointers and selections of other people on the map; also announces those of this window. */

import { MousePointer2 } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Presence as Present } from '@/api/generated';
import { useSession } from '@/api/session';
import { MAX_SELECTED_ITEMS } from '@/core/limits';
import { useCamera } from '@/map/state/camera';
import { useNotes } from '@/map/state/notes';
import { useViewAddress } from '@/map/state/openView';
import { useRects, useScene } from '@/map/state/scenes';
import { useView, type View } from '@/map/state/view';
import { avatarColor } from '@/ui/Avatar';
import { presenceAnnouncer } from '@/workspace/presence';
import { useWorkspace } from '@/workspace/store';
import styles from './Presence.module.css';

export function Presence() {
  const layer = useRef<HTMLDivElement>(null);
  const present = useWorkspace((state) => state.present);
  const own = useSession((state) => state.user?.id);
  const address = useViewAddress();
  // Positions in another view mean nothing here.
  const shown = address === null ? 'map' : `v/${address}`;
  const others = useMemo(
    () => present.filter(({ user, view }) => user.id !== own && view === shown),
    [present, own, shown],
  );
  useEffect(() => announcePointer(layer.current), []);
  useEffect(announceSelection, []);
  useEffect(() => followViewport(layer.current), []);
  return (
    <div className={styles.layer} ref={layer} aria-hidden>
      <div className={styles.map}>
        {others.map((presence) => (
          <OtherUser key={presence.client} presence={presence} />
        ))}
      </div>
    </div>
  );
}

function OtherUser({ presence: { user, pointer, selected } }: { presence: Present }) {
  const scene = useScene();
  const rects = useRects();
  const notes = useNotes();
  const noteRects = useMemo(() => new Map(notes.map(({ note, rect }) => [`note/${note.id}`, rect])), [notes]);
  const color = avatarColor(user.id);
  const marks = selected.flatMap(({ kind, id }) => {
    const rect = kind === 'component' ? rects[scene.indexOf.get(id) ?? -1] : noteRects.get(`${kind}/${id}`);
    return rect ? [{ key: `${kind}/${id}`, rect }] : [];
  });
  return (
    <>
      {marks.map(({ key, rect }, place) => (
        <div
          key={key}
          className={styles.mark}
          style={{ left: rect.x, top: rect.y, width: rect.width, height: rect.height, borderColor: color }}
        >
          {place === 0 && !pointer && (
            <span className={styles.name} style={{ background: color }}>
              {user.displayName}
            </span>
          )}
        </div>
      ))}
      {pointer && (
        <div className={styles.pointer} style={{ left: pointer.x, top: pointer.y, color: color }}>
          <div className={styles.upright}>
            <MousePointer2 size={18} fill="currentColor" />
            <span className={styles.name} style={{ background: color }}>
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
    presenceAnnouncer()?.update({ pointer: { x: Math.round(x), y: Math.round(y) } });
  };
  const leave = () => presenceAnnouncer()?.update({ pointer: null });
  around.addEventListener('pointermove', move, { passive: true });
  around.addEventListener('pointerleave', leave);
  return () => {
    around.removeEventListener('pointermove', move);
    around.removeEventListener('pointerleave', leave);
    leave();
  };
}

function announceSelection(): () => void {
  const tell = ({ selectedComponents, selectedRelationships, selectedNotes }: View) => {
    const components = [...selectedComponents].map((id) => ({ kind: 'component', id }));
    const relationships = [...selectedRelationships].map((id) => ({ kind: 'relationship', id }));
    const notes = [...selectedNotes].map((id) => ({ kind: 'note', id }));
    const selected = [...components, ...relationships, ...notes].slice(0, MAX_SELECTED_ITEMS);
    presenceAnnouncer()?.update({ selected });
  };
  tell(useView.getState());
  const stop = useView.subscribe((view, before) => {
    const isSame =
      view.selectedComponents === before.selectedComponents &&
      view.selectedRelationships === before.selectedRelationships &&
      view.selectedNotes === before.selectedNotes;
    if (!isSame) tell(view);
  });
  return () => {
    stop();
    presenceAnnouncer()?.update({ selected: [] });
  };
}
