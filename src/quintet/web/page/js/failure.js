// The one error of requests: one clear line, and the status of the answer.

/** A request that was refused or never arrived. */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {number} status the HTTP status; 0 if there was no answer
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}
