/** The dialog that creates a view of what the map shows. */
import { useState } from 'react';
import { nameProblem } from '@/core/model/validation';
import type { Point } from '@/core/scene/geometry';
import type { ViewDefinition, ViewLayout } from '@/core/sync/viewRows';
import { formatCount } from '@/core/text';
import { createView } from '@/map/edits/views';
import { arrangedRows } from '@/map/state/viewContents';
import { membersWith } from '@/map/state/viewMembers';
import { goToView } from '@/map/state/viewNavigation';
import { TextField } from '@/ui/Field';
import { FormError } from '@/ui/Form';
import { FormDialog } from '@/ui/FormDialog';
import { RadioGroup } from '@/ui/RadioGroup';
import { useSubmit } from '@/ui/useSubmit';
import { useCanEdit, useModel } from '@/workspace/model';

interface Props {
  definition: ViewDefinition;
  name: string;
  source: string;
  onClose: () => void;
}

export function SaveView({ definition, name: suggested, source, onClose }: Props) {
  const canEdit = useCanEdit();
  const model = useModel();
  const [name, setName] = useState(suggested);
  const [isPersonal, setPersonal] = useState(!canEdit);
  const [layout, setLayout] = useState<ViewLayout>('shared');
  const [nameError, setNameError] = useState<string>();
  const members = model ? membersWith(model)(definition) : new Set<string>();
  const { busy, problem, submit } = useSubmit(['name'], async () => {
    const address = await createView({
      name,
      isPersonal,
      definition,
      layout,
      ...(layout === 'own' ? { positions: positionsOf(members) } : {}),
    });
    onClose();
    if (address !== undefined) goToView(address);
  });
  const save = () => {
    const invalid = nameProblem(name.trim());
    setNameError(invalid);
    if (!invalid) void submit();
  };
  return (
    <FormDialog title="Save as view" submitLabel="Save view" busy={busy} onSubmit={save} onClose={onClose}>
      <TextField
        label="Name"
        name="name"
        autoFocus
        value={name}
        autoComplete="off"
        maxLength={200}
        problem={nameError ?? problem('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <p>
        The view contains {source}: {formatCount(members.size, 'component')} now.
        {definition.include.some((selector) => !selector.ids) &&
          ' Components that match later appear by themselves.'}
      </p>
      <RadioGroup
        label="Who sees it"
        value={isPersonal ? 'personal' : 'shared'}
        onChange={(to) => setPersonal(to === 'personal')}
        options={[
          ...(canEdit
            ? [{ id: 'shared' as const, name: 'Everyone', hint: 'Everyone with access to the workspace' }]
            : []),
          { id: 'personal' as const, name: 'Only me', hint: 'In “My views”, for you only' },
        ]}
      />
      <RadioGroup
        label="Positions"
        value={layout}
        onChange={setLayout}
        options={[
          {
            id: 'shared',
            name: 'Of the map',
            hint: 'Moving a component here also moves it on the map.',
          },
          {
            id: 'own',
            name: 'Own positions',
            hint: 'Arrange this view without changing the map. Notes and frames are not shown.',
          },
        ]}
      />
      <FormError text={problem()} />
    </FormDialog>
  );
}

/** Where the components are now. */
function positionsOf(members: ReadonlySet<string>): Map<string, Point> {
  const component = arrangedRows()?.component;
  return new Map(
    [...members].flatMap((id) => {
      const row = component?.get(id);
      return row ? [[id, { x: row.x, y: row.y }] as const] : [];
    }),
  );
}
