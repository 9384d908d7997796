// Of several requests only the latest counts: an answer that comes after another was asked for is dropped.

export class LatestRequest {
  #number = 0;

  /**
   * The answer; null if another request was made meanwhile, and then its failure does not matter either.
   * @template Answer
   * @param {Answer | Promise<Answer>} answer
   * @returns {Promise<Answer | null>}
   */
  async wait(answer) {
    const mine = ++this.#number;
    try {
      const found = await answer;
      return mine === this.#number ? found : null;
    } catch (error) {
      if (mine === this.#number) throw error;
      return null;
    }
  }

  /** Drop the answer that is waited for. */
  cancel() {
    this.#number += 1;
  }
}
