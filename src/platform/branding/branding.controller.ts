import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Put,
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { BrandingService } from './branding.service.js';
import { BrandingDto, UpdateBrandingDto } from './dto/branding.dto.js';
import { ApiBody, ApiConsumes } from '#openapi';
import type { Request } from 'express';

/** The body as received; `binaryBody` has read it. Empty without a body. */
const ImageBody = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<Request>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/** Documents the body of a route that takes an image file. */
const TakesImage = (): MethodDecorator =>
  applyDecorators(
    ApiConsumes('image/*'),
    ApiBody({ required: true, schema: { type: 'string', format: 'binary', maxLength: 262_144 } }),
  );

@Controller('api/settings/branding')
export class BrandingController {
  constructor(private readonly branding: BrandingService) {}

  /** Gets the branding of the portal and of emails. */
  @Get()
  async get(): Promise<BrandingDto> {
    return BrandingDto.from(await this.branding.get());
  }

  /** Sets the branding. A field that is omitted or null is reset to its default; images stay. */
  @Put()
  @AdminOnly()
  async update(@Caller() caller: Principal, @Body() dto: UpdateBrandingDto): Promise<BrandingDto> {
    return BrandingDto.from(await this.branding.update(caller, dto));
  }

  /**
   * Sets the logo. The body is the file: PNG, SVG, JPEG, WebP or ICO, at most 256 kB and 2048 × 2048 pixels. An SVG file
   * must be a static drawing without scripts, links and external references.
   */
  @Put('logo')
  @AdminOnly()
  @TakesImage()
  async setLogo(@Caller() caller: Principal, @ImageBody() content: Buffer): Promise<BrandingDto> {
    return BrandingDto.from(await this.branding.setImage(caller, 'logo', content));
  }

  /** Removes the logo. */
  @Delete('logo')
  @AdminOnly()
  @HttpCode(204)
  async removeLogo(@Caller() caller: Principal): Promise<void> {
    await this.branding.removeImage(caller, 'logo');
  }

  /** Sets the logo for dark mode. The body is a file as for the logo. */
  @Put('logo-dark')
  @AdminOnly()
  @TakesImage()
  async setDarkLogo(@Caller() caller: Principal, @ImageBody() content: Buffer): Promise<BrandingDto> {
    return BrandingDto.from(await this.branding.setImage(caller, 'logo-dark', content));
  }

  /** Removes the logo for dark mode: the logo is shown there too. */
  @Delete('logo-dark')
  @AdminOnly()
  @HttpCode(204)
  async removeDarkLogo(@Caller() caller: Principal): Promise<void> {
    await this.branding.removeImage(caller, 'logo-dark');
  }

  /** Sets the icon of the browser tab. The body is a file as for the logo. */
  @Put('favicon')
  @AdminOnly()
  @TakesImage()
  async setFavicon(@Caller() caller: Principal, @ImageBody() content: Buffer): Promise<BrandingDto> {
    return BrandingDto.from(await this.branding.setImage(caller, 'favicon', content));
  }

  /** Removes the icon of the browser tab: the default icon is shown. */
  @Delete('favicon')
  @AdminOnly()
  @HttpCode(204)
  async removeFavicon(@Caller() caller: Principal): Promise<void> {
    await this.branding.removeImage(caller, 'favicon');
  }
}
