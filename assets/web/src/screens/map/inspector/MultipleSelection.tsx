/** Details of multiple selected items, with fields that edit all selected components in one edit. */
import { Route } from 'lucide-react';
import { showImpact } from '@/actions/impact';
import type { Component, Note, Relationship } from '@/api/generated';
import { outermost } from '@/core/containment/containment';
import { customTypeValue, customTypeWithKey, typeKey } from '@/core/model/customTypes';
import { setLifecycle, setOwners, setType } from '@/core/model/edits';
import { legendEntries, lensAppearance } from '@/core/model/lens';
import { type Holder, type Model, ownerOf } from '@/core/model/model';
import { noteTitle } from '@/core/noteLabel';
import type { Operation } from '@/core/sync/operation';
import { formatCount } from '@/core/text';
import { setNoteColor } from '@/map/edits/notes';
import { setSelection } from '@/map/state/view';
import { Button } from '@/ui/Button';
import { Swatch } from '@/ui/Swatch';
import { showToast } from '@/ui/Toasts';
import { edit } from '@/workspace/store';
import { Labeled } from './ComponentDetails';
import styles from './Inspector.module.css';
import { NoteColorPicker } from './NoteColorPicker';
import { PartOf } from './PartOf';
import { HolderPicker } from './Pickers';
import { relationshipTitle } from './Relationships';
import { Hint, Section } from './Section';
import { LifecycleSelect, TypeSelect } from './TypeSelect';

interface Props {
  model: Model;
  components: readonly Component[];
  relationships: readonly Relationship[];
  notes: readonly Note[];
  readOnly: boolean;
}

const MAX_SHOWN = 100;

export function MultipleSelection({ model, components, relationships, notes, readOnly }: Props) {
  const ids = components.map(({ id }) => id);
  const count = components.length;
  const [first, second] = components;
  const many = formatCount(count, 'component');
  const perform = (label: string, operations: readonly Operation[]) => {
    if (operations.length > 0) edit(label, operations);
    else showToast('All selected components already have this value.');
  };
  const changeType = (key: string) => {
    const custom = customTypeWithKey(model.customTypes, key);
    perform(
      `Change type of ${many}`,
      setType(model, ids, custom?.typeId ?? key, custom && customTypeValue(custom)),
    );
  };
  const setOwner = (holder: Holder) =>
    perform(`Make ${holder.name} the owner of ${many}`, setOwners(model, ids, [holder]));
  return (
    <>
      <div className={styles.head}>
        <p className={styles.eyebrow}>Selection</p>
        <h2 className={styles.title}>
          {[
            count > 0 && many,
            relationships.length > 0 && formatCount(relationships.length, 'relationship'),
            notes.length > 0 && formatCount(notes.length, 'note'),
          ]
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
              onClick={() => showImpact(first.id, 'between', second.id)}
            >
              Show paths between selected
            </Button>
          </div>
        )}
        {count > 0 && !readOnly && (
          <Section title="Edit all selected">
            <div className={styles.pair}>
              <Labeled label="Type">
                <TypeSelect
                  label="Type of all selected"
                  model={model}
                  value={common(components, (component) => typeKey(model.customTypes, component))}
                  none="Mixed"
                  onChange={(key) => key && changeType(key)}
                />
              </Labeled>
              <Labeled label="Lifecycle">
                <LifecycleSelect
                  label="Lifecycle of all selected"
                  model={model}
                  value={common(components, ({ properties }) => String(properties.lifecycle ?? ''))}
                  none={isMixed(components) ? 'Mixed' : '–'}
                  onChange={(to) => perform(`Change lifecycle of ${many}`, setLifecycle(model.rows, ids, to))}
                />
              </Labeled>
            </div>
            <PartOf
              model={model}
              ids={outermost(model.containment, new Set(ids))}
              label="Part of (all selected)"
            />
            <Labeled label={`Owner: ${owners(model, ids)}`}>
              <HolderPicker label="Owner of all selected" onChoose={setOwner} />
            </Labeled>
          </Section>
        )}
        <Items
          title="Components"
          items={components.map(({ id, name }) => ({ id, name }))}
          onChoose={(id) => setSelection([id])}
        />
        <Items
          title="Relationships"
          items={relationships.map((relationship) => ({
            id: relationship.id,
            name: relationshipTitle(model, relationship),
          }))}
          onChoose={(id) => setSelection([], [id])}
        />
        {!readOnly && <NoteColors notes={notes} />}
        <Items
          title="Notes, frames and images"
          items={notes.map((note) => ({ id: note.id, name: noteTitle(note) }))}
          onChoose={(id) => setSelection([], [], [id])}
        />
      </div>
    </>
  );
}

/** The color of all selected notes. Images have none. */
function NoteColors({ notes }: { notes: readonly Note[] }) {
  const colored = notes.filter(({ kind }) => kind !== 'image');
  if (colored.length === 0) return null;
  return (
    <Labeled label="Color of notes and frames">
      <NoteColorPicker
        notes={colored}
        onChange={(color) =>
          setNoteColor(
            colored.map(({ id }) => id),
            color,
          )
        }
      />
    </Labeled>
  );
}

interface ItemsProps {
  title: string;
  items: readonly { id: string; name: string }[];
  onChoose: (id: string) => void;
}

/** The names of the selected items. Clicking a name selects only that item. */
function Items({ title, items, onChoose }: ItemsProps) {
  if (items.length === 0) return null;
  return (
    <Section title={title} count={items.length}>
      <ul className={styles.list}>
        {items.slice(0, MAX_SHOWN).map(({ id, name }) => (
          <li key={id} className={styles.row}>
            <button type="button" className={styles.jump} onClick={() => onChoose(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {items.length > MAX_SHOWN && <Hint>… and {(items.length - MAX_SHOWN).toLocaleString('en')} more</Hint>}
    </Section>
  );
}

/** The number of items per type. */
function Kinds({ model, components }: { model: Model; components: readonly Component[] }) {
  const look = lensAppearance('type', model);
  const counts = new Map<string, number>();
  for (const component of components)
    counts.set(look(component).key, (counts.get(look(component).key) ?? 0) + 1);
  return (
    <ul className={styles.tags}>
      {legendEntries('type', model)
        .filter(({ key }) => counts.has(key))
        .map(({ key, label, color }) => (
          <li key={key} className={styles.tag}>
            <Swatch color={color} />
            {counts.get(key)} {label}
          </li>
        ))}
    </ul>
  );
}

function common(components: readonly Component[], of: (component: Component) => string): string {
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
