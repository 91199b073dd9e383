/** Finds the logo of a technology by name. */

export interface Technology {
  title: string;
  /** The normalized names, as returned by `nameKey`. */
  names: readonly string[];
  /** SVG path data in a 24 × 24 view box. */
  path: string;
}

/** The size of the logo's view box. */
export const LOGO_SIZE = 24;

export type TechnologyIndex = ReadonlyMap<string, Technology>;

export function technologyIndex(technologies: Readonly<Record<string, Technology>>): TechnologyIndex {
  const index = new Map<string, Technology>();
  for (const one of Object.values(technologies)) for (const name of one.names) index.set(name, one);
  // Kinds refer to logos by ID.
  for (const [id, one] of Object.entries(technologies))
    if (!index.has(nameKey(id))) index.set(nameKey(id), one);
  return index;
}

/**
 * Returns the first of several technologies that has a logo. A version after a name is ignored, as in “PostgreSQL
 * 17.2”.
 */
export function findTechnology(index: TechnologyIndex, names: readonly string[]): Technology | undefined {
  for (const name of names) {
    const found = index.get(nameKey(name)) ?? index.get(nameKey(name.replace(/\s+v?\d[\w.]*$/i, '')));
    if (found) return found;
  }
  return undefined;
}

/** Normalizes a name for comparison: lowercase letters, digits, `+` and `#`. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}+#]/gu, '');
}
