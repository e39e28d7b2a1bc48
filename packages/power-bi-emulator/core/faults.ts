/** A failure that is returned for the next matching calls. Without `times`, until it is cleared. */
export interface Fault {
  method?: string;
  /** Regular expression for the path, without the query. */
  path: string;
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  retry_after?: number;
  delay_ms?: number;
  /** Waits until the held calls are released or the faults are cleared. */
  hold?: boolean;
  /** Sends no response. */
  hang?: boolean;
  /** Drops the connection. */
  reset?: boolean;
  times?: number;
  /** Applies only to every n-th matching call, e.g. 50. */
  every?: number;
}

interface ArmedFault extends Fault {
  pattern: RegExp;
  left: number;
  seen: number;
}

export class Faults {
  private armed: ArmedFault[] = [];
  private held: (() => void)[] = [];

  add(fault: Fault): void {
    this.armed.push({ ...fault, pattern: new RegExp(fault.path), left: fault.times ?? Infinity, seen: 0 });
  }

  clear(): void {
    this.armed = [];
    this.release();
  }

  /** Resolves when the held calls are released. */
  hold(): Promise<void> {
    return new Promise((resolve) => this.held.push(resolve));
  }

  /** Later calls that match are held again. */
  release(): void {
    for (const resume of this.held.splice(0)) resume();
  }

  /** The first matching fault, after consuming one of its `times`. */
  take(method: string, path: string): Fault | null {
    const fault = this.armed.find((each) => each.left > 0 && fits(each, method, path) && isDue(each));
    if (!fault) return null;
    fault.left -= 1;
    return fault;
  }
}

function isDue(fault: ArmedFault): boolean {
  fault.seen += 1;
  return fault.seen % (fault.every ?? 1) === 0;
}

function fits(fault: ArmedFault, method: string, path: string): boolean {
  return fault.pattern.test(path) && (!fault.method || fault.method.toUpperCase() === method);
}
