import { Body, Controller, Header, Post, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  getSchemaPath,
} from '#openapi';
import type { Response } from 'express';
import { Public } from '../core/http/access.js';
import { TokenResponseDto } from './dto/token-response.dto.js';
import { grantTypes } from './grant-types/grant-types.js';
import { TokenRequestPipe } from './token-request.pipe.js';
import { type TokenRequest, TokenService } from './token.service.js';

const bodies = grantTypes.map(({ body }) => body);
/** No value: without a schema, generated clients type every success response of the operation as unknown. */
const empty = { '*/*': { schema: { type: 'null' } } } as const;

@Controller('api/auth')
@ApiExtraModels(...bodies)
export class AuthController {
  constructor(private readonly tokens: TokenService) {}

  /** Issues tokens for a sign-in, a refresh or an accepted invitation. Requires no access token. */
  @Post('token')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiBody({ schema: { oneOf: bodies.map((body) => ({ $ref: getSchemaPath(body) })) } })
  @ApiOkResponse({ type: TokenResponseDto, description: 'The tokens of the session' })
  @ApiAcceptedResponse({
    content: empty,
    description: 'Response to `password_reset_request`, whether or not the account exists; the body is empty',
  })
  @ApiNoContentResponse({ description: 'Response to `password_reset`, which does not sign the user in' })
  async token(
    @Body(TokenRequestPipe) request: TokenRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenResponseDto | undefined> {
    const tokens = await this.tokens.issue(request);
    response.status(request.type.status ?? 200);
    return tokens ?? undefined;
  }
}
