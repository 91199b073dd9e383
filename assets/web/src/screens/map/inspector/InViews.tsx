/** The views that contain a component, and the view that explains it. */
import { Layers, User } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { Component } from '@/api/generated';
import type { Model } from '@/core/model/model';
import { inOrder } from '@/core/sync/viewRows';
import { openedView } from '@/core/views/opens';
import { anySelector } from '@/core/views/selectors';
import { setOpens } from '@/map/edits/views';
import { useViewAddress } from '@/map/state/openView';
import { drillDown, viewPath } from '@/map/state/viewNavigation';
import { Button } from '@/ui/Button';
import { Combobox } from '@/ui/Combobox';
import { useMemberships } from '@/workspace/memberships';
import { useViews } from '../views/useViews';
import styles from './Inspector.module.css';
import { Hint, Section } from './Section';

interface Props {
  model: Model;
  component: Component;
  readOnly: boolean;
}

export function InViews({ model, component, readOnly }: Props) {
  const { shared, personal } = useViews();
  const memberships = useMemberships((state) => state.memberships);
  const containing = useMemo(
    () =>
      [...shared, ...personal].filter(({ view: { definition } }) => {
        const { include, exclude } = definition;
        return (
          (include.length === 0 || anySelector(include, model, memberships)(component)) &&
          !anySelector(exclude, model, memberships)(component)
        );
      }),
    [shared, personal, model, memberships, component],
  );
  const address = useViewAddress();
  if (shared.length + personal.length === 0) return null;
  return (
    <Section title="Views" count={containing.length}>
      {containing.length === 0 && <Hint>In no view except the whole map.</Hint>}
      <ul className={styles.list} aria-label="Views">
        {containing.map(({ address: one, isPersonal, view }) => (
          <li key={one} className={styles.row}>
            {isPersonal ? <User size={16} aria-hidden /> : <Layers size={16} aria-hidden />}
            <Link
              href={`${viewPath(one)}?${new URLSearchParams({ c: component.id })}`}
              className={styles.jump}
              aria-current={one === address ? 'page' : undefined}
            >
              {view.name}
            </Link>
          </li>
        ))}
      </ul>
      <Opens model={model} component={component} readOnly={readOnly} />
    </Section>
  );
}

function Opens({ model: { rows }, component, readOnly }: Props) {
  const opens = openedView(component, rows);
  if (rows.view.size === 0) return null;
  return (
    <>
      {!readOnly && (
        <Combobox
          label="Opens view"
          items={[{ id: '', name: 'None' }, ...inOrder(rows.view.values())]}
          value={opens?.id ?? ''}
          onChange={(id) => setOpens(component.id, id || null)}
        />
      )}
      {opens && (
        <div>
          <Button icon={<Layers size={16} aria-hidden />} onClick={() => drillDown(opens.id)}>
            Open “{opens.name}”
          </Button>
        </div>
      )}
    </>
  );
}
