/** The user's sessions. */
import { Fragment, useState } from 'react';
import { endOtherSessions, endSession, type Session } from '@/api/generated';
import { browserName } from '@/core/account/userAgent';
import { formatDateTime } from '@/core/time/format';
import { accountQueryKeys, invalidate, useMe, useSessions } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow } from '@/ui/DataList';
import { QueryResult } from '@/ui/QueryResult';
import { LastUse, RelativeTime } from '@/ui/RelativeTime';
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
    showToast('Session signed out');
  };
  const endAll = async () => {
    await endOtherSessions();
    await invalidate(accountQueryKeys.sessions);
    showToast('Signed out all other sessions');
  };
  return (
    <Panel
      title="Sessions"
      about="Devices that are signed in to your account. If you don’t recognize one, sign it out and change your password."
      actions={
        others.length > 0 && (
          <Button kind="danger" onClick={() => setEndsAll(true)}>
            Sign out all other sessions
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
                  <LastUse key="used" time={session.lastUsedAt} />,
                  <Fragment key="signed in">
                    signed in <RelativeTime time={session.createdAt} />
                  </Fragment>,
                  // Sessions from an identity provider expire at a fixed time.
                  <Fragment key="expires">
                    expires <RelativeTime time={session.expiresAt} />
                    {isOurs && ' if not used'}
                  </Fragment>,
                ]}
                actions={
                  !session.isCurrent && (
                    <Button
                      aria-label={`Sign out ${browserName(session.userAgent)}, signed in ${formatDateTime(session.createdAt)}`}
                      onClick={() => setEnding(session)}
                    >
                      Sign out
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
        title="Sign out this session?"
        confirm="Sign out session"
        onConfirm={endOne}
      >
        <p>{browserName(ending?.userAgent ?? null)} will be signed out. Unsaved changes there may be lost.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={endsAll}
        onClose={() => setEndsAll(false)}
        title={
          others.length === 1 ? 'Sign out the other session?' : `Sign out ${others.length} other sessions?`
        }
        confirm="Sign out other sessions"
        onConfirm={endAll}
      >
        <p>You stay signed in on this device. Unsaved changes on other devices may be lost.</p>
      </ConfirmDialog>
    </Panel>
  );
}
