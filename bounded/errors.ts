/** The runner takes no further run. `isOwn`: as this key has enough waiting; others are taken. */
export class RunnerBusy extends Error {
  override readonly name = 'RunnerBusy'
  readonly isOwn: boolean
  /** When it may be tried again. */
  readonly retryAfterS: number

  constructor(isOwn: boolean, retryAfterS = 5) {
    super('Too many such runs wait.')
    this.isOwn = isOwn
    this.retryAfterS = retryAfterS
  }
}

/** A run that took more than its bounds. `memory`: its process ended, which nothing else than memory makes it do. */
export class RunExceeded extends Error {
  override readonly name = 'RunExceeded'
  readonly program: string
  readonly bound: 'time' | 'memory'

  constructor(program: string, bound: 'time' | 'memory') {
    super(`The run of ${program} took too much ${bound}.`)
    this.program = program
    this.bound = bound
  }
}

/** What a program threw: the name, the message and the other fields of its error. */
export class ProgramError extends Error {
  /** Name of the error. */
  readonly thrown: string
  readonly fields: Readonly<Record<string, unknown>>

  constructor(thrown: string, message: string, fields: Readonly<Record<string, unknown>>) {
    super(message)
    this.name = 'ProgramError'
    this.thrown = thrown
    this.fields = fields
  }
}

/** An error as it goes from one process to another. */
export interface Thrown {
  name: string
  message: string
  fields: Record<string, unknown>
}

const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

export function thrownBy(error: unknown): Thrown {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), fields: {} }
  const fields = Object.entries(error).filter(([name, value]) => name !== 'name' && isPlain(value))
  return { name: error.name, message: error.message, fields: Object.fromEntries(fields) }
}
