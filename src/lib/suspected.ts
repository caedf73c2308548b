/* What a spam trap caught: requests and job applications (contract, section 3.1). */

/** Days after which one that staff did not accept is deleted. */
export const suspectedDays = 30
/** Milliseconds within which a decision about one can be undone. */
export const undoMs = 10_000
