import { OmitType } from '#openapi';
import { ListUsersQuery } from '../../../users/dto/list-users.dto.js';

export class ListServiceAccountsQuery extends OmitType(ListUsersQuery, ['kind']) {}
