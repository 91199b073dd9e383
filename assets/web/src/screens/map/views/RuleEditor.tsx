/** Edits the rules of the open view. The map shows who is in before they are saved. */
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Selector, ViewDefinition } from '@/core/sync/viewRows';
import { formatCount } from '@/core/text';
import { CONDITIONS, withoutEmptyRules } from '@/core/views/rules';
import { changeView } from '@/map/edits/views';
import { useViewAddress, viewAt } from '@/map/state/openView';
import { type HighlightKind, useView } from '@/map/state/view';
import { discardViewDraft, setViewDraft } from '@/map/state/viewDraft';
import { membersWith } from '@/map/state/viewMembers';
import { Button, IconButton } from '@/ui/Button';
import { useModel } from '@/workspace/model';
import { Sheet } from '../sheet/Sheet';
import styles from '../sheet/Sheet.module.css';
import { ChipList } from './ChipList';
import { RuleCard } from './RuleCard';
import { useRuleOptions } from './useRuleOptions';

/** Maximum number of rules. */
const MAX_RULES = 50;

export function RuleEditor({ onClose }: { onClose: () => void }) {
  const address = useViewAddress();
  // Another view has been opened.
  const [edited] = useState(address);
  useEffect(() => {
    if (address !== edited) onClose();
  }, [address, edited, onClose]);
  const view = edited === null ? undefined : viewAt(edited);
  if (edited === null || !view || address !== edited) return null;
  return <Editor address={edited} saved={view.definition} name={view.name} onClose={onClose} />;
}

interface EditorProps {
  address: string;
  saved: ViewDefinition;
  name: string;
  onClose: () => void;
}

function Editor({ address, saved, name, onClose }: EditorProps) {
  const [draft, setDraft] = useState(saved);
  const model = useModel();
  const options = useRuleOptions();
  useEffect(() => discardViewDraft, []);
  const change = (fields: Partial<ViewDefinition>) => {
    const next = { ...draft, ...fields };
    setDraft(next);
    setViewDraft(address, withoutEmptyRules(next));
  };
  const resolve = useMemo(() => model && membersWith(model), [model]);
  const before = useMemo(() => resolve?.(saved) ?? new Set<string>(), [resolve, saved]);
  const now = useMemo(() => resolve?.(withoutEmptyRules(draft)) ?? new Set<string>(), [resolve, draft]);
  const added = [...now].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !now.has(id)).length;
  useHighlight(added);
  const save = () => {
    discardViewDraft();
    changeView(address, `Change rules of view “${name}”`, { definition: withoutEmptyRules(draft) });
    onClose();
  };
  const isFull = draft.include.length + draft.exclude.length >= MAX_RULES;
  const list = (key: 'include' | 'exclude') => ({
    rules: draft[key],
    countOf: (rule: Selector) =>
      resolve?.({ ...draft, include: withoutEmptyRules({ ...draft, include: [rule] }).include, exclude: [] })
        .size ?? 0,
    options,
    isFull,
    onChange: (rules: readonly Selector[]) => change({ [key]: rules }),
  });
  return (
    <Sheet
      label={`Rules of ${name}`}
      title={`Rules of “${name}”`}
      closeLabel="Close without saving (Esc)"
      unsaved={
        draft === saved
          ? null
          : {
              question: 'Discard changes to the rules?',
              text: 'The view keeps the rules that were saved last.',
            }
      }
      onClose={onClose}
    >
      <p role="status" className={styles.total}>
        {formatCount(now.size, 'component')}
        {added.length > 0 && `, ${added.length} more than before`}
        {removed > 0 && `, ${removed} fewer`}
      </p>
      <Rules title="Include" hint="Without a rule, every component is in the view." {...list('include')} />
      <Rules
        title="Exclude"
        hint="Components that match one of these rules are left out."
        isExclude
        {...list('exclude')}
      />
      <div className={styles.section}>
        <h3>Relationships</h3>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.relationTypes === null}
            onChange={(event) => change({ relationTypes: event.target.checked ? null : [] })}
          />
          Draw relationships of every type
        </label>
        {draft.relationTypes !== null && (
          <ChipList
            label="Relationship types"
            values={draft.relationTypes}
            options={options.relationTypes}
            onChange={(relationTypes) => change({ relationTypes })}
          />
        )}
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.outside === 'stubs'}
            onChange={(event) => change({ outside: event.target.checked ? 'stubs' : 'hidden' })}
          />
          Show neighbors outside of the view faintly
        </label>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.impliedRelationships ?? false}
            onChange={(event) => change({ impliedRelationships: event.target.checked })}
          />
          Draw relationships of hidden parts on the component that contains them
        </label>
      </div>
      <footer className={styles.foot}>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="main" onClick={save}>
          Save rules
        </Button>
      </footer>
    </Sheet>
  );
}

/** Marks the components that the changed rules add. */
function useHighlight(added: readonly string[]): void {
  const key = added.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the content of the list
  useEffect(() => {
    const kind: HighlightKind = 'added';
    const components = new Map(added.map((id) => [id, kind]));
    useView.setState({
      highlight: added.length > 0 ? { components, relationships: new Map(), dimOthers: false } : null,
    });
    return () => useView.setState({ highlight: null });
  }, [key]);
}

interface RulesProps {
  title: string;
  hint: string;
  isExclude?: boolean;
  rules: readonly Selector[];
  countOf: (rule: Selector) => number;
  options: ReturnType<typeof useRuleOptions>;
  isFull: boolean;
  onChange: (rules: readonly Selector[]) => void;
}

function Rules({ title, hint, isExclude = false, rules, countOf, options, isFull, onChange }: RulesProps) {
  const what = title.toLowerCase();
  return (
    <div className={styles.section}>
      <h3>
        {title}
        <IconButton
          label={`Add rule to ${what}`}
          icon={<Plus size={15} aria-hidden />}
          className={styles.small}
          disabled={isFull}
          onClick={() => onChange([...rules, {}])}
        />
      </h3>
      {rules.length === 0 && <p className={styles.soft}>{hint}</p>}
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity
        <div key={index} className={styles.section}>
          {index > 0 && <span className={styles.or}>or</span>}
          <RuleCard
            rule={rule}
            label={`${title} rule ${index + 1}`}
            count={countOf(rule)}
            isExclude={isExclude}
            options={options}
            conditions={CONDITIONS}
            onChange={(next) => onChange(rules.with(index, next))}
            onRemove={() => onChange(rules.toSpliced(index, 1))}
          />
        </div>
      ))}
    </div>
  );
}
