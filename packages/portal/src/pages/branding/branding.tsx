import { Button, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { t } from 'i18next';
import { useState } from 'react';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { BrandingForm } from './branding-form.js';
import { ImageField } from './image-field.js';
import { type BrandingSettings, useBrandingSettings, useResetBranding } from './use-branding-settings.js';

const Images = ({ saved }: { saved: BrandingSettings }) => (
  <Section
    title={t('Images')}
    lead={t(
      'PNG, SVG, JPEG, WebP or ICO; at most 256 kB and 2048 × 2048 pixels. Saved as soon as you choose a file.',
    )}
  >
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <ImageField kind="logo" label={t('Logo')} hint={t('For light mode and emails')} url={saved.logo?.url} />
      <ImageField
        kind="logo-dark"
        label={t('Logo for dark mode')}
        hint={t('Without it, the logo is used')}
        url={saved.logo_dark?.url}
      />
      <ImageField
        kind="favicon"
        label={t('Favicon')}
        hint={t('Icon of the browser tab')}
        url={saved.favicon?.url}
      />
    </SimpleGrid>
  </Section>
);

function Reset({ onReset }: { onReset: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const reset = useResetBranding();
  const confirm = (): void =>
    reset.mutate(undefined, {
      onSuccess: () => {
        close();
        onReset();
        notifyDone(t('Branding reset'));
      },
    });
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('Reset to defaults')}
      </Button>
      <Confirm
        title={t('Reset branding?')}
        action={t('Reset to defaults')}
        opened={opened}
        change={reset}
        onConfirm={confirm}
        onClose={close}
      >
        {t('All texts, colours and images are removed. The portal shows its own name and colours again.')}
      </Confirm>
    </>
  );
}

export function Component() {
  const query = useBrandingSettings();
  // A new form after a reset; otherwise it keeps its input, also while an image is uploaded.
  const [resets, setResets] = useState(0);
  return (
    <Page
      title={t('Branding')}
      lead={t('Name, colours and logos of your organization in the portal and in emails.')}
      actions={<Reset onReset={() => setResets(resets + 1)} />}
    >
      <QueryView query={query}>
        {(saved) => (
          <>
            <BrandingForm key={resets} saved={saved} />
            <Images saved={saved} />
          </>
        )}
      </QueryView>
    </Page>
  );
}
