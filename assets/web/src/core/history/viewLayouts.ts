/** Changes of positions and lines in views as text, such as `moved 3 components in view “Payments”`. */
import type { PastChange } from '@/api/generated';
import { countOfKind } from '@/core/difference/describe';
import { shorten } from '@/core/sync/describe';
import { splitViewRowId } from '@/core/sync/viewRows';

type NameLookup = (entity: string, id: string) => string | undefined;

export function isLayoutChange({ entity }: PastChange): boolean {
  return entity === 'view-place' || entity === 'view-line';
}

/**
 * Describes the layout changes of a change set, one text per view and verb. Those of views and components that the same
 * change set creates or deletes are left out, because they follow from that.
 */
export function describeLayouts(changes: readonly PastChange[], nameOf: NameLookup): string[] {
  const replaced = new Set(
    changes.flatMap(({ entity, entityId, op }) => (op === 'update' ? [] : [`${entity} ${entityId}`])),
  );
  const groups = new Map<string, PastChange[]>();
  for (const change of changes) {
    if (!isLayoutChange(change)) continue;
    const [viewId, of] = splitViewRowId(change.entityId);
    const row = change.entity === 'view-place' ? `component ${of}` : `relationship ${of}`;
    if (replaced.has(`view ${viewId}`) || replaced.has(row)) continue;
    const key = `${change.entity} ${change.op === 'delete'} ${viewId}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()].map((group) => describeGroup(group, nameOf));
}

function describeGroup(group: readonly PastChange[], nameOf: NameLookup): string {
  const [{ entity, op, entityId }] = group as [PastChange];
  const [viewId, of] = splitViewRowId(entityId);
  const view = `view “${shorten(nameOf('view', viewId) ?? viewId)}”`;
  if (entity === 'view-line') {
    const lines = group.length === 1 ? 'a line' : `${group.length.toLocaleString('en')} lines`;
    return `${op === 'delete' ? 'reset' : 'changed'} ${lines} in ${view}`;
  }
  const name = `component “${shorten(nameOf('component', of) ?? of)}”`;
  const components = group.length === 1 ? name : countOfKind(group.length, 'component');
  return op === 'delete'
    ? `reset the position${group.length === 1 ? '' : 's'} of ${components} in ${view}`
    : `moved ${components} in ${view}`;
}
