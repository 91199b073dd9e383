/** The fields of a component's kind. Values are properties of the component; their types are checked here. */
import { ExternalLink } from 'lucide-react';
import { useId } from 'react';
import type { Component, KindField } from '@/api/generated';
import { withProperty } from '@/core/model/edits';
import {
  fieldLink,
  fieldOptions,
  fieldProblem,
  fieldText,
  hasFieldType,
  parseField,
} from '@/core/model/kindFields';
import { propertiesProblem } from '@/core/model/validation';
import { edit } from '@/workspace/store';
import { useAuthor } from './authors';
import { InlineText } from './InlineText';
import styles from './Inspector.module.css';
import own from './KindFields.module.css';

interface Props {
  component: Component;
  fields: readonly KindField[];
  readOnly: boolean;
}

export function KindFields({ component, fields, readOnly }: Props) {
  return fields.map((field) => (
    <Field key={`${field.key} ${field.type}`} {...{ component, field, readOnly }} />
  ));
}

function Field({
  component,
  field,
  readOnly,
}: {
  component: Component;
  field: KindField;
  readOnly: boolean;
}) {
  const { id, name, properties, revision } = component;
  const author = useAuthor();
  const value = Object.hasOwn(properties, field.key) ? properties[field.key] : undefined;
  const save = (text: string, since = fieldText(value), base = revision) => {
    // A value of another type is only replaced by one of the right type.
    const before =
      since === fieldText(value) ? properties : withProperty(properties, field.key, parseField(field, since));
    const fields = { properties: withProperty(properties, field.key, parseField(field, text)) };
    edit(`Change ${field.name.toLowerCase()} of ${name}`, [
      { op: 'update', kind: 'component', id, fields, before: { properties: before }, base },
    ]);
  };
  const options = fieldOptions(field);
  if (options) return <Choice {...{ field, value, options, readOnly, onChoose: save }} />;
  const link = field.type === 'url' ? fieldLink(value) : undefined;
  return (
    <div className={own.field}>
      <InlineText
        label={field.name}
        id={`component/${id}/properties/${field.key}`}
        value={fieldText(value)}
        revision={revision}
        changedBy={author(component.updatedBy)}
        problemOf={(text) =>
          fieldProblem(field, text) ??
          propertiesProblem(withProperty(properties, field.key, parseField(field, text)))
        }
        save={save}
        // A date input would not show another text.
        type={field.type === 'date' && hasFieldType(field, value) ? 'date' : 'text'}
        placeholder={PLACEHOLDERS[field.type] ?? ''}
        readOnly={readOnly}
      />
      {link && (
        <a href={link} target="_blank" rel="noreferrer noopener" className={own.link}>
          <ExternalLink size={14} aria-hidden /> Open {field.name}
        </a>
      )}
      {!hasFieldType(field, value) && (
        <p className={own.note} role="status">
          This value does not fit the field. {fieldProblem(field, fieldText(value)) ?? ''}
        </p>
      )}
    </div>
  );
}

const PLACEHOLDERS: Partial<Record<KindField['type'], string>> = {
  number: 'Number',
  url: 'https://',
};

interface ChoiceProps {
  field: KindField;
  value: unknown;
  options: readonly { id: string; name: string }[];
  readOnly: boolean;
  onChoose: (text: string) => void;
}

function Choice({ field, value, options, readOnly, onChoose }: ChoiceProps) {
  const id = useId();
  const text = fieldText(value);
  const isOdd = text !== '' && !options.some(({ id }) => id === text);
  return (
    <div className={styles.labeled}>
      <label htmlFor={id} className={styles.label}>
        {field.name}
      </label>
      <select
        id={id}
        className={styles.select}
        value={text}
        disabled={readOnly}
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="">–</option>
        {isOdd && <option value={text}>{text}</option>}
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
