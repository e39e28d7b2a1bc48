/** An invalid request to the control API; returned as a 400 with the reason. */
export class Refusal extends Error {}
