/** Somebody leaves an organization, or is removed. Workspaces that they alone own need an heir; then it asks for one. */
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
  /** It is done; the dialog closes afterwards. */
  onRemoved: () => Promise<void>;
}

export function RemoveMember({ organization, member, isMyself = false, onClose, onRemoved }: Props) {
  const { busy, error, run } = useAction();
  const [workspaces, setWorkspaces] = useState<readonly OwnedWorkspace[]>([]);
  const [newOwner, setNewOwner] = useState('');
  const who = isMyself ? 'you' : member.name;
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
        {isMyself ? 'Your' : 'Their'} tokens, grants and workspace memberships in {organization.name} end at
        once. {isMyself ? 'As a person you stay' : 'The person stays'} on the maps, with what{' '}
        {isMyself ? 'you answer' : 'they answer'} for.
      </p>
      {workspaces.length > 0 && (
        <>
          <div role="alert">
            <p>
              {workspaces.length === 1 ? 'One workspace has' : `${workspaces.length} workspaces have`} no
              other owner than {who}. Choose who is to own {workspaces.length === 1 ? 'it' : 'them'} from now
              on:
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

/** Every member is a person of the directory, which members who are no admins may read too. */
function NewOwnerField({ without, value, onChange }: NewOwnerProps) {
  const { data, error } = usePeople();
  const people = data?.people.filter((one) => one.userId !== undefined && one.userId !== without) ?? [];
  return (
    <SelectField
      label="New owner"
      name="heir"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint={
        data && people.length === 0
          ? 'Nobody else is here. Invite somebody first, or delete the workspaces.'
          : 'Somebody who is a member now.'
      }
      problem={error ? errorText(error) : undefined}
    >
      <option value="">Choose …</option>
      {people.map((one) => (
        <option key={one.id} value={String(one.userId)}>
          {one.name}
        </option>
      ))}
    </SelectField>
  );
}
