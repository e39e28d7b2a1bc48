export class TokenResponseDto {
  /** JWT to send as a bearer token. */
  access_token!: string;
  /** Lifetime of the access token in seconds: 3600. */
  expires_in!: number;
  token_type!: 'Bearer';
  /** Renews the access token, once. Service accounts get none: they ask again. */
  refresh_token?: string;
  /** Seconds after which the refresh token is of no use when nobody uses it. */
  refresh_expires_in?: number;
}
