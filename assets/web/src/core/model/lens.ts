/** How a lens shows components: a color, and always a label and a mark, because color alone must not carry meaning. */
import type { Component } from '@/api/generated';
import { initials } from '@/core/text';
import { customTypeKey, customTypeOf, typeKey } from './customTypes';
import { holderColors } from './holderColors';
import { catalogueEntry, type Holder, type Model, NEUTRAL_COLOR, ownerOf, teamOf } from './model';
import type { Lens } from './viewOptions';

/** How one component is shown. */
export interface LensAppearance {
  /** Groups components that look the same; also the entry in the filter set. `''` for components without a value. */
  key: string;
  label: string;
  /** `#RRGGBB`, distinguishable on light and dark backgrounds. */
  color: string;
  /** One or two letters. */
  mark: string;
}

/** An entry of a legend. */
export interface LegendEntry extends LensAppearance {
  count: number;
}

/** Returns the function that maps a component to its look. */
export function lensAppearance(lens: Lens, model: Model): (component: Component) => LensAppearance {
  const cache = new Map<string, LensAppearance>();
  const kept = (key: string, make: () => Omit<LensAppearance, 'key' | 'mark'>): LensAppearance => {
    const known = cache.get(key);
    if (known) return known;
    const made = make();
    const look = { key, mark: key === '' ? '–' : initials(made.label), ...made };
    cache.set(key, look);
    return look;
  };
  switch (lens) {
    case 'type':
      return (component) =>
        kept(typeKey(model.customTypes, component), () => {
          const { name, color } = typeAppearance(model, component);
          return { label: name, color: color };
        });
    case 'lifecycle':
      return ({ properties }) => {
        const id = typeof properties.lifecycle === 'string' ? properties.lifecycle : '';
        return kept(id, () => {
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
      return ({ id }) => {
        const holder = of(model, id);
        return kept(holder?.id ?? '', () => look(holder));
      };
    }
    case 'nobody':
      return ({ id }) =>
        ownerOf(model, id)
          ? kept('owned', () => ({ label: 'Has an owner', color: NEUTRAL_COLOR }))
          : kept('', () => ({ label: 'No owner', color: '#d1495b' }));
  }
}

/** The legend of a lens, most frequent first, components without a value last. */
export function legendEntries(lens: Lens, model: Model): LegendEntry[] {
  const look = lensAppearance(lens, model);
  const entries = new Map<string, LegendEntry>();
  for (const component of model.rows.component.values()) {
    const one = look(component);
    const entry = entries.get(one.key);
    if (entry) entry.count++;
    else entries.set(one.key, { ...one, count: 1 });
  }
  return [...entries.values()].sort(
    (a, b) => Number(a.key === '') - Number(b.key === '') || b.count - a.count || compare(a.label, b.label),
  );
}

/** Name, color and icon of a component's type, or of its custom type. */
export function typeAppearance(
  model: Pick<Model, 'catalogue' | 'customTypes'>,
  component: Component,
): { key: string; name: string; color: string; icon: string } {
  const custom = customTypeOf(model.customTypes, component);
  const type = catalogueEntry(model.catalogue.componentTypes, component.typeId);
  const icon = type.icon ?? '';
  if (custom) {
    return {
      key: customTypeKey(custom),
      name: custom.name,
      color: custom.color,
      icon: custom.icon || icon,
    };
  }
  return { key: type.id, name: type.name, color: type.color, icon };
}

function compare(one: string, other: string): number {
  return one.localeCompare(other);
}
