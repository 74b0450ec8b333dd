import { z } from 'zod'
import { parseDate } from './dates.ts'
import { maxList, maxText, oneOfEach, plainName, type Registration, statusCode } from './registration.ts'

/** Keeps valid entries and drops others: one invalid entry must not invalidate the whole answer. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform(entries =>
      entries.slice(0, 200).flatMap((entry): z.output<Item>[] => {
        const parsed = item.safeParse(entry)
        return parsed.success ? [parsed.data] : []
      }),
    )

/** A domain of RFC 9083, as far as it is used. */
const Domain = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string().optional(),
  unicodeName: z.string().optional(),
  status: listOf(z.string()),
  events: listOf(z.object({ eventAction: z.string(), eventDate: z.string() })),
  nameservers: listOf(z.object({ ldhName: z.string() })),
  entities: listOf(
    z.object({ roles: listOf(z.string()), handle: z.string().optional().catch(undefined), vcardArray: z.unknown() }),
  ),
  secureDNS: z.object({ delegationSigned: z.boolean().optional() }).optional().catch(undefined),
})

/** What an RDAP server answers about this domain; null when the answer is about something else. */
export function readRdap(body: unknown, domain: string): Registration | null {
  const { data } = Domain.safeParse(body)
  if (!data || (data.ldhName !== undefined && plainName(data.ldhName) !== domain)) return null
  const dateOf = (action: string) => {
    const dates = data.events.flatMap(event =>
      event.eventAction.toLowerCase() === action ? (parseDate(event.eventDate) ?? []) : [],
    )
    return dates.toSorted().at(-1) ?? null
  }
  const registrar = data.entities.find(({ roles }) => roles.includes('registrar'))
  return {
    registered_at: dateOf('registration'),
    updated_at: dateOf('last changed'),
    expires_at: dateOf('expiration'),
    registrar: (nameOf(registrar?.vcardArray) ?? registrar?.handle)?.slice(0, maxText) ?? null,
    statuses: oneOfEach(data.status.map(statusCode)),
    nameservers: oneOfEach(data.nameservers.slice(0, maxList).map(({ ldhName }) => plainName(ldhName))).toSorted(),
    signed: data.secureDNS?.delegationSigned ?? null,
  }
}

/** The full name of a jCard (RFC 7095): `["vcard", [["fn", {}, "text", "Name"], …]]`. */
function nameOf(card: unknown): string | undefined {
  const properties = Array.isArray(card) && Array.isArray(card[1]) ? card[1] : []
  const name: unknown = properties.find(property => Array.isArray(property) && property[0] === 'fn')?.[3]
  return typeof name === 'string' && name ? name : undefined
}

/** When a rate-limiting server may be queried again, in milliseconds from now, within reasonable bounds. */
export function retryAfterMs(header: string | undefined, now: number): number {
  const seconds = /^\d{1,9}$/.test(header ?? '') ? Number(header) : (Date.parse(header ?? '') - now) / 1_000
  return Math.min(86_400, Math.max(60, Number.isNaN(seconds) ? 3_600 : seconds)) * 1_000
}
