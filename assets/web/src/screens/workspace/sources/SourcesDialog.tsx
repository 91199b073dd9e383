/** The sources of the workspace: files that it was imported from or is synchronized with, and the rows that they own. */
import { FileUp, GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { openDialog, useDialogs } from '@/actions/dialogs';
import { deleteSource, type ListedSource, type SyncKind } from '@/api/generated';
import { countOfKind } from '@/core/importing/describe';
import { placeText } from '@/core/importing/places';
import { byRepository } from '@/core/importing/source';
import { formatCount, truncate } from '@/core/text';
import { invalidateSources, type RowClaim, useAccepted, useSources } from '@/data/sources';
import { openDrift } from '@/map/state/driftUrl';
import { StaleAdvice } from '@/screens/map/drift/StaleAdvice';
import { Button } from '@/ui/Button';
import { CodeText } from '@/ui/CodeText';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { Dialog } from '@/ui/Dialog';
import { QueryResult } from '@/ui/QueryResult';
import { RelativeTime } from '@/ui/RelativeTime';
import { showToast } from '@/ui/Toasts';
import { openImport } from '@/workspace/importRequest';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { Accepted } from './Accepted';

const NO_SOURCES: readonly ListedSource[] = [];
const NO_CLAIMS: readonly RowClaim[] = [];

export function SourcesDialog() {
  const isOpen = useDialogs((state) => state.open === 'sources');
  const workspaceId = useWorkspace((state) => state.workspaceId);
  if (!isOpen) return null;
  return (
    <Dialog open wide onClose={() => openDialog(null)} title="Sources">
      <Sources workspaceId={workspaceId} />
    </Dialog>
  );
}

function Sources({ workspaceId }: { workspaceId: string }) {
  const query = useSources(workspaceId);
  const accepted = useAccepted(workspaceId, query.data?.sources ?? NO_SOURCES).data;
  const canEdit = useCanEdit();
  return (
    <>
      <p>
        A source is a set of files that this workspace was imported from. Import them again, or run{' '}
        <code>planroom sync</code> in your pipeline, to keep the map in step with the code.
      </p>
      {canEdit && (
        <div>
          <Button
            kind="main"
            icon={<FileUp size={16} aria-hidden />}
            onClick={() => {
              openDialog(null);
              openImport();
            }}
          >
            Import files
          </Button>
        </div>
      )}
      <QueryResult query={query} what="sources">
        {({ sources }) =>
          sources.length === 0 ? (
            <EmptyList>No sources</EmptyList>
          ) : (
            <>
              {byRepository(sources, (source) => source.repository).map(([repository, own]) => (
                <section key={repository}>
                  <h3>{repository || 'Imported files'}</h3>
                  <DataList label={`Sources of ${repository || 'imported files'}`}>
                    {own.map((source) => (
                      <Row
                        key={source.id}
                        source={source}
                        accepted={accepted?.get(source.id) ?? NO_CLAIMS}
                        workspaceId={workspaceId}
                        canEdit={canEdit}
                      />
                    ))}
                  </DataList>
                </section>
              ))}
              <div>
                <Button
                  icon={<GitCompareArrows size={16} aria-hidden />}
                  onClick={() => {
                    openDialog(null);
                    openDrift();
                  }}
                >
                  Show drift
                </Button>
              </div>
            </>
          )
        }
      </QueryResult>
    </>
  );
}

interface RowProps {
  source: ListedSource;
  /** Its rows that the map does not have, as someone has accepted. */
  accepted: readonly RowClaim[];
  workspaceId: string;
  canEdit: boolean;
}

function Row({ source, accepted, workspaceId, canEdit }: RowProps) {
  const [isRemoving, setRemoving] = useState(false);
  const { id, name, kindName, isObserved, lastSyncAt, lastSyncBy, isStale, missing, repository } = source;
  const title = name || id;
  return (
    <DataRow
      title={title}
      badges={
        <>
          <Badge>{kindName}</Badge>
          {isObserved && <Badge>Observed</Badge>}
          {isStale && <Badge tone="warn">Stale</Badge>}
          {missing > 0 && <Badge tone="alarm">{formatCount(missing, 'row')} gone from code</Badge>}
        </>
      }
      facts={[
        name && name !== id && <code key="id">{id}</code>,
        <span key="time">
          Synchronized <RelativeTime time={lastSyncAt} />
          {lastSyncBy && ` by ${lastSyncBy}`}
        </span>,
        <Revision key="revision" source={source} />,
        ownedText(source),
        source.notRead.length > 0 && <NotRead key="not-read" reasons={source.notRead} />,
        accepted.length > 0 && <Accepted key="accepted" rows={accepted} canEdit={canEdit} />,
      ]}
      actions={
        canEdit && (
          <Button kind="danger" aria-label={`Remove source ${title}`} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )
      }
    >
      {isStale && (
        <p>
          Not synchronized for a while, so the map may be out of date. <StaleAdvice repository={repository} />
        </p>
      )}
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={`Remove source “${truncate(title, 60)}”?`}
        confirm="Remove source"
        onConfirm={async () => {
          await deleteSource(workspaceId, id);
          invalidateSources(workspaceId);
          showToast('Source removed. Its rows stay on the map.');
        }}
      >
        <p>
          Its rows stay on the map, but are no longer compared with files. The next import of the same files
          finds them by name. This cannot be undone.
        </p>
      </ConfirmDialog>
    </DataRow>
  );
}

/** How much of the files was not read, and why. */
function NotRead({ reasons }: { reasons: ListedSource['notRead'] }) {
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <details>
      <summary>{formatCount(total, 'item')} not read</summary>
      <ul>
        {reasons.map(({ reason, count, file, line }) => (
          <li key={reason}>
            <CodeText text={reason} />
            {count > 1 && ` (${count.toLocaleString('en')})`}{' '}
            {file && <code>{placeText(file, line ?? 0)}</code>}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The revision of the files, with a link if the source has one. */
function Revision({ source: { revision, url } }: { source: ListedSource }) {
  const text = revision ? `Revision ${truncate(revision, 12)}` : url && 'Files';
  if (!text) return null;
  if (!url || !/^https?:\/\//i.test(url)) return text;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" title={revision ?? url}>
      {text}
    </a>
  );
}

const KINDS: readonly SyncKind[] = ['component', 'relationship', 'process', 'view', 'stakeholder', 'link'];

function ownedText({ claims }: ListedSource): string {
  const parts = KINDS.flatMap((kind) => {
    const count = claims[kind] ?? 0;
    return count > 0 ? [countOfKind(kind, count)] : [];
  });
  return parts.length > 0 ? `Owns ${parts.join(', ')}` : 'Owns no rows';
}
