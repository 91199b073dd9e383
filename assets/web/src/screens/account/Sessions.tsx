/** Where one is signed in. */
import { useState } from 'react';
import { endOtherSessions, endSession, type Session } from '@/api/generated';
import { browserName } from '@/core/account/userAgent';
import { formatDateTime, formatRelative } from '@/core/time/format';
import { accountQueryKeys, invalidate, useMe, useSessions } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow } from '@/ui/DataList';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';

export function Sessions() {
  const query = useSessions();
  const isOurs = useMe().data?.provider === 'local';
  const [ending, setEnding] = useState<Session | null>(null);
  const [endsAll, setEndsAll] = useState(false);
  const others = query.data?.sessions.filter((session) => !session.isCurrent) ?? [];
  const endOne = async () => {
    if (!ending) return;
    await endSession(ending.id);
    await invalidate(accountQueryKeys.sessions);
    showToast('The session has ended.');
  };
  const endAll = async () => {
    await endOtherSessions();
    await invalidate(accountQueryKeys.sessions);
    showToast('All your other sessions have ended.');
  };
  return (
    <Panel
      title="Sessions"
      about="The browsers in which you are signed in. One that you do not know: end it, and change your password."
      actions={
        others.length > 0 && (
          <Button kind="danger" onClick={() => setEndsAll(true)}>
            End all others
          </Button>
        )
      }
    >
      <QueryResult query={query} what="your sessions">
        {({ sessions }) => (
          <DataList label="Sessions">
            {sessions.map((session) => (
              <DataRow
                key={session.id}
                title={<span title={session.userAgent ?? undefined}>{browserName(session.userAgent)}</span>}
                badges={session.isCurrent && <Badge tone="good">This browser</Badge>}
                facts={[
                  `Used ${formatRelative(session.lastUsedAt)}`,
                  `began ${formatDateTime(session.createdAt)}`,
                  // One that began at a provider ends then in any case.
                  `ends ${formatRelative(session.expiresAt)}${isOurs ? ' unless it is used' : ''}`,
                ]}
                actions={
                  !session.isCurrent && (
                    <Button
                      aria-label={`End the session of ${browserName(session.userAgent)}, begun ${formatDateTime(session.createdAt)}`}
                      onClick={() => setEnding(session)}
                    >
                      End
                    </Button>
                  )
                }
              />
            ))}
          </DataList>
        )}
      </QueryResult>
      <ConfirmDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        title="End this session?"
        confirm="End the session"
        onConfirm={endOne}
      >
        <p>
          {browserName(ending?.userAgent ?? null)} is signed out with its next request. What was not saved
          there may be lost.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={endsAll}
        onClose={() => setEndsAll(false)}
        title={others.length === 1 ? 'End the other session?' : `End ${others.length} other sessions?`}
        confirm="End all others"
        onConfirm={endAll}
      >
        <p>You stay signed in here alone. What was not saved elsewhere may be lost.</p>
      </ConfirmDialog>
    </Panel>
  );
}
