/** A field for a new password, with a strength estimate and a checkbox to show it. */
import { useState } from 'react';
import { passwordStrength } from '@/core/account/passwordStrength';
import { MIN_PASSWORD_CHARS } from '@/core/limits';
import { TextField } from './Field';
import styles from './NewPasswordField.module.css';

interface Props {
  label: string;
  name: string;
  required?: boolean;
  /** Words that an attacker would try first, such as the login and the name. */
  known?: readonly string[];
}

const BARS = [1, 2, 3, 4];

export function NewPasswordField({ label, name, required = false, known = [] }: Props) {
  const [isShown, setIsShown] = useState(false);
  const [text, setText] = useState('');
  const { level, word } = passwordStrength(text, known);
  return (
    <div className={styles.wrapper}>
      <TextField
        label={label}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        required={required}
        minLength={MIN_PASSWORD_CHARS}
        hint="8 to 128 characters. Tip: several unrelated words make a strong password."
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.meter}>
        <label>
          <input
            type="checkbox"
            checked={isShown}
            onChange={(event) => setIsShown(event.currentTarget.checked)}
          />{' '}
          Show password
        </label>
        {level > 0 && (
          <span className={styles.scale}>
            <span className={styles.bars} aria-hidden>
              {BARS.map((bar) => (
                <span key={bar} className={styles.bar} data-on={bar <= level || undefined} />
              ))}
            </span>
            <span role="status">{word}</span>
          </span>
        )}
      </div>
    </div>
  );
}
