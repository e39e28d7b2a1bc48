import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { TimesService } from '../core/database/times.service.js';
import type { Principal } from '../core/http/principal.js';
import { databaseProblem } from '../core/problems/database-problem.js';
import { Problem, problem } from '../core/problems/problem.js';
import { canonicalEmail, cleanAddress, isEmailAddress } from '../core/validation/email-address.js';
import { validationPipe } from '../core/validation/validation.js';
import type { WorkspaceRole } from '../access/grants/grant.js';
import { lockGroups } from '../access/groups/groups.queries.js';
import { findIdsByEmail, lockUsers } from '../users/users.queries.js';
import { lockWorkspaces } from '../workspaces/workspaces.queries.js';
import type {
  BulkInvitationDto,
  BulkInviteDto,
  ListedUserDto,
  ResentInvitationListDto,
} from './dto/bulk-invite.dto.js';
import type { Invitation } from './invitation.entity.js';
import { InvitationDto } from './dto/invitation.dto.js';
import { InviteUserDto } from './dto/invite-user.dto.js';
import { MAIL_INTERVAL_SECONDS } from './invitation-issuance.service.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { lockAddresses, lockOpenFor } from './invitations.queries.js';
import { InvitationsService } from './invitations.service.js';
import { PendingInvitationsService } from './pending-invitations.service.js';
import type { Access } from './pending-access.queries.js';

/** Below the shortest deadline of a request. Later lines are not started, so that the response lists those that are done. */
const BUDGET_SECONDS = 8;
const MAX_RESENT = 500;

class NotStarted extends problem('service_unavailable', 'The list takes too long. Send this line again.', {
  retryAfter: 1,
}) {}

type ListAccess = Omit<BulkInviteDto, 'users'>;

const withRole = (access: ListAccess, role: WorkspaceRole): ListAccess => ({
  ...access,
  workspaces: access.workspaces.map((grant) => ({ ...grant, role })),
  reports: access.reports.map((grant) => ({ ...grant, role: role === 'manager' ? 'editor' : role })),
});

/** Invites many users to the same access, and resends many invitations. */
@Injectable()
export class BulkInvitationsService {
  private readonly pipe = validationPipe();

  constructor(
    private readonly invitations: InvitationsService,
    private readonly pending: PendingInvitationsService,
    private readonly rights: InvitationRightsService,
    private readonly database: DatabaseService,
    private readonly clock: Clock,
    private readonly times: TimesService,
  ) {}

  /**
   * Each line is a transaction of its own (a savepoint if the request has an idempotency key), and its failure is its
   * result. Throws as `InvitationRightsService.check` does if the caller may not give the access to anyone.
   */
  async invite(caller: Principal, { users, ...access }: BulkInviteDto): Promise<BulkInvitationDto[]> {
    const checked = await this.rights.check(caller, access.role, access);
    if (this.database.isJoined) await this.lockAll(caller, users, checked);
    const end = this.clock.in(BUDGET_SECONDS);
    const results: BulkInvitationDto[] = [];
    for (const user of users) {
      const isInTime = this.clock.now() < end;
      results.push(await this.resultOf(user.email, () => this.inviteOne(caller, user, access, isInTime)));
    }
    return results;
  }

  /**
   * Each invitation is a transaction of its own. Leaves out those that can no longer be accepted. Ends with the first other
   * failure, which is its result, because of the limit of mails. No result means that no invitation is left: the time ends it only
   * after the first one, before that the deadline of the request.
   */
  async resend(caller: Principal, before?: string): Promise<ResentInvitationListDto> {
    const end = this.clock.in(BUDGET_SECONDS);
    const mailedBefore = await this.mailedBefore(before);
    const results: BulkInvitationDto[] = [];
    const resent: ResentInvitationListDto = { results, mailed_before: mailedBefore };
    let last: Invitation | undefined;
    do {
      const found = await this.pending.findResendable(
        caller,
        mailedBefore,
        MAX_RESENT - results.length,
        last,
      );
      last = found.at(-1);
      for (const { id, email } of found) {
        const isOver = results.length > 0 && this.clock.now() >= end;
        if (isOver || results.at(-1)?.problem !== undefined) return resent;
        const result = await this.resultOf(email, () => this.resendOne(caller, id));
        if (result.problem?.code !== 'invitation_not_pending') results.push(result);
      }
    } while (last !== undefined && results.length < MAX_RESENT);
    return resent;
  }

  /** The given time, at most one minute ago. */
  private async mailedBefore(given: string | undefined): Promise<Date> {
    const latest = this.clock.in(-MAIL_INTERVAL_SECONDS);
    const time = given === undefined ? latest : await this.times.startOf(given);
    return time < latest ? time : latest;
  }

  private async resendOne(caller: Principal, id: string): Promise<Omit<BulkInvitationDto, 'email'>> {
    const resent = await this.pending.resend(caller, id, { isBulk: true });
    return { invitation: InvitationDto.from(resent, this.clock.now()), created: false };
  }

  /** Takes the locks of all valid lines in the documented order, because one transaction then holds them. */
  private lockAll(
    caller: Principal,
    users: readonly ListedUserDto[],
    { grants, groups }: Access,
  ): Promise<void> {
    const addresses = users.map(({ email }) => cleanAddress(email));
    const emails = addresses.filter((address) => isEmailAddress(address)).map(canonicalEmail);
    return this.database.transaction(async (tx) => {
      await lockAddresses(tx, emails);
      await lockGroups(tx, groups);
      const workspaces = grants.map(({ workspaceId }) => workspaceId);
      if (caller.role !== 'admin') await lockWorkspaces(tx, workspaces);
      const ids = await findIdsByEmail(tx, emails);
      await lockUsers(tx, ids, groups.length > 0 ? 'NO KEY UPDATE' : 'KEY SHARE');
      await lockOpenFor(tx, emails);
    });
  }

  private async inviteOne(
    caller: Principal,
    { role, ...user }: ListedUserDto,
    access: ListAccess,
    isInTime: boolean,
  ): Promise<Omit<BulkInvitationDto, 'email'>> {
    if (!isInTime) throw new NotStarted();
    const metadata = { type: 'body', metatype: InviteUserDto } as const;
    const { email, name } = (await this.pipe.transform({ ...user }, metadata)) as InviteUserDto;
    const given = role === undefined ? access : withRole(access, role);
    const invited = await this.invitations.invite(caller, { ...given, email, name }, { isBulk: true });
    return {
      invitation: InvitationDto.from(invited, this.clock.now()),
      created: invited.created === true,
    };
  }

  private async resultOf(
    email: string,
    work: () => Promise<Omit<BulkInvitationDto, 'email'>>,
  ): Promise<BulkInvitationDto> {
    try {
      return { email, ...(await work()) };
    } catch (error) {
      const problem = error instanceof Problem ? error : databaseProblem(error);
      if (problem === undefined) throw error;
      const { code, errors, retryAfter } = problem;
      const detail = errors?.map((each) => each.detail).join('; ') ?? problem.detail;
      return {
        email,
        problem: { code, detail, ...(retryAfter !== undefined && { retry_after: retryAfter }) },
      };
    }
  }
}
