/** Lists of processes, with a play button, and of components without an owner. */
import { Play } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { planPath, showComponent } from '@/actions/place';
import { type Model, unowned } from '@/core/model/model';
import { Fold } from './Fold';
import styles from './SidePanel.module.css';

const SHOWN = 100;

export function ProcessList({ model }: { model: Model }) {
  const processes = [...model.rows.process.values()];
  return (
    <Fold title="Processes" count={processes.length} open>
      {processes.length === 0 && (
        <p className={styles.hint}>
          A process shows the messages between components step by step, such as a checkout.{' '}
          <Link href={planPath('processes')}>Create a process</Link>.
        </p>
      )}
      <ul className={styles.plain} aria-label="Processes">
        {processes.map(({ id, name }) => (
          <li key={id} className={styles.line}>
            <Link href={planPath('processes', id)} className={styles.go}>
              {name}
            </Link>
            <Link
              href={`${planPath()}?process=${encodeURIComponent(id)}`}
              className={styles.play}
              aria-label={`Play ${name} on map`}
              title="Play on map"
            >
              <Play size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

export function Unowned({ model }: { model: Model }) {
  const components = useMemo(() => unowned(model), [model]);
  if (model.rows.component.size === 0) return null;
  return (
    <Fold title="Without an owner" count={components.length}>
      {components.length === 0 && <p className={styles.hint}>Every component has an owner.</p>}
      <ul className={styles.plain} aria-label="Without an owner">
        {components.slice(0, SHOWN).map(({ id, name }) => (
          <li key={id} className={styles.line}>
            <button type="button" className={styles.go} onClick={() => showComponent(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {components.length > SHOWN && (
        <p className={styles.hint}>
          … and {(components.length - SHOWN).toLocaleString('en')} more. Color by “Unowned” to see all.
        </p>
      )}
    </Fold>
  );
}
