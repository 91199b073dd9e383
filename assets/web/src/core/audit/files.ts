/** Audit events as files. */
import Papa from 'papaparse';
import type { Event } from '@/api/generated';

/** A row an event; details as JSON. What a spreadsheet would take for a formula is made plain text. */
export function auditCsv(events: readonly Event[]): string {
  const rows = events.map((event) => ({
    id: event.id,
    time: new Date(event.ts).toISOString(),
    kind: event.kind,
    actorId: event.actorId ?? '',
    actor: event.actor?.displayName ?? '',
    login: event.actor?.login ?? '',
    organizationId: event.orgId ?? '',
    details: JSON.stringify(event.details),
  }));
  return Papa.unparse(rows, { escapeFormulae: true, newline: '\r\n' });
}

export function auditJson(events: readonly Event[]): string {
  return `${JSON.stringify(events, null, 2)}\n`;
}

/** A detail on one line: `userId` `3` reads as it is, anything deeper as JSON. */
export function detailText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
