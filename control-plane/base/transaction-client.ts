import { TimeoutClient } from './patience.ts'

type Ask = (...given: unknown[]) => unknown

const readOnlyBegin = 'start transaction read only'
const begins: readonly unknown[] = ['begin', readOnlyBegin]
const ends: readonly unknown[] = ['commit', 'rollback']
const nothing = Promise.resolve({ rows: [], rowCount: null })

/**
 * A connection that spares a request its ways to the database and back: questions are sent without waiting for the answers to those before.
 * A transaction begins, and what row security goes by is set, together with the first thing that is asked in it; and nobody waits for the end
 * of one that could change nothing.
 */
export class TransactionClient extends TimeoutClient {
  /** What begins the transaction, until there is something to be done in it. */
  #begin: string | undefined
  #isReadOnly = false

  constructor(...config: ConstructorParameters<typeof TimeoutClient>) {
    super(...config)
    // as a setting it would have to be in a copy of them, and a pool hides the password from those
    ;(this as { pipeline: boolean }).pipeline = true
    const ask = this.query.bind(this) as Ask
    const together: Ask = (question, ...given) => {
      if (begins.includes(question)) {
        this.#begin = question as string
        this.#isReadOnly = question === readOnlyBegin
        return nothing
      }
      const begin = this.#begin
      if (begin && isSetting(question, given)) {
        this.#begin = `${begin}; ${question}`
        return nothing
      }
      this.#begin = undefined
      if (ends.includes(question) && (begin || this.#isReadOnly)) {
        // should it fail, so has the connection: whoever comes next hears of it
        if (!begin) Promise.resolve(ask(question)).catch(() => undefined)
        this.#isReadOnly = false
        return nothing
      }
      if (!begin) return ask(question, ...given)
      const begun = Promise.resolve(ask(begin))
      const answered = Promise.resolve(ask(question, ...given))
      // where it could not begin nothing else can be: told is why
      begun.catch(() => undefined)
      return answered.catch(async error => {
        await begun
        throw error
      })
    }
    this.query = together as typeof this.query
  }
}

/** Mikro-ORM sets the variables of a session so, with everything in the text, and reads no answer. */
const isSetting = (question: unknown, [values, told]: unknown[]) =>
  typeof question === 'string' &&
  question.startsWith('select set_config(') &&
  !told &&
  (values === undefined || (Array.isArray(values) && values.length === 0))
