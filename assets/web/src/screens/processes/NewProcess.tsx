/** The button and dialog to create a process. The name is entered first because the URL is derived from it. */
import { CircleDot, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { usePageCommands } from '@/actions/pageCommands';
import { nameProblem } from '@/core/model/validation';
import { openRecording } from '@/map/state/recording';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { useCanEdit } from '@/workspace/model';
import styles from './Processes.module.css';
import { useCreateProcess } from './useProcessActions';

const FORM = 'new-process';

interface Props {
  /** The text of the button; its accessible name is always "New process". */
  text: string;
  kind?: 'main' | 'plain';
}

export function NewProcess({ text, kind = 'plain' }: Props) {
  const [isOpen, setOpen] = useState(false);
  usePageCommands([{ id: 'processes.new', title: 'New process', icon: Plus, run: () => setOpen(true) }]);
  return (
    <>
      <Button
        kind={kind}
        aria-label="New process"
        icon={<Plus size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {text}
      </Button>
      {isOpen && <NewProcessDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function NewProcessDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateProcess();
  const canEdit = useCanEdit();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = nameProblem(name);
    if (wrong) return setProblem(wrong);
    onClose();
    create(name);
  };
  const record = () => {
    onClose();
    openRecording(nameProblem(name) ? '' : name);
  };
  const footer = (
    <>
      {canEdit && (
        <Button className={styles.record} icon={<CircleDot size={16} aria-hidden />} onClick={record}>
          Record on map
        </Button>
      )}
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" type="submit" form={FORM}>
        Create process
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="New process" footer={footer}>
      <form id={FORM} noValidate onSubmit={submit}>
        <TextField
          label="Process name"
          placeholder="For example, Checkout"
          value={name}
          problem={problem}
          autoFocus
          onChange={(event) => {
            setName(event.target.value);
            setProblem(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
