/** Audit events as files. */
import type { Event } from '@/api/generated';
import { formatCsv } from '../table/csv';

const HEADINGS = ['id', 'time', 'kind', 'actorId', 'actor', 'login', 'organizationId', 'details'];

/** A row an event; details as JSON. */
export function auditCsv(events: readonly Event[]): string {
  const rows = events.map(({ id, ts, kind, actorId, actor, orgId, details }) => [
    id,
    new Date(ts).toISOString(),
    kind,
    actorId ?? '',
    actor?.displayName ?? '',
    actor?.login ?? '',
    orgId ?? '',
    JSON.stringify(details),
  ]);
  return formatCsv(HEADINGS, rows);
}

export function auditJson(events: readonly Event[]): string {
  return `${JSON.stringify(events, null, 2)}\n`;
}

/** A detail on one line: `userId` `3` reads as it is, anything deeper as JSON. */
export function detailText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
