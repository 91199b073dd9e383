/** The collapsed side panel: a rail with buttons for its sections, or a single button on narrow screens. */
import { Layers, ListFilter, Palette, PanelLeftOpen, Search, Spline, Workflow } from 'lucide-react';
import type { ComponentType } from 'react';
import { actionOf } from '@/actions';
import { actionTooltip } from '@/actions/action';
import { countActiveFilters } from '@/core/search/filter';
import { openFind, openPanelSection, type PanelSection } from '@/map/state/panels';
import { useView } from '@/map/state/view';
import { IconButton } from '@/ui/Button';
import styles from './SidePanel.module.css';

const SECTIONS: readonly { section: PanelSection; label: string; icon: ComponentType<{ size?: number }> }[] =
  [
    { section: 'views', label: 'Views', icon: Layers },
    { section: 'legend', label: 'Colors and legend', icon: Palette },
    { section: 'lines', label: 'Relationship types', icon: Spline },
    { section: 'filters', label: 'Filters', icon: ListFilter },
    { section: 'processes', label: 'Processes', icon: Workflow },
  ];

export function PanelRail() {
  const filters = useView((view) => countActiveFilters(view.filters));
  return (
    <aside className={styles.rail} aria-label="Map tools" data-tools>
      <IconButton
        label="Show side panel"
        title={actionTooltip(actionOf('view.panel'))}
        icon={<PanelLeftOpen size={18} aria-hidden />}
        onClick={() => useView.setState({ panelOpen: true })}
      />
      <IconButton
        label="Find on map"
        title={actionTooltip(actionOf('view.find'))}
        icon={<Search size={18} aria-hidden />}
        className={styles.railSection}
        onClick={openFind}
      />
      {SECTIONS.map(({ section, label, icon: Icon }) => {
        const active = section === 'filters' ? filters : 0;
        return (
          <IconButton
            key={section}
            label={active > 0 ? `${label} (${active} active)` : label}
            icon={<Icon size={18} aria-hidden />}
            className={styles.railSection}
            data-active={active > 0 || undefined}
            onClick={() => openPanelSection(section)}
          />
        );
      })}
    </aside>
  );
}
