/** Creates or edits a kind of the organization. */
import { useState } from 'react';
import { type ComponentKind, createKind, updateKind } from '@/api/generated';
import { draftOfKind, draftProblems, type KindDraft, requestOfDraft } from '@/core/model/kindDraft';
import { catalogueEntry } from '@/core/model/model';
import { invalidateDirectory, useCatalogue } from '@/data/queries';
import forms from '@/screens/directory/Forms.module.css';
import { Alert } from '@/ui/Alert';
import { Combobox } from '@/ui/Combobox';
import { SelectField, TextArea, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { InvalidInput } from '@/ui/formErrors';
import { useLogoItems } from '@/ui/TechnologyIcon';
import { TYPE_ICONS } from '@/ui/TypeIcon';
import { useSubmit } from '@/ui/useSubmit';
import { KindFieldsEditor } from './KindFieldsEditor';
import { KindPreview } from './KindPreview';
import styles from './Kinds.module.css';

const FIRST: KindDraft = {
  name: '',
  baseType: 'service',
  color: '#3B82F6',
  icon: 'server',
  logo: '',
  description: '',
  fields: [],
};

const INPUTS = ['name', 'baseType', 'color', 'icon', 'logo', 'description'];

export function KindDialog({ kind, onClose }: { kind: ComponentKind | undefined; onClose: () => void }) {
  const types = useCatalogue().data?.componentTypes ?? [];
  const logos = useLogoItems();
  const [draft, setDraft] = useState<KindDraft>(() => (kind ? draftOfKind(kind) : FIRST));
  const set = (part: Partial<KindDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { busy, problem, submit } = useSubmit(INPUTS, async () => {
    const problems = draftProblems(draft);
    if (problems.size > 0) throw new InvalidInput(problems);
    const body = requestOfDraft(draft);
    if (kind) await updateKind(kind.id, body);
    else await createKind(body);
    invalidateDirectory();
    onClose();
  });
  const setBaseType = (baseType: string) => {
    const before = catalogueEntry(types, draft.baseType);
    const next = catalogueEntry(types, baseType);
    // A look that was not chosen follows the base type.
    const isDefault = draft.color.toUpperCase() === before.color.toUpperCase() && draft.icon === before.icon;
    set(isDefault ? { baseType, color: next.color, icon: next.icon ?? draft.icon } : { baseType });
  };
  return (
    <FormDialog
      title={kind ? 'Edit kind' : 'New kind'}
      submitLabel={kind ? 'Save kind' : 'Create kind'}
      onSubmit={() => void submit()}
      onClose={onClose}
      busy={busy}
      wide
    >
      <div className={styles.stage}>
        <KindPreview {...draft} />
      </div>
      <div className={forms.columns}>
        <TextField
          label="Name"
          autoFocus
          placeholder="For example, Payment service"
          value={draft.name}
          problem={problem('name')}
          onChange={(event) => set({ name: event.target.value })}
        />
        <SelectField
          label="Based on"
          hint={
            kind && draft.baseType !== kind.baseType
              ? 'Existing components keep their type.'
              : 'Sets the shape on the map.'
          }
          value={draft.baseType}
          problem={problem('baseType')}
          onChange={(event) => setBaseType(event.target.value)}
        >
          {types.map((type) => (
            <option key={type.id} value={type.id}>
              {type.name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Color"
          type="color"
          value={draft.color.toLowerCase()}
          problem={problem('color')}
          onChange={(event) => set({ color: event.target.value })}
        />
        <Combobox
          label="Logo (optional)"
          placeholder="Shown instead of the icon"
          items={[{ id: '', name: '' }, ...logos]}
          value={draft.logo}
          problem={problem('logo')}
          onChange={(logo) => set({ logo })}
        />
      </div>
      <fieldset className={forms.icons}>
        <legend>Icon</legend>
        {Object.entries(TYPE_ICONS).map(([id, Icon]) => (
          <label key={id} title={id.replaceAll('-', ' ')} className={forms.iconChoice}>
            <input
              type="radio"
              name="icon"
              className="unseen"
              aria-label={id.replaceAll('-', ' ')}
              checked={draft.icon === id}
              onChange={() => set({ icon: id })}
            />
            <Icon size={18} aria-hidden />
          </label>
        ))}
      </fieldset>
      <TextArea
        label="Description"
        rows={2}
        placeholder="When to use this kind"
        value={draft.description}
        problem={problem('description')}
        onChange={(event) => set({ description: event.target.value })}
      />
      <KindFieldsEditor fields={draft.fields} problem={problem} onChange={(fields) => set({ fields })} />
      <Alert text={problem('icon') ?? problem()} />
    </FormDialog>
  );
}
