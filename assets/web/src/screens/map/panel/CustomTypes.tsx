/** Custom types: names, colors and icons for catalog types, stored in this browser. They can be exported to a file. */

import { Download, Plus, Share2, Upload, X } from 'lucide-react';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { createKind } from '@/api/generated';
import { type CustomType, mergeCustomTypes, parseCustomTypes } from '@/core/model/customTypes';
import { lookOf } from '@/core/model/kindDraft';
import { catalogueEntry, type Model } from '@/core/model/model';
import { nameProblem } from '@/core/model/validation';
import { formatCount } from '@/core/text';
import { invalidateDirectory } from '@/data/queries';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { useIsAdmin } from '@/screens/directory/useDirectory';
import { Button, IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { showError, showToast } from '@/ui/Toasts';
import { TYPE_ICONS, TypeIcon } from '@/ui/TypeIcon';
import { saveCustomTypes, useCustomTypes } from '@/workspace/types';
import styles from './SidePanel.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  model: Model;
}

export function CustomTypes({ open, onClose, model }: Props) {
  const types = useCustomTypes((state) => state.types);
  const slug = useOrgSlug();
  const isAdmin = useIsAdmin();
  const file = useRef<HTMLInputElement>(null);
  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    if (!chosen) return;
    try {
      const taken = parseCustomTypes(await chosen.text());
      saveCustomTypes(mergeCustomTypes(types, taken));
      showToast(`Imported ${formatCount(taken.length, 'custom type')}`);
    } catch (error) {
      showError(error);
    }
    target.value = '';
  };
  const footer = (
    <>
      <Button icon={<Upload size={16} aria-hidden />} onClick={() => file.current?.click()}>
        Import
      </Button>
      <Button
        icon={<Download size={16} aria-hidden />}
        disabled={types.length === 0}
        onClick={() => download(types)}
      >
        Export
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={onClose} title="Custom types" footer={footer}>
      <p>
        Custom names, colors and icons for built-in types, stored in this browser. A custom type applies to
        components whose <code>kind</code> property matches its name. Colleagues see them if you export the
        types, or if an administrator shares them as{' '}
        <Link href={orgPath(slug, 'settings', 'kinds')}>kinds of the organization</Link>.
      </p>
      <ul className={styles.plain} aria-label="Custom types">
        {types.map((type) => (
          <li key={type.name} className={styles.line}>
            <TypeIcon icon={type.icon} color={type.color} />
            <span className={styles.label}>
              {type.name}, based on {catalogueEntry(model.catalogue.componentTypes, type.typeId).name}
              {!model.customTypes.includes(type) && (
                <span className={styles.hint}>
                  {' '}
                  The organization has a kind with this name, which is used.
                </span>
              )}
            </span>
            {isAdmin && model.customTypes.includes(type) && (
              <IconButton
                label={`Share ${type.name} with the organization`}
                icon={<Share2 size={16} aria-hidden />}
                onClick={() => void share(type, types, model)}
              />
            )}
            <IconButton
              label={`Remove type ${type.name}`}
              icon={<X size={16} aria-hidden />}
              onClick={() => {
                saveCustomTypes(types.filter((other) => other !== type));
                showToast(`Removed type ${type.name}`, {
                  label: 'Undo',
                  run: () => saveCustomTypes(types),
                });
              }}
            />
          </li>
        ))}
      </ul>
      <AddType model={model} types={types} />
      <input
        ref={file}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={(event) => void take(event)}
      />
    </Dialog>
  );
}

/** Makes a type a kind of the organization. Components of the type keep their look, because they refer to its name. */
async function share(type: CustomType, types: readonly CustomType[], model: Model): Promise<void> {
  const { name, typeId, color, icon } = type;
  const { componentTypes } = model.catalogue;
  try {
    const baseType = componentTypes.find(({ id }) => id === typeId)?.id;
    if (!baseType) throw new Error(`The type “${typeId}” is not built in, so this type cannot be shared.`);
    const look = lookOf(baseType, icon);
    await createKind({ name, color, ...look, icon: Object.hasOwn(TYPE_ICONS, icon) ? look.icon : null });
    invalidateDirectory();
    saveCustomTypes(types.filter((other) => other !== type));
    showToast(`Shared ${name} with the organization`);
  } catch (error) {
    showError(error);
  }
}

function AddType({ model, types }: { model: Model; types: readonly CustomType[] }) {
  const { componentTypes } = model.catalogue;
  const [name, setName] = useState('');
  const [typeId, setTypeId] = useState(componentTypes[0]?.id ?? '');
  const [color, setColor] = useState('#b8548f');
  const [icon, setIcon] = useState('target');
  const [isTried, setTried] = useState(false);
  const problem =
    nameProblem(name) ??
    (types.some((type) => type.name === name.trim()) ? 'A type with this name already exists.' : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem) return;
    saveCustomTypes([...types, { name: name.trim(), typeId, color, icon }]);
    setName('');
    setTried(false);
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextField
        label="Type name"
        value={name}
        problem={isTried ? problem : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField label="Based on" value={typeId} onChange={(event) => setTypeId(event.target.value)}>
        {componentTypes.map((type) => (
          <option key={type.id} value={type.id}>
            {type.name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Icon" value={icon} onChange={(event) => setIcon(event.target.value)}>
        {Object.keys(TYPE_ICONS).map((icon) => (
          <option key={icon} value={icon}>
            {icon.replaceAll('-', ' ')}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Color"
        type="color"
        value={color}
        onChange={(event) => setColor(event.target.value)}
      />
      <Button type="submit" icon={<Plus size={16} aria-hidden />}>
        Add type
      </Button>
    </form>
  );
}

function download(types: readonly CustomType[]): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(types, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'custom-types.json';
  link.click();
  URL.revokeObjectURL(url);
}
