import { Problem } from '../../core/problems/problem.js';

export class TooManyFavourites extends Problem {
  constructor(max: number) {
    super('too_many_favourites', `You can have at most ${max} favourites. Remove one first.`);
  }
}
