import { isMarkedAway } from '#analytics/away.ts'
import { RunnerBusy } from '#bounded/errors.ts'

/** SQLSTATE: no connection, a server that starts or stops, no connection left, a standby that only reads. */
const awayStates = /^(08...|57P..|53300|25006)$/
/** SQLSTATE: a conflict with another transaction, the server's resources. */
const passingStates = /^(40|53)...$/
/** SQLSTATE: cancelled as it took too long, or waited too long for a lock. */
const lateStates = /^(57014|55P03)$/
/** Every SQLSTATE has a digit, unlike EPIPE, a code of sockets with the same length. */
const isState = (code: string | undefined) => code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)

/** Messages of the driver and its pool, which set no code. */
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

/** Whether one of our own stores could not be reached. A refused connection to another host does not count. */
export const isStoreUnavailable = (error: unknown): boolean =>
  some(error, cause =>
    isState(cause.code) ? awayStates.test(cause.code!) : isMarkedAway(cause) || driverWords.test(cause.message ?? ''),
  )

/** Whether a store answered, but had no time or room for a statement that may succeed later. */
export const isStoreBusy = (error: unknown): boolean =>
  !isStoreUnavailable(error) &&
  some(error, ({ code }) => isState(code) && (passingStates.test(code!) || lateStates.test(code!)))

/** Whether the same statement, or the same run, may succeed when it is tried again unchanged. */
export const isTransient = (error: unknown): boolean =>
  error instanceof RunnerBusy ||
  isStoreUnavailable(error) ||
  some(error, ({ code }) => isState(code) && passingStates.test(code!))

/** The SQLSTATE of an error, where PostgreSQL sent one. */
export const sqlState = (error: unknown): string | null => causes(error).find(({ code }) => isState(code))?.code ?? null
