import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '@/api/generated';
import { auditCsv, auditJson, detailText } from './export';

const EVENT: AuditEvent = {
  id: 7,
  kind: 'token.create',
  ts: 1_790_000_000_000,
  details: { name: '=HYPERLINK("x")', tokenId: 3 },
  actorId: 1,
  actor: { id: 1, displayName: '=Ada, "the first"', login: 'ada' },
  orgId: null,
  address: '198.51.100.7',
  requestId: '01a2',
  objects: [{ kind: 'token', id: '3', name: '=HYPERLINK("x")' }],
};

describe('exported audit events', () => {
  it('are one row each, quoted if needed, and never a formula', () => {
    const [head, row] = auditCsv([EVENT]).split('\r\n');
    expect(head).toBe('id,time,kind,actorId,actor,login,organizationId,text,details,address,requestId');
    expect(row).toContain(`7,2026-09-21T14:13:20.000Z,token.create,1,"'=Ada, ""the first""",ada,,`);
    expect(row).toMatch(/,198\.51\.100\.7,01a2$/);
  });

  it('are unchanged in JSON', () => {
    expect(JSON.parse(auditJson([EVENT]))).toEqual([EVENT]);
  });

  it.each([
    ['text', 'text'],
    [3, '3'],
    [null, 'null'],
    [['a', 1], '["a",1]'],
  ])('show the detail %j as %s', (value, text) => {
    expect(detailText(value)).toBe(text);
  });
});
