/** How a lens shows components: a color, and always a label and a mark, because color alone must not carry meaning. */
import type { Component } from '@/api/generated';
import { initials } from '@/core/text';
import { customTypeKey, customTypeOf, typeKey } from './customTypes';
import { DRIFT_STATES, type DriftState } from './drift';
import { holderColors } from './holderColors';
import { catalogueEntry, type Holder, isUnowned, type Model, NEUTRAL_COLOR, ownerOf, teamOf } from './model';
import type { Lens } from './viewOptions';

/** How one component is shown. */
export interface LensAppearance {
  /**
   * Identifies components with the same appearance; also the entry in the filter set. `''` for components without a
   * value.
   */
  key: string;
  label: string;
  /** `#RRGGBB`, distinguishable on light and dark backgrounds. */
  color: string;
  /** One or two letters. */
  mark: string;
  /** The icon of a type, which distinguishes types with the same mark. */
  icon?: string;
  /** The ID of a technology logo, shown instead of the icon. */
  logo?: string | undefined;
}

/** An entry of a legend. */
export interface LegendEntry extends LensAppearance {
  count: number;
}

/** The key of components of type person, which need no owner. Never the ID of a person or team. */
export const NEEDS_NO_OWNER = ':person';

const person = () => ({ label: 'Person', color: NEUTRAL_COLOR });

/** Returns the function that maps a component to its appearance. */
export function lensAppearance(lens: Lens, model: Model): (component: Component) => LensAppearance {
  const cache = new Map<string, LensAppearance>();
  const memoized = (key: string, make: () => Omit<LensAppearance, 'key' | 'mark'>): LensAppearance => {
    const known = cache.get(key);
    if (known) return known;
    const created = make();
    const look = { key, mark: key === '' ? '–' : initials(created.label), ...created };
    cache.set(key, look);
    return look;
  };
  switch (lens) {
    case 'type':
      return (component) =>
        memoized(typeKey(model.customTypes, component), () => {
          const { name, color, icon, logo } = typeAppearance(model, component);
          return { label: name, color, icon, logo };
        });
    case 'lifecycle':
      return ({ properties }) => {
        const id = typeof properties.lifecycle === 'string' ? properties.lifecycle : '';
        return memoized(id, () => {
          const { name, color } = catalogueEntry(model.catalogue.lifecycleStates, id);
          return id ? { label: name, color: color } : { label: 'No lifecycle', color: NEUTRAL_COLOR };
        });
      };
    case 'owner':
    case 'team': {
      const of = lens === 'owner' ? ownerOf : teamOf;
      const colors = holderColors(model);
      const none = lens === 'owner' ? 'No owner' : 'No team';
      const look = (holder: Holder | undefined) => ({
        label: holder?.name ?? none,
        color: holder ? (colors.get(holder.id) ?? NEUTRAL_COLOR) : NEUTRAL_COLOR,
      });
      return (component) => {
        const holder = of(model, component.id);
        if (lens === 'owner' && !holder && !isUnowned(model, component))
          return memoized(NEEDS_NO_OWNER, person);
        return memoized(holder?.id ?? '', () => look(holder));
      };
    }
    case 'drift': {
      const { hasSources, components } = model.drift;
      const none = () => ({ label: 'No sources', color: NEUTRAL_COLOR });
      return ({ id }) =>
        hasSources ? memoized(...driftLook(components.get(id) ?? 'inStep')) : memoized('', none);
    }
    case 'unowned':
      return (component) => {
        if (isUnowned(model, component)) return memoized('', () => ({ label: 'No owner', color: '#d1495b' }));
        return ownerOf(model, component.id)
          ? memoized('owned', () => ({ label: 'Has an owner', color: NEUTRAL_COLOR }))
          : memoized(NEEDS_NO_OWNER, person);
      };
  }
}

function driftLook(state: DriftState): [string, () => { label: string; color: string }] {
  const { name, color } = DRIFT_STATES.find(({ id }) => id === state) ?? {
    name: state,
    color: NEUTRAL_COLOR,
  };
  return [state, () => ({ label: name, color })];
}

/** The legend of a lens for these components (default: all), most frequent first, those without a value last. */
export function legendEntries(
  lens: Lens,
  model: Model,
  components: Iterable<Component> = model.rows.component.values(),
): LegendEntry[] {
  const look = lensAppearance(lens, model);
  const entries = new Map<string, LegendEntry>();
  for (const component of components) {
    const appearance = look(component);
    const entry = entries.get(appearance.key);
    if (entry) entry.count++;
    else entries.set(appearance.key, { ...appearance, count: 1 });
  }
  return [...entries.values()].sort(
    (a, b) => Number(a.key === '') - Number(b.key === '') || b.count - a.count || compare(a.label, b.label),
  );
}

export interface TypeAppearance {
  key: string;
  name: string;
  color: string;
  icon: string;
  /** The ID of a technology logo, shown instead of the icon. */
  logo?: string | undefined;
}

/** The name, color, icon and logo of a component's type or custom type. */
export function typeAppearance(
  model: Pick<Model, 'catalogue' | 'customTypes'>,
  component: Component,
): TypeAppearance {
  const custom = customTypeOf(model.customTypes, component);
  const type = catalogueEntry(model.catalogue.componentTypes, component.typeId);
  const icon = type.icon ?? '';
  if (custom) {
    return {
      key: customTypeKey(custom),
      name: custom.name,
      color: custom.color,
      icon: custom.icon || icon,
      logo: custom.kind?.logo,
    };
  }
  return { key: type.id, name: type.name, color: type.color, icon };
}

function compare(a: string, b: string): number {
  return a.localeCompare(b);
}
