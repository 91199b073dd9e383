/** Custom properties of a row: text, number, boolean or JSON. */
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { RowMetadata } from '@/api/generated';
import { withProperty } from '@/core/model/edits';
import { propertiesProblem } from '@/core/model/validation';
import { Button, IconButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { edit } from '@/workspace/store';
import { useAuthor } from './authors';
import { InlineText } from './InlineText';
import styles from './Inspector.module.css';
import line from './Properties.module.css';
import {
  convertProperty,
  emptyProperty,
  formatProperty,
  PROPERTY_TYPES,
  type PropertyType,
  parseProperty,
  propertyProblem,
  propertyType,
} from './propertyTypes';
import { Section } from './Section';

interface Props {
  kind: 'component' | 'relationship';
  row: RowMetadata & { id: string; properties: Record<string, unknown> };
  /** The display name of the row in edit labels. */
  name: string;
  /** Keys with dedicated fields. */
  except?: ReadonlySet<string>;
  readOnly: boolean;
}

export function Properties({ kind, row, name, except, readOnly }: Props) {
  const { id, properties, revision } = row;
  const entries = Object.entries(properties).filter(([key]) => !except?.has(key));
  const write = (label: string, to: Record<string, unknown>, before = properties, base = revision) =>
    edit(label, [
      { op: 'update', kind, id, fields: { properties: to }, before: { properties: before }, base },
    ]);
  const set = (key: string, value: unknown) =>
    write(`Change ${key} of ${name}`, withProperty(properties, key, value));
  if (readOnly && entries.length === 0) return null;
  return (
    <Section
      title="Properties"
      count={entries.length}
      addLabel={readOnly ? undefined : 'Add property'}
      add={(close) => (
        <AddProperty
          taken={properties}
          onAdd={(key, value) => {
            write(`Add ${key} to ${name}`, withProperty(properties, key, value));
            close();
          }}
          onClose={close}
        />
      )}
    >
      <ul className={styles.list}>
        {entries.map(([key, value]) => (
          <li key={key} className={line.property}>
            <Value
              {...{ kind, row, propertyKey: key, value, readOnly }}
              onSet={(to) => set(key, to)}
              onSave={(to, since, base) =>
                write(
                  `Change ${key} of ${name}`,
                  withProperty(properties, key, to),
                  withProperty(properties, key, since),
                  base,
                )
              }
            />
            {!readOnly && (
              <IconButton
                label={`Remove property ${key}`}
                icon={<X size={16} aria-hidden />}
                className={styles.small}
                onClick={() => write(`Remove ${key} from ${name}`, withProperty(properties, key, undefined))}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface ValueProps {
  kind: 'component' | 'relationship';
  row: Props['row'];
  propertyKey: string;
  value: unknown;
  readOnly: boolean;
  onSet: (value: unknown) => void;
  onSave: (value: unknown, since: unknown, base: number) => void;
}

function Value({ kind, row, propertyKey: key, value, readOnly, onSet, onSave }: ValueProps) {
  const author = useAuthor();
  const shape = propertyType(value);
  const problemOf = (text: string) =>
    propertyProblem(shape, text) ??
    propertiesProblem(withProperty(row.properties, key, parseProperty(shape, text)));
  return (
    <div className={line.value}>
      {shape === 'boolean' ? (
        <label className={line.check}>
          <input
            type="checkbox"
            checked={value === true}
            disabled={readOnly}
            onChange={(event) => onSet(event.target.checked)}
          />
          {key}
        </label>
      ) : (
        <InlineText
          key={shape}
          label={key}
          id={`${kind}/${row.id}/properties/${key}`}
          value={formatProperty(shape, value)}
          revision={row.revision}
          changedBy={author(row.updatedBy)}
          problemOf={problemOf}
          save={(text, since, base) => onSave(parseProperty(shape, text), parseProperty(shape, since), base)}
          long={shape === 'json' || (shape === 'text' && String(value).includes('\n'))}
          look={shape === 'text' ? 'plain' : 'mono'}
          readOnly={readOnly}
        />
      )}
      {!readOnly && (
        <select
          aria-label={`Value type of ${key}`}
          className={line.shape}
          value={shape}
          onChange={(event) => onSet(convertProperty(event.target.value as PropertyType, value))}
        >
          {PROPERTY_TYPES.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

interface AddProps {
  taken: Record<string, unknown>;
  onAdd: (key: string, value: unknown) => void;
  onClose: () => void;
}

function AddProperty({ taken, onAdd, onClose }: AddProps) {
  const [key, setKey] = useState('');
  const [shape, setShape] = useState<PropertyType>('text');
  const [text, setText] = useState('');
  const [isTried, setTried] = useState(false);
  const name = key.trim();
  const problemOfKey =
    name === ''
      ? 'Enter a property name.'
      : Object.hasOwn(taken, name)
        ? `Property “${name}” already exists.`
        : undefined;
  const typed = shape === 'boolean' ? String(text === 'true') : text;
  const problem =
    propertyProblem(shape, typed) ?? propertiesProblem({ ...taken, [name]: parseProperty(shape, typed) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!problemOfKey && !problem) onAdd(name, parseProperty(shape, typed));
  };
  return (
    <form
      onSubmit={submit}
      className={styles.form}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <TextField
        label="Property"
        value={key}
        problem={isTried ? problemOfKey : undefined}
        autoFocus
        onChange={(event) => setKey(event.target.value)}
      />
      <div className={styles.pair}>
        <select
          aria-label="Value type"
          className={styles.select}
          value={shape}
          onChange={(event) => {
            setShape(event.target.value as PropertyType);
            setText(emptyProperty(event.target.value as PropertyType));
          }}
        >
          {PROPERTY_TYPES.map((type) => (
            <option key={type.id} value={type.id}>
              {type.name}
            </option>
          ))}
        </select>
        {shape === 'boolean' ? (
          <select
            aria-label="Value"
            className={styles.select}
            value={text}
            onChange={(event) => setText(event.target.value)}
          >
            <option value="true">yes</option>
            <option value="false">no</option>
          </select>
        ) : (
          <TextField
            label={<span className="unseen">Value</span>}
            placeholder="Value"
            value={text}
            problem={isTried ? problem : undefined}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </div>
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="main" type="submit">
          Add
        </Button>
      </div>
    </form>
  );
}
