/** Recovery codes, shown this once. */
import { useState } from 'react';
import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { download } from '@/ui/download';
import { FormNote } from '@/ui/Form';
import { Secret } from '@/ui/Secret';
import { Panel } from '@/ui/Sections';

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const login = useSession((state) => state.user?.login);
  const [isKept, setIsKept] = useState(false);
  const text = codes.join('\n');
  const save = () =>
    download(
      'planroom-recovery-codes.txt',
      'text/plain',
      `Recovery codes of ${login} at ${location.host}. Each works once.\n\n${text}\n`,
    );
  return (
    <Panel title="Recovery codes" about="Each works once, when your phone is not at hand.">
      <FormNote tone="warn">
        <p>They are shown this once. Keep them where you find them without your phone.</p>
      </FormNote>
      <Secret label="Recovery codes" value={text} />
      <div>
        <Button onClick={save}>Download as a file</Button>
      </div>
      <label style={{ display: 'flex', alignItems: 'center', gap: 'var(--gap-2)' }}>
        <input
          type="checkbox"
          checked={isKept}
          onChange={(event) => setIsKept(event.currentTarget.checked)}
        />
        I have kept them
      </label>
      <div>
        <Button kind="main" disabled={!isKept} onClick={onDone}>
          Done
        </Button>
      </div>
    </Panel>
  );
}
