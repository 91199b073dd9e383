/** Paths between two components as lists of names. If a path is selected, only that path is highlighted. */
import type { DependencyPath } from '@/api/generated';
import type { PathsResult as WaysBetween } from '@/core/impact/results';
import type { Model } from '@/core/model/model';
import { formatCount } from '@/core/text';
import { useView } from '@/map/state/view';
import styles from './Impact.module.css';

interface Props {
  paths: readonly WaysBetween[];
  model: Model;
  chosen: DependencyPath | null;
  onChoose: (path: DependencyPath | null) => void;
}

export function Paths({ paths, model, chosen, onChoose }: Props) {
  const nameOf = (id: string) => model.rows.component.get(id)?.name ?? id;
  return paths.map(({ from, to, paths, complete }) => {
    const title = `From ${nameOf(from)} to ${nameOf(to)}`;
    return (
      <section key={`${from} ${to}`} aria-label={title} className={styles.options}>
        <h3 className={styles.option}>{title}</h3>
        {paths.length === 0 && (
          <p className={styles.soft}>
            {complete ? 'No path found.' : 'No short path found. Longer paths were not searched.'}
          </p>
        )}
        <ol className={styles.list}>
          {paths.map((path) => {
            const isChosen = path === chosen;
            return (
              <li key={path.relationshipIds.join(' ')}>
                <button
                  type="button"
                  className={styles.path}
                  aria-pressed={isChosen}
                  onClick={() => {
                    onChoose(isChosen ? null : path);
                    if (!isChosen) useView.getState().camera?.fit(path.componentIds);
                  }}
                >
                  {path.componentIds.map(nameOf).join(' → ')}
                </button>
              </li>
            );
          })}
        </ol>
        {!complete && paths.length > 0 && (
          <p className={styles.soft}>
            Showing the {formatCount(paths.length, 'shortest path')}. There may be more.
          </p>
        )}
      </section>
    );
  });
}
