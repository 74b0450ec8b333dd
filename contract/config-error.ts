/** Description and example of one setting. */
export interface Setting {
  description: string
  example: string
}

interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** Reports all invalid settings of a process at once, so that one restart is enough to correct them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: string[]

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  ${problem}`).join('\n')}`)
    this.problems = [...problems]
  }
}

/** `REGION is needed: the region of this agent, e.g. REGION=eu-west` */
export const missingSetting = (name: string, { description, example }: Setting): string =>
  `${name} is needed: ${lowerFirst(description)}, e.g. ${name}=${example}`

/** `PORT: Must be at most 65535. E.g. PORT=8080` */
export const invalidSetting = (name: string, message: string, setting?: Setting): string =>
  `${name}: ${message}${setting?.example ? ` E.g. ${name}=${setting.example}` : ''}`

/** Turns the issues of a schema into the messages that all processes of the project print. */
export function problemsOf(
  issues: readonly Issue[],
  environment: Readonly<Record<string, string | undefined>>,
  settings: Readonly<Record<string, Setting>>,
): string[] {
  return issues.map(({ path, message }) => {
    const name = String(path[0])
    const setting = settings[name]
    return setting && (environment[name] === undefined || environment[name] === '')
      ? missingSetting(name, setting)
      : invalidSetting(path.map(String).join('.'), message, setting)
  })
}

/**
 * A setting's default as documentation shows it: `required`, `—` without a default, `(empty)` for empty text or list.
 */
export function shownDefault(schema: { safeParse(value: undefined): { success: boolean; data?: unknown } }): string {
  const { success, data } = schema.safeParse(undefined)
  if (!success) return 'required'
  if (data === undefined) return '—'
  return (typeof data === 'string' && data !== '') || typeof data === 'number' ? String(data) : '(empty)'
}

const lowerFirst = (text: string) =>
  /^[A-Z][a-z]*[ ,]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
