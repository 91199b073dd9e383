/** The preview of files in a workspace, what the user chooses, and the import. */
import { useMemo, useState } from 'react';
import { errorText } from '@/api/errors';
import { type ConvertedFiles, type ListedSource, type SyncReport, synchronize } from '@/api/generated';
import { type Choices, changesAnything, chosenParts, NO_CHOICES } from '@/core/importing/selection';
import { matchingSource, newSourceId } from '@/core/importing/source';
import { newId } from '@/core/newId';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';
import { useCatalogue } from '@/data/queries';
import { invalidateSources, useSources } from '@/data/sources';
import { useOrgSlug } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { CheckField } from '@/ui/Field';
import { Loading } from '@/ui/Loading';
import { useWorkspace } from '@/workspace/store';
import { useHolders } from '@/workspace/useHolders';
import styles from './Import.module.css';
import { openImported } from './openImported';
import { SourceField } from './SourceField';
import { SyncPreview } from './SyncPreview';
import { useCreatedWorkspace } from './useCreatedWorkspace';
import { requestOf, useSyncOptions, useSyncPreview } from './useSync';

interface Props {
  read: ConvertedFiles;
  names: readonly string[];
  /** Null for a new workspace. */
  workspaceId: string | null;
  /** The name of the new workspace. */
  newName: string;
  onClose: () => void;
}

export function SyncForm(props: Props) {
  const { workspaceId } = props;
  const { data, error } = useSources(workspaceId);
  if (error) return <Alert text={errorText(error)} />;
  if (workspaceId !== null && !data) return <Loading what="the sources of the workspace" />;
  return <Form {...props} sources={data?.sources ?? []} />;
}

function Form({
  read,
  names,
  workspaceId,
  newName,
  sources,
  onClose,
}: Props & { sources: readonly ListedSource[] }) {
  const slug = useOrgSlug();
  const holders = useHolders();
  const catalogue = useCatalogue().data;
  const rows = useWorkspace((state) => (state.workspaceId === workspaceId ? state.rows : null));
  const fresh = { id: newSourceId(names, read.format), kind: read.format };
  const known = matchingSource(sources, names, read.format);
  const [options, change] = useSyncOptions(
    known ? { id: known.id, kind: known.kind } : fresh,
    workspaceId !== null && !known,
  );
  const [choices, setChoices] = useState<Choices>(NO_CHOICES);
  const created = useCreatedWorkspace();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const { data: report, error, isFetching } = useSyncPreview(workspaceId, read, options);
  // A retry of the same request is not written twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another request
  const key = useMemo(newId, [options, choices, newName]);
  const run = async (shown: SyncReport) => {
    setBusy(true);
    setFailure('');
    try {
      const id = workspaceId ?? (await created.get(newName));
      const request = { ...requestOf(read, options), ...chosenParts(read.reading, shown, choices) };
      const done = await synchronize(id, request, {
        headers: { 'Idempotency-Key': key },
        timeout: 0,
      });
      created.keep();
      void invalidateWorkspaces();
      invalidateSources(id);
      openImported(slug, id, read.formatName, done);
      onClose();
    } catch (problem) {
      setFailure(errorText(problem));
    } finally {
      setBusy(false);
    }
  };
  const isBlocked = report?.massRemoval?.isAllowed === false;
  const isSomething = report !== undefined && changesAnything(read.reading, report, choices);
  const canRun = isSomething && !isBlocked && !isFetching && (workspaceId !== null || newName.trim() !== '');
  return (
    <>
      {workspaceId !== null && (
        <div className={styles.target}>
          <SourceField
            sources={sources}
            fresh={fresh}
            chosen={options.source}
            onChange={(source) => {
              setChoices(NO_CHOICES);
              change({ source, renames: {} });
            }}
          />
          <div>
            <CheckField
              label="Use components of the map that have the same name"
              checked={options.adopt}
              onChange={(event) => change({ adopt: event.currentTarget.checked })}
            />
            {read.isObserved && (
              <CheckField
                label="Add components and relationships that were only observed"
                checked={options.draw}
                onChange={(event) => change({ draw: event.currentTarget.checked })}
              />
            )}
          </div>
        </div>
      )}
      {isFetching && (
        <p className={styles.progress} role="status">
          <progress aria-label="Computing changes" /> Computing changes…
        </p>
      )}
      <Alert text={error ? errorText(error) : failure} />
      {report && !error && (
        <SyncPreview
          read={read}
          report={report}
          names={{ catalogue, component: (id) => rows?.component.get(id)?.name }}
          holders={holders}
          options={options}
          onOptions={change}
          choices={choices}
          onChoices={setChoices}
        />
      )}
      {report && !isSomething && !isFetching && (
        <p role="status">
          {report.isInStep ? 'The workspace already matches the files.' : 'Nothing is selected.'}
        </p>
      )}
      <div className={styles.actions}>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="main"
          busy={isBusy}
          disabled={!canRun}
          onClick={() => {
            if (report) void run(report);
          }}
        >
          {workspaceId === null ? 'Create workspace' : 'Import'}
        </Button>
      </div>
    </>
  );
}
