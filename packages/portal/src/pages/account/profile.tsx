import { Button, SimpleGrid, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from 'i18next';
import { roleName } from '../../access/roles.js';
import { Time } from '../../components/time.js';
import { useReturnFocus } from '../../components/use-return-focus.js';
import type { Me } from '../../session/use-session.js';
import { NameForm } from './name-form.js';
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

export function Profile({ me }: { me: Me }) {
  const [isEditing, setEditing] = useState(false);
  const edit = useReturnFocus(isEditing);
  return (
    <Section title={t('Profile')}>
      {isEditing && <NameForm name={me.name} onClose={() => setEditing(false)} />}
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }} spacing="md">
        {!isEditing && <Fact label={t('Name')}>{me.name}</Fact>}
        <Fact label={t('Email')}>{me.email}</Fact>
        <Fact label={t('Role')}>{roleName(me.role)}</Fact>
        <Fact label={t('Member since')}>
          <Time at={me.created_at} />
        </Fact>
      </SimpleGrid>
      {!isEditing && (
        <Button
          ref={edit}
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setEditing(true)}
        >
          {t('Edit name')}
        </Button>
      )}
    </Section>
  );
}
