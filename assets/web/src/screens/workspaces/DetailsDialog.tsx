/** Edits name, description and access of a workspace. */
import { useState } from 'react';
import { type ListedWorkspace, updateWorkspace, type WorkspacePatch } from '@/api/generated';
import { changedSharing, type Sharing } from '@/core/model/sharing';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';
import { Alert } from '@/ui/Alert';
import { TextArea, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { useSubmit } from '@/ui/useSubmit';
import { SharingField } from './SharingField';

export function DetailsDialog({ workspace, onClose }: { workspace: ListedWorkspace; onClose: () => void }) {
  const [name, setName] = useState(workspace.name);
  const [description, setDescription] = useState(workspace.description ?? '');
  const [sharing, setSharing] = useState<Sharing>(workspace);
  const { busy, problem, submit } = useSubmit(['name', 'description'], async () => {
    const patch: WorkspacePatch = {
      ...(name !== workspace.name ? { name } : {}),
      ...(description !== (workspace.description ?? '') ? { description } : {}),
      ...changedSharing(workspace, sharing),
    };
    if (Object.keys(patch).length > 0) {
      await updateWorkspace(workspace.id, patch);
      await invalidateWorkspaces();
    }
    onClose();
  });
  return (
    <FormDialog
      title="Edit workspace details"
      submitLabel="Save details"
      onSubmit={submit}
      onClose={onClose}
      busy={busy}
    >
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={problem('name')}
      />
      <TextArea
        label="Description"
        name="description"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
        problem={problem('description')}
      />
      <SharingField
        value={sharing}
        onChange={setSharing}
        locked={workspace.myRole === 'owner' ? undefined : 'Only owners can change access.'}
      />
      <Alert text={problem()} />
    </FormDialog>
  );
}
