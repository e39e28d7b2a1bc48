import { Transform } from 'class-transformer';
import { IsInt, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import { IsText, OptionalField } from '../validation/validators.js';

export const MAX_PAGE = 1000;

/** Digits only: `1e3` and `0x10` are no numbers. */
const digits = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

/** What every list takes. Each list adds its own `sort` and filters. */
export class ListQuery {
  /** How many at most; where there are more, the `Link` header names the next page. */
  @OptionalField()
  @Transform(digits)
  @IsInt({ message: 'limit must be a whole number, digits only' })
  @Min(1)
  @Max(MAX_PAGE)
  limit: number = MAX_PAGE;

  /** Where the page starts: from the `Link` header of the page before. */
  @OptionalField()
  @IsString()
  // A position may hold a name of 400 four-byte characters.
  @Length(1, 3000)
  cursor?: string;

  /**
   * Part of the name, in any case. One or two letters or digits match the beginnings of words; `%` and `_` match themselves.
   */
  @OptionalField()
  @IsText()
  @MaxLength(200)
  q?: string;
}
