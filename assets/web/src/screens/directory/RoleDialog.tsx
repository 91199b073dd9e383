/** Creates or edits a role. */
import { useState } from 'react';
import { createRole, type Role, updateRole } from '@/api/generated';
import { invalidateDirectory } from '@/data/queries';
import { Alert } from '@/ui/Alert';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { ROLE_ICONS } from '@/ui/RoleIcon';
import { useSubmit } from '@/ui/useSubmit';
import forms from './Forms.module.css';

const FIRST_COLOR = '#0891B2';

export function RoleDialog({ role, onClose }: { role: Role | undefined; onClose: () => void }) {
  const [name, setName] = useState(role?.name ?? '');
  const [color, setColor] = useState(role?.color ?? FIRST_COLOR);
  const [iconName, setIconName] = useState(role?.iconName ?? 'user');
  const { busy, problem, submit } = useSubmit(['name', 'color', 'iconName'], async () => {
    if (role) {
      const changed = {
        ...(name !== role.name ? { name } : {}),
        ...(color.toUpperCase() !== role.color.toUpperCase() ? { color } : {}),
        ...(iconName !== role.iconName ? { iconName, icon: iconName } : {}),
      };
      if (Object.keys(changed).length > 0) await updateRole(role.id, changed);
    } else await createRole({ name, color, iconName, icon: iconName });
    invalidateDirectory();
    onClose();
  });
  return (
    <FormDialog
      title={role ? 'Edit role' : 'New role'}
      submitLabel={role ? 'Save role' : 'Add role'}
      onSubmit={submit}
      onClose={onClose}
      busy={busy}
    >
      <TextField
        label="Name"
        autoFocus
        value={name}
        problem={problem('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Color"
        type="color"
        value={color.toLowerCase()}
        problem={problem('color')}
        onChange={(event) => setColor(event.target.value)}
      />
      <fieldset className={forms.icons}>
        <legend>Icon</legend>
        {Object.entries(ROLE_ICONS).map(([id, Icon]) => (
          <label key={id} title={id} className={forms.iconChoice}>
            <input
              type="radio"
              name="icon"
              className="unseen"
              aria-label={id.replaceAll('-', ' ')}
              checked={iconName === id}
              onChange={() => setIconName(id)}
            />
            <Icon size={18} aria-hidden />
          </label>
        ))}
      </fieldset>
      <Alert text={problem('iconName') ?? problem()} />
    </FormDialog>
  );
}
