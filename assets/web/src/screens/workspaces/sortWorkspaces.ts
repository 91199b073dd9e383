/** Filter and sort order of workspaces. */
import type { ListedWorkspace } from '@/api/generated';

export type WorkspaceOrder = 'opened' | 'changed' | 'name';

export function sortWorkspaces(
  workspaces: readonly ListedWorkspace[],
  text: string,
  order: WorkspaceOrder,
  opened: ReadonlyMap<string, number>,
): ListedWorkspace[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found = workspaces.filter(({ name, description = '', id }) => {
    const all = `${name} ${description} ${id}`.toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  });
  const byName = (one: ListedWorkspace, other: ListedWorkspace) =>
    one.name.localeCompare(other.name, undefined, { numeric: true });
  const byTime = (one: ListedWorkspace, other: ListedWorkspace) => other.updatedAt - one.updatedAt;
  const byOpening = (one: ListedWorkspace, other: ListedWorkspace) =>
    (opened.get(other.id) ?? 0) - (opened.get(one.id) ?? 0) || byTime(one, other);
  return found.sort({ opened: byOpening, changed: byTime, name: byName }[order]);
}
