import { z } from 'zod'
import type { ChannelType } from '#contract/plans.ts'
import { channelTypes } from '#contract/plans.ts'
import { mask } from '#control-plane/base/secrets.ts'
import { kinds } from './kinds/index.ts'
import { secretDescription } from './kinds/webhook-secret.ts'

const pascalCase = (type: ChannelType) =>
  type
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Fields of a configuration that are part of the interface. */
const fieldsOf = (type: ChannelType): [string, z.ZodType][] =>
  kinds[type].config instanceof z.ZodObject
    ? Object.entries<z.ZodType>(kinds[type].config.shape).filter(([name]) => name !== 'former')
    : []

const sent = (type: ChannelType) =>
  Object.fromEntries(
    fieldsOf(type).map(([name, field]) => {
      if (kinds[type].secretMaps?.includes(name)) return [name, field.meta({ writeOnly: true })]
      if (!kinds[type].secrets.includes(name)) return [name, field]
      return [name, field.meta({ writeOnly: true, ...(name === 'secret' && { description: secretDescription }) })]
    }),
  )

const masked = z
  .union([z.literal(mask), z.literal(''), z.null()])
  .meta({ description: 'Eight asterisks where it is set.' })
const maskedValues = z.record(z.string(), z.literal(mask)).meta({ description: 'Eight asterisks for each value.' })

function shown(type: ChannelType) {
  const { secrets, secretMaps = [] } = kinds[type]
  const viewed = (name: string, field: z.ZodType) => {
    if (secretMaps.includes(name)) return maskedValues
    // none are left where the accounts of all were erased
    if (type === 'email' && name === 'recipients') return z.array(z.string())
    return secrets.includes(name) ? masked : field
  }
  return z.object(Object.fromEntries(fieldsOf(type).map(([name, field]) => [name, viewed(name, field)]))).partial()
}

/**
 * A union with one schema for each type of channel, distinguished by `type`. `idOf`: the name of each in the OpenAPI
 * document.
 */
function byType<Shape extends z.ZodRawShape>(
  shape: Shape,
  configOf: (type: ChannelType) => z.ZodType,
  idOf: (type: string) => string,
) {
  const of = (type: ChannelType) =>
    z.object({ ...shape, type: z.literal(type), config: configOf(type) }).meta({ id: idOf(pascalCase(type)) })
  const [first, ...others] = channelTypes
  return z.discriminatedUnion('type', [of(first), ...others.map(of)])
}

export const shownByType = <Shape extends z.ZodRawShape>(shape: Shape) =>
  byType(shape, shown, type => `${type}Channel`).meta({ id: 'NotificationChannel' })

export const sentByType = <Shape extends z.ZodRawShape>(shape: Shape) =>
  byType(
    shape,
    type => z.object(sent(type)),
    type => `New${type}Channel`,
  ).meta({ id: 'NewNotificationChannel', unusedIO: 'input' })

/** A change does not name the type, so the schema has the fields of all types. */
export const changesOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object({
      ...shape,
      config: z.object(Object.assign({}, ...channelTypes.map(sent)) as Record<string, z.ZodType>).partial(),
    })
    .partial()
    .meta({ id: 'NotificationChannelChanges', unusedIO: 'input' })
