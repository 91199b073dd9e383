/** Says that the component of a source is another one: the next sync draws it apart. */
import { useState } from 'react';
import { type SyncKind, updateSourceRow } from '@/api/generated';
import { truncate } from '@/core/text';
import { invalidateSources } from '@/data/sources';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';

interface SplitOffProps {
  source: { id: string; name?: string | null };
  kind: SyncKind;
  /** Key of the component in the source. */
  keyInSource: string;
}

export function SplitOff({ source, kind, keyInSource }: SplitOffProps) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const [isAsking, setAsking] = useState(false);
  const name = truncate(source.name || source.id, 60);
  return (
    <>
      <Button aria-label={`Split off the component of ${name}`} onClick={() => setAsking(true)}>
        Split off
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Split off the component of “${name}”?`}
        confirm="Split off"
        onConfirm={async () => {
          await updateSourceRow(workspaceId, source.id, { kind, key: keyInSource, split: true });
          invalidateSources(workspaceId);
          showToast('Split off. The next sync of this source adds the component beside this one.');
        }}
      >
        <p>
          Use this if the source means another component with the same name. The next sync adds it beside this
          one and does not match the two again.
        </p>
      </ConfirmDialog>
    </>
  );
}
