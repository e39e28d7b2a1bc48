export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  detail: string;
  /** Recommended action. */
  advice?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });
const advised =
  (status: Finding['status']) =>
  (check: string, detail: string, advice: string): Finding => ({ check, status, detail, advice });
export const warning = advised('warning');
export const failed = advised('failed');

/** A connection to a name with several addresses fails with a code and without a message. */
export const messageOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
};
