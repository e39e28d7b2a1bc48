import { Command, InvalidArgumentError, Option } from 'commander';
import { Clock } from '../core/clock.js';
import { JobsService } from '../jobs/jobs.service.js';
import { InvitationDto } from '../invitations/dto/invitation.dto.js';
import { InviteUserDto } from '../invitations/dto/invite-user.dto.js';
import { InvitationsService } from '../invitations/invitations.service.js';
import { print } from './output.js';
import { validated, withService } from './service.js';
import { systemActor } from './system-actor.js';

interface Options {
  json: boolean;
  name?: string;
  role: string;
  workspace: { workspace_id: string; role: string }[];
  report: { report_id: string; role: string }[];
  group: string[];
}

function targetOf(given: string): { id: string; role: string } {
  const [id = '', role = 'viewer', ...rest] = given.split(':');
  if (rest.length > 0) throw new InvalidArgumentError('Use <id> or <id>:<role>.');
  return { id, role };
}

const addWorkspace = (given: string, before: Options['workspace']): Options['workspace'] => {
  const { id, role } = targetOf(given);
  return [...before, { workspace_id: id, role }];
};

const addReport = (given: string, before: Options['report']): Options['report'] => {
  const { id, role } = targetOf(given);
  return [...before, { report_id: id, role }];
};

export const inviteCommand = new Command('invite')
  .description('Invites a user, or gives the access to an existing user; the service sends the email')
  .argument('<email>')
  .option('--name <name>')
  .addOption(new Option('--role <role>', 'platform role').choices(['admin', 'member']).default('member'))
  .option('--workspace <id[:role]>', 'repeatable; the role is viewer, editor or manager', addWorkspace, [])
  .option('--report <id[:role]>', 'repeatable; the role is viewer or editor', addReport, [])
  .option('--group <id>', 'repeatable', (id: string, before: string[]) => [...before, id], [])
  .action((email: string, _: object, command: Command) =>
    withService(async (app) => {
      const { json, name, role, ...given } = command.optsWithGlobals<Options>();
      const access = { workspaces: given.workspace, reports: given.report, groups: given.group };
      const body = await validated({ email, name, role, ...access }, InviteUserDto);
      await app.get(JobsService).start();
      const invited = await app
        .get(InvitationsService, { strict: false })
        .invite(await systemActor(app), body);
      const shown = InvitationDto.from(invited, app.get(Clock).now());
      const link = shown.accept_url === undefined ? '' : ` Share this link: ${shown.accept_url}`;
      print(
        json,
        shown,
        `${shown.email}: invitation ${shown.id} is ${shown.status}, mail ${shown.delivery}.${link}`,
      );
    }),
  );
