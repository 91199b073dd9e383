/** Filters by type, lifecycle, people and relationships, with counts. */
import { useMemo } from 'react';
import { legendEntries } from '@/core/model/lens';
import type { Model } from '@/core/model/model';
import type { Filters } from '@/core/model/viewOptions';
import { countFacets, type FacetEntry, toggleFilter } from '@/core/search/filter';
import { panelSectionId } from '@/map/state/panels';
import { useView } from '@/map/state/view';
import { CollapsibleSection } from './CollapsibleSection';
import styles from './SidePanel.module.css';

type Facet = Exclude<keyof Filters, 'text' | 'relationTypeIds'>;

const MAX_SHOWN = 200;

export function FilterPanel({ model }: { model: Model }) {
  const lens = useView((view) => view.lens);
  const facets = useMemo(
    () => ({
      ...countFacets(model),
      typeIds: legendEntries('type', model),
      lifecycles: legendEntries('lifecycle', model),
      drift: legendEntries('drift', model),
    }),
    [model],
  );
  // The legend already filters by the values of its lens.
  const isOwners = lens === 'owner' || lens === 'unowned';
  return (
    <div id={panelSectionId('filters')}>
      {lens !== 'type' && <Choices title="Types" facet="typeIds" entries={facets.typeIds} />}
      {lens !== 'lifecycle' && <Choices title="Lifecycle" facet="lifecycles" entries={facets.lifecycles} />}
      {lens !== 'drift' && model.drift.hasSources && (
        <Choices title="Code" facet="drift" entries={facets.drift} />
      )}
      {!isOwners && <Choices title="People and teams" facet="holders" entries={facets.holders} />}
    </div>
  );
}

function Choices({ title, facet, entries }: { title: string; facet: Facet; entries: readonly FacetEntry[] }) {
  const chosen = useView(({ filters }) => filters[facet]);
  if (entries.length === 0) return null;
  const toggle = (key: string) =>
    useView.setState(({ filters }) => ({ filters: toggleFilter(filters, facet, key) }));
  return (
    <CollapsibleSection title={title} note={chosen.size > 0 ? `${chosen.size} selected` : undefined}>
      <ul className={styles.choices} aria-label={title}>
        {entries.slice(0, MAX_SHOWN).map(({ key, label, count }) => (
          <li key={key}>
            <label className={styles.choice}>
              <input type="checkbox" checked={chosen.has(key)} onChange={() => toggle(key)} />
              <span className={styles.label}>{label}</span>
              <span className={styles.number}>{count.toLocaleString('en')}</span>
            </label>
          </li>
        ))}
      </ul>
    </CollapsibleSection>
  );
}
