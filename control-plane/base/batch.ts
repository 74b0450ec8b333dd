import { FairQueue } from '#contract/fair-queue.ts'
import { splitIsolated } from './each-isolated.ts'

interface Waiting<Question, Answer> {
  question: Question
  settle(answer: Answer): void
  fail(error: unknown): void
}

const atOnce = 2

interface Pace<Question> {
  /** Questions in one statement, at most. */
  largest?: number
  /** From the start of one statement to the next, unless questions wait for a whole one: gathering costs a little time and saves much work. */
  everyMs?: number
  /** By whom questions are shared: of those that wait each one's come in turn. In the order in which they came when left out. */
  keyOf?: (question: Question) => string
}

/**
 * Puts questions of requests that arrive together into one statement. Each answer was read after its question came:
 * nothing is kept from one to the next.
 */
export class Batch<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>
  readonly #largest: number
  readonly #everyMs: number
  readonly #keyOf: (question: Question) => string
  readonly #waiting = new FairQueue<Waiting<Question, Answer>>()
  #waitingCount = 0
  #underWay = 0
  #isDue = false
  #ranAt = -Infinity

  constructor(
    ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    { largest = 200, everyMs = 0, keyOf = () => '' }: Pace<Question> = {},
  ) {
    this.#ask = ask
    this.#largest = largest
    this.#everyMs = everyMs
    this.#keyOf = keyOf
  }

  of(question: Question): Promise<Answer> {
    return new Promise((settle, fail) => {
      this.#waiting.push(this.#keyOf(question), { question, settle, fail })
      this.#waitingCount++
      this.#arrange()
    })
  }

  #arrange(): void {
    if (this.#isDue || this.#underWay >= atOnce || this.#waitingCount === 0) return
    this.#isDue = true
    const early = this.#ranAt + this.#everyMs - performance.now()
    // even without a pace: after all that this tick still brings
    if (early > 0 && this.#waitingCount < this.#largest) setTimeout(() => this.#run(), early)
    else setImmediate(() => this.#run())
  }

  #run(): void {
    this.#isDue = false
    this.#ranAt = performance.now()
    while (this.#waitingCount > 0 && this.#underWay < atOnce) void this.#runOne(this.#takeSome())
  }

  #takeSome(): Waiting<Question, Answer>[] {
    const some: Waiting<Question, Answer>[] = []
    for (const waiting of this.#waiting.take()) {
      some.push(waiting)
      if (some.length === this.#largest) break
    }
    this.#waitingCount -= some.length
    return some
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
