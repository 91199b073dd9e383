/** The endpoints and types of drafts. */
import type { Bundle, Profile } from './generated';
import { http, send } from './http';

export type DraftState = 'draft' | 'open' | 'changes-requested' | 'approved' | 'merged' | 'closed';
export type Verdict = 'approved' | 'changes-requested' | 'comment';

/** A proposed change of a workspace. The draft is a workspace too, with the same ID. */
export interface Draft {
  id: string;
  /** Unique among the drafts of the base. */
  number: number;
  /** The ID of the base. */
  workspaceId: string;
  title: string;
  /** Markdown. */
  description: string | null;
  state: DraftState;
  author: Profile;
  reviewers: Profile[];
  /** Oldest first. Empty in lists. */
  reviews: DraftReview[];
  /** The number of approvals that count. */
  approvals: number;
  requiredApprovals: number;
  baseRevision: number;
  /** Whether the base has changed since the draft was started or last updated. */
  isBehind: boolean;
  revision: number;
  canEdit: boolean;
  canReview: boolean;
  canMerge: boolean;
  mergedAt?: number;
  closedAt?: number;
  endedBy?: Profile;
  /** The change set of the merge, in the base. */
  changeSetId?: string;
  /** Whether the map of the draft still exists. */
  hasMap: boolean;
  sourceId?: string;
  createdAt: number;
  updatedAt: number;
}

export interface DraftReview {
  id: number;
  reviewer: Profile;
  verdict: Verdict;
  text: string | null;
  revision: number;
  createdAt: number;
  /** Whether it counts. Approvals lapse when the draft changes. */
  isCurrent: boolean;
}

export type DraftRowKind =
  | 'workspace'
  | 'component'
  | 'relationship'
  | 'stakeholder'
  | 'link'
  | 'process'
  | 'note'
  | 'view'
  | 'view-place'
  | 'view-line'
  | 'tour';

export interface DraftField {
  field: string;
  /** The values when the draft was started, in the base now, and in the draft. Null: not set. */
  branch: unknown;
  base: unknown;
  draft: unknown;
  conflict: boolean;
}

/** A row that differs between a draft and its base. */
export interface DraftChange {
  kind: DraftRowKind;
  /** The ID in the base; for rows that the draft adds, the ID in the draft. */
  id: string;
  draftRowId?: string;
  name: string;
  change: 'added' | 'changed' | 'removed' | 'moved';
  conflict?: 'fields' | 'removed' | 'reference' | 'structure';
  /** Describes the conflict. */
  why?: string;
  fields: DraftField[];
  /** The row in the draft; for removed rows, the row in the base. */
  row: Record<string, unknown> | null;
  /** With a conflict: the row in the base. */
  baseRow?: Record<string, unknown>;
}

export interface DraftComparison {
  draftId: string;
  workspaceId: string;
  branchRevision: number;
  baseRevision: number;
  draftRevision: number;
  isFinal: boolean;
  counts: Record<'added' | 'changed' | 'removed' | 'moved' | 'conflicting' | 'base', number>;
  /** What a merge would do to the base, conflicts first. */
  changes: DraftChange[];
  /** What only the base has changed since the draft was started. */
  baseChanges: DraftChange[];
}

export interface Protection {
  protected: boolean;
  requiredApprovals: number;
  ownersExempt: boolean;
  /** Whether the caller can change the workspace without a draft. */
  canBypass: boolean;
}

export interface Resolution {
  kind: DraftRowKind;
  id: string;
  field?: string;
  take: 'base' | 'draft';
}

interface Resolutions {
  resolutions?: readonly Resolution[];
}

/** Fields of workspaces that concern drafts. */
export interface DraftFields {
  /** In a draft, the ID of its base. */
  baseId?: string;
  /** Whether the caller can change the workspace only by merging a draft. */
  protected?: boolean;
}

/** The fields of a workspace that concern drafts. */
export function draftFields(workspace: Bundle['workspace'] | undefined): DraftFields {
  return (workspace ?? {}) as DraftFields;
}

const encode = encodeURIComponent;
const draftPath = (id: string, ...rest: string[]) => ['/api/drafts', encode(id), ...rest].join('/');
const draftsPath = (workspaceId: string) => `/api/workspaces/${encode(workspaceId)}/drafts`;
const protectionPath = (workspaceId: string) => `/api/workspaces/${encode(workspaceId)}/protection`;

function write<T>(method: 'POST' | 'PATCH', path: string, body: unknown, headers = {}): Promise<T> {
  return http<T>(path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    timeout: WRITE_TIMEOUT_MS,
  });
}

/** Large maps take longer than other requests. */
const WRITE_TIMEOUT_MS = 120_000;

export interface ListDraftsParams {
  state?: readonly DraftState[];
  author?: 'me' | number;
  limit?: number;
  cursor?: string;
}

export function listDrafts(
  workspaceId: string,
  { state, author, limit, cursor }: ListDraftsParams = {},
): Promise<{ drafts: Draft[]; nextCursor?: string }> {
  const query = new URLSearchParams();
  if (state) query.set('state', state.join(','));
  if (author !== undefined) query.set('author', String(author));
  if (limit) query.set('limit', String(limit));
  if (cursor) query.set('cursor', cursor);
  return http(`${draftsPath(workspaceId)}?${query}`);
}

export interface NewDraft {
  title: string;
  description?: string;
  reviewers?: readonly number[];
}

export function createDraft(workspaceId: string, draft: NewDraft, key: string): Promise<{ draft: Draft }> {
  return write('POST', draftsPath(workspaceId), draft, { 'Idempotency-Key': key });
}

export function readDraft(id: string): Promise<{ draft: Draft }> {
  return http(draftPath(id));
}

export interface DraftPatch extends Partial<NewDraft> {
  state?: 'open' | 'draft';
}

export function updateDraft(id: string, patch: DraftPatch): Promise<{ draft: Draft }> {
  return write('PATCH', draftPath(id), patch);
}

export function compareDraft(id: string, signal: AbortSignal): Promise<DraftComparison> {
  return http(draftPath(id, 'comparison'), { signal, timeout: WRITE_TIMEOUT_MS });
}

/** The comparison as Markdown. */
export async function readDraftMarkdown(id: string): Promise<string> {
  return (await send(`${draftPath(id, 'comparison')}?format=markdown`)).text();
}

export interface UpdatedDraft {
  draft: Draft;
  changeSetId: string | null;
  rows: number;
}

/** Brings the changes of the base into the draft. */
export function updateDraftFromBase(id: string, body: Resolutions): Promise<UpdatedDraft> {
  return write('POST', draftPath(id, 'update'), body);
}

export function reviewDraft(
  id: string,
  review: { verdict: Verdict; text?: string },
): Promise<{ draft: Draft }> {
  return write('POST', draftPath(id, 'reviews'), review);
}

export function mergeDraft(
  id: string,
  body: Resolutions & { expectedRevision: number },
): Promise<UpdatedDraft & { revision: number }> {
  return write('POST', draftPath(id, 'merge'), body);
}

export function closeDraft(id: string): Promise<{ draft: Draft }> {
  return write('POST', draftPath(id, 'close'), {});
}

export function readProtection(workspaceId: string): Promise<Protection> {
  return http(protectionPath(workspaceId));
}

export function updateProtection(
  workspaceId: string,
  patch: Partial<Omit<Protection, 'canBypass'>>,
): Promise<Protection> {
  return write('PATCH', protectionPath(workspaceId), patch);
}
