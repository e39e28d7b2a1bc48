/** Runs in the browser. Messages are set as text, never as HTML, and requests go only to the auth endpoints. */
export const linkPageScript = `
const form = document.querySelector('form');
const statusElement = document.querySelector('[role=status]');
const secret = new URLSearchParams(location.hash.slice(1)).get('token');
const { grant, tokenField, preview, done } = form.dataset;

const show = (text, isProblem) => {
  statusElement.textContent = text;
  statusElement.className = isProblem ? 'problem' : 'done';
};

const problemOf = async (response) => {
  const { title, detail, code } = await response.json();
  if (code === 'rate_limited' || code === 'service_unavailable') {
    const minutes = Math.ceil(Number(response.headers.get('Retry-After')) / 60);
    return detail + ' (' + (minutes > 1 ? 'in about ' + minutes + ' minutes' : 'in a minute') + ')';
  }
  return code === 'password_rejected' ? detail : title + '. ' + detail;
};

const post = (path, body) =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

// The form is shown only for a link that can be used.
const begin = async () => {
  if (secret === null) return show('This link is incomplete. Open it again from the email.', true);
  try {
    const response = await post(preview, { token: secret });
    if (!response.ok) return show(await problemOf(response), true);
    form.elements.email.value = (await response.json()).email;
    form.hidden = false;
  } catch {
    show('The service is unreachable. Reload the page.', true);
  }
};

const send = async () => {
  const body = { grant_type: grant, [tokenField]: secret, password: form.elements.password.value };
  const response = await post('api/auth/token', body);
  if (!response.ok) return show(await problemOf(response), true);
  if (response.status === 200) {
    // The portal signs people in by itself; a session that no client uses must not stay open.
    const { access_token } = await response.json();
    await fetch('api/auth/logout', { method: 'POST', headers: { Authorization: 'Bearer ' + access_token } });
  }
  history.replaceState(null, '', location.pathname);
  form.hidden = true;
  show(done, false);
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  show('', false);
  const { password, again } = form.elements;
  if (password.value !== again.value) return show('The passwords do not match.', true);
  form.querySelector('button').disabled = true;
  try {
    await send();
  } catch {
    show('The service is unreachable. Try again.', true);
  } finally {
    form.querySelector('button').disabled = false;
  }
});

void begin();
`;
