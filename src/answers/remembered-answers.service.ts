import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import type { Principal } from '../common/principal.js';
import { Config } from '../config/config.js';
import { Changes } from '../database/changes.service.js';
import { MembershipsService } from '../workspaces/memberships.service.js';

export interface Answer {
  body: string;
  etag: string;
  /** Where the next page is. */
  link?: string;
  /** Template of the route that made it. */
  route: string;
}

/** What somebody may see, for as long as nothing about it changes. */
interface View {
  /** In the names of its answers. */
  id: number;
  /** When the first of the grants ends by itself. */
  endsAt: Date | null;
}

/** What making an answer has to know of the time before it. */
export interface Making {
  view: View;
  generation: number;
}

const MEGABYTE = 1024 * 1024;
/** An entry is more than its characters. */
const OVERHEAD = 300;

/**
 * Answers as they were written, by person and address, within bounded memory. Each hangs on the principal that it was
 * made for: when that person's rights change, `Principals` makes another one, and when the catalogue changes all go.
 * See docs/decisions/remembered-answers.md.
 */
@Injectable()
export class RememberedAnswers {
  private readonly views = new WeakMap<Principal, View>();
  private readonly answers?: LRUCache<string, Answer>;
  private lastId = 0;
  private generation = 0;

  constructor(
    private readonly memberships: MembershipsService,
    private readonly changes: Changes,
    private readonly clock: Clock,
    { bounds: { answerMegabytes } }: Config,
  ) {
    if (answerMegabytes === 0) return;
    this.answers = new LRUCache({
      maxSize: answerMegabytes * MEGABYTE,
      maxEntrySize: MEGABYTE,
      sizeCalculation: ({ body }, name) => OVERHEAD + 2 * name.length + 2 * body.length,
    });
    changes.on('catalogue', () => this.forget());
  }

  /** Undefined when it has to be made. */
  find(caller: Principal, url: string): Answer | undefined {
    const view = this.views.get(caller);
    if (view === undefined || this.isOver(view) || !this.changes.isCurrent) return undefined;
    return this.answers?.get(nameOf(view, url));
  }

  /** Before the answer is made; undefined when it is not going to be remembered. */
  async prepare(caller: Principal): Promise<Making | undefined> {
    if (this.answers === undefined || !this.changes.isCurrent) return undefined;
    const { generation } = this;
    const view = await this.viewOf(caller);
    return this.isOver(view) ? undefined : { view, generation };
  }

  /** Keeps it, unless something has changed since `prepare`. */
  keep({ view, generation }: Making, url: string, made: Omit<Answer, 'etag'>): Answer {
    const answer = { ...made, etag: `"${hash('sha256', made.body, 'base64url')}"` };
    if (generation === this.generation) this.answers?.set(nameOf(view, url), answer);
    return answer;
  }

  private forget(): void {
    this.generation += 1;
    this.answers?.clear();
  }

  private isOver({ endsAt }: View): boolean {
    return endsAt !== null && endsAt <= this.clock.now();
  }

  /** The time is taken first: a grant that ends while this is looked up ends the view as well. */
  private async viewOf(caller: Principal): Promise<View> {
    const known = this.views.get(caller);
    if (known !== undefined && !this.isOver(known)) return known;
    const now = this.clock.now();
    const endsAt = caller.role === 'admin' ? null : await this.memberships.firstEnd(caller.id, now);
    // Who asks several things at once has one view of them.
    const found = this.views.get(caller);
    if (found !== undefined && found !== known) return found;
    this.lastId += 1;
    const view = { id: this.lastId, endsAt };
    this.views.set(caller, view);
    return view;
  }
}

const nameOf = ({ id }: View, url: string): string => `${id} ${url}`;
