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

export const messageOf = (error: unknown): string => (error as Error).message || String(error);
