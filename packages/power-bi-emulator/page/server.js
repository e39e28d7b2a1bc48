/** Calls the emulator; throws its error body, which the embedding page receives as an `error` event. */
async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = await response.json();
  if (!response.ok) throw result;
  return result;
}

export function openReport(config) {
  return post('/reportEmbed/open', requestFor(config));
}

/** Throws if the token no longer opens the report. An unreachable server is no such refusal. */
export function checkToken(config) {
  return check('/reportEmbed/check', requestFor(config));
}

export function openDashboard(component, config) {
  return post('/dashboardEmbed/open', dashboardRequest(component, config));
}

export function checkDashboard(component, config) {
  return check('/dashboardEmbed/check', dashboardRequest(component, config));
}

async function check(path, request) {
  try {
    await post(path, request);
  } catch (error) {
    if (error?.detailedMessage) throw error;
  }
}

function parametersOf(embedUrl) {
  return URL.canParse(embedUrl) ? new URL(embedUrl).searchParams : new URLSearchParams();
}

/** The client passes the id of a tile as `id`; the dashboard of a tile is in its embed URL, too. */
function dashboardRequest(component, { accessToken, tokenType, id, dashboardId, groupId, embedUrl }) {
  const url = parametersOf(embedUrl);
  const common = { accessToken, tokenType, groupId: groupId ?? url.get('groupId') ?? undefined };
  if (component !== 'tile') return { ...common, dashboardId: id ?? url.get('dashboardId') ?? undefined };
  return {
    ...common,
    dashboardId: dashboardId ?? url.get('dashboardId') ?? undefined,
    tileId: id ?? url.get('tileId') ?? '',
  };
}

function requestFor({ accessToken, tokenType, id, groupId, embedUrl }) {
  const url = parametersOf(embedUrl);
  return {
    accessToken,
    tokenType,
    id: id ?? url.get('reportId') ?? undefined,
    groupId: groupId ?? url.get('groupId') ?? undefined,
  };
}
