/** The fields of a kind in its form: add, edit, order and remove. */
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { MAX_KIND_FIELDS } from '@/core/limits';
import { FIELD_TYPES, type FieldDraft, newFieldDraft } from '@/core/model/kindDraft';
import { truncate } from '@/core/text';
import { Alert } from '@/ui/Alert';
import { Button, IconButton } from '@/ui/Button';
import { SelectField, TextArea, TextField } from '@/ui/Field';
import type { FieldErrors } from '@/ui/formErrors';
import styles from './Kinds.module.css';

interface Props {
  fields: readonly FieldDraft[];
  problem: FieldErrors;
  onChange: (fields: readonly FieldDraft[]) => void;
}

export function KindFieldsEditor({ fields, problem, onChange }: Props) {
  const add = () => onChange([...fields, newFieldDraft(Math.max(-1, ...fields.map(({ row }) => row)) + 1)]);
  const change = (row: number, part: Partial<FieldDraft>) =>
    onChange(fields.map((field) => (field.row === row ? { ...field, ...part } : field)));
  const move = (at: number, to: number) => {
    const next = [...fields];
    const [moved] = next.splice(at, 1);
    if (moved) next.splice(to, 0, moved);
    onChange(next);
  };
  return (
    <fieldset className={styles.fields}>
      <legend>Fields</legend>
      <p className={styles.soft}>
        Components of this kind have these fields in the inspector and in the table.
      </p>
      <Alert text={problem('fields')} />
      {fields.map((field, at) => {
        const name = truncate(field.name, 40) || `field ${at + 1}`;
        return (
          <fieldset key={field.row} className={styles.field} aria-label={`Field ${at + 1}`}>
            <TextField
              label="Field name"
              autoFocus={field.key === '' && field.name === ''}
              value={field.name}
              hint={field.key && `Property ${field.key}`}
              problem={problem(`${field.row}.name`)}
              onChange={(event) => change(field.row, { name: event.target.value })}
            />
            <SelectField
              label="Type"
              value={field.type}
              onChange={(event) => change(field.row, { type: event.target.value as FieldDraft['type'] })}
            >
              {FIELD_TYPES.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <div className={styles.fieldActions}>
              <IconButton
                label={`Move ${name} up`}
                icon={<ArrowUp size={16} aria-hidden />}
                disabled={at === 0}
                onClick={() => move(at, at - 1)}
              />
              <IconButton
                label={`Move ${name} down`}
                icon={<ArrowDown size={16} aria-hidden />}
                disabled={at === fields.length - 1}
                onClick={() => move(at, at + 1)}
              />
              <IconButton
                label={`Remove ${name}`}
                icon={<Trash2 size={16} aria-hidden />}
                onClick={() => onChange(fields.filter(({ row }) => row !== field.row))}
              />
            </div>
            {field.type === 'choice' && (
              <div className={styles.choices}>
                <TextArea
                  label="Choices, one per line"
                  rows={3}
                  value={field.choices}
                  problem={problem(`${field.row}.choices`)}
                  onChange={(event) => change(field.row, { choices: event.target.value })}
                />
              </div>
            )}
          </fieldset>
        );
      })}
      <div>
        <Button
          icon={<Plus size={16} aria-hidden />}
          disabled={fields.length >= MAX_KIND_FIELDS}
          onClick={add}
        >
          Add field
        </Button>
      </div>
    </fieldset>
  );
}
