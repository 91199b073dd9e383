/** Buttons: `main` for what a screen is for, `plain` for the rest, `quiet` inside tools, `danger` for what destroys. */
import type { ComponentProps, ReactNode } from 'react';
import styles from './Button.module.css';

interface Props extends ComponentProps<'button'> {
  kind?: 'main' | 'plain' | 'quiet' | 'danger';
  icon?: ReactNode;
  /** Something is on its way: the button says so and takes no second press. */
  busy?: boolean;
}

export function Button({ kind = 'plain', icon, busy = false, children, className, ...rest }: Props) {
  const classes = [styles.button, styles[kind], className].filter(Boolean).join(' ');
  return (
    <button type="button" {...rest} className={classes} aria-busy={busy} disabled={busy || rest.disabled}>
      {icon}
      {children}
    </button>
  );
}

/** A button that is an icon alone; its label is read aloud, and shown as a tip unless it has a longer one. */
export function IconButton({ label, ...rest }: Omit<Props, 'children'> & { label: string }) {
  return (
    <Button
      kind="quiet"
      {...rest}
      aria-label={label}
      title={rest.title ?? label}
      className={[styles.icon, rest.className].join(' ')}
    />
  );
}
