/** The form that creates a share link. */
import { useState } from 'react';
import {
  createShare,
  type NewShareLink,
  type ShareContent,
  type SharePreview,
  type SharingRules,
  type Workspace,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { defaultExpiry, expiryChoices, expiryIn, linesOf } from '@/core/model/shareLinks';
import { formatCount } from '@/core/text';
import { queryClient, queryKeys } from '@/data/queries';
import { useOpenView } from '@/map/state/openView';
import { useView } from '@/map/state/view';
import { Button } from '@/ui/Button';
import { copyText } from '@/ui/copyText';
import { SelectField, TextArea, TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { useWorkspace } from '@/workspace/store';
import forms from '../workspace.module.css';
import styles from './Share.module.css';

interface Props {
  workspace: Workspace;
  rules: SharingRules;
  onClose: () => void;
}

const CONTENTS: readonly (readonly [ShareContent, string])[] = [
  ['descriptions', 'Descriptions of components'],
  ['processes', 'Processes'],
  ['notes', 'Notes and frames'],
];

const PREVIEWS: readonly (readonly [SharePreview, string])[] = [
  ['title', 'The name'],
  ['picture', 'The name and an image'],
  ['nothing', 'Nothing'],
];

const FIELDS = ['name', 'target', 'expiresAt', 'password', 'preview', 'embedOrigins'] as const;
const NEVER = 'never';

export function NewShare({ workspace, rules, onClose }: Props) {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const selected = useView((state) => state.selectedComponents);
  const [shows, setShows] = useState<readonly ShareContent[]>(['descriptions']);
  const openView = useOpenView();
  const form = useForm(FIELDS, async (fields) => {
    const days = fields.expiresAt === NEVER ? null : Number(fields.expiresAt);
    const { share } = await createShare(workspace.id, {
      name: fields.name.trim(),
      ...targetOf(fields.target, selected),
      shows: [...shows],
      preview: fields.preview as SharePreview,
      expiresAt: expiryIn(days, Date.now()),
      ...(fields.password ? { password: fields.password } : {}),
      embedOrigins: linesOf(fields.embedOrigins),
    });
    await queryClient.invalidateQueries({ queryKey: queryKeys.shares(orgId, workspace.id) });
    showToast((await copyText(share.url)) ? 'Link created and copied' : 'Link created');
    onClose();
  });
  const toggle = (content: ShareContent) =>
    setShows(shows.includes(content) ? shows.filter((one) => one !== content) : [...shows, content]);
  return (
    <Form form={form}>
      <TextField
        label="Name"
        name="name"
        required
        autoComplete="off"
        hint="For you and the other owners, for example where you use the link."
        problem={form.problem('name')}
      />
      <SelectField
        label="What to share"
        name="target"
        defaultValue={openView && !openView.isPersonal ? `view:${openView.view.id}` : 'map'}
        hint={openView?.isPersonal ? 'Personal views cannot be shared.' : undefined}
        problem={form.problem('target')}
      >
        <TargetOptions selectedCount={selected.size} />
      </SelectField>
      <fieldset className={styles.choices}>
        <legend>Show also</legend>
        {CONTENTS.map(([content, label]) => (
          <label key={content} className={styles.choice}>
            <input type="checkbox" checked={shows.includes(content)} onChange={() => toggle(content)} />
            {label}
          </label>
        ))}
      </fieldset>
      <SelectField
        label="Expires"
        name="expiresAt"
        defaultValue={String(defaultExpiry(rules))}
        problem={form.problem('expiresAt')}
      >
        {expiryChoices(rules).map((days) => (
          <option key={days ?? NEVER} value={days ?? NEVER}>
            {days === null ? 'Never' : `In ${formatCount(days, 'day')}`}
          </option>
        ))}
      </SelectField>
      <TextField
        label={rules.passwordRequired ? 'Password' : 'Password (optional)'}
        name="password"
        type="password"
        required={rules.passwordRequired}
        minLength={8}
        autoComplete="new-password"
        hint="Readers enter it to see the map. Links with a password have no preview, image address or embed code."
        problem={form.problem('password')}
      />
      <SelectField
        label="What other sites show of the link"
        name="preview"
        defaultValue="title"
        hint="Chats and wikis fetch it when the link is pasted, and keep it."
        problem={form.problem('preview')}
      >
        {PREVIEWS.map(([preview, name]) => (
          <option key={preview} value={preview}>
            {name}
          </option>
        ))}
      </SelectField>
      {rules.mode === 'links-and-embeds' && (
        <TextArea
          label="Sites that may embed the map (optional)"
          name="embedOrigins"
          rows={2}
          hint="One address per line, for example https://wiki.example.org or https://*.example.org."
          problem={form.problem('embedOrigins')}
        />
      )}
      <FormError text={form.problem()} />
      <div className={forms.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton form={form}>Create share link</SubmitButton>
      </div>
    </Form>
  );
}

function TargetOptions({ selectedCount }: { selectedCount: number }) {
  const views = useWorkspace((state) => state.rows?.view);
  const processes = useWorkspace((state) => state.rows?.process);
  return (
    <>
      <option value="map">The whole map</option>
      {selectedCount > 0 && (
        <option value="selection">Selected components ({formatCount(selectedCount, 'component')})</option>
      )}
      {views && views.size > 0 && (
        <optgroup label="Views">
          {[...views.values()].map(({ id, name }) => (
            <option key={id} value={`view:${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      {processes && processes.size > 0 && (
        <optgroup label="Processes">
          {[...processes.values()].map(({ id, name }) => (
            <option key={id} value={`process:${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
}

/** The target that a value of the selection names. */
function targetOf(value: string, selected: ReadonlySet<string>): Partial<NewShareLink> {
  const [kind, id] = [value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1)];
  if (kind === 'view') return { scope: 'view', viewId: id };
  if (kind === 'process') return { scope: 'process', processId: id };
  return value === 'selection' ? { scope: 'part', componentIds: [...selected] } : { scope: 'map' };
}
