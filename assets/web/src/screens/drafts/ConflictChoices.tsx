/** Decides the conflicts of a draft with its base: for each field, or for all at once. */
import type { DraftChange } from '@/api/generated';
import { changeName, conflictText } from '@/core/drafts/changes';
import {
  type Choices,
  type ConflictItem,
  choose,
  chooseAll,
  commonSide,
  openItems,
  rowChoiceTexts,
  type Side,
} from '@/core/drafts/resolutions';
import { fieldLabel, formatValue } from '@/core/sync/describe';
import { formatCount } from '@/core/text';
import { Button } from '@/ui/Button';
import styles from './Drafts.module.css';
import { useValueNames } from './useValueNames';

interface Props {
  items: readonly ConflictItem[];
  changes: readonly DraftChange[];
  choices: Choices;
  onChange: (choices: Choices) => void;
}

export function ConflictChoices({ items, changes, choices, onChange }: Props) {
  const nameOf = useValueNames(changes);
  const left = openItems(items, choices);
  const all = commonSide(items, choices);
  return (
    <section className={styles.conflicts} aria-label="Conflicts">
      <div className={styles.conflictHead}>
        <p role="status">
          {formatCount(items.length, 'conflict')}
          {left > 0 ? `, ${left.toLocaleString('en')} to decide` : ', all decided'}
        </p>
        <div className={styles.buttons}>
          <Button aria-pressed={all === 'base'} onClick={() => onChange(chooseAll(items, 'base'))}>
            Use workspace for all
          </Button>
          <Button aria-pressed={all === 'draft'} onClick={() => onChange(chooseAll(items, 'draft'))}>
            Use draft for all
          </Button>
        </div>
      </div>
      <ul className={styles.conflictList} aria-label="Conflicts to decide">
        {items.map((item) => (
          <li key={item.key}>
            <Decision
              item={item}
              side={choices.get(item.key)}
              nameOf={nameOf}
              onChange={(side) => onChange(choose(choices, item.key, side))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DecisionProps {
  item: ConflictItem;
  side: Side | undefined;
  nameOf: (field: string, id: string) => string | undefined;
  onChange: (side: Side) => void;
}

const SIDES: readonly { side: Side; name: string }[] = [
  { side: 'base', name: 'Workspace' },
  { side: 'draft', name: 'Draft' },
];

function Decision({ item: { key, change, field }, side, nameOf, onChange }: DecisionProps) {
  const texts = field ? null : rowChoiceTexts(change);
  const valueText = (of: Side) => {
    if (!field) return texts?.[of] ?? '';
    const value = field[of];
    return (typeof value === 'string' && nameOf(field.field, value)) || formatValue(field.field, value);
  };
  return (
    <fieldset className={styles.decision} data-open={side === undefined || undefined}>
      <legend>
        <strong>{changeName(change, nameOf)}</strong>
        {field && <span className={styles.soft}> {fieldLabel(field.field)}</span>}
      </legend>
      {!field && <p className={styles.soft}>{conflictText(change)}</p>}
      <div className={styles.sides}>
        {SIDES.map(({ side: of, name }) => (
          <label key={of} className={styles.option} data-chosen={side === of || undefined}>
            <input type="radio" name={key} checked={side === of} onChange={() => onChange(of)} />
            <span className={styles.sideText}>
              <span className={styles.sideName}>{name}</span>
              <span className={styles.value}>{valueText(of)}</span>
            </span>
          </label>
        ))}
      </div>
      {field && (
        <p className={styles.before}>
          Before:{' '}
          {(typeof field.branch === 'string' && nameOf(field.field, field.branch)) ||
            formatValue(field.field, field.branch)}
        </p>
      )}
    </fieldset>
  );
}
