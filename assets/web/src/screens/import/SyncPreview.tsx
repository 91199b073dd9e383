/** What an import changes, by what happens with the rows. */
import { ArrowLeftRight, Ghost, Link2, Minus, Pencil, Plus, RotateCcw, Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import type { ConvertedFiles, SyncReport, SyncRow } from '@/api/generated';
import { withoutConflicts } from '@/core/importing/conflicts';
import { fieldText, type Names } from '@/core/importing/describe';
import { rowKey } from '@/core/importing/rowKey';
import { type Choices, leftOut, ownedInFiles, unownedAdditions } from '@/core/importing/selection';
import type { Holder } from '@/core/model/model';
import { Alert } from '@/ui/Alert';
import { CheckField } from '@/ui/Field';
import styles from './Import.module.css';
import { OwnerOfAll, OwnerOfOne } from './OwnerChoice';
import { MatchMessages } from './ReadSummary';
import { SyncConflicts } from './SyncConflicts';
import { SyncSection } from './SyncSection';
import type { ChangeOptions, SyncOptions } from './useSync';

interface Props {
  read: ConvertedFiles;
  report: SyncReport;
  names: Names;
  holders: readonly Holder[];
  options: SyncOptions;
  onOptions: ChangeOptions;
  choices: Choices;
  onChoices: (change: (before: Choices) => Choices) => void;
}

const ICON = { size: 16, 'aria-hidden': true } as const;

export function SyncPreview(props: Props) {
  const { read, report, names, options, onOptions, choices, onChoices } = props;
  const out = useMemo(() => leftOut(read.reading, report, choices), [read, report, choices]);
  const changed = useMemo(() => withoutConflicts(report), [report]);
  const choosing = {
    isChosen: (row: SyncRow) => !out.has(rowKey(row)),
    onChoose: (rows: readonly SyncRow[], isChosen: boolean) =>
      onChoices((before) => ({ ...before, excluded: toggled(before.excluded, rows, !isChosen) })),
  };
  const changes = ({ fields = [], movedFrom }: SyncRow) => (
    <Texts
      texts={[
        ...(movedFrom === undefined ? [] : [`moved here from ${movedFrom}`]),
        ...fields.map((one) => fieldText(one, names)),
      ]}
    />
  );
  return (
    <div className={styles.summary}>
      <MassRemoval {...props} />
      <MatchMessages diagnostics={report.diagnostics} />
      <Renames {...props} />
      <Added {...props} choosing={choosing} />
      <SyncSection
        title="Will change"
        tone="warn"
        icon={<Pencil {...ICON} />}
        rows={changed}
        detail={changes}
        {...choosing}
      />
      <SyncConflicts
        rows={report.conflicts}
        names={names}
        choices={choices.conflicts}
        onChange={(conflicts) => onChoices((before) => ({ ...before, conflicts }))}
        {...choosing}
      />
      <SyncSection
        title="Found on the map"
        tone="plain"
        icon={<Link2 {...ICON} />}
        about={
          <p>
            These rows become those of the files. They keep their place and what the files do not contain.
          </p>
        }
        rows={report.adopted}
        detail={changes}
        {...choosing}
      />
      <SyncSection
        title="Back in the files"
        tone="good"
        icon={<Undo2 {...ICON} />}
        rows={report.returned}
        {...choosing}
      />
      <SyncSection
        title="Gone from the files"
        tone="alarm"
        icon={<Ghost {...ICON} />}
        about={
          <>
            <p>These rows stay on the map, marked as gone from code.</p>
            <DeleteGone prune={options.prune} onOptions={onOptions} />
          </>
        }
        rows={report.vanished}
        {...choosing}
      />
      <SyncSection
        title="Will be deleted"
        tone="alarm"
        icon={<Minus {...ICON} />}
        about={options.prune && <DeleteGone prune={options.prune} onOptions={onOptions} />}
        rows={report.removed}
        detail={({ mergedInto }) =>
          mergedInto === undefined ? null : (
            <span className={styles.soft}>Merged into {names.component(mergedInto) ?? mergedInto}</span>
          )
        }
        {...choosing}
      />
      <SyncSection
        title="Deleted on the map"
        tone="plain"
        icon={<RotateCcw {...ICON} />}
        about={<p>These rows are in the files, but were deleted on the map. Select those to create again.</p>}
        rows={report.deletedOnMap}
        isChosen={(row) => choices.restored.has(rowKey(row))}
        onChoose={(rows, isChosen) =>
          onChoices((before) => ({ ...before, restored: toggled(before.restored, rows, isChosen) }))
        }
      />
      {report.unchanged > 0 && (
        <p className={styles.soft}>{report.unchanged.toLocaleString('en')} rows are unchanged.</p>
      )}
    </div>
  );
}

type Choosing = Pick<Parameters<typeof SyncSection>[0], 'isChosen' | 'onChoose'>;

function Added({ read, report, holders, choices, onChoices, choosing }: Props & { choosing: Choosing }) {
  const owned = useMemo(() => ownedInFiles(read.reading), [read]);
  const count = unownedAdditions(read.reading, report).length;
  const detail = ({ kind, key, name }: SyncRow) => {
    if (kind !== 'component' || holders.length === 0) return null;
    if (owned.has(key)) return <span className={styles.soft}>Owner in the files</span>;
    return (
      <OwnerOfOne
        holders={holders}
        name={name}
        shared={choices.owner}
        own={choices.owners.get(key)}
        onChange={(owner) =>
          onChoices((before) => {
            const owners = new Map(before.owners);
            if (owner === undefined) owners.delete(key);
            else owners.set(key, owner);
            return { ...before, owners };
          })
        }
      />
    );
  };
  return (
    <SyncSection
      title="Will be added"
      tone="good"
      icon={<Plus {...ICON} />}
      about={
        count > 0 && (
          <OwnerOfAll
            holders={holders}
            count={count}
            owner={choices.owner}
            onChange={(owner) => onChoices((before) => ({ ...before, owner }))}
          />
        )
      }
      rows={report.added}
      detail={detail}
      {...choosing}
    />
  );
}

function DeleteGone({ prune, onOptions }: { prune: boolean; onOptions: ChangeOptions }) {
  return (
    <CheckField
      label="Delete rows that are gone from the files"
      checked={prune}
      onChange={(event) => onOptions({ prune: event.currentTarget.checked })}
    />
  );
}

/** A broken or incomplete file looks like the removal of most rows. */
function MassRemoval({ report: { massRemoval }, options, onOptions }: Props) {
  if (!massRemoval || (massRemoval.isAllowed && !options.allowMassRemoval)) return null;
  return (
    <Alert
      kind="warn"
      text={
        <>
          <p>
            {massRemoval.vanishing.toLocaleString('en')} of {massRemoval.claimed.toLocaleString('en')} rows of
            this source are not in the files. Check that the files are complete.
          </p>
          <CheckField
            label="The files are complete. Continue."
            checked={options.allowMassRemoval}
            onChange={(event) => onOptions({ allowMassRemoval: event.currentTarget.checked })}
          />
        </>
      }
    />
  );
}

/** Rows that probably have another name in the files now. */
function Renames({ report: { renameCandidates }, options, onOptions }: Props) {
  const known = Object.entries(options.renames);
  if (renameCandidates.length + known.length === 0) return null;
  const change = (from: string, to: string | null) => {
    const renames = { ...options.renames };
    if (to === null) delete renames[from];
    else renames[from] = to;
    onOptions({ renames });
  };
  return (
    <section className={styles.part} data-tone="warn">
      <h3 className={styles.heading}>
        <ArrowLeftRight {...ICON} /> Renamed?
      </h3>
      <p className={styles.about}>Select those that are the same component with another name.</p>
      <ul className={styles.rows} aria-label="Renamed?">
        {known.map(([from, to]) => (
          <li key={from}>
            <CheckField label={`${from} is now ${to}`} checked onChange={() => change(from, null)} />
          </li>
        ))}
        {renameCandidates
          .filter(({ from }) => !(from in options.renames))
          .map(({ from, to, name, newName }) => (
            <li key={`${from} ${to}`}>
              <CheckField
                label={`“${name}” is now “${newName}”`}
                checked={false}
                onChange={() => change(from, to)}
              />
            </li>
          ))}
      </ul>
    </section>
  );
}

function Texts({ texts }: { texts: readonly string[] }) {
  return (
    <ul className={styles.fields}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function toggled(before: ReadonlySet<string>, rows: readonly SyncRow[], isIn: boolean): ReadonlySet<string> {
  const after = new Set(before);
  for (const row of rows) {
    if (isIn) after.add(rowKey(row));
    else after.delete(rowKey(row));
  }
  return after;
}
