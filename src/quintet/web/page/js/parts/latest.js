// Of several questions only the latest counts: an answer that comes when another was asked already is dropped.

export class Latest {
  #turn = 0;

  /** The answer; null if it was overtaken, and then what went wrong with it does not matter either. */
  async of(answer) {
    const mine = ++this.#turn;
    try {
      const found = await answer;
      return mine === this.#turn ? found : null;
    } catch (error) {
      if (mine === this.#turn) throw error;
      return null;
    }
  }

  /** Whoever asked has gone. */
  leave() {
    this.#turn += 1;
  }
}
