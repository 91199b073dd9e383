/** Saved versions, which never expire and can be viewed, compared and restored. */
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Flag } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { errorText } from '@/api/errors';
import { createVersion, deleteVersion, type Version } from '@/api/generated';
import { queryKeys } from '@/data/queries';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button, IconButton } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { TextField } from '@/ui/Field';
import { fieldErrors, inputErrorText } from '@/ui/formErrors';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { RelativeTime } from '@/ui/RelativeTime';
import { showToast } from '@/ui/Toasts';
import { statesQuery, useVersions } from '@/workspace/pastState';
import { useWorkspace } from '@/workspace/store';
import styles from './history.module.css';
import { RestoreDialog } from './RestoreDialog';

export function Versions() {
  const { data, error } = useVersions();
  const canEdit = useWorkspace((state) => (state.rows?.workspace.myRole ?? 'viewer') !== 'viewer');
  const [restoring, setRestoring] = useState<Version | null>(null);
  const [deleting, setDeleting] = useState<Version | null>(null);
  const versions = [...(data?.versions ?? [])].reverse();
  return (
    <section className={styles.versions} aria-labelledby="versions-title">
      <h2 id="versions-title">Versions</h2>
      {canEdit && <SaveVersionForm />}
      {error && <p role="alert">{errorText(error)}</p>}
      {data && versions.length === 0 && (
        <p className={styles.empty}>
          Save a version before a big change, such as “Approved in May”. You can view, compare or restore it
          at any time.
        </p>
      )}
      <ul className={styles.list} aria-label="Saved versions">
        {versions.map((version) => (
          <VersionItem
            key={version.id}
            version={version}
            canEdit={canEdit}
            onRestore={() => setRestoring(version)}
            onDelete={() => setDeleting(version)}
          />
        ))}
      </ul>
      {restoring && (
        <RestoreDialog
          state={`v${restoring.id}`}
          name={`“${restoring.name}”`}
          onClose={() => setRestoring(null)}
        />
      )}
      {deleting && <DeleteDialog version={deleting} onClose={() => setDeleting(null)} />}
    </section>
  );
}

function SaveVersionForm() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) {
      setProblem('Enter a version name.');
      return;
    }
    setBusy(true);
    setProblem('');
    createVersion(workspaceId, { name: name.trim() })
      .then(() => {
        setName('');
        showToast('Version saved');
        return client.invalidateQueries({ queryKey: queryKeys.versions(workspaceId) });
      })
      .catch((error: unknown) => setProblem(fieldErrors(error, ['name'])('name') ?? inputErrorText(error)))
      .finally(() => setBusy(false));
  };
  return (
    <form className={styles.saveForm} onSubmit={submit} noValidate>
      <TextField
        label="Version name"
        value={name}
        problem={problem || undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <Button type="submit" busy={busy} icon={<Flag size={16} aria-hidden />}>
        Save version
      </Button>
    </form>
  );
}

interface VersionItemProps {
  version: Version;
  canEdit: boolean;
  onRestore: () => void;
  onDelete: () => void;
}

function VersionItem({ version, canEdit, onRestore, onDelete }: VersionItemProps) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const state = `v${version.id}`;
  const show = (query: string) => navigate(workspacePath(slug, workspaceId) + query);
  return (
    <li className={styles.version}>
      <Flag size={16} aria-hidden />
      <span className={styles.versionName}>
        {version.name}
        {version.description && <span className={styles.versionText}>{version.description}</span>}
      </span>
      <RelativeTime className={styles.time} time={version.createdAt} />
      <Menu
        trigger={
          <IconButton label={`Actions for ${version.name}`} icon={<Ellipsis size={18} aria-hidden />} />
        }
      >
        <MenuItem onSelect={() => show(statesQuery({ at: state }))}>View on map</MenuItem>
        <MenuItem onSelect={() => show(statesQuery({ since: state }))}>Compare with current</MenuItem>
        {canEdit && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={onRestore}>Restore…</MenuItem>
            <MenuItem danger onSelect={onDelete}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
}

function DeleteDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const client = useQueryClient();
  const remove = async () => {
    await deleteVersion(workspaceId, version.id);
    await client.invalidateQueries({ queryKey: queryKeys.versions(workspaceId) });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete version “${version.name}”?`}
      confirm="Delete version"
      onConfirm={remove}
    >
      <p>You can’t undo this. The current map is not affected.</p>
    </ConfirmDialog>
  );
}
