/** Which rows are not over, as SQL that the partial indexes of the schema serve. */

export const liveInput = "state NOT IN ('answered', 'unanswered', 'cancelled')";
export const liveTurn = "status IN ('open', 'waiting')";
