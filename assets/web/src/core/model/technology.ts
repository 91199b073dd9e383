/** Reads the technologies of a component: its field `technology`, or the property of that name if the field is empty. */
import type { Component } from '@/api/generated';

export const TECHNOLOGY_PROPERTY = 'technology';

/** Maximum number of names on a card. The inspector lists all. */
const MAX_TECHNOLOGIES = 8;

/** A component whose field may be missing, as in edits that an earlier version stored in the browser. */
type Described = Pick<Component, 'properties'> & Partial<Pick<Component, 'technology'>>;

/** Returns the field, or if it is empty, the property: a comma-separated string or a list of strings. */
export function technologiesOf({ technology, properties }: Described): string[] {
  const value: unknown = technology?.length ? technology : properties[TECHNOLOGY_PROPERTY];
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,;]/) : [];
  return texts
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim())
    .filter(Boolean)
    .slice(0, MAX_TECHNOLOGIES);
}

/** The names of the logos to show for a component: the logo of its type, or its technologies. */
export function logosOf(type: { logo?: string | undefined }, component: Described): string[] {
  return type.logo ? [type.logo] : technologiesOf(component);
}
