/** What a program that starts us can tell apart by the exit code. */
export const exitCodes = { failed: 1, config: 2, dependency: 3, migration: 4 } as const

/** A start that cannot go on: what happened, why, and what to type. */
export class StartFault extends Error {
  override readonly name = 'StartFault'
  readonly code: number
  readonly why: string
  readonly fixes: string[]

  constructor(code: keyof typeof exitCodes, what: string, why: string, ...fixes: string[]) {
    super(what)
    this.code = exitCodes[code]
    this.why = why
    this.fixes = fixes
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
