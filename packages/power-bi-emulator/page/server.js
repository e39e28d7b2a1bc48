/** Asks the emulator; a refusal is thrown as the error that the embedding page shall hear of. */
async function post(path, body) {
  const response = await fetch(`/reportEmbed/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw answer;
  return answer;
}

export function openReport(config) {
  return post('open', requestFor(config));
}

/** Whether the token still opens the report. A server that cannot be reached says nothing about that. */
export async function checkToken(config) {
  try {
    await post('check', requestFor(config));
  } catch (error) {
    if (error?.detailedMessage) throw error;
  }
}

function requestFor({ accessToken, tokenType, id, groupId, embedUrl }) {
  const url = URL.canParse(embedUrl) ? new URL(embedUrl).searchParams : new URLSearchParams();
  return {
    accessToken,
    tokenType,
    id: id ?? url.get('reportId') ?? undefined,
    groupId: groupId ?? url.get('groupId') ?? undefined,
  };
}
