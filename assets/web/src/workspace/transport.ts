/** Sends queued edits to the server. */
import { ApiError, errorText } from '@/api/errors';
import { getHistory } from '@/api/generated';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import type { Transport } from '@/core/sync/outbox';
import type { Conflict, Edit } from '@/core/sync/queue';
import type { Rejection } from '@/core/sync/rejection';
import type { QueueOwner } from './unsavedStorage';

/** Called when a response indicates that permissions are outdated or the database was restored. */
export const outdatedListener = { notify: (_workspaceId: string): void => {} };

/** Timeout of an edit in milliseconds. An edit may have up to 10,000 operations. */
const SAVE_TIMEOUT_MS = 120_000;

/** Maximum number of conflicts per edit to look up in the history. */
const MAX_LOOKUPS = 20;

export function transportFor({ userId, orgId, workspaceId }: QueueOwner): Transport {
  return {
    async send({ method, path, body, headers }) {
      const response = await send(path, {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        timeout: SAVE_TIMEOUT_MS,
      });
      return (await response.json()) as Record<string, unknown>;
    },
    refusalOf(error) {
      // A request without a complete response may have arrived. Sending it again is safe.
      if (error instanceof SyntaxError || error instanceof TypeError || error instanceof DOMException) {
        return { status: 0, isTemporary: true, message: errorText(error), body: {} };
      }
      if (!(error instanceof ApiError)) return null;
      const { status, isTemporary, retryAfter, body } = error;
      if (status === 403 || body.code === 'other_incarnation') outdatedListener.notify(workspaceId);
      return { status, isTemporary, retryAfter, message: errorText(error), body: body as Rejection['body'] };
    },
    isReady() {
      const { status, user, session } = useSession.getState();
      return status === 'in' && user?.id === userId && session?.orgId === orgId;
    },
    explore: (edit) => lookUpConflicts(workspaceId, edit),
    now: () => Date.now(),
    later(run, milliseconds) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

/** Adds details from the history to the conflicts of an edit: who deleted a row and its content, or who used the ID. */
async function lookUpConflicts(
  workspaceId: string,
  { operations, conflicts = [] }: Edit,
): Promise<readonly Conflict[]> {
  return Promise.all(
    conflicts.map(async (conflict, at) => {
      const operation = operations[conflict.index];
      if (at >= MAX_LOOKUPS || conflict.current || !operation || !('id' in operation)) return conflict;
      const { kind: entity, id: entityId } = operation;
      const { changes } = await getHistory(workspaceId, { entity, entityId, limit: 1 });
      const last = changes[0];
      return last
        ? { ...conflict, current: last.row ?? last.before, by: conflict.by ?? last.actor, at: last.ts }
        : conflict;
    }),
  );
}
