import { ImpatientClient } from './patience.ts'

type Ask = (...given: unknown[]) => unknown

const readOnlyBegin = 'start transaction read only'
const begins: readonly unknown[] = ['begin', readOnlyBegin]
const ends: readonly unknown[] = ['commit', 'rollback']
const nothing = Promise.resolve({ rows: [], rowCount: null })

/**
 * A connection that spares a request two of its ways to the database and back: a transaction begins together with the first thing that is
 * asked in it, and nobody waits for the end of one that could change nothing.
 */
export class TransactionClient extends ImpatientClient {
  /** What begins the transaction, until there is something to be done in it. */
  #begin: string | undefined
  #isReadOnly = false

  constructor(...config: ConstructorParameters<typeof ImpatientClient>) {
    super(...config)
    const ask = this.query.bind(this) as Ask
    const together: Ask = (question, ...given) => {
      if (begins.includes(question)) {
        this.#begin = question as string
        this.#isReadOnly = question === readOnlyBegin
        return nothing
      }
      const begin = this.#begin
      this.#begin = undefined
      if (ends.includes(question) && (begin || this.#isReadOnly)) {
        // should it fail, so has the connection: whoever comes next hears of it
        if (!begin) Promise.resolve(ask(question)).catch(() => undefined)
        this.#isReadOnly = false
        return nothing
      }
      if (!begin) return ask(question, ...given)
      if (typeof question === 'string' && isPlain(given)) return lastOf(ask(`${begin}; ${question}`))
      return Promise.resolve(ask(begin)).then(() => ask(question, ...given))
    }
    this.query = together as typeof this.query
  }
}

/** Neither values, with which nothing else may be asked, nor a callback. */
const isPlain = ([values, told]: unknown[]) => !told && (values === undefined || (Array.isArray(values) && values.length === 0))

async function lastOf(results: unknown): Promise<unknown> {
  return ((await results) as unknown[]).at(-1)
}
