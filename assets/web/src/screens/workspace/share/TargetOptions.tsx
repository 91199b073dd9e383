/** What a new share link can show: the map, the selection, a view, or a process. */
import { formatCount } from '@/core/text';
import { useWorkspace } from '@/workspace/store';

export function TargetOptions({ selectedCount }: { selectedCount: number }) {
  const views = useWorkspace((state) => state.rows?.view);
  const processes = useWorkspace((state) => state.rows?.process);
  return (
    <>
      <option value="map">The whole map</option>
      {selectedCount > 0 && (
        <option value="selection">Selected components ({formatCount(selectedCount, 'component')})</option>
      )}
      <Group label="Views" kind="view" rows={views} />
      <Group label="Processes" kind="process" rows={processes} />
    </>
  );
}

interface GroupProps {
  label: string;
  kind: string;
  rows: ReadonlyMap<string, { id: string; name: string }> | undefined;
}

function Group({ label, kind, rows }: GroupProps) {
  if (!rows || rows.size === 0) return null;
  return (
    <optgroup label={label}>
      {[...rows.values()].map(({ id, name }) => (
        <option key={id} value={`${kind}:${id}`}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
