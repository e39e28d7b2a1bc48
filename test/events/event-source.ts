import { until } from '../support/until.js';

export interface Message {
  id: string;
  event: string;
  data: { id: string; seq: number; type: string; subject: string; data: Record<string, unknown>; at: string };
}

/** A stream as the specification of server-sent events parses it. */
export interface EventSource {
  status: number;
  headers: Headers;
  messages: Message[];
  /** Blocks that contain a comment, with their ids. */
  heartbeats: { id: string }[];
  /** Position at which a client resumes. */
  lastEventId: () => string;
  isOver: () => boolean;
  close: () => void;
  /** Waits for this number of messages. */
  received: (count: number) => Promise<Message[]>;
}

const valueOf = (line: string): string => line.slice(line.indexOf(':') + 1).replace(/^ /, '');

function readBlock(block: string, lastId: string): { id: string; message?: Message } {
  let id = lastId;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('id:')) id = valueOf(line);
    if (line.startsWith('event:')) event = valueOf(line);
    if (line.startsWith('data:')) data.push(valueOf(line));
  }
  if (data.length === 0) return { id };
  return { id, message: { id, event, data: JSON.parse(data.join('\n')) as Message['data'] } };
}

export async function openStream(
  url: string,
  token: string | undefined,
  { query = '', lastEventId }: { query?: string; lastEventId?: string } = {},
): Promise<EventSource> {
  const stop = new AbortController();
  const response = await fetch(`${url}/api/events${query}`, {
    signal: stop.signal,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  const messages: Message[] = [];
  const heartbeats: { id: string }[] = [];
  let id = '';
  let isOver = false;
  const read = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      rest += decoder.decode(bytes as Uint8Array, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const next = readBlock(block, id);
        id = next.id;
        if (block.startsWith(':')) heartbeats.push({ id });
        if (next.message !== undefined) messages.push(next.message);
      }
    }
  };
  void read()
    .catch(() => undefined)
    .then(() => (isOver = true));
  return {
    status: response.status,
    headers: response.headers,
    messages,
    heartbeats,
    lastEventId: () => id,
    isOver: () => isOver,
    close: () => stop.abort(),
    received: (count) => until(() => messages.length >= count && messages),
  };
}
