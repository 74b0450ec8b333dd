import { isMarkedAway } from '#analytics/away.ts'

/** SQLSTATE: no connection, a server that starts or stops, no connection left, a standby that only reads. */
const awayStates = /^(08...|57P..|53300|25006)$/
/** SQLSTATE: a conflict with another transaction, the server's resources. */
const passingStates = /^(40|53)...$/
/** SQLSTATE: what took too long and was cancelled, or waited too long for a lock. */
const lateStates = /^(57014|55P03)$/
/** Every SQLSTATE has a digit; EPIPE, as long, is what a socket says. */
const isState = (code: string | undefined) => code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)

/** Said by the driver and its pool, which give no code. */
const driverWords =
  /^Connection terminated|connection error and is not queryable|^timeout exceeded when trying to connect$|^Query read timeout$/

interface Coded {
  code?: string
  message?: string
  cause?: unknown
}

function* causes(error: unknown): Generator<Coded> {
  for (
    let cause = error, depth = 0;
    cause && typeof cause === 'object' && depth < 8;
    cause = (cause as Coded).cause, depth++
  )
    yield cause as Coded
}

const some = (error: unknown, is: (cause: Coded) => boolean) => causes(error).some(is)

/** Whether one of our own stores could not be reached. Another host that refuses a connection is none. */
export const isStoreUnavailable = (error: unknown): boolean =>
  some(error, cause =>
    isState(cause.code) ? awayStates.test(cause.code!) : isMarkedAway(cause) || driverWords.test(cause.message ?? ''),
  )

/** Whether a store was there and had no time or room for this statement, which may succeed when it is sent again. */
export const isStoreBusy = (error: unknown): boolean =>
  !isStoreUnavailable(error) &&
  some(error, ({ code }) => isState(code) && (passingStates.test(code!) || lateStates.test(code!)))

/** Whether the same statement is worth trying again as it is: what is refused for any other reason is refused again. */
export const isTransient = (error: unknown): boolean =>
  isStoreUnavailable(error) || some(error, ({ code }) => isState(code) && passingStates.test(code!))

/** The SQLSTATE of an error, where PostgreSQL gave one. */
export const sqlState = (error: unknown): string | null => causes(error).find(({ code }) => isState(code))?.code ?? null
