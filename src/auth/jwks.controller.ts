import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import { Public } from '../core/http/access.js';
import { SigningKeys } from './signing-keys.js';

@Controller('.well-known')
@ApiExcludeController()
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Public()
  // Shorter than the handover: a cached response contains the key that signs.
  @Header('Cache-Control', 'public, max-age=60')
  get(): SigningKeys['publicJwks'] {
    return this.keys.publicJwks;
  }
}
