import type { Caller } from './caller.js';
import type { Person, Session } from './test-data.js';

const claimsOf = (access: string): { sid: string } =>
  JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };

const sessionFrom = (body: Record<string, unknown>, previousTokens: string[] = []): Session => {
  const access = String(body['access_token']);
  return { sid: claimsOf(access).sid, access, refresh: String(body['refresh_token']), previousTokens };
};

/** Signs in and refreshes as clients do. */
export class Sessions {
  /** Every issued token. */
  readonly tokens: string[] = [];

  constructor(private readonly caller: Caller) {}

  /** The current session or a new one; null when the sign-in fails. */
  async ensure(person: Person): Promise<Session | null> {
    return person.session ?? this.signIn(person);
  }

  async signIn(person: Person): Promise<Session | null> {
    const { email, password, address } = person;
    const { entry, body } = await this.caller.send({
      op: 'login',
      actor: email,
      key: person.id,
      method: 'POST',
      path: '/api/auth/token',
      body: { email, password },
      from: address,
    });
    if (entry.result !== 'ok') return null;
    const session = this.recordTokens(sessionFrom(body));
    entry.sid = session.sid;
    person.session = session;
    return session;
  }

  /** Retries with the same token when the response is lost, within the grace period. */
  async refresh(person: Person): Promise<void> {
    const session = person.session;
    if (session === null) return void (await this.signIn(person));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { entry, body } = await this.exchangeToken(person, session, session.refresh, 'refresh');
      if (entry.result === 'ok') {
        const previousTokens = [...session.previousTokens, session.refresh].slice(-3);
        const next = this.recordTokens(sessionFrom(body, previousTokens));
        entry.value = next.refresh.slice(-12);
        if (person.session === session) person.session = next;
        return;
      }
      if (entry.status !== 0 && entry.status < 500) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    if (person.session === session) person.session = null;
  }

  exchangeToken(person: Person, { sid }: Session, token: string, op: 'refresh' | 'reuse' | 'probe_refresh') {
    return this.caller.send({
      op,
      actor: person.email,
      key: `${sid}:${token.slice(-12)}`,
      sid,
      method: 'POST',
      path: '/api/auth/token',
      body: { grant_type: 'refresh_token', refresh_token: token },
      from: person.address,
    });
  }

  /** Tries every token of an ended session. */
  async probe(person: Person, session: Session): Promise<void> {
    await this.caller.send({
      op: 'probe_access',
      actor: person.email,
      key: session.sid,
      sid: session.sid,
      path: '/api/users/me',
      token: session.access,
      from: person.address,
    });
    const previous = session.previousTokens.at(-1);
    for (const token of previous === undefined ? [session.refresh] : [previous, session.refresh]) {
      await this.exchangeToken(person, session, token, 'probe_refresh');
    }
  }

  recordTokens(session: Session): Session {
    this.tokens.push(session.access, session.refresh);
    return session;
  }

  adopt(person: Person, body: Record<string, unknown>): Session {
    const session = this.recordTokens(sessionFrom(body));
    person.session = session;
    return session;
  }
}
