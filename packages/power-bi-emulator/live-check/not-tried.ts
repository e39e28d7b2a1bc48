/** The tenant has nothing to check the guess on. */
export class NotTried extends Error {}
