/** Prompts for the password, and for a code if required, before a sensitive change. */
import type { ReactNode } from 'react';
import { useSession } from '@/api/session';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  confirm: string;
  kind?: 'main' | 'danger';
  /** Whether a code from the authenticator app or a recovery code is also required. */
  needsCode?: boolean;
  children: ReactNode;
  onConfirm: (password: string, code: string) => Promise<void>;
}

export function PasswordDialog({ open, onClose, title, children, ...rest }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      {children}
      <PasswordForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

/** A separate component, so that each opening starts with empty fields. */
function PasswordForm({
  onClose,
  confirm,
  kind = 'main',
  needsCode = false,
  onConfirm,
}: Omit<Props, 'open' | 'title' | 'children'>) {
  const login = useSession((state) => state.user?.login);
  const form = useForm(['password', 'code'], async ({ password, code }) => {
    await onConfirm(password, code);
    onClose();
  });
  return (
    <Form form={form}>
      <input type="text" autoComplete="username" value={login ?? ''} readOnly hidden />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" autoFocus />
      {needsCode && (
        <TextField
          label="Code"
          name="code"
          inputMode="text"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          hint="A code from your authenticator app or a recovery code"
        />
      )}
      <FormError text={form.problem()} />
      <SubmitButton form={form} kind={kind}>
        {confirm}
      </SubmitButton>
    </Form>
  );
}
