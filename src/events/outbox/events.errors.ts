import { InvalidRequest, Problem } from '../../core/problems/problem.js';

/** The events after this position are no longer all stored. */
export class EventsExpired extends Problem {
  constructor(firstSeq: number) {
    super(
      'events_expired',
      `Events before ${firstSeq} are no longer stored. Continue after ${firstSeq - 1}.`,
    );
  }
}

/** No event has this seq yet: it comes from another installation or from before a restore. */
export class UnknownPosition extends InvalidRequest {
  constructor(
    readonly lastSeq: number,
    name = 'after',
  ) {
    super([{ pointer: `/${name}`, detail: `${name} must be at most ${lastSeq}, the seq of the last event` }]);
  }
}
