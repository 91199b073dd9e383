/**
 * How things look through the lens that is chosen. THE SEAM to `core/model`: what colours and filters components is
 * asked here and nowhere else on the canvas.
 */
import type { Catalogue, Component, IconType, LifecycleState, RelationType } from '@/api/generated';
import { useCatalogue } from '@/app/queries';
import type { Rows } from '@/core/sync/rows';
import { usePlan } from '@/plan/store';
import { type Filters, type Lens, useView } from '../view';

/** How one component is shown. */
export interface Look {
  label: string;
  /** `#RRGGBB`. */
  colour: string;
  /** One or two letters. */
  mark: string;
}

export interface Looks {
  lookOf: (component: Component) => Look;
  typeOf: (component: Component) => IconType;
  lifecycleOf: (component: Component) => LifecycleState | null;
  relationOf: (typeId: string) => RelationType;
  relationTypes: readonly RelationType[];
  componentTypes: readonly IconType[];
  /** Whether a component is let through by the filters. */
  passes: (component: Component) => boolean;
  passesRelation: (typeId: string) => boolean;
}

export const NEUTRAL = '#7a8490';

const NO_CATALOGUE: Catalogue = {
  componentTypes: [],
  relationTypes: [],
  lifecycleStates: [],
  stakeholderLinkTypes: [],
};

let last: { given: readonly unknown[]; looks: Looks } | null = null;

/** The looks of now. The same object as long as nothing of it has changed. */
export function useLooks(): Looks {
  const catalogue = useCatalogue().data ?? NO_CATALOGUE;
  const stakeholders = usePlan((plan) => plan.rows?.stakeholder);
  const lens = useView((view) => view.lens);
  const filters = useView((view) => view.filters);
  const given = [catalogue, stakeholders, lens, filters];
  if (!last || given.some((one, at) => one !== last?.given[at])) {
    last = { given, looks: looksOf(catalogue, stakeholders, lens, filters) };
  }
  return last.looks;
}

function looksOf(
  { componentTypes, relationTypes, lifecycleStates }: Catalogue,
  stakeholders: Rows['stakeholder'] | undefined,
  lens: Lens,
  filters: Filters,
): Looks {
  const types = new Map(componentTypes.map((one) => [one.id, one]));
  const relations = new Map(relationTypes.map((one) => [one.id, one]));
  const states = new Map(lifecycleStates.map((one) => [one.id, one]));
  const typeOf = ({ typeId }: Component): IconType =>
    types.get(typeId) ?? { id: typeId, name: typeId, color: NEUTRAL, icon: '', iconName: '' };
  const lifecycleOf = ({ properties }: Component) => states.get(String(properties.lifecycle)) ?? null;
  const owned = new Set([...(stakeholders?.values() ?? [])].map(({ componentId }) => componentId));
  const lookOf = (component: Component): Look => {
    const { name, color } = typeOf(component);
    if (lens === 'lifecycle') {
      const state = lifecycleOf(component);
      return { label: state?.name ?? 'No lifecycle', colour: state?.color ?? NEUTRAL, mark: '' };
    }
    if (lens === 'nobody' && !owned.has(component.id)) {
      return { label: 'Nobody owns it', colour: '#d1495b', mark: '!' };
    }
    return lens === 'type'
      ? { label: name, colour: color, mark: '' }
      : { label: name, colour: NEUTRAL, mark: '' };
  };
  const text = filters.text.trim().toLowerCase();
  const passes = (component: Component) =>
    (filters.typeIds.size === 0 || filters.typeIds.has(component.typeId)) &&
    (filters.lifecycles.size === 0 || filters.lifecycles.has(String(component.properties.lifecycle ?? ''))) &&
    (!text || component.name.toLowerCase().includes(text));
  return {
    lookOf,
    typeOf,
    lifecycleOf,
    relationOf: (id) => relations.get(id) ?? { id, name: id, color: NEUTRAL, directed: true },
    relationTypes,
    componentTypes,
    passes,
    passesRelation: (id) => filters.relationTypeIds.size === 0 || filters.relationTypeIds.has(id),
  };
}
