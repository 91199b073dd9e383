/** The side panel: search, lens and legend, filters, processes and components without an owner. */

import { X } from 'lucide-react';
import { memo, useDeferredValue } from 'react';
import type { Model } from '@/core/model/model';
import { NO_FILTERS } from '@/core/model/viewOptions';
import { componentFilter, countActiveFilters } from '@/core/search/filter';
import { truncate } from '@/core/text';
import { showInspector } from '@/map/state/panels';
import { setSelection, useView } from '@/map/state/view';
import { IconButton } from '@/ui/Button';
import { useModel } from '@/workspace/model';
import { AddToView } from './AddToView';
import { CardSettings } from './CardSettings';
import { FilterPanel } from './FilterPanel';
import { FindOnMap } from './FindOnMap';
import { Legend } from './Legend';
import { LineLegend } from './LineLegend';
import { PanelProcessList, Unowned } from './Lists';
import { PanelRail } from './PanelRail';
import styles from './SidePanel.module.css';
import { ViewList } from './ViewList';

export function SidePanel() {
  // Counting takes longer than a frame, so defer it after a drop on the map.
  const now = useModel();
  const model = useDeferredValue(now) ?? now;
  const isOpen = useView((view) => view.panelOpen);
  if (!isOpen) return <PanelRail />;
  return (
    <aside className={styles.panel} aria-label="Side panel">
      {model && <Contents model={model} />}
    </aside>
  );
}

const Contents = memo(({ model }: { model: Model }) => {
  return (
    <>
      <div className={styles.top}>
        <FindOnMap />
        <IconButton
          label="Hide side panel"
          icon={<X size={18} aria-hidden />}
          onClick={() => useView.setState({ panelOpen: false })}
        />
      </div>
      <ViewList />
      <AddToView model={model} />
      <Shown model={model} />
      <Legend model={model} />
      <LineLegend model={model} />
      <FilterPanel model={model} />
      <CardSettings />
      <PanelProcessList model={model} />
      <Unowned model={model} />
    </>
  );
});

/** The number of components that match the filters. */
function Shown({ model }: { model: Model }) {
  const filters = useView((view) => view.filters);
  if (countActiveFilters(filters) === 0) return null;
  const components = [...model.rows.component.values()];
  const matching = components.filter(componentFilter(filters, model));
  return (
    <div className={styles.shown} role="status">
      <span>
        Showing {matching.length.toLocaleString('en')} of {components.length.toLocaleString('en')}
        {filters.text && <> matching “{truncate(filters.text, 40)}”</>}
      </span>
      <button
        type="button"
        className={styles.textButton}
        disabled={matching.length === 0}
        onClick={() => {
          setSelection(matching.map(({ id }) => id));
          showInspector();
        }}
      >
        Select matches
      </button>
      <button
        type="button"
        className={styles.textButton}
        onClick={() => useView.setState({ filters: NO_FILTERS })}
      >
        Clear filters
      </button>
    </div>
  );
}
