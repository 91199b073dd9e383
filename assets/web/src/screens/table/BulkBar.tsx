/** Bulk actions on the selected components, each as one edit. */

import { ChevronDown, Map as MapIcon, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Catalogue, Component } from '@/api/generated';
import { useOrgSlug, workspacePath } from '@/app/paths';
import { updateOf, withProperty } from '@/core/model/edits';
import type { Fields } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { propertyKeys, typed } from '@/core/table/columns';
import { counted } from '@/core/words';
import { select } from '@/screens/map/view';
import { Button, IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Menu, MenuItem, MenuLine } from '@/ui/Menu';
import { actAndTell } from './act';
import { Colored } from './Colored';
import styles from './Table.module.css';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  selected: ReadonlySet<string>;
  mayEdit: boolean;
  onRemove: (ids: readonly string[]) => void;
}

export function BulkBar({ rows, catalogue, selected, mayEdit, onRemove }: Props) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const [asking, setAsking] = useState(false);
  const change = (what: string, fieldsOf: (component: Component) => Fields) => {
    const components = [...selected].flatMap((id) => rows.component.get(id) ?? []);
    const operations = components.flatMap((one) => updateOf('component', one.id, one, fieldsOf(one)));
    const text = `${what} of ${counted(operations.length, 'component')}`;
    actAndTell(`Change ${text}`, `Changed ${text}`, operations);
  };
  return (
    <section className={styles.bulk} aria-label="Selection">
      <strong role="status">{counted(selected.size, 'component')} selected</strong>
      {mayEdit && (
        <>
          <Menu trigger={<Opener name="Type" />}>
            {catalogue.componentTypes.map((type) => (
              <MenuItem key={type.id} onSelect={() => change('type', () => ({ typeId: type.id }))}>
                <Colored choice={type} text={type.name} />
              </MenuItem>
            ))}
          </Menu>
          <Menu trigger={<Opener name="Lifecycle" />}>
            {catalogue.lifecycleStates.map((state) => (
              <MenuItem
                key={state.id}
                onSelect={() =>
                  change('lifecycle', (one) => ({
                    properties: withProperty(one.properties, 'lifecycle', state.id),
                  }))
                }
              >
                <Colored choice={state} text={state.name} />
              </MenuItem>
            ))}
            <MenuLine />
            <MenuItem
              onSelect={() =>
                change('lifecycle', (one) => ({
                  properties: withProperty(one.properties, 'lifecycle', undefined),
                }))
              }
            >
              Not set
            </MenuItem>
          </Menu>
          <Button kind="quiet" onClick={() => setAsking(true)}>
            Property…
          </Button>
          <Button
            kind="danger"
            icon={<Trash2 size={16} aria-hidden />}
            onClick={() => onRemove([...selected])}
          >
            Delete
          </Button>
        </>
      )}
      <Button
        kind="quiet"
        icon={<MapIcon size={16} aria-hidden />}
        onClick={() => navigate(workspacePath(slug, rows.workspace.id))}
      >
        Show on map
      </Button>
      <IconButton label="Clear selection" icon={<X size={18} aria-hidden />} onClick={() => select([])} />
      {asking && (
        <PropertyDialog
          known={propertyKeys([...rows.component.values()])}
          count={selected.size}
          onClose={() => setAsking(false)}
          onSet={(key, text) =>
            change(`property “${key}”`, (one) => ({
              properties: withProperty(
                one.properties,
                key,
                text === '' ? undefined : typed(text, one.properties[key]),
              ),
            }))
          }
        />
      )}
    </section>
  );
}

/** A button that opens a menu. */
export function Opener({ name, ...rest }: { name: string }) {
  return (
    <Button kind="quiet" {...rest}>
      {name}
      <ChevronDown size={16} aria-hidden />
    </Button>
  );
}

interface Ask {
  known: readonly string[];
  count: number;
  onClose: () => void;
  onSet: (key: string, text: string) => void;
}

function PropertyDialog({ known, count, onClose, onSet }: Ask) {
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const set = () => {
    if (!key.trim()) return setProblem('Enter a property name, such as “tier”.');
    onSet(key.trim(), text);
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" type="submit" form="set-property">
        {text ? 'Set property' : 'Remove property'}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Set property of ${counted(count, 'component')}`} footer={footer}>
      <form
        id="set-property"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          set();
        }}
      >
        <TextField
          label="Property"
          list="known-properties"
          autoFocus
          value={key}
          problem={problem}
          onChange={(event) => setKey(event.target.value)}
        />
        <datalist id="known-properties">
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <TextField
          label="Value"
          hint="Leave empty to remove the property."
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
