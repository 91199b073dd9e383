/** The form field of a setting, based on its type. */
import type { ListedSetting } from '@/api/generated';
import { SelectField, TextField } from '@/ui/Field';

interface Props {
  setting: ListedSetting;
  problem: string | undefined;
}

export function SettingField({ setting, problem }: Props) {
  const label = <span className="unseen">{setting.name}</span>;
  if (setting.kind === 'flag' || setting.kind === 'choice') {
    const options =
      setting.kind === 'flag'
        ? FLAG
        : (setting.choices ?? []).map((word) => [word, CHOICE_NAMES[word] ?? word] as const);
    return (
      <SelectField label={label} name="value" defaultValue={String(setting.value)} problem={problem}>
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
    );
  }
  if (setting.kind === 'secret') {
    return (
      <TextField
        label={label}
        name="value"
        type="password"
        autoComplete="off"
        placeholder={
          setting.isSet ? 'Enter a new value to replace it' : 'Enter a value; it is never shown again'
        }
        problem={problem}
      />
    );
  }
  return (
    <TextField
      label={label}
      name="value"
      type={setting.kind === 'number' ? 'number' : 'text'}
      autoComplete="off"
      defaultValue={String(setting.value ?? '')}
      problem={problem}
    />
  );
}

/** The names of the choices of settings. */
export const CHOICE_NAMES: Readonly<Record<string, string>> = {
  admins: 'Administrators',
  everyone: 'All users',
  links: 'Links',
  off: 'No links',
  'links-and-embeds': 'Links, which other sites can embed',
};

const FLAG = [
  ['true', 'Yes'],
  ['false', 'No'],
] as const;

/**
 * Parses the input according to the type of the setting. Invalid numbers are sent as text, so that the server reports
 * the error.
 */
export function parsed(setting: ListedSetting, text: string): unknown {
  if (setting.kind === 'flag') return text === 'true';
  if (setting.kind !== 'number') return text;
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}
