import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import { useId, useRef } from 'react';
import { ProblemError } from '../../api/problem.js';
import { imageUrl } from '../../branding/branding.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { imageReason } from './image-reasons.js';
import { type ImageKind, useRemoveImage, useUploadImage } from './use-branding-settings.js';

interface Props {
  kind: ImageKind;
  label: string;
  hint: string;
  /** Path of the stored image. */
  url: string | undefined;
}

const TYPES = 'image/png,image/svg+xml,image/jpeg,image/webp,image/x-icon,.ico';

/** The reason that belongs to this file; another failure is a notification. */
function reasonOf(error: unknown, kind: ImageKind): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  if (error.code === 'payload_too_large') return t('The file is larger than 256 kB.');
  // It is the only error.
  return imageReason(error.problem?.errors?.[0]?.detail ?? '') ?? error.of(kind);
}

/** An image with its preview. It is stored as soon as it is chosen. */
export function ImageField({ kind, label, hint, url }: Props) {
  const id = useId();
  const upload = useUploadImage(kind);
  const remove = useRemoveImage(kind);
  const reason = reasonOf(upload.error, kind);
  const forget = useRef<() => void>(null);
  const send = (file: File | null): void => {
    // Otherwise the browser does not report the same file again.
    forget.current?.();
    if (file === null) return;
    upload.mutate(file, {
      onSuccess: () => notifyDone(t('{{image}} saved', { image: label })),
      onError: (error) => reasonOf(error, kind) === undefined && notifyProblem(error),
    });
  };
  return (
    <Stack gap={4} role="group" aria-labelledby={id}>
      <Text size="sm" fw={500} id={id}>
        {label}
      </Text>
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
      <Group gap="sm">
        {url !== undefined && (
          <img
            className={kind === 'logo-dark' ? 'branding-image branding-image-dark' : 'branding-image'}
            src={imageUrl(url)}
            alt={t('Current: {{image}}', { image: label })}
          />
        )}
        <FileButton onChange={send} accept={TYPES} resetRef={forget}>
          {(props) => (
            <Button variant="default" size="xs" loading={upload.isPending} aria-describedby={id} {...props}>
              {url === undefined ? t('Upload') : t('Replace')}
            </Button>
          )}
        </FileButton>
        {url !== undefined && (
          <Button
            variant="subtle"
            color="red"
            size="xs"
            loading={remove.isPending}
            aria-describedby={id}
            onClick={() => remove.mutate(undefined, { onError: notifyProblem })}
          >
            {t('Remove')}
          </Button>
        )}
      </Group>
      {reason !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {reason}
        </Text>
      )}
    </Stack>
  );
}
