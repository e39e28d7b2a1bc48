import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { NotificationConnectionService } from '../../core/database/notification-connection.service.js';
import { StartupTasks } from '../../core/lifecycle/startup-tasks.service.js';
import { EVENTS_CHANNEL } from './events.queries.js';

type Subscriber = (lastSeq: number) => void;

/**
 * Wakes the readers of this replica when events have received their seq: one LISTEN for all of them, and within a second
 * the poll of the drain where notifications are not delivered.
 */
@Injectable()
export class EventFeedService implements OnApplicationBootstrap {
  private readonly subscribers = new Set<Subscriber>();
  private known = 0;

  constructor(
    private readonly notifications: NotificationConnectionService,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ after: 'notifications' }, async () => {
      await this.notifications.listen({
        channel: EVENTS_CHANNEL,
        onPayload: (payload) => this.onNotification(Number(payload)),
        onConnect: () => undefined,
      });
    });
  }

  /** The last seq that this replica knows of; 0 before the first poll. */
  get lastSeq(): number {
    return this.known;
  }

  /** Calls back with the last seq when it changes. The callback must not throw. Returns the cancellation. */
  subscribe(subscriber: Subscriber): () => void {
    this.subscribers.add(subscriber);
    return () => void this.subscribers.delete(subscriber);
  }

  /** Any login of the database can notify: what the drain reads replaces it. */
  private onNotification(lastSeq: number): void {
    if (lastSeq > this.known) this.announce(lastSeq);
  }

  /** Ignores the seq that is already known. One that is lower is that of a restored database. */
  announce(lastSeq: number): void {
    if (lastSeq === this.known) return;
    this.known = lastSeq;
    for (const each of this.subscribers) each(lastSeq);
  }
}
