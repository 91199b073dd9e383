/** How files are read, where their format leaves a choice: columns of tables, environments, motivation, and systems. */
import { useState } from 'react';
import type { ReadingOptions as Options } from '@/api/generated';
import { type Choice, COLUMNS } from '@/core/importing/readingOptions';
import { truncate } from '@/core/text';
import { CheckField, SelectField } from '@/ui/Field';
import styles from './Import.module.css';

const FLAG_LABELS = {
  motivation: 'Read goals, drivers and requirements',
  systems: 'Draw a system around each project',
};

interface Props {
  choice: Choice;
  options: Options;
  /** Whether the files could not be read with these options. */
  isNeeded: boolean;
  onChange: (options: Options) => void;
}

export function ReadingOptions({ choice, options, isNeeded, onChange }: Props) {
  if (choice.kind === 'columns') {
    return (
      <Columns
        headings={choice.headings}
        columns={options.columns ?? {}}
        isNeeded={isNeeded}
        onChange={(columns) => onChange({ ...options, columns })}
      />
    );
  }
  if (choice.kind === 'flag') {
    const { option } = choice;
    return (
      <CheckField
        label={FLAG_LABELS[option]}
        checked={options[option] ?? false}
        onChange={({ currentTarget }) => onChange({ ...options, [option]: currentTarget.checked })}
      />
    );
  }
  return (
    <SelectField
      label="Deployment environment"
      value={options.deployment ?? 'single'}
      onChange={({ currentTarget }) => onChange({ ...options, deployment: currentTarget.value })}
    >
      <option value="single">The only one, if there is one</option>
      <option value="none">None</option>
      <option value="all">All</option>
      {choice.names.map((name) => (
        <option key={name} value={name}>
          {truncate(name, 80)}
        </option>
      ))}
    </SelectField>
  );
}

interface ColumnsProps {
  headings: readonly string[];
  columns: Readonly<Record<string, string>>;
  isNeeded: boolean;
  onChange: (columns: Record<string, string>) => void;
}

/** Which column contains what. Columns that are not chosen are recognized by usual headings. */
function Columns({ headings, columns, isNeeded, onChange }: ColumnsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.messages}
      open={isOpen || isNeeded}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Columns</summary>
      <div className={styles.options}>
        {COLUMNS.map(({ id, name }) => (
          <SelectField
            key={id}
            label={name}
            value={columns[id] ?? ''}
            onChange={({ currentTarget }) => onChange({ ...columns, [id]: currentTarget.value })}
          >
            <option value="">Recognize</option>
            {headings.map((heading) => (
              <option key={heading} value={heading}>
                {truncate(heading, 80)}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
    </details>
  );
}
