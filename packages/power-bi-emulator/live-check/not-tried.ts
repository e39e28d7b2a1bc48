/** A guess that this tenant has nothing to try on. */
export class NotTried extends Error {}
