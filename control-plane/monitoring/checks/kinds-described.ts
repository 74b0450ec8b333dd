import { z } from 'zod'
import { type KindName, kindNames, kinds } from '#checks/index.ts'
import { mask } from '#control-plane/base/secrets.ts'
import { isSecret } from '#control-plane/engine/assignments/settings-secrets.ts'
import { readBy } from '#control-plane/http/unknown-fields.ts'

const typeNameOf = (name: KindName) =>
  name
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/**
 * The settings of a kind as the API’s document shows them. This schema validates nothing: the kind and the check do.
 * `sent`: required settings are required. `shown`: all may be missing, there are no others, and secrets are masked.
 */
function described(name: KindName, io: 'sent' | 'shown') {
  const {
    $schema: _,
    $defs = {},
    required,
    additionalProperties: __,
    ...schema
  } = z.toJSONSchema(kinds[name].settings, { io: 'input' })
  const withoutRefs = (part: unknown): object =>
    JSON.parse(JSON.stringify(part), (key, value) => {
      if (value?.$ref) {
        const { $ref: ref, ...beside } = value
        return { ...beside, ...withoutRefs($defs[ref.replace('#/$defs/', '')]) }
      }
      if (io === 'sent') return value
      if (isSecret(key) && value?.type === 'string') return { anyOf: [{ const: mask }, { const: '' }] }
      const { additionalProperties: _, ...closed } = value?.properties ? value : {}
      return value?.properties ? closed : value
    })
  const whole = withoutRefs(schema)
  return { ...whole, ...(io === 'sent' && { additionalProperties: false, ...(required && { required }) }) }
}

/** A union of one schema for each kind, discriminated by `type`. `idOf`: the name of each in the document. */
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
    return z.object({ ...shape, type: z.literal(name), settings }).meta({ id: idOf(typeNameOf(name)) })
  }
  const [first, ...others] = kindNames
  return z.discriminatedUnion('type', [of(first), ...others.map(of)]).meta({ id: idOf('') })
}
