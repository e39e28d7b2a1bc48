/** A request to the control surface that makes no sense; answered with 400 and the reason. */
export class Refusal extends Error {}
