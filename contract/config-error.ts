/** What a setting is for, and what it may look like. */
export interface Setting {
  about: string
  example: string
}

interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** Settings of a process that cannot be used: all of them at once, so that nobody mends one only to meet the next. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: string[]

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  ${problem}`).join('\n')}`)
    this.problems = [...problems]
  }
}

/** `REGION is needed: the region of this agent, e.g. REGION=eu-west` */
export const needed = (name: string, { about, example }: Setting): string =>
  `${name} is needed: ${lowerFirst(about)}, e.g. ${name}=${example}`

/** `PORT: Must be at most 65535. E.g. PORT=8080` */
export const wrong = (name: string, message: string, setting?: Setting): string =>
  `${name}: ${message}${setting?.example ? ` E.g. ${name}=${setting.example}` : ''}`

/** What a schema found wrong in an environment, in the words of all our processes. */
export function problemsOf(
  issues: readonly Issue[],
  environment: Readonly<Record<string, string | undefined>>,
  settings: Readonly<Record<string, Setting>>,
): string[] {
  return issues.map(({ path, message }) => {
    const name = String(path[0])
    const setting = settings[name]
    return setting && (environment[name] === undefined || environment[name] === '')
      ? needed(name, setting)
      : wrong(path.map(String).join('.'), message, setting)
  })
}

/** A setting's default as documentation shows it: `required`, `—` where there is none, `(empty)` for empty text or list. */
export function shownDefault(schema: { safeParse(value: undefined): { success: boolean; data?: unknown } }): string {
  const { success, data } = schema.safeParse(undefined)
  if (!success) return 'required'
  if (data === undefined) return '—'
  return (typeof data === 'string' && data !== '') || typeof data === 'number' ? String(data) : '(empty)'
}

const lowerFirst = (text: string) =>
  /^[A-Z][a-z]*[ ,]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
