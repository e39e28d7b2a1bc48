import { eventFields } from '../events/outbox/event-fields.js';
import { type EventType, eventTypeNames, eventTypes, fieldsOf } from '../events/outbox/event-types.js';
import { generatedFrom, table } from './markdown.js';

const parameters = [
  [
    '`after`',
    'only events with a greater `seq`. A page without it begins with the oldest stored event; `0` also does, until old events are removed: then it is a 410',
  ],
  ['`type`', 'only these types, separated by commas'],
  ['`limit`', 'at most this many, up to 1,000. A stream ignores it'],
];

const eventColumns = [
  ['`id`', 'the id of the audit event of the same change, if there is one'],
  ['`seq`', 'position: ascending, without gaps over all types. Store it, and continue with `after`'],
  ['`type`', 'see below'],
  [
    '`subject`',
    'what the event concerns: `<type>/<id>`. Events of one subject have the order of its changes',
  ],
  ['`data`', 'see below. All fields of the type are present; those marked with `?` may be null'],
  ['`at`', 'when the change was made, by the clock of the replica. The order is that of `seq`'],
];

const introduction = `# Events

What happened on the platform, as a closed list of types, for a SIEM, a data pipeline or a script. An event contains ids and kinds, never
names or email addresses: read what you need from the API. Admins, and service accounts with the role \`admin\`, can read events. They are
stored for at least 30 days. Sign-ins and most denials are in the [audit trail](api.md#audit-trail) only.

## Read

\`\`\`sh
URL=http://127.0.0.1:3000
TOKEN=$(curl -sS -X POST $URL/api/auth/token -H 'Content-Type: application/json' \\
  -d '{"email":"admin@vitrine.example","password":"<admin password>"}' | node -p 'JSON.parse(fs.readFileSync(0)).access_token')
curl -sS "$URL/api/events?type=user.created,grant.set&limit=1" -H "Authorization: Bearer $TOKEN"
\`\`\`

${table(['parameter', 'meaning'], parameters)}

${table(['field', 'meaning'], eventColumns)}

A page may contain fewer events than \`limit\`; a \`Link\` header leads to the next one. A position that is no longer stored results in the
status 410 ([\`events_expired\`](errors.md#events_expired)).

## Follow

With \`Accept: text/event-stream\` the same route is a stream of server-sent events: \`id\` is the \`seq\`, \`event\` the type, and \`data\` the
event as JSON. Without \`after\` it begins with the next event; \`Last-Event-ID\` takes precedence over \`after\`. It ends when the access token expires, and when the caller is disabled,
signs out or is no longer an admin. Open it again with a new token and \`Last-Event-ID\`: no event is missed or repeated. A caller can have 5
streams on each replica.

The browser's \`EventSource\` cannot send an access token. Use \`fetch\`:

\`\`\`js
async function* chunksOf(response) {
  try {
    yield* response.body.pipeThrough(new TextDecoderStream());
  } catch {
    // The connection broke: as if it had ended.
  }
}

async function follow({ url, accessToken, lastEventId, onEvent }) {
  for (;;) {
    let response;
    try {
      response = await fetch(\`\${url}/api/events\`, {
        headers: {
          accept: 'text/event-stream',
          authorization: \`Bearer \${await accessToken()}\`,
          ...(lastEventId && { 'last-event-id': lastEventId }),
        },
      });
    } catch (error) {
      // Without a connection fetch throws a TypeError. Other errors are of accessToken().
      if (!(error instanceof TypeError)) throw error;
    }
    const status = response?.status ?? 503;
    if (status === 410) throw new Error('Events were missed: read the lists again');
    // 401: accessToken() returns a new token next time. 429 and 5xx: later.
    const isFinal = status >= 400 && status < 500 && ![401, 429].includes(status);
    if (isFinal) throw new Error((await response.json()).detail);
    let text = '';
    for await (const chunk of response?.ok ? chunksOf(response) : []) {
      const blocks = (text + chunk).split('\\n\\n');
      text = blocks.pop();
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        // An exception of onEvent() ends the function: the event is not repeated.
        if (data) await onEvent(JSON.parse(data));
        // A block without data moves the position past events of other types.
        lastEventId = /^id: (.*)$/m.exec(block)?.[1] ?? lastEventId;
      }
    }
    const seconds = Number(response?.headers.get('retry-after')) || 1;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
\`\`\`

On the command line, \`node bin/vitrine.js events tail\` prints events as they happen.`;

const topics: [title: string, prefixes: readonly string[]][] = [
  ['Users', ['user', 'invitation', 'session']],
  ['Access', ['grant', 'group', 'access_request']],
  ['Reports', ['report', 'embed_token', 'embed_access', 'export', 'saved_view']],
  ['Catalogue', ['workspace', 'dataset', 'sync', 'refresh']],
  ['Service accounts and settings', ['service_account', 'branding', 'webhook']],
];

const dataOf = (type: EventType): string =>
  fieldsOf(type)
    .map(({ name, isNullable }) => `\`${name}${isNullable ? '?' : ''}\``)
    .join(', ');

const rowOf = (type: EventType): string[] => [
  `\`${type}\``,
  eventTypes[type].subjects.map((subject) => `\`${subject}\``).join(', '),
  dataOf(type),
  eventTypes[type].description,
];

const section = ([title, prefixes]: (typeof topics)[number]): string => {
  const types = eventTypeNames.filter((type) => prefixes.includes(type.split('.')[0] ?? ''));
  return `### ${title}\n\n${table(['type', 'subject', 'data', 'when'], types.map(rowOf))}`;
};

const fields = Object.entries(eventFields).map(([name, { description }]) => [`\`${name}\``, description]);

/** Renders `docs/events.md`. */
export const eventReference = (): string =>
  `${[
    generatedFrom('`src/events/outbox/`'),
    introduction,
    '## Types',
    'A person who is enabled again is a `user.updated` with `status` in `changed`. The deletion of a group or a service account has an event for each grant and membership that ends with it; more than 50 members are in events of up to 1,000.',
    ...topics.map(section),
    '## Fields of data',
    table(['field', 'meaning'], fields),
  ].join('\n\n')}\n`;
