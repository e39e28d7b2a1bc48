import { Get, Post } from '@nestjs/common';
import { Problem } from '../../core/problems/problem.js';
import { ScimController } from './scim-controller.js';

class Unsupported extends Problem {
  constructor(detail: string) {
    super('scim_not_supported', detail);
  }
}

/** Optional parts of SCIM, which ServiceProviderConfig reports as unsupported. */
@ScimController()
export class UnsupportedController {
  @Get('Me')
  me(): never {
    throw new Unsupported('A service account is not a SCIM resource.');
  }

  @Post('Bulk')
  bulk(): never {
    throw new Unsupported('Bulk requests are not supported. Send the operations one by one.');
  }

  @Post(['.search', 'Users/.search', 'Groups/.search'])
  search(): never {
    throw new Unsupported('Search by POST is not supported. Send the filter in a GET request.');
  }
}
