/** Actions on views. */
import { BookmarkPlus, Check, Diff, Eraser, Layers, ListChecks, Play, Presentation } from 'lucide-react';
import { parseImpactQuery } from '@/core/impact/query';
import type { Filters } from '@/core/model/viewOptions';
import { isFiltering } from '@/core/search/filter';
import { inOrder, type ViewDefinition } from '@/core/sync/viewRows';
import { EVERYTHING } from '@/core/views/edits';
import { selectorsOf } from '@/core/views/selectorsOf';
import { acceptNewMembers } from '@/map/edits/views';
import { isMapOpen } from '@/map/state/location';
import { openView } from '@/map/state/openView';
import { targetComponent } from '@/map/state/selection';
import { showTour } from '@/map/state/tourUrl';
import { type Highlight, useView } from '@/map/state/view';
import { viewContents } from '@/map/state/viewContents';
import { openViewDialog } from '@/map/state/viewDialogs';
import { drillDownFrom, goToView, viewOf } from '@/map/state/viewNavigation';
import { canEdit, currentModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import type { Action } from './action';

const isInView = () => isMapOpen() && openView() !== null;
const isPast = () => useWorkspace.getState().past !== null;
/** Personal views can be changed by everyone. */
const canChange = () => isInView() && !isPast() && (canEdit() || openView()?.isPersonal === true);
const hasSelection = () => isMapOpen() && useView.getState().selectedComponents.size > 0;

/** What a new view is made of. */
interface Source {
  definition: Partial<ViewDefinition>;
  name: string;
  /** Shown in the dialog, such as `the 3 selected components`. */
  text: string;
}

const nameOf = (id: string) => currentModel()?.rows.component.get(id)?.name ?? id;

/** The rules of the present state of the map: a played process, an impact question, filters, or the selection. */
export function viewSource(): Source {
  const { selectedComponents, filters, highlight } = useView.getState();
  const query = new URLSearchParams(location.search);
  const process = currentModel()?.rows.process.get(query.get('process') ?? '');
  if (process) {
    const ids = [...new Set(Object.values(process.participants))];
    return {
      definition: ids.length > 0 ? { include: [{ ids }] } : {},
      name: process.name,
      text: `the participants of “${process.name}”`,
    };
  }
  const impact = impactSource(highlight);
  if (impact) return impact;
  if (isFiltering(filters)) return filterSource(filters);
  if (selectedComponents.size > 0) {
    const ids = [...selectedComponents];
    const [first = ''] = ids;
    return {
      definition: { include: [{ ids }] },
      name: ids.length === 1 ? nameOf(first) : '',
      text: ids.length === 1 ? `“${nameOf(first)}”` : `the ${ids.length} selected components`,
    };
  }
  const open = openView();
  if (open) return { definition: open.view.definition, name: '', text: 'the rules of this view' };
  return { definition: {}, name: '', text: 'every component' };
}

const MAX_DEPTH = 10;

function impactSource(highlight: Highlight | null): Source | null {
  const question = parseImpactQuery(location.search);
  if (!question) return null;
  const { of, direction, depth, types } = question;
  if (direction === 'between') {
    const ids = [...(highlight?.components.keys() ?? [])];
    return {
      definition: { include: [{ ids }] },
      name: `Paths from ${nameOf(of)}`,
      text: 'the components on the paths that are shown',
    };
  }
  const to = { dependents: 'up', dependencies: 'down', both: 'both' } as const;
  const names = { dependents: 'Depends on', dependencies: 'Dependencies of', both: 'Around' };
  const around = {
    of: [of],
    direction: to[direction],
    depth: Math.min(depth ?? MAX_DEPTH, MAX_DEPTH),
    ...(types.length > 0 ? { relationTypes: [...types] } : {}),
  };
  return {
    definition: { include: [{ ids: [of] }, { around }] },
    name: `${names[direction]} ${nameOf(of)}`,
    text: `the result of this impact question about “${nameOf(of)}”`,
  };
}

function filterSource(filters: Filters): Source {
  const model = currentModel();
  return {
    definition: {
      include: model ? selectorsOf(filters, model) : [],
      ...(filters.relationTypeIds.size > 0 ? { relationTypes: [...filters.relationTypeIds] } : {}),
    },
    name: filters.text.trim(),
    text: 'the components that match the filters',
  };
}

/** Opens the dialog that creates a view of what is shown now. */
export function saveAsView(): void {
  const { definition, name, text } = viewSource();
  const { lens, collapsed } = useView.getState();
  const known = new Set(currentModel()?.containment.children.keys());
  openViewDialog({
    kind: 'save',
    definition: {
      ...EVERYTHING,
      ...definition,
      colorBy: lens === 'type' ? null : lens,
      collapsed: [...collapsed].filter((id) => known.has(id)),
    },
    name,
    source: text,
  });
}

function firstTour() {
  return inOrder(useWorkspace.getState().rows?.tour.values() ?? [])[0];
}

export const viewsActions: readonly Action[] = [
  {
    id: 'views.save',
    title: 'Save as view…',
    group: 'View',
    keys: ['Shift+V'],
    icon: BookmarkPlus,
    isEnabled: () => isMapOpen() && !isPast(),
    run: saveAsView,
  },
  {
    id: 'views.rules',
    title: 'Edit rules of this view',
    group: 'View',
    icon: ListChecks,
    isEnabled: canChange,
    run: () => openViewDialog({ kind: 'rules' }),
  },
  {
    id: 'views.open',
    title: 'Open the view of this component',
    group: 'Selection',
    keys: ['Enter'],
    icon: Layers,
    isEnabled: () => isMapOpen() && viewOf(targetComponent() ?? '') !== undefined,
    run: () => {
      drillDownFrom(targetComponent() ?? '');
    },
  },
  {
    id: 'views.remove',
    title: 'Remove from view…',
    group: 'Selection',
    icon: Eraser,
    isEnabled: () => canChange() && hasSelection(),
    run: () => openViewDialog({ kind: 'remove' }),
  },
  {
    id: 'views.accept',
    title: 'Accept new components in this view',
    group: 'View',
    icon: Check,
    isEnabled: () => canChange() && (viewContents()?.unplaced.size ?? 0) > 0,
    run: () => acceptNewMembers(),
  },
  {
    id: 'views.compare',
    title: 'Compare with another view…',
    group: 'View',
    icon: Diff,
    isEnabled: isInView,
    run: () => {
      const open = openView();
      if (open) openViewDialog({ kind: 'compare', address: open.address });
    },
  },
  {
    id: 'views.all',
    title: 'Show the whole map',
    group: 'View',
    icon: Layers,
    isEnabled: isInView,
    run: () => goToView(null),
  },
  {
    id: 'tours.new',
    title: 'Create tour…',
    group: 'View',
    icon: Presentation,
    isEnabled: () => isMapOpen() && !isPast() && canEdit(),
    run: () => openViewDialog({ kind: 'tour', id: null }),
  },
  {
    id: 'tours.present',
    title: () => `Present tour “${firstTour()?.name ?? ''}”`,
    group: 'View',
    icon: Play,
    isEnabled: () => isMapOpen() && (firstTour()?.stops.length ?? 0) > 0,
    run: () => {
      const tour = firstTour();
      if (tour) showTour(tour.id);
    },
  },
];
