/** Shown instead of the map if the view in the URL does not exist. */
import { Layers } from 'lucide-react';
import { Link } from 'wouter';
import { parseAddress } from '@/map/state/openView';
import { viewPath } from '@/map/state/viewNavigation';
import { EmptyState } from '@/ui/EmptyState';
import { Loading } from '@/ui/Loading';
import { usePersonalViews } from '@/workspace/personalViews';
import styles from './UnknownView.module.css';
import { useViews } from './useViews';

export function UnknownView({ address }: { address: string }) {
  const { shared, personal } = useViews();
  const status = usePersonalViews((state) => state.status);
  const { id, isPersonal } = parseAddress(address);
  if (isPersonal && status === 'loading') return <Loading what="your view" />;
  const views = [...shared, ...personal];
  return (
    <div className={styles.page}>
      <EmptyState title="View not found" icon={<Layers size={32} aria-hidden />}>
        <p>
          {isPersonal
            ? 'Personal views can only be opened by the person who created them. This one was deleted, or it belongs to someone else.'
            : `View “${id}” does not exist in this workspace. It was deleted or the link is mistyped. If it was deleted, you can restore it from the history.`}
        </p>
        <p>
          <Link href={viewPath(null)}>Show the whole map</Link>
        </p>
        {views.length > 0 && (
          <ul className={styles.list} aria-label="Other views">
            {views.slice(0, 12).map(({ address: other, view }) => (
              <li key={other}>
                <Link href={viewPath(other)}>{view.name}</Link>
              </li>
            ))}
          </ul>
        )}
      </EmptyState>
    </div>
  );
}
