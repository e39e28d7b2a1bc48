import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Public } from '../common/access.js';
import { AuthService } from './auth.service.js';
import { grants, PasswordGrant, type TokenRequest } from './dto/token-request.dto.js';
import { TokenResponseDto } from './dto/token-response.dto.js';
import { TokenRequestPipe } from './token-request.pipe.js';

const bodies = [PasswordGrant, ...Object.values(grants)];

@Controller('api/auth')
@ApiExtraModels(...bodies)
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  /** Signs in, renews a token or accepts an invitation: the one request that needs no access token. */
  @Post('token')
  @Public()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiBody({ schema: { oneOf: bodies.map((body) => ({ $ref: getSchemaPath(body) })) } })
  token(@Body(TokenRequestPipe) request: TokenRequest): Promise<TokenResponseDto> {
    return this.auth.token(request);
  }
}
