import type { Bait } from './requests.ts'

const of = (pattern: string, length: number) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)

/** Bodies of a content type that is no JSON, of at most so many bytes. */
export function filesFor(type: string, bytes: number): Bait[] {
  const file = (what: string, raw: string) => ({ what, raw, type })
  if (type === 'text/csv')
    return [
      file('quotes', `email\n${of('"', bytes - 10)}`),
      file('quoted cells', `email\n${of('"a"\n', bytes - 10)}`),
      file('cells', `email\n${of(',', bytes - 10)}`),
      file('columns', `email${of(',a', bytes - 10)}\n`),
      file('rows', `email\n${of('a@b.example\n', bytes - 10)}`),
      file('empty rows', `email\n${of('\r\n', bytes - 10)}`),
      file('wrong rows', `email,channel,locale,components\n${of('a,b,c,d\n', 90_000)}`),
      file('addresses', `email,channel\n${of('https://a.example/b,webhook\n', 250_000)}`),
      file('long rows', `email\n${of(`${'a'.repeat(200)}@b.example\n`, bytes - 10)}`),
    ]
  if (type.includes('x-www-form-urlencoded'))
    return [
      file('fields', of('a&', bytes)),
      file('fields that are encoded', of('%61=%61&', bytes)),
      file('percent signs', of('%', bytes)),
      file('one field many times', of('state=a&', bytes)),
    ]
  return [file('letters', of('a', bytes)), file('lines', of('\n', bytes)), file('braces', of('{"', bytes))]
}
