/** Multiple selection: what is selected, and fields that edit all components as one edit. */
import { Route } from 'lucide-react';
import { askAbout } from '@/actions/impact';
import type { Component, Relationship } from '@/api/generated';
import { customKey, typeKey } from '@/core/model/customTypes';
import { enliven, entrust, retype } from '@/core/model/edits';
import { legendOf, lensOf } from '@/core/model/lens';
import { type Holder, type Model, ownerOf } from '@/core/model/model';
import type { Operation } from '@/core/sync/operation';
import { counted } from '@/core/words';
import { edit } from '@/plan/store';
import { Button } from '@/ui/Button';
import { say } from '@/ui/Toasts';
import { select } from '../view';
import { Labelled } from './ComponentDetails';
import styles from './Inspector.module.css';
import { HolderPicker } from './Pickers';
import { titleOf } from './Relationships';
import { Hint, Section } from './Section';
import { LifecycleSelect, TypeSelect } from './TypeSelect';

interface Props {
  model: Model;
  components: readonly Component[];
  relationships: readonly Relationship[];
  readOnly: boolean;
}

const SHOWN = 100;

export function Several({ model, components, relationships, readOnly }: Props) {
  const ids = components.map(({ id }) => id);
  const count = components.length;
  const [first, second] = components;
  const many = counted(count, 'component');
  const perform = (label: string, operations: readonly Operation[]) => {
    if (operations.length > 0) edit(label, operations);
    else say('All selected components already have this value.');
  };
  const setType = (key: string) => {
    const custom = model.customTypes.find((type) => customKey(type) === key);
    perform(`Change type of ${many}`, retype(model, ids, custom?.typeId ?? key, custom?.name));
  };
  const setOwner = (holder: Holder) =>
    perform(`Make ${holder.name} the owner of ${many}`, entrust(model, ids, [holder]));
  return (
    <>
      <div className={styles.head}>
        <p className={styles.eyebrow}>Selection</p>
        <h2 className={styles.title}>
          {[count > 0 && many, relationships.length > 0 && counted(relationships.length, 'relationship')]
            .filter(Boolean)
            .join(', ')}
        </h2>
      </div>
      <div className={styles.body}>
        {count > 0 && <Kinds model={model} components={components} />}
        {count === 2 && first && second && (
          <div>
            <Button
              icon={<Route size={16} aria-hidden />}
              onClick={() => askAbout(first.id, 'between', second.id)}
            >
              Show paths between selected
            </Button>
          </div>
        )}
        {count > 0 && !readOnly && (
          <Section title="Edit all selected">
            <div className={styles.pair}>
              <Labelled label="Type">
                <TypeSelect
                  label="Type of all selected"
                  model={model}
                  value={common(components, (one) => typeKey(model.customTypes, one))}
                  none="Mixed"
                  onChange={(key) => key && setType(key)}
                />
              </Labelled>
              <Labelled label="Lifecycle">
                <LifecycleSelect
                  label="Lifecycle of all selected"
                  model={model}
                  value={common(components, ({ properties }) => String(properties.lifecycle ?? ''))}
                  none={isMixed(components) ? 'Mixed' : '–'}
                  onChange={(to) => perform(`Change lifecycle of ${many}`, enliven(model.rows, ids, to))}
                />
              </Labelled>
            </div>
            <Labelled label={`Owner: ${owners(model, ids)}`}>
              <HolderPicker label="Owner of all selected" onChoose={setOwner} />
            </Labelled>
          </Section>
        )}
        <Items
          title="Components"
          items={components.map(({ id, name }) => ({ id, name }))}
          onChoose={(id) => select([id])}
        />
        <Items
          title="Relationships"
          items={relationships.map((one) => ({ id: one.id, name: titleOf(model, one) }))}
          onChoose={(id) => select([], [id])}
        />
      </div>
    </>
  );
}

interface ItemsProps {
  title: string;
  items: readonly { id: string; name: string }[];
  onChoose: (id: string) => void;
}

/** The names of the selected items; choosing one selects it alone. */
function Items({ title, items, onChoose }: ItemsProps) {
  if (items.length === 0) return null;
  return (
    <Section title={title} count={items.length}>
      <ul className={styles.list}>
        {items.slice(0, SHOWN).map(({ id, name }) => (
          <li key={id} className={styles.row}>
            <button type="button" className={styles.jump} onClick={() => onChoose(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {items.length > SHOWN && <Hint>… and {(items.length - SHOWN).toLocaleString('en')} more</Hint>}
    </Section>
  );
}

/** The number of items per type. */
function Kinds({ model, components }: { model: Model; components: readonly Component[] }) {
  const look = lensOf('type', model);
  const counts = new Map<string, number>();
  for (const one of components) counts.set(look(one).key, (counts.get(look(one).key) ?? 0) + 1);
  return (
    <ul className={styles.tags}>
      {legendOf('type', model)
        .filter(({ key }) => counts.has(key))
        .map(({ key, label, colour }) => (
          <li key={key} className={styles.tag}>
            <span className={styles.dot} style={{ background: colour }} />
            {counts.get(key)} {label}
          </li>
        ))}
    </ul>
  );
}

function common(components: readonly Component[], of: (one: Component) => string): string {
  const values = new Set(components.map(of));
  return values.size === 1 ? ([...values][0] ?? '') : '';
}

function isMixed(components: readonly Component[]): boolean {
  return new Set(components.map(({ properties }) => properties.lifecycle ?? '')).size > 1;
}

function owners(model: Model, ids: readonly string[]): string {
  const names = new Set(ids.map((id) => ownerOf(model, id)?.name ?? 'no owner'));
  return names.size > 2 ? `${names.size} different` : [...names].join(' and ');
}
