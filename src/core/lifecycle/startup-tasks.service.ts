import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

type Step = 'database' | 'notifications' | 'invalidation' | 'jobs';

interface Task {
  /** Name under which other tasks wait for this one. */
  step?: Step;
  /** Starts when this step is complete. */
  after?: Step;
}

/**
 * Runs the work until readiness. A provider begins its task in `onApplicationBootstrap` and does not await it: the service
 * listens at the latest some seconds after all of these hooks, and `/livez` must respond while the database is down.
 *
 * Order: database → notifications → invalidation → jobs → job handlers and schedulers.
 */
@Injectable()
export class StartupTasks implements OnModuleDestroy {
  private readonly tasks: Promise<void>[] = [];
  private readonly steps = new Map<Step, PromiseWithResolvers<void>>();
  private readonly stopping = new AbortController();
  private readonly passed = new Set<Step>();
  private pending = 0;

  constructor(private readonly host: HttpAdapterHost) {}

  /** Whether every task has succeeded and the shutdown has not begun. */
  get isComplete(): boolean {
    return this.pending === 0 && !this.stopping.signal.aborted;
  }

  /** Whether this step, and with it all before it, has been completed. */
  hasPassed(step: Step): boolean {
    return this.passed.has(step);
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** No-op in CLI commands, which have no HTTP server. `work` ends early when its signal aborts. */
  begin({ step, after }: Task, work: (signal: AbortSignal) => Promise<void> | void): void {
    if (!this.host.httpAdapter) return;
    this.pending += 1;
    const run = async (): Promise<void> => {
      const { signal } = this.stopping;
      if (after !== undefined) await this.stepOf(after).promise;
      signal.throwIfAborted();
      await work(signal);
      signal.throwIfAborted();
      if (step !== undefined) this.passed.add(step);
      this.pending -= 1;
    };
    const task = run();
    task.catch(() => undefined);
    if (step !== undefined) this.stepOf(step).resolve(task);
    this.tasks.push(task);
  }

  /** Call after `listen` or `init`, when every task has begun. Rejects with the first failure. */
  async completed(): Promise<void> {
    await Promise.all(this.tasks);
  }

  /** Makes the replica not ready and prevents further tasks from starting. */
  stop(): void {
    this.stopping.abort();
  }

  /** Waits for running tasks, so that later shutdown hooks can stop what they have started. */
  async onModuleDestroy(): Promise<void> {
    this.stop();
    await Promise.allSettled(this.tasks);
  }

  private stepOf(step: Step): PromiseWithResolvers<void> {
    const known = this.steps.get(step);
    if (known !== undefined) return known;
    const added = Promise.withResolvers<void>();
    // `completed` reports failures.
    added.promise.catch(() => undefined);
    this.steps.set(step, added);
    return added;
  }
}
