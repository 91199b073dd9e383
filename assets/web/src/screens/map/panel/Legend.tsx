/** The lens and its legend. Legend entries act as filters. */
import { Palette } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type LegendEntry, legendEntries, NEEDS_NO_OWNER } from '@/core/model/lens';
import type { Model } from '@/core/model/model';
import { type Filters, LENSES, type Lens } from '@/core/model/viewOptions';
import { toggleFilter } from '@/core/search/filter';
import { panelSectionId } from '@/map/state/panels';
import { useView } from '@/map/state/view';
import { useViewContents } from '@/map/state/viewContents';
import { IconButton } from '@/ui/Button';
import { Swatch } from '@/ui/Swatch';
import { TechnologyIcon } from '@/ui/TechnologyIcon';
import { TypeIcon } from '@/ui/TypeIcon';
import { CustomTypes } from './CustomTypes';
import styles from './SidePanel.module.css';

/** The filter of each lens, if any. */
const FACET: Record<Lens, (key: string) => Exclude<keyof Filters, 'text'> | undefined> = {
  type: () => 'typeIds',
  lifecycle: () => 'lifecycles',
  owner: (key) => (key === NEEDS_NO_OWNER ? undefined : 'holders'),
  team: (key) => (key === '' ? undefined : 'holders'),
  unowned: (key) => (key === '' ? 'holders' : undefined),
  drift: (key) => (key === '' ? undefined : 'drift'),
};

const NO_LOGO: readonly string[] = [];

export function Legend({ model }: { model: Model }) {
  const lens = useView((view) => view.lens);
  const shown = useViewContents()?.shown.component ?? model.rows.component;
  const entries = useMemo(() => legendEntries(lens, model, shown.values()), [lens, model, shown]);
  // Without sources, there is nothing to compare.
  const hasDrift = model.drift.hasSources || lens === 'drift';
  const [isCustomizing, setCustomizing] = useState(false);
  return (
    <section id={panelSectionId('legend')} className={styles.part} aria-label="Colors">
      <fieldset className={styles.lenses}>
        <legend className={styles.heading}>Color by</legend>
        {LENSES.filter(({ id }) => id !== 'drift' || hasDrift).map(({ id, name }) => (
          <label key={id} className={styles.lens}>
            <input
              type="radio"
              name="lens"
              className="unseen"
              checked={lens === id}
              onChange={() => useView.setState({ lens: id })}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <IconButton
        label="Custom types"
        icon={<Palette size={16} aria-hidden />}
        className={styles.tool}
        onClick={() => setCustomizing(true)}
      />
      {entries.length === 0 && (
        <p className={styles.hint}>The legend appears here once you add components.</p>
      )}
      <ul className={styles.legend} aria-label="Legend">
        {entries.map((entry) => (
          <Entry key={entry.key} entry={entry} lens={lens} />
        ))}
      </ul>
      <CustomTypes open={isCustomizing} onClose={() => setCustomizing(false)} model={model} />
    </section>
  );
}

function Entry({ entry, lens }: { entry: LegendEntry; lens: Lens }) {
  const { key, label, color, mark, icon, logo, count } = entry;
  const facet = FACET[lens](key);
  const isChosen = useView(({ filters }) => facet !== undefined && filters[facet].has(key));
  const content = (
    <>
      <Swatch color={color}>
        {icon === undefined ? (
          mark
        ) : (
          <TechnologyIcon technologies={logo ? [logo] : NO_LOGO} size={14}>
            <TypeIcon icon={icon} size={14} />
          </TechnologyIcon>
        )}
      </Swatch>
      <span className={styles.label}>{label}</span>
      <span className={styles.number}>{count.toLocaleString('en')}</span>
    </>
  );
  if (!facet) return <li className={styles.entry}>{content}</li>;
  const toggle = () => useView.setState(({ filters }) => ({ filters: toggleFilter(filters, facet, key) }));
  return (
    <li>
      <button type="button" className={styles.entry} aria-pressed={isChosen} onClick={toggle}>
        {content}
      </button>
    </li>
  );
}
