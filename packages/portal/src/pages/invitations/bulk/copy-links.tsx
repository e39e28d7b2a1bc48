import { Alert, Button, CopyButton, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import { unsent } from '../invitation-texts.js';
import type { BulkLine } from './bulk-run.js';

/** Without a mail server the links must be shared manually. They are shown only now, and only to admins. */
export function CopyLinks({ lines }: { lines: BulkLine[] }) {
  const links = lines.flatMap(({ email, link }) => (link === undefined ? [] : [`${email}\t${link}`]));
  if (links.length === 0)
    return (
      lines.some(({ isUnsent }) => isUnsent) && (
        <Alert color="orange" variant="light" role="status">
          {t(unsent)}
        </Alert>
      )
    );
  return (
    <Alert color="blue" variant="light" title={t('No mail server is configured')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t(
            "Share the links with the users. Each link can be used once, is valid for 72 hours and won't be shown again.",
          )}
        </Text>
        <CopyButton value={links.join('\n')} timeout={3000}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? t('Copied') : t('Copy all email addresses and links')}
            </Button>
          )}
        </CopyButton>
      </Stack>
    </Alert>
  );
}
