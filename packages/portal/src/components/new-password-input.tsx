import { PasswordInput, type PasswordInputProps, Progress, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import { passwordHint } from './password-hint.js';

interface Props extends PasswordInputProps {
  value?: string;
  /** Name and email address, which a password should not consist of. */
  words?: readonly string[];
}

const colorOf = (percent: number): string => (percent > 70 ? 'teal' : percent > 40 ? 'orange' : 'red');

/** A field for a new password, with the rule and the strength of the input. */
export function NewPasswordInput({ value = '', words, error, ...props }: Props) {
  const { percent, text } = passwordHint(value, words);
  return (
    <Stack gap={6}>
      <PasswordInput
        visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
        description={t('At least 15 characters. Use several unrelated words.')}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={value}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        {...props}
        error={error}
      />
      {error === undefined && (
        <>
          <Progress value={percent} size="xs" color={colorOf(percent)} aria-hidden />
          <Text size="xs" role="status">
            {value === '' ? t('Avoid common passwords.') : text}
          </Text>
        </>
      )}
    </Stack>
  );
}
