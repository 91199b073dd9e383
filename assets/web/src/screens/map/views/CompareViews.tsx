import { useEffect, useMemo, useState } from 'react';
import { formatCount } from '@/core/text';
import { showComponent } from '@/map/state/location';
import { useViewAddress, viewAt } from '@/map/state/openView';
import { type HighlightKind, useView } from '@/map/state/view';
import { membersWith } from '@/map/state/viewMembers';
import { MAP_ADDRESS } from '@/map/state/viewNavigation';
import { SelectField } from '@/ui/Field';
import { useModel } from '@/workspace/model';
import { Sheet } from '../sheet/Sheet';
import styles from '../sheet/Sheet.module.css';
import { useViews } from './useViews';

/** Maximum number of names per list. */
const MAX_SHOWN = 200;

export function CompareViews({ address, onClose }: { address: string; onClose: () => void }) {
  const model = useModel();
  const { shared, personal } = useViews();
  const all = [...shared, ...personal];
  const [first, setFirst] = useState(address);
  const [second, setSecond] = useState(
    () => all.find((one) => one.address !== address)?.address ?? MAP_ADDRESS,
  );
  const shown = useViewAddress() ?? MAP_ADDRESS;
  const parts = useMemo(() => {
    if (!model) return null;
    const membersOf = (of: string): ReadonlySet<string> => {
      const view = of === MAP_ADDRESS ? undefined : viewAt(of);
      return view ? membersWith(model)(view.definition) : new Set(model.rows.component.keys());
    };
    const [a, b] = [membersOf(first), membersOf(second)];
    return {
      onlyFirst: [...a].filter((id) => !b.has(id)),
      onlySecond: [...b].filter((id) => !a.has(id)),
      both: [...a].filter((id) => b.has(id)),
    };
  }, [model, first, second]);
  useEffect(() => {
    if (!parts) return;
    const kinds = (ids: readonly string[], kind: HighlightKind) => ids.map((id) => [id, kind] as const);
    useView.setState({
      highlight: {
        components: new Map([...kinds(parts.onlyFirst, 'added'), ...kinds(parts.onlySecond, 'changed')]),
        relationships: new Map(),
        dimOthers: false,
      },
    });
    return () => useView.setState({ highlight: null });
  }, [parts]);
  const nameOf = (of: string) => (of === MAP_ADDRESS ? 'All' : (viewAt(of)?.name ?? of));
  const options = [
    { address: MAP_ADDRESS, name: 'All' },
    ...all.map((one) => ({ address: one.address, name: one.view.name })),
  ];
  const select = (label: string, value: string, onChange: (to: string) => void) => (
    <SelectField label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option.address} value={option.address}>
          {option.name}
        </option>
      ))}
    </SelectField>
  );
  return (
    <Sheet label="Compare views" title="Compare views" closeLabel="Close comparison" onClose={onClose}>
      <div className={styles.pair}>
        {select('View', first, setFirst)}
        {select('Compare with', second, setSecond)}
      </div>
      {parts && (
        <>
          <p role="status" className={styles.soft}>
            {first === second
              ? 'Select two different views.'
              : `${formatCount(parts.both.length, 'component')} in both, ${parts.onlyFirst.length} only in “${nameOf(first)}”, ${parts.onlySecond.length} only in “${nameOf(second)}”`}
          </p>
          <Names title={`Only in “${nameOf(first)}”`} ids={parts.onlyFirst} isOpen={shown !== second} />
          <Names title={`Only in “${nameOf(second)}”`} ids={parts.onlySecond} isOpen />
          <Names title="In both" ids={parts.both} isOpen={false} />
        </>
      )}
    </Sheet>
  );
}

function Names({ title, ids, isOpen }: { title: string; ids: readonly string[]; isOpen: boolean }) {
  const model = useModel();
  if (ids.length === 0 || !model) return null;
  const names = ids
    .map((id) => ({ id, name: model.rows.component.get(id)?.name ?? id }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return (
    <details open={isOpen} className={styles.part}>
      <summary>
        {title} <span className={styles.number}>{ids.length.toLocaleString('en')}</span>
      </summary>
      <ul className={styles.names}>
        {names.slice(0, MAX_SHOWN).map(({ id, name }) => (
          <li key={id}>
            <button type="button" className={styles.link} onClick={() => showComponent(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {ids.length > MAX_SHOWN && (
        <p className={styles.soft}>… and {(ids.length - MAX_SHOWN).toLocaleString('en')} more</p>
      )}
    </details>
  );
}
