// Makes the first account with the one-time token of the link.
import { complain, onSubmit, secret, send } from './form.js';

if (!secret) complain('This link is not complete: open the one that the server printed at its start.');
onSubmit((fields) => send('/api/auth/setup', { token: secret, ...fields }));
