import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Time } from '../../components/time.js';
import { isAdmin, type Me } from '../../session/use-session.js';
import { Section } from './section.js';

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <Text component="dt" size="xs" fw={600}>
      {label}
    </Text>
    <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
);

export const Profile = ({ me }: { me: Me }) => (
  <Section title="You">
    <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }} spacing="md">
      <Fact label="Name">{me.name}</Fact>
      <Fact label="E-mail">{me.email}</Fact>
      <Fact label="Role">{isAdmin(me) ? 'Administrator' : 'Member'}</Fact>
      <Fact label="Here since">
        <Time at={me.created_at} />
      </Fact>
    </SimpleGrid>
  </Section>
);
