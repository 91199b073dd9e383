/** Suggests components for participants by name. */

export interface Named {
  id: string;
  name: string;
}

/** The minimum similarity of a suggestion. */
const MIN_LIKENESS = 0.6;

/** Finds the component whose name is most similar to the name of a participant. */
export function participantMatcher<T extends Named>(
  components: Iterable<T>,
): (...names: string[]) => T | undefined {
  const exact = new Map<string, T>();
  const known: { component: T; pairs: ReadonlyMap<string, number>[] }[] = [];
  for (const component of components) {
    const forms = [normalize(component.name), normalize(component.id)];
    for (const form of forms) if (form && !exact.has(form)) exact.set(form, component);
    known.push({ component, pairs: [...new Set(forms)].map(pairsOf) });
  }
  return (...names) => {
    const forms = names.map(normalize).filter(Boolean);
    for (const form of forms) {
      const same = exact.get(form);
      if (same) return same;
    }
    let best: T | undefined;
    let bestLikeness = MIN_LIKENESS;
    for (const mine of forms.map(pairsOf)) {
      for (const { component, pairs } of known) {
        const like = Math.max(...pairs.map((theirs) => likeness(mine, theirs)));
        if (like > bestLikeness) [best, bestLikeness] = [component, like];
      }
    }
    return best;
  };
}

/** Finds the component that has exactly this name, except for case and white space; undefined if several have it. */
export function equalNameFinder(components: Iterable<Named>): (name: string) => string | undefined {
  const ids = new Map<string, string | undefined>();
  for (const { id, name } of components) ids.set(fold(name), ids.has(fold(name)) ? undefined : id);
  return (name) => ids.get(fold(name));
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** Removes case, accents and punctuation. */
function normalize(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function pairsOf(text: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** The similarity of two names by shared bigrams (Sørensen–Dice), from 0 (none shared) to 1 (equal). */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0);
  const all = sum(a) + sum(b);
  return all > 0 ? (2 * shared) / all : 0;
}

function sum(pairs: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of pairs.values()) total += count;
  return total;
}
