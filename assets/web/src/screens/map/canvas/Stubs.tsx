/** Neighbors outside of the open view: faint, at its edge. One click adds them, another one goes there. */
import { ViewportPortal } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { addToView } from '@/map/edits/views';
import { useCamera } from '@/map/state/camera';
import { useOpenView } from '@/map/state/openView';
import { useStubs } from '@/map/state/stubs';
import { goToView } from '@/map/state/viewNavigation';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import styles from './ViewMarks.module.css';

export function Stubs() {
  const stubs = useStubs();
  const open = useOpenView();
  const canEdit = useCanEdit();
  const isOverview = useCamera((camera) => camera.isOverview);
  const component = useWorkspace((state) => state.rows?.component);
  if (stubs.length === 0 || isOverview || !open) return null;
  const canAdd = canEdit || open.isPersonal;
  return (
    <ViewportPortal>
      <svg className={styles.stubLines} aria-hidden>
        {stubs.flatMap(({ id, rect, ends }) =>
          ends.map(({ x, y }) => (
            <line
              key={`${id} ${x} ${y}`}
              x1={rect.x + rect.width / 2}
              y1={rect.y + rect.height / 2}
              x2={x}
              y2={y}
            />
          )),
        )}
      </svg>
      <ul className={styles.stubs} aria-label="Neighbors outside of this view">
        {stubs.map(({ id, rect }) => {
          const name = component?.get(id)?.name ?? id;
          return (
            <li
              key={id}
              className={styles.stub}
              data-stub={id}
              style={{
                transform: `translate(${rect.x}px, ${rect.y}px)`,
                width: rect.width,
                height: rect.height,
              }}
            >
              <button
                type="button"
                className={styles.stubName}
                title={`Show “${name}” on the map`}
                onClick={() => goToView(null, `?${new URLSearchParams({ c: id })}`)}
              >
                {name}
              </button>
              {canAdd && (
                <button
                  type="button"
                  className={styles.stubAdd}
                  aria-label={`Add ${name} to this view`}
                  title={`Add “${name}” to this view`}
                  onClick={() => addToView([id])}
                >
                  <Plus size={16} aria-hidden />
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </ViewportPortal>
  );
}
