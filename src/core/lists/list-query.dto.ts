import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '#openapi';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import { IsText, OptionalField } from '../validation/validators.js';

export const MAX_PAGE = 1000;

/** Digits only: `1e3` and `0x10` are rejected. */
const digits = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

/** An optional query parameter. */
export const WholeNumber = (minimum: number, maximum: number): PropertyDecorator =>
  applyDecorators(
    OptionalField(),
    ApiPropertyOptional({ minimum, maximum }),
    Transform(digits),
    Max(maximum),
    Min(minimum),
    // The last one, because it names the type of the value: see `detailsOf`.
    IsInt({ message: '$property must be a whole number, digits only' }),
  );

/** An optional query parameter, `true` or `false`. */
export const Flag = (): PropertyDecorator =>
  applyDecorators(
    OptionalField(),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    IsBoolean({ message: '$property must be true or false' }),
  );

/** Characters of a search term. */
export const MAX_TERM = 200;

/** Query parameters of every list. Each list adds its own `sort` and filters. */
export class ListQuery {
  /** The maximum number of items to return. If there are more, the `Link` header contains the URL of the next page. */
  @WholeNumber(1, MAX_PAGE)
  limit: number = MAX_PAGE;

  /** The position at which the page starts, from the `Link` header of the previous page. */
  @OptionalField()
  @IsString()
  // A position may contain a name of 400 four-byte characters.
  @Length(1, 3000)
  cursor?: string;

  /**
   * Returns only items whose name contains this text, without regard to case and accents; users, invitations, and members and
   * grants of workspaces, reports and groups are also found by their email address. One or two letters or digits match the
   * beginnings of words. `%` and `_` are literal characters.
   */
  @OptionalField()
  @IsText()
  @MaxLength(MAX_TERM)
  q?: string;
}

/** A list whose total is known at a low cost. */
export class CountedListQuery extends ListQuery {
  /**
   * Adds the number of all matching items in the header `Total-Count`: up to `1000`, and `1000+` for more. Only on the first
   * page.
   */
  @Flag()
  count?: boolean;
}
