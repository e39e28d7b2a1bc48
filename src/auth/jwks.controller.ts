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
  @Header('Cache-Control', 'public, max-age=300')
  get(): SigningKeys['publicJwks'] {
    return this.keys.publicJwks;
  }
}
