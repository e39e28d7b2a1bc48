import './audit.css';
import { Accordion, Badge, Group, Text } from '@mantine/core';
import { memo, useState } from 'react';
import { t } from 'i18next';
import { Time } from '../../components/time.js';
import { actionTexts, type AuditEvent, outcomeColors, outcomeTexts } from './audit-texts.js';
import { EventDetails } from './event-details.js';
import { ActorName, ObjectNames, TargetName } from './names.js';

const Summary = ({ event }: { event: AuditEvent }) => {
  const { at, action, outcome, actor, target } = event;
  return (
    <Group justify="space-between" gap="xs" pr="xs">
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {t(actionTexts[action])}
          </Text>
          {outcome !== 'allowed' && (
            <Badge size="sm" variant="light" color={outcomeColors[outcome]} miw="max-content">
              {t(outcomeTexts[outcome])}
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
          <ObjectNames event={event} />
        </Text>
      </div>
      <Time at={at} />
    </Group>
  );
};

const PAGE = 50;

interface Props {
  events: AuditEvent[];
}

const isSame = (before: Props, { events }: Props): boolean =>
  before.events.length === events.length && before.events.every((event, index) => event === events[index]);

/** An accordion renders all its items whenever one is added or opened: a long list is several of them. */
const EventPage = memo(function EventPage({ events }: Props) {
  const [opened, setOpened] = useState<string[]>([]);
  return (
    <Accordion
      className="event-page"
      multiple
      variant="contained"
      value={opened}
      onChange={setOpened}
      chevronPosition="left"
    >
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
}, isSame);

/** Events that expand to their details. */
export const EventList = ({ events }: Props) => (
  <div>
    {Array.from({ length: Math.ceil(events.length / PAGE) }, (_, page) => (
      <EventPage key={page} events={events.slice(page * PAGE, (page + 1) * PAGE)} />
    ))}
  </div>
);
