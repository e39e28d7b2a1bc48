import { Command, InvalidArgumentError, Option } from 'commander';
import { Clock } from '../core/clock.js';
import { JobsService } from '../jobs/jobs.service.js';
import { InvitationDto } from '../invitations/dto/invitation.dto.js';
import { InviteUserDto } from '../invitations/dto/invite-user.dto.js';
import { InvitationsService } from '../invitations/invitations.service.js';
import { print } from './output.js';
import { validated, withService } from './service.js';
import { systemActor } from './system-actor.js';

interface Grant {
  workspace_id: string;
  role: string;
}

interface Options {
  json: boolean;
  name?: string;
  role: string;
  workspace: Grant[];
}

function grantOf(given: string, before: Grant[]): Grant[] {
  const [workspace_id = '', role = 'viewer', ...rest] = given.split(':');
  if (rest.length > 0) throw new InvalidArgumentError('Use <workspace id> or <workspace id>:<role>.');
  return [...before, { workspace_id, role }];
}

export const inviteCommand = new Command('invite')
  .description('Invites a user, or grants the workspaces to an existing user; the service sends the email')
  .argument('<email>')
  .option('--name <name>')
  .addOption(new Option('--role <role>', 'platform role').choices(['admin', 'member']).default('member'))
  .option('--workspace <id[:role]>', 'repeatable; the role is viewer, editor or manager', grantOf, [])
  .action((email: string, _: object, command: Command) =>
    withService(async (app) => {
      const { json, name, role, workspace: workspaces } = command.optsWithGlobals<Options>();
      const body = await validated({ email, name, role, workspaces }, InviteUserDto);
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
