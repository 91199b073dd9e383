/** Sends queued edits to the server. */
import { ApiError, explain } from '@/api/errors';
import { readHistory } from '@/api/generated';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import type { Post } from '@/core/sync/outbox';
import type { Conflict, Edit } from '@/core/sync/queue';
import type { Refusal } from '@/core/sync/verdict';
import type { Place } from './keep';

/** Called when a response shows that the known permissions or database are outdated. */
export const outdated = { told: (_workspaceId: string): void => {} };

/** Timeout of an edit, which may have 10,000 operations, in milliseconds. */
const TIMEOUT = 120_000;

/** Maximum number of conflicts of an edit that are looked up in the history. */
const MAX_LOOKUPS = 20;

export function postFor({ userId, orgId, workspaceId }: Place): Post {
  return {
    async send({ method, path, body, headers }) {
      const answer = await send(path, {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        timeout: TIMEOUT,
      });
      return (await answer.json()) as Record<string, unknown>;
    },
    refusalOf(error) {
      // A request without a complete response may have arrived; sending it again is harmless.
      if (error instanceof SyntaxError || error instanceof TypeError || error instanceof DOMException) {
        return { status: 0, isPassing: true, message: explain(error), body: {} };
      }
      if (!(error instanceof ApiError)) return null;
      const { status, isPassing, retryAfter, body } = error;
      if (status === 403 || body.code === 'other_incarnation') outdated.told(workspaceId);
      return { status, isPassing, retryAfter, message: explain(error), body: body as Refusal['body'] };
    },
    isReady() {
      const { status, user, session } = useSession.getState();
      return status === 'in' && user?.id === userId && session?.orgId === orgId;
    },
    explore: (edit) => explored(workspaceId, edit),
    later(run, milliseconds) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

/** Adds what the history knows to the conflicts of an edit: who deleted a row and its content, or who used the id. */
async function explored(
  workspaceId: string,
  { operations, conflicts = [] }: Edit,
): Promise<readonly Conflict[]> {
  return Promise.all(
    conflicts.map(async (conflict, at) => {
      const operation = operations[conflict.index];
      if (at >= MAX_LOOKUPS || conflict.current || !operation || !('id' in operation)) return conflict;
      const { kind: entity, id: entityId } = operation;
      const { changes } = await readHistory(workspaceId, { entity, entityId, limit: 1 });
      const last = changes[0];
      return last
        ? { ...conflict, current: last.row ?? last.before, by: conflict.by ?? last.actor, at: last.ts }
        : conflict;
    }),
  );
}
