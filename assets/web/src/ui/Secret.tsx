/** A text to copy, such as a secret that is shown only once. Clicking selects the whole text. */
import { Check, Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from './Button';
import { copyText } from './copyText';
import styles from './Secret.module.css';
import { showToast } from './Toasts';

export function Secret({ label, value }: { label: string; value: string }) {
  const id = useId();
  const [copied, setCopied] = useState(false);
  const take = async () => {
    const done = await copyText(value);
    setCopied(done);
    showToast(done ? `${label} copied` : 'Could not copy. Select the text and copy it manually.');
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a labeled group, not a form field
    <div className={styles.secret} role="group" aria-labelledby={id}>
      <span className={styles.label} id={id}>
        {label}
      </span>
      <div className={styles.row}>
        <code className={styles.value}>{value}</code>
        <Button
          icon={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          onClick={() => void take()}
          aria-label={`Copy ${label.toLowerCase()}`}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
