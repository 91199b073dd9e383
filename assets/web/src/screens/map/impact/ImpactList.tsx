/** The reached components, grouped by distance. Selecting a component shows it on the map with the paths to it. */
import { type KeyboardEvent, useState } from 'react';
import type { ReachedComponent } from '@/api/generated';
import { reachedBy } from '@/core/impact/describe';
import type { ImpactQuery } from '@/core/impact/query';
import { firstOfGroups, groupByDistance, type ImpactResult } from '@/core/impact/results';
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

/** Number of rows shown initially. */
const INITIAL_LINES = 150;

export function ImpactList({ found, question, model }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  // Without headings for both directions, the distances are one level below the title.
  const Heading = found.length > 1 ? 'h4' : 'h3';
  const count = found.reduce((sum, { reached }) => sum + reached.length, 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the arrow keys of its rows
    <div onKeyDown={moveFocus} className={styles.groups}>
      {found.map(({ direction, reached }) => (
        <section key={direction} aria-label={direction === 'dependents' ? 'Dependents' : 'Dependencies'}>
          {found.length > 1 && (
            <h3 className={styles.option}>{direction === 'dependents' ? 'Dependents' : 'Dependencies'}</h3>
          )}
          {firstOfGroups(groupByDistance(reached), showsAll ? reached.length : INITIAL_LINES).map((ring) => (
            <div key={ring.distance}>
              <Heading className={styles.distance}>
                {ring.distance === 1 ? 'Direct' : `${formatCount(ring.distance, 'relationship')} away`}
                <span className={styles.soft}>{ring.reached.length.toLocaleString('en')}</span>
              </Heading>
              <ul className={styles.list}>
                {ring.shown.map((component) => (
                  <Line key={component.componentId} reached={component} question={question} model={model} />
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
      {!showsAll && found.some(({ reached }) => reached.length > INITIAL_LINES) && (
        <button type="button" className={styles.more} onClick={() => setShowsAll(true)}>
          Show all {count.toLocaleString('en')}
        </button>
      )}
    </div>
  );
}

interface LineProps {
  reached: ReachedComponent;
  question: ImpactQuery;
  model: Model;
}

function Line({
  reached: { componentId, name, from, relationshipId, relationTypeId },
  question,
  model,
}: LineProps) {
  const component = model.rows.component.get(componentId);
  const isSource = model.rows.relationship.get(relationshipId)?.sourceId === componentId;
  const type = catalogueEntry(model.catalogue.relationTypes, relationTypeId).name.toLowerCase();
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
        <span className={styles.via}>{reachedBy(isSource, type, before)}</span>
      </button>
    </li>
  );
}

/** Up and Down move between rows, Home and End to the first and last row. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  const index = lines.indexOf(event.target as HTMLElement);
  const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: lines.length - 1 }[event.key];
  if (index < 0 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  lines[Math.max(0, Math.min(to, lines.length - 1))]?.focus();
}
