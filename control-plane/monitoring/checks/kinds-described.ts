import { z } from 'zod'
import { type KindName, kindNames, kinds } from '#checks/index.ts'
import { mask } from '#control-plane/base/secrets.ts'
import { isSecret } from '#control-plane/engine/assignments/settings-secrets.ts'
import { readBy } from '#control-plane/http/unknown-fields.ts'

const words = (name: KindName) =>
  name
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/**
 * The settings of a kind as the API’s document shows them. They are taken as they come: what is left out, sent as asterisks or forbidden by a
 * plan is for the kind and its room to say. `sent`: what is required is required; shown, all of it may be missing, there is nothing else, and
 * of a secret only that it is set.
 */
function described(name: KindName, io: 'sent' | 'shown') {
  const {
    $schema: _,
    $defs = {},
    required,
    additionalProperties: __,
    ...schema
  } = z.toJSONSchema(kinds[name].settings, { io: 'input' })
  const spelledOut = (part: unknown): object =>
    JSON.parse(JSON.stringify(part), (key, value) => {
      if (value?.$ref) return spelledOut($defs[value.$ref.replace('#/$defs/', '')])
      if (io === 'sent') return value
      if (isSecret(key) && value?.type === 'string') return { anyOf: [{ const: mask }, { const: '' }] }
      const { additionalProperties: _, ...closed } = value?.properties ? value : {}
      return value?.properties ? closed : value
    })
  const whole = spelledOut(schema)
  return { ...whole, ...(io === 'sent' && { additionalProperties: false, ...(required && { required }) }) }
}

/** One of as many forms as there are kinds, told apart by `type`. `idOf`: what the document calls each of them. */
export function byKind<Shape extends z.ZodRawShape>(
  shape: Shape,
  io: 'sent' | 'shown',
  idOf: (kind: string) => string,
) {
  const of = (name: KindName) => {
    const anything = z.record(z.string().max(100), z.unknown()).meta({
      override: ({ jsonSchema }) => {
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key)
        Object.assign(jsonSchema, described(name, io), {
          description:
            io === 'sent' ? kinds[name].summary : `${kinds[name].summary}. Secrets are shown as eight asterisks.`,
        })
      },
    })
    const taken = readBy(anything, () => kinds[name].settings)
    // what is left out gets its default
    const settings = io === 'sent' ? taken.prefault({}) : taken
    return z.object({ ...shape, type: z.literal(name), settings }).meta({ id: idOf(words(name)) })
  }
  const [first, ...others] = kindNames
  return z.discriminatedUnion('type', [of(first), ...others.map(of)]).meta({ id: idOf('') })
}
