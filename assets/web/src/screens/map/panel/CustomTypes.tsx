/** Custom types: names, colors and icons for catalog types, stored in this browser. They can be exported to a file. */

import { Download, Plus, Upload, X } from 'lucide-react';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { type CustomType, mergeCustomTypes, parseCustomTypes } from '@/core/model/customTypes';
import { catalogueEntry, type Model } from '@/core/model/model';
import { nameProblem } from '@/core/model/validation';
import { formatCount } from '@/core/text';
import { Button, IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { showError, showToast } from '@/ui/Toasts';
import { TYPE_ICONS, TypeIcon } from '@/ui/TypeIcon';
import { saveCustomTypes, useCustomTypes } from '@/workspace/model';
import styles from './SidePanel.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  model: Model;
}

export function CustomTypes({ open, onClose, model }: Props) {
  const types = useCustomTypes((state) => state.types);
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
        components whose <code>kind</code> property matches its name. Export the types to share them with
        colleagues.
      </p>
      <ul className={styles.plain} aria-label="Custom types">
        {types.map((type) => (
          <li key={type.name} className={styles.line}>
            <TypeIcon icon={type.icon} color={type.color} />
            <span className={styles.label}>
              {type.name}, based on {catalogueEntry(model.catalogue.componentTypes, type.typeId).name}
            </span>
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
