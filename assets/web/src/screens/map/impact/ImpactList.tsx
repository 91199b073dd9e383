/** The reached components by distance. Selecting one shows it on the map with the paths to it. */
import { type KeyboardEvent, useState } from 'react';
import type { Reached } from '@/api/generated';
import { reachedBy } from '@/core/impact/describe';
import type { ImpactQuery } from '@/core/impact/question';
import { groupByDistance, type ImpactResult } from '@/core/impact/results';
import { typeAppearance } from '@/core/model/lens';
import { catalogueEntry, type Model } from '@/core/model/model';
import { formatCount } from '@/core/text';
import { openImpact } from '@/map/state/impactUrl';
import { setSelection, useView } from '@/map/state/view';
import { TypeIcon } from '@/ui/TypeIcon';
import styles from './Impact.module.css';

interface Props {
  found: readonly ImpactResult[];
  question: ImpactQuery;
  model: Model;
}

/** Number of rows shown at first. */
const INITIAL_LINES = 150;

export function ImpactList({ found, question, model }: Props) {
  const [isWhole, setWhole] = useState(false);
  const count = found.reduce((sum, { reached }) => sum + reached.length, 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys walk from line to line
    <div onKeyDown={moveFocus} className={styles.groups}>
      {found.map(({ way, reached }) => (
        <section key={way} aria-label={way === 'dependents' ? 'Dependents' : 'Dependencies'}>
          {found.length > 1 && (
            <h3 className={styles.option}>{way === 'dependents' ? 'Dependents' : 'Dependencies'}</h3>
          )}
          {groupByDistance(isWhole ? reached : reached.slice(0, INITIAL_LINES)).map((ring) => (
            <div key={ring.distance}>
              <h4 className={styles.distance}>
                {ring.distance === 1 ? 'Direct' : `${formatCount(ring.distance, 'relationship')} away`}
                <span className={styles.soft}>{ring.reached.length.toLocaleString('en')}</span>
              </h4>
              <ul className={styles.list}>
                {ring.reached.map((one) => (
                  <Line key={one.componentId} one={one} way={way} question={question} model={model} />
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
      {!isWhole && found.some(({ reached }) => reached.length > INITIAL_LINES) && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          Show all {count.toLocaleString('en')}
        </button>
      )}
    </div>
  );
}

interface LineProps {
  one: Reached;
  way: ImpactResult['way'];
  question: ImpactQuery;
  model: Model;
}

function Line({ one: { componentId, name, from, relationshipId }, way, question, model }: LineProps) {
  const component = model.rows.component.get(componentId);
  const row = model.rows.relationship.get(relationshipId);
  const type = row ? catalogueEntry(model.catalogue.relationTypes, row.typeId).name.toLowerCase() : 'reaches';
  const before = from === question.of ? 'it' : (model.rows.component.get(from)?.name ?? from);
  const isShown = question.to === componentId;
  const show = () => {
    if (isShown) return openImpact({ ...question, to: null });
    setSelection([componentId]);
    useView.getState().camera?.reveal(componentId);
    openImpact({ ...question, to: componentId });
  };
  return (
    <li>
      <button type="button" className={styles.entry} data-line aria-pressed={isShown} onClick={show}>
        {component && <TypeIcon icon={typeAppearance(model, component).icon} size={16} />}
        <span className={styles.name}>{name}</span>
        <span className={styles.via}>{reachedBy(way, type, before)}</span>
      </button>
    </li>
  );
}

/** Up and Down move between rows, Home and End to the first and last one. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  const here = lines.indexOf(event.target as HTMLElement);
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: lines.length - 1 }[event.key];
  if (here < 0 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  lines[Math.max(0, Math.min(to, lines.length - 1))]?.focus();
}
