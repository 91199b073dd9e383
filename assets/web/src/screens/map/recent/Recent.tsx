/** Recent changes beside the map, with links to past states and comparisons. */
import { X } from 'lucide-react';
import { useState } from 'react';
import { actionOf } from '@/actions';
import { perform } from '@/actions/perform';
import type { PastGesture } from '@/core/history/gestures';
import { Gestures } from '@/screens/history/Gestures';
import { Marked } from '@/screens/history/Marked';
import { useHistory } from '@/screens/history/useHistory';
import { IconButton } from '@/ui/Button';
import inspector from '../inspector/Inspector.module.css';
import styles from './Recent.module.css';

const ALL = { entity: '', actor: 0 } as const;

export function Recent() {
  const [base, setBase] = useState<PastGesture | null>(null);
  const history = useHistory(ALL);
  return (
    <aside className={inspector.inspector} aria-label="Recent changes">
      <header className={styles.head}>
        <h2>Recent changes</h2>
        <IconButton
          label="Hide recent changes"
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
          whenEmpty="No changes yet. Every change to this workspace is listed here."
          narrow
        />
      </div>
    </aside>
  );
}
