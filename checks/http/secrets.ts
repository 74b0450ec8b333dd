import { type Auth, authorizationOf } from './settings.ts'

const secretName = /auth|cookie|key|token|secret|session|passw|signature/i

/** Most secrets searched for; with more, no text is shown. */
const secretsAtMost = 500

/** Whether a header of this name is assumed to contain a secret. */
export const holdsSecret = (header: string) => secretName.test(header)

interface Secretive {
  auth: Auth | null
  headers: Readonly<Record<string, string>>
}

/** Cached, because the same settings recur with every run. */
const known = new WeakMap<Secretive, readonly string[]>()

/** Values of secret headers, whole and in parts, and credentials; the longest first. */
function secretsOf(settings: Secretive): readonly string[] {
  const before = known.get(settings)
  if (before) return before
  const { auth, headers } = settings
  const secrets = Object.entries(headers).flatMap(([name, value]) =>
    holdsSecret(name) ? [value, ...value.split(/[\s;,=]+/)] : [],
  )
  if (auth) secrets.push(authorizationOf(auth).split(' ')[1] ?? '', auth.type === 'bearer' ? auth.token : auth.password)
  const found = [...new Set(secrets)].filter(secret => secret.length >= 4).toSorted((a, b) => b.length - a.length)
  known.set(settings, found)
  return found
}

/**
 * The first `chars` of a target's text, without secrets that the target echoes. Little more than the shown text is
 * searched, and a secret at the search limit is removed as well.
 */
export function hideSecrets(text: string, settings: Secretive, chars: number): string {
  const secrets = secretsOf(settings)
  if (secrets.length > secretsAtMost) return ''
  const longest = secrets[0]?.length ?? 0
  const searched = text.slice(0, chars + 2 * longest)
  const hidden = secrets.reduce((so, secret) => so.replaceAll(secret, '***'), searched)
  const end = searched.length < text.length ? Math.max(0, hidden.length - longest) : hidden.length
  return hidden.slice(0, Math.min(chars, end))
}
