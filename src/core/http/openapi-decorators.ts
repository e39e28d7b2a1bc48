// What `#openapi` is in the running service: the decorators of @nestjs/swagger without effect. With the condition
// `openapi` (package.json, `imports`) it is @nestjs/swagger, which the build needs to generate the document.
export { IntersectionType, OmitType, PartialType } from '@nestjs/mapped-types';

const withoutEffect = () => (): void => undefined;

export const getSchemaPath = (): string => '';

export {
  withoutEffect as ApiAcceptedResponse,
  withoutEffect as ApiBody,
  withoutEffect as ApiConsumes,
  withoutEffect as ApiCreatedResponse,
  withoutEffect as ApiExcludeController,
  withoutEffect as ApiExtension,
  withoutEffect as ApiExtraModels,
  withoutEffect as ApiHeader,
  withoutEffect as ApiNoContentResponse,
  withoutEffect as ApiOkResponse,
  withoutEffect as ApiOperation,
  withoutEffect as ApiProperty,
  withoutEffect as ApiPropertyOptional,
  withoutEffect as ApiQuery,
  withoutEffect as ApiResponse,
};
