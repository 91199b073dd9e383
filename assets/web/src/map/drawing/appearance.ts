/**
 * How things look through the lens that is chosen. What colours and filters components is asked of `core/model` here, and
 * nowhere else on the canvas.
 */
import type { Component, IconType, LifecycleState, RelationType } from '@/api/generated';
import { lensOf, typeLook } from '@/core/model/lens';
import { entryOf, type Model, NEUTRAL } from '@/core/model/model';
import { matches } from '@/core/search/filter';
import { useCatalogue } from '@/data/queries';
import { currentModel, useCustomTypes } from '@/workspace/model';
import { usePlan } from '@/workspace/store';
import { type Filters, type Lens, useView } from '../state/view';

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

const NOTHING: Looks = {
  lookOf: () => ({ label: '', colour: NEUTRAL, mark: '' }),
  typeOf: ({ typeId }) => ({ name: typeId, icon: '' }),
  lifecycleOf: () => null,
  relationOf: (id) => ({ id, name: id, color: NEUTRAL, directed: true }),
  relationTypes: [],
  componentTypes: [],
  passes: () => true,
  passesRelation: () => true,
};

let last: { given: readonly unknown[]; looks: Looks } | null = null;

/**
 * The looks of now. The same object as long as nothing of it has changed: where components stand does not change how they
 * look, and moving one must not draw all of them anew.
 */
export function useLooks(): Looks {
  const { data: catalogue } = useCatalogue();
  const types = useCustomTypes((state) => state.types);
  const lens = useView((view) => view.lens);
  const filters = useView((view) => view.filters);
  const stakeholders = usePlan((plan) => plan.rows?.stakeholder);
  const named = usePlan((plan) => (filters.text ? plan.rows?.component : undefined));
  const given = [catalogue, types, stakeholders, named, lens, filters];
  if (!last || given.some((one, at) => one !== last?.given[at])) {
    const model = currentModel();
    last = { given, looks: model ? looksOf(model, lens, filters) : NOTHING };
  }
  return last.looks;
}

function looksOf(model: Model, lens: Lens, filters: Filters): Looks {
  const { catalogue } = model;
  const states = new Map(catalogue.lifecycleStates.map((one) => [one.id, one]));
  const relations = new Map(catalogue.relationTypes.map((one) => [one.id, one]));
  return {
    lookOf: lensOf(lens, model),
    typeOf: (component) => typeLook(model, component),
    lifecycleOf: ({ properties }) => states.get(String(properties.lifecycle)) ?? null,
    relationOf: (id) => relations.get(id) ?? { ...entryOf(catalogue.relationTypes, id), directed: true },
    relationTypes: catalogue.relationTypes,
    componentTypes: catalogue.componentTypes,
    passes: matches(filters, model),
    passesRelation: (id) => filters.relationTypeIds.size === 0 || filters.relationTypeIds.has(id),
  };
}
