import { Text } from '@mantine/core';
import { t } from 'i18next';
import { Section } from './section.js';

/** Instead of the password form. */
export const ManagedSignIn = () => (
  <Section title={t('Organization sign-in')}>
    <Text>{t("Your organization manages your sign-in. You don't have a password in this portal.")}</Text>
  </Section>
);
