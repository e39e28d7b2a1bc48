import { PasswordInput, type PasswordInputProps, Progress, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { passwordHint } from './password-hint.js';

interface Props extends PasswordInputProps {
  value?: string;
  /** What is known of the person: no part of a good password. */
  words?: readonly string[];
}

const colorOf = (percent: number): string => (percent > 70 ? 'teal' : percent > 40 ? 'orange' : 'red');

/** For choosing a password: the rule, and how far what was typed goes towards it. */
export function NewPasswordInput({ value = '', words, error, ...props }: Props) {
  const id = useId();
  const { percent, text } = passwordHint(value, words);
  return (
    <Stack gap={6}>
      <PasswordInput
        description="15 characters or more. A few words that do not belong together do well."
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={value}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        {...props}
        error={error}
        aria-describedby={id}
      />
      {error === undefined && (
        <>
          <Progress value={percent} size="xs" color={colorOf(percent)} aria-hidden />
          <Text size="xs" id={id}>
            {value === '' ? 'Common ones are refused.' : text}
          </Text>
        </>
      )}
    </Stack>
  );
}
