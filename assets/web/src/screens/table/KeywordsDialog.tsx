/** Adds and removes tags or technologies of the selected components. */
import { useId, useMemo, useState } from 'react';
import { changeKeywords } from '@/core/model/edits';
import { type KeywordField, keywordCounts, keywordsProblem, parseKeywords } from '@/core/model/keywords';
import type { Rows } from '@/core/sync/rows';
import { formatCount, truncate } from '@/core/text';
import { useTagSuggestions, useTechnologySuggestions } from '@/screens/map/inspector/keywordSuggestions';
import { type Suggestions, useSuggestions } from '@/screens/map/inspector/useSuggestions';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import styles from './Table.module.css';
import { editTableWithToast } from './tableEdit';

interface Props {
  rows: Rows;
  ids: readonly string[];
  field: KeywordField;
  onClose: () => void;
}

/** Maximum number of values that can be removed from the list. */
const MAX_SHOWN = 200;

const NAMES = {
  tags: { title: 'tags', placeholder: 'For example: pci, personal data' },
  technology: { title: 'technology', placeholder: 'For example: Go, PostgreSQL' },
};

export function KeywordsDialog({ rows, ids, field, onClose }: Props) {
  const [text, setText] = useState('');
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string>();
  const { title, placeholder } = NAMES[field];
  const used = useMemo(
    () => keywordCounts(ids.map((id) => rows.component.get(id)?.[field])).slice(0, MAX_SHOWN),
    [ids, rows.component, field],
  );
  const tags = useTagSuggestions(rows);
  const technologies = useTechnologySuggestions(rows);
  const submit = () => {
    const added = parseKeywords(text);
    if (added.length === 0 && removed.size === 0) return setProblem('Enter or select at least one value.');
    const operations = changeKeywords(rows, ids, field, { added, removed });
    const wrong = keywordsProblem(text) ?? tooMany(operations, field);
    if (wrong) return setProblem(wrong);
    if (operations.length === 0) return setProblem('This changes none of the selected components.');
    const subject = `${title} of ${formatCount(operations.length, 'component')}`;
    editTableWithToast(`Change ${subject}`, `Changed ${subject}`, operations);
    onClose();
  };
  const toggle = (keyword: string) => {
    const next = new Set(removed);
    if (!next.delete(keyword)) next.add(keyword);
    setRemoved(next);
    setProblem(undefined);
  };
  return (
    <FormDialog
      title={`Change ${title} of ${formatCount(ids.length, 'component')}`}
      submitLabel={`Change ${title}`}
      onSubmit={submit}
      onClose={onClose}
    >
      <AddField
        text={text}
        placeholder={placeholder}
        problem={problem}
        suggestions={field === 'tags' ? tags : technologies}
        onText={(to) => {
          setText(to);
          setProblem(undefined);
        }}
      />
      {used.length > 0 && (
        <fieldset className={styles.removals}>
          <legend>Remove</legend>
          <div className={styles.removalList}>
            {used.map(([keyword, count]) => (
              <label key={keyword} className={styles.checked}>
                <input type="checkbox" checked={removed.has(keyword)} onChange={() => toggle(keyword)} />
                <span className={styles.long}>{truncate(keyword, 80)}</span>{' '}
                <span className={styles.number}>{count.toLocaleString('en')}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </FormDialog>
  );
}

interface AddFieldProps {
  text: string;
  placeholder: string;
  problem: string | undefined;
  suggestions: Suggestions;
  onText: (text: string) => void;
}

function AddField({ text, placeholder, problem, suggestions, onText }: AddFieldProps) {
  const id = useId();
  const suggested = useSuggestions({ id, text, type: onText, suggestions });
  return (
    <div className={styles.suggested}>
      <TextField
        label="Add"
        autoFocus
        autoComplete="off"
        placeholder={placeholder}
        problem={problem}
        value={text}
        {...suggested.input}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (!event.nativeEvent.isComposing) suggested.onKeyDown(event);
        }}
        onBlur={suggested.onBlur}
      />
      {suggested.list}
    </div>
  );
}

/** The problem if a component would get too many values. */
function tooMany(operations: ReturnType<typeof changeKeywords>, field: KeywordField): string | undefined {
  for (const operation of operations) {
    const values = 'fields' in operation ? operation.fields[field] : undefined;
    const problem = Array.isArray(values) ? keywordsProblem(values) : undefined;
    if (problem) return problem;
  }
  return undefined;
}
