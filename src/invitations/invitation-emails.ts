import type { EmailContent } from '../mail/email-template.js';

const greetingFor = (name: string | null): string => (name === null ? 'Hello,' : `Hello ${name},`);

export const linkEmail = (name: string | null, link: string): EmailContent => ({
  subject: 'You are invited',
  paragraphs: [greetingFor(name), 'You were invited to see reports. Choose a password and you are in.'],
  action: 'Accept the invitation',
  link,
  closing: 'The link works once, for 72 hours. If you did not expect it, ignore this mail.',
});

export const accessEmail = (name: string | null, portal: string): EmailContent => ({
  subject: 'You have access to more workspaces',
  paragraphs: [
    greetingFor(name),
    'You were given access to more workspaces. They are there the next time you look.',
  ],
  action: 'Open the portal',
  link: portal,
  closing: 'Sign in as you always do.',
});

export const disabledEmail = (name: string | null, portal: string): EmailContent => ({
  subject: 'You are invited to more workspaces',
  paragraphs: [
    greetingFor(name),
    'You were invited to more workspaces, but your account is disabled. Ask an administrator to enable it.',
  ],
  action: 'Open the portal',
  link: portal,
  closing: 'If you did not expect it, ignore this mail.',
});
