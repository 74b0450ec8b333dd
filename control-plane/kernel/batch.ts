import { splitIsolated } from './each-isolated.ts'

interface Waiting<Question, Answer> {
  question: Question
  settle(answer: Answer): void
  fail(error: unknown): void
}

const atOnce = 2

interface Pace {
  /** Questions in one statement, at most. */
  largest?: number
  /** From the start of one statement to the next, unless questions wait for a whole one: gathering costs a little time and saves much work. */
  everyMs?: number
}

/**
 * Puts questions of requests that arrive together into one statement. Each answer was read after its question came:
 * nothing is kept from one to the next.
 */
export class Batch<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>
  readonly #largest: number
  readonly #everyMs: number
  #waiting: Waiting<Question, Answer>[] = []
  #underWay = 0
  #isDue = false
  #ranAt = -Infinity

  constructor(ask: (questions: readonly Question[]) => Promise<readonly Answer[]>, { largest = 200, everyMs = 0 }: Pace = {}) {
    this.#ask = ask
    this.#largest = largest
    this.#everyMs = everyMs
  }

  of(question: Question): Promise<Answer> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ question, settle, fail })
      this.#arrange()
    })
  }

  #arrange(): void {
    if (this.#isDue || this.#underWay >= atOnce || this.#waiting.length === 0) return
    this.#isDue = true
    const early = this.#ranAt + this.#everyMs - performance.now()
    // even without a pace: after all that this tick still brings
    if (early > 0 && this.#waiting.length < this.#largest) setTimeout(() => this.#run(), early)
    else setImmediate(() => this.#run())
  }

  #run(): void {
    this.#isDue = false
    this.#ranAt = performance.now()
    while (this.#waiting.length > 0 && this.#underWay < atOnce) void this.#runOne(this.#waiting.splice(0, this.#largest))
  }

  async #runOne(batch: Waiting<Question, Answer>[]): Promise<void> {
    this.#underWay++
    const ask = async (some: readonly Waiting<Question, Answer>[]) => {
      const answers = await this.#ask(some.map(({ question }) => question))
      some.forEach(({ settle }, index) => {
        settle(answers[index]!)
      })
    }
    try {
      // what is wrong with one question is no other's fault
      await splitIsolated(batch, ask, ({ fail }, error) => fail(error))
    } catch (error) {
      for (const { fail } of batch) fail(error)
    }
    this.#underWay--
    this.#arrange()
  }
}
