import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { InvitationDto } from '../invitations/dto/invitation.dto.js';
import { InviteUserDto } from '../invitations/dto/invite-user.dto.js';
import { InvitationsService } from '../invitations/invitations.service.js';
import { action, validated } from './service.js';
import { systemActor } from './system-actor.js';
import { findGroup, findReportId, findWorkspaceId } from './targets.js';

interface Options {
  name?: string;
  role: string;
  workspace: string[];
  report: string[];
  group: string[];
}

/** A name may contain a colon: only a role behind the last one is split off. */
function targetOf(given: string): { target: string; role: string } {
  const [, target = given, role = 'viewer'] = /^(.*):(viewer|editor|manager)$/.exec(given) ?? [];
  return { target, role };
}

/** Replaces the names in the options by ids. */
async function accessOf(app: INestApplicationContext, { workspace, report, group }: Options) {
  return {
    workspaces: await Promise.all(
      workspace.map(targetOf).map(async ({ target, role }) => ({
        workspace_id: await findWorkspaceId(app, target),
        role,
      })),
    ),
    reports: await Promise.all(
      report.map(targetOf).map(async ({ target, role }) => ({
        report_id: await findReportId(app, target),
        role,
      })),
    ),
    groups: (await Promise.all(group.map((each) => findGroup(app, each)))).map(({ id }) => id),
  };
}

export const invite = action(async (app, options: Options, email: string) => {
  const { name, role } = options;
  const body = await validated({ email, name, role, ...(await accessOf(app, options)) }, InviteUserDto);
  await app.get(JobsService).start();
  const invited = await app.get(InvitationsService).invite(await systemActor(app), body);
  const shown = InvitationDto.from(invited, app.get(Clock).now());
  const link = shown.accept_url === undefined ? '' : ` Share this link: ${shown.accept_url}`;
  return [shown, `${shown.email}: invitation ${shown.id} is ${shown.status}, mail ${shown.delivery}.${link}`];
});
