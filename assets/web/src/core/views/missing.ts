/** The IDs in a selector that no longer exist. They match nothing, and are kept in case they return. */
import type { Model } from '../model/model';
import type { Selector } from '../sync/viewRows';

/** A key of a selector that contains IDs. IDs in `around` are those of the components `of`. */
export type IdKey = 'ids' | 'within' | 'around' | 'kinds' | 'owners' | 'teams' | 'roles';

/** What exists in the organization, by ID; null while it is loading, so that nothing is reported as missing. */
export interface KnownEntries {
  people: { has(id: string): boolean } | null;
  teams: { has(id: string): boolean } | null;
  roles: { has(id: string): boolean } | null;
}

/** The missing IDs of each key, in their order. Keys without missing IDs are left out. */
export function missingIds(
  selector: Selector,
  model: Model,
  { people, teams, roles }: KnownEntries,
): Map<IdKey, string[]> {
  const components = model.rows.component;
  const kinds = new Set(model.customTypes.flatMap(({ kind }) => kind?.id ?? []));
  const isHolder = (id: string) =>
    id === '' || people === null || teams === null || people.has(id) || teams.has(id);
  const lists: readonly (readonly [IdKey, readonly string[] | undefined, (id: string) => boolean])[] = [
    ['ids', selector.ids, (id) => components.has(id)],
    ['within', selector.within, (id) => components.has(id)],
    ['around', selector.around?.of, (id) => components.has(id)],
    ['kinds', selector.kinds, (id) => kinds.has(id)],
    ['owners', selector.owners, isHolder],
    ['teams', selector.teams, (id) => teams?.has(id) ?? true],
    ['roles', selector.roles, (id) => roles?.has(id) ?? true],
  ];
  const missing = new Map<IdKey, string[]>();
  for (const [key, list, exists] of lists) {
    const gone = (list ?? []).filter((id) => !exists(id));
    if (gone.length > 0) missing.set(key, gone);
  }
  return missing;
}
