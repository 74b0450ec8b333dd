import { type Auth, authorizationOf } from './settings.ts'

const secretName = /auth|cookie|key|token|secret|session|passw|signature/i

/** Whether a header of this name is taken to hold a secret. */
export const holdsSecret = (header: string) => secretName.test(header)

/** A text of the target without whatever secret it sends back. */
export function hideSecrets(text: string, { auth, headers }: { auth: Auth | null; headers: Readonly<Record<string, string>> }): string {
  const secrets = Object.entries(headers).flatMap(([name, value]) => (holdsSecret(name) ? [value, ...value.split(/[\s;,=]+/)] : []))
  if (auth) secrets.push(authorizationOf(auth).split(' ')[1] ?? '', auth.type === 'bearer' ? auth.token : auth.password)
  return secrets
    .filter(secret => secret.length >= 4)
    .toSorted((a, b) => b.length - a.length)
    .reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text)
}
