/** Lists of processes, with a play button, and of components without an owner. */
import { Play } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { actionOf } from '@/actions';
import { actionTooltip } from '@/actions/action';
import { type Model, unowned } from '@/core/model/model';
import { openWorkspacePath, showComponent } from '@/map/state/location';
import { panelSectionId } from '@/map/state/panels';
import { openRecording } from '@/map/state/recording';
import { useCanEdit } from '@/workspace/model';
import { CollapsibleSection } from './CollapsibleSection';
import styles from './SidePanel.module.css';

const MAX_SHOWN = 100;

export function PanelProcessList({ model }: { model: Model }) {
  const canEdit = useCanEdit();
  const processes = [...model.rows.process.values()];
  return (
    <CollapsibleSection id={panelSectionId('processes')} title="Processes" count={processes.length} open>
      {processes.length === 0 && (
        <p className={styles.hint}>
          A process shows the messages between components step by step, such as a checkout.{' '}
          <Link href={openWorkspacePath('processes')}>Create a process</Link>.
        </p>
      )}
      <ul className={styles.plain} aria-label="Processes">
        {processes.map(({ id, name }) => (
          <li key={id} className={styles.line}>
            <Link href={openWorkspacePath('processes', id)} className={styles.go}>
              {name}
            </Link>
            <Link
              href={`${openWorkspacePath()}?process=${encodeURIComponent(id)}`}
              className={styles.play}
              aria-label={`Play ${name} on map`}
              title="Play on map"
            >
              <Play size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
      {canEdit && (
        <div className={styles.line}>
          <button
            type="button"
            className={styles.textButton}
            title={actionTooltip(actionOf('process.record'))}
            onClick={() => openRecording()}
          >
            Record a process
          </button>
        </div>
      )}
    </CollapsibleSection>
  );
}

export function Unowned({ model }: { model: Model }) {
  const components = useMemo(() => unowned(model), [model]);
  if (model.rows.component.size === 0) return null;
  return (
    <CollapsibleSection title="Without an owner" count={components.length}>
      {components.length === 0 && <p className={styles.hint}>Every component has an owner.</p>}
      <ul className={styles.plain} aria-label="Without an owner">
        {components.slice(0, MAX_SHOWN).map(({ id, name }) => (
          <li key={id} className={styles.line}>
            <button type="button" className={styles.go} onClick={() => showComponent(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {components.length > MAX_SHOWN && (
        <p className={styles.hint}>
          … and {(components.length - MAX_SHOWN).toLocaleString('en')} more. Color by “Unowned” to see all.
        </p>
      )}
    </CollapsibleSection>
  );
}
