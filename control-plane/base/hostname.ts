import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { z } from 'zod'

/** With the label of its TXT record and a dot in front of it, a name has at most 253 characters. */
const longest = 253 - '_vedette.'.length
const shape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A hostname as DNS has it: lower case, IDNA in ASCII, without the last dot; null if the text is none. */
export function asciiHostname(text: string): string | null {
  // a parser of URLs would read more than a name: a port, a user, a path, an address written as one number
  if (/[\s:/?#@[\]\\%\p{Cc}]/u.test(text)) return null
  const name = domainToASCII(text.normalize('NFC').replace(/\.$/, '')).toLowerCase()
  return shape.test(name) ? name : null
}

/**
 * Names of which no public authority issues certificates, although some of them stand in the list of public suffixes:
 * special use (RFC 6761, 6762, 7686, 8375, 9476), and `internal`, which ICANN keeps for private networks.
 */
const specialUse = new Set('alt arpa example internal invalid local localhost onion test'.split(' '))

/** Why a hostname is refused, or null. Ours are the host of `BASE_URL` and all names below it. */
export function whyRefused(hostname: string, baseUrl: string): string | null {
  if (hostname.length > longest) return `Must be at most ${longest} characters.`
  const top = hostname.slice(hostname.lastIndexOf('.') + 1)
  if (specialUse.has(top)) return `Names below .${top} are reserved: no public authority issues certificates of them.`
  const { domain, isIp, isIcann } = parse(hostname, { allowPrivateDomains: true })
  const { isIcann: isPublicName } = parse(hostname)
  if (isIp || domain === null || !(isIcann || isPublicName))
    return 'Must be a name below a registered domain, such as status.example.com.'
  const own = URL.parse(baseUrl)?.hostname ?? ''
  if (hostname === own || hostname.endsWith(`.${own}`)) return 'This name belongs to this service.'
  return null
}

export const Hostname = z
  .string()
  .max(1_000)
  .transform((text, context) => {
    const name = asciiHostname(text)
    if (name !== null) return name
    context.addIssue({ code: 'custom', message: 'Must be a hostname such as status.example.com.' })
    return z.NEVER
  })
  .meta({ description: 'Letters outside of ASCII are stored in their ASCII form (`xn--…`).' })
