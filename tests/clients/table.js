// The client table: a row for each scenario, a column for each client, and the notes to both.

const width = 11;

export class ClientTable {
  #clients;
  #scenarios;
  #cells = new Map();
  #notes = new Set();
  skipped = false; // some client was

  constructor(clients, scenarios) {
    this.#clients = clients;
    this.#scenarios = scenarios;
  }

  #set(client, scenario, word) {
    this.#cells.set(`${client} ${scenario}`, word);
  }

  /** Runs `body` and notes how it went; throws what it throws. */
  async noting(client, scenario, body) {
    this.#set(client, scenario, 'FAIL');
    await body();
    this.#set(client, scenario, 'pass');
  }

  /** `client` has nothing to do with `scenario`, or does it in its own way. */
  leaveOut(client, scenario) {
    this.#set(client, scenario, '-');
  }

  skip(client, why) {
    for (const scenario of this.#scenarios) this.#set(client, scenario, 'SKIPPED');
    this.#notes.add(`SKIPPED: ${why}`);
    this.skipped = true;
  }

  note(client, words) {
    this.#notes.add(`${client}: ${words}`);
  }

  text() {
    const line = (first, cells) =>
      [first.padEnd(16), ...cells.map((cell) => cell.padEnd(width))].join('').trimEnd();
    return [
      '',
      line('', this.#clients),
      ...this.#scenarios.map((scenario) => line(scenario, this.#clients.map((client) =>
        this.#cells.get(`${client} ${scenario}`) ?? 'not run'))),
      ...this.#notes,
    ].join('\n');
  }
}
