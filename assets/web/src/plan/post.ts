/** How what waits reaches the server. */
import { ApiError, explain } from '@/api/errors';
import { readHistory } from '@/api/generated';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import type { Post } from '@/core/sync/outbox';
import type { Conflict, Pending } from '@/core/sync/queue';
import type { Place } from './keep';

/** Told when the server says that one may not do something: what one may is then to be read again. */
export const forbidden = { told: (_workspaceId: string): void => {} };

export function postFor({ userId, orgId, workspaceId }: Place): Post {
  return {
    async send({ method, path, body }, headers) {
      const answer = await send(path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, unknown>;
    },
    refusalOf(error) {
      // An answer that broke off, or a request that took too long, may have arrived: to send it again does no harm.
      if (error instanceof SyntaxError || error instanceof TypeError || error instanceof DOMException) {
        return { status: 0, isPassing: true, message: explain(error), body: {} };
      }
      if (!(error instanceof ApiError)) return null;
      const { status, isPassing, retryAfter, body } = error;
      if (status === 403) forbidden.told(workspaceId);
      return { status, isPassing, retryAfter, message: explain(error), body };
    },
    isReady() {
      const { status, user, session } = useSession.getState();
      return status === 'in' && user?.id === userId && session?.orgId === orgId;
    },
    explore: (pending) => explored(workspaceId, pending),
    later(run, milliseconds) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

/** Who deleted the row that was to be changed, and what it was; or who took the id. */
async function explored(workspaceId: string, { operation }: Pending): Promise<Partial<Conflict>> {
  if (!('id' in operation)) return {};
  const { changes } = await readHistory(workspaceId, {
    entity: operation.kind,
    entityId: operation.id,
    limit: 1,
  });
  const last = changes[0];
  return last ? { current: last.row ?? last.before, by: last.actor, at: last.ts } : {};
}
