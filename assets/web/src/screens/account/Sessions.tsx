/** The user's sessions. */
import { useState } from 'react';
import { endOtherSessions, endSession, type Session } from '@/api/generated';
import { accountKeys, stale, useMe, useSessions } from '@/app/accountQueries';
import { device } from '@/core/account/device';
import { fromNow, moment } from '@/core/time/moment';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow } from '@/ui/DataList';
import { Loaded } from '@/ui/Loaded';
import { Panel } from '@/ui/Sections';
import { say } from '@/ui/Toasts';

export function Sessions() {
  const query = useSessions();
  const isOurs = useMe().data?.provider === 'local';
  const [ending, setEnding] = useState<Session | null>(null);
  const [endsAll, setEndsAll] = useState(false);
  const others = query.data?.sessions.filter((session) => !session.isCurrent) ?? [];
  const endOne = async () => {
    if (!ending) return;
    await endSession(ending.id);
    await stale(accountKeys.sessions);
    say('Session signed out');
  };
  const endAll = async () => {
    await endOtherSessions();
    await stale(accountKeys.sessions);
    say('Signed out all other sessions');
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
      <Loaded query={query} what="your sessions">
        {({ sessions }) => (
          <DataList label="Sessions">
            {sessions.map((session) => (
              <DataRow
                key={session.id}
                title={<span title={session.userAgent ?? undefined}>{device(session.userAgent)}</span>}
                badges={session.isCurrent && <Badge tone="good">This browser</Badge>}
                facts={[
                  `Last used ${fromNow(session.lastUsedAt)}`,
                  `signed in ${moment(session.createdAt)}`,
                  // A session of an identity provider expires at a fixed time.
                  `expires ${fromNow(session.expiresAt)}${isOurs ? ' if not used' : ''}`,
                ]}
                actions={
                  !session.isCurrent && (
                    <Button
                      aria-label={`Sign out ${device(session.userAgent)}, signed in ${moment(session.createdAt)}`}
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
      </Loaded>
      <ConfirmDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        title="Sign out this session?"
        confirm="Sign out session"
        onConfirm={endOne}
      >
        <p>{device(ending?.userAgent ?? null)} will be signed out. Unsaved changes there may be lost.</p>
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
