import { notifications } from '@mantine/notifications';
import { ProblemError } from '../api/problem.js';
import { wordsOf } from '../api/words.js';

export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'green' });
};

/** For failures without a place of their own on the page. */
export const notifyProblem = (error: unknown): void => {
  if (!(error instanceof ProblemError)) throw error;
  const { title, text, wait = '' } = wordsOf(error);
  notifications.show({ title, message: `${text} ${wait}`.trim(), color: 'red', autoClose: 10_000 });
};
