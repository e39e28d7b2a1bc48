export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  detail: string;
  /** Recommended action. */
  advice?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });
export const warning = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: 'warning',
  detail,
  advice,
});
export const failed = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: 'failed',
  detail,
  advice,
});

export const messageOf = (error: unknown): string => (error as Error).message || String(error);
