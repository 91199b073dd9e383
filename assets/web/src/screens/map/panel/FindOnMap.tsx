/** The search field of the map. Enter shows the highlighted component. */
import { useMemo, useState } from 'react';
import { typeAppearance } from '@/core/model/lens';
import type { Model } from '@/core/model/model';
import { searchComponents } from '@/core/search/search';
import { showComponent } from '@/map/state/location';
import { FIND_ID } from '@/map/state/panels';
import { focusComponent } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import { Autocomplete } from '@/ui/Autocomplete';
import { isNarrow } from '@/ui/breakpoints';
import { TypeIcon } from '@/ui/TypeIcon';
import { useModel } from '@/workspace/model';
import styles from './SidePanel.module.css';

function leave(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

export function FindOnMap() {
  // Not the deferred model of the panel: Enter must find a component that was just created.
  const model = useModel();
  const [query, setQuery] = useState('');
  const found = useMemo(() => (model ? searchComponents(model, query) : []), [model, query]);
  const go = (id: string) => {
    setQuery('');
    showComponent(id);
    focusComponent(id);
    if (isNarrow()) useView.setState({ panelOpen: false });
  };
  return (
    <search id={FIND_ID} className={styles.search}>
      <Autocomplete
        label="Find on map"
        placeholder="Find (/)"
        query={query}
        onQuery={setQuery}
        open={query.trim() !== ''}
        options={found.map((component) => {
          const { name, icon } = typeAppearance(model as Model, component);
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
