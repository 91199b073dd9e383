/** Decides fields that the files and the map changed: each one, or all at once. */
import { ArrowLeftRight } from 'lucide-react';
import type { SyncField, SyncPreference, SyncRow } from '@/api/generated';
import {
  type ConflictChoices,
  chosenSide,
  commonSide,
  conflictKey,
  decide,
  decideAll,
} from '@/core/importing/conflicts';
import { fieldName, lastSyncedText, type Names, valueText } from '@/core/importing/describe';
import { Button } from '@/ui/Button';
import styles from './Import.module.css';
import { type SectionProps, SyncSection } from './SyncSection';

interface Props extends Pick<SectionProps, 'isChosen' | 'onChoose'> {
  rows: readonly SyncRow[];
  names: Names;
  choices: ConflictChoices;
  onChange: (choices: ConflictChoices) => void;
}

export function SyncConflicts({ rows, names, choices, onChange, ...choosing }: Props) {
  const common = commonSide(rows, choices);
  const detail = (row: SyncRow) => (
    <div className={styles.decisions}>
      {(row.fields ?? []).map((field) => (
        <Decision
          key={field.field}
          row={row}
          field={field}
          names={names}
          side={chosenSide(row, field, choices)}
          onChange={(side) => onChange(decide(choices, row, field, side))}
        />
      ))}
    </div>
  );
  return (
    <SyncSection
      title="Changed on both sides"
      tone="warn"
      icon={<ArrowLeftRight size={16} aria-hidden />}
      about={
        <>
          <p>
            The files and the map have changed these fields since the last import. Select the value to keep.
          </p>
          <div className={styles.decideAll}>
            {ALL.map(({ side, text }) => (
              <Button key={side} aria-pressed={common === side} onClick={() => onChange(decideAll(side))}>
                {text}
              </Button>
            ))}
          </div>
        </>
      }
      rows={rows}
      detail={detail}
      {...choosing}
    />
  );
}

const ALL: readonly { side: SyncPreference; text: string }[] = [
  { side: 'source', text: 'Use files for all' },
  { side: 'map', text: 'Use map for all' },
  { side: 'ask', text: 'Decide all later' },
];

interface DecisionProps {
  row: SyncRow;
  field: SyncField;
  names: Names;
  side: SyncPreference;
  onChange: (side: SyncPreference) => void;
}

function Decision({ row, field, names, side, onChange }: DecisionProps) {
  const name = fieldName(field.field);
  const options: readonly { of: SyncPreference; label: string; value?: string }[] = [
    { of: 'source', label: 'Files', value: valueText(field.field, field.source, names) },
    { of: 'map', label: 'Map', value: valueText(field.field, field.map, names) },
    { of: 'ask', label: 'Decide later' },
  ];
  return (
    <fieldset className={styles.decision} aria-label={`${row.name}: ${name}`}>
      <p className={styles.decided}>
        <strong>{name}</strong>{' '}
        <span className={styles.soft}>last synced: {lastSyncedText(field, names)}</span>
      </p>
      {options.map(({ of, label, value }) => (
        <label key={of} className={styles.side} data-chosen={side === of || undefined}>
          <input
            type="radio"
            name={conflictKey(row, field)}
            checked={side === of}
            onChange={() => onChange(of)}
          />
          <span>
            {label}
            {value !== undefined && <>: {value}</>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
