interface Waiting<Question, Answer> {
  question: Question
  settle(answer: Answer): void
  fail(error: unknown): void
}

const atOnce = 2
const largest = 200

/**
 * Puts questions of requests that arrive together into one statement. Each answer was read after its question came:
 * nothing is kept from one to the next.
 */
export class Batch<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>
  #waiting: Waiting<Question, Answer>[] = []
  #underWay = 0
  #isDue = false

  constructor(ask: (questions: readonly Question[]) => Promise<readonly Answer[]>) {
    this.#ask = ask
  }

  of(question: Question): Promise<Answer> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ question, settle, fail })
      if (this.#isDue || this.#underWay >= atOnce) return
      this.#isDue = true
      // after all that this tick still brings
      setImmediate(() => this.#run())
    })
  }

  #run(): void {
    this.#isDue = false
    while (this.#waiting.length > 0 && this.#underWay < atOnce) void this.#runOne(this.#waiting.splice(0, largest))
  }

  async #runOne(batch: Waiting<Question, Answer>[]): Promise<void> {
    this.#underWay++
    try {
      const answers = await this.#ask(batch.map(({ question }) => question))
      batch.forEach(({ settle }, index) => {
        settle(answers[index]!)
      })
    } catch (error) {
      for (const { fail } of batch) fail(error)
    }
    this.#underWay--
    this.#run()
  }
}
