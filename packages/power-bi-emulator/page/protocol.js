/**
 * The message protocol of Microsoft's client: requests and responses travel as window messages in both directions,
 * matched by `headers.id` alone.
 */
const uidFromUrl = new URLSearchParams(location.search).get('uid');
let uid = uidFromUrl;
let sent = 0;

export const accepted = { statusCode: 202, body: {} };
export const missing = { statusCode: 404, body: {} };

/** Does the work after the response: the client does not wait for a load; events report its end. */
export function later(action) {
  setTimeout(() => void action());
  return accepted;
}

/** Raises an event: a request to the page that embeds us. Its response carries no data. */
export function raise(path, body = {}) {
  post({ method: 'POST', url: path, headers: { id: `emulator-${++sent}`, uid }, body });
}

export function raiseReportEvent(name, body) {
  raiseEvent('reports', name, body);
}

/** An event of a component: `reports`, `dashboards` or `tile`. */
export function raiseEvent(component, name, body) {
  raise(`/${component}/${uid}/events/${name}`, body);
}

export function raisePageEvent(page, name, body) {
  raise(`/reports/${uid}/pages/${page}/events/${name}`, body);
}

/** Handles messages, first those that arrived before the modules had loaded. */
export function listen(routes) {
  window.deliver = (event) => void respond(routes, event);
  for (const event of window.inbox.splice(0)) window.deliver(event);
  if (uidFromUrl) raise(`/ready/${uidFromUrl}`);
}

async function respond(routes, event) {
  const { method, url, headers, body } = event.data ?? {};
  if (event.source !== window.parent || typeof method !== 'string') return;
  uid = headers?.uid ?? body?.uniqueId ?? uid;
  const found = find(routes, method, url);
  const reply = found ? await handled(found, body) : notFound(url);
  post({ statusCode: reply?.statusCode ?? 200, headers: { id: headers?.id }, body: reply?.body ?? null });
}

/** Always returns a response: the client waits for it without a limit. */
async function handled({ handler, params }, body) {
  try {
    return await handler(body, ...params);
  } catch (error) {
    return { statusCode: 500, body: { message: String(error) } };
  }
}

function find(routes, method, url) {
  for (const [route, handler] of Object.entries(routes)) {
    const [routeMethod, path] = route.split(' ');
    const match = routeMethod === method && new RegExp(`^${path.replaceAll('*', '([^/]+)')}$`).exec(url);
    if (match) return { handler, params: match.slice(1).map(decodeURIComponent) };
  }
  return null;
}

function notFound(url) {
  return { statusCode: 404, body: `Not Found. Url: ${url} was not found.` };
}

function post(message) {
  window.parent.postMessage(message, '*');
}
