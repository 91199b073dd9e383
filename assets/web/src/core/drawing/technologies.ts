/** Finds the logo of a technology by name. */

export interface Technology {
  title: string;
  /** Forms of its name, as `nameKey` returns them. */
  names: readonly string[];
  /** SVG path data in a square of 24. */
  path: string;
}

/** The square that logos are drawn in. */
export const LOGO_SIZE = 24;

export type TechnologyIndex = ReadonlyMap<string, Technology>;

export function technologyIndex(technologies: Readonly<Record<string, Technology>>): TechnologyIndex {
  return new Map(Object.values(technologies).flatMap((one) => one.names.map((name) => [name, one] as const)));
}

/** The first of several technologies that has a logo. A version behind a name is ignored: “PostgreSQL 17.2”. */
export function findTechnology(index: TechnologyIndex, names: readonly string[]): Technology | undefined {
  for (const name of names) {
    const found = index.get(nameKey(name)) ?? index.get(nameKey(name.replace(/\s+v?\d[\w.]*$/i, '')));
    if (found) return found;
  }
  return undefined;
}

/** The form in which names are compared: lowercase letters, digits, `+` and `#`. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}+#]/gu, '');
}
