import { Injectable } from '@nestjs/common';

/** The one source of "now" for anything that expires. Tests put another in its place. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** The moment so many seconds from now. */
  in(seconds: number): Date {
    return new Date(this.now().getTime() + seconds * 1000);
  }
}
