/** All accounts of the instance. */
import { useState } from 'react';
import { type AccountPatch, type User, updateUser } from '@/api/generated';
import { renew, useSession } from '@/api/session';
import { accountKeys, stale, useUsers } from '@/app/accountQueries';
import { fromNow, moment } from '@/core/time/moment';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, Empty } from '@/ui/DataList';
import { TextField } from '@/ui/Field';
import { Remark } from '@/ui/Form';
import { Loaded } from '@/ui/Loaded';
import { Panel } from '@/ui/Sections';
import { say } from '@/ui/Toasts';
import { AddressDialog } from './AddressDialog';
import { NewUser } from './NewUser';
import { CHANGES, type Change } from './userChanges';

export function Users() {
  const me = useSession((state) => state.user?.id);
  const query = useUsers();
  const [text, setText] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  const [asked, setAsked] = useState<{ user: User; change: Change } | null>(null);
  const [addressed, setAddressed] = useState<User | null>(null);
  const users = query.data?.users ?? [];
  const admins = users.filter(({ isAdmin, isSuspended }) => isAdmin && !isSuspended);
  const lastAdmin = admins.length === 1 ? admins[0] : undefined;
  const found = users.filter((user) => matches(user, text));
  const words = asked && CHANGES[asked.change];
  const apply = async () => {
    if (!asked) return;
    const patch: AccountPatch = CHANGES[asked.change].patch;
    await updateUser(asked.user.id, patch);
    await stale(accountKeys.users);
    // The current user's own permissions may have changed too.
    if (asked.user.id === me) await renew();
    say(CHANGES[asked.change].done(asked.user.displayName));
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
        <Remark>
          <p>
            {lastAdmin.id === me ? 'You are' : `${lastAdmin.displayName} is`} the only administrator. Make
            someone else an administrator before suspending this account or removing the role.
          </p>
        </Remark>
      )}
      <TextField
        label="Search"
        type="search"
        value={text}
        placeholder="Name, login or email"
        onChange={(event) => setText(event.target.value)}
      />
      <Loaded query={query} what="users">
        {() =>
          found.length === 0 ? (
            <Empty>No users match “{text.slice(0, 100)}” by name, login or email.</Empty>
          ) : (
            <DataList label="Users">
              {found.map((user) => (
                <Row
                  key={user.id}
                  user={user}
                  isMyself={user.id === me}
                  isLast={user.id === lastAdmin?.id}
                  onAsk={(change) => setAsked({ user, change })}
                  onAddress={() => setAddressed(user)}
                />
              ))}
            </DataList>
          )
        }
      </Loaded>
      <AddressDialog user={addressed} onClose={() => setAddressed(null)} />
      <NewUser open={isAdding} onClose={() => setIsAdding(false)} />
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={words?.title(asked?.user.displayName ?? '') ?? ''}
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
  onAsk: (change: Change) => void;
  onAddress: () => void;
}

function Row({ user, isMyself, isLast, onAsk, onAddress }: RowProps) {
  const changes: readonly Change[] = [
    user.isAdmin ? 'unmakeAdmin' : 'makeAdmin',
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
        `created ${moment(user.createdAt)}`,
        user.lastLoginAt === null ? 'never signed in' : `last sign-in ${fromNow(user.lastLoginAt)}`,
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
              aria-label={`${CHANGES[change].name}: ${user.displayName}`}
              onClick={() => onAsk(change)}
            >
              {CHANGES[change].name}
            </Button>
          ))}
        </>
      }
    />
  );
}

function matches({ displayName, login, email }: User, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [displayName, login, email ?? ''].some((one) => one.toLowerCase().includes(wanted));
}
