/** The appearance of components and relationships with the current lens and filters. */
import type { Component, IconType, LifecycleState, RelationType } from '@/api/generated';
import type { CardContent } from '@/core/drawing/card';
import type { CustomType } from '@/core/model/customTypes';
import { holderColors } from '@/core/model/holderColors';
import { lensAppearance, type TypeAppearance, typeAppearance } from '@/core/model/lens';
import { catalogueEntry, type Model, NEUTRAL_COLOR, ownerOf } from '@/core/model/model';
import { componentFilter } from '@/core/search/filter';
import { useCatalogue } from '@/data/queries';
import { useDriftIndex } from '@/workspace/drift';
import { currentModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { useTypes } from '@/workspace/types';
import { type Filters, type Lens, useView } from '../state/view';

export interface ComponentAppearance {
  label: string;
  /** `#RRGGBB`. */
  color: string;
  /** One or two letters. */
  mark: string;
}

export interface ComponentOwner {
  name: string;
  color: string;
}

export interface MapAppearance {
  componentAppearance: (component: Component) => ComponentAppearance;
  /** The name, icon and logo of a component's type, or of its custom type. */
  typeOf: (component: Component) => Pick<TypeAppearance, 'name' | 'icon' | 'logo'>;
  lifecycleOf: (component: Component) => LifecycleState | null;
  ownerOf: (component: Component) => ComponentOwner | undefined;
  relationOf: (typeId: string) => RelationType;
  relationTypes: readonly RelationType[];
  componentTypes: readonly IconType[];
  customTypes: readonly CustomType[];
  /** Whether a component matches the filters, and is not gone from code. Others are dimmed. */
  passes: (component: Component) => boolean;
  passesRelation: (typeId: string) => boolean;
}

const DEFAULT_APPEARANCE: MapAppearance = {
  componentAppearance: () => ({ label: '', color: NEUTRAL_COLOR, mark: '' }),
  typeOf: ({ typeId }) => ({ name: typeId, icon: '' }),
  lifecycleOf: () => null,
  ownerOf: () => undefined,
  relationOf: (id) => ({ id, name: id, color: NEUTRAL_COLOR, directed: true, dependsOn: 'none' }),
  relationTypes: [],
  componentTypes: [],
  customTypes: [],
  passes: () => true,
  passesRelation: () => true,
};

let last: { inputs: readonly unknown[]; appearance: MapAppearance } | null = null;

/**
 * The current appearance. The object only changes if a relevant input changes. Positions are not relevant, so moving a
 * component does not redraw all components.
 */
export function useAppearance(): MapAppearance {
  useCatalogue();
  useTypes((state) => state.types);
  useView((view) => view.lens);
  const filters = useView((view) => view.filters);
  useWorkspace((state) => state.rows?.stakeholder);
  useDriftIndex((state) => state.index);
  useWorkspace((state) => (filters.text ? state.rows?.component : undefined));
  return currentAppearance();
}

export function currentAppearance(): MapAppearance {
  const model = currentModel();
  const { lens, filters } = useView.getState();
  const { rows } = useWorkspace.getState();
  const named = filters.text ? rows?.component : undefined;
  const inputs = [
    model?.catalogue,
    model?.customTypes,
    model?.drift,
    rows?.stakeholder,
    named,
    lens,
    filters,
  ];
  if (!last || inputs.some((input, at) => input !== last?.inputs[at])) {
    last = { inputs, appearance: model ? buildAppearance(model, lens, filters) : DEFAULT_APPEARANCE };
  }
  return last.appearance;
}

/** The small text on a card. */
export function noteOf(
  appearance: MapAppearance,
  component: Component,
  { note, hasOwner }: CardContent,
): string {
  const type = appearance.typeOf(component).name;
  const { label } = appearance.componentAppearance(component);
  // Show the label of the lens instead of the technology, unless the label is already visible elsewhere.
  const owner = hasOwner ? appearance.ownerOf(component)?.name : undefined;
  const shown = [type, appearance.lifecycleOf(component)?.name, owner];
  return !label || shown.includes(label) ? note : `${label} · ${type}`;
}

function buildAppearance(model: Model, lens: Lens, filters: Filters): MapAppearance {
  const { catalogue } = model;
  const states = new Map(catalogue.lifecycleStates.map((state) => [state.id, state]));
  const colors = holderColors(model);
  const matches = componentFilter(filters, model);
  // The lens and the filter show what is gone, instead of dimming it.
  const isDriftShown = lens === 'drift' || filters.drift.size > 0;
  const { components: drift } = model.drift;
  const isGone = ({ id }: Component) => !isDriftShown && drift.get(id) === 'gone';
  const relations = new Map(catalogue.relationTypes.map((relation) => [relation.id, relation]));
  return {
    componentAppearance: lensAppearance(lens, model),
    typeOf: (component) => typeAppearance(model, component),
    lifecycleOf: ({ properties }) => states.get(String(properties.lifecycle)) ?? null,
    ownerOf: ({ id }) => {
      const owner = ownerOf(model, id);
      return owner && { name: owner.name, color: colors.get(owner.id) ?? NEUTRAL_COLOR };
    },
    relationOf: (id) =>
      relations.get(id) ?? {
        ...catalogueEntry(catalogue.relationTypes, id),
        directed: true,
        dependsOn: 'none',
      },
    relationTypes: catalogue.relationTypes,
    componentTypes: catalogue.componentTypes,
    customTypes: model.customTypes,
    passes: (component) => matches(component) && !isGone(component),
    passesRelation: (id) => filters.relationTypeIds.size === 0 || filters.relationTypeIds.has(id),
  };
}
