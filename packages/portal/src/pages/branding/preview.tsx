import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import { imageUrl } from '../../branding/branding.js';
import { shadesOf } from '../../branding/shades.js';
import type { BrandingSettings } from './use-branding-settings.js';

interface Shown {
  productName: string;
  color: string;
  signInText: string;
}

interface SchemeProps extends Shown {
  name: string;
  logo: string | undefined;
  /** Colors of page, text and links. */
  page: string;
  text: string;
  accent: string;
}

/** Colored directly, because both schemes are on one page. */
const Scheme = ({ name, productName, color, signInText, logo, page, text, accent }: SchemeProps) => (
  <Paper
    withBorder
    p="md"
    component="figure"
    m={0}
    style={{ background: page, color: text }}
    aria-label={name}
  >
    <Stack gap="sm" align="flex-start">
      <Group gap="sm" wrap="nowrap" maw="100%">
        <img className="branding-logo" src={imageUrl(logo ?? 'favicon.svg')} alt="" />
        <Text fw={700} truncate>
          {productName}
        </Text>
      </Group>
      {signInText !== '' && (
        <Text size="sm" className="sign-in-text">
          {signInText}
        </Text>
      )}
      <Group gap="md">
        <span className="branding-button" style={{ background: color, color: '#fff' }}>
          {t('Sign in')}
        </span>
        <span style={{ color: accent, textDecoration: 'underline' }}>{t('Get support')}</span>
      </Group>
    </Stack>
  </Paper>
);

interface Props extends Shown {
  saved: BrandingSettings;
}

/** What the form makes of the sign-in page, before it is saved. */
export function Preview({ saved, ...shown }: Props) {
  const accent = shadesOf(shown.color)[4];
  const logo = saved.logo?.url ?? saved.logo_dark?.url;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Scheme
        {...shown}
        name={t('Preview in light mode')}
        logo={logo}
        page="#fff"
        text="#000"
        accent={shown.color}
      />
      <Scheme
        {...shown}
        name={t('Preview in dark mode')}
        logo={saved.logo_dark?.url ?? logo}
        page="#242424"
        text="#c9c9c9"
        accent={accent}
      />
    </SimpleGrid>
  );
}
