/** The legend of relationship types. Its entries filter the lines on the map. */
import { useMemo } from 'react';
import { catalogueEntry, type Model } from '@/core/model/model';
import { countFacets, toggleFilter } from '@/core/search/filter';
import { panelSectionId } from '@/map/state/panels';
import { useView } from '@/map/state/view';
import { RelationSample } from '@/ui/RelationSample';
import { CollapsibleSection } from './CollapsibleSection';
import styles from './SidePanel.module.css';

const FACET = 'relationTypeIds';

export function LineLegend({ model }: { model: Model }) {
  const chosen = useView(({ filters }) => filters[FACET]);
  const entries = useMemo(() => countFacets(model)[FACET], [model]);
  if (entries.length === 0) return null;
  const { relationTypes } = model.catalogue;
  return (
    <CollapsibleSection
      id={panelSectionId('lines')}
      title="Relationship types"
      note={chosen.size > 0 ? `${chosen.size} selected` : undefined}
      open
    >
      <ul className={styles.legend} aria-label="Relationship types">
        {entries.map(({ key, label, count }) => (
          <li key={key}>
            <button
              type="button"
              className={styles.entry}
              aria-pressed={chosen.has(key)}
              onClick={() =>
                useView.setState(({ filters }) => ({ filters: toggleFilter(filters, FACET, key) }))
              }
            >
              <RelationSample
                color={catalogueEntry(relationTypes, key).color}
                directed={relationTypes.find(({ id }) => id === key)?.directed !== false}
              />
              <span className={styles.label}>{label}</span>
              <span className={styles.number}>{count.toLocaleString('en')}</span>
            </button>
          </li>
        ))}
      </ul>
    </CollapsibleSection>
  );
}
