import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

type Step = 'database' | 'notifications' | 'invalidation' | 'jobs';

interface Task {
  /** Other tasks wait for it by this name. */
  step?: Step;
  /** Begins when this step is complete. */
  after?: Step;
}

/**
 * The work between listening and being ready. A provider begins its task in `onApplicationBootstrap` and does not wait for
 * it there: Nest opens the socket after all of these hooks, and `/livez` must respond while the database is down.
 * Order: database → notifications → invalidation → jobs → job handlers and schedulers.
 */
@Injectable()
export class StartupTasks implements OnModuleDestroy {
  private readonly tasks: Promise<void>[] = [];
  private readonly steps = new Map<Step, PromiseWithResolvers<void>>();
  private readonly stopping = new AbortController();
  private pending = 0;

  constructor(private readonly host: HttpAdapterHost) {}

  /** Whether every task has succeeded and the shutdown has not begun. */
  get isComplete(): boolean {
    return this.pending === 0 && !this.stopping.signal.aborted;
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Does nothing in the command line, an application without HTTP. `work` ends early when its signal aborts. */
  begin({ step, after }: Task, work: (signal: AbortSignal) => Promise<void> | void): void {
    if (!this.host.httpAdapter) return;
    this.pending += 1;
    const run = async (): Promise<void> => {
      const { signal } = this.stopping;
      if (after !== undefined) await this.stepOf(after).promise;
      signal.throwIfAborted();
      await work(signal);
      signal.throwIfAborted();
      this.pending -= 1;
    };
    const task = run();
    task.catch(() => undefined);
    if (step !== undefined) this.stepOf(step).resolve(task);
    this.tasks.push(task);
  }

  /** Call it after `listen` or `init`, when every task has begun. Rejects with the first failure. */
  async completed(): Promise<void> {
    await Promise.all(this.tasks);
  }

  /** From now on the replica is not ready, and no further task begins. */
  stop(): void {
    this.stopping.abort();
  }

  /** What a task has started exists when the later shutdown hooks stop it. */
  async onModuleDestroy(): Promise<void> {
    this.stop();
    await Promise.allSettled(this.tasks);
  }

  private stepOf(step: Step): PromiseWithResolvers<void> {
    const known = this.steps.get(step);
    if (known !== undefined) return known;
    const added = Promise.withResolvers<void>();
    // A failure is reported by `completed`.
    added.promise.catch(() => undefined);
    this.steps.set(step, added);
    return added;
  }
}
