// Takes up an invitation: as somebody new, or as somebody who has an account and signs in first.
import { complain, form, onSubmit, secret, send } from './form.js';

const path = `/api/auth/invitations/${encodeURIComponent(secret)}`;
const name = form.elements.displayName;
const password = form.elements.password;

function known() {
  return form.elements.who.value === 'known';
}

form.addEventListener('change', () => {
  name.closest('label').hidden = known();
  name.disabled = known();
  password.autocomplete = known() ? 'current-password' : 'new-password';
  password.nextElementSibling.hidden = known();
});

onSubmit(async ({ who, ...fields }) => {
  if (!known()) return send(path, fields);
  const session = await send('/api/auth/login', fields);
  if (session.challenge) throw new Error('Your account asks for a second factor: sign in, and open this link again.');
  return send(path, {}, session.token);
});

try {
  const { organization, role } = await send(path);
  document.querySelector('#invitation').textContent =
    `You are invited to ${organization}, as ${role === 'org:admin' ? 'an admin' : 'a member'}.`;
} catch {
  form.hidden = true;
  document.querySelector('#invitation').textContent =
    'This invitation cannot be used: it was used or withdrawn, or is older than seven days. Ask for another one.';
}
