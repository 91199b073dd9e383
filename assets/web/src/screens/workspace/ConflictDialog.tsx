/** Resolves conflicting changes, showing both sides for each field. */

import { Fragment, useState } from 'react';
import { describeEdit, describeOperation, fieldLabel, formatValue } from '@/core/sync/describe';
import type { FieldConflict } from '@/core/sync/merge';
import type { Operation } from '@/core/sync/operation';
import type { Conflict, Edit } from '@/core/sync/queue';
import { choiceKey, freeIds, resolveWithMine, resolveWithTheirs } from '@/core/sync/resolve';
import { formatDateTime } from '@/core/time/format';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea } from '@/ui/Field';
import { updateQueue, useWorkspace } from '@/workspace/store';
import styles from './workspace.module.css';

/** Multiline texts and texts of at least this length can be merged manually. */
const MERGEABLE_TEXT_LENGTH = 40;

export function ConflictDialog({ editId, onClose }: { editId: string | null; onClose: () => void }) {
  const edit = useWorkspace(({ queue }) => queue.find(({ id }) => id === editId));
  if (edit?.state !== 'conflict' || !edit.conflicts) return null;
  return <Decision key={edit.id} edit={edit} conflicts={edit.conflicts} onClose={onClose} />;
}

interface DecisionProps {
  edit: Edit;
  conflicts: readonly Conflict[];
  onClose: () => void;
}

function Decision({ edit, conflicts, onClose }: DecisionProps) {
  const rows = useWorkspace((state) => state.serverRows);
  const [merged, setMerged] = useState<ReadonlyMap<string, unknown>>(new Map());
  const { id, operations } = edit;
  const close = (change: Parameters<typeof updateQueue>[0]) => {
    updateQueue(change);
    onClose();
  };
  const keepMine = (queue: Parameters<typeof resolveWithMine>[0]) =>
    resolveWithMine(queue, id, merged, rows ? freeIds(rows, queue) : undefined);
  const words = buttonTexts(edit, conflicts, merged.size > 0);
  return (
    <Dialog
      open
      onClose={onClose}
      wide={conflicts.some(({ fieldConflicts }) => fieldConflicts.length > 0)}
      title={words.title}
      footer={
        <>
          <Button onClick={onClose}>Decide later</Button>
          <Button onClick={() => close((queue) => resolveWithTheirs(queue, id))}>{words.theirs}</Button>
          <Button kind="main" onClick={() => close(keepMine)}>
            {words.mine}
          </Button>
        </>
      }
    >
      {conflicts.length > 1 && (
        <p>
          <strong>{describeEdit(edit, rows)}</strong> is not saved yet. {conflicts.length} of its{' '}
          {operations.length} changes conflict with changes by others. It is saved as a whole after you
          resolve the conflicts.
        </p>
      )}
      {conflicts.map((conflict) => {
        const operation = operations[conflict.index];
        return (
          operation && (
            <Fragment key={conflict.index}>
              <p>
                {describeConflict(conflict, operation)} Your unsaved change:{' '}
                <strong>{describeOperation(operation, rows)}</strong>.
                {conflict.why === 'deleted' && ' Its relationships and links are not restored.'}
              </p>
              {conflict.fieldConflicts.map((fieldConflict) => {
                const key = choiceKey(conflict, fieldConflict.field);
                return (
                  <Sides
                    key={key}
                    fieldConflict={fieldConflict}
                    theirName={conflict.by?.displayName ?? 'Someone else'}
                    merged={merged.get(key)}
                    onMerge={(text) => setMerged(new Map(merged).set(key, text))}
                  />
                );
              })}
            </Fragment>
          )
        );
      })}
    </Dialog>
  );
}

/** The labels of the buttons, for one conflict or several. */
function buttonTexts({ operations }: Edit, conflicts: readonly Conflict[], isMerged: boolean) {
  const [first] = conflicts;
  const isAlone = conflicts.length === 1;
  const isGone = isAlone && first?.why === 'deleted';
  const isDelete = isAlone && first !== undefined && operations[first.index]?.op === 'delete';
  if (isGone) {
    return {
      title: 'Deleted while you were editing',
      theirs: 'Keep deleted',
      mine: 'Restore with my change',
    };
  }
  return {
    title: 'Conflicting change',
    theirs: isDelete ? 'Keep item' : 'Use theirs',
    mine: isDelete ? 'Delete anyway' : isMerged ? 'Save merged text' : 'Keep mine',
  };
}

function describeConflict(conflict: Conflict, operation: Operation): string {
  const by = conflict.by?.displayName ?? 'Someone else';
  const when = conflict.at ? ` on ${formatDateTime(conflict.at)}` : '';
  if (conflict.why === 'deleted') return `${by} deleted it${when}.`;
  if (conflict.why === 'taken') return `${by} used the same id${when}. Yours gets a different id.`;
  return operation.op === 'delete'
    ? `${by} changed it${when}, after your last update.`
    : `${by} changed the same field${when}.`;
}

interface SidesProps {
  fieldConflict: FieldConflict;
  theirName: string;
  merged: unknown;
  onMerge: (text: string) => void;
}

function Sides({ fieldConflict: { field, mine, theirs }, theirName, merged, onMerge }: SidesProps) {
  const canMerge =
    typeof mine === 'string' &&
    typeof theirs === 'string' &&
    [mine, theirs].some((text) => text.length >= MERGEABLE_TEXT_LENGTH || text.includes('\n'));
  return (
    <section className={styles.conflict} aria-label={fieldLabel(field)}>
      <h3>{fieldLabel(field)}</h3>
      <div className={styles.sides}>
        <figure className={styles.side}>
          <figcaption>Yours</figcaption>
          <pre>{formatValue(field, mine)}</pre>
        </figure>
        <figure className={styles.side}>
          <figcaption>{theirName}’s</figcaption>
          <pre>{formatValue(field, theirs)}</pre>
        </figure>
      </div>
      {canMerge &&
        (typeof merged === 'string' ? (
          <TextArea
            label={`Merged text`}
            rows={6}
            value={merged}
            onChange={(event) => onMerge(event.currentTarget.value)}
          />
        ) : (
          <div>
            <Button onClick={() => onMerge(`${mine}\n\n${theirs}`)}>Merge manually</Button>
          </div>
        ))}
    </section>
  );
}
