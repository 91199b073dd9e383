/** Starts a draft of the open workspace, and opens its map. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createDraft } from '@/api/generated';
import { MAX_NAME_CHARS, MAX_TEXT_CHARS } from '@/core/limits';
import { newId } from '@/core/newId';
import { invalidateDrafts, LARGE_MAP } from '@/data/drafts';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { TextArea, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { useSubmit } from '@/ui/useSubmit';
import { closeDraftRequest, useDraftRequest } from '@/workspace/draftRequest';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';

export function StartDraftDialog() {
  const isOpen = useDraftRequest((state) => state.isOpen);
  const workspace = useWorkspace((state) => state.serverRows?.workspace);
  if (!isOpen || !workspace) return null;
  return <StartForm workspaceId={workspace.id} name={workspace.name} />;
}

function StartForm({ workspaceId, name }: { workspaceId: string; name: string }) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const canEdit = useCanEdit();
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  // The same for all attempts, so that a lost response does not start two drafts.
  const [key] = useState(newId);
  const { busy, problem, submit } = useSubmit(['title', 'description'], async () => {
    const text = description.trim();
    const { draft } = await createDraft(
      workspaceId,
      { title: title.trim(), ...(text ? { description: text } : {}) },
      { ...LARGE_MAP, headers: { 'Idempotency-Key': key } },
    );
    invalidateDrafts(workspaceId, null);
    closeDraftRequest();
    navigate(workspacePath(slug, draft.id) + location.search);
  });
  return (
    <FormDialog
      title={canEdit ? 'Start draft' : 'Propose a change'}
      submitLabel="Start draft"
      onSubmit={submit}
      onClose={closeDraftRequest}
      busy={busy}
      disabled={!title.trim()}
    >
      <p>
        A draft is a copy of “{name}” that you can edit without changing the original. When it is ready,
        submit it for review. An editor can then merge it.
      </p>
      <TextField
        label="Title"
        name="title"
        autoFocus
        autoComplete="off"
        placeholder="For example: Split the checkout service"
        maxLength={MAX_NAME_CHARS}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        problem={problem('title')}
      />
      <TextArea
        label="Description"
        hint="Optional. Markdown. You can add it later."
        name="description"
        rows={4}
        maxLength={MAX_TEXT_CHARS}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
        problem={problem('description')}
      />
      <Alert text={problem()} />
    </FormDialog>
  );
}
