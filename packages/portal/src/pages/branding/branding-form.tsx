import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from 'i18next';
import { ProblemError } from '../../api/problem.js';
import { contrast } from '../../branding/shades.js';
import { changesIn, showSaved } from '../../components/changes-in.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { formatDecimal } from '../../i18n/format.js';
import { Preview } from './preview.js';
import { type BrandingSettings, type BrandingValues, useSaveBranding } from './use-branding-settings.js';

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);
/** As the service requires, on the background of the light page. */
const isAccepted = (text: string): boolean => isColor(text) && contrast(text, '#f8f9fa') >= 4.5;
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
const fields = ['product_name', 'primary_color', 'sign_in_text', 'support_url', 'sender_name'];

const valuesOf = (saved: BrandingSettings) => ({
  product_name: saved.product_name,
  primary_color: saved.primary_color,
  sign_in_text: saved.sign_in_text ?? '',
  support_url: saved.support_url ?? '',
  sender_name: saved.sender_name ?? '',
});

const contrastOf = (color: string): string =>
  isColor(color)
    ? t('White text on it has a contrast of {{ratio}}:1; 4.5:1 is required.', {
        ratio: formatDecimal(Math.floor(contrast('#ffffff', color) * 10) / 10),
      })
    : t('A colour as #rrggbb');

export function BrandingForm({ saved }: { saved: BrandingSettings }) {
  const save = useSaveBranding();
  const form = useForm({ initialValues: valuesOf(saved) });
  const errorOf = (field: string) => (save.error instanceof ProblemError ? save.error.of(field) : undefined);
  const isFieldError = fields.some((field) => errorOf(field) !== undefined);
  const { values } = form;
  const submit = form.onSubmit(() => {
    const changes = Object.entries(changesIn(form)).map(([field, text]) => [field, orNull(text)]);
    save.mutate(Object.fromEntries(changes) as BrandingValues, {
      onSuccess: (next) => {
        showSaved(form, values, valuesOf(next));
        notifyDone(t('Branding saved'));
      },
    });
  });
  const props = (field: keyof typeof values) => ({ ...form.getInputProps(field), error: errorOf(field) });
  return (
    <Section title={t('Appearance')} lead={t('Shown to everyone, also before sign-in, and in emails.')}>
      <form onSubmit={submit}>
        <Stack>
          {save.error !== null && !isFieldError && <ProblemAlert error={save.error} />}
          <TextInput label={t('Product name')} maxLength={60} {...props('product_name')} />
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t('Primary colour')}
              description={contrastOf(values.primary_color)}
              maxLength={7}
              flex={1}
              {...props('primary_color')}
            />
            <input
              type="color"
              className="branding-color"
              aria-label={t('Choose the primary colour')}
              value={isColor(values.primary_color) ? values.primary_color.toLowerCase() : '#000000'}
              onChange={({ currentTarget }) => form.setFieldValue('primary_color', currentTarget.value)}
            />
          </Group>
          <Textarea
            label={t('Sign-in text')}
            description={t('One paragraph on the sign-in page, such as which account to use.')}
            autosize
            maxLength={500}
            {...props('sign_in_text')}
          />
          <TextInput
            label={t('Support link')}
            description={t(
              'An https: or mailto: address. It is linked in the user menu, on the sign-in page and on error pages.',
            )}
            maxLength={500}
            {...props('support_url')}
          />
          <TextInput
            label={t('Sender name of emails')}
            description={t('The address of the sender is set by MAIL_FROM.')}
            maxLength={60}
            {...props('sender_name')}
          />
          <Preview
            saved={saved}
            productName={values.product_name.trim() || saved.product_name}
            color={isAccepted(values.primary_color) ? values.primary_color : saved.primary_color}
            signInText={values.sign_in_text}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {t('Save changes')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
