import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import { RequiresScope } from '../../core/http/access.js';
import { ScimResponseInterceptor } from './scim-response.interceptor.js';

export const SCIM_PATH = 'scim/v2';

/** A controller of SCIM resources below `/scim/v2`, which `/scim/v2/Schemas` describes instead of OpenAPI. */
export const ScimController = (path = ''): ClassDecorator =>
  applyDecorators(
    Controller(path === '' ? SCIM_PATH : `${SCIM_PATH}/${path}`),
    RequiresScope('scim'),
    UseInterceptors(ScimResponseInterceptor),
    ApiExcludeController(),
  );
