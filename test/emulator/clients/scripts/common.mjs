const { EMULATOR_URL } = process.env;

export const tenant = 'deadbeef-0000-4000-8000-000000000001';
export const clientId = 'deadbeef-0000-4000-8000-000000000002';
export const clientSecret = 'demo-client-secret-of-the-emulator';
export const password = 'demo-password-of-the-emulator';
export const user = 'dana@vitrine.example';
export const scope = 'https://analysis.windows.net/powerbi/api/.default';

export async function api(token, path, body) {
  const response = await fetch(`https://api.powerbi.com/v1.0/myorg${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

export async function workspaces(token) {
  const { value } = await api(token, '/groups');
  return value.map(({ name }) => name);
}

export async function control(path, body) {
  const response = await fetch(`${EMULATOR_URL.replace('127.0.0.1', 'api.powerbi.com')}/__emulator${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** Prints the result for the test. */
export const print = (result) => console.log(JSON.stringify(result));
