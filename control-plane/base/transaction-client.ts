import { requestTimeouts, TimeoutClient } from './db-timeouts.ts'

type Query = (...values: unknown[]) => unknown

const readOnlyBegin = 'start transaction read only'
/** What a session has as its setting, where a pooler makes sessions last for one transaction. */
const ownTimeout = `set local statement_timeout = ${requestTimeouts.statement_timeout}`
const begins: readonly unknown[] = ['begin', readOnlyBegin]
const ends: readonly unknown[] = ['commit', 'rollback']
const nothing = Promise.resolve({ rows: [], rowCount: null })

/**
 * A connection that saves round trips: statements are sent without waiting for earlier answers. `begin` and the
 * settings of row security are sent together with the first statement, and no request waits for the end of a read-only
 * transaction.
 */
export class TransactionClient extends TimeoutClient {
  /** The beginning of the transaction, until its first statement. */
  #begin: string | undefined
  #isReadOnly = false

  constructor(...config: ConstructorParameters<typeof TimeoutClient>) {
    super(...config)
    // not by a setting: a copy of the settings lacks the password, which a pool hides
    ;(this as { pipeline: boolean }).pipeline = true
    const [settings] = config
    const isPooled = typeof settings === 'object' && settings.isPooled === true
    const send = this.query.bind(this) as Query
    const query: Query = (statement, ...values) => {
      if (begins.includes(statement)) {
        this.#begin = isPooled ? `${statement}; ${ownTimeout}` : (statement as string)
        this.#isReadOnly = statement === readOnlyBegin
        return nothing
      }
      const begin = this.#begin
      if (begin && isSetting(statement, values)) {
        this.#begin = `${begin}; ${statement}`
        return nothing
      }
      this.#begin = undefined
      if (ends.includes(statement) && (begin || this.#isReadOnly)) {
        // if it fails, so has the connection: the next statement reports that
        if (!begin) Promise.resolve(send(statement)).catch(() => undefined)
        this.#isReadOnly = false
        return nothing
      }
      if (!begin) return send(statement, ...values)
      const begun = Promise.resolve(send(begin))
      const answered = Promise.resolve(send(statement, ...values))
      // where `begin` fails, its error is the one to report
      begun.catch(() => undefined)
      return answered.catch(async error => {
        await begun
        throw error
      })
    }
    this.query = query as typeof this.query
  }
}

/** MikroORM sets session variables by such a statement, with all values in its text, and ignores the answer. */
const isSetting = (statement: unknown, [values, callback]: unknown[]) =>
  typeof statement === 'string' &&
  statement.startsWith('select set_config(') &&
  !callback &&
  (values === undefined || (Array.isArray(values) && values.length === 0))
