/** What was done recently, beside the map: each gesture leads to the map as it was then, or to what changed since. */
import { X } from 'lucide-react';
import { useState } from 'react';
import { actionOf } from '@/actions';
import { perform } from '@/actions/perform';
import type { PastGesture } from '@/core/history/changeSets';
import { Gestures } from '@/screens/history/ChangeSetList';
import { Marked } from '@/screens/history/ComparisonBase';
import { useHistory } from '@/screens/history/useHistory';
import { IconButton } from '@/ui/Button';
import inspector from '../inspector/Inspector.module.css';
import styles from './RecentChanges.module.css';

const ALL = { entity: '', actor: 0 } as const;

export function Recent() {
  const [base, setBase] = useState<PastGesture | null>(null);
  const history = useHistory(ALL);
  return (
    <aside className={inspector.inspector} aria-label="What was done recently">
      <header className={styles.head}>
        <h2>What was done</h2>
        <IconButton
          label="Hide what was done"
          icon={<X size={18} aria-hidden />}
          onClick={() => perform(actionOf('view.recent'))}
        />
      </header>
      <div className={styles.body}>
        {base && <Marked base={base} onStop={() => setBase(null)} />}
        <Gestures
          history={history}
          base={base}
          onMark={setBase}
          whenEmpty="Nothing was written here yet. Whatever anybody changes from now on is told here."
          narrow
        />
      </div>
    </aside>
  );
}
