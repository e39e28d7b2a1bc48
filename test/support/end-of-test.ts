let isRunning = false;
let actions: (() => Promise<unknown>)[] = [];

/** Runs the action after the current test; outside of a test, as in `beforeAll`, not at all. For code without hooks of its own. */
export function atEndOfTest(action: () => Promise<unknown>): void {
  if (isRunning) actions.push(action);
}

export function beginTest(): void {
  isRunning = true;
}

export async function endTest(): Promise<void> {
  const ended = actions;
  isRunning = false;
  actions = [];
  await Promise.all(ended.map((action) => action()));
}
