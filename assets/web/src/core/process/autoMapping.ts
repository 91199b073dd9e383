/**
 * Maps participants automatically whose name equals the name of exactly one component. Only participants that were
 * added or renamed are mapped, so that one that was unmapped before stays unmapped.
 */

export interface NamedParticipant {
  alias: string;
  name: string;
}

export interface AutoMapping {
  /** The names of the participants when they were last checked. */
  seen: ReadonlyMap<string, string>;
  /** The participants that were mapped automatically, with their components. */
  mapped: ReadonlyMap<string, string>;
  /** The participants that the user unmapped. */
  unmapped: ReadonlySet<string>;
}

/** The state before any change: nothing that already exists is mapped. */
export function startAutoMapping(people: readonly NamedParticipant[]): AutoMapping {
  return { seen: namesOf(people), mapped: new Map(), unmapped: new Set() };
}

/** The state after the user unmapped a participant. */
export function withUnmapped(state: AutoMapping, alias: string): AutoMapping {
  const mapped = new Map(state.mapped);
  mapped.delete(alias);
  return { ...state, mapped, unmapped: new Set(state.unmapped).add(alias) };
}

/** The changes to the mapping after the text changed: the new component of each alias, or null to remove it. */
export function autoMap(
  state: AutoMapping,
  people: readonly NamedParticipant[],
  participants: Readonly<Record<string, string>>,
  find: (name: string) => string | undefined,
): { state: AutoMapping; changes: ReadonlyMap<string, string | null> } {
  const changes = new Map<string, string | null>();
  const mapped = new Map(state.mapped);
  const put = (alias: string, id: string | undefined) => {
    if (id === undefined) mapped.delete(alias);
    else mapped.set(alias, id);
    if (participants[alias] !== id) changes.set(alias, id ?? null);
  };
  for (const { alias, name } of people) {
    const current = Object.hasOwn(participants, alias) ? participants[alias] : undefined;
    const own = state.mapped.get(alias);
    const isUnchanged = state.seen.get(alias) === name;
    // The user selected another component or none.
    if (own !== undefined && current !== own) mapped.delete(alias);
    else if (isUnchanged || state.unmapped.has(alias)) continue;
    else if (current === undefined || own !== undefined) put(alias, find(name));
  }
  // An alias that is still being typed is gone in the next text.
  const names = namesOf(people);
  for (const [alias, id] of state.mapped) {
    if (!names.has(alias) && participants[alias] === id) put(alias, undefined);
  }
  return { state: { ...state, seen: names, mapped }, changes };
}

function namesOf(people: readonly NamedParticipant[]): Map<string, string> {
  return new Map(people.map(({ alias, name }) => [alias, name]));
}
