import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { ChannelType } from '#contract/plans.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import {
  decryptSecret,
  encryptSecret,
  type Keyring,
  mask,
  noStoredValue,
  renewerFor,
  UnreadableSecret,
} from '#control-plane/base/secrets.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import type { Guard } from '#egress/guard.ts'
import { kinds } from './kinds/index.ts'
import type { Templating } from './kinds/kind.ts'
import { formerSecretMs } from './kinds/webhook.ts'

export type Config = Record<string, unknown>

/**
 * A configuration as it is stored: eight asterisks for each secret, and the secrets encrypted; null if there are none.
 */
export type EncryptedConfig = Row<'notification_channels', 'config' | 'secrets'>

const purpose = 'notification channel'
const Secrets = z.record(z.string(), z.unknown())

export function encryptConfig(ring: Keyring, channelId: string, type: ChannelType, config: Config): EncryptedConfig {
  const { secrets: names, secretMaps = [] } = kinds[type]
  const secrets = Object.fromEntries(
    Object.entries(config).filter(
      ([name, value]) => (names.includes(name) || (secretMaps.includes(name) && !isEmpty(value))) && !isUnset(value),
    ),
  )
  const shownAs = (name: string, value: unknown) => (secretMaps.includes(name) ? masked(value) : mask)
  return {
    config: Object.fromEntries(
      Object.entries(config).map(([name, value]) => [name, name in secrets ? shownAs(name, value) : value]),
    ),
    secrets:
      Object.keys(secrets).length === 0 ? null : encryptSecret(ring, purpose, channelId, JSON.stringify(secrets)),
  }
}

export const decryptConfig = (ring: Keyring, channelId: string, { config, secrets }: EncryptedConfig): Config =>
  secrets === null
    ? config
    : { ...config, ...Secrets.parse(JSON.parse(decryptSecret(ring, purpose, channelId, secrets))) }

/** As `decryptConfig`, for a change: secrets that cannot be decrypted stay masked, to be sent again. */
export function decryptForChange(ring: Keyring, channelId: string, closed: EncryptedConfig): Config {
  try {
    return decryptConfig(ring, channelId, closed)
  } catch (error) {
    if (error instanceof UnreadableSecret) return closed.config
    throw error
  }
}

const Texts = z.record(z.string(), z.string())
const isEmpty = (value: unknown) => Object.keys(Texts.safeParse(value).data ?? {}).length === 0
/** A map with each value masked. */
const masked = (value: unknown) => Object.fromEntries(Object.keys(Texts.parse(value)).map(name => [name, mask]))
const holdsMask = (value: unknown) => Object.values(Texts.safeParse(value).data ?? {}).includes(mask)

/** The configuration as the API shows it. */
export const showConfig = (type: ChannelType, config: Config): Config =>
  Object.fromEntries(Object.entries(config).filter(([name]) => name in shapeOf(type) && name !== 'former'))

interface Draft {
  type: ChannelType
  given: Config
  /** The configuration of the channel until now, decrypted. */
  stored?: Config
  guard: Pick<Guard, 'refuseUrl'>
  templating: Templating
  now: Date
}

/**
 * The new configuration of a channel: fields that were not sent stay, a secret sent masked stays. Refuses wrong values,
 * by field.
 */
export async function draftConfig({ type, given, stored = {}, guard, templating, now }: Draft): Promise<Config> {
  const kind = kinds[type]
  const errors: FieldErrors = {}
  const unmasked = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      kind.secretMaps?.includes(name) ? withStored(value, stored[name]) : value,
    ]),
  )
  const sent = Object.entries(kind.complete?.(unmasked) ?? unmasked).filter(([name]) => name !== 'former')
  for (const [name, value] of sent)
    if (kind.secrets.includes(name) && value === mask && isUnset(stored[name]))
      errors[`config.${name}`] = [noStoredValue]
  const changes = Object.fromEntries(sent.filter(([name, value]) => !(kind.secrets.includes(name) && value === mask)))
  const merged: Config = { ...stored, ...changes }
  for (const name of kind.secrets) if (merged[name] === mask) errors[`config.${name}`] = [noStoredValue]
  for (const name of kind.secretMaps ?? []) if (holdsMask(merged[name])) errors[`config.${name}`] = [noStoredValue]
  if (Object.keys(errors).length === 0) {
    const checked = kind.sent?.safeParse(changes)
    if (checked?.success === false) throw invalid(prefixed(fieldErrors(checked.error)))
    const parsed = kind.config.safeParse(merged)
    if (!parsed.success) throw invalid(prefixed(fieldErrors(parsed.error)))
    for (const name of kind.urls) {
      const refused = guard.refuseUrl(withoutTemplate(String(merged[name])))
      if (refused !== null) errors[`config.${name}`] = [refused]
    }
    Object.assign(errors, prefixed((await kind.validate?.(parsed.data, templating)) ?? {}))
  }
  const isMoved = kind.urls.some(name => !isUnset(stored[name]) && originOf(stored[name]) !== originOf(merged[name]))
  const isKept = !isUnset(stored.secret) && (given.secret === undefined || given.secret === mask)
  if (isMoved && isKept) errors['config.secret'] = [ofAnotherHost]
  for (const name of kind.secretMaps ?? [])
    if (isMoved && !isEmpty(stored[name]) && (given[name] === undefined || holdsMask(given[name])))
      errors[`config.${name}`] = [ofAnotherHost]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return withFormer(Secrets.parse(kind.config.parse(merged)), isMoved ? {} : stored, now)
}

const ofAnotherHost = 'The stored secret was given for another host: send it again for this one, or null.'

/** A map as sent, with the stored values in place of the masked ones. */
function withStored(sent: unknown, stored: unknown): unknown {
  const known = Texts.safeParse(stored).data ?? {}
  const values = Texts.safeParse(sent).data
  return values === undefined
    ? sent
    : Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, value === mask ? (known[name] ?? mask) : value]),
      )
}

/** An address up to its first template. */
const withoutTemplate = (url: string) => url.split(/\{[{%]/)[0] ?? ''

/** Scheme, host and port. */
const originOf = (url: unknown) => URL.parse(String(url))?.origin ?? url

/**
 * A secret of a webhook that is replaced signs beside the new one for a day. If the secret is removed, requests are no
 * longer signed.
 */
function withFormer({ former, ...config }: Config, stored: Config, now: Date): Config {
  if (isUnset(config.secret)) return config
  if (isUnset(stored.secret) || isDeepStrictEqual(stored.secret, config.secret))
    return former === undefined ? config : { ...config, former }
  return { ...config, former: { secret: stored.secret, until: now.getTime() + formerSecretMs } }
}

const Recipients = z.object({ recipients: z.array(z.string()) })
/** The addresses of an e-mail channel; none for other types. */
export const recipientsIn = (config: Config): string[] => Recipients.safeParse(config).data?.recipients ?? []

const isUnset = (value: unknown) => value === undefined || value === null || value === '' || value === mask
const shapeOf = (type: ChannelType) => (kinds[type].config instanceof z.ZodObject ? kinds[type].config.shape : {})
const prefixed = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, reasons]) => [path === 'body' ? 'config' : `config.${path}`, reasons]),
  )

export const renewConfig = renewerFor(purpose)
