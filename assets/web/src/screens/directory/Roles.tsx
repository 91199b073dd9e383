/** Roles that describe responsibility for components. Administrators name, color and order them. */

import { ArrowDown, ArrowUp, GripVertical, Pencil, Plus, Trash2 } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { usePageCommands } from '@/actions/pageCommands';
import { ApiError, errorText } from '@/api/errors';
import { deleteRole, type Role, updateRole } from '@/api/generated';
import { truncate } from '@/core/text';
import { invalidateDirectory, queryClient, queryKeys, useRoles } from '@/data/queries';
import { Button, IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { EmptyState } from '@/ui/EmptyState';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { RoleIcon } from '@/ui/RoleIcon';
import { showError, showToast } from '@/ui/Toasts';
import styles from './Directory.module.css';
import { RoleDialog } from './RoleDialog';
import { useIsAdmin } from './useDirectory';

export function Roles(_: { id: string | undefined }) {
  const { data, error, refetch } = useRoles();
  const isAdmin = useIsAdmin();
  const [editing, setEditing] = useState<Role | 'new' | null>(null);
  usePageCommands([
    isAdmin && { id: 'roles.new', title: 'New role', icon: Plus, run: () => setEditing('new') },
  ]);
  const [deleting, setDeleting] = useState<Role | null>(null);
  const [dragged, setDragged] = useState('');
  const [dropTarget, setDropTarget] = useState('');
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="roles" />;
  const roles = data.types;
  const move = (id: string, to: number) => void reorder(roles, id, to);
  const onDrop = (event: DragEvent, to: number) => {
    event.preventDefault();
    if (dragged) move(dragged, to);
    setDragged('');
    setDropTarget('');
  };
  return (
    <div className={styles.alone}>
      <header className={styles.top}>
        <h2 className={styles.title}>Roles</h2>
        {isAdmin && (
          <Button kind="main" icon={<Plus size={18} aria-hidden />} onClick={() => setEditing('new')}>
            New role
          </Button>
        )}
      </header>
      <p className={styles.soft}>
        Roles describe how someone is responsible for a component. Their order applies everywhere.
        {!isAdmin && ' Organization administrators edit and order them.'}
      </p>
      {roles.length === 0 && (
        <EmptyState title="No roles yet">
          <p>Start with “Owner”, the person or team to ask about a component.</p>
        </EmptyState>
      )}
      <ol className={styles.roles}>
        {roles.map((role, at) => (
          <li
            key={role.id}
            className={styles.role}
            data-over={dropTarget === role.id || undefined}
            draggable={isAdmin}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', role.id);
              setDragged(role.id);
            }}
            onDragOver={(event) => {
              if (!dragged) return;
              event.preventDefault();
              setDropTarget(role.id);
            }}
            onDragEnd={() => setDropTarget('')}
            onDrop={(event) => onDrop(event, at)}
          >
            {isAdmin && <GripVertical size={16} aria-hidden className={styles.grip} />}
            <RoleIcon role={role} />
            <span className={styles.names}>
              <span className={styles.name}>{role.name}</span>
              <span className={styles.hint}>{role.id}</span>
            </span>
            {isAdmin && (
              <>
                <IconButton
                  label={`Move ${truncate(role.name, 60)} up`}
                  icon={<ArrowUp size={16} aria-hidden />}
                  disabled={at === 0}
                  onClick={() => move(role.id, at - 1)}
                />
                <IconButton
                  label={`Move ${truncate(role.name, 60)} down`}
                  icon={<ArrowDown size={16} aria-hidden />}
                  disabled={at === roles.length - 1}
                  onClick={() => move(role.id, at + 1)}
                />
                <IconButton
                  label={`Edit ${truncate(role.name, 60)}`}
                  icon={<Pencil size={16} aria-hidden />}
                  onClick={() => setEditing(role)}
                />
                <IconButton
                  label={`Delete ${truncate(role.name, 60)}`}
                  icon={<Trash2 size={16} aria-hidden />}
                  onClick={() => setDeleting(role)}
                />
              </>
            )}
          </li>
        ))}
      </ol>
      {editing && (
        <RoleDialog role={editing === 'new' ? undefined : editing} onClose={() => setEditing(null)} />
      )}
      {deleting && <DeleteRole role={deleting} onClose={() => setDeleting(null)} />}
    </div>
  );
}

/** Moves a role. Shown immediately. Only roles whose position changed are written. */
async function reorder(roles: readonly Role[], id: string, to: number): Promise<void> {
  const moved = roles.find((role) => role.id === id);
  if (!moved || to < 0 || to >= roles.length) return;
  const next = roles.filter((role) => role !== moved);
  next.splice(to, 0, moved);
  const placed = next.map((role, sortOrder) => ({ ...role, sortOrder }));
  queryClient.setQueryData(queryKeys.roles(moved.orgId), { types: placed });
  try {
    for (const role of placed) {
      const before = roles.find((candidate) => candidate.id === role.id);
      if (before?.sortOrder !== role.sortOrder) await updateRole(role.id, { sortOrder: role.sortOrder });
    }
  } catch (error) {
    showError(error);
  }
  invalidateDirectory();
}

function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const remove = async () => {
    setBusy(true);
    try {
      await deleteRole(role.id);
      invalidateDirectory();
      showToast(`Deleted role “${truncate(role.name, 60)}”`);
      onClose();
    } catch (error) {
      setProblem(inUse(error) ?? errorText(error));
      setBusy(false);
    }
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      {!problem && (
        <Button kind="danger" busy={busy} onClick={() => void remove()}>
          Delete role
        </Button>
      )}
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Delete the role “${truncate(role.name, 60)}”?`} footer={footer}>
      {problem ? (
        <p role="alert">{problem}</p>
      ) : (
        <p>You can’t undo this. A role that is in use can’t be deleted.</p>
      )}
    </Dialog>
  );
}

function inUse(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'role_in_use') return undefined;
  const count = error.body.count ?? 1;
  const holders =
    count === 1 ? 'One person or team has' : `${count.toLocaleString('en')} people and teams have`;
  return (
    `${holders} this role on a component, including deleted workspaces and workspaces that you can’t access. ` +
    'Assign another role or remove this one everywhere before deleting it.'
  );
}
