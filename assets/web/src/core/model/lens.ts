/** How a lens shows components: a color, and always a label and a mark, because color alone must not carry meaning. */
import type { Component } from '@/api/generated';
import { initials } from '@/core/words';
import { holderColours } from './colours';
import { customKey, customTypeOf, typeKey } from './customTypes';
import type { Lens } from './look';
import { entryOf, type Holder, type Model, NEUTRAL, ownerOf, teamOf } from './model';

/** How one component is shown. */
export interface LensLook {
  /** Groups components that look the same; also the entry in the filter set. `''` for components without a value. */
  key: string;
  label: string;
  /** `#RRGGBB`, distinguishable on light and dark backgrounds. */
  colour: string;
  /** One or two letters. */
  mark: string;
}

/** An entry of a legend. */
export interface LegendEntry extends LensLook {
  count: number;
}

/** Returns the function that maps a component to its look. */
export function lensOf(lens: Lens, model: Model): (component: Component) => LensLook {
  const cache = new Map<string, LensLook>();
  const kept = (key: string, make: () => Omit<LensLook, 'key' | 'mark'>): LensLook => {
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
          const { name, color } = typeLook(model, component);
          return { label: name, colour: color };
        });
    case 'lifecycle':
      return ({ properties }) => {
        const id = typeof properties.lifecycle === 'string' ? properties.lifecycle : '';
        return kept(id, () => {
          const { name, color } = entryOf(model.catalogue.lifecycleStates, id);
          return id ? { label: name, colour: color } : { label: 'No lifecycle', colour: NEUTRAL };
        });
      };
    case 'owner':
    case 'team': {
      const of = lens === 'owner' ? ownerOf : teamOf;
      const colours = holderColours(model);
      const none = lens === 'owner' ? 'No owner' : 'No team';
      const look = (holder: Holder | undefined) => ({
        label: holder?.name ?? none,
        colour: holder ? (colours.get(holder.id) ?? NEUTRAL) : NEUTRAL,
      });
      return ({ id }) => {
        const holder = of(model, id);
        return kept(holder?.id ?? '', () => look(holder));
      };
    }
    case 'nobody':
      return ({ id }) =>
        ownerOf(model, id)
          ? kept('owned', () => ({ label: 'Has an owner', colour: NEUTRAL }))
          : kept('', () => ({ label: 'No owner', colour: '#d1495b' }));
  }
}

/** The legend of a lens, most frequent first, components without a value last. */
export function legendOf(lens: Lens, model: Model): LegendEntry[] {
  const look = lensOf(lens, model);
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
export function typeLook(
  model: Pick<Model, 'catalogue' | 'customTypes'>,
  component: Component,
): { key: string; name: string; color: string; icon: string } {
  const custom = customTypeOf(model.customTypes, component);
  const type = entryOf(model.catalogue.componentTypes, component.typeId);
  const icon = type.icon ?? '';
  if (custom) {
    return {
      key: customKey(custom),
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
