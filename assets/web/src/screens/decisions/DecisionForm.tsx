/** The form of a new or existing decision, with a preview of its text. */
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { DecisionStatus } from '@/api/generated';
import { byNumber, parseNames, STATUS_NAMES, STATUSES, today } from '@/core/decisions/decisions';
import { MAX_DECISION_BYTES } from '@/core/limits';
import { nameProblem } from '@/core/model/validation';
import type { DecisionRow } from '@/core/sync/rows';
import { createDecision, type DecisionFields, saveDecision } from '@/map/edits/decisions';
import { ComponentSelect } from '@/screens/processes/ComponentSelect';
import { Button } from '@/ui/Button';
import { SelectField, TextArea, TextField } from '@/ui/Field';
import { FormNote } from '@/ui/Form';
import { Select } from '@/ui/Select';
import { useKeptInput } from '@/workspace/keptInput';
import { useWorkspace } from '@/workspace/store';
import styles from './Decisions.module.css';
import { DecisionText } from './DecisionText';

/** The ID of the kept input of a decision. Default: that of a new one. */
export function decisionInputId(decisionId?: string): string {
  return decisionId === undefined ? 'decision' : `decision/${decisionId}`;
}

/** The unsaved input. */
interface Input {
  fields: DecisionFields;
  /** The names as typed. */
  authors: string;
  /** The initial values of the form: other users can change the decision in the meantime. */
  since: { fields: DecisionFields; revision: number };
}

interface Props {
  /** The decision to edit. Default: a new one. */
  open?: { row: DecisionRow; body: string };
  /** Called with the ID of a decision that was created. */
  onClose: (id?: string) => void;
}

/** The text of a new decision: the sections of a short MADR. */
const STARTING_TEXT = `## Context and problem statement



## Considered options

- 

## Decision outcome



### Consequences

- `;

function fieldsOf({ title, status, date, authors, componentIds, supersedes }: DecisionRow, body: string) {
  return { title, status, date, authors, componentIds, supersedes, body };
}

function newFields(): DecisionFields {
  return {
    title: '',
    status: 'proposed',
    date: today(),
    authors: [],
    componentIds: [],
    supersedes: [],
    body: STARTING_TEXT,
  };
}

function startingInput(open: Props['open']): Input {
  const fields = open ? fieldsOf(open.row, open.body) : newFields();
  return { fields, authors: fields.authors.join(', '), since: { fields, revision: open?.row.revision ?? 0 } };
}

export function DecisionForm({ open, onClose }: Props) {
  const input = useKeptInput<Input>(decisionInputId(open?.row.id), () => startingInput(open));
  const { fields, authors, since } = input.value;
  const [problem, setProblem] = useState<string>();
  const [isPreview, setPreview] = useState(false);
  const set = (changes: Partial<DecisionFields>) =>
    input.set({ ...input.value, fields: { ...fields, ...changes } });
  const bytes = new TextEncoder().encode(fields.body).length;
  const bodyProblem =
    bytes > MAX_DECISION_BYTES
      ? `At most ${MAX_DECISION_BYTES.toLocaleString('en')} bytes; ${bytes.toLocaleString('en')} typed.`
      : undefined;
  const close = (id?: string) => {
    input.clear();
    onClose(id);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = nameProblem(fields.title);
    setProblem(wrong);
    if (wrong || bodyProblem) return;
    const written = { ...fields, title: fields.title.trim(), authors: parseNames(authors) };
    if (open) saveDecision(open.row.id, since.fields, written, since.revision);
    close(open ? undefined : createDecision(written));
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <h2 className={styles.title}>{open ? `Edit ADR ${open.row.number}` : 'New decision'}</h2>
      {input.isRestored && (
        <FormNote>
          <p>Your input from before is not saved yet. “Cancel” discards it.</p>
        </FormNote>
      )}
      <TextField
        label="Title"
        placeholder="For example, Use PostgreSQL for orders"
        value={fields.title}
        problem={problem}
        autoFocus
        onChange={(event) => set({ title: event.target.value })}
      />
      <div className={styles.pair}>
        <SelectField
          label="Status"
          value={fields.status}
          onChange={(event) => set({ status: event.target.value as DecisionStatus })}
        >
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {STATUS_NAMES[one]}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Date"
          type="date"
          value={fields.date}
          onChange={(event) => event.target.value && set({ date: event.target.value })}
        />
      </div>
      <TextField
        label="Decided by"
        hint="Names, separated by commas"
        value={authors}
        onChange={(event) => input.set({ ...input.value, authors: event.target.value })}
      />
      <Concerned ids={fields.componentIds} onChange={(componentIds) => set({ componentIds })} />
      <Superseded own={open?.row.id} ids={fields.supersedes} onChange={(supersedes) => set({ supersedes })} />
      <fieldset className={styles.modes} aria-label="Text">
        <Button kind="quiet" aria-pressed={!isPreview} onClick={() => setPreview(false)}>
          Write
        </Button>
        <Button kind="quiet" aria-pressed={isPreview} onClick={() => setPreview(true)}>
          Preview
        </Button>
      </fieldset>
      {isPreview ? (
        <section className={styles.preview} aria-label="Preview">
          <DecisionText text={fields.body} />
        </section>
      ) : (
        <TextArea
          label="Text"
          hint="Markdown. #id links a component."
          rows={18}
          value={fields.body}
          problem={bodyProblem}
          onChange={(event) => set({ body: event.target.value })}
        />
      )}
      <div className={styles.buttons}>
        <Button onClick={() => close()}>Cancel</Button>
        <Button kind="main" type="submit">
          {open ? 'Save decision' : 'Create decision'}
        </Button>
      </div>
    </form>
  );
}

interface ListProps {
  ids: readonly string[];
  onChange: (ids: string[]) => void;
}

function Concerned({ ids, onChange }: ListProps) {
  const components = useWorkspace((state) => state.rows?.component);
  return (
    <fieldset className={styles.group}>
      <legend>Components</legend>
      <Chips ids={ids} nameOf={(one) => components?.get(one)?.name} onChange={onChange} />
      <ComponentSelect
        key={ids.length}
        label="Add component"
        value={null}
        onChange={(added) => added && !ids.includes(added) && onChange([...ids, added])}
      />
    </fieldset>
  );
}

function Superseded({ own, ids, onChange }: ListProps & { own: string | undefined }) {
  const decisions = useWorkspace((state) => state.rows?.decision);
  const others = byNumber(decisions?.values() ?? []).filter(({ id }) => id !== own && !ids.includes(id));
  if (others.length === 0 && ids.length === 0) return null;
  const nameOf = (id: string) => {
    const row = decisions?.get(id);
    return row && `ADR ${row.number}: ${row.title}`;
  };
  return (
    <fieldset className={styles.group}>
      <legend>Supersedes</legend>
      <Chips ids={ids} nameOf={nameOf} onChange={onChange} />
      <Select
        aria-label="Add superseded decision"
        value=""
        onChange={(event) => event.target.value && onChange([...ids, event.target.value])}
      >
        <option value="">Select decision</option>
        {others.map(({ id }) => (
          <option key={id} value={id}>
            {nameOf(id)}
          </option>
        ))}
      </Select>
    </fieldset>
  );
}

function Chips({ ids, nameOf, onChange }: ListProps & { nameOf: (id: string) => string | undefined }) {
  const known = ids.filter((id) => nameOf(id) !== undefined);
  if (known.length === 0) return null;
  return (
    <ul className={styles.chips}>
      {known.map((id) => (
        <li key={id}>
          {nameOf(id)}
          <button
            type="button"
            aria-label={`Remove ${nameOf(id)}`}
            onClick={() => onChange(ids.filter((other) => other !== id))}
          >
            <X size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
