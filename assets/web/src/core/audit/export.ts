/** Exports audit events to files. */
import type { AuditEvent } from '@/api/generated';
import { formatCsv } from '../table/csv';
import { eventText } from './describe';

const HEADINGS = [
  'id',
  'time',
  'kind',
  'actorId',
  'actor',
  'login',
  'organizationId',
  'text',
  'details',
  'address',
  'requestId',
];

/** One row per event, with the details as JSON. */
export function auditCsv(events: readonly AuditEvent[]): string {
  const rows = events.map((event) => {
    const { id, ts, kind, actorId, actor, orgId, details, address, requestId } = event;
    return [
      id,
      new Date(ts).toISOString(),
      kind,
      actorId ?? '',
      actor?.displayName ?? '',
      actor?.login ?? '',
      orgId ?? '',
      eventText(event),
      JSON.stringify(details),
      address ?? '',
      requestId ?? '',
    ];
  });
  return formatCsv(HEADINGS, rows);
}

export function auditJson(events: readonly AuditEvent[]): string {
  return `${JSON.stringify(events, null, 2)}\n`;
}

/** Formats a detail on one line: strings and numbers unchanged, other values as JSON. */
export function detailText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
