/**
 * How things look through the lens that is chosen. What colours and filters components is asked of `core/model` here, and
 * nowhere else on the canvas.
 */
import type { Component, IconType, LifecycleState, RelationType } from '@/api/generated';
import { lensAppearance, typeAppearance } from '@/core/model/lens';
import { catalogueEntry, type Model, NEUTRAL_COLOR } from '@/core/model/model';
import { componentFilter } from '@/core/search/filter';
import { useCatalogue } from '@/data/queries';
import { currentModel, useCustomTypes } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { type Filters, type Lens, useView } from '../state/view';

/** How one component is shown. */
export interface ComponentAppearance {
  label: string;
  /** `#RRGGBB`. */
  color: string;
  /** One or two letters. */
  mark: string;
}

export interface MapAppearance {
  componentAppearance: (component: Component) => ComponentAppearance;
  /** The name and icon of a component's type, or of what somebody has laid over it. */
  typeOf: (component: Component) => { name: string; icon: string };
  lifecycleOf: (component: Component) => LifecycleState | null;
  relationOf: (typeId: string) => RelationType;
  relationTypes: readonly RelationType[];
  componentTypes: readonly IconType[];
  /** Whether a component is let through by the filters. */
  passes: (component: Component) => boolean;
  passesRelation: (typeId: string) => boolean;
}

const DEFAULT_APPEARANCE: MapAppearance = {
  componentAppearance: () => ({ label: '', color: NEUTRAL_COLOR, mark: '' }),
  typeOf: ({ typeId }) => ({ name: typeId, icon: '' }),
  lifecycleOf: () => null,
  relationOf: (id) => ({ id, name: id, color: NEUTRAL_COLOR, directed: true }),
  relationTypes: [],
  componentTypes: [],
  passes: () => true,
  passesRelation: () => true,
};

let last: { given: readonly unknown[]; appearance: MapAppearance } | null = null;

/**
 * The looks of now. The same object as long as nothing of it has changed: where components stand does not change how they
 * look, and moving one must not draw all of them anew.
 */
export function useAppearance(): MapAppearance {
  const { data: catalogue } = useCatalogue();
  const types = useCustomTypes((state) => state.types);
  const lens = useView((view) => view.lens);
  const filters = useView((view) => view.filters);
  const stakeholders = useWorkspace((state) => state.rows?.stakeholder);
  const named = useWorkspace((state) => (filters.text ? state.rows?.component : undefined));
  const given = [catalogue, types, stakeholders, named, lens, filters];
  if (!last || given.some((one, at) => one !== last?.given[at])) {
    const model = currentModel();
    last = { given, appearance: model ? buildAppearance(model, lens, filters) : DEFAULT_APPEARANCE };
  }
  return last.appearance;
}

function buildAppearance(model: Model, lens: Lens, filters: Filters): MapAppearance {
  const { catalogue } = model;
  const states = new Map(catalogue.lifecycleStates.map((one) => [one.id, one]));
  const relations = new Map(catalogue.relationTypes.map((one) => [one.id, one]));
  return {
    componentAppearance: lensAppearance(lens, model),
    typeOf: (component) => typeAppearance(model, component),
    lifecycleOf: ({ properties }) => states.get(String(properties.lifecycle)) ?? null,
    relationOf: (id) =>
      relations.get(id) ?? { ...catalogueEntry(catalogue.relationTypes, id), directed: true },
    relationTypes: catalogue.relationTypes,
    componentTypes: catalogue.componentTypes,
    passes: componentFilter(filters, model),
    passesRelation: (id) => filters.relationTypeIds.size === 0 || filters.relationTypeIds.has(id),
  };
}
