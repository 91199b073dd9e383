/** Sample drafts and changes for tests. */
import type { Draft, DraftChange, DraftReview, Profile } from '@/api/generated';

export function person(id: number, displayName: string): Profile {
  return { id, displayName, login: displayName.toLowerCase(), avatarUrl: null, provider: 'local' };
}

export const ADA = person(1, 'Ada');
export const GRACE = person(2, 'Grace');

export function draft(fields: Partial<Draft> = {}): Draft {
  return {
    id: 'draft-1',
    number: 1,
    workspaceId: 'shop',
    title: 'Split checkout',
    description: null,
    state: 'draft',
    author: ADA,
    reviewers: [],
    reviews: [],
    approvals: 0,
    requiredApprovals: 0,
    baseRevision: 4,
    isBehind: false,
    revision: 1,
    canEdit: true,
    canReview: false,
    canMerge: false,
    hasMap: true,
    createdAt: 0,
    updatedAt: 0,
    ...fields,
  };
}

export function review(reviewer: Profile, fields: Partial<DraftReview> = {}): DraftReview {
  return {
    id: 1,
    reviewer,
    verdict: 'approved',
    text: null,
    revision: 1,
    createdAt: 0,
    isCurrent: true,
    ...fields,
  };
}

export function change(fields: Partial<DraftChange> = {}): DraftChange {
  return {
    kind: 'component',
    id: 'web',
    name: 'Web',
    change: 'changed',
    fields: [],
    row: { id: 'web' },
    ...fields,
  };
}

/** A field that both sides have changed. */
export function conflicting(field: string, base: unknown, changed: unknown) {
  return { field, branch: 'before', base, draft: changed, conflict: true };
}
