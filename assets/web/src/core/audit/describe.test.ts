import { describe, expect, it } from 'vitest';
import type { AuditEvent, AuditEventObject } from '@/api/generated';
import { describeEvent, eventText } from './describe';

const bob: AuditEventObject = { kind: 'user', id: '2', name: 'Bob' };
const acme: AuditEventObject = { kind: 'organization', id: 'org_1', name: 'Acme', orgSlug: 'acme' };
const payments: AuditEventObject = {
  kind: 'workspace',
  id: 'pay',
  name: 'Payments',
  orgSlug: 'acme',
  workspaceId: 'pay',
};
const ledger: AuditEventObject = { ...payments, kind: 'component', id: 'ledger', name: 'Ledger' };

function event(kind: string, details: AuditEvent['details'], objects: AuditEventObject[] = []): AuditEvent {
  return {
    id: 1,
    kind,
    ts: 0,
    details,
    actorId: 1,
    actor: null,
    orgId: 'org_1',
    address: null,
    requestId: null,
    objects,
  };
}

const changed = (
  changes: Record<string, { count: number; ids: string[] }>,
  workspacePk: number | null = 7,
) => (workspacePk === null ? { changes } : { changes, workspacePk });

describe('an audit event', () => {
  it.each([
    ['token.create', { tokenId: 3 }, [acme, { kind: 'token', id: '3', name: 'CI' }], 'created the token CI'],
    ['token.revoke', { tokenId: 3 }, [acme], 'revoked a token'],
    ['user.suspend', { userId: 2 }, [bob], 'suspended the account of Bob'],
    ['user.profile', { userId: 1 }, [{ ...bob, id: '1' }], 'changed their profile'],
    ['organization.leave', { userId: 2 }, [acme, bob], 'removed Bob from Acme'],
    ['session.begin', { sessionId: 1 }, [], 'signed in'],
    ['unheard.of', {}, [], 'unheard.of'],
  ])('%s says what happened', (kind, details, objects, text) => {
    expect(eventText(event(kind, details, objects as AuditEventObject[]))).toBe(text);
  });

  it.each([
    [
      { 'component.update': { count: 1, ids: ['ledger'] } },
      [payments, ledger],
      'changed the component Ledger in Payments',
    ],
    [
      { 'component.delete': { count: 1, ids: ['ledger'] } },
      [payments],
      'deleted the component ledger in Payments',
    ],
    [
      { 'component.create': { count: 1_200, ids: ['a'] } },
      [payments],
      'created 1,200 components in Payments',
    ],
    [{ 'member.delete': { count: 1, ids: ['2'] } }, [payments, bob], 'removed Bob from Payments'],
    [{ 'member.create': { count: 1, ids: ['2'] } }, [payments, bob], 'added Bob to Payments'],
    [{ 'member.update': { count: 1, ids: ['2'] } }, [payments, bob], 'changed the access of Bob in Payments'],
    [{ 'stakeholder.create': { count: 1, ids: ['9'] } }, [payments], 'created the stakeholder in Payments'],
    [{ 'component.update': { count: 1, ids: ['x'] } }, [], 'changed the component x in a workspace'],
    [
      { 'workspace.create': { count: 1, ids: ['pay'] }, 'component.create': { count: 9, ids: [] } },
      [payments],
      'created the workspace Payments',
    ],
    [{ 'workspace.update': { count: 1, ids: ['pay'] } }, [payments], 'changed the workspace Payments'],
    [
      { 'component.create': { count: 2, ids: ['a', 'b'] }, 'process.delete': { count: 3, ids: [] } },
      [payments],
      'created 2 components, deleted 3 processes in Payments',
    ],
  ])('of changes %j says what changed', (changes, objects, text) => {
    expect(eventText(event('component.update', changed(changes), objects))).toBe(text);
  });

  it('of the directory names the organization', () => {
    const changes = changed({ 'person.update': { count: 1, ids: ['grace'] } }, null);
    const grace = { ...acme, kind: 'person', id: 'grace', name: 'Grace' };
    expect(eventText(event('person.update', changes, [acme, grace]))).toBe(
      'changed the person Grace in Acme',
    );
  });

  it('has the objects as parts that can be linked', () => {
    expect(describeEvent(event('workspace.duplicate', {}, [acme, payments]))).toEqual([
      'duplicated a workspace to ',
      payments,
    ]);
  });
});
