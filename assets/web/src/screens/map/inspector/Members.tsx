/** Members of a workspace and their access levels. Owners can edit them. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import {
  AccessLevel,
  type ListedMember,
  listMemberCandidates,
  listMembers,
  putMember,
  removeMember,
  updateMember,
  type Workspace,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { changedSharing, SHARING_OPTIONS, sharingOption, withOption } from '@/core/model/sharing';
import { prepareEntry, rank } from '@/core/search/fuzzy';
import { useUserAvatar } from '@/data/photos';
import { queryClient, queryKeys } from '@/data/queries';
import { Autocomplete } from '@/ui/Autocomplete';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField } from '@/ui/Field';
import { Loading } from '@/ui/Loading';
import { showError } from '@/ui/Toasts';
import { edit } from '@/workspace/store';
import { AccessRequests } from './AccessRequests';
import styles from './Inspector.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  workspace: Workspace;
}

const LEVELS: readonly { id: AccessLevel; name: string }[] = [
  { id: AccessLevel.viewer, name: 'Viewer' },
  { id: AccessLevel.editor, name: 'Editor' },
  { id: AccessLevel.owner, name: 'Owner' },
];

export function Members({ open, onClose, workspace }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={`Access to “${workspace.name}”`}>
      <Access workspace={workspace} />
      <List workspace={workspace} />
    </Dialog>
  );
}

function Access({ workspace }: { workspace: Workspace }) {
  const selected = sharingOption(workspace);
  const choose = (id: string) => {
    const option = SHARING_OPTIONS.find((one) => one.id === id);
    if (!option) return;
    const to = withOption(workspace, option);
    const [fields, before] = [changedSharing(workspace, to), changedSharing(to, workspace)];
    edit('Change workspace access', [{ op: 'workspace', fields, before }]);
  };
  return (
    <SelectField
      label="Who has access"
      hint={selected.meaning}
      value={selected.id}
      disabled={workspace.myRole !== 'owner'}
      onChange={(event) => choose(event.target.value)}
    >
      {SHARING_OPTIONS.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function List({ workspace }: { workspace: Workspace }) {
  const { id, myRole } = workspace;
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const avatarOf = useUserAvatar();
  const queryKey = queryKeys.members(orgId, id);
  const { data, error } = useQuery({ queryKey, queryFn: () => listMembers(id) });
  const change = useMutation({
    mutationFn: (write: () => Promise<unknown>) => write(),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  const isOwner = myRole === 'owner';
  if (error) return <p role="alert">{error.message}</p>;
  if (!data) return <Loading what="members" />;
  return (
    <>
      {isOwner && <AccessRequests workspace={workspace} onChange={change.mutate} />}
      <ul className={styles.list} aria-label="Members">
        {data.members.map((member) => (
          <li key={member.userId} className={styles.row}>
            <Avatar {...avatarOf(member.user)} />
            <span className={styles.rowMain}>{member.user.displayName}</span>
            <Level
              member={member}
              readOnly={!isOwner}
              onChange={(role) => change.mutate(() => updateMember(id, member.userId, { role }))}
            />
            {isOwner && (
              <IconButton
                label={`Remove ${member.user.displayName}`}
                icon={<X size={16} aria-hidden />}
                className={styles.small}
                onClick={() => change.mutate(() => removeMember(id, member.userId))}
              />
            )}
          </li>
        ))}
      </ul>
      {isOwner && <AddMember id={id} queryKey={queryKey} onAdd={change.mutate} />}
    </>
  );
}

interface LevelProps {
  member: ListedMember;
  readOnly: boolean;
  onChange: (role: AccessLevel) => void;
}

function Level({ member, readOnly, onChange }: LevelProps) {
  if (readOnly)
    return <span className={styles.tag}>{LEVELS.find(({ id }) => id === member.role)?.name}</span>;
  return (
    <select
      aria-label={`Access level of ${member.user.displayName}`}
      className={styles.select}
      value={member.role}
      onChange={(event) => onChange(event.target.value as AccessLevel)}
    >
      {LEVELS.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface AddProps {
  id: string;
  queryKey: readonly string[];
  onAdd: (write: () => Promise<unknown>) => void;
}

function AddMember({ id, queryKey, onAdd }: AddProps) {
  const [query, setQuery] = useState('');
  const [role, setRole] = useState<AccessLevel>(AccessLevel.editor);
  const { data } = useQuery({
    queryKey: [...queryKey, 'candidates'],
    queryFn: () => listMemberCandidates(id),
  });
  const users = data?.users ?? [];
  const shown = query
    ? rank(
        users.map((user) => [user, prepareEntry({ title: user.displayName })] as const),
        query,
        20,
      )
    : users.slice(0, 20);
  return (
    <div className={styles.form}>
      <SelectField
        label="Access level of new member"
        value={role}
        onChange={(event) => setRole(event.target.value as AccessLevel)}
      >
        {LEVELS.map((level) => (
          <option key={level.id} value={level.id}>
            {level.name}
          </option>
        ))}
      </SelectField>
      <Autocomplete
        label="Add member by name"
        query={query}
        onQuery={setQuery}
        options={shown.map((user) => ({ key: String(user.id), value: user.id, title: user.displayName }))}
        onChoose={(userId) => {
          setQuery('');
          onAdd(() => putMember(id, { userId, role }));
        }}
        empty="No matching members in the organization."
      />
    </div>
  );
}
