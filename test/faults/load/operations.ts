import { setTimeout as sleep } from 'node:timers/promises';
import type { MailSink } from '../parts/mail-sink.js';
import type { RequestSpec, Caller, Reply } from './caller.js';
import { hostile } from './hostile.js';
import type { Random } from './random.js';
import type { Sessions } from './sessions.js';
import type { Person, Session, TestData } from './test-data.js';

/** A revocation is effective on every replica after this time. */
const SETTLE_MS = 1_200;

interface Parts {
  caller: Caller;
  sessions: Sessions;
  testData: TestData;
  mail: MailSink;
}

/** The operations of members, admins and attackers. */
export class Operations {
  /** Addresses with a pending invitation. */
  private readonly invited: string[] = [];
  private readonly versions = new Map<string, number>();
  private readonly writing = new Set<string>();
  private count = 0;

  constructor(private readonly parts: Parts) {}

  readonly all: Record<string, (random: Random) => Promise<void>> = {
    list: (random) => this.asMember(random, 'list', random.chance(0.5) ? '/api/workspaces' : '/api/reports'),
    read: (random) => this.read(random),
    me: (random) => this.asMember(random, 'me', '/api/users/me'),
    embed: (random) => this.embed(random),
    refresh: (random) =>
      this.withSessionLock(random.one(this.allPeople), (person) => this.parts.sessions.refresh(person)),
    login: (random) =>
      this.withSessionLock(random.one(this.parts.testData.members), (person) => this.signInAgain(person)),
    rename: (random) => this.rename(random),
    read_name: (random) => this.readName(random),
    member: (random) => this.changeMember(random),
    sign_out: (random) =>
      this.withSessionLock(random.one(this.parts.testData.members), (person) => this.signOut(person)),
    password: (random) =>
      this.withSessionLock(random.one(this.parts.testData.members), (person) => this.changePassword(person)),
    disable: (random) => this.disable(random),
    reuse: (random) =>
      this.withSessionLock(random.one(this.parts.testData.members), (person) => this.reuse(person)),
    invite: (random) => this.invite(random),
    accept: (random) => this.accept(random),
    hostile: async (random) => void (await this.parts.caller.send(hostile(random, this.parts.testData))),
  };

  private get allPeople(): Person[] {
    return [...this.parts.testData.members, ...this.parts.testData.admins];
  }

  /** Sends with the person's session, which is opened if necessary; null if that fails. */
  private async as(person: Person, asking: Omit<RequestSpec, 'actor' | 'from'>): Promise<Reply | null> {
    const session = person.session ?? (person.isChangingSession ? null : await this.openSession(person));
    if (session === null) return null;
    const { email: actor, address: from } = person;
    const reply = await this.parts.caller.send({
      ...asking,
      actor,
      from,
      token: session.access,
      sid: session.sid,
    });
    if (reply.entry.status === 401 && person.session === session) person.session = null;
    return reply;
  }

  private async openSession(person: Person): Promise<Session | null> {
    let session: Session | null = null;
    await this.withSessionLock(person, async () => void (session = await this.parts.sessions.ensure(person)));
    return session;
  }

  /** One operation at a time changes a person's session. */
  private async withSessionLock(person: Person, work: (person: Person) => Promise<unknown>): Promise<void> {
    if (person.isChangingSession) return;
    person.isChangingSession = true;
    try {
      await work(person);
    } finally {
      person.isChangingSession = false;
    }
  }

  private async asMember(random: Random, op: 'list' | 'me', path: string): Promise<void> {
    await this.as(random.one(this.parts.testData.members), { op, path });
  }

  /** An own workspace or report, sometimes a foreign one. */
  private async read(random: Random): Promise<void> {
    const person = random.one(this.parts.testData.members);
    const place = random.chance(0.3)
      ? random.one(this.parts.testData.workspaces).id
      : random.one(person.workspaces);
    const report = random.one(this.reportsIn(place));
    const path = random.chance(0.5) ? `/api/workspaces/${place}` : `/api/reports/${report}`;
    await this.as(person, { op: 'read', key: place, path });
  }

  private reportsIn(workspace: string): string[] {
    return this.parts.testData.workspaces.find(({ id }) => id === workspace)?.reports ?? [];
  }

  private async embed(random: Random): Promise<void> {
    const person = random.one(this.parts.testData.members);
    const report = random.one(this.reportsIn(random.one(person.workspaces)));
    await this.as(person, {
      op: 'embed',
      key: report,
      method: 'POST',
      path: `/api/reports/${report}/embed-token`,
    });
  }

  private async signInAgain(person: Person): Promise<void> {
    person.session = null;
    await this.parts.sessions.signIn(person);
  }

  private async signOut(person: Person): Promise<void> {
    const session = await this.parts.sessions.ensure(person);
    if (session === null) return;
    person.session = null;
    const reply = await this.parts.caller.send({
      op: 'sign_out',
      actor: person.email,
      key: session.sid,
      sid: session.sid,
      method: 'POST',
      path: '/api/auth/logout',
      token: session.access,
      from: person.address,
    });
    if (reply.entry.result !== 'ok') return;
    await sleep(SETTLE_MS);
    await this.parts.sessions.probe(person, session);
  }

  /** The session that changes the password continues, the others end. */
  private async changePassword(person: Person): Promise<void> {
    const other = await this.parts.sessions.ensure(person);
    const session = await this.parts.sessions.signIn(person);
    if (other === null || session === null) return;
    const next = `changed-${(this.count += 1)}-${person.id}`;
    const reply = await this.parts.caller.send({
      op: 'change_password',
      actor: person.email,
      key: other.sid,
      sid: session.sid,
      method: 'PUT',
      path: '/api/users/me/password',
      body: { current_password: person.password, new_password: next },
      token: session.access,
      from: person.address,
    });
    if (reply.entry.result === 'ok') person.password = next;
    if (reply.entry.result === 'unknown') await this.findOut(person, next);
    if (reply.entry.result !== 'ok') return;
    await sleep(SETTLE_MS);
    await this.parts.sessions.probe(person, other);
  }

  /** Whichever password works is the one. */
  private async findOut(person: Person, next: string): Promise<void> {
    const before = person.password;
    for (const password of [next, before]) {
      person.password = password;
      person.session = null;
      if ((await this.parts.sessions.signIn(person)) !== null) return;
    }
  }

  private async disable(random: Random): Promise<void> {
    const person = random.one(this.parts.testData.members);
    const admin = random.one(this.parts.testData.admins);
    await this.withSessionLock(person, async () => {
      const session = await this.parts.sessions.ensure(person);
      const change = (op: 'disable' | 'enable', status: string) =>
        this.as(admin, {
          op,
          key: person.id,
          value: status,
          method: 'PATCH',
          path: `/api/users/${person.id}`,
          body: { status },
        });
      const reply = await change('disable', 'disabled');
      person.session = null;
      if (reply?.entry.result === 'ok' && session !== null) {
        await sleep(SETTLE_MS);
        await this.parts.sessions.probe(person, session);
      }
      for (let attempt = 0; attempt < 10; attempt += 1) {
        if ((await change('enable', 'active'))?.entry.result === 'ok') return;
        await sleep(1_000);
      }
    });
  }

  /** An old refresh token, as after a theft. */
  private async reuse(person: Person): Promise<void> {
    const { sessions } = this.parts;
    await sessions.ensure(person);
    await sessions.refresh(person);
    await sessions.refresh(person);
    const session = person.session;
    const stolen = session?.previousTokens.at(-2);
    if (session === null || stolen === undefined) return;
    person.session = null;
    const { entry } = await sessions.exchangeToken(person, session, stolen, 'reuse');
    if (entry.status === 401) await sessions.probe(person, session);
  }

  private async rename(random: Random): Promise<void> {
    const { id } = random.one(this.parts.testData.members);
    await this.exclusively(`name:${id}`, async () => {
      const version = (this.versions.get(id) ?? 0) + 1;
      this.versions.set(id, version);
      const body = { name: `Version ${version}` };
      const asking = {
        op: 'rename',
        key: id,
        value: body.name,
        method: 'PATCH',
        path: `/api/users/${id}`,
        body,
      } as const;
      await this.as(random.one(this.parts.testData.admins), asking);
    });
  }

  private async readName(random: Random): Promise<void> {
    const { id } = random.one(this.parts.testData.members);
    const reply = await this.as(random.one(this.parts.testData.admins), {
      op: 'read_name',
      key: id,
      path: `/api/users/${id}`,
    });
    if (reply?.entry.result === 'ok') reply.entry.value = String(reply.body['name']);
  }

  /** Grants a role in another workspace, or removes it. */
  private async changeMember(random: Random): Promise<void> {
    const { members, workspaces, admins } = this.parts.testData;
    const person = random.one(members);
    const workspace = random.one(workspaces.filter(({ id }) => !person.workspaces.includes(id))).id;
    const role = random.chance(0.6) ? random.one(['viewer', 'editor']) : null;
    const admin = random.one(admins);
    await this.exclusively(`member:${workspace}/${person.id}`, async () => {
      const path = `/api/workspaces/${workspace}/members/${person.id}`;
      const key = `${workspace}/${person.id}`;
      if (role === null) await this.as(admin, { op: 'remove_member', key, method: 'DELETE', path });
      else await this.as(admin, { op: 'set_member', key, value: role, method: 'PUT', path, body: { role } });
    });
  }

  private async exclusively(key: string, work: () => Promise<void>): Promise<void> {
    if (this.writing.has(key)) return;
    this.writing.add(key);
    await work();
    this.writing.delete(key);
  }

  /** With an idempotency key, repeated while the result is unknown. */
  private async invite(random: Random): Promise<void> {
    const email = `guest-${(this.count += 1)}-${random.below(1e6)}@faults.example`;
    const admin = random.one(this.parts.testData.admins);
    const workspaces = [{ workspace_id: random.one(this.parts.testData.workspaces).id, role: 'viewer' }];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const reply = await this.as(admin, {
        op: 'invite',
        key: email,
        method: 'POST',
        path: '/api/users/invite',
        body: { email, workspaces },
        headers: { 'idempotency-key': `invite-${email}` },
      });
      if (reply?.entry.result === 'ok') {
        reply.entry.value = String(reply.body['id']);
        return void this.invited.push(email);
      }
      const isOver = reply?.entry.result === 'fail' && reply.entry.code !== 'idempotency_in_flight';
      if (reply === null || isOver) return;
      await sleep(1_000);
    }
  }

  private async accept(random: Random): Promise<void> {
    const index = this.invited.findIndex((email) => this.parts.mail.tokenFor(email) !== undefined);
    if (index < 0) return this.invite(random);
    const email = this.invited.splice(index, 1)[0] ?? '';
    const body = {
      grant_type: 'invitation',
      invitation_token: this.parts.mail.tokenFor(email),
      password: `guest-password-of-${email}`,
    };
    // Twice concurrently, as by a double click: one succeeds.
    const asking = {
      op: 'accept',
      actor: email,
      key: email,
      method: 'POST',
      path: '/api/auth/token',
      body,
    } as const;
    const from = `10.1.${random.below(250)}.${random.below(250)}`;
    await Promise.all([
      this.parts.caller.send({ ...asking, from }),
      this.parts.caller.send({ ...asking, from }),
    ]);
  }
}
