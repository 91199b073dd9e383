/** The technologies of a component: its field `technology`, or the property of that name if the field is empty. */
import type { Component } from '@/api/generated';

export const TECHNOLOGY_PROPERTY = 'technology';

/** Names that fit on a card; the inspector lists all. */
const MAX_TECHNOLOGIES = 8;

/** A component whose field may be missing, as in edits that an earlier version stored in the browser. */
type Described = Pick<Component, 'properties'> & Partial<Pick<Component, 'technology'>>;

/** The names in the field; without any, those in the property: a text separated by commas, or a list of texts. */
export function technologiesOf({ technology, properties }: Described): string[] {
  const value: unknown = technology?.length ? technology : properties[TECHNOLOGY_PROPERTY];
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,;]/) : [];
  return texts
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim())
    .filter(Boolean)
    .slice(0, MAX_TECHNOLOGIES);
}
