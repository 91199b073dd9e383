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
  const byName = (a: ListedWorkspace, b: ListedWorkspace) =>
    a.name.localeCompare(b.name, undefined, { numeric: true });
  const byTime = (a: ListedWorkspace, b: ListedWorkspace) => b.updatedAt - a.updatedAt;
  const byOpening = (a: ListedWorkspace, b: ListedWorkspace) =>
    (opened.get(b.id) ?? 0) - (opened.get(a.id) ?? 0) || byTime(a, b);
  return found.sort({ opened: byOpening, changed: byTime, name: byName }[order]);
}
