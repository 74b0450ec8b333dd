/** A domain's registration data. Times are ISO 8601, in UTC. */
export interface Registration {
  registered_at: string | null
  updated_at: string | null
  expires_at: string | null
  registrar: string | null
  /** EPP status codes as in RFC 5731, and other statuses as the registry writes them. */
  statuses: string[]
  nameservers: string[]
  /** Whether the delegation is signed (DNSSEC). */
  signed: boolean | null
}

export const maxList = 20
export const maxText = 200

/** The first source, completed by the second. */
export const complete = (one: Registration, other: Registration): Registration => ({
  registered_at: one.registered_at ?? other.registered_at,
  updated_at: one.updated_at ?? other.updated_at,
  expires_at: one.expires_at ?? other.expires_at,
  registrar: one.registrar ?? other.registrar,
  statuses: one.statuses.length ? one.statuses : other.statuses,
  nameservers: one.nameservers.length ? one.nameservers : other.nameservers,
  signed: one.signed ?? other.signed,
})

/** `client hold`, `clientHold https://icann.org/epp#clientHold` and `CLIENT-HOLD` are one status. */
export function statusCode(text: string): string {
  const words = text
    .slice(0, 200)
    .replace(/\(?https?:.*/i, '')
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  return words
    .map((word, index) => (index ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('')
    .slice(0, 60)
}

/** Normal form of a name: lower case, no last dot. */
export const plainName = (text: string) => text.trim().toLowerCase().replace(/\.$/, '').slice(0, 253)

export const oneOfEach = (list: readonly string[]) => [...new Set(list.filter(Boolean))].slice(0, maxList)
