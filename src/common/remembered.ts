import { SetMetadata } from '@nestjs/common';

export const REMEMBERED = 'answers:remembered';

/**
 * For a GET whose answer comes from the caller's rights, the catalogue and the address, and from nothing else: it is kept
 * until one of them changes (`answers/`).
 */
export const Remembered = (): MethodDecorator => SetMetadata(REMEMBERED, true);
