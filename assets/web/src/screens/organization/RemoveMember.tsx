/** Removes a member or leaves the organization. Asks for a new owner of workspaces that would have none. */
import { useState } from 'react';
import { ApiError, errorText } from '@/api/errors';
import { type OwnedWorkspace, removeOrgMember } from '@/api/generated';
import { usePeople } from '@/data/queries';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField } from '@/ui/Field';
import { FormError } from '@/ui/Form';
import { useAction } from '@/ui/useAction';

interface Props {
  organization: { id: string; name: string };
  member: { userId: number; name: string };
  isMyself?: boolean;
  onClose: () => void;
  /** Called after the removal, before the dialog closes. */
  onRemoved: () => Promise<void>;
}

export function RemoveMember({ organization, member, isMyself = false, onClose, onRemoved }: Props) {
  const { busy, error, run } = useAction();
  const [workspaces, setWorkspaces] = useState<readonly OwnedWorkspace[]>([]);
  const [newOwner, setNewOwner] = useState('');
  const memberName = isMyself ? 'you' : member.name;
  const act = () =>
    run(async () => {
      try {
        await removeOrgMember(
          organization.id,
          member.userId,
          newOwner ? { transferTo: Number(newOwner) } : undefined,
        );
      } catch (failure) {
        const alone = failure instanceof ApiError ? failure.body.workspaces : undefined;
        if (!alone?.length) throw failure;
        setWorkspaces(alone);
        return;
      }
      await onRemoved();
      onClose();
    });
  const title = isMyself ? `Leave ${organization.name}?` : `Remove ${member.name}?`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            busy={busy}
            disabled={workspaces.length > 0 && !newOwner}
            onClick={() => void act()}
          >
            {isMyself ? 'Leave' : 'Remove'}
          </Button>
        </>
      }
    >
      <p>
        {isMyself ? 'Your' : 'Their'} tokens, connected apps and workspace access in {organization.name} are
        revoked immediately. {isMyself ? 'Your' : 'Their'} person entry and its responsibilities stay.
      </p>
      {workspaces.length > 0 && (
        <>
          <div role="alert">
            <p>
              {workspaces.length === 1 ? 'One workspace has' : `${workspaces.length} workspaces have`} no
              owner other than {memberName}. Choose a new owner for {workspaces.length === 1 ? 'it' : 'them'}:
            </p>
            <ul>
              {workspaces.map(({ id, name }) => (
                <li key={id} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </li>
              ))}
            </ul>
          </div>
          <NewOwnerField without={member.userId} value={newOwner} onChange={setNewOwner} />
        </>
      )}
      <FormError text={error ? errorText(error) : undefined} />
    </Dialog>
  );
}

interface NewOwnerProps {
  without: number;
  value: string;
  onChange: (userId: string) => void;
}

/** Lists people of the directory, which all members can read. */
function NewOwnerField({ without, value, onChange }: NewOwnerProps) {
  const { data, error } = usePeople();
  const people =
    data?.people.filter((person) => person.userId !== undefined && person.userId !== without) ?? [];
  return (
    <SelectField
      label="New owner"
      name="heir"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint={
        data && people.length === 0
          ? 'There are no other members. Invite someone first, or delete the workspaces.'
          : 'A current member of the organization.'
      }
      problem={error ? errorText(error) : undefined}
    >
      <option value="">Choose…</option>
      {people.map((person) => (
        <option key={person.id} value={String(person.userId)}>
          {person.name}
        </option>
      ))}
    </SelectField>
  );
}
