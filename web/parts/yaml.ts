/** A value as JSON knows them, as YAML in blocks. What is undefined is left out. */
export const yamlOf = (value: unknown): string => `${linesOf(value).join('\n')}\n`

function linesOf(value: unknown): string[] {
  if (isList(value)) return value.length === 0 ? ['[]'] : value.flatMap(item => hung('- ', linesOf(item)))
  if (typeof value !== 'object' || value === null) return [scalar(value)]
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  if (fields.length === 0) return ['{}']
  return fields.flatMap(([name, field]) => {
    const lines = linesOf(field)
    const key = `${scalar(name)}:`
    return isBlock(field) ? [key, ...lines.map(line => `  ${line}`)] : [`${key} ${lines[0]}`]
  })
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Whether a value needs lines of its own. */
const isBlock = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0

const hung = (mark: string, [first = '', ...rest]: string[]) => [`${mark}${first}`, ...rest.map(line => `  ${line}`)]

/** Words that some readers of YAML take for something else than a text. */
const special = /^(y|n|yes|no|on|off|true|false|null|nan|inf)$/i

/** A text in double quotes, as JSON has it, is the same text in YAML. */
function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null)
  return /^[a-z][\w-]*$/i.test(value) && !special.test(value) ? value : JSON.stringify(value)
}
