import { Alert, Button, CopyButton, Stack, Text } from '@mantine/core';
import type { BulkLine } from './bulk-run.js';

/** Where no mail server is configured the links have to be carried by hand, and are known now only. */
export function CopyLinks({ lines }: { lines: BulkLine[] }) {
  const links = lines.flatMap(({ email, link }) => (link === undefined ? [] : [`${email}\t${link}`]));
  if (links.length === 0) return null;
  return (
    <Alert color="blue" variant="light" title="No mail server is configured">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Hand the links on yourself. Each works once, for 72 hours, and is shown only now.
        </Text>
        <CopyButton value={links.join('\n')} timeout={3000}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy all addresses and links'}
            </Button>
          )}
        </CopyButton>
      </Stack>
    </Alert>
  );
}
