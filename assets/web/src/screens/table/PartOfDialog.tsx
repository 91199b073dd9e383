/** Asks for the group that the selected components become parts of. */
import { useState } from 'react';
import type { Catalogue } from '@/api/generated';
import { MIXED_PARENTS, parentItems, sharedParent } from '@/core/model/parents';
import type { Rows } from '@/core/sync/rows';
import { formatCount } from '@/core/text';
import { setPartOf } from '@/map/edits/groups';
import { Combobox } from '@/ui/Combobox';
import { FormDialog } from '@/ui/FormDialog';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  ids: readonly string[];
  onClose: () => void;
}

export function PartOfDialog({ rows, catalogue, ids, onClose }: Props) {
  const [parent, setParent] = useState(() => sharedParent(rows, ids));
  const [items] = useState(() => parentItems(rows, catalogue, ids));
  const [problem, setProblem] = useState<string>();
  const set = () => {
    if (parent === undefined) return setProblem('Choose a group, or None.');
    setPartOf(ids, parent || null);
    onClose();
  };
  return (
    <FormDialog
      title={`Set group of ${formatCount(ids.length, 'component')}`}
      submitLabel={parent === '' ? 'Remove from group' : 'Set group'}
      onSubmit={set}
      onClose={onClose}
    >
      <Combobox
        label="Part of"
        items={items}
        value={parent ?? MIXED_PARENTS}
        placeholder="Mixed"
        problem={problem}
        onChange={setParent}
      />
    </FormDialog>
  );
}
