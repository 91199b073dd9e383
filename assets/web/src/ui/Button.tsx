/**
 * Buttons: `main` for the primary action, `plain` for others, `quiet` in toolbars, `danger` for destructive actions.
 */
import type { ComponentProps, ReactNode } from 'react';
import styles from './Button.module.css';

interface Props extends ComponentProps<'button'> {
  kind?: 'main' | 'plain' | 'quiet' | 'danger';
  icon?: ReactNode;
  /** Whether the action is running. The button indicates this and ignores clicks. */
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

/** An icon button. Its label is the accessible name and, by default, the tooltip. */
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
