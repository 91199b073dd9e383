/** Accepts that the map does not have a row of a source, with a reason: checks and the drift report no longer count it. */
import { useState } from 'react';
import { errorText } from '@/api/errors';
import { type SyncKind, updateSourceRow } from '@/api/generated';
import { truncate } from '@/core/text';
import { invalidateSources } from '@/data/sources';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { FormError } from '@/ui/Form';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import { useWorkspace } from '@/workspace/store';

interface AcceptMissingProps {
  /** Id of the source. */
  source: string;
  kind: SyncKind;
  /** Key of the row in the source. */
  keyInSource: string;
  name: string;
}

export function AcceptMissing(props: AcceptMissingProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div>
      <Button aria-label={`Accept that ${props.name} is not on the map`} onClick={() => setAsking(true)}>
        Accept
      </Button>
      {isAsking && <Question {...props} onClose={() => setAsking(false)} />}
    </div>
  );
}

function Question({
  source,
  kind,
  keyInSource,
  name,
  onClose,
}: AcceptMissingProps & { onClose: () => void }) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const [reason, setReason] = useState('');
  const { busy, error, run } = useAction();
  const shown = truncate(name, 60);
  const accept = () =>
    run(async () => {
      const given = reason.trim();
      const decision = { kind, key: keyInSource, accepted: true };
      await updateSourceRow(workspaceId, source, given ? { ...decision, reason: given } : decision);
      onClose();
      invalidateSources(workspaceId);
      showToast(`Accepted: the map does not have “${shown}”.`);
    });
  return (
    <FormDialog
      title={`Accept that “${shown}” is not on the map?`}
      submitLabel="Accept"
      onSubmit={() => void accept()}
      onClose={onClose}
      busy={busy}
    >
      <p>Checks and this report no longer count it. You can withdraw this under Sources.</p>
      <TextField
        label="Reason (optional)"
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <FormError text={error ? errorText(error) : undefined} />
    </FormDialog>
  );
}
