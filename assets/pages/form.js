// What the forms on these pages share. The secret of a link stands behind its #, and so never reaches a log.
export const form = document.querySelector('form');
export const secret = location.hash.slice(1);
const problem = document.querySelector('#problem');

// Says what is wrong, and puts the cursor where.
export function complain(text, field) {
  problem.textContent = text;
  form.elements[field]?.focus();
}

// Sends JSON. Answers with what came back; an error has the field at fault.
export async function send(path, body, token) {
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  const json = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(json.error), { field: json.field });
  return json;
}

// Does `work` with the form's fields when it is sent, and shows that it is done.
export function onSubmit(work) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    complain('');
    const button = form.querySelector('button');
    button.disabled = true;
    try {
      await work(Object.fromEntries(new FormData(form)));
      form.hidden = true;
      document.querySelector('#done').hidden = false;
      history.replaceState(null, '', location.pathname);
    } catch (error) {
      complain(error instanceof TypeError ? 'The server cannot be reached; try again.' : error.message, error.field);
    } finally {
      button.disabled = false;
    }
  });
}
