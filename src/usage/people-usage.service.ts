import { Injectable } from '@nestjs/common';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { GroupsService } from '../access/groups/groups.service.js';
import { membersOf } from '../access/groups/group-closure.queries.js';
import { UsersService } from '../users/users.service.js';
import { GroupUsageDto, type PeopleSummary, PersonUsageDto } from './dto/people-usage.dto.js';
import type { GroupUsageQuery, UsageQuery } from './dto/usage-query.dto.js';
import type { Selection } from './figures.queries.js';
import {
  figuresOfPeople,
  issuedFigures,
  type IssuedFigures,
  type PeopleFigures,
  reportsOfPerson,
} from './people-usage.queries.js';
import { peopleOf } from './people.queries.js';
import { bucketsOf, type Period } from './period.js';
import { UsageAccessService } from './usage-access.service.js';
import { UsagePeopleNotStored } from './usage.errors.js';
import { UsageReportsService } from './usage-reports.service.js';

const MIN_PEOPLE = 5;
const nothing = {
  views: 0,
  viewers: 0,
  admins: 0,
  page_views: 0,
  failures: 0,
  visible_ms: 0,
  last_viewed_at: null,
};

const noneIssued: IssuedFigures = { issued_views: 0, viewers: 0, admins: 0 };

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
  async group(caller: Principal, id: string, query: GroupUsageQuery): Promise<GroupUsageDto> {
    const workspaces = await this.access.requireGroup(caller, id);
    const group = await this.groups.get(id);
    if (!this.config.usage.countsViewers) throw new UsagePeopleNotStored();
    const { manager } = this.database;
    const members = await membersOf(manager, id);
    const { summary, issued } = await this.summarize(members, workspaces, query);
    return GroupUsageDto.of(group, summary, {
      issuedViews: isHiddenTotal(issued, query.exclude_admins) ? null : issued.issued_views,
      isHidden: hiddenAmong(summary, query.exclude_admins),
    });
  }

  /** Throws UsageManagerRequired, UsagePeopleHidden, UserNotFound and UsagePeopleNotStored. */
  async person(caller: Principal, id: string, query: UsageQuery): Promise<PersonUsageDto> {
    const workspaces = await this.access.requirePerson(caller, id);
    const user = await this.users.get(id);
    if (!this.config.usage.identifiesUsers) throw new UsagePeopleNotStored();
    const { summary, issued, selected } = await this.summarize([id], workspaces, query);
    const reports = await reportsOfPerson(this.database.manager, id, selected);
    return PersonUsageDto.of(user, summary, issued.issued_views, reports);
  }

  private async summarize(
    users: readonly string[],
    workspaces: Selection['workspaces'],
    { exclude_admins, ...given }: UsageQuery,
  ) {
    const period = await this.reports.period(given, { isRaw: true });
    const selection = { workspaces, excludesAdmins: exclude_admins };
    const { manager } = this.database;
    const people = await peopleOf(manager, users, period);
    const selected = { people, selection, period, zone: this.config.usage.timeZone };
    const rows = await figuresOfPeople(manager, selected);
    const issued = (await issuedFigures(manager, users, selected)) ?? noneIssued;
    return { selected, issued, summary: summaryOf(rows, period) };
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

type People = Pick<PeopleFigures, 'viewers' | 'admins'>;

/** Numbers of people that must not be between 1 and 4: without admins also that of the admins, whom a comparison reveals. */
const countsIn = (excludesAdmins: boolean): ((figures: People) => number)[] => [
  ({ viewers }) => viewers,
  ...(excludesAdmins ? [({ admins }: People) => admins] : []),
];

/** A total of 0 is hidden, too: it shows that none of the people opened a report. */
const isHiddenTotal = (figures: People, excludesAdmins: boolean): boolean =>
  figures.viewers < MIN_PEOPLE || isSmall(figures, excludesAdmins);

const isSmall = (figures: People, excludesAdmins: boolean): boolean =>
  countsIn(excludesAdmins).some((count) => count(figures) > 0 && count(figures) < MIN_PEOPLE);

/**
 * Hides all figures if fewer than 5 people are in the total, and buckets of 1 to 4 people. The total reveals the sum of the
 * hidden buckets, so that a bucket of at least 5 people is always among them.
 */
function hiddenAmong(
  { total, buckets }: PeopleSummary,
  excludesAdmins: boolean,
): (figures: PeopleFigures) => boolean {
  if (isHiddenTotal(total, excludesAdmins)) return () => true;
  const hidden = new Set<PeopleFigures>(buckets.filter((bucket) => isSmall(bucket, excludesAdmins)));
  for (const count of countsIn(excludesAdmins)) {
    const most = Math.max(0, ...[...hidden].map(count));
    if (most === 0 || most >= MIN_PEOPLE) continue;
    const [next] = buckets
      .filter((bucket) => count(bucket) >= MIN_PEOPLE)
      .toSorted((a, b) => count(a) - count(b));
    if (next !== undefined) hidden.add(next);
  }
  return (figures) => hidden.has(figures);
}
