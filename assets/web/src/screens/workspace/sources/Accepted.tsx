/** Rows of a source that the map does not have, as users have accepted: who, when and why, with the way back. */
import { errorText } from '@/api/errors';
import { updateSourceRow } from '@/api/generated';
import { KIND_NAMES } from '@/core/importing/describe';
import { formatCount } from '@/core/text';
import { invalidateSources, type RowClaim } from '@/data/sources';
import { Button } from '@/ui/Button';
import { FormError } from '@/ui/Form';
import { RelativeTime } from '@/ui/RelativeTime';
import { showToast } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import { useWorkspace } from '@/workspace/store';
import styles from './Accepted.module.css';

export function Accepted({ rows, canEdit }: { rows: readonly RowClaim[]; canEdit: boolean }) {
  return (
    <details>
      <summary>{formatCount(rows.length, 'row')} accepted as not on the map</summary>
      <ul>
        {rows.map((row) => (
          <Row key={`${row.kind} ${row.key}`} row={row} canEdit={canEdit} />
        ))}
      </ul>
    </details>
  );
}

function Row({ row, canEdit }: { row: RowClaim; canEdit: boolean }) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const { kind, key, source, acceptedAt, acceptedBy, acceptedReason } = row;
  const { busy, error, run } = useAction();
  const withdraw = () =>
    run(async () => {
      await updateSourceRow(workspaceId, source.id, { kind, key, accepted: false });
      invalidateSources(workspaceId);
      showToast('Withdrawn. Checks count the row again.');
    });
  return (
    <li className={styles.row}>
      <span>
        {KIND_NAMES[kind].one} <code>{key}</code>, accepted <RelativeTime time={acceptedAt ?? 0} />
        {acceptedBy && ` by ${acceptedBy}`}
        {acceptedReason && `: “${acceptedReason}”`}
      </span>
      {canEdit && (
        <Button
          aria-label={`Withdraw that ${key} is not on the map`}
          busy={busy}
          onClick={() => void withdraw()}
        >
          Withdraw
        </Button>
      )}
      <FormError text={error ? errorText(error) : undefined} />
    </li>
  );
}
