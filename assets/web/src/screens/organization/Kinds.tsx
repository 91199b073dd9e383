/** The kinds of components that the organization shares. Administrators edit them; others can see them. */
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError, errorText } from '@/api/errors';
import { type ComponentKind, deleteKind } from '@/api/generated';
import { catalogueEntry } from '@/core/model/model';
import { formatCount, truncate } from '@/core/text';
import { invalidateDirectory, useCatalogue, useKinds } from '@/data/queries';
import { Alert } from '@/ui/Alert';
import { Button, IconButton } from '@/ui/Button';
import { cardStyle } from '@/ui/cardStyle';
import { DataList, DataRow } from '@/ui/DataList';
import { Dialog } from '@/ui/Dialog';
import { EmptyState } from '@/ui/EmptyState';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { TechnologyIcon } from '@/ui/TechnologyIcon';
import { showToast } from '@/ui/Toasts';
import { TypeIcon } from '@/ui/TypeIcon';
import { KindDialog } from './KindDialog';
import styles from './Kinds.module.css';
import type { OrganizationProps } from './organizationProps';

const NO_LOGO: readonly string[] = [];

export function Kinds({ organization }: OrganizationProps) {
  const query = useKinds();
  const isAdmin = organization.role === 'org:admin';
  const [editing, setEditing] = useState<ComponentKind | 'new' | null>(null);
  const [deleting, setDeleting] = useState<ComponentKind | null>(null);
  const about =
    'Kinds refine the built-in types with a name, a look and fields. All maps of the organization share them.';
  return (
    <Panel
      title="Kinds"
      about={isAdmin ? about : `${about} Organization administrators edit them.`}
      actions={
        isAdmin && (
          <Button kind="main" icon={<Plus size={18} aria-hidden />} onClick={() => setEditing('new')}>
            New kind
          </Button>
        )
      }
    >
      <QueryResult query={query} what="kinds">
        {({ kinds }) =>
          kinds.length === 0 ? (
            <EmptyState title="No kinds yet">
              <p>For example, a “Payment service” with the field “Cost center”, based on Service.</p>
            </EmptyState>
          ) : (
            <DataList label="Kinds">
              {kinds.map((kind) => (
                <KindRow
                  key={kind.id}
                  kind={kind}
                  {...(isAdmin ? { onEdit: () => setEditing(kind), onDelete: () => setDeleting(kind) } : {})}
                />
              ))}
            </DataList>
          )
        }
      </QueryResult>
      {editing && (
        <KindDialog kind={editing === 'new' ? undefined : editing} onClose={() => setEditing(null)} />
      )}
      {deleting && <DeleteKind kind={deleting} onClose={() => setDeleting(null)} />}
    </Panel>
  );
}

interface RowProps {
  kind: ComponentKind;
  onEdit?: () => void;
  onDelete?: () => void;
}

function KindRow({ kind, onEdit, onDelete }: RowProps) {
  const types = useCatalogue().data?.componentTypes ?? [];
  const name = truncate(kind.name, 60);
  const { fields } = kind;
  return (
    <DataRow
      title={
        <span className={styles.title}>
          <span className={styles.icon} style={cardStyle(kind.color)}>
            <TechnologyIcon technologies={kind.logo ? [kind.logo] : NO_LOGO} size={16}>
              <TypeIcon icon={kind.icon} />
            </TechnologyIcon>
          </span>
          {kind.name}
        </span>
      }
      facts={[
        `Based on ${catalogueEntry(types, kind.baseType).name}`,
        fields.length > 0 &&
          `${formatCount(fields.length, 'field')}: ${truncate(fields.map((field) => field.name).join(', '), 80)}`,
        <code key="id">{kind.id}</code>,
      ]}
      text={kind.description ?? null}
      actions={
        onEdit && (
          <>
            <IconButton label={`Edit ${name}`} icon={<Pencil size={16} aria-hidden />} onClick={onEdit} />
            <IconButton
              label={`Delete ${name}`}
              icon={<Trash2 size={16} aria-hidden />}
              onClick={() => onDelete?.()}
            />
          </>
        )
      }
    />
  );
}

function DeleteKind({ kind, onClose }: { kind: ComponentKind; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [count, setCount] = useState(0);
  const [problem, setProblem] = useState('');
  const name = truncate(kind.name, 60);
  const remove = async () => {
    setBusy(true);
    setProblem('');
    try {
      await deleteKind(kind.id, count > 0 ? { force: true } : {});
      invalidateDirectory();
      showToast(`Deleted kind “${name}”`);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'kind_in_use') setCount(error.body.count ?? 1);
      else setProblem(errorText(error));
      setBusy(false);
    }
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="danger" busy={busy} onClick={() => void remove()}>
        {count > 0 ? 'Delete kind anyway' : 'Delete kind'}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Delete the kind “${name}”?`} footer={footer}>
      <p>You can’t undo this. Components keep their values.</p>
      <Alert
        text={
          count > 0 &&
          `${formatCount(count, 'component')} of this kind ${count === 1 ? 'exists' : 'exist'}, including deleted workspaces and workspaces that you can’t ` +
            'access. They will be shown with their built-in type, and the values of the fields will be listed as properties.'
        }
      />
      <Alert text={problem} />
    </Dialog>
  );
}
