/** Recent changes in a panel of the map, with links to past states and comparisons. */
import { X } from 'lucide-react';
import { useState } from 'react';
import { actionOf } from '@/actions';
import { runAction } from '@/actions/runAction';
import type { PastChangeSet } from '@/core/history/changeSets';
import { ChangeSetList } from '@/screens/history/ChangeSetList';
import { ComparisonBase } from '@/screens/history/ComparisonBase';
import { useHistory } from '@/screens/history/useHistory';
import { IconButton } from '@/ui/Button';
import inspector from '../inspector/Inspector.module.css';
import styles from './RecentChanges.module.css';

const ALL = { entity: '', actor: 0 } as const;

export function RecentChanges() {
  const [base, setBase] = useState<PastChangeSet | null>(null);
  const history = useHistory(ALL);
  return (
    <aside className={inspector.inspector} aria-label="Recent changes">
      <header className={styles.head}>
        <h2>Recent changes</h2>
        <IconButton
          label="Hide recent changes"
          icon={<X size={18} aria-hidden />}
          onClick={() => runAction(actionOf('view.recent'))}
        />
      </header>
      <div className={styles.body}>
        {base && <ComparisonBase base={base} onStop={() => setBase(null)} />}
        <ChangeSetList
          history={history}
          base={base}
          onMark={setBase}
          whenEmpty="No changes yet. Every change to this workspace is listed here."
          narrow
        />
      </div>
    </aside>
  );
}
