/** A search field with a list of results and keyboard navigation. */
import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import styles from './Autocomplete.module.css';

export interface AutocompleteOption<T> {
  key: string;
  value: T;
  title: string;
  /** The kind of the result, such as "Component" or "Team". */
  hint?: ReactNode;
  icon?: ReactNode;
  /** The heading above the first result of a group. */
  group?: string | undefined;
}

interface Props<T> {
  /** The accessible name. */
  label: string;
  placeholder?: string;
  query: string;
  onQuery: (query: string) => void;
  options: readonly AutocompleteOption<T>[];
  onChoose: (value: T) => void;
  /** Called on Escape if the field is empty or `leavesAtOnce` is set. */
  onLeave?: () => void;
  /** Whether Escape leaves immediately instead of clearing the text first. */
  leavesAtOnce?: boolean;
  /** Shown if there are no results. */
  empty: ReactNode;
  /** Shown below the results, or below `empty`. */
  footer?: ReactNode;
  /** Whether results are shown while the field is not focused. */
  open?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  autoFocus?: boolean;
  className?: string | undefined;
}

export function Autocomplete<T>(props: Props<T>) {
  const { label, placeholder, query, onQuery, options, onChoose, onLeave, empty, className } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const [isFocused, setFocused] = useState(false);
  const current = Math.min(at, options.length - 1);
  const isOpen = props.open ?? (isFocused && (options.length > 0 || query !== ''));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query starts at its first result
  useEffect(() => setAt(0), [query]);
  useEffect(() => {
    if (isOpen) list.current?.querySelector(`[data-at="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current, isOpen]);

  const choose = (option: AutocompleteOption<T> | undefined) => {
    if (option) onChoose(option.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step && options.length > 0) {
      const next = current + step;
      const isSingle = Math.abs(step) === 1;
      setAt(
        isSingle ? (next + options.length) % options.length : Math.max(0, Math.min(options.length - 1, next)),
      );
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      choose(options[current]);
    } else if (event.key === 'Escape' && (query !== '' || onLeave)) {
      if (query !== '' && !props.leavesAtOnce) onQuery('');
      else onLeave?.();
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <div className={[styles.autocomplete, className].join(' ')}>
      <div className={styles.field}>
        <Search size={16} aria-hidden className={styles.searchIcon} />
        <input
          ref={props.inputRef}
          className={styles.input}
          role="combobox"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && options[current] ? `${id}-${current}` : undefined}
          placeholder={placeholder ?? label}
          value={query}
          // biome-ignore lint/a11y/noAutofocus: only in dialogs and panels opened for searching
          autoFocus={props.autoFocus}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        />
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className={styles.list}
        hidden={!isOpen || options.length === 0}
        tabIndex={-1}
      >
        {isOpen &&
          options.map((option, place) => (
            <Row
              key={option.key}
              option={option}
              id={`${id}-${place}`}
              at={place}
              isCurrent={place === current}
              isFirst={option.group !== undefined && option.group !== options[place - 1]?.group}
              onHover={() => setAt(place)}
              onChoose={() => choose(option)}
            />
          ))}
      </div>
      {isOpen && options.length === 0 && empty && (
        <p className={styles.empty} role="status">
          {empty}
        </p>
      )}
      {isOpen && props.footer}
    </div>
  );
}

interface RowProps<T> {
  option: AutocompleteOption<T>;
  id: string;
  at: number;
  isCurrent: boolean;
  isFirst: boolean;
  onHover: () => void;
  onChoose: () => void;
}

function Row<T>({ option, id, at, isCurrent, isFirst, onHover, onChoose }: RowProps<T>) {
  return (
    <>
      {isFirst && (
        <div role="presentation" className={styles.group}>
          {option.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keyboard events */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isCurrent}
        className={styles.option}
        data-at={at}
        // Keep the focus in the field, so that the list does not close before the click.
        onMouseDown={(event) => event.preventDefault()}
        onMouseMove={isCurrent ? undefined : onHover}
        onClick={onChoose}
      >
        <span className={styles.icon}>{option.icon}</span>
        <span className={styles.title}>{option.title}</span>
        {option.hint && <span className={styles.hint}>{option.hint}</span>}
      </div>
    </>
  );
}
