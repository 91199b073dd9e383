// Sends the form with the one-time token, which stands behind the # of the link and so never reaches a log.
const form = document.querySelector('#setup');
const problem = document.querySelector('#problem');
const token = location.hash.slice(1);

if (!token) problem.textContent = 'This link is not complete: open the one that the server printed at its start.';

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.textContent = '';
  const body = JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) });
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const answer = await fetch('/api/auth/setup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    if (answer.ok) {
      form.hidden = true;
      document.querySelector('#done').hidden = false;
      history.replaceState(null, '', '/setup');
      return;
    }
    const { error, field } = await answer.json();
    problem.textContent = error;
    form.elements[field]?.focus();
  } catch {
    problem.textContent = 'The server cannot be reached; try again.';
  } finally {
    button.disabled = false;
  }
});
