/** One rule: conditions that must all hold. */
import { Plus, Trash2, X } from 'lucide-react';
import type { Around, Selector } from '@/core/sync/viewRows';
import { type Condition, emptyCondition, parsePropertyValue, withoutCondition } from '@/core/views/rules';
import { Button, IconButton } from '@/ui/Button';
import type { ComboboxItem } from '@/ui/Combobox';
import { Menu, MenuItem } from '@/ui/Menu';
import styles from '../sheet/Sheet.module.css';
import { ChipList } from './ChipList';
import type { RuleOptions } from './useRuleOptions';

interface Props {
  rule: Selector;
  label: string;
  /** How many components match. */
  count: number;
  isExclude: boolean;
  options: RuleOptions;
  conditions: readonly { key: Condition; name: string }[];
  onChange: (rule: Selector) => void;
  onRemove: () => void;
}

export function RuleCard({ rule, label, count, isExclude, options, conditions, onChange, onRemove }: Props) {
  const used = conditions.filter(({ key }) => rule[key] !== undefined);
  const left = conditions.filter(({ key }) => rule[key] === undefined);
  return (
    <fieldset className={styles.rule} aria-label={label} data-exclude={isExclude || undefined}>
      <div className={styles.ruleHead}>
        <span>{used.length === 0 ? 'Add a condition' : `${count.toLocaleString('en')} match`}</span>
        <IconButton
          label={`Remove ${label.toLowerCase()}`}
          icon={<Trash2 size={14} aria-hidden />}
          className={styles.small}
          onClick={onRemove}
        />
      </div>
      {used.map(({ key, name }) => (
        <div key={key} className={styles.condition}>
          <div className={styles.conditionHead}>
            {name}
            <IconButton
              label={`Remove condition ${name.toLowerCase()}`}
              icon={<X size={13} aria-hidden />}
              className={styles.small}
              onClick={() => onChange(withoutCondition(rule, key))}
            />
          </div>
          <Value condition={key} name={name} rule={rule} options={options} onChange={onChange} />
        </div>
      ))}
      {left.length > 0 && (
        <div>
          <Menu
            trigger={
              <Button kind="quiet" icon={<Plus size={14} aria-hidden />}>
                {used.length === 0 ? 'Condition' : 'And'}
              </Button>
            }
          >
            {left.map(({ key, name }) => (
              <MenuItem key={key} onSelect={() => onChange({ ...rule, ...emptyCondition(key) })}>
                {name}
              </MenuItem>
            ))}
          </Menu>
        </div>
      )}
    </fieldset>
  );
}

interface ValueProps {
  condition: Condition;
  name: string;
  rule: Selector;
  options: RuleOptions;
  onChange: (rule: Selector) => void;
}

function Value({ condition, name, rule, options, onChange }: ValueProps) {
  switch (condition) {
    case 'text':
      return (
        <input
          className={styles.input}
          aria-label="Text"
          placeholder="In the name, description, type or people"
          maxLength={200}
          value={rule.text ?? ''}
          onChange={(event) => onChange({ ...rule, text: event.target.value })}
        />
      );
    case 'properties':
      return <PropertyFields rule={rule} onChange={onChange} />;
    case 'around':
      return rule.around ? (
        <AroundFields
          around={rule.around}
          options={options}
          onChange={(around) => onChange({ ...rule, around })}
        />
      ) : null;
    default:
      return (
        <ChipList
          label={name}
          values={rule[condition] ?? []}
          options={optionsOf(condition, options)}
          onChange={(values) => onChange({ ...rule, [condition]: values })}
        />
      );
  }
}

function optionsOf(
  condition: Exclude<Condition, 'text' | 'properties' | 'around'>,
  options: RuleOptions,
): readonly ComboboxItem[] {
  if (condition === 'ids') return options.components;
  if (condition === 'within') return options.groups;
  return options[condition];
}

const DISTANCES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

const DIRECTIONS = [
  { id: 'both', name: 'in both directions' },
  { id: 'up', name: 'that depend on them' },
  { id: 'down', name: 'that they depend on' },
] as const;

interface AroundProps {
  around: Around;
  options: RuleOptions;
  onChange: (around: Around) => void;
}

function AroundFields({ around, options, onChange }: AroundProps) {
  const { of, direction = 'both', depth = 1 } = around;
  return (
    <>
      <ChipList
        label="Components"
        values={of}
        options={options.components}
        onChange={(next) => onChange({ ...around, of: next })}
      />
      <div className={styles.pair}>
        <select
          className={styles.select}
          aria-label="Direction"
          value={direction}
          onChange={(event) =>
            onChange({ ...around, direction: event.target.value as NonNullable<Around['direction']> })
          }
        >
          {DIRECTIONS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          className={styles.select}
          aria-label="Distance"
          value={depth}
          onChange={(event) => onChange({ ...around, depth: Number(event.target.value) })}
        >
          {DISTANCES.map((distance) => (
            <option key={distance} value={distance}>
              {distance === 1 ? 'directly' : `up to ${distance} steps`}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

function PropertyFields({ rule, onChange }: { rule: Selector; onChange: (rule: Selector) => void }) {
  const entries = Object.entries(rule.properties ?? {});
  const shown = entries.length > 0 ? entries : ([['', '']] as [string, string][]);
  const write = (next: readonly (readonly [string, string | number | boolean])[]) =>
    onChange({ ...rule, properties: Object.fromEntries(next) });
  return shown.map(([key, value], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the name of a property changes while it is typed
    <div key={index} className={styles.fields}>
      <input
        className={styles.input}
        aria-label="Property name"
        placeholder="Name"
        maxLength={128}
        value={key}
        onChange={(event) => write(shown.with(index, [event.target.value, value]))}
      />
      <input
        className={styles.input}
        aria-label="Property value"
        placeholder="Equals"
        maxLength={1000}
        value={String(value)}
        onChange={(event) => write(shown.with(index, [key, parsePropertyValue(event.target.value)]))}
      />
      <IconButton
        label="Add property"
        icon={<Plus size={13} aria-hidden />}
        className={styles.small}
        disabled={shown.some(([name]) => name === '')}
        onClick={() => write([...shown, ['', '']])}
      />
    </div>
  ));
}
