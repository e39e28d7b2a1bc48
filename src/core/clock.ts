import { Injectable } from '@nestjs/common';

/** The only source of the current time for anything that expires. Tests replace it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Returns the time this many seconds from now. */
  in(seconds: number): Date {
    return new Date(this.now().getTime() + seconds * 1000);
  }
}
