import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { brandingNow } from '../branding/branding.js';
import { lastFailure } from './last-failure.js';
import { Dialog } from '../components/dialog.js';

/** The address of this page, without the secrets of links and of a sign-in. */
function address(): string {
  const url = new URL(location.href);
  url.hash = '';
  for (const name of ['code', 'state']) url.searchParams.delete(name);
  return url.href;
}

/** What support needs. */
function details(): string {
  const failure = lastFailure();
  const lines = [
    [t('Page'), address()],
    [t('Time'), new Date().toISOString()],
    ...(failure === undefined
      ? []
      : [
          [t('Last error'), `${failure.code} (${failure.at.toISOString()})`],
          [t('Request ID'), failure.requestId],
        ]),
    [t('Browser'), navigator.userAgent],
  ];
  return lines.map(([label, value]) => `${label}: ${value}`).join('\n');
}

/** The support link, with the details if it is an address for email. */
function supportOf(url: string | null, text: string): { lead: string; action?: string; href?: string } {
  if (url === null)
    return { lead: t('Describe to your administrator what happened, and add these details.') };
  if (!/^mailto:/i.test(url))
    return {
      lead: t('Describe to support what happened, and add these details.'),
      action: t('Get support'),
      href: url,
    };
  const [address, subject] = url.split('?');
  const { productName } = brandingNow();
  const fields = [
    subject ?? `subject=${encodeURIComponent(t('Problem with {{product}}', { product: productName }))}`,
    `body=${encodeURIComponent(`${t('What happened:')}\n\n\n${text}`.replaceAll('\n', '\r\n'))}`,
  ];
  return {
    lead: t('Describe to support what happened. The email contains these details.'),
    action: t('Write email'),
    href: `${address}?${fields.join('&')}`,
  };
}

/** Shows what a report of a problem needs, to send or to copy. */
export default function ReportProblemDialog({ onClose }: { onClose: () => void }) {
  const [text] = useState(details);
  const { lead, action, href } = supportOf(brandingNow().supportUrl, text);
  return (
    <Dialog onClose={onClose} title={t('Report a problem')}>
      <Stack>
        <Text size="sm">{lead}</Text>
        <Code
          block
          tabIndex={0}
          role="region"
          aria-label={t('Details')}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {text}
        </Code>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <CopyButton value={text} timeout={3000}>
            {({ copied, copy }) => (
              <Button variant={href === undefined ? 'filled' : 'default'} onClick={copy}>
                {copied ? t('Copied') : t('Copy details')}
              </Button>
            )}
          </CopyButton>
          {href !== undefined && (
            <Button component="a" href={href} target="_blank" rel="noopener noreferrer">
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
