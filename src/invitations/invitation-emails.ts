import type { EmailContent } from '../mail/email-template.js';

const greetingFor = (name: string | null): string => (name === null ? 'Hello,' : `Hello ${name},`);

export const linkEmail = (name: string | null, link: string): EmailContent => ({
  subject: 'You are invited',
  paragraphs: [
    greetingFor(name),
    'You are invited to view reports. Choose a password to activate your account.',
  ],
  action: 'Accept invitation',
  link,
  closing:
    'The link can be used once and expires in 72 hours. If you did not expect this invitation, you can ignore this email.',
});

export const accessEmail = (name: string | null, portal: string): EmailContent => ({
  subject: 'You have access to more reports',
  paragraphs: [
    greetingFor(name),
    'You now have access to more workspaces or reports. Open the portal to view them.',
  ],
  action: 'Open the portal',
  link: portal,
  closing: 'Sign in with your existing account.',
});

export const disabledEmail = (name: string | null, portal: string): EmailContent => ({
  subject: 'You are invited to more reports',
  paragraphs: [
    greetingFor(name),
    'You are invited to more workspaces or reports, but your account is disabled. Contact an administrator to enable it.',
  ],
  action: 'Open the portal',
  link: portal,
  closing: 'If you did not expect this invitation, you can ignore this email.',
});
