import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import type { Principal } from '../common/principal.js';
import { Changes } from '../database/changes.service.js';
import { MembershipsService } from './memberships.service.js';

/** What somebody may see, and what there is to see, for as long as neither changes. Another one has another id. */
export interface View {
  readonly id: number;
  /** When the first of the grants ends by itself. */
  readonly endsAt: Date | null;
  readonly generation: number;
}

/**
 * For whoever remembers something about what somebody may see: take the view before it is read, keep it under the view's
 * id if that is still current then, and give it again only while it is. A view hangs on the principal, of which a change
 * of rights makes another one. See docs/decisions/remembered-answers.md.
 */
@Injectable()
export class Views {
  private readonly views = new WeakMap<Principal, View>();
  private lastId = 0;
  /** Of the catalogue. */
  private generation = 0;

  constructor(
    private readonly memberships: MembershipsService,
    private readonly changes: Changes,
    private readonly clock: Clock,
  ) {
    changes.on('catalogue', () => {
      this.generation += 1;
    });
  }

  isCurrent({ endsAt, generation }: View): boolean {
    if (generation !== this.generation || !this.changes.isCurrent) return false;
    return endsAt === null || endsAt > this.clock.now();
  }

  /** Undefined when there is none that is current. */
  known(caller: Principal): View | undefined {
    const view = this.views.get(caller);
    return view !== undefined && this.isCurrent(view) ? view : undefined;
  }

  /** Undefined while nobody can tell what has changed. */
  async of(caller: Principal): Promise<View | undefined> {
    if (!this.changes.isCurrent) return undefined;
    const { generation } = this;
    // Taken first: a grant that ends meanwhile ends the view as well.
    const now = this.clock.now();
    const known = this.known(caller);
    if (known !== undefined) return known;
    const endsAt = caller.role === 'admin' ? null : await this.memberships.firstEnd(caller.id, now);
    // Who asks several things at once has one view of them.
    const found = this.known(caller);
    if (found !== undefined) return found;
    this.lastId += 1;
    const view = { id: this.lastId, endsAt, generation };
    this.views.set(caller, view);
    return view;
  }
}
