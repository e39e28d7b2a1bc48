import { PartialType } from '#openapi';
import { IsIn, MaxLength } from 'class-validator';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../../core/lists/pagination.js';
import { isText } from '../../../core/validation/text.js';
import {
  IsName,
  IsReadableText,
  Nullable,
  OptionalField,
  Satisfies,
} from '../../../core/validation/validators.js';
import { type SavedView, type ViewScope, viewScopes } from '../saved-view.entity.js';

/** In bytes of UTF-8. */
const MAX_STATE = 65_536;
const MAX_PAGE_NAME = 200;

export const IsViewState = (): PropertyDecorator =>
  Satisfies(
    'isViewState',
    (value) => isText(value) && value !== '' && Buffer.byteLength(value) <= MAX_STATE,
    `$property must be text of 1 to ${MAX_STATE} bytes`,
  );

export class CreateSavedViewDto {
  @IsName()
  name!: string;

  /** `private` (a new view's default): its owner only. `shared`: everyone who can see the report; requires the role editor. */
  @OptionalField()
  @IsIn(viewScopes)
  scope?: ViewScope;

  /** Bookmark state from Power BI's client, at most 65,536 bytes. */
  @IsViewState()
  state!: string;

  /** Name of the active page; null for none. */
  @OptionalField()
  @Nullable()
  @IsReadableText()
  @MaxLength(MAX_PAGE_NAME)
  page?: string | null;
}

/** Omitted properties stay unchanged. */
export class UpdateSavedViewDto extends PartialType(CreateSavedViewDto, { skipNullProperties: false }) {}

/** A saved view without its state. */
export class ListedViewDto {
  id!: string;
  name!: string;
  scope!: ViewScope;
  /** Name of the active page. */
  page!: string | null;
  /** Id of the owner; null for a shared view whose owner was erased. */
  created_by!: string | null;
  created_at!: Date;
  updated_at!: Date;

  static from(view: Omit<SavedView, 'state' | 'nameKey'>): ListedViewDto {
    return {
      id: view.id,
      name: view.name,
      scope: view.scope,
      page: view.page,
      created_by: view.createdBy,
      created_at: view.createdAt,
      updated_at: view.updatedAt,
    };
  }
}

export class SavedViewDto extends ListedViewDto {
  /** Bookmark state for Power BI's client. */
  state!: string;

  static of(view: Omit<SavedView, 'nameKey'>): SavedViewDto {
    return { ...ListedViewDto.from(view), state: view.state };
  }
}

export class SavedViewListDto {
  views!: ListedViewDto[];
}

export const savedViewSortKeys: SortKeys<SavedView> = {
  name: { sql: 'view.nameKey', of: (view) => view.nameKey },
  created_at: { sql: 'view.createdAt', of: (view) => view.createdAt.toISOString() },
};

export class ListSavedViewsQuery extends ListQuery {
  @SortedBy(savedViewSortKeys)
  sort: string = 'name';
}
