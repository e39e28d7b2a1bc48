import { ActionIcon, Anchor, Code, CopyButton, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { exactly } from '../../components/time.js';
import type { AuditEvent } from './audit-texts.js';
import { detailsOf } from './details.js';
import { ActorName, Linked, TargetName } from './names.js';

const Copy = ({ value, label }: { value: string; label: string }) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? t('Copied') : label}>
        <ActionIcon variant="subtle" aria-label={copied ? t('Copied') : label} onClick={copy}>
          {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

const More = ({ to, children }: { to: string; children: ReactNode }) => (
  <Anchor component={Link} to={to} size="xs">
    {children}
  </Anchor>
);

function Actor({ actor }: Pick<AuditEvent, 'actor'>) {
  if (actor === null) return <ActorName actor={actor} />;
  return (
    <Group gap="xs">
      <span>
        {actor.removed ? (
          <ActorName actor={actor} />
        ) : (
          <Linked type={actor.type} id={actor.id}>
            <ActorName actor={actor} />
          </Linked>
        )}
        {actor.email !== null && ` (${actor.email})`}
      </span>
      <More to={`?actor_id=${actor.id}`}>{t('View all activity')}</More>
    </Group>
  );
}

const Target = ({ target }: { target: NonNullable<AuditEvent['target']> }) => (
  <Group gap="xs">
    <Linked type={target.type} id={target.id}>
      <TargetName target={target} />
    </Linked>
    <More to={`?target_type=${target.type}&target_id=${target.id}`}>
      {t('View all events for this target')}
    </More>
  </Group>
);

const Address = ({ ip }: { ip: string }) => (
  <Group gap="xs">
    <span>{ip}</span>
    <More to={`?ip=${encodeURIComponent(ip)}`}>{t('View all events from this address')}</More>
  </Group>
);

const Request = ({ id }: { id: string }) => (
  <Group gap="xs">
    <Code style={{ overflowWrap: 'anywhere' }}>{id}</Code>
    <Copy value={id} label={t('Copy request ID')} />
    <More to={`?request_id=${encodeURIComponent(id)}`}>{t('View all events of this request')}</More>
  </Group>
);

function factsOf({
  at,
  actor,
  target,
  ip,
  user_agent,
  request_id,
  details,
}: AuditEvent): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [
    [t('Time'), exactly(at)],
    [t('Actor'), <Actor actor={actor} />],
  ];
  if (target !== null) facts.push([t('Target'), <Target target={target} />]);
  facts.push(...detailsOf(details));
  if (ip !== null) facts.push([t('IP address'), <Address ip={ip} />]);
  if (user_agent !== null) facts.push([t('User agent'), user_agent]);
  if (request_id !== null) facts.push([t('Request ID'), <Request id={request_id} />]);
  return facts;
}

/** All details of one event. */
export const EventDetails = ({ event }: { event: AuditEvent }) => (
  <Table variant="vertical" layout="fixed" withTableBorder>
    <Table.Tbody>
      {factsOf(event).map(([name, value]) => (
        <Table.Tr key={name}>
          <Table.Th w={{ base: 110, sm: 170 }}>{name}</Table.Th>
          <Table.Td>
            <Text component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
