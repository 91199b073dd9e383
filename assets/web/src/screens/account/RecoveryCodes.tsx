/** Recovery codes, shown only once. */
import { useState } from 'react';
import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { download } from '@/ui/download';
import { CheckField } from '@/ui/Field';
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
      `Recovery codes for ${login} at ${location.host}. Each code works once.

${text}
`,
    );
  return (
    <Panel
      title="Recovery codes"
      about="Use a recovery code to sign in without your phone. Each code works once."
    >
      <FormNote tone="warn">
        <p>
          Save these codes now, in a place that you can reach without your phone. You won’t be able to see
          them again.
        </p>
      </FormNote>
      <Secret label="Recovery codes" value={text} />
      <div>
        <Button onClick={save}>Download codes</Button>
      </div>
      <CheckField
        label="I have saved the codes"
        checked={isKept}
        onChange={(event) => setIsKept(event.currentTarget.checked)}
      />
      <div>
        <Button kind="main" disabled={!isKept} onClick={onDone}>
          Done
        </Button>
      </div>
    </Panel>
  );
}
