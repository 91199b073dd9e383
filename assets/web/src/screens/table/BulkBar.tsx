/** Bulk actions on the selected components, each as one edit. */

import { ChevronDown, Map as MapIcon, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Catalogue, Component } from '@/api/generated';
import {
  CUSTOM_TYPE_PROPERTY,
  type CustomType,
  customTypeKey,
  customTypeOf,
  customTypeValue,
} from '@/core/model/customTypes';
import { updateOperation, withProperty } from '@/core/model/edits';
import type { Fields } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { parseLike, propertyKeys } from '@/core/table/columns';
import { formatCount } from '@/core/text';
import { setSelection } from '@/map/state/view';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button, IconButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { ColoredChoice } from './ColoredChoice';
import { KeywordsDialog } from './KeywordsDialog';
import { OwnersDialog } from './OwnersDialog';
import { PartOfDialog } from './PartOfDialog';
import styles from './Table.module.css';
import { editTableWithToast } from './tableEdit';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  types: readonly CustomType[];
  selected: ReadonlySet<string>;
  /** The number of selected components that the filter hides. */
  hidden: number;
  mayEdit: boolean;
  onRemove: (ids: readonly string[]) => void;
}

export function BulkBar({ rows, catalogue, types, selected, hidden, mayEdit, onRemove }: Props) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const [dialog, setDialog] = useState<'owners' | 'tags' | 'technology' | 'property' | 'parent' | null>(null);
  const change = (subject: string, fieldsOf: (component: Component) => Fields) => {
    const components = [...selected].flatMap((id) => rows.component.get(id) ?? []);
    const operations = components.flatMap((component) =>
      updateOperation('component', component.id, component, fieldsOf(component)),
    );
    const text = `${subject} of ${formatCount(operations.length, 'component')}`;
    editTableWithToast(`Change ${text}`, `Changed ${text}`, operations);
  };
  return (
    <section className={styles.bulk} aria-label="Selection">
      <strong role="status">
        {formatCount(selected.size, 'component')} selected
        {hidden > 0 && `, ${hidden.toLocaleString('en')} hidden by the filter`}
      </strong>
      {mayEdit && (
        <>
          <Menu trigger={<MenuButton name="Type" />}>
            {types.map((type) => (
              <MenuItem
                key={customTypeKey(type)}
                onSelect={() =>
                  change('type', ({ properties }) => ({
                    typeId: type.typeId,
                    properties: withProperty(properties, CUSTOM_TYPE_PROPERTY, customTypeValue(type)),
                  }))
                }
              >
                <ColoredChoice choice={{ id: customTypeKey(type), ...type }} text={type.name} />
              </MenuItem>
            ))}
            {types.length > 0 && <MenuSeparator />}
            {catalogue.componentTypes.map((type) => (
              <MenuItem
                key={type.id}
                onSelect={() => change('type', (component) => catalogType(types, component, type.id))}
              >
                <ColoredChoice choice={type} text={type.name} />
              </MenuItem>
            ))}
          </Menu>
          <Menu trigger={<MenuButton name="Lifecycle" />}>
            {catalogue.lifecycleStates.map((state) => (
              <MenuItem
                key={state.id}
                onSelect={() =>
                  change('lifecycle', (component) => ({
                    properties: withProperty(component.properties, 'lifecycle', state.id),
                  }))
                }
              >
                <ColoredChoice choice={state} text={state.name} />
              </MenuItem>
            ))}
            <MenuSeparator />
            <MenuItem
              onSelect={() =>
                change('lifecycle', (component) => ({
                  properties: withProperty(component.properties, 'lifecycle', undefined),
                }))
              }
            >
              Not set
            </MenuItem>
          </Menu>
          <Button kind="quiet" onClick={() => setDialog('owners')}>
            Owners…
          </Button>
          <Button kind="quiet" onClick={() => setDialog('tags')}>
            Tags…
          </Button>
          <Button kind="quiet" onClick={() => setDialog('technology')}>
            Technology…
          </Button>
          <Button kind="quiet" onClick={() => setDialog('parent')}>
            Part of…
          </Button>
          <Button kind="quiet" onClick={() => setDialog('property')}>
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
      <IconButton
        label="Clear selection"
        icon={<X size={18} aria-hidden />}
        onClick={() => setSelection([])}
      />
      {dialog === 'owners' && <OwnersDialog ids={[...selected]} onClose={() => setDialog(null)} />}
      {(dialog === 'tags' || dialog === 'technology') && (
        <KeywordsDialog rows={rows} ids={[...selected]} field={dialog} onClose={() => setDialog(null)} />
      )}
      {dialog === 'parent' && (
        <PartOfDialog rows={rows} catalogue={catalogue} ids={[...selected]} onClose={() => setDialog(null)} />
      )}
      {dialog === 'property' && (
        <PropertyDialog
          known={propertyKeys([...rows.component.values()])}
          count={selected.size}
          onClose={() => setDialog(null)}
          onSet={(key, text) =>
            change(`property “${key}”`, (component) => ({
              properties: withProperty(
                component.properties,
                key,
                text === '' ? undefined : parseLike(text, component.properties[key]),
              ),
            }))
          }
        />
      )}
    </section>
  );
}

/** A button that opens a menu. */
export function MenuButton({ name, ...rest }: { name: string }) {
  return (
    <Button kind="quiet" {...rest}>
      {name}
      <ChevronDown size={16} aria-hidden />
    </Button>
  );
}

interface PropertyDialogProps {
  known: readonly string[];
  count: number;
  onClose: () => void;
  onSet: (key: string, text: string) => void;
}

function PropertyDialog({ known, count, onClose, onSet }: PropertyDialogProps) {
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const set = () => {
    if (!key.trim()) return setProblem('Enter a property name, such as “tier”.');
    onSet(key.trim(), text);
    onClose();
  };
  return (
    <FormDialog
      title={`Set property of ${formatCount(count, 'component')}`}
      submitLabel={text ? 'Set property' : 'Remove property'}
      onSubmit={set}
      onClose={onClose}
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
        {known.map((propertyKey) => (
          <option key={propertyKey} value={propertyKey} />
        ))}
      </datalist>
      <TextField
        label="Value"
        hint="Leave empty to remove the property."
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}

/** The fields that make a component one of a catalog type, and of no custom type. */
function catalogType(types: readonly CustomType[], component: Component, typeId: string): Fields {
  if (!customTypeOf(types, component)) return { typeId };
  return { typeId, properties: withProperty(component.properties, CUSTOM_TYPE_PROPERTY, undefined) };
}
