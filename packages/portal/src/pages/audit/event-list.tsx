import { Accordion, Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Time } from '../../components/time.js';
import { actionWords, type AuditEvent, outcomeWords } from './audit-words.js';
import { EventDetails } from './event-details.js';
import { ActorName, TargetName } from './names.js';

const Summary = ({ event: { at, action, outcome, actor, target } }: { event: AuditEvent }) => (
  <Group justify="space-between" gap="xs" pr="xs">
    <div>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {actionWords[action]}
        </Text>
        {outcome !== 'allowed' && (
          <Badge size="sm" variant="light" color={outcomeWords[outcome].color} miw="max-content">
            {outcomeWords[outcome].label}
          </Badge>
        )}
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <ActorName actor={actor} />
        {target !== null && target.type !== 'session' && (
          <>
            {' · '}
            <TargetName target={target} />
          </>
        )}
      </Text>
    </div>
    <Time at={at} />
  </Group>
);

/** Events, each opening to what is written of it. */
export function EventList({ events }: { events: AuditEvent[] }) {
  const [opened, setOpened] = useState<string[]>([]);
  return (
    <Accordion multiple variant="contained" value={opened} onChange={setOpened} chevronPosition="left">
      {events.map((event) => (
        <Accordion.Item key={event.id} value={event.id}>
          <Accordion.Control>
            <Summary event={event} />
          </Accordion.Control>
          <Accordion.Panel>{opened.includes(event.id) && <EventDetails event={event} />}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
