/** Creates a workspace: blank, from a template, from the sample, or from a file. */
import { useQuery } from '@tanstack/react-query';
import { Cloud, FileUp, Layers, type LucideIcon, Map as MapIcon, Square, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createWorkspace, listTemplates, type Template } from '@/api/generated';
import { DEFAULT_SHARING } from '@/core/model/sharing';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { TextArea, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { useSubmit } from '@/ui/useSubmit';
import styles from './CreateDialog.module.css';
import { SharingField } from './SharingField';

/** What a workspace starts from: a template, or the sample. */
type Source = Template | 'sample';

interface SourceOption {
  id: Source;
  name: string;
  meaning: string;
}

const BLANK: SourceOption = { id: 'blank', name: 'Blank', meaning: 'An empty map' };
const SAMPLE: SourceOption = { id: 'sample', name: 'Sample', meaning: 'An example: how Wikipedia works' };

const ICONS: Record<Source, LucideIcon> = {
  blank: Square,
  'layered-web-application': Layers,
  'event-driven': Waypoints,
  'cloud-landing-zone': Cloud,
  sample: MapIcon,
};

function useSources(): readonly SourceOption[] {
  const { data } = useQuery({ queryKey: ['templates'], queryFn: listTemplates, staleTime: Infinity });
  const templates = (data?.templates ?? []).filter(({ id }) => id !== 'blank');
  return [
    BLANK,
    ...templates.map(({ id, name, description }) => ({ id, name, meaning: description })),
    SAMPLE,
  ];
}

export function CreateDialog({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const sources = useSources();
  const [source, setSource] = useState<Source>('blank');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [sharing, setSharing] = useState(DEFAULT_SHARING);
  const { busy, problem, submit } = useSubmit(['name', 'description'], async () => {
    const fields = { name: name.trim(), ...sharing, ...(description ? { description } : {}) };
    const { workspace } = await createWorkspace(
      source === 'sample' ? { ...fields, sample: true } : { ...fields, template: source },
    );
    void invalidateWorkspaces();
    navigate(workspacePath(slug, workspace.id));
  });
  const select = (id: Source) => {
    setSource(id);
    if (id === 'sample' && !name.trim()) setName('Sample');
  };
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
        {sources.map(({ id, name, meaning }) => {
          const Icon = ICONS[id];
          return (
            <label key={id} className={styles.option}>
              <input
                type="radio"
                name="source"
                className="unseen"
                checked={source === id}
                onChange={() => select(id)}
              />
              <Icon size={22} aria-hidden />
              <strong>{name}</strong>
              <span>{meaning}</span>
            </label>
          );
        })}
        <button type="button" className={styles.option} onClick={onImport}>
          <FileUp size={22} aria-hidden />
          <strong>From a file…</strong>
          <span>A Planroom export, CSV, Compose, Terraform and more</span>
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
