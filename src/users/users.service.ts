import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Audit } from '../audit/audit.service.js';
import { Clock } from '../common/clock.js';
import { Cursors } from '../common/cursors.js';
import { fetchPage, likePattern, type Page } from '../common/pagination.js';
import type { PlatformRole } from '../common/principal.js';
import { ListUsersQuery, userSortKeys } from './dto/list-users.dto.js';
import { canonicalEmail } from './email.js';
import { User } from './user.entity.js';
import { UserNotFound } from './users.errors.js';

interface NewUser {
  email: string;
  name: string;
  role: PlatformRole;
  passwordHash: string | null;
}

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  async list({ status, role, ...page }: ListUsersQuery): Promise<Page<User>> {
    const query = this.users.createQueryBuilder('user');
    if (status !== undefined) query.andWhere('user.status = :status', { status });
    if (role !== undefined) query.andWhere('user.role = :role', { role });
    if (page.q !== undefined) {
      query.andWhere('(user.name ILIKE :q OR user.email ILIKE :q)', { q: likePattern(page.q) });
    }
    return fetchPage(query, { ...page, keys: userSortKeys, filters: { status, role } }, this.cursors);
  }

  /** Throws UserNotFound. Within a transaction it sees what that transaction did. */
  async get(id: string, tx?: EntityManager): Promise<User> {
    const users = tx?.getRepository(User) ?? this.users;
    const user = await users.findOneBy({ id });
    if (user === null) throw new UserNotFound();
    return user;
  }

  /** Within a transaction it sees what that transaction did. */
  findByEmail(email: string, tx?: EntityManager): Promise<User | null> {
    const users = tx?.getRepository(User) ?? this.users;
    return users.findOneBy({ email: canonicalEmail(email) });
  }

  /** With the password hash, which nothing else reads. */
  findForSignIn(email: string): Promise<User | null> {
    return this.users
      .createQueryBuilder('user')
      .addSelect('user.passwordHash')
      .where('user.email = :email', { email: canonicalEmail(email) })
      .getOne();
  }

  async create(tx: EntityManager, { email, ...user }: NewUser): Promise<User> {
    const created = tx.create(User, {
      id: uuidv7(),
      email: canonicalEmail(email),
      ...user,
      status: 'active',
      attributes: {},
      createdAt: this.clock.now(),
      lastSignInAt: null,
    });
    await tx.insert(User, created);
    await this.audit.record(tx, {
      action: 'user_created',
      actorId: created.id,
      target: { type: 'user', id: created.id },
      details: { role: created.role },
    });
    return created;
  }

  async signedIn(tx: EntityManager, id: string, renewedHash?: string): Promise<void> {
    const changes = { lastSignInAt: this.clock.now(), ...(renewedHash && { passwordHash: renewedHash }) };
    await tx.update(User, { id }, changes);
  }
}
