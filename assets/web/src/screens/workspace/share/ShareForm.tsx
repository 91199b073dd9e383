/** The form of a share link. Of an existing link, everything can be changed but what it shares. */
import type { ReactNode } from 'react';
import {
  createShare,
  type NewShareLink,
  type ShareContent,
  type ShareLink,
  type SharePreview,
  type ShareTheme,
  type SharingRules,
  updateShare,
  type Workspace,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { MIN_PASSWORD_CHARS } from '@/core/limits';
import { defaultExpiry, expiryChoices, expiryIn, linesOf, patchOf } from '@/core/model/shareLinks';
import { formatCount } from '@/core/text';
import { formatDateTime } from '@/core/time/format';
import { queryClient, queryKeys } from '@/data/queries';
import { useOpenView } from '@/map/state/openView';
import { useView } from '@/map/state/view';
import { Button } from '@/ui/Button';
import { copyText } from '@/ui/copyText';
import { CheckField, FieldGroup, SelectField, TextArea, TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import forms from '../workspace.module.css';
import { TargetOptions } from './TargetOptions';

interface Props {
  workspace: Workspace;
  rules: SharingRules;
  /** The link to edit; absent for a new link. */
  share?: ShareLink | undefined;
  onClose: () => void;
}

const CONTENTS: readonly (readonly [ShareContent, string])[] = [
  ['descriptions', 'Descriptions of components'],
  ['processes', 'Processes'],
  ['notes', 'Notes and frames'],
];

const THEMES: readonly (readonly [ShareTheme, string])[] = [
  ['auto', 'As the reader’s browser prefers'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

const PREVIEWS: readonly (readonly [SharePreview, string])[] = [
  ['title', 'The name'],
  ['picture', 'The name and an image'],
  ['nothing', 'Nothing'],
];

const FIELDS = [
  'name',
  'target',
  'descriptions',
  'processes',
  'notes',
  'theme',
  'expiresAt',
  'password',
  'withoutPassword',
  'preview',
  'embedOrigins',
] as const;
type Fields = Record<(typeof FIELDS)[number], string>;

const NEVER = 'never';
const UNCHANGED = 'unchanged';

export function ShareForm({ workspace, rules, share, onClose }: Props) {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const selected = useView((state) => state.selectedComponents);
  const openView = useOpenView();
  const form = useForm(FIELDS, async (fields) => {
    const done = share ? await change(fields, share) : await create(fields);
    await queryClient.invalidateQueries({ queryKey: queryKeys.shares(orgId, workspace.id) });
    showToast(done);
    onClose();
  });
  const create = async (fields: Fields) => {
    const { share: created } = await createShare(workspace.id, {
      ...optionsOf(fields),
      ...targetOf(fields.target, selected),
      expiresAt: expiryOf(fields.expiresAt),
      ...(fields.password ? { password: fields.password } : {}),
    });
    return (await copyText(created.url)) ? 'Link created and copied' : 'Link created';
  };
  const change = async (fields: Fields, before: ShareLink) => {
    const password = fields.withoutPassword ? null : fields.password || undefined;
    const expiresAt = fields.expiresAt === UNCHANGED ? undefined : expiryOf(fields.expiresAt);
    await updateShare(
      workspace.id,
      before.id,
      patchOf(before, { ...optionsOf(fields), password, expiresAt }),
    );
    return 'Link updated';
  };
  const shows = share?.shows ?? ['descriptions'];
  const mayEmbed = rules.mode === 'links-and-embeds' || (share?.embedOrigins.length ?? 0) > 0;
  return (
    <Form form={form}>
      <TextField
        label="Name"
        name="name"
        required
        autoComplete="off"
        defaultValue={share?.name}
        hint="For you and the other owners, for example where you use the link."
      />
      {!share && (
        <SelectField
          label="What to share"
          name="target"
          defaultValue={openView && !openView.isPersonal ? `view:${openView.view.id}` : 'map'}
          hint={openView?.isPersonal ? 'Personal views cannot be shared.' : undefined}
        >
          <TargetOptions selectedCount={selected.size} />
        </SelectField>
      )}
      <FieldGroup label="Show also">
        {CONTENTS.map(([content, label]) => (
          <CheckField key={content} name={content} label={label} defaultChecked={shows.includes(content)} />
        ))}
      </FieldGroup>
      <SelectField label="Colors" name="theme" defaultValue={share?.theme ?? 'auto'}>
        {optionsFrom(THEMES)}
      </SelectField>
      <SelectField
        label="Expires"
        name="expiresAt"
        defaultValue={share ? UNCHANGED : String(defaultExpiry(rules))}
      >
        {share && <option value={UNCHANGED}>{expiryText(share)}</option>}
        {expiryChoices(rules).map((days) => (
          <option key={days ?? NEVER} value={days ?? NEVER}>
            {days === null ? 'Never' : `In ${formatCount(days, 'day')}`}
          </option>
        ))}
      </SelectField>
      <TextField
        label={passwordLabel(share, rules)}
        name="password"
        type="password"
        required={rules.passwordRequired && !share?.hasPassword}
        minLength={MIN_PASSWORD_CHARS}
        autoComplete="new-password"
        hint="Readers enter it to see the map. Links with a password have no preview, image address or embed code."
      />
      {share?.hasPassword && !rules.passwordRequired && (
        <CheckField name="withoutPassword" label="Remove the password" />
      )}
      <SelectField
        label="What other sites show of the link"
        name="preview"
        defaultValue={share?.preview ?? 'title'}
        hint="Chats and wikis fetch it when the link is pasted, and keep it."
      >
        {optionsFrom(PREVIEWS)}
      </SelectField>
      {mayEmbed && (
        <TextArea
          label="Sites that may embed the map (optional)"
          name="embedOrigins"
          rows={2}
          defaultValue={share?.embedOrigins.join('\n')}
          hint="One address per line, for example https://wiki.example.org or https://*.example.org."
        />
      )}
      <FormError text={form.problem()} />
      <div className={forms.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton form={form}>{share ? 'Save link' : 'Create share link'}</SubmitButton>
      </div>
    </Form>
  );
}

function optionsFrom(choices: readonly (readonly [string, string])[]): ReactNode {
  return choices.map(([id, name]) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}

/** The fields that new and existing links have in common. */
function optionsOf(fields: Fields) {
  return {
    name: fields.name.trim(),
    shows: CONTENTS.map(([content]) => content).filter((content) => fields[content] === 'on'),
    theme: fields.theme as ShareTheme,
    preview: fields.preview as SharePreview,
    embedOrigins: linesOf(fields.embedOrigins),
  };
}

function expiryOf(choice: string): number | null {
  return expiryIn(choice === NEVER ? null : Number(choice), Date.now());
}

function expiryText({ expiresAt, state }: ShareLink): string {
  if (expiresAt === null) return 'Never (unchanged)';
  return `${state === 'expired' ? 'Expired ' : ''}${formatDateTime(expiresAt)} (unchanged)`;
}

function passwordLabel(share: ShareLink | undefined, rules: SharingRules): string {
  if (share?.hasPassword) return 'New password (optional)';
  return rules.passwordRequired ? 'Password' : 'Password (optional)';
}

/** The target that a value of the selection names. */
function targetOf(value: string, selected: ReadonlySet<string>): Partial<NewShareLink> {
  const [kind, id] = [value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1)];
  if (kind === 'view') return { scope: 'view', viewId: id };
  if (kind === 'process') return { scope: 'process', processId: id };
  return value === 'selection' ? { scope: 'part', componentIds: [...selected] } : { scope: 'map' };
}
