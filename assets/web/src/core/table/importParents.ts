/** The column “Part of” of an imported file: finds the groups that its cells name. */
import type { Component } from '@/api/generated';
import { buildContainment, isSelfOrAncestor } from '@/core/containment/containment';
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

/** Finds the groups of rows. Rows whose group is created by an invalid row are invalid too. */
export function resolveParents(
  requests: readonly ParentRequest[],
  rows: Pick<Rows, 'component' | 'relationship'>,
): ResolvedParents {
  const current = buildContainment(rows.relationship.values(), rows.component).parent;
  const problems = new Map<string, string>();
  for (;;) {
    const valid = requests.filter(({ id }) => !problems.has(id));
    const parents = new Map<string, string | null>();
    const find = groupFinder(valid, rows);
    for (const { id, group } of valid) {
      if (group === undefined) continue;
      const found = find(group, current.get(id) ?? null);
      if (typeof found === 'string') problems.set(id, found);
      else if (found.id !== (current.get(id) ?? null)) parents.set(id, found.id);
    }
    for (const id of cyclic(current, parents)) problems.set(id, 'a component cannot contain itself.');
    if (valid.every(({ id }) => !problems.has(id))) return { parents, problems };
  }
}

type GroupFinder = (group: string, current: string | null) => { id: string | null } | string;

/** Finds groups by ID, else by name, before or after the import. */
function groupFinder(
  requests: readonly ParentRequest[],
  { component }: Pick<Rows, 'component'>,
): GroupFinder {
  const ids = new Set([...component.keys(), ...requests.map(({ id }) => id)]);
  const byName = new Map<string, Set<string>>();
  for (const { id, name } of [...component.values(), ...requests]) {
    if (!name) continue;
    const key = normalizeName(name);
    byName.set(key, (byName.get(key) ?? new Set()).add(id));
  }
  return (group, current) => {
    if (group === '') return { id: null };
    if (ids.has(group)) return { id: group };
    const named = byName.get(normalizeName(group)) ?? new Set();
    // An exported file names the current group even if other components have the same name.
    if (current !== null && named.has(current)) return { id: current };
    const [id, ...others] = named;
    const shown = truncate(group, 60);
    if (id === undefined) return `unknown group “${shown}”. “Part of” must be the id or name of a component.`;
    if (others.length > 0)
      return `several components are named “${shown}”. Write the id of the group in “Part of”.`;
    return { id };
  };
}

/** The components whose new group would contain itself. The previous groups of all changed components do not count. */
function cyclic(current: ReadonlyMap<string, string>, parents: ReadonlyMap<string, string | null>): string[] {
  const after = new Map([...current].filter(([id]) => !parents.has(id)));
  const refused: string[] = [];
  for (const [id, parent] of parents) {
    if (parent === null) continue;
    if (isSelfOrAncestor(after, id, parent)) refused.push(id);
    else after.set(id, parent);
  }
  return refused;
}

export function normalizeName(text: string): string {
  return text.trim().toLocaleLowerCase();
}
