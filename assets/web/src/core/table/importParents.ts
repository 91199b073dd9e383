/** The column “Part of” of an imported file: finds the groups that its cells name. */
import type { Component } from '@/api/generated';
import { buildContainment } from '@/core/containment/containment';
import type { Rows } from '@/core/sync/rows';
import { truncate } from '@/core/text';

/** A row of the file. */
export interface ParentRequest {
  id: string;
  name: string;
  /** The existing component that the row changes; null if it creates one. */
  component: Component | null;
  /** The ID or name of the group, empty for none; undefined if the file has no such column. */
  group: string | undefined;
}

interface ResolvedParents {
  /** The new group of each component whose group changes. */
  parents: Map<string, string | null>;
  /** Error messages by component. */
  problems: Map<string, string>;
}

/**
 * Finds the groups of rows. Rows whose group is created by an invalid row are invalid too. Only rows whose group became
 * invalid are resolved again, so that long chains of such groups take linear time.
 */
export function resolveParents(
  requests: readonly ParentRequest[],
  rows: Pick<Rows, 'component' | 'relationship'>,
): ResolvedParents {
  const current = buildContainment(rows.relationship.values(), rows.component).parent;
  const byId = new Map(requests.map((request, at) => [request.id, { request, at }]));
  const groups = new GroupFinder(requests, rows);
  const problems = new Map<string, string>();
  const parents = new Map<string, string | null>();
  /** The groups of all components if the rows without problems are imported. */
  const after = new Map<string, string | null>(current);
  /** The rows that each group was found for. */
  const dependents = new Map<string, ParentRequest[]>();
  const setParent = (id: string, parent: string | null) => {
    const before = current.get(id) ?? null;
    if (parent === before) parents.delete(id);
    else parents.set(id, parent);
    after.set(id, parent);
  };
  const resolve = (request: ParentRequest, group: string) => {
    const { id } = request;
    const found = groups.find(group, current.get(id) ?? null);
    if (typeof found === 'string') return found;
    setParent(id, found.id);
    if (found.id === null) return null;
    const known = dependents.get(found.id);
    if (known) known.push(request);
    else dependents.set(found.id, [request]);
    return null;
  };
  // Of a cycle, the last row is refused. Relationships that exist come before all rows.
  const orderOf = (id: string) => (parents.has(id) ? (byId.get(id)?.at ?? -1) : -1);
  let pending = requests;
  let restored: string[] = [];
  while (pending.length > 0 || restored.length > 0) {
    const refused = new Map<string, string>();
    for (const request of pending) {
      const { id, group } = request;
      const problem = group === undefined || problems.has(id) ? null : resolve(request, group);
      if (problem !== null) refused.set(id, problem);
    }
    for (const id of refused.keys()) setParent(id, current.get(id) ?? null);
    for (const id of closingCycles(after, [...pending.map((one) => one.id), ...restored], orderOf))
      refused.set(id, 'a component cannot contain itself.');
    // These keep their groups, which may close other cycles.
    restored = [...refused.keys()];
    pending = restored.flatMap((id) => dependents.get(id) ?? []);
    for (const [id, problem] of refused) {
      problems.set(id, problem);
      setParent(id, current.get(id) ?? null);
      groups.remove(byId.get(id)?.request);
      dependents.delete(id);
    }
  }
  return { parents, problems };
}

/** Finds groups by ID, else by name, before or after the import. */
class GroupFinder {
  readonly #component: Rows['component'];
  readonly #ids: Set<string>;
  readonly #byName = new Map<string, Set<string>>();

  constructor(requests: readonly ParentRequest[], { component }: Pick<Rows, 'component'>) {
    this.#component = component;
    this.#ids = new Set([...component.keys(), ...requests.map(({ id }) => id)]);
    for (const { id, name } of [...component.values(), ...requests]) {
      if (!name) continue;
      const key = normalizeName(name);
      const known = this.#byName.get(key);
      if (known) known.add(id);
      else this.#byName.set(key, new Set([id]));
    }
  }

  /** The group, or an error message. */
  find(group: string, current: string | null): { id: string | null } | string {
    if (group === '') return { id: null };
    if (this.#ids.has(group)) return { id: group };
    const named = this.#byName.get(normalizeName(group)) ?? new Set();
    // An exported file names the current group even if other components have the same name.
    if (current !== null && named.has(current)) return { id: current };
    const [id] = named;
    const shown = truncate(group, 60);
    if (id === undefined) return `unknown group “${shown}”. “Part of” must be the id or name of a component.`;
    if (named.size > 1)
      return `several components are named “${shown}”. Write the id of the group in “Part of”.`;
    return { id };
  }

  /** Forgets what an invalid row would have created or renamed. */
  remove(request: ParentRequest | undefined): void {
    if (!request) return;
    const { id, name } = request;
    const existing = this.#component.get(id);
    if (!existing) this.#ids.delete(id);
    const key = normalizeName(name);
    if (!existing || normalizeName(existing.name) !== key) this.#byName.get(key)?.delete(id);
  }
}

/** The component of each cycle through one of `starts` that comes last. */
function closingCycles(
  parents: ReadonlyMap<string, string | null>,
  starts: readonly string[],
  orderOf: (id: string) => number,
): string[] {
  const seenFrom = new Map<string, string>();
  const closing: string[] = [];
  for (const start of new Set(starts)) {
    let at: string | null = start;
    while (at !== null && !seenFrom.has(at)) {
      seenFrom.set(at, start);
      at = parents.get(at) ?? null;
    }
    if (at === null || seenFrom.get(at) !== start) continue;
    let last = at;
    for (let next = parents.get(at); next && next !== at; next = parents.get(next))
      if (orderOf(next) > orderOf(last)) last = next;
    closing.push(last);
  }
  return closing;
}

export function normalizeName(text: string): string {
  return text.trim().toLocaleLowerCase();
}
