/** Where a row comes from: its sources, with file and line. */
import { useState } from 'react';
import { updateSourceRow } from '@/api/generated';
import { placeText } from '@/core/importing/places';
import { truncate } from '@/core/text';
import { claimKey, invalidateSources, type RowClaim, useClaims, useSources } from '@/data/sources';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { RelativeTime } from '@/ui/RelativeTime';
import { showToast } from '@/ui/Toasts';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import styles from './RowSources.module.css';
import { Section } from './Section';

export function RowSources({ kind, id }: { kind: 'component' | 'relationship'; id: string }) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const sources = useSources(workspaceId).data?.sources ?? [];
  const { data: claims } = useClaims(workspaceId, sources);
  const own = claims?.get(claimKey(kind, id)) ?? [];
  if (own.length === 0) return null;
  return (
    <Section title="Code">
      <ul className={styles.sources} aria-label="Sources">
        {own.map((claim) => (
          <Place
            key={`${claim.source.id} ${claim.key}`}
            claim={claim}
            isShared={kind === 'component' && own.length > 1}
          />
        ))}
      </ul>
    </Section>
  );
}

function Place({ claim, isShared }: { claim: RowClaim; isShared: boolean }) {
  const canEdit = useCanEdit();
  const { source, file, line, missingSince, volatile } = claim;
  return (
    <li>
      <code>{placeText(file, line)}</code>
      <span className={styles.soft}>{source.name || source.id}</span>
      {typeof missingSince === 'number' && (
        <span className={styles.gone}>
          Gone from code <RelativeTime time={missingSince} />
        </span>
      )}
      {Object.entries(volatile).map(([name, value]) => (
        <span key={name} className={styles.soft}>
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </span>
      ))}
      {isShared && canEdit && <Split claim={claim} />}
    </li>
  );
}

/** Says that the component of a source is another one: the next sync draws it apart. */
function Split({ claim: { source, kind, key } }: { claim: RowClaim }) {
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
          await updateSourceRow(workspaceId, source.id, { kind, key, split: true });
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
