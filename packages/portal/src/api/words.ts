import type { ProblemCode, ProblemError } from './problem.js';

/** What a person reads for a code, where its title and detail would not do. The rest show what the service says. */
const words: Partial<Record<ProblemCode, { title: string; advice?: string }>> = {
  unreachable: {
    title: 'Vitrine cannot be reached',
    advice: 'Check your connection. Nothing that you entered here is lost.',
  },
  unexpected_answer: {
    title: 'Something between you and Vitrine answered',
    advice:
      'A proxy or a sign-in page of your network may be in the way. Try again, or ask your administrator.',
  },
  authentication_required: { title: 'Your session has ended', advice: 'Sign in again to go on.' },
  access_denied: {
    title: 'You may not do this',
    advice: 'Ask an administrator or a manager of the workspace.',
  },
  invalid_credentials: {
    title: 'The e-mail or the password is wrong',
    advice: 'After a few wrong tries you have to wait. Forgotten passwords can be replaced by mail.',
  },
  invalid_refresh_token: { title: 'Your session has ended', advice: 'Sign in again to go on.' },
  password_sign_in_disabled: {
    title: 'Nobody signs in by password here',
    advice: 'Sign in with your organisation.',
  },
  sign_in_refused: { title: 'You were not let in' },
  sign_in_interrupted: {
    title: 'This sign-in could not be finished',
    advice: 'It took too long, was begun in another window, or was opened twice. Start again.',
  },
  invalid_login_code: {
    title: 'This sign-in could not be finished',
    advice: 'It took too long, or was used already. Start again.',
  },
  identity_taken: {
    title: 'Your sign-in belongs to another account',
    advice: 'The invitation is for somebody else. Ask whoever invited you, or an administrator.',
  },
  provider_unavailable: {
    title: 'The sign-in of your organisation does not answer',
    advice: 'Try again in a moment.',
  },
  platform_sign_in_missing: {
    title: 'There is no sign-in with an organisation here',
    advice: 'Sign in with e-mail and password.',
  },
  invalid_return_address: {
    title: 'Vitrine does not know itself by this address',
    advice: 'Open it by the address that your administrator gave you.',
  },
  cross_site_request: {
    title: 'Vitrine does not know itself by this address',
    advice: 'Open it by the address that your administrator gave you.',
  },
  invalid_invitation: {
    title: 'This invitation link is not valid',
    advice: 'Open the link of the newest mail, whole. An older one stops working when a new one is sent.',
  },
  invitation_accepted: {
    title: 'This invitation was accepted already',
    advice: 'The account is there: sign in with it.',
  },
  invitation_expired: {
    title: 'This invitation has expired',
    advice: 'Ask whoever invited you to send it once more.',
  },
  invitation_revoked: {
    title: 'This invitation was taken back',
    advice: 'Ask whoever invited you.',
  },
  invalid_password_reset: {
    title: 'This link is not valid any more',
    advice: 'It works once, for 30 minutes, and only the newest does. Ask for a new one.',
  },
  wrong_password: { title: 'This is not your current password' },
  password_rejected: { title: 'Choose another password' },
  session_not_found: { title: 'This session is over already', advice: 'There is nothing left to end.' },
  rate_limited: { title: 'That was too often', advice: 'Wait a little before you try again.' },
  internal_error: {
    title: 'Something went wrong in Vitrine',
    advice: 'Try again. If it stays so, give your administrator the request number below.',
  },
  service_unavailable: { title: 'Vitrine is busy or restarting', advice: 'Try again in a moment.' },
  database_unavailable: { title: 'Vitrine cannot reach its database', advice: 'Try again in a moment.' },
  power_bi_unavailable: {
    title: 'Power BI does not answer right now',
    advice: 'Lists keep working; reports open again when Power BI is back.',
  },
  power_bi_throttled: {
    title: 'Power BI asks us to wait',
    advice: 'Too much was asked of it. Try again shortly.',
  },
  power_bi_access_denied: {
    title: 'Power BI does not let Vitrine show this report',
    advice: 'An administrator has to give Vitrine more rights in the workspace in Power BI.',
  },
  power_bi_report_missing: {
    title: 'This report is gone from Power BI',
    advice: 'It was deleted or moved there. It disappears here with the next sync.',
  },
  power_bi_request_refused: {
    title: 'Power BI refuses to show this report',
    advice: 'An administrator can find out why.',
  },
  power_bi_capacity_exhausted: {
    title: 'Power BI shows no more reports of this workspace for now',
    advice: 'Its capacity is used up. An administrator has to move the workspace to a larger one.',
  },
  report_not_embeddable: {
    title: 'This report cannot be shown here',
    advice: 'Power BI names no address for it. An administrator can find out why.',
  },
  report_not_found: {
    title: 'There is no such report for you',
    advice: 'It may have been removed, or you may have no access to its workspace.',
  },
  workspace_not_found: {
    title: 'There is no such workspace for you',
    advice: 'It may have been removed, or you may have no access to it.',
  },
  user_not_found: { title: 'There is no such person', advice: 'They may have been erased.' },
  last_admin: {
    title: 'This is the last active admin',
    advice: 'Make somebody else an admin first: otherwise nobody could manage Vitrine.',
  },
  user_disabled: {
    title: 'This person is disabled',
    advice: 'Only an administrator can bring them back: by enabling them, or by inviting them.',
  },
  already_has_access: {
    title: 'Nothing to do',
    advice: 'This person has an account and all of that access already.',
  },
  invitation_not_pending: {
    title: 'This invitation is not open any more',
    advice: 'It was accepted or revoked in the meantime.',
  },
  invitation_not_found: {
    title: 'There is no such invitation for you',
    advice: 'It may not be yours to manage any more.',
  },
  member_not_found: {
    title: 'The user has no manual grant here',
    advice: 'Grants from the identity provider change only there.',
  },
  grant_not_found: {
    title: 'The grant no longer exists',
    advice: 'It was removed or has expired. Grants from the identity provider change only there.',
  },
  group_not_found: { title: 'Group not found', advice: 'It may have been deleted.' },
  group_member_not_found: {
    title: 'The member is no longer in this group',
    advice: 'They may have been removed in the meantime.',
  },
  group_name_taken: { title: 'A group with this name exists', advice: 'Choose another name.' },
  group_managed_elsewhere: {
    title: 'The group is managed by your identity provider',
    advice: 'Change its members there.',
  },
  group_cycle: {
    title: 'A group cannot contain itself',
    advice: 'The group that you add already contains this group, directly or through other groups.',
  },
  group_too_deep: { title: 'Too many nested groups', advice: 'Groups can be nested at most 10 levels deep.' },
  too_many_secrets: {
    title: 'There are two secrets already',
    advice: 'Revoke the one that is not in use any more, then make another.',
  },
  service_account_not_found: {
    title: 'There is no such service account',
    advice: 'It may have been deleted.',
  },
  embed_access_revoked: {
    title: 'Your access to this report was revoked',
    advice: 'Ask an administrator if you think that this is wrong.',
  },
  power_bi_identity_required: {
    title: 'This report needs to know who you are',
    advice: 'An administrator has to set an identity policy for its dataset.',
  },
  power_bi_identity_refused: {
    title: 'Power BI does not take your identity for this report',
    advice: 'An administrator has to correct the identity policy of its dataset.',
  },
};

export interface Words {
  title: string;
  /** Whole sentences. */
  text: string;
  /** When to try again, as it is now. */
  wait?: string;
}

const inWords = (seconds: number): string => {
  if (seconds === 1) return '1 second';
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
};

/** A failure as a person should read it. */
export function wordsOf(problem: ProblemError): Words {
  const known = words[problem.code];
  const title = known?.title ?? problem.problem?.title ?? 'This did not work';
  const text = known?.advice ?? problem.message;
  const { secondsLeft } = problem;
  if (secondsLeft === undefined) return { title, text };
  return {
    title,
    text,
    wait: secondsLeft === 0 ? 'You can try again now.' : `Try again in ${inWords(secondsLeft)}.`,
  };
}
