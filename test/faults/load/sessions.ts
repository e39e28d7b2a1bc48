import type { Caller } from './caller.js';
import type { Person, Session } from './world.js';

const partsOf = (access: string): { sid: string } =>
  JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };

const opened = (body: Record<string, unknown>, older: string[] = []): Session => {
  const access = String(body['access_token']);
  return { sid: partsOf(access).sid, access, refresh: String(body['refresh_token']), older };
};

/** Signing in and out, and trading refresh tokens, as clients do it. */
export class Sessions {
  /** Every token that was ever handed out. */
  readonly tokens: string[] = [];

  constructor(private readonly caller: Caller) {}

  /** The session that the person has, or a new one. Null when signing in did not work. */
  async of(person: Person): Promise<Session | null> {
    return person.session ?? this.signIn(person);
  }

  async signIn(person: Person): Promise<Session | null> {
    const { email, password, address } = person;
    const { entry, body } = await this.caller.send({
      op: 'login',
      proc: email,
      key: person.id,
      method: 'POST',
      path: '/api/auth/token',
      body: { email, password },
      from: address,
    });
    if (entry.result !== 'ok') return null;
    const session = this.keep(opened(body));
    entry.sid = session.sid;
    person.session = session;
    return session;
  }

  /** Tries again with the same token when the answer was lost: that is what the grace is for. */
  async refresh(person: Person): Promise<void> {
    const session = person.session;
    if (session === null) return void (await this.signIn(person));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { entry, body } = await this.trade(person, session, session.refresh, 'refresh');
      if (entry.result === 'ok') {
        const older = [...session.older, session.refresh].slice(-3);
        const next = this.keep(opened(body, older));
        entry.value = next.refresh.slice(-12);
        if (person.session === session) person.session = next;
        return;
      }
      if (entry.status !== 0 && entry.status < 500) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    if (person.session === session) person.session = null;
  }

  trade(person: Person, { sid }: Session, token: string, op: 'refresh' | 'reuse' | 'probe_refresh') {
    return this.caller.send({
      op,
      proc: person.email,
      key: `${sid}:${token.slice(-12)}`,
      sid,
      method: 'POST',
      path: '/api/auth/token',
      body: { grant_type: 'refresh_token', refresh_token: token },
      from: person.address,
    });
  }

  /** Tries everything that a session that ended once gave. */
  async probe(person: Person, session: Session): Promise<void> {
    await this.caller.send({
      op: 'probe_access',
      proc: person.email,
      key: session.sid,
      sid: session.sid,
      path: '/api/users/me',
      token: session.access,
      from: person.address,
    });
    const previous = session.older.at(-1);
    for (const token of previous === undefined ? [session.refresh] : [previous, session.refresh]) {
      await this.trade(person, session, token, 'probe_refresh');
    }
  }

  keep(session: Session): Session {
    this.tokens.push(session.access, session.refresh);
    return session;
  }

  adopt(person: Person, body: Record<string, unknown>): Session {
    const session = this.keep(opened(body));
    person.session = session;
    return session;
  }
}
