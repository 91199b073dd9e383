/** Reads the technologies of a component from its property `technology`. */
import type { Component } from '@/api/generated';

export const TECHNOLOGY_PROPERTY = 'technology';

/** Maximum number of names on a card. The inspector lists all. */
const MAX_TECHNOLOGIES = 8;

/** Parses a comma-separated string or a list of strings. */
export function technologiesOf({ properties }: Pick<Component, 'properties'>): string[] {
  const value: unknown = properties[TECHNOLOGY_PROPERTY];
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,;]/) : [];
  return texts
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim())
    .filter(Boolean)
    .slice(0, MAX_TECHNOLOGIES);
}
