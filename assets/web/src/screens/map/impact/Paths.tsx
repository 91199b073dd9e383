/** The ways from one component to another, each as the names along it. One of them alone is lit when it is chosen. */
import type { Path } from '@/api/generated';
import type { PathsResult as WaysBetween } from '@/core/impact/results';
import type { Model } from '@/core/model/model';
import { formatCount } from '@/core/text';
import { useView } from '@/map/state/view';
import styles from './Impact.module.css';

interface Props {
  paths: readonly WaysBetween[];
  model: Model;
  chosen: Path | null;
  onChoose: (path: Path | null) => void;
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
            {complete ? 'There is no path.' : 'There is no short path; longer ones were not looked for.'}
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
            These are the {formatCount(paths.length, 'shortest', 'shortest')}; there may be more.
          </p>
        )}
      </section>
    );
  });
}
