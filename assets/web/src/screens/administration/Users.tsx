/** All accounts of the instance. */

import { Fragment, useState } from 'react';
import { type AccountPatch, type User, updateUser } from '@/api/generated';
import { renewSession, useSession } from '@/api/session';
import { truncate } from '@/core/text';
import { accountQueryKeys, invalidate, useUsers } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { TextField } from '@/ui/Field';
import { FormNote } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { RelativeTime } from '@/ui/RelativeTime';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { EmailDialog } from './EmailDialog';
import { NewUser } from './NewUser';
import { USER_CHANGES, type UserChange } from './userChanges';

export function Users() {
  const me = useSession((state) => state.user?.id);
  const query = useUsers();
  const [text, setText] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  const [pending, setPending] = useState<{ user: User; change: UserChange } | null>(null);
  const [addressed, setAddressed] = useState<User | null>(null);
  const users = query.data?.users ?? [];
  const admins = users.filter(({ isAdmin, isSuspended }) => isAdmin && !isSuspended);
  const lastAdmin = admins.length === 1 ? admins[0] : undefined;
  const found = users.filter((user) => matches(user, text));
  const words = pending && USER_CHANGES[pending.change];
  const apply = async () => {
    if (!pending) return;
    const patch: AccountPatch = USER_CHANGES[pending.change].patch;
    await updateUser(pending.user.id, patch);
    await invalidate(accountQueryKeys.users);
    // The current user's own permissions may have changed too.
    if (pending.user.id === me) await renewSession();
    showToast(USER_CHANGES[pending.change].done(pending.user.displayName));
  };
  return (
    <Panel
      title="Users"
      about="All accounts on this instance, in all organizations."
      actions={
        <Button kind="main" onClick={() => setIsAdding(true)}>
          New user
        </Button>
      }
    >
      {lastAdmin && (
        <FormNote>
          <p>
            {lastAdmin.id === me ? 'You are' : `${lastAdmin.displayName} is`} the only administrator. Make
            someone else an administrator before suspending this account or removing the role.
          </p>
        </FormNote>
      )}
      <TextField
        label="Search"
        type="search"
        value={text}
        placeholder="Name, login or email"
        onChange={(event) => setText(event.target.value)}
      />
      <QueryResult query={query} what="users">
        {() =>
          found.length === 0 ? (
            <EmptyList>No users match “{truncate(text, 100)}” by name, login or email.</EmptyList>
          ) : (
            <DataList label="Users">
              {found.map((user) => (
                <Row
                  key={user.id}
                  user={user}
                  isMyself={user.id === me}
                  isLast={user.id === lastAdmin?.id}
                  onAsk={(change) => setPending({ user, change })}
                  onAddress={() => setAddressed(user)}
                />
              ))}
            </DataList>
          )
        }
      </QueryResult>
      <EmailDialog user={addressed} onClose={() => setAddressed(null)} />
      <NewUser open={isAdding} onClose={() => setIsAdding(false)} />
      <ConfirmDialog
        open={pending !== null}
        onClose={() => setPending(null)}
        title={words?.title(pending?.user.displayName ?? '') ?? ''}
        confirm={words?.name ?? ''}
        kind={words?.kind ?? 'main'}
        onConfirm={apply}
      >
        <p>{words?.about}</p>
      </ConfirmDialog>
    </Panel>
  );
}

interface RowProps {
  user: User;
  isMyself: boolean;
  isLast: boolean;
  onAsk: (change: UserChange) => void;
  onAddress: () => void;
}

function Row({ user, isMyself, isLast, onAsk, onAddress }: RowProps) {
  const changes: readonly UserChange[] = [
    user.isAdmin ? 'removeAdmin' : 'makeAdmin',
    user.isSuspended ? 'unsuspend' : 'suspend',
  ];
  return (
    <DataRow
      title={user.displayName}
      badges={
        <>
          {isMyself && <Badge>You</Badge>}
          {user.isAdmin && <Badge tone="good">Administrator</Badge>}
          {user.isSuspended && <Badge tone="alarm">Suspended</Badge>}
        </>
      }
      facts={[
        user.login,
        user.email,
        <Fragment key="created">
          created <RelativeTime time={user.createdAt} />
        </Fragment>,
        user.lastLoginAt === null ? (
          'never signed in'
        ) : (
          <Fragment key="sign-in">
            last sign-in <RelativeTime time={user.lastLoginAt} />
          </Fragment>
        ),
        user.provider !== 'local' && user.provider,
      ]}
      actions={
        <>
          <Button aria-label={`Email of ${user.displayName}`} onClick={onAddress}>
            Email
          </Button>
          {changes.map((change) => (
            <Button
              key={change}
              kind={change === 'suspend' ? 'danger' : 'plain'}
              disabled={isLast}
              aria-label={`${USER_CHANGES[change].name}: ${user.displayName}`}
              onClick={() => onAsk(change)}
            >
              {USER_CHANGES[change].name}
            </Button>
          ))}
        </>
      }
    />
  );
}

function matches({ displayName, login, email }: User, text: string): boolean {
  const query = text.trim().toLowerCase();
  return [displayName, login, email ?? ''].some((text) => text.toLowerCase().includes(query));
}
