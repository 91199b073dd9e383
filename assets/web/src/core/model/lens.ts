/** How a lens shows components: colour, and beside it always a word and a mark, for colour alone carries no meaning. */
import type { Component } from '@/api/generated';
import { initials } from '@/core/text';
import { customKey, customTypeOf, typeKey } from './customTypes';
import { holderColours } from './holderColors';
import { entryOf, type Holder, type Model, NEUTRAL, ownerOf, teamOf } from './model';
import type { Lens } from './viewOptions';

/** How one component is shown. */
export interface LensLook {
  /** What components that look the same have in common; in filters, the entry of the set. `''` for none. */
  key: string;
  label: string;
  /** `#RRGGBB`, to be told apart on light and on dark. */
  colour: string;
  /** One or two letters. */
  mark: string;
}

/** An entry of a legend. */
export interface LegendEntry extends LensLook {
  count: number;
}

/** The lens, as a function of a component. */
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
          : kept('', () => ({ label: 'Nobody owns it', colour: '#d1495b' }));
  }
}

/** What a legend says of a lens: the most frequent first, those without any last. */
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

/** Name, colour and icon of a component's type, a custom one if it has one. */
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
