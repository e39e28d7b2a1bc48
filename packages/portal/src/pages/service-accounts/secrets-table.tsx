import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { t } from 'i18next';
import { Author } from '../../components/author.js';
import { HiddenHeader } from '../../components/hidden-header.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { useExpiresSoon } from './secret-state.js';
import type { Secret } from './use-service-account.js';

const ExpiresSoon = ({ at }: { at: string }) =>
  useExpiresSoon(at) && (
    <Badge color="orange" variant="light">
      {t('Expires soon')}
    </Badge>
  );

interface Props {
  secrets: Secret[];
  onRevoke: (secret: Secret) => void;
}

export const SecretsTable = ({ secrets, onRevoke }: Props) => (
  <WideTable minWidth={480}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Created')}</Table.Th>
          <Table.Th>{t('Last used')}</Table.Th>
          <Table.Th>{t('Expires')}</Table.Th>
          <HiddenHeader label={t('Actions')} className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {secrets.map((secret, index) => (
          <Table.Tr key={secret.id}>
            <Table.Td>
              <Time at={secret.created_at} />
              <Text size="xs" c="dimmed">
                <Author id={secret.created_by} />
              </Text>
            </Table.Td>
            <Table.Td>
              <Time at={secret.last_used_at} />
            </Table.Td>
            <Table.Td>
              <Group gap="xs">
                <Time at={secret.expires_at} />
                <ExpiresSoon at={secret.expires_at} />
              </Group>
            </Table.Td>
            <Table.Td className="row-actions" ta="right">
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={t('Revoke secret {{number}}', { number: index + 1 })}
                onClick={() => onRevoke(secret)}
              >
                {t('Revoke')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
