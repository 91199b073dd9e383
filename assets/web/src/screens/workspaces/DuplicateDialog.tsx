/** Creates a workspace with the contents of another one. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { duplicateWorkspace, type ListedWorkspace } from '@/api/generated';
import { MAX_NAME_CHARS } from '@/core/limits';
import { changedSharing, type Sharing } from '@/core/model/sharing';
import { truncate } from '@/core/text';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { useSubmit } from '@/ui/useSubmit';
import { SharingField } from './SharingField';

interface Props {
  workspace: ListedWorkspace;
  onClose: () => void;
}

export function DuplicateDialog({ workspace, onClose }: Props) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const [name, setName] = useState(truncate(`Copy of ${workspace.name}`, MAX_NAME_CHARS));
  const [sharing, setSharing] = useState<Sharing>(workspace);
  const { busy, problem, submit } = useSubmit(['name'], async () => {
    const copy = await duplicateWorkspace(workspace.id, {
      name: name.trim(),
      ...changedSharing(workspace, sharing),
    });
    void invalidateWorkspaces();
    navigate(workspacePath(slug, copy.workspace.id));
  });
  return (
    <FormDialog
      title={`Duplicate “${truncate(workspace.name, 60)}”`}
      submitLabel="Duplicate workspace"
      onSubmit={submit}
      onClose={onClose}
      busy={busy}
    >
      <p>
        The copy has the same components, relationships, owners, links and processes. It does not have the
        history, the versions and the members. You will be its owner.
      </p>
      <TextField
        label="Name"
        name="name"
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={problem('name')}
      />
      <SharingField value={sharing} onChange={setSharing} />
      <Alert text={problem()} />
    </FormDialog>
  );
}
