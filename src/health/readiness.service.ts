import { Injectable } from '@nestjs/common';

/** Whether this replica wants requests: from the end of its start to the beginning of its stop. */
@Injectable()
export class Readiness {
  ready = false;
}
