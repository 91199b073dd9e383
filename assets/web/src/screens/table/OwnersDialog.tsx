/** Replaces, adds or removes an owner of the selected components. */
import { useState } from 'react';
import { addStakeholder, removeOwner, setOwners } from '@/core/model/edits';
import { type Holder, type Model, OWNER, ownersOf } from '@/core/model/model';
import type { Operation } from '@/core/sync/operation';
import { formatCount } from '@/core/text';
import { Combobox } from '@/ui/Combobox';
import { FormDialog } from '@/ui/FormDialog';
import { RadioGroup } from '@/ui/RadioGroup';
import { currentModel } from '@/workspace/model';
import { useHolders } from '@/workspace/useHolders';
import { editTableWithToast } from './tableEdit';

type Change = 'replace' | 'add' | 'remove';

interface Props {
  ids: readonly string[];
  onClose: () => void;
}

const LABELS: Record<Change, string> = {
  replace: 'Replace owners',
  add: 'Add owner',
  remove: 'Remove owner',
};

export function OwnersDialog({ ids, onClose }: Props) {
  const [change, setChange] = useState<Change>('replace');
  const [chosen, setChosen] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const holders = useHolders();
  const choices = change === 'remove' ? currentOwners(ids) : holders;
  const choose = (id: string | undefined) => {
    setChosen(id);
    setProblem(undefined);
  };
  const submit = () => {
    const model = currentModel();
    const holder = choices.find((one) => keyOf(one) === chosen);
    if (!model || chosen === undefined || (chosen !== '' && !holder))
      return setProblem('Choose a person or team.');
    const operations = operationsOf(model, ids, change, holder);
    if (operations.length === 0) return setProblem('This changes none of the selected components.');
    const count = new Set(operations.map((operation) => componentOf(model, operation))).size;
    const text = `owners of ${formatCount(count, 'component')}`;
    editTableWithToast(`Change ${text}`, `Changed ${text}`, operations);
    onClose();
  };
  return (
    <FormDialog
      title={`Change owners of ${formatCount(ids.length, 'component')}`}
      submitLabel={chosen === '' ? 'Remove all owners' : LABELS[change]}
      onSubmit={submit}
      onClose={onClose}
    >
      <RadioGroup
        label="Change"
        options={[
          { id: 'replace', name: 'Replace all owners' },
          { id: 'add', name: 'Add an owner', hint: 'Existing owners are kept.' },
          { id: 'remove', name: 'Remove an owner' },
        ]}
        value={change}
        onChange={(to) => {
          setChange(to);
          choose(undefined);
        }}
      />
      <Combobox
        key={change}
        label="Owner"
        items={[
          ...(change === 'replace' ? [{ id: '', name: 'No owner' }] : []),
          ...choices.map((holder) => ({
            id: keyOf(holder),
            name: holder.name,
            hint: holder.kind === 'team' ? 'Team' : 'Person',
          })),
        ]}
        value={chosen ?? NONE}
        placeholder={choices.length === 0 ? 'No people or teams' : 'Choose a person or team'}
        problem={problem}
        onChange={choose}
      />
    </FormDialog>
  );
}

/** The value of a field without a choice. Not the key of a person or team. */
const NONE = '\u0000none';

function keyOf({ kind, id }: Holder): string {
  return `${kind}:${id}`;
}

function operationsOf(
  model: Model,
  ids: readonly string[],
  change: Change,
  holder: Holder | undefined,
): Operation[] {
  if (!holder) return setOwners(model, ids, []);
  if (change === 'replace') return setOwners(model, ids, [holder]);
  return change === 'add' ? addStakeholder(model, ids, holder, OWNER) : removeOwner(model, ids, holder);
}

function componentOf(model: Model, operation: Operation): string {
  if ('fields' in operation && typeof operation.fields.componentId === 'string')
    return operation.fields.componentId;
  return model.rows.stakeholder.get('id' in operation ? operation.id : '')?.componentId ?? '';
}

/** All owners of the components. */
function currentOwners(ids: readonly string[]): Holder[] {
  const model = currentModel();
  if (!model) return [];
  const owners = new Map(
    ids.flatMap((id) => ownersOf(model, id).map((holder) => [keyOf(holder), holder] as const)),
  );
  return [...owners.values()].sort((one, other) => one.name.localeCompare(other.name));
}
