import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Dataset } from '../../src/catalogue/dataset.entity.js';
import { Group } from '../../src/access/groups/group.entity.js';
import { Report } from '../../src/reports/report.entity.js';
import { argon2Floor } from '../../src/users/argon2-hash.js';
import { User } from '../../src/users/user.entity.js';
import type { GrantSource, WorkspaceRole } from '../../src/access/grants/grant.js';
import { Workspace } from '../../src/workspaces/workspace.entity.js';

export const password = 'correct horse battery staple';
const passwordHash = hash(password, argon2Floor);

/** Inserts test data into the database and invalidates the caches of the service. */
export class Factory {
  private count = 0;

  constructor(
    private readonly source: DataSource,
    private readonly changed: () => void,
  ) {}

  async user(given: Partial<User> = {}): Promise<User> {
    this.count += 1;
    return this.source.manager.save(User, {
      id: uuidv7(),
      email: `person-${this.count}@example.com`,
      name: `Person ${this.count}`,
      role: 'member',
      status: 'active',
      passwordHash: await passwordHash,
      attributes: {},
      createdAt: new Date(),
      lastSignInAt: null,
      ...given,
    });
  }

  admin(given: Partial<User> = {}): Promise<User> {
    return this.user({ role: 'admin', ...given });
  }

  workspace(given: Partial<Workspace> = {}): Promise<Workspace> {
    this.count += 1;
    return this.save(Workspace, {
      id: uuidv7(),
      pbiWorkspaceId: randomUUID(),
      name: `Workspace ${this.count}`,
      reportCount: 0,
      missingSince: null,
      retiredAt: null,
      updatedAt: new Date(),
      ...given,
    });
  }

  async report({ id: workspaceId }: Workspace, given: Partial<Report> = {}): Promise<Report> {
    this.count += 1;
    await this.source.manager.increment(Workspace, { id: workspaceId }, 'reportCount', 1);
    return this.save(Report, {
      id: uuidv7(),
      workspaceId,
      pbiReportId: randomUUID(),
      pbiDatasetId: randomUUID(),
      name: `Report ${this.count}`,
      description: null,
      reportType: 'PowerBIReport',
      webUrl: null,
      embedUrl: 'https://app.powerbi.com/reportEmbed',
      missingSince: null,
      retiredAt: null,
      updatedAt: new Date(),
      ...given,
    });
  }

  dataset({ id: workspaceId }: Workspace, given: Partial<Dataset> = {}): Promise<Dataset> {
    this.count += 1;
    return this.save(Dataset, {
      id: uuidv7(),
      workspaceId,
      pbiDatasetId: randomUUID(),
      name: `Dataset ${this.count}`,
      identityRequired: false,
      identityRolesRequired: false,
      identityPolicy: null,
      policyVersion: 0,
      missingSince: null,
      retiredAt: null,
      updatedAt: new Date(),
      ...given,
    });
  }

  async grant(
    { id: userId }: User,
    { id: workspaceId }: Workspace,
    role: WorkspaceRole = 'viewer',
    expiresAt: Date | null = null,
    source: GrantSource = 'manual',
  ): Promise<void> {
    await this.source.query(
      `INSERT INTO grants (user_id, workspace_id, source, role, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, now()) ON CONFLICT (user_id, report_id, workspace_id, source, group_id)
       DO UPDATE SET role = excluded.role, expires_at = excluded.expires_at`,
      [userId, workspaceId, source, role, expiresAt],
    );
    this.changed();
  }

  /** With these direct members, and the people of groups among them. */
  async group(given: Partial<Group> = {}, members: readonly (User | Group)[] = []): Promise<Group> {
    this.count += 1;
    const group = await this.save(Group, {
      id: uuidv7(),
      name: `Group ${this.count}`,
      description: null,
      source: 'manual',
      externalId: null,
      createdAt: new Date(),
      ...given,
    });
    for (const member of members) await this.member(group, member);
    return group;
  }

  private async member({ id, source }: Group, member: User | Group): Promise<void> {
    const isUser = 'email' in member;
    await this.source.query(
      `INSERT INTO group_edges (group_id, ${isUser ? 'user_id' : 'member_group_id'}, source, created_at)
       VALUES ($1, $2, $3, now())`,
      [id, member.id, source],
    );
    if (!isUser)
      await this.source.query(
        `INSERT INTO group_closure (inner_id, outer_id) SELECT inner_id, $1 FROM group_closure WHERE outer_id = $2
         ON CONFLICT DO NOTHING`,
        [id, member.id],
      );
    this.changed();
  }

  private async save<T extends ObjectLiteral>(entity: EntityTarget<T>, given: Partial<T>): Promise<T> {
    const saved = await this.source.manager.save(entity, given as T);
    this.changed();
    return saved;
  }
}
