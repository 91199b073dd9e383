/** Adds a component. */

import { useState } from 'react';
import type { Catalogue } from '@/api/generated';
import { freeId } from '@/core/ids';
import {
  CUSTOM_TYPE_PROPERTY,
  type CustomType,
  customTypeValue,
  customTypeWithKey,
} from '@/core/model/customTypes';
import type { Rows } from '@/core/sync/rows';
import { nameFields } from '@/core/table/columns';
import { createComponentOperation } from '@/core/table/edits';
import { truncate } from '@/core/text';
import { SelectField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { TypeOptions } from '@/ui/TypeOptions';
import { editTable } from './tableEdit';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  types: readonly CustomType[];
  onClose: () => void;
  onAdded: (id: string) => void;
}

export function AddComponentDialog({ rows, catalogue, types, onClose, onAdded }: Props) {
  const [name, setName] = useState('');
  const [typeKey, setTypeKey] = useState(
    catalogue.componentTypes.some(({ id }) => id === 'service') ? 'service' : catalogue.componentTypes[0]?.id,
  );
  const [lifecycle, setLifecycle] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = () => {
    const fields = nameFields(name);
    if (typeof fields === 'string') return setProblem(fields);
    const id = freeId(name, (candidate) => rows.component.has(candidate));
    const custom = customTypeWithKey(types, typeKey ?? '');
    const properties = {
      ...(custom ? { [CUSTOM_TYPE_PROPERTY]: customTypeValue(custom) } : {}),
      ...(lifecycle ? { lifecycle } : {}),
    };
    editTable(`Add ${truncate(name, 60)}`, [
      createComponentOperation(rows, id, { ...fields, typeId: custom?.typeId ?? typeKey, properties }),
    ]);
    onAdded(id);
    onClose();
  };
  return (
    <FormDialog title="Add component" submitLabel="Add component" onSubmit={add} onClose={onClose}>
      <TextField
        label="Name"
        autoFocus
        value={name}
        problem={problem}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(undefined);
        }}
      />
      <SelectField label="Type" value={typeKey} onChange={(event) => setTypeKey(event.target.value)}>
        <TypeOptions types={types} catalogue={catalogue.componentTypes} />
      </SelectField>
      <SelectField label="Lifecycle" value={lifecycle} onChange={(event) => setLifecycle(event.target.value)}>
        <option value="">Not set</option>
        {catalogue.lifecycleStates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
