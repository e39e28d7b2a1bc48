/** Asks the emulator; a refusal is thrown as the error that the embedding page shall hear of. */
async function ask(path, body) {
  const response = await fetch(`/reportEmbed/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw answer;
  return answer;
}

export function openReport({ accessToken, tokenType, id, groupId, embedUrl }) {
  const url = URL.canParse(embedUrl) ? new URL(embedUrl).searchParams : new URLSearchParams();
  return ask('open', {
    accessToken,
    tokenType,
    id: id ?? url.get('reportId') ?? undefined,
    groupId: groupId ?? url.get('groupId') ?? undefined,
  });
}

export function checkToken({ accessToken, tokenType }) {
  return ask('check', { accessToken, tokenType });
}
