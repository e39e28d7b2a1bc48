import { Injectable } from '@nestjs/common';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { GroupsService } from '../groups/groups.service.js';
import { membersOf } from '../groups/group-closure.queries.js';
import { UsersService } from '../users/users.service.js';
import { GroupUsageDto, type PeopleSummary, PersonUsageDto } from './dto/people-usage.dto.js';
import type { UsageQuery } from './dto/usage-query.dto.js';
import type { Selection } from './figures.queries.js';
import { figuresOfPeople, type PeopleFigures, reportsOfPerson } from './people-usage.queries.js';
import { numbersOf } from './people.queries.js';
import { bucketsOf, type Period } from './period.js';
import { UsageAccessService } from './usage-access.service.js';
import { UsagePeopleNotStored } from './usage.errors.js';
import { UsageReportsService } from './usage-reports.service.js';

const MIN_PEOPLE = 5;
const nothing = { views: 0, viewers: 0, page_views: 0, failures: 0, visible_ms: 0, last_viewed_at: null };

/** Usage by people and groups, from single views. */
@Injectable()
export class PeopleUsageService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly access: UsageAccessService,
    private readonly reports: UsageReportsService,
    private readonly groups: GroupsService,
    private readonly users: UsersService,
  ) {}

  /** Throws UsageManagerRequired, GroupNotFound and UsagePeopleNotStored. */
  async group(caller: Principal, id: string, query: UsageQuery): Promise<GroupUsageDto> {
    const workspaces = await this.access.requireGroup(caller, id);
    const group = await this.groups.get(id);
    if (this.config.usage.people === 'off') throw new UsagePeopleNotStored();
    const { manager } = this.database;
    const numbers = await numbersOf(manager, await membersOf(manager, id));
    const { summary } = await this.summarize(numbers, workspaces, query);
    return GroupUsageDto.of(group, summary, hiddenAmong(summary));
  }

  /** Throws UsageManagerRequired, UsagePeopleHidden, UserNotFound and UsagePeopleNotStored. */
  async person(caller: Principal, id: string, query: UsageQuery): Promise<PersonUsageDto> {
    const workspaces = await this.access.requirePerson(caller, id);
    const user = await this.users.get(id);
    if (this.config.usage.people !== 'named') throw new UsagePeopleNotStored();
    const numbers = await numbersOf(this.database.manager, [id]);
    const { summary, people } = await this.summarize(numbers, workspaces, query);
    return PersonUsageDto.of(user, summary, await reportsOfPerson(this.database.manager, people));
  }

  private async summarize(
    numbers: readonly number[],
    workspaces: Selection['workspaces'],
    { exclude_admins, ...given }: UsageQuery,
  ) {
    const period = await this.reports.period(given, { isRaw: true });
    const selection = { workspaces, excludesAdmins: exclude_admins };
    const people = { numbers, selection, period, zone: this.config.usage.timeZone };
    const rows = await figuresOfPeople(this.database.manager, people);
    return { people, summary: summaryOf(rows, period) };
  }
}

function summaryOf(rows: readonly PeopleFigures[], period: Period): PeopleSummary {
  const keyOf = (start: string | Date | null): string | undefined =>
    start instanceof Date ? start.toISOString() : (start ?? undefined);
  const found = new Map(rows.map((row) => [keyOf(row.start), row]));
  const starts =
    period.bucket === 'hour' ? [...found.keys()].filter((key) => key !== undefined) : bucketsOf(period);
  return {
    period,
    total: found.get(undefined) ?? { start: null, ...nothing },
    buckets: starts.toSorted().map((start) => ({ ...(found.get(start) ?? nothing), start })),
  };
}

/**
 * Hides figures of fewer than 5 people. If they are those of a single bucket, the smallest other one is hidden too: otherwise the
 * total would show them.
 */
function hiddenAmong({ total, buckets }: PeopleSummary): (figures: PeopleFigures) => boolean {
  const isSmall = ({ viewers }: PeopleFigures): boolean => viewers > 0 && viewers < MIN_PEOPLE;
  const hidden = new Set(buckets.filter(isSmall));
  if (hidden.size === 1) {
    const [next] = buckets
      .filter(({ viewers }) => viewers >= MIN_PEOPLE)
      .toSorted((a, b) => a.viewers - b.viewers);
    if (next !== undefined) hidden.add(next);
  }
  return (figures) =>
    figures === total ? isSmall(total) : hidden.has(figures as PeopleSummary['buckets'][number]);
}
