/** The search field of the map; Enter goes to the highlighted component. */
import { useMemo, useState } from 'react';
import { FIND_ID } from '@/actions/look';
import { showComponent } from '@/actions/place';
import { find } from '@/core/find/find';
import { typeLook } from '@/core/model/lens';
import type { Model } from '@/core/model/model';
import { Finder } from '@/ui/Finder';
import { TypeIcon } from '@/ui/TypeIcon';
import { useView } from '../view';
import { isNarrow } from './narrow';
import styles from './SidePanel.module.css';

function leave(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

export function FindOnMap({ model }: { model: Model }) {
  const [query, setQuery] = useState('');
  const found = useMemo(() => find(model, query), [model, query]);
  const go = (id: string) => {
    setQuery('');
    // Return the focus to the map.
    leave();
    showComponent(id);
    if (isNarrow()) useView.setState({ panelOpen: false });
  };
  return (
    <search id={FIND_ID} className={styles.find}>
      <Finder
        label="Find on map"
        placeholder="Find (/)"
        query={query}
        onQuery={setQuery}
        open={query.trim() !== ''}
        options={found.map((component) => {
          const { name, icon } = typeLook(model, component);
          return {
            key: component.id,
            value: component.id,
            title: component.name,
            hint: name,
            icon: <TypeIcon icon={icon} />,
          };
        })}
        onChoose={go}
        onLeave={leave}
        empty="No matches in names, ids, types, descriptions and people."
      />
      {found.length > 1 && (
        <button
          type="button"
          className={styles.textButton}
          onClick={() => {
            useView.setState(({ filters }) => ({ filters: { ...filters, text: query } }));
            setQuery('');
          }}
        >
          Filter map to matches
        </button>
      )}
    </search>
  );
}
