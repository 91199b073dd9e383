/** Processes, each with the way to play it over the map; and the components that nobody owns. */
import { Play } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { type Model, unowned } from '@/core/model/model';
import { planPath, showComponent } from '@/map/state/location';
import { Fold } from './CollapsibleSection';
import styles from './SidePanel.module.css';

const SHOWN = 100;

export function ProcessList({ model }: { model: Model }) {
  const processes = [...model.rows.process.values()];
  return (
    <Fold title="Processes" count={processes.length} open>
      {processes.length === 0 && (
        <p className={styles.hint}>
          A process is a sequence of messages between components, such as what happens when somebody pays.{' '}
          <Link href={planPath('processes')}>Write the first one</Link>.
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
              aria-label={`Play ${name} on the map`}
              title="Play on the map"
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
      {components.length === 0 && <p className={styles.hint}>Somebody answers for every component.</p>}
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
          And {(components.length - SHOWN).toLocaleString('en')} more: colour by “Nobody”.
        </p>
      )}
    </Fold>
  );
}
