/** Creates a workspace: blank, from the sample, or from a file. */
import { FileUp, Map as MapIcon, Square } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createWorkspace } from '@/api/generated';
import { DEFAULT_SHARING } from '@/core/model/sharing';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { TextArea, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { useSubmit } from '@/ui/useSubmit';
import styles from './CreateDialog.module.css';
import { invalidateWorkspaces } from './invalidate';
import { SharingField } from './SharingField';

const SOURCES = [
  { id: 'blank', name: 'Blank', meaning: 'An empty map', icon: Square },
  { id: 'sample', name: 'Sample', meaning: 'An example: how Wikipedia works', icon: MapIcon },
] as const;

export function CreateDialog({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const [source, setSource] = useState<'blank' | 'sample'>('blank');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [sharing, setSharing] = useState(DEFAULT_SHARING);
  const { busy, problem, submit } = useSubmit(['name', 'description'], async () => {
    const fields = { name: name.trim(), ...sharing, ...(description ? { description } : {}) };
    const { workspace } = await createWorkspace(source === 'sample' ? { ...fields, sample: true } : fields);
    void invalidateWorkspaces();
    navigate(workspacePath(slug, workspace.id));
  });
  return (
    <FormDialog
      title="New workspace"
      submitLabel="Create workspace"
      onSubmit={submit}
      onClose={onClose}
      busy={busy}
    >
      <fieldset className={styles.options}>
        <legend className="unseen">Start from</legend>
        {SOURCES.map(({ id, name, meaning, icon: Icon }) => (
          <label key={id} className={styles.option}>
            <input
              type="radio"
              name="source"
              className="unseen"
              checked={source === id}
              onChange={() => {
                setSource(id);
                if (id === 'sample' && !name.trim()) setName('Sample');
              }}
            />
            <Icon size={22} aria-hidden />
            <strong>{name}</strong>
            <span>{meaning}</span>
          </label>
        ))}
        <button type="button" className={styles.option} onClick={onImport}>
          <FileUp size={22} aria-hidden />
          <strong>From a file…</strong>
          <span>Planroom export (JSON) or CSV</span>
        </button>
      </fieldset>
      <TextField
        label="Name"
        name="name"
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={problem('name')}
      />
      <TextArea
        label="Description"
        name="description"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
        hint="Optional"
        problem={problem('description')}
      />
      <SharingField value={sharing} onChange={setSharing} />
      <Alert text={problem()} />
    </FormDialog>
  );
}
