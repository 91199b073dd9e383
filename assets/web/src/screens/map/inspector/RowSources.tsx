/** Where a row comes from: its sources, with file and line. */
import { placeText } from '@/core/importing/places';
import { claimKey, type RowClaim, useClaims, useSources } from '@/data/sources';
import { RelativeTime } from '@/ui/RelativeTime';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { SplitOff } from '../sources/SplitOff';
import styles from './RowSources.module.css';
import { Section } from './Section';

export function RowSources({ kind, id }: { kind: 'component' | 'relationship'; id: string }) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const sources = useSources(workspaceId).data?.sources ?? [];
  const { data: claims } = useClaims(workspaceId, sources);
  const own = claims?.get(claimKey(kind, id)) ?? [];
  if (own.length === 0) return null;
  const isShared = own.filter((claim) => !claim.source.isObserved).length > 1;
  return (
    <Section title="Code">
      <ul className={styles.sources} aria-label="Sources">
        {own.map((claim) => (
          <Place key={`${claim.source.id} ${claim.key}`} claim={claim} isShared={isShared} />
        ))}
      </ul>
    </Section>
  );
}

interface PlaceProps {
  claim: RowClaim;
  /** Whether several sources declare the row. */
  isShared: boolean;
}

function Place({ claim, isShared }: PlaceProps) {
  const canEdit = useCanEdit();
  const { kind, source, file, line, missingSince, volatile, rowWas } = claim;
  const isGone = typeof missingSince === 'number';
  // What was only seen in operation draws nothing apart, and what only this source describes is apart.
  const canSplit =
    canEdit && kind === 'component' && !isGone && !source.isObserved && (isShared || rowWas !== 'new');
  return (
    <li>
      <code>{placeText(file, line)}</code>
      <span className={styles.soft}>{source.name || source.id}</span>
      {isGone && (
        <span className={styles.gone}>
          Gone from code <RelativeTime time={missingSince} />
        </span>
      )}
      {Object.entries(volatile).map(([name, value]) => (
        <span key={name} className={styles.soft}>
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </span>
      ))}
      {canSplit && <SplitOff source={source} kind={kind} keyInSource={claim.key} />}
    </li>
  );
}
